//! A Pod object.

use super::common::{conditions, containers, count, id, place, seen_map, state, time};
use crate::evidence::facts::{ConfigVolume, Container, Pod, Rank, StatePhase};
use crate::evidence::objects::Node;
use crate::recognize::Hints;
use crate::source::Seen;

/// Reads a Pod.
pub fn read(node: Node, hints: &Hints) -> Pod {
    let (metadata, spec, status) = (node.get("metadata"), node.get("spec"), node.get("status"));
    let mut pod = Pod::new(id(node, hints), Rank::Object, place(node));
    pod.uid = metadata.get("uid").as_str().map(str::to_owned);
    pod.labels = seen_map(metadata.get("labels"));
    pod.owner = owner(metadata);
    pod.node = spec.get("nodeName").str();
    pod.ip = status.get("podIP").str();
    pod.host_network = spec.get("hostNetwork").bool();
    pod.dns_policy = spec.get("dnsPolicy").str();
    pod.priority_class = spec.get("priorityClassName").str();
    pod.service_account = spec.get("serviceAccountName").str();
    pod.phase = status.get("phase").str();
    pod.reason = status.get("reason").str();
    pod.message = status.get("message").str();
    pod.created = time(status.get("startTime")).or_else(|| time(metadata.get("creationTimestamp")));
    pod.terminating = metadata.get("deletionTimestamp").exists();
    if is_application(node, pod.id.namespace.as_deref()) {
        application(&mut pod, node);
        return pod;
    }
    pod.conditions = conditions(status.get("conditions"));
    pod.ready = pod
        .conditions
        .iter()
        .find(|condition| condition.kind == "Ready")
        .map(|condition| Seen::new(condition.status == "True", condition.quote.clone()));
    pod.containers = containers(spec.get("containers"));
    with_statuses(&mut pod, status.get("containerStatuses"));
    pod.config_volumes = spec.get("volumes").items().filter_map(config_volume).collect();
    pod
}

/// Whether the pod is a client of DNS and no part of the cluster: a namespace of its own, and nothing in it that is
/// called after DNS.
fn is_application(node: Node, namespace: Option<&str>) -> bool {
    let system = |namespace: &str| ["kube-", "openshift", "cattle-"].iter().any(|start| namespace.starts_with(start));
    let about_dns = |text: Option<&str>| text.is_some_and(|text| text.contains("dns"));
    let mut images = node.path("spec.containers").items().map(|container| container.get("image").as_str());
    let mut labels = node.path("metadata.labels").entries().map(|(_, value)| value.as_str());
    namespace.is_some_and(|namespace| !system(namespace) && !namespace.contains("dns"))
        && !about_dns(node.path("metadata.name").as_str())
        && !images.any(about_dns)
        && !labels.any(about_dns)
}

/// What is kept of an application's pod. A large cluster has a hundred thousand of them, and what they are does not
/// decide anything.
fn application(pod: &mut Pod, node: Node) {
    let status = node.get("status");
    let ready = status.get("conditions").items().find(|condition| condition.get("type").as_str() == Some("Ready"));
    pod.ready = ready.map(|condition| condition.get("status").seen(condition.get("status").as_str() == Some("True")));
    pod.containers = node
        .path("spec.containers")
        .items()
        .map(|container| Container {
            name: container.get("name").as_str().unwrap_or("").to_owned(),
            image: container.get("image").str(),
            ..Container::default()
        })
        .collect();
    with_statuses(pod, status.get("containerStatuses"));
    for container in &mut pod.containers {
        container.state.take_if(|state| state.phase == StatePhase::Running);
    }
}

fn owner(metadata: Node) -> Option<String> {
    let owner = metadata.get("ownerReferences").at(0);
    Some(format!("{}/{}", owner.get("kind").as_str()?, owner.get("name").as_str()?))
}

/// Adds what the kubelet says of each container, and the pod's restarts as their sum.
fn with_statuses(pod: &mut Pod, statuses: Node) {
    let mut total: Option<Seen<u32>> = None;
    for status in statuses.items() {
        let name = status.get("name").as_str().unwrap_or("");
        let restarts = count(status.get("restartCount"));
        if let Some(restarts) = &restarts {
            let sum = total.as_ref().map_or(0, |seen| seen.value).saturating_add(restarts.value);
            total = Some(Seen::new(sum, restarts.quote.clone()));
        }
        let Some(container) = pod.containers.iter_mut().find(|container| container.name == name) else { continue };
        container.state = state(status.get("state"));
        container.last = state(status.get("lastState"));
        container.ready = status.get("ready").bool();
        container.restarts = restarts;
        container.created = status.get("containerID").as_str().is_some_and(|id| !id.is_empty());
    }
    pod.restarts = total;
}

fn config_volume(volume: Node) -> Option<Seen<ConfigVolume>> {
    let map = volume.get("configMap");
    let name = map.get("name");
    let keys = map.get("items").items().filter_map(|item| item.get("key").as_str().map(str::to_owned)).collect();
    let optional = map.get("optional").as_bool().unwrap_or(false);
    Some(name.seen(ConfigVolume { name: name.as_str()?.to_owned(), keys, optional }))
}
