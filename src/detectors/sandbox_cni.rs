//! # The pod gets no sandbox or no address
//!
//! ## What it is
//! The kubelet cannot set up the pod's network: a CNI plugin is missing on the node, fails, or has no address left. The pod
//! stays at `ContainerCreating` without an IP.
//!
//! ## How it is recognised
//! By `FailedCreatePodSandBox` and its text, or by `cni plugin not initialized` on the node.
//!
//! ## What it is not
//! `FailedMount` is `volume-mount`. One such event that was followed by `Started` is over. A pod that has an IP has its
//! sandbox.
//!
//! ## Fix
//! Put the missing plugins into `/opt/cni/bin`, free addresses, or restart the CNI pod of that node; until then let a good
//! node carry DNS. Restarting CoreDNS does not help.
//!
//! ## Prevent
//! Make the CNI plugins part of the node image; watch node readiness and free addresses.

use super::starting::{FEW, between, clause, held, is_ready, otherwise, row, since, standing, with_proofs};
use super::{Assessment, Class, Failure, Need, causes, causes_when, missing};
use crate::cluster::{Cluster, Node, Pod};
use crate::evidence::facts::{Condition, Event};
use crate::report::{Confidence, Hop, Severity};

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "sandbox-cni",
    title: "The pod gets no sandbox or no address",
    hop: Some(Hop::Server),
    severity: Severity::Critical,
    class: Class::Cause,
    causes: &[
        causes("service-no-endpoints"),
        // A node without CNI is not ready for that very reason.
        causes_when("node-not-ready", |cluster| unfit_nodes(cluster).next().is_some()),
    ],
    examine,
    source: include_str!("sandbox_cni.rs"),
};

/// What a node says that has no CNI.
const UNFIT: [&str; 4] =
    ["cni plugin not initialized", "cni config uninitialized", "NetworkPluginNotReady", "network plugin is not ready"];

/// What a text tells; the special before the general.
const KINDS: [(&str, Kind); 15] = [
    ("failed to find plugin", Kind::Binary),
    ("executable file not found", Kind::Binary),
    ("failed to assign an ip address", Kind::Pool),
    ("no available ip addresses", Kind::Pool),
    ("no ip addresses available", Kind::Pool),
    ("no more ips", Kind::Pool),
    ("no free ip", Kind::Pool),
    ("ip pool", Kind::Pool),
    ("cni plugin not initialized", Kind::Absent),
    ("cni config uninitialized", Kind::Absent),
    ("networkpluginnotready", Kind::Absent),
    ("no networks found in", Kind::Absent),
    ("subnet.env", Kind::Broken),
    ("failed (add)", Kind::Broken),
    ("cni", Kind::Broken),
];

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Binary,
    Pool,
    Absent,
    Broken,
    Runtime,
}

/// The sandbox stands.
fn has_sandbox(pod: &Pod) -> bool {
    use crate::evidence::facts::StatePhase::Running;
    let runs = pod.main().and_then(|view| view.state()).is_some_and(|state| state.phase == Running);
    is_ready(pod) || runs || pod.ip().is_some() || pod.status_cell().is_some_and(|cell| cell.value == "Running")
}

/// Nodes whose Ready condition says that they have no CNI.
fn unfit_nodes(cluster: &Cluster) -> impl Iterator<Item = (&Node, &Condition)> {
    cluster.nodes.iter().filter_map(|node| {
        let condition = node.condition("Ready").filter(|condition| condition.status != "True")?;
        let message = condition.message.as_deref().unwrap_or("");
        UNFIT.iter().any(|mark| message.contains(mark)).then_some((node, condition))
    })
}

fn examine(cluster: &Cluster) -> Assessment {
    let about = |event: &Event| matches!(event.reason.as_str(), "FailedCreatePodSandBox" | "NetworkNotReady");
    let events = standing(cluster, about, has_sandbox, &["Started", "Created", "Pulled"]);
    let waits: Vec<&Pod> = cluster.dns_pods().filter(|pod| !pod.gone() && !has_sandbox(pod)).collect();
    let unfit: Vec<(&Node, &Condition)> = unfit_nodes(cluster).collect();
    let here = |node: &Node| waits.iter().any(|pod| pod.node().is_none_or(|name| name.value == node.name));
    let unfit_here = unfit.iter().find(|(node, _)| here(node));
    let (quote, text) = match (events.first(), unfit_here) {
        (Some(event), _) => (&event.quote, event.message.as_str()),
        (None, Some((_, condition))) => {
            let text = condition.message.as_deref().unwrap_or("");
            (condition.message_quote.as_ref().unwrap_or(&condition.quote), text)
        }
        (None, None) => {
            let passed = "they have an address, so their sandbox stands";
            let needs = [Need::Describe, Need::Events, Need::Network];
            return otherwise(cluster, has_sandbox, passed, "a failed sandbox", &needs);
        }
    };
    let kind = row(&KINDS, text).copied().unwrap_or(Kind::Runtime);
    let names: std::collections::BTreeSet<&str> =
        events.iter().map(|event| event.object.as_str()).chain(waits.iter().map(|pod| pod.name.as_str())).collect();
    let names: Vec<&str> = names.into_iter().take(FEW).collect();
    let summary = format!("{} cannot get a network: {}.", names.join(", "), reason(kind, text));
    let mut found = Assessment::found(Confidence::Confirmed, summary, quote, "the kubelet's own words")
        .since(since(cluster, &events));
    found = with_proofs(found, cluster, &held(cluster, &["ContainerCreating"]), &events);
    for (node, condition) in unfit.iter().filter(|(node, _)| here(node)).take(FEW) {
        let quote = condition.message_quote.as_ref().unwrap_or(&condition.quote);
        found = found.proof(quote, "the node has no CNI").about(format!("node/{}", node.name));
    }
    with_fixes(found, cluster, kind, text).wants(missing(cluster, &[Need::Network]))
}

/// The directory in which the runtime looked for a plugin.
fn directory(text: &str) -> &str {
    between(text, "in path [", "]").unwrap_or("/opt/cni/bin")
}

fn plugin(text: &str) -> Option<&str> {
    between(text, "find plugin \"", "\"").or_else(|| between(text, "plugin type=\"", "\""))
}

fn reason(kind: Kind, text: &str) -> String {
    let name = plugin(text);
    match (kind, name) {
        (Kind::Binary, Some(name)) => {
            format!("the CNI plugin {name} is not in {} on that node", directory(text))
        }
        (Kind::Binary, None) => format!("a CNI plugin is not in {} on that node", directory(text)),
        (Kind::Pool, _) => format!("no address is left in the pod network's pool ({})", tail(text)),
        (Kind::Absent, _) => "no CNI is set up on that node".to_owned(),
        (Kind::Broken, Some(name)) => format!("the CNI plugin {name} fails ({})", tail(text)),
        (Kind::Broken, None) => format!("the CNI fails ({})", tail(text)),
        (Kind::Runtime, _) => format!("the container runtime cannot create the sandbox ({})", tail(text)),
    }
}

/// The last, most special part of a chain of errors.
fn tail(text: &str) -> String {
    let start = text.rfind("failed (add): ").map_or(0, |at| at + "failed (add): ".len());
    clause(text.get(start..).unwrap_or(text))
}

fn with_fixes(found: Assessment, cluster: &Cluster, kind: Kind, text: &str) -> Assessment {
    let (namespace, selector) = (&cluster.dns.namespace, &cluster.dns.selector);
    let nodes = format!("kubectl -n {namespace} get pods -l {selector} -o wide   # which node");
    let found = match kind {
        Kind::Binary => {
            let directory = directory(text);
            found.command(
                "Install the CNI plugins on that node",
                format!("{nodes}\nls {directory} /etc/cni/net.d   # on the node\n# then put the CNI plugins' release (loopback, bridge, host-local, portmap …) into {directory}, or the node package kubernetes-cni"),
                "the kubelet tries again by itself; other pods of the node wait for the same",
            )
        }
        Kind::Pool => found.manual(
            "Free or add addresses",
            "Remove pods or unused addresses on that node, add a subnet or a larger pool, or move the DNS pods to a node \
             with free addresses. On AWS look at the instance's limit of addresses and at the subnet's free ones.",
        ),
        Kind::Absent => found.manual(
            "Install the network plugin",
            "Apply the cluster's CNI manifest, or mend its pod on that node: it must write a file into /etc/cni/net.d and \
             its programs into /opt/cni/bin. Before that every pod without hostNetwork waits.",
        ),
        Kind::Broken | Kind::Runtime => found.command(
            "Restart the CNI pod of that node and read its log",
            format!("{nodes}\nkubectl get pods -A -o wide | grep -iE 'calico|cilium|flannel|weave|aws-node|cni|kube-router|antrea'\nkubectl -n <namespace> logs <cni-pod> --all-containers\nkubectl -n <namespace> delete pod <cni-pod>"),
            "new pods on that node wait until it is back",
        ),
    };
    found.command(
        "Meanwhile let a good node carry DNS",
        format!("kubectl cordon <node>\nkubectl -n {namespace} delete pod -l {selector} --field-selector=spec.nodeName=<node>"),
        "only where another node is good; uncordon the node after the repair",
    )
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::report::Status;

    fn sandbox(text: &str) -> Event {
        event(
            "FailedCreatePodSandBox",
            "coredns-a",
            &format!("Failed to create pod sandbox: rpc error: code = Unknown desc = {text}"),
        )
    }

    #[test]
    fn each_text_names_its_kind() {
        for (text, words, fix) in [
            (
                "failed to setup network for sandbox \"x\": failed to find plugin \"loopback\" in path [/opt/cni/bin]",
                "loopback",
                "/opt/cni/bin",
            ),
            ("failed to find plugin \"flannel\" in path [/usr/lib/cni]", "/usr/lib/cni", "/usr/lib/cni"),
            (
                "plugin type=\"aws-cni\" name=\"aws-cni\" failed (add): add cmd: failed to assign an IP address to container",
                "pool",
                "address",
            ),
            (
                "plugin type=\"calico\" failed (add): error getting ClusterInformation: connection is unauthorized: Unauthorized",
                "calico",
                "CNI pod",
            ),
        ] {
            let answer =
                examine(&cluster(vec![fact(sandbox(text)), fact(waiting("coredns-a", "ContainerCreating", ""))]));
            assert_eq!(answer.confidence, Some(Confidence::Confirmed), "{text}");
            assert!(answer.summary.contains(words), "{}", answer.summary);
            assert!(answer.fixes.iter().any(|f| f.body.contains(fix) || f.title.contains(fix)), "{text}");
        }
    }

    #[test]
    fn a_node_without_cni_says_so() {
        let message = "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized";
        let facts = || vec![fact(node("n1", false, message)), fact(unready(on_node(pod("coredns-a"), "n1")))];
        assert_eq!(examine(&cluster(facts())).status, Status::Found);
        let elsewhere = vec![fact(node("n1", false, message)), fact(unready(on_node(pod("coredns-a"), "n2")))];
        assert!(!examine(&cluster(elsewhere)).holds());
    }

    #[test]
    fn what_was_followed_by_a_start_is_over() {
        let start = Event { last_ago: Some((60, 60)), ..event("Started", "coredns-a", "Started container coredns") };
        assert!(!examine(&cluster(vec![fact(sandbox("x")), fact(start)])).holds());
        let mut with_ip = unready(pod("coredns-a"));
        with_ip.ip = Some(seen("10.0.0.3".into(), "podIP: 10.0.0.3"));
        assert_eq!(examine(&cluster(vec![fact(sandbox("x")), fact(with_ip)])).status, Status::RuledOut);
    }
}
