//! # The nodes under DNS pods are not ready
//!
//! ## What it is
//! A node that carries DNS does not report any more, or reports that it cannot run pods. After some 40 seconds its pods are
//! taken out of the Service; after five minutes they are replaced, where another node can take them.
//!
//! ## How it is recognised
//! By the node's Ready condition at False or Unknown, its `NotReady` cell, or the event `Node is not ready` of a DNS pod. The
//! pod's row can still say 1/1 Running while its Ready condition is False.
//!
//! ## What it is not
//! `dial tcp …:10250: connect: connection refused` in a collected log is a gap in the collection. A cordoned node is ready. A
//! node that is ready and passes no packets is `node-network-partition`. Nodes without DNS pods do not count.
//!
//! ## Fix
//! Bring DNS up on ready nodes first, then repair kubelet, runtime or CNI on the lost one.
//!
//! ## Prevent
//! Spread DNS over nodes and zones; shorten the tolerationSeconds for not-ready and unreachable on DNS pods.

use super::starting::{FEW, before, counted, is_ready, is_unready, subject};
use super::{Assessment, Class, Failure, Need, causes, causes_when, missing};
use crate::cluster::{Cluster, Node, Pod};
use crate::evidence::facts::Event;
use crate::report::{Confidence, Hop, Severity};
use crate::source::Quote;

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "node-not-ready",
    title: "The nodes under DNS pods are not ready",
    hop: Some(Hop::Server),
    severity: Severity::High,
    class: Class::Cause,
    causes: &[
        causes("readiness-failing"),
        causes("service-no-endpoints"),
        causes("unschedulable"),
        causes("nodelocal-down"),
        // Five minutes later the pods are removed from it.
        causes_when("evicted", |cluster| cluster.dns_events_of(&["TaintManagerEviction"]).next().is_some()),
    ],
    examine,
    source: include_str!("node_not_ready.rs"),
};

/// A heartbeat is renewed every five minutes; one this much older than another node's has stopped, in seconds.
const STALE: i64 = 600;

fn examine(cluster: &Cluster) -> Assessment {
    let down: Vec<(&Node, &Quote)> = cluster
        .nodes
        .iter()
        .filter(|node| carries(cluster, node))
        .filter_map(|node| Some((node, not_ready(node)?)))
        .collect();
    if let Some((_, first)) = down.first() {
        return with_fixes(lost(cluster, first, &down), cluster);
    }
    let events: Vec<&Event> = cluster.dns_events_of(&["NodeNotReady"]).collect();
    let healed = cluster.dns_all_ready() == Some(true);
    let standing: Vec<&Event> = events.iter().copied().filter(|event| !kubelet_is_back(cluster, event)).collect();
    if let (Some(event), false) = (standing.first(), healed) {
        return with_fixes(told(cluster, event, &standing), cluster);
    }
    if let Some(found) = stale(cluster) {
        return with_fixes(found, cluster);
    }
    not_found(cluster, &events)
}

/// The kubelet did something with the pod after its node was called not ready, so it is back.
fn kubelet_is_back(cluster: &Cluster, lost: &Event) -> bool {
    cluster
        .dns_events()
        .any(|event| event.object == lost.object && event.component.contains("kubelet") && before(cluster, lost, event))
}

/// A DNS pod is on the node, or a wanted one waits for any node.
fn carries(cluster: &Cluster, node: &Node) -> bool {
    let mut pods = cluster.dns_pods().filter(|pod| !pod.gone() && pod.is("Evicted").is_none()).peekable();
    let none_ready = cluster.nodes.iter().all(|node| not_ready(node).is_some());
    if pods.peek().is_none() {
        // No pod is shown, but DNS is wanted: it counts where no node could carry it.
        return none_ready && (cluster.dns_workload().is_some() || cluster.dns_events().next().is_some());
    }
    pods.any(|pod| match pod.node() {
        Some(name) => name.value == node.name,
        None => none_ready && pod.is("Pending").is_some(),
    })
}

/// Where it says that the node is not ready.
fn not_ready(node: &Node) -> Option<&Quote> {
    if let Some(seen) = node.ready() {
        return (!seen.value).then_some(&seen.quote);
    }
    let cell = node.best(|sight| sight.status_cell.as_ref())?;
    cell.value.starts_with("NotReady").then_some(&cell.quote)
}

/// Nodes that say themselves that they are not ready.
fn lost(cluster: &Cluster, first: &Quote, down: &[(&Node, &Quote)]) -> Assessment {
    let names: Vec<&str> = down.iter().map(|(node, _)| node.name.as_str()).collect();
    let on = |pod: &&Pod| pod.node().is_some_and(|node| names.contains(&node.value.as_str()));
    let pods: Vec<&Pod> = cluster.dns_pods().filter(|pod| !pod.gone()).filter(on).collect();
    let left = cluster.dns_pods().filter(|pod| !pod.gone() && !on(pod) && is_ready(pod)).count();
    let message = down.iter().find_map(|(node, _)| node.condition("Ready")?.message.as_deref());
    let why = message.map_or(String::new(), |text| format!(" ({})", super::starting::clause(text)));
    let list = names.iter().take(FEW).copied().collect::<Vec<_>>().join(", ");
    let verb = if names.len() == 1 { "is" } else { "are" };
    let here = if pods.is_empty() {
        "DNS pods wait for a node".to_owned()
    } else {
        format!("carrying {}", counted(pods.len(), "DNS pod"))
    };
    let rest = match left {
        0 => "no DNS pod elsewhere is ready".to_owned(),
        _ => format!("ready elsewhere: {}", counted(left, "DNS pod")),
    };
    let summary = format!("{list} ({here}) {verb} not ready{why}; {rest}.");
    let mut found = Assessment::found(Confidence::Confirmed, summary, first, "the node's own condition")
        .severity(if left == 0 { Severity::Critical } else { Severity::High })
        .since(down.iter().filter_map(|(node, _)| node.condition("Ready")?.since).min());
    for (node, quote) in down.iter().take(FEW) {
        found = found.proof(quote, "the node is not ready").about(format!("node/{}", node.name));
        let condition = node.condition("Ready").and_then(|condition| condition.message_quote.as_ref());
        found = found.proofs(condition, "why, in the node's words");
    }
    for pod in pods.iter().take(FEW) {
        found = found.proofs(pod.node().map(|seen| &seen.quote), "a DNS pod on it").about(pod.reference());
        found = found.proofs(pod.ready().filter(|seen| !seen.value).map(|seen| &seen.quote), "the pod is not ready");
    }
    let events = cluster.events.iter().filter(|event| {
        event.reason == "NodeNotReady"
            && (names.contains(&event.object.as_str()) || cluster.is_dns_object(&event.object_kind, &event.object))
    });
    found.proofs(events.take(FEW).map(|event| &event.quote), "the node controller says so")
}

/// Only events tell it: the nodes are not in the bundle, or are ready again while the pods are not.
fn told(cluster: &Cluster, event: &Event, events: &[&Event]) -> Assessment {
    let node = cluster.pod(event.namespace.as_deref(), &event.object).and_then(|pod| pod.node());
    let name = node.map_or_else(|| "the node".to_owned(), |seen| format!("the node {}", seen.value));
    let again = node.and_then(|seen| cluster.node(&seen.value)?.ready()).filter(|seen| seen.value);
    let when = if again.is_some() { "was not ready for a time" } else { "is not ready" };
    let summary = format!("For {} the node controller says that {name} under it {when}.", event.object);
    let mut found = Assessment::found(Confidence::Confirmed, summary, &event.quote, "the node controller's own words")
        .past(again.is_some())
        .since(super::starting::since(cluster, events));
    for event in events.iter().take(FEW) {
        found = found.proof(&event.quote, "the node controller says so").about(subject(cluster, event));
    }
    for pod in cluster.dns_pods().filter(|pod| !pod.gone() && is_unready(pod)).take(FEW) {
        found = found.proofs(pod.ready().map(|seen| &seen.quote), "the pod is not ready");
    }
    if let Some(seen) = again {
        found = found.against(&seen.quote, "the node is ready again");
    }
    found.wants(missing(cluster, &[Need::Nodes]))
}

/// A node under DNS whose heartbeat stands still while others go on.
fn stale(cluster: &Cluster) -> Option<Assessment> {
    let beat = |node: &Node| node.condition("Ready")?.heartbeat;
    let newest = cluster.nodes.iter().filter_map(beat).max()?;
    let late = |node: &&Node| beat(node).is_some_and(|beat| crate::time::seconds_between(beat, newest) > STALE);
    let node = cluster.nodes.iter().filter(|node| carries(cluster, node)).find(late)?;
    let condition = node.condition("Ready")?;
    let minutes = crate::time::seconds_between(beat(node)?, newest) / 60;
    let summary =
        format!("The last report of {}, which carries DNS, is {minutes} minutes older than another node's.", node.name);
    Some(Assessment::suspected(summary, &condition.quote, "an old heartbeat").about(format!("node/{}", node.name)))
}

fn not_found(cluster: &Cluster, events: &[&Event]) -> Assessment {
    let under: Vec<&Node> = cluster.nodes.iter().filter(|node| carries(cluster, node)).collect();
    let ready = under.iter().filter_map(|node| node.ready()).filter(|seen| seen.value).map(|seen| &seen.quote).next();
    if let Some(quote) = ready {
        let summary = format!("{} under DNS pods looked at: all are ready.", counted(under.len(), "node"));
        return with_old(Assessment::ruled_out(summary).against(quote, "the node is ready"), events);
    }
    if cluster.dns_all_ready() == Some(true) {
        let summary = format!(
            "All {} are ready, so the nodes under them report.",
            counted(cluster.dns_pods().count(), "DNS pod")
        );
        return with_old(Assessment::ruled_out(summary), events);
    }
    if !events.is_empty() && events.iter().all(|event| kubelet_is_back(cluster, event)) {
        return with_old(
            Assessment::ruled_out("The nodes' kubelets worked on the DNS pods again after the node was lost."),
            events,
        );
    }
    Assessment::not_checked(
        "The nodes under the DNS pods are not in the bundle.",
        missing(cluster, &[Need::Nodes, Need::Pods]),
    )
}

fn with_old(answer: Assessment, events: &[&Event]) -> Assessment {
    events.iter().take(2).fold(answer, |answer, event| answer.against(&event.quote, "over"))
}

fn with_fixes(found: Assessment, cluster: &Cluster) -> Assessment {
    let (namespace, selector, workload) =
        (&cluster.dns.namespace, &cluster.dns.selector, &cluster.dns.workload_reference);
    found
        .command(
            "Bring DNS up on ready nodes",
            format!("kubectl get nodes\nkubectl -n {namespace} delete pod -l {selector} --field-selector=spec.nodeName=<node>\nkubectl -n {namespace} rollout status {workload}"),
            "a pod of a lost node stays Terminating until the node answers; its replacement starts at once",
        )
        .command(
            "Repair the node",
            "systemctl status kubelet containerd; journalctl -u kubelet --since -30min | tail -100; df -h   # on the node".to_owned(),
            "reads only",
        )
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::report::Status;

    #[test]
    fn a_node_under_dns_counts_and_another_does_not() {
        let facts = |ready_node: bool| {
            vec![
                fact(node("n1", ready_node, "Kubelet stopped posting node status.")),
                fact(node("n2", false, "")),
                fact(unready(on_node(pod("coredns-a"), "n1"))),
            ]
        };
        let answer = examine(&cluster(facts(false)));
        assert_eq!(answer.confidence, Some(Confidence::Confirmed));
        assert_eq!(answer.severity, Some(Severity::Critical));
        assert!(answer.summary.contains("n1") && !answer.summary.contains("n2"), "{}", answer.summary);
        assert_eq!(examine(&cluster(facts(true))).status, Status::RuledOut);
    }

    #[test]
    fn one_of_two_is_less_grave() {
        let facts = vec![
            fact(node("n1", false, "")),
            fact(node("n2", true, "")),
            fact(unready(on_node(pod("coredns-a"), "n1"))),
            fact(ready(on_node(pod("coredns-b"), "n2"))),
        ];
        assert_eq!(examine(&cluster(facts)).severity, Some(Severity::High));
    }

    #[test]
    fn pods_that_wait_for_the_only_nodes() {
        let facts = vec![fact(node("n1", false, "")), fact(pod_row("coredns-a", false, "Pending", 0, None))];
        assert_eq!(examine(&cluster(facts)).status, Status::Found);
    }

    #[test]
    fn what_is_over_is_no_fault() {
        let event = || event("NodeNotReady", "coredns-a", "Node is not ready");
        let healed = vec![fact(event()), fact(node("n1", true, "")), fact(ready(on_node(pod("coredns-a"), "n1")))];
        assert_eq!(examine(&cluster(healed)).status, Status::RuledOut);
        let halfway = vec![fact(event()), fact(node("n1", true, "")), fact(unready(on_node(pod("coredns-a"), "n1")))];
        let answer = examine(&cluster(halfway));
        assert!(answer.past && answer.status == Status::Found);
        assert_eq!(examine(&cluster(vec![fact(event())])).status, Status::Found);
        assert!(!examine(&cluster(Vec::new())).missing.is_empty());
    }

    #[test]
    fn a_heartbeat_that_stands_still() {
        let at = |text: &str| Some(text.parse().unwrap());
        let (mut old, mut new) = (node("n1", true, ""), node("n2", true, ""));
        old.conditions[0].heartbeat = at("2026-03-01T10:00:00Z");
        new.conditions[0].heartbeat = at("2026-03-01T10:30:00Z");
        let facts = vec![fact(old), fact(new), fact(on_node(pod("coredns-a"), "n1"))];
        let answer = examine(&cluster(facts));
        assert_eq!(answer.status, Status::Suspected);
        assert!(answer.summary.contains("30 minutes"));
    }
}
