//! # The runtime cannot start the binary
//!
//! ## What it is
//! The container is created and its program does not run: an image for another architecture, a file capability that the
//! container may not have, a missing binary, a user that the security context refuses, or flags that the binary does not
//! know.
//!
//! ## How it is recognised
//! By `exec format error`, `exec /coredns: operation not permitted`, by the states `StartError`, `ContainerCannotRun` and
//! `RunContainerError`, by `container has runAsNonRoot and …`, or by `flag provided but not defined`.
//!
//! ## What it is not
//! Where CoreDNS printed its start line, the binary ran. `bind: permission denied` is `port-permission`. Exit 139 is a crash
//! in the process.
//!
//! ## Fix
//! Use an image for the node's architecture or a tag for several; give NET_BIND_SERVICE back; else bind the pods to nodes
//! that fit. More memory or privileges do not help.
//!
//! ## Prevent
//! Check the image's platforms before a roll-out and try security settings on one pod.

use super::starting::{FEW, Held, clause, held, is_ready, otherwise, row, since, standing, with_proofs};
use super::{Assessment, Class, Failure, Need, causes, missing};
use crate::cluster::{Cluster, Pod};
use crate::evidence::facts::{Event, Log, Program, Tally};
use crate::knowledge::messages::Signal;
use crate::report::{Confidence, Hop, Severity};
use crate::source::{Quote, Seen};

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "exec-failed",
    title: "The runtime cannot start the binary",
    hop: Some(Hop::Server),
    severity: Severity::Critical,
    class: Class::Cause,
    causes: &[causes("crash-loop"), causes("service-no-endpoints")],
    examine,
    source: include_str!("exec_failed.rs"),
};

/// Reasons that alone say that the runtime could not start the program.
const RUNTIME: [&str; 3] = ["StartError", "ContainerCannotRun", "RunContainerError"];
/// Reasons that say it together with their message.
const STATES: [&str; 8] = [
    "StartError",
    "ContainerCannotRun",
    "RunContainerError",
    "CreateContainerError",
    "CreateContainerConfigError",
    "CrashLoopBackOff",
    "Error",
    "VerifyNonRootError",
];

/// A log of so few lines holds nothing but the runtime's words.
const SHORT: u64 = 10;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Architecture,
    Capability,
    Binary,
    NonRoot,
    Flag,
    Other,
}

/// What a text tells; the special before the general.
const KINDS: [(&str, Kind); 9] = [
    ("exec format error", Kind::Architecture),
    ("runasnonroot", Kind::NonRoot),
    ("must not run as root", Kind::NonRoot),
    ("flag provided but not defined", Kind::Flag),
    ("coredns: operation not permitted", Kind::Capability),
    ("coredns\": operation not permitted", Kind::Capability),
    ("executable file not found", Kind::Binary),
    ("coredns: no such file or directory", Kind::Binary),
    ("coredns\": stat", Kind::Binary),
];

fn kind(text: &str) -> Option<Kind> {
    let loose = text.contains("exec") && !text.contains("mount");
    let by_end = || {
        let rows = [
            ("operation not permitted", Kind::Capability),
            ("permission denied", Kind::Capability),
            ("no such file or directory", Kind::Binary),
        ];
        row(&rows, text).copied()
    };
    row(&KINDS, text).copied().or_else(|| if loose { by_end() } else { None })
}

/// Logs that can hold the runtime's words: CoreDNS's, and short ones that do not say whose they are.
fn logs(cluster: &Cluster) -> impl Iterator<Item = &Log> {
    let nameless = |log: &&Log| log.owner.program == Program::Other && log.owner.pod.is_none() && log.lines <= SHORT;
    cluster.dns_logs().chain(cluster.logs.iter().filter(nameless))
}

fn line(cluster: &Cluster) -> Option<(&Log, &Tally)> {
    const SIGNALS: [Signal; 3] = [Signal::ExecFormat, Signal::ExecDenied, Signal::BadFlag];
    let lines = logs(cluster).filter(|log| !log.has(Signal::Banner));
    lines.filter_map(|log| Some((log, SIGNALS.iter().find_map(|signal| log.tally(*signal))?))).next()
}

/// Started, ready, or at a step before the program's start.
fn ran(pod: &Pod) -> bool {
    use crate::evidence::facts::StatePhase::Running;
    is_ready(pod) || pod.main().and_then(|view| view.state()).is_some_and(|state| state.phase == Running)
}

fn examine(cluster: &Cluster) -> Assessment {
    let told = |item: &Held| {
        let runtime = item.quotes.iter().any(|quote| RUNTIME.iter().any(|reason| quote.text.contains(reason)));
        kind(item.message).is_some() || (runtime && !item.message.contains("mount"))
    };
    let held: Vec<Held> = held(cluster, &STATES).into_iter().filter(told).collect();
    let about = |event: &Event| event.reason == "Failed" && kind(&event.message).is_some();
    let events = standing(cluster, about, ran, &[]);
    let line = line(cluster);
    let by_state = || held.first().and_then(|item| Some((*item.quotes.first()?, item.message)));
    let said = line
        .map(|(_, tally)| (&tally.last, &*tally.last.text))
        .or_else(|| events.first().map(|event| (&event.quote, event.message.as_str())))
        .or_else(by_state);
    let Some((quote, text)) = said else { return not_found(cluster) };
    let kind = kind(text).unwrap_or(Kind::Other);
    let architecture = architecture(cluster, line.and_then(|(log, _)| log.owner.pod.as_deref()));
    let summary = summary(cluster, kind, text, architecture);
    // A log that does not say whose it is tells only together with a DNS pod that ended so.
    let ours =
        line.is_none_or(|(log, _)| log.owner.program == Program::CoreDns) || !events.is_empty() || !held.is_empty();
    let confidence = match (ours, dying(cluster)) {
        (true, _) => Confidence::Confirmed,
        (false, true) => Confidence::Likely,
        (false, false) => Confidence::Possible,
    };
    let mut found =
        Assessment::found(confidence, summary, quote, "the runtime's own words").since(since(cluster, &events));
    found = with_proofs(found, cluster, &held, &events);
    if let Some((_, tally)) = line {
        found = found.proof(&tally.first, "the runtime's own words");
    }
    for pod in cluster.dns_pods().filter(|pod| !pod.gone() && !ran(pod)).take(FEW) {
        found = found.proofs(pod.status_cell().map(|seen| &seen.quote), "the pod").about(pod.reference());
        found = found.proofs(pod.main().and_then(|view| view.image()).map(|seen| &seen.quote), "the image");
    }
    if kind == Kind::Architecture {
        found = found.proofs(architecture.map(|(_, quote)| quote), "the node's architecture");
    }
    with_fixes(found, cluster, kind, architecture.map(|(name, _)| name))
}

/// A DNS pod whose program ends at once, as one does that cannot run.
fn dying(cluster: &Cluster) -> bool {
    cluster.dns_deaths().iter().any(|(_, state)| matches!(state.exit(), Some(1 | 126 | 127 | 128 | 255)))
        || cluster.dns_pods().any(|pod| pod.is("CrashLoopBackOff").is_some())
}

/// The architecture of the node under the pod called `name`, else under a DNS pod that does not run, else of all nodes
/// where they are alike. From nodeInfo or from the node's label.
fn architecture<'a>(cluster: &'a Cluster, name: Option<&str>) -> Option<(&'a str, &'a Quote)> {
    let of_node = |node: &'a crate::cluster::Node| {
        let info = node
            .best(|sight| sight.architecture.as_ref())
            .map(|seen: &Seen<String>| (seen.value.as_str(), &seen.quote));
        info.or_else(|| {
            let keys = ["kubernetes.io/arch", "beta.kubernetes.io/arch"];
            let sight = node.sights.iter().find(|sight| keys.iter().any(|key| sight.labels.contains_key(*key)))?;
            let value = keys.iter().find_map(|key| sight.labels.get(*key))?;
            Some((value.as_str(), &sight.at))
        })
    };
    let known = name.and_then(|name| cluster.pod(None, name));
    let broken = cluster.dns_pods().filter(|pod| !pod.gone() && !ran(pod));
    let nodes = known.into_iter().chain(broken).filter_map(|pod| cluster.node(&pod.node()?.value));
    nodes.filter_map(of_node).next().or_else(|| {
        let all: Vec<_> = cluster.nodes.iter().filter_map(of_node).collect();
        let first = all.first().copied()?;
        all.iter().all(|(name, _)| *name == first.0).then_some(first)
    })
}

fn summary(cluster: &Cluster, kind: Kind, text: &str, architecture: Option<(&str, &Quote)>) -> String {
    let node = architecture.map_or_else(|| "its node".to_owned(), |(name, _)| format!("its {name} node"));
    let images = cluster.dns_containers().filter_map(|(_, view)| view.image()).next();
    let image = images.map_or_else(|| "the image".to_owned(), |image| format!("the image {}", clause(&image.value)));
    match kind {
        Kind::Architecture => format!("CoreDNS cannot run on {node}: {image} holds a program for another architecture."),
        Kind::Capability => "The runtime may not start /coredns: its file needs NET_BIND_SERVICE, which the container's security context takes away.".to_owned(),
        Kind::Binary => format!("The runtime finds no program to start in {image}: {}.", clause(text)),
        Kind::NonRoot => "The kubelet refuses the container: runAsNonRoot is set and the image's user is a name or root, so it cannot tell that it is not root.".to_owned(),
        Kind::Flag => format!("CoreDNS does not know one of its arguments: {}.", clause(text)),
        Kind::Other => format!("The runtime cannot start the DNS container: {}.", clause(text)),
    }
}

fn with_fixes(found: Assessment, cluster: &Cluster, kind: Kind, architecture: Option<&str>) -> Assessment {
    let (namespace, workload, container) =
        (&cluster.dns.namespace, &cluster.dns.workload_reference, &cluster.dns.container);
    let patch = |context: &str| {
        format!(
            "kubectl -n {namespace} patch {workload} -p '{{\"spec\":{{\"template\":{{\"spec\":{{\"containers\":[{{\"name\":\"{container}\",\"securityContext\":{context}}}]}}}}}}}}'"
        )
    };
    match kind {
        Kind::Architecture => {
            let name = architecture.unwrap_or("<architecture>");
            let found = found.command(
                &format!("Use an image for {}", architecture.unwrap_or("the node's architecture (amd64, arm64 …)")),
                format!("kubectl -n {namespace} set image {workload} {container}=<registry>/coredns/coredns:<version>   # a tag with linux/{name}\ndocker manifest inspect <image> | grep architecture   # what a tag holds"),
                "on a node pull the image anew: an image under the same tag may be kept there",
            );
            let found = found.manual(
                "Or keep DNS on nodes that fit",
                format!("Set nodeSelector `kubernetes.io/arch` of {workload} to the architecture that the image has, as long as there are such nodes."),
            );
            if architecture.is_some() { found } else { found.wants(missing(cluster, &[Need::Platforms])) }
        }
        Kind::Capability => found.command(
            "Give the capability back",
            patch("{\"capabilities\":{\"add\":[\"NET_BIND_SERVICE\"],\"drop\":[\"ALL\"]}}"),
            "a policy that forbids it must make an exception for DNS; rolls the workload",
        ),
        Kind::NonRoot => found.command(
            "Name the user by its number",
            patch("{\"runAsNonRoot\":true,\"runAsUser\":65532}"),
            "the image's file capability or NET_BIND_SERVICE is needed for port 53; the image of 1.14.7 has a number itself",
        ),
        Kind::Flag => found.command(
            "Correct the arguments",
            format!("kubectl -n {namespace} edit {workload}   # args of the container {container}; usual: [\"-conf\", \"/etc/coredns/Corefile\"]"),
            "rolls the workload",
        ),
        Kind::Binary | Kind::Other => found.command(
            "Put the last image and command that worked back",
            format!("kubectl -n {namespace} rollout history {workload}\nkubectl -n {namespace} rollout undo {workload}"),
            "undoes the whole last change of the workload",
        ),
    }
}

fn not_found(cluster: &Cluster) -> Assessment {
    if let Some(banner) = cluster.says(Signal::Banner) {
        return Assessment::ruled_out("CoreDNS printed its start line, so its program runs.")
            .against(banner, "it runs");
    }
    let needs = [Need::Describe, Need::PreviousLogs, Need::Platforms];
    otherwise(cluster, ran, "their containers run", "a program that does not start", &needs)
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::evidence::facts::StatePhase;
    use crate::report::Status;

    const FORMAT: &str = "standard_init_linux.go:211: exec user process caused \"exec format error\"";

    #[test]
    fn the_architecture_is_named() {
        let mut arm = node("n1", true, "");
        arm.architecture = Some(seen("arm64".into(), "architecture: arm64"));
        let pod = on_node(waiting("coredns-a", "CrashLoopBackOff", ""), "n1");
        let answer = examine(&cluster(vec![fact(log(false, FORMAT)), fact(arm), fact(pod)]));
        assert_eq!(answer.confidence, Some(Confidence::Confirmed));
        assert!(answer.summary.contains("arm64") && answer.fixes[0].title.contains("arm64"));
        assert!(answer.proofs.iter().any(|proof| proof.quote.text.contains("architecture: arm64")));
    }

    #[test]
    fn states_and_events_tell_their_kind() {
        for (reason, message, words) in [
            (
                "StartError",
                "failed to create containerd task: exec: \"/coredns\": operation not permitted",
                "NET_BIND_SERVICE",
            ),
            (
                "ContainerCannotRun",
                "exec: \"/coredns\": stat /coredns: no such file or directory: unknown",
                "no program",
            ),
            (
                "CreateContainerConfigError",
                "container has runAsNonRoot and image has non-numeric user (nonroot), cannot verify user is non-root",
                "runAsNonRoot",
            ),
            ("RunContainerError", "", "cannot start"),
        ] {
            let answer = examine(&cluster(vec![fact(waiting("coredns-a", reason, message))]));
            assert_eq!(answer.status, Status::Found, "{reason}");
            assert!(answer.summary.contains(words), "{}", answer.summary);
        }
        let text = "Error: failed to create containerd task: exec /coredns: operation not permitted";
        assert_eq!(examine(&cluster(vec![fact(event("Failed", "coredns-a", text))])).status, Status::Found);
    }

    #[test]
    fn a_plain_error_is_another_fault() {
        let crash = with_last(
            waiting("coredns-a", "CrashLoopBackOff", "back-off 5m0s restarting failed container"),
            state(StatePhase::Terminated, "Error", "", Some(1)),
            7,
        );
        assert!(!examine(&cluster(vec![fact(crash)])).holds());
        let missing = waiting("coredns-a", "CreateContainerConfigError", "configmap \"x\" not found");
        assert!(!examine(&cluster(vec![fact(missing)])).holds());
    }

    #[test]
    fn a_banner_rules_it_out() {
        let text = format!("{FORMAT}\n.:53\nCoreDNS-1.11.1\n");
        assert_eq!(examine(&cluster(vec![fact(log(false, &text))])).status, Status::RuledOut);
    }
}
