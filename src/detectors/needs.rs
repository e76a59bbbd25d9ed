//! Evidence that detectors ask for, and the command that collects each.

use crate::cluster::Cluster;
use crate::evidence::facts::Rank;
use crate::report::Missing;

/// A piece of evidence that a bundle should hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// The DNS pods as a table.
    Pods,
    /// The DNS pods as objects.
    PodObjects,
    /// The DNS pods described.
    Describe,
    /// All events.
    Events,
    /// Logs of the running containers.
    Logs,
    /// Logs of the runs before.
    PreviousLogs,
    /// The ConfigMaps of the DNS namespace.
    Corefile,
    /// The DNS workload.
    Workload,
    /// Service, Endpoints and slices.
    Endpoints,
    /// All nodes.
    Nodes,
    /// Metrics of every DNS pod.
    Metrics,
    /// Memory and CPU as the cluster measures them.
    Usage,
    /// The kernel's log on the nodes under DNS pods.
    Kernel,
    /// resolv.conf files and kubelet settings on the nodes under DNS pods.
    NodeResolver,
    /// Who listens on the node.
    Listeners,
    /// Roles, bindings.
    Roles,
    /// How many objects there are.
    Counts,
    /// A lookup from a pod.
    Lookup,
    /// CNI pods and plugins.
    Network,
    /// The image's platforms.
    Platforms,
}

/// The missing pieces with their commands, for this cluster's names.
pub fn missing(cluster: &Cluster, needs: &[Need]) -> Vec<Missing> {
    needs.iter().map(|need| one(cluster, *need)).collect()
}

/// What a complete bundle would hold besides, with the commands that collect it.
pub fn incomplete(cluster: &Cluster) -> Vec<Missing> {
    let restarted = || cluster.dns_pods().any(|pod| pod.restarts().is_some_and(|seen| seen.value > 0));
    let has_log = |previous: bool| cluster.dns_logs().any(|log| log.owner.previous == previous);
    let described = || cluster.dns_pods().any(|pod| pod.sights.iter().any(|sight| sight.rank > Rank::Table));
    let wanted = [
        (Need::Pods, cluster.dns.pods.is_empty()),
        (Need::Describe, !described()),
        (Need::Logs, !has_log(false)),
        (Need::PreviousLogs, !has_log(true) && (restarted() || cluster.dns.pods.is_empty())),
        (Need::Events, cluster.events.is_empty()),
        (Need::Corefile, cluster.dns.corefile.is_none()),
        (Need::Workload, cluster.dns.workload.is_none()),
        (Need::Endpoints, cluster.dns.services.is_empty() || cluster.endpoints.is_empty()),
        (Need::Nodes, cluster.nodes.is_empty()),
        (Need::Metrics, cluster.metrics.is_empty()),
        (Need::Usage, cluster.usages.is_empty()),
        (Need::NodeResolver, cluster.resolv_confs.is_empty()),
        (Need::Counts, cluster.counts.is_empty()),
        (Need::Lookup, cluster.lookups.is_empty()),
    ];
    wanted.into_iter().filter(|(_, is_missing)| *is_missing).map(|(need, _)| one(cluster, need)).collect()
}

fn one(cluster: &Cluster, need: Need) -> Missing {
    let (ns, label) = (cluster.dns.namespace.as_str(), cluster.dns.selector.as_str());
    let (workload, container) = (cluster.dns.workload_reference.as_str(), cluster.dns.container.as_str());
    let (what, command) = match need {
        Need::Pods => ("the DNS pods", format!("kubectl get pods -n {ns} -l {label} -o wide")),
        Need::PodObjects => ("the DNS pods as objects", format!("kubectl get pods -n {ns} -l {label} -o yaml")),
        Need::Describe => ("the DNS pods described", format!("kubectl describe pod -n {ns} -l {label}")),
        Need::Events => ("the events (they live one hour)", "kubectl get events -A --sort-by=.lastTimestamp -o wide".into()),
        Need::Logs => (
            "the logs of the running DNS containers",
            format!("for p in $(kubectl get pods -n {ns} -l {label} -o name); do kubectl logs -n {ns} $p -c {container} --timestamps; done"),
        ),
        Need::PreviousLogs => (
            "the logs of the DNS containers' previous runs",
            format!("for p in $(kubectl get pods -n {ns} -l {label} -o name); do kubectl logs -n {ns} $p -c {container} --previous --timestamps; done"),
        ),
        Need::Corefile => ("the ConfigMaps of the DNS namespace", format!("kubectl get configmap -n {ns} -o yaml")),
        Need::Workload => ("the DNS workload", format!("kubectl get {workload} -n {ns} -o yaml")),
        Need::Endpoints => {
            ("the DNS Service and its endpoints", format!("kubectl get svc,endpoints,endpointslices -n {ns} -o yaml"))
        }
        Need::Nodes => ("the nodes", "kubectl get nodes -o yaml".into()),
        Need::Metrics => (
            "the metrics of every DNS pod, twice, some minutes apart",
            format!("for p in $(kubectl get pods -n {ns} -l {label} -o jsonpath='{{.items[*].metadata.name}}'); do kubectl get --raw /api/v1/namespaces/{ns}/pods/$p:9153/proxy/metrics > $p.metrics.txt; done"),
        ),
        Need::Usage => ("memory and CPU in use", format!("kubectl top pod -n {ns} -l {label} --containers")),
        Need::Kernel => ("the kernel log of the nodes under DNS pods", "dmesg -T   # on each of those nodes".into()),
        Need::NodeResolver => (
            "the resolver files of the nodes under DNS pods",
            "cat /etc/resolv.conf /run/systemd/resolve/resolv.conf; grep -i resolvconf /var/lib/kubelet/config.yaml   # on the node".into(),
        ),
        Need::Listeners => ("who listens on the node", "ss -lunpt   # on the node".into()),
        Need::Roles => (
            "the roles of the DNS ServiceAccount",
            "kubectl get clusterrole,clusterrolebinding -o yaml".into(),
        ),
        Need::Counts => (
            "how many Services, endpoint addresses and pods there are",
            "kubectl get svc,endpointslices,pods -A -o json > objects.json".into(),
        ),
        Need::Lookup => (
            "a lookup from a pod",
            "kubectl run dns-test --image=busybox:1.28 --restart=Never --rm -it -- nslookup kubernetes.default.svc.cluster.local".into(),
        ),
        Need::Network => (
            "the network plugin on that node",
            "kubectl get pods -A -o wide; ls /opt/cni/bin /etc/cni/net.d   # the second on the node".into(),
        ),
        Need::Platforms => (
            "the node's architecture and the image's platforms",
            "kubectl get nodes -o custom-columns=NAME:.metadata.name,ARCH:.status.nodeInfo.architecture".into(),
        ),
    };
    Missing { what: what.to_owned(), command }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_cluster_misses_everything() {
        let missing = incomplete(&Cluster::default());
        assert_eq!(missing.len(), 14);
        assert!(missing.iter().any(|one| one.command.contains("--previous")));
    }

    #[test]
    fn commands_name_this_cluster() {
        let mut cluster = Cluster::default();
        cluster.dns.namespace = "openshift-dns".into();
        cluster.dns.selector = "dns.operator.openshift.io/daemonset-dns=default".into();
        let missing = missing(&cluster, &[Need::Pods]);
        assert!(missing[0].command.contains("-n openshift-dns -l dns.operator.openshift.io/daemonset-dns=default"));
    }
}
