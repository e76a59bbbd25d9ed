//! # The pod was evicted or preempted
//!
//! ## What it is
//! The kubelet ended a DNS pod because its node ran short of memory, disk or process ids; or the scheduler removed it for a
//! pod of higher priority; or it was removed from a node that was lost.
//!
//! ## How it is recognised
//! By `status.reason: Evicted` and its message, by the events Evicted, Preempting, Preempted or TaintManagerEviction. The
//! STATUS cell can read `Error` with exit 137.
//!
//! ## What it is not
//! A drain (`Stopping container`) is `no-pdb`. A kill at the container's own memory limit is `oom-killed`. The kubelet spares
//! pods of system-cluster-critical, so an evicted DNS pod tells that the class is missing.
//!
//! ## Fix
//! Free the resource that the message names, and give DNS `priorityClassName: system-cluster-critical`.
//!
//! ## Prevent
//! Requests that match use, log rotation, and an alert on MemoryPressure and DiskPressure of nodes that carry DNS.

use super::starting::{FEW, between, clause, counted, is_ready, otherwise, since, subject};
use super::{Assessment, Class, Failure, Need, causes, causes_when};
use crate::cluster::{Cluster, Pod};
use crate::evidence::facts::{Event, Rank};
use crate::report::{Confidence, Hop, Severity};

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "evicted",
    title: "The pod was evicted or preempted",
    hop: Some(Hop::Server),
    severity: Severity::High,
    class: Class::Cause,
    causes: &[causes("service-no-endpoints"), causes_when("unschedulable", taint_of_pressure)],
    examine,
    source: include_str!("evicted.rs"),
};

/// The replacement waits because of the very pressure that evicted its predecessor.
fn taint_of_pressure(cluster: &Cluster) -> bool {
    let taints =
        ["node.kubernetes.io/disk-pressure", "node.kubernetes.io/memory-pressure", "node.kubernetes.io/pid-pressure"];
    let said = |text: &str| taints.iter().any(|taint| text.contains(taint));
    let conditions = cluster.dns_pods().filter_map(|pod| pod.condition("PodScheduled")?.message.as_deref());
    cluster.dns_events_of(&["FailedScheduling"]).map(|event| event.message.as_str()).chain(conditions).any(said)
}

/// Pressure as a node's condition says it.
const PRESSURES: [&str; 3] = ["MemoryPressure", "DiskPressure", "PIDPressure"];
/// What the kubelet tells about pressure on its node.
const NODE_REASONS: [&str; 7] = [
    "EvictionThresholdMet",
    "NodeHasDiskPressure",
    "NodeHasInsufficientMemory",
    "NodeHasInsufficientPID",
    "FreeDiskSpaceFailed",
    "ImageGCFailed",
    "SystemOOM",
];
const CLASS: &str = "system-cluster-critical";

/// Evicted, and its object still there.
fn is_evicted(pod: &Pod) -> bool {
    pod.is("Evicted").is_some()
        || pod
            .sights
            .iter()
            .any(|sight| sight.message.as_ref().is_some_and(|seen| seen.value.contains("low on resource")))
}

fn examine(cluster: &Cluster) -> Assessment {
    let evicted: Vec<&Pod> = cluster.dns_pods().filter(|pod| is_evicted(pod)).collect();
    let rest: Vec<&Pod> = cluster.dns_pods().filter(|pod| !is_evicted(pod) && !pod.gone()).collect();
    let healed = !rest.is_empty() && rest.iter().all(|pod| is_ready(pod));
    let events: Vec<&Event> = cluster
        .dns_events()
        .filter(|event| match event.reason.as_str() {
            "Evicted" | "Preempting" | "Preempted" => true,
            // The pods came back: the node's trouble is over.
            "TaintManagerEviction" => event.message.starts_with("Marking for deletion") && !healed,
            _ => false,
        })
        .collect();
    let first = events.first().map(|event| &event.quote).or_else(|| evicted.first().and_then(|pod| quote(pod)));
    let Some(first) = first else { return not_found(cluster) };
    let mut found =
        Assessment::found(Confidence::Confirmed, summary(cluster, &evicted, &events), first, "the evictor's own words")
            .past(healed)
            .since(since(cluster, &events).or_else(|| evicted.iter().filter_map(|pod| ended(pod)).min()));
    for pod in evicted.iter().take(FEW) {
        let message = pod.best(|sight| sight.message.as_ref()).map(|seen| &seen.quote);
        found = found.proofs(message.into_iter().chain(quote(pod)), "the pod's own status").about(pod.reference());
    }
    for event in events.iter().take(FEW) {
        found = found.proof(&event.quote, "the event").about(subject(cluster, event));
    }
    with_fixes(with_class(with_nodes(found, cluster), cluster), cluster, &resource(&evicted, &events))
}

fn quote(pod: &Pod) -> Option<&crate::source::Quote> {
    pod.is("Evicted").or_else(|| pod.best(|sight| sight.message.as_ref()).map(|seen| &seen.quote))
}

fn ended(pod: &Pod) -> Option<jiff::Timestamp> {
    pod.main()?.deaths().iter().filter_map(|state| state.finished.as_ref().map(|seen| seen.value)).min()
}

/// The resource that the kubelet's message names; empty where none.
fn resource(evicted: &[&Pod], events: &[&Event]) -> String {
    let messages = evicted.iter().filter_map(|pod| pod.best(|sight| sight.message.as_ref()));
    let texts = messages.map(|seen| seen.value.as_str()).chain(events.iter().map(|event| event.message.as_str()));
    let named = |text: &str| between(&format!("{text}."), "low on resource: ", ".").map(str::to_owned);
    texts.filter_map(named).next().unwrap_or_default()
}

fn summary(cluster: &Cluster, evicted: &[&Pod], events: &[&Event]) -> String {
    let names: std::collections::BTreeSet<&str> =
        evicted.iter().map(|pod| pod.name.as_str()).chain(events.iter().map(|event| event.object.as_str())).collect();
    let nodes: std::collections::BTreeSet<&str> =
        evicted.iter().filter_map(|pod| pod.node()).map(|node| node.value.as_str()).collect();
    let place = match nodes.len() {
        0 => String::new(),
        _ => format!(" on {}", nodes.into_iter().take(FEW).collect::<Vec<_>>().join(", ")),
    };
    let who = counted(names.len(), "DNS pod");
    let list = names.into_iter().take(FEW).collect::<Vec<_>>().join(", ");
    let resource = resource(evicted, events);
    let has = |reason: &str| events.iter().any(|event| event.reason == reason);
    if !resource.is_empty() {
        let class = if lacks_class(cluster) { "; the pods have no critical priority class" } else { "" };
        return format!("The kubelet evicted {who} ({list}){place} because the node was low on {resource}{class}.");
    }
    if has("Preempting") || has("Preempted") {
        return format!("{who} ({list}) had to make room for a pod of higher priority.");
    }
    if has("TaintManagerEviction") && evicted.is_empty() {
        return format!("{who} ({list}) was removed from a node that does not accept it any more.");
    }
    let message = evicted.iter().filter_map(|pod| pod.best(|sight| sight.message.as_ref())).next();
    let why = message.map_or(String::new(), |seen| format!(": {}", clause(&seen.value)));
    format!("{who} ({list}) was evicted{place}{why}.")
}

/// An object in the bundle shows the DNS pods without the class that the kubelet spares.
fn lacks_class(cluster: &Cluster) -> bool {
    let spared = |class: &str| class == CLASS || class == "system-node-critical";
    let pods = cluster.dns_pods().flat_map(|pod| &pod.sights).filter(|sight| sight.rank == Rank::Object);
    let workload = cluster.dns_workload().into_iter().flat_map(|w| &w.sights).filter(|s| s.rank == Rank::Object);
    let classes: Vec<Option<&str>> = pods
        .map(|sight| sight.priority_class.as_ref())
        .chain(workload.map(|sight| sight.priority_class.as_ref()))
        .map(|seen| seen.map(|seen| seen.value.as_str()))
        .collect();
    !classes.is_empty() && !classes.iter().flatten().any(|class| spared(class))
}

/// Pressure on nodes, as they say it.
fn with_nodes(mut found: Assessment, cluster: &Cluster) -> Assessment {
    for node in &cluster.nodes {
        for condition in PRESSURES.iter().filter_map(|kind| node.condition(kind)).filter(|c| c.status == "True") {
            found = found.proof(&condition.quote, "pressure on the node").about(format!("node/{}", node.name));
        }
    }
    let told = cluster.events.iter().filter(|event| NODE_REASONS.contains(&event.reason.as_str())).take(FEW);
    found.proofs(told.map(|event| &event.quote), "pressure on the node")
}

fn with_class(found: Assessment, cluster: &Cluster) -> Assessment {
    let class = cluster
        .dns_pods()
        .find_map(|pod| pod.best(|sight| sight.priority_class.as_ref()))
        .or_else(|| cluster.dns_workload()?.best(|sight| sight.priority_class.as_ref()));
    found.proofs(class.map(|seen| &seen.quote), "the priority class of the DNS pods")
}

fn with_fixes(found: Assessment, cluster: &Cluster, resource: &str) -> Assessment {
    let (namespace, workload) = (&cluster.dns.namespace, &cluster.dns.workload_reference);
    let found = if resource.contains("storage") || resource.contains("disk") || resource.contains("inodes") {
        found.command(
            "Free disk on the node",
            "df -h; df -i; du -xsh /var/log/* /var/lib/containerd /var/lib/kubelet/pods/* | sort -h | tail   # on the node\ncrictl rmi --prune   # images that nothing uses\njournalctl --vacuum-size=500M".to_owned(),
            "look before you delete: `df -i` tells whether it is space or inodes",
        )
    } else if resource.contains("memory") {
        found.command(
            "Free memory on the node",
            "kubectl top pod -A --sort-by=memory | head -20\nkubectl describe node <node> | sed -n '/Allocated/,$p'"
                .to_owned(),
            "reads only; then give the largest user a limit or move it",
        )
    } else {
        found.manual(
            "Free what the node was short of",
            "The message or the node's conditions name it: memory, disk (ephemeral-storage, inodes) or process ids.",
        )
    };
    found.command(
        "Give DNS the class that is spared",
        format!("kubectl -n {namespace} patch {workload} -p '{{\"spec\":{{\"template\":{{\"spec\":{{\"priorityClassName\":\"{CLASS}\"}}}}}}}}'"),
        "rolls the workload; read the evicted pods' messages before you delete them",
    )
}

fn not_found(cluster: &Cluster) -> Assessment {
    otherwise(cluster, |_| true, "none of them was evicted", "an eviction", &[Need::PodObjects, Need::Events])
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::report::Status;

    fn evicted(name: &str, message: &str) -> crate::evidence::facts::Pod {
        let mut pod = unready(on_node(pod(name), "n1"));
        pod.phase = Some(seen("Failed".into(), "phase: Failed"));
        pod.reason = Some(seen("Evicted".into(), "reason: Evicted"));
        pod.message = Some(seen(message.into(), &format!("message: {message}")));
        pod
    }

    #[test]
    fn the_resource_chooses_the_remedy() {
        for (resource, fix) in [("ephemeral-storage", "disk"), ("memory", "memory"), ("inodes", "disk")] {
            let message =
                format!("The node was low on resource: {resource}. Threshold quantity: 1Gi, available: 2Mi. ");
            let answer = examine(&cluster(vec![fact(evicted("coredns-a", &message))]));
            assert_eq!(answer.confidence, Some(Confidence::Confirmed));
            assert!(answer.summary.contains(resource) && answer.summary.contains("n1"), "{}", answer.summary);
            assert!(answer.fixes[0].title.contains(fix), "{}", answer.fixes[0].title);
            assert!(answer.fixes[1].body.contains(CLASS) && !answer.past);
        }
    }

    #[test]
    fn a_replacement_that_is_ready_makes_it_past() {
        let facts =
            vec![fact(evicted("coredns-a", "The node was low on resource: memory.")), fact(ready(pod("coredns-b")))];
        let answer = examine(&cluster(facts));
        assert!(answer.past && answer.status == Status::Found);
    }

    #[test]
    fn events_alone_tell_it() {
        let text = "The node was low on resource: memory. Container coredns was using 1Gi";
        assert_eq!(examine(&cluster(vec![fact(event("Evicted", "coredns-a", text))])).status, Status::Found);
        assert_eq!(examine(&cluster(vec![fact(event("Evicted", "web-1", text))])).status, Status::NotChecked);
        let taint = event("TaintManagerEviction", "coredns-a", "Marking for deletion Pod kube-system/coredns-a");
        assert!(examine(&cluster(vec![fact(taint.clone())])).holds());
        assert!(!examine(&cluster(vec![fact(taint), fact(ready(pod("coredns-b")))])).holds());
    }
}
