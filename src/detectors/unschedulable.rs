//! # No node accepts the pod
//!
//! ## What it is
//! The scheduler finds no node for a DNS pod: a taint, too little CPU or memory, a required anti-affinity, a selector, or no
//! node at all.
//!
//! ## How it is recognised
//! By `Pending` without a node and the scheduler's `0/N nodes are available: …`, as an event or in the pod's PodScheduled
//! condition.
//!
//! ## What it is not
//! An old FailedScheduling of a pod that has a node now is over. Pending with a node is the kubelet's side: image, volume or
//! sandbox. Before the first node is ready it is normal.
//!
//! ## Fix
//! By the reason in the text: a toleration or a compute profile, lower requests or more nodes, a preferred instead of a
//! required anti-affinity, another selector. Do not delete taints wholesale.
//!
//! ## Prevent
//! Give DNS the priority class system-cluster-critical, keep room for one more replica, and no more replicas than nodes where
//! anti-affinity is required.

use super::starting::{FEW, between, clause, created, is_ready, otherwise, since, standing, with_proofs};
use super::{Assessment, Class, Failure, Need, causes, missing};
use crate::cluster::{Cluster, Pod};
use crate::evidence::facts::{Condition, Event};
use crate::report::{Confidence, Hop, Severity};

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "unschedulable",
    title: "No node accepts the pod",
    hop: Some(Hop::Server),
    severity: Severity::Critical,
    class: Class::Cause,
    causes: &[causes("service-no-endpoints")],
    examine,
    source: include_str!("unschedulable.rs"),
};

/// A reason of the scheduler: mark in its text, in words, remedy.
struct Reason {
    mark: &'static str,
    words: &'static str,
    title: &'static str,
    remedy: &'static str,
}

const REASONS: [Reason; 9] = [
    Reason {
        mark: "eks.amazonaws.com/compute-type",
        words: "the nodes take only pods of a Fargate profile",
        title: "Let Fargate take the DNS pods, or tolerate its taint",
        remedy: "Create a Fargate profile that selects the DNS namespace and label, remove the annotation \
                 `eks.amazonaws.com/compute-type: ec2` from the pod template, then restart the roll-out; or add a toleration \
                 for `eks.amazonaws.com/compute-type`; or add a node group.",
    },
    Reason {
        mark: "node.kubernetes.io/not-ready",
        words: "the nodes are not ready",
        title: "Make the nodes ready",
        remedy: "A toleration would not help here: repair the nodes first (kubelet, runtime, CNI), see `node-not-ready`.",
    },
    Reason {
        mark: "taint",
        words: "the pod does not tolerate a taint of the nodes",
        title: "Add the toleration",
        remedy: "Add a toleration for the taint that the text names to the pod template of the DNS workload, or give DNS \
                 nodes without it. Do not delete the taint everywhere.",
    },
    Reason {
        mark: "Insufficient",
        words: "no node has enough free CPU, memory or pod slots",
        title: "Make room",
        remedy: "Add a node, lower the requests of the DNS pods to what they use, or remove other load. With \
                 priorityClassName system-cluster-critical the DNS pods displace others.",
    },
    Reason {
        mark: "Too many pods",
        words: "every node carries its highest number of pods",
        title: "Make room",
        remedy: "Add a node or raise the kubelet's maxPods where the pod network allows it.",
    },
    Reason {
        mark: "anti-affinity",
        words: "a required anti-affinity keeps two DNS pods off one node",
        title: "Prefer instead of require",
        remedy: "Make the anti-affinity preferredDuringSchedulingIgnoredDuringExecution, lower the replicas to the number of \
                 nodes, or add nodes.",
    },
    Reason {
        mark: "affinity/selector",
        words: "no node has the labels that the pod asks for",
        title: "Correct the selector",
        remedy: "Correct nodeSelector or node affinity of the DNS workload, or label the nodes that should carry DNS.",
    },
    Reason {
        mark: "node selector",
        words: "no node has the labels that the pod asks for",
        title: "Correct the selector",
        remedy: "Correct nodeSelector of the DNS workload, or label the nodes that should carry DNS.",
    },
    Reason {
        mark: "unschedulable",
        words: "nodes are cordoned",
        title: "Uncordon nodes",
        remedy: "`kubectl uncordon <node>` for the nodes whose maintenance is over.",
    },
];

fn has_node(pod: &Pod) -> bool {
    pod.node().is_some_and(|seen| !seen.value.is_empty() && seen.value != "<none>") || is_ready(pod) || created(pod)
}

/// The PodScheduled condition, where it says no.
fn refused(pod: &Pod) -> Option<&Condition> {
    pod.condition("PodScheduled").filter(|condition| condition.status == "False")
}

fn examine(cluster: &Cluster) -> Assessment {
    let pending: Vec<&Pod> = cluster
        .dns_pods()
        .filter(|pod| !pod.gone() && !has_node(pod) && (pod.is("Pending").is_some() || refused(pod).is_some()))
        .collect();
    let about = |event: &Event| event.reason == "FailedScheduling";
    let mut events = standing(cluster, about, has_node, &["Scheduled", "Pulled", "Started"]);
    // The scheduler's last word counts.
    events.reverse();
    let conditions: Vec<(&Pod, &Condition)> = pending.iter().filter_map(|pod| Some((*pod, refused(pod)?))).collect();
    let text = events.first().map(|event| (event.message.as_str(), &event.quote)).or_else(|| {
        let (_, condition) = conditions.first()?;
        let quote = condition.message_quote.as_ref().unwrap_or(&condition.quote);
        Some((condition.message.as_deref().unwrap_or(""), quote))
    });
    let Some((text, quote)) = text else { return without_words(cluster, &pending) };
    let names: std::collections::BTreeSet<&str> =
        events.iter().map(|event| event.object.as_str()).chain(pending.iter().map(|pod| pod.name.as_str())).collect();
    let names: Vec<&str> = names.into_iter().take(FEW).collect();
    let summary = format!("No node accepts {}: {}.", names.join(", "), why(text));
    let mut found = Assessment::found(Confidence::Confirmed, summary, quote, "the scheduler's own words")
        .since(since(cluster, &events));
    found = with_proofs(found, cluster, &[], &events);
    for (_, condition) in conditions.iter().take(FEW) {
        found = found
            .proof(condition.message_quote.as_ref().unwrap_or(&condition.quote), "the pod's PodScheduled condition");
    }
    with_fixes(with_pods(found, cluster, &pending), cluster, text)
}

/// The reasons that stand in the scheduler's text, with its numbers.
fn why(text: &str) -> String {
    let reasons = reasons(text);
    let mut words: Vec<&str> = Vec::new();
    for reason in &reasons {
        if !words.contains(&reason.words) {
            words.push(reason.words);
        }
    }
    let said = clause(text.split(" preemption:").next().unwrap_or(text));
    if words.is_empty() { said } else { format!("{} ({said})", words.join("; ")) }
}

/// Rows whose mark stands in the text; a special taint hides the general row.
fn reasons(text: &str) -> Vec<&'static Reason> {
    let mut list: Vec<&Reason> = Vec::new();
    let text = text.split(" preemption:").next().unwrap_or(text);
    let text = text.replace("{node.kubernetes.io/unschedulable", "{cordoned: unschedulable");
    for reason in &REASONS {
        let hidden = reason.mark == "taint" && general_taints(&text) == 0;
        if text.contains(reason.mark) && !hidden {
            list.push(reason);
        }
    }
    list
}

/// How many taints the text names that have no row of their own.
fn general_taints(text: &str) -> usize {
    let own = ["eks.amazonaws.com/compute-type", "node.kubernetes.io/not-ready", "cordoned"];
    let named = text.split('{').skip(1).filter(|taint| !own.iter().any(|own| taint.starts_with(own))).count();
    // "that the pod didn't tolerate" without a name, before 1.18.
    if text.contains('{') { named } else { 1 }
}

/// Pods that wait for a node, and nothing says why.
fn without_words(cluster: &Cluster, pending: &[&Pod]) -> Assessment {
    let Some((pod, quote)) = pending.iter().find_map(|pod| Some((pod, pod.is("Pending")?))) else {
        let passed = "each has a node";
        let needs = [Need::Pods, Need::Describe, Need::Events];
        return otherwise(cluster, has_node, passed, "a pod that no node accepts", &needs);
    };
    let closed = |node: &&crate::cluster::Node| {
        node.ready().is_some_and(|ready| !ready.value) || node.sights.iter().any(|sight| sight.cordoned)
    };
    let all_closed = !cluster.nodes.is_empty() && cluster.nodes.iter().all(|node| closed(&node));
    let summary = if all_closed {
        format!("{} is Pending and none of the {} nodes takes pods now.", pod.name, cluster.nodes.len())
    } else {
        format!("{} is Pending and no node is shown for it; the scheduler's reason is not in the bundle.", pod.name)
    };
    let confidence = if all_closed { Confidence::Likely } else { Confidence::Possible };
    let mut found = Assessment::found(confidence, summary, quote, "Pending");
    for node in cluster.nodes.iter().filter(closed).take(FEW) {
        found = found.proofs(node.ready().map(|seen| &seen.quote), "the node takes no pods");
    }
    with_pods(found, cluster, pending)
        .wants(missing(cluster, &[Need::Events, Need::Describe]))
        .manual("Ask the scheduler", "The Events of `kubectl describe pod` name the reason; follow that.")
}

fn with_pods(mut found: Assessment, cluster: &Cluster, pending: &[&Pod]) -> Assessment {
    for pod in pending.iter().take(FEW) {
        found = found.proofs(pod.is("Pending"), "Pending").about(pod.reference());
    }
    let taints = cluster.nodes.iter().flat_map(|node| node.sights.iter().flat_map(|sight| &sight.taints)).take(FEW);
    found.proofs(taints.map(|taint| &taint.quote), "a taint of a node")
}

fn with_fixes(mut found: Assessment, cluster: &Cluster, text: &str) -> Assessment {
    let (namespace, workload) = (&cluster.dns.namespace, &cluster.dns.workload_reference);
    let taint = |part: &str| {
        let (key, value) = part.split_once(": ").unwrap_or((part, ""));
        let key = key.trim_end_matches(':').to_owned();
        (key, value.to_owned())
    };
    let reasons = reasons(text);
    let tolerable = text.contains("taint") && !text.contains("node.kubernetes.io/");
    if let (true, Some(part)) = (tolerable, between(text, "taint {", "}")) {
        let (key, value) = taint(part);
        let matcher = if value.is_empty() {
            format!("{{\"key\":\"{key}\",\"operator\":\"Exists\"}}")
        } else {
            format!("{{\"key\":\"{key}\",\"operator\":\"Equal\",\"value\":\"{value}\"}}")
        };
        found = found.command(
            &format!("Add a toleration for {key}"),
            format!("kubectl -n {namespace} patch {workload} --type=json -p '[{{\"op\":\"add\",\"path\":\"/spec/template/spec/tolerations/-\",\"value\":{matcher}}}]'\n# if the template has no tolerations yet: \"path\":\"/spec/template/spec/tolerations\",\"value\":[{matcher}]"),
            "the DNS pods may then run on those nodes; rolls the workload",
        );
    }
    for reason in reasons {
        found = found.manual(reason.title, reason.remedy);
    }
    if found.fixes.is_empty() {
        found =
            found.manual("Follow the scheduler's text", "Give the pod a node that fits, or change what it asks for.");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::report::Status;

    fn pending(name: &str) -> crate::evidence::facts::Pod {
        let mut pod = unready(pod(name));
        pod.phase = Some(seen("Pending".into(), "phase: Pending"));
        pod
    }

    #[test]
    fn each_reason_has_its_words_and_remedy() {
        for (text, words, fix) in [
            (
                "0/2 nodes are available: 2 node(s) had untolerated taint {eks.amazonaws.com/compute-type: fargate}. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
                "Fargate",
                "toleration",
            ),
            ("0/1 nodes are available: 1 node(s) had untolerated taint {dedicated: db}.", "taint", "\"dedicated\""),
            ("0/3 nodes are available: 3 Insufficient cpu.", "enough free CPU", "node"),
            ("0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules.", "anti-affinity", "preferred"),
            ("0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.", "labels", "nodeSelector"),
            (
                "0/1 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/not-ready: }.",
                "not ready",
                "repair the nodes",
            ),
            ("no nodes available to schedule pods", "no nodes available", "node"),
            ("0/2 nodes are available: 2 node(s) were unschedulable.", "cordoned", "uncordon"),
        ] {
            let answer =
                examine(&cluster(vec![fact(event("FailedScheduling", "coredns-a", text)), fact(pending("coredns-a"))]));
            assert_eq!(answer.confidence, Some(Confidence::Confirmed), "{text}");
            assert!(answer.summary.contains(words), "{}", answer.summary);
            let fixes: String = answer.fixes.iter().map(|f| f.body.clone()).collect();
            assert!(fixes.contains(fix), "{fixes}");
        }
    }

    #[test]
    fn a_pod_with_a_node_has_been_scheduled() {
        let old =
            event("FailedScheduling", "coredns-a", "0/1 nodes are available: 1 node(s) had untolerated taint {x: }.");
        let placed = on_node(waiting("coredns-a", "ContainerCreating", ""), "n1");
        assert_eq!(examine(&cluster(vec![fact(old.clone()), fact(placed)])).status, Status::RuledOut);
        let row = pod_row("coredns-a", true, "Running", 0, None);
        assert_eq!(examine(&cluster(vec![fact(old), fact(row)])).status, Status::RuledOut);
    }

    #[test]
    fn pending_alone_is_only_suspected() {
        let row = || pod_row("coredns-a", false, "Pending", 0, None);
        assert_eq!(examine(&cluster(vec![fact(row())])).status, Status::Suspected);
        let answer = examine(&cluster(vec![fact(row()), fact(node("n1", false, ""))]));
        assert_eq!(answer.confidence, Some(Confidence::Likely));
    }
}
