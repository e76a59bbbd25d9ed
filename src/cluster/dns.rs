//! Which of the objects are the cluster's DNS.

use std::collections::BTreeMap;

use super::{Cluster, Pod, Service};
use crate::evidence::facts::{Log, Program, TextBlock};
use crate::knowledge::corefile::Corefile;
use crate::problem::Problem;
use crate::source::Seen;

/// The DNS part of the model: indexes into the lists of [`Cluster`].
#[derive(Debug, Default)]
pub struct Dns {
    /// Namespace of the DNS pods; `kube-system` where nothing says so.
    pub namespace: String,
    /// A selector for its pods, for commands: `k8s-app=kube-dns`.
    pub selector: String,
    /// `deploy/coredns`, for commands.
    pub workload_reference: String,
    /// The server's container name, for commands.
    pub container: String,
    /// Pods that serve DNS (not NodeLocal DNSCache), indexes into `pods`.
    pub pods: Vec<usize>,
    /// NodeLocal DNSCache pods.
    pub node_cache_pods: Vec<usize>,
    /// Events about DNS pods and their workload, indexes into `events`, at most [`EVENT_LIMIT`] of them.
    pub events: Vec<usize>,
    /// Services in front of the DNS pods.
    pub services: Vec<usize>,
    /// The Deployment or DaemonSet, index into `workloads`.
    pub workload: Option<usize>,
    /// The Corefile that the pods mount.
    pub corefile: Option<ConfiguredCorefile>,
    /// Further Corefile parts: `coredns-custom` and the like, key and text.
    pub imports: Vec<(String, TextBlock)>,
    /// What the image tag, the start line or the metrics say, without vendor suffix; the start line wins.
    pub version: Option<Seen<String>>,
}

/// A Corefile and where it is configured.
#[derive(Debug, Clone)]
pub struct ConfiguredCorefile {
    /// The text.
    pub text: TextBlock,
    /// `configmap/namespace/name`; `None` for a file that stands alone.
    pub config_map: Option<String>,
    /// The text as CoreDNS reads it.
    pub tree: Corefile,
}

impl ConfiguredCorefile {
    /// Reads the text.
    pub fn new(text: TextBlock, config_map: Option<String>) -> Self {
        let tree = Corefile::parse(&text.body);
        ConfiguredCorefile { text, config_map, tree }
    }
}

/// How many events about DNS are judged; the newest, for events are compared with each other.
pub const EVENT_LIMIT: usize = 2_000;

/// Labels that mark DNS pods: kubeadm and most vendors, charts, OpenShift.
const DNS_LABELS: [(&str, &[&str]); 3] = [
    ("k8s-app", &["kube-dns", "coredns"]),
    ("dns.operator.openshift.io/daemonset-dns", &["default"]),
    ("app.kubernetes.io/name", &["coredns", "rke2-coredns"]),
];

/// Whether a pod or workload of this name, with these labels and images, is a DNS server.
fn serves_dns(name: &str, labels: Option<&BTreeMap<String, String>>, images: &[&str]) -> bool {
    if ["autoscaler", "node-cache", "nodelocal", "node-local", "node-resolver"].iter().any(|other| name.contains(other))
    {
        return false;
    }
    let has_image = images.iter().any(|image| {
        let last = image.rsplit('/').next().unwrap_or(image);
        last.contains("coredns") && !last.contains("autoscaler") || last.starts_with("k8s-dns-kube-dns")
    });
    let has_label = labels.is_some_and(|labels| {
        DNS_LABELS.iter().any(|(key, values)| labels.get(*key).is_some_and(|value| values.contains(&value.as_str())))
    });
    let has_name =
        ["coredns-", "kube-dns-", "dns-default-", "rke2-coredns"].iter().any(|start| name.starts_with(start))
            || ["coredns", "kube-dns", "dns-default"].contains(&name)
            || name.contains("-coredns-");
    has_image || (has_label && (images.is_empty() || has_name)) || (has_name && images.is_empty())
}

fn is_node_cache(pod: &Pod) -> bool {
    pod.name.starts_with("node-local-dns")
        || pod.name.starts_with("nodelocaldns")
        || pod
            .sights
            .iter()
            .flat_map(|s| &s.containers)
            .any(|c| c.image.as_ref().is_some_and(|image| image.value.contains("k8s-dns-node-cache")))
}

fn images(pod: &Pod) -> Vec<&str> {
    pod.sights.iter().flat_map(|s| &s.containers).filter_map(|c| c.image.as_ref()).map(|i| i.value.as_str()).collect()
}

/// Finds the DNS part of a model whose lists are complete.
pub(super) fn find(cluster: &Cluster) -> Dns {
    let with = |test: &dyn Fn(&Pod) -> bool| {
        cluster.pods.iter().enumerate().filter(|(_, pod)| test(pod)).map(|(index, _)| index).collect::<Vec<_>>()
    };
    let labels = |pod: &Pod| pod.labels().map(|seen| seen.value.clone());
    let node_cache_pods = with(&is_node_cache);
    let pods = with(&|pod| !is_node_cache(pod) && serves_dns(&pod.name, labels(pod).as_ref(), &images(pod)));
    let workload = find_workload(cluster);
    let services = find_services(cluster);
    let namespace = namespace(cluster, &pods, workload, &services);
    let mut dns = Dns { pods, node_cache_pods, services, workload, ..Dns::default() };
    dns.selector = selector(cluster, &dns);
    dns.workload_reference = dns.workload.and_then(|index| cluster.workloads.get(index)).map_or_else(
        || "deploy/coredns".to_owned(),
        |workload| {
            let kind = if workload.kind() == "DaemonSet" { "ds" } else { "deploy" };
            format!("{kind}/{}", workload.short_name())
        },
    );
    dns.container = dns
        .pods
        .iter()
        .find_map(|index| cluster.pods.get(*index)?.main())
        .map_or_else(|| "coredns".to_owned(), |container| container.name().to_owned());
    dns.corefile = corefile(cluster, &dns, &namespace);
    dns.imports = imports(cluster, &namespace);
    dns.version = version(cluster, &dns);
    dns.namespace = namespace;
    dns
}

/// Lists the events about DNS. They stand in order of time, so the last are the newest.
pub(super) fn choose_events(cluster: &mut Cluster) {
    let about = |event: &crate::evidence::facts::Event| cluster.is_dns_object(&event.object_kind, &event.object);
    let mut events: Vec<usize> = (0..cluster.events.len()).filter(|index| about(&cluster.events[*index])).collect();
    if events.len() > EVENT_LIMIT {
        let left = events.len() - EVENT_LIMIT;
        events.drain(..left);
        cluster.problems.push(Problem::of("", format!("{left} older events about DNS pods were not judged")));
    }
    cluster.dns.events = events;
}

fn find_workload(cluster: &Cluster) -> Option<usize> {
    let fits = |workload: &super::Workload| {
        let images: Vec<&str> =
            workload.containers().iter().filter_map(|c| c.image.as_ref()).map(|i| i.value.as_str()).collect();
        let template = workload.best(|sight| sight.template_labels.as_ref()).map(|seen| &seen.value);
        matches!(workload.kind(), "Deployment" | "DaemonSet" | "PodTemplate")
            && (serves_dns(workload.short_name(), workload.sights.first().map(|s| &s.labels), &images)
                || serves_dns(workload.short_name(), template, &images))
    };
    cluster.workloads.iter().position(fits)
}

fn find_services(cluster: &Cluster) -> Vec<usize> {
    let fits = |service: &Service| {
        let known = ["kube-dns", "coredns", "dns-default"].contains(&service.name.as_str());
        let named = service.name.contains("coredns") && !service.name.contains("metrics");
        let mut ports = service.sights.iter().flat_map(|s| &s.ports).peekable();
        let serves = ports.peek().is_none() || ports.any(|port| port.port == 53);
        (known || named) && serves
    };
    cluster.services.iter().enumerate().filter(|(_, service)| fits(service)).map(|(index, _)| index).collect()
}

fn namespace(cluster: &Cluster, pods: &[usize], workload: Option<usize>, services: &[usize]) -> String {
    let pods = pods.iter().filter_map(|index| cluster.pods.get(*index)?.namespace.clone());
    let workload = workload.and_then(|index| cluster.workloads.get(index)?.namespace.clone());
    let services = services.iter().filter_map(|index| cluster.services.get(*index)?.namespace.clone());
    let logs = cluster.logs.iter().filter(|log| log.owner.program == Program::CoreDns);
    pods.chain(workload)
        .chain(services)
        .chain(logs.filter_map(|log| log.owner.namespace.clone()))
        .next()
        .unwrap_or_else(|| "kube-system".to_owned())
}

fn selector(cluster: &Cluster, dns: &Dns) -> String {
    let labels = dns.pods.iter().filter_map(|index| cluster.pods.get(*index)?.labels());
    labels
        .flat_map(|seen| {
            DNS_LABELS.iter().filter_map(|(key, _)| seen.value.get(*key).map(|value| format!("{key}={value}")))
        })
        .next()
        .unwrap_or_else(|| "k8s-app=kube-dns".to_owned())
}

/// The ConfigMap that the DNS pods mount; else the one with a Corefile in the DNS namespace; else a lone Corefile.
fn corefile(cluster: &Cluster, dns: &Dns, namespace: &str) -> Option<ConfiguredCorefile> {
    let mounted: Vec<&str> = dns
        .pods
        .iter()
        .filter_map(|index| cluster.pods.get(*index))
        .flat_map(|pod| pod.sights.iter().flat_map(|sight| &sight.config_volumes))
        .map(|volume| volume.value.name.as_str())
        .collect();
    let with_corefile = |map: &&super::ConfigMap| {
        let near = map.namespace.is_none() || map.namespace.as_deref() == Some(namespace);
        near && !map.name.contains("node-local") && map.sights.iter().any(|sight| sight.get("Corefile").is_some())
    };
    let maps: Vec<&super::ConfigMap> = cluster.config_maps.iter().filter(with_corefile).collect();
    let usual = ["coredns", "dns-default", "rke2-coredns-rke2-coredns"];
    let chosen = maps
        .iter()
        .find(|map| mounted.contains(&map.name.as_str()))
        .or_else(|| maps.iter().find(|map| usual.contains(&map.name.as_str())))
        .or_else(|| maps.first());
    if let Some(map) = chosen {
        let text = map.sights.iter().find_map(|sight| sight.get("Corefile"))?.clone();
        return Some(ConfiguredCorefile::new(text, Some(map.subject("configmap"))));
    }
    cluster.corefiles.first().map(|text| ConfiguredCorefile::new(text.clone(), None))
}

fn imports(cluster: &Cluster, namespace: &str) -> Vec<(String, TextBlock)> {
    let custom = |map: &&super::ConfigMap| {
        map.name.contains("coredns-custom") && map.namespace.as_deref().is_none_or(|name| name == namespace)
    };
    let keys = cluster.config_maps.iter().filter(custom).filter_map(|map| map.sights.first()).flat_map(|s| &s.data);
    keys.map(|(key, text)| (key.clone(), text.clone())).collect()
}

/// The start line of the newest log wins over metrics, and metrics over the image tag.
fn version(cluster: &Cluster, dns: &Dns) -> Option<Seen<String>> {
    let stripped = |text: &str| crate::knowledge::version::Tagged::parse(text).map(|tagged| tagged.version.to_string());
    let banner = |log: &Log| {
        let sample = log.tally(crate::knowledge::messages::Signal::Banner)?.samples.last()?;
        Some(Seen::new(stripped(sample.field("version"))?, sample.quote.clone()))
    };
    let of_coredns = |log: &&Log| log.owner.program == Program::CoreDns;
    let logs = || cluster.logs.iter().filter(of_coredns);
    logs()
        .filter(|log| !log.owner.previous)
        .find_map(banner)
        .or_else(|| logs().find_map(banner))
        .or_else(|| {
            let said = cluster.metrics.iter().find_map(|metrics| metrics.version.as_ref())?;
            Some(Seen::new(stripped(&said.value)?, said.quote.clone()))
        })
        .or_else(|| {
            let pods = dns.pods.iter().filter_map(|index| cluster.pods.get(*index)?.main()?.image());
            let template = dns.workload.and_then(|index| cluster.workloads.get(index));
            let template = template.into_iter().flat_map(|w| w.containers()).filter_map(|c| c.image.as_ref());
            pods.chain(template).find_map(|image| Some(Seen::new(stripped(&image.value)?, image.quote.clone())))
        })
}

impl Cluster {
    /// The pods that serve DNS.
    pub fn dns_pods(&self) -> impl Iterator<Item = &Pod> {
        self.dns.pods.iter().filter_map(|index| self.pods.get(*index))
    }

    /// The NodeLocal DNSCache pods.
    pub fn node_cache_pods(&self) -> impl Iterator<Item = &Pod> {
        self.dns.node_cache_pods.iter().filter_map(|index| self.pods.get(*index))
    }

    /// The Services in front of the DNS pods.
    pub fn dns_services(&self) -> impl Iterator<Item = &Service> {
        self.dns.services.iter().filter_map(|index| self.services.get(*index))
    }

    /// The DNS Deployment or DaemonSet.
    pub fn dns_workload(&self) -> Option<&super::Workload> {
        self.dns.workload.and_then(|index| self.workloads.get(index))
    }

    /// CoreDNS's logs, not those of NodeLocal DNSCache. A log whose pod is known to be no DNS pod is left out.
    pub fn dns_logs(&self) -> impl Iterator<Item = &Log> {
        self.logs.iter().filter(|log| log.owner.program == Program::CoreDns && self.is_dns_log(log))
    }

    fn is_dns_log(&self, log: &Log) -> bool {
        let Some(name) = log.owner.pod.as_deref() else { return true };
        self.pod(log.owner.namespace.as_deref(), name).is_none_or(|pod| self.dns_pods().any(|dns| dns.name == pod.name))
    }

    /// Events about a DNS pod or the DNS workload.
    pub fn dns_events(&self) -> impl Iterator<Item = &crate::evidence::facts::Event> {
        self.dns.events.iter().filter_map(|index| self.events.get(*index))
    }

    /// Whether an event's object is a DNS pod or belongs to the DNS workload.
    pub fn is_dns_object(&self, kind: &str, name: &str) -> bool {
        match kind {
            "Pod" => {
                let listed = self.pods_named(name);
                if listed.is_empty() {
                    serves_dns(name, None, &[])
                } else {
                    listed.iter().any(|index| self.dns.pods.binary_search(index).is_ok())
                }
            }
            "Deployment" | "ReplicaSet" | "DaemonSet" => serves_dns(name, None, &[]),
            _ => false,
        }
    }
}
