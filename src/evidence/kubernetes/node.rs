//! Node objects, kubelet settings and version answers.

use super::common::{conditions, map, place};
use crate::evidence::facts::{Fact, KubeletConfig, Node as NodeFact, Rank};
use crate::evidence::objects::Node;
use crate::evidence::quantity;
use crate::source::Seen;

/// Reads a Node.
pub fn read(node: Node) -> Option<Fact> {
    let (metadata, spec, status) = (node.get("metadata"), node.get("spec"), node.get("status"));
    let info = status.get("nodeInfo");
    let mut fact = NodeFact::new(metadata.get("name").as_str()?.to_owned(), Rank::Object, place(node));
    fact.labels = map(metadata.get("labels"));
    fact.cordoned = spec.get("unschedulable").as_bool().unwrap_or(false);
    fact.taints = spec.get("taints").items().map(taint).collect();
    fact.conditions = conditions(status.get("conditions"));
    let ready = fact.conditions.iter().find(|condition| condition.kind == "Ready");
    fact.ready = ready.map(|condition| Seen::new(condition.status == "True", condition.quote.clone()));
    fact.kubelet =
        info.get("kubeletVersion").str().map(|seen| seen.map(|text| text.trim_start_matches('v').to_owned()));
    fact.architecture = info.get("architecture").str();
    fact.os = info.get("operatingSystem").as_str().map(str::to_owned);
    fact.os_image = info.get("osImage").as_str().map(str::to_owned);
    fact.runtime = info.get("containerRuntimeVersion").str();
    fact.kernel = info.get("kernelVersion").str();
    fact.cpu = status.path("capacity.cpu").as_text().and_then(quantity::millicores);
    fact.memory = status.path("capacity.memory").as_text().and_then(quantity::bytes);
    let internal = status.get("addresses").items().find(|item| item.get("type").as_str() == Some("InternalIP"));
    fact.address = internal.and_then(|item| item.get("address").as_str().map(str::to_owned));
    Some(Fact::Node(Box::new(fact)))
}

fn taint(node: Node) -> Seen<String> {
    let part = |key: &str| node.get(key).as_text().unwrap_or("").to_owned();
    let value = part("value");
    let value = if value.is_empty() { String::new() } else { format!("={value}") };
    node.get("key").seen(format!("{}{value}:{}", part("key"), part("effect")))
}

/// Reads a KubeletConfiguration.
pub fn kubelet(node: Node) -> KubeletConfig {
    KubeletConfig {
        path: Some(node.quote().source.path.clone()),
        resolv_conf: node.get("resolvConf").str(),
        cluster_dns: node.get("clusterDNS").items().filter_map(Node::str).collect(),
        cluster_domain: node.get("clusterDomain").str(),
    }
}

/// `kubectl version -o json|yaml`, and the API server's own `/version`.
pub fn server_version(node: Node) -> Option<Fact> {
    let nested = node.path("serverVersion.gitVersion");
    let version = if nested.exists() { nested } else { node.get("gitVersion") };
    let text = version.as_str()?.trim_start_matches('v').to_owned();
    Some(Fact::KubernetesVersion(version.seen(text)))
}
