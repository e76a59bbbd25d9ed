//! # Killed at the memory limit
//!
//! ## What it is
//! The kernel ended CoreDNS because its container reached its memory limit. It is a symptom: a limit too small for a
//! re-list, a cluster that grew, a full cache, a leak, a slow upstream, a flood or a loop stand behind it.
//!
//! ## How it is recognised
//! By the last state `OOMKilled`, or by the kernel's line of a kill in the container's cgroup. The process leaves no last
//! line, and there is no event but the back-off.
//!
//! ## What it is not
//! Exit 137 with reason `Error` is a kill from outside or an exceeded grace period; `ContainerStatusUnknown` is a lost
//! container; a kernel kill with `CONSTRAINT_NONE` is the node's shortage.
//!
//! ## Fix
//! Raise the limit to what the sizing says. The pods are down anyway, so the restart costs nothing. `GOMEMLIMIT` buys time
//! for CPU, it is no cure; more replicas are none either, each holds everything.
//!
//! ## Prevent
//! Alert on resident memory over 70 %, 80 %, 85 % and 90 % of the limit. The kill itself is only the post-mortem's signal.

use super::memory::{kernel_kills, kills, node_kills};
use super::starting::counted;
use super::{Assessment, Class, Failure, Need, causes, missing};
use crate::cluster::Cluster;
use crate::report::{Confidence, Hop, Severity};
use crate::sizing;

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "oom-killed",
    title: "Killed at the memory limit",
    hop: Some(Hop::Server),
    severity: Severity::Critical,
    class: Class::Symptom,
    causes: &[causes("crash-loop")],
    examine,
    source: include_str!("oom_killed.rs"),
};

fn examine(cluster: &Cluster) -> Assessment {
    let kills = kills(cluster);
    let Some(first) = kills.first() else { return not_found(cluster) };
    let pods: Vec<_> = kills.iter().filter_map(|kill| kill.pod).collect();
    let limit = sizing::estimate(cluster).limit;
    let at = limit.as_ref().map_or(String::new(), |limit| format!(" of {}Mi", limit.value >> 20));
    let summary = match pods.len() {
        0 => format!("The kernel killed CoreDNS at its memory limit{at}."),
        1 => format!("{} was killed at its memory limit{at}.", pods[0].name),
        n => format!("{n} DNS containers were killed at their memory limit{at}."),
    };
    let past = cluster.dns_all_ready() == Some(true);
    let mut found = Assessment::found(Confidence::Confirmed, summary, first.quote, "the container's own state")
        .past(past)
        .since(kills.iter().filter_map(|kill| kill.at).min());
    for kill in &kills {
        found = found.proof(kill.quote, "killed");
        if let Some(pod) = kill.pod {
            found = found.about(pod.reference());
        }
    }
    found = found.proofs(kernel_kills(cluster).map(|line| &line.quote), "the kernel's own words");
    found = found.proofs(limit.iter().map(|limit| &limit.quote), "the limit");
    with_fixes(found.wants(missing(cluster, &[Need::Counts, Need::Metrics])), cluster)
}

fn not_found(cluster: &Cluster) -> Assessment {
    let mut examined = 0;
    let mut quotes = Vec::new();
    for (pod, view) in cluster.dns_containers() {
        let restarts = pod.restarts().map_or(0, |seen| seen.value);
        if let Some(last) = view.last() {
            examined += 1;
            quotes.push(last.telling().clone());
        } else if restarts == 0 && (view.state().is_some() || pod.restarts().is_some()) {
            examined += 1;
            quotes.extend(pod.restarts().map(|seen| seen.quote.clone()));
        }
    }
    let node = node_kills(cluster).next();
    if examined == 0 && node.is_none() {
        return Assessment::not_checked(
            "The last states of the DNS containers are not in the bundle.",
            missing(cluster, &[Need::Describe, Need::Kernel]),
        );
    }
    let mut assessment = Assessment::ruled_out(format!(
        "Read: the last state of {}; none says OOMKilled{}.",
        counted(examined, "DNS container"),
        if node.is_some() { "; the kernel's kill was for the node's shortage" } else { "" }
    ));
    for quote in &quotes {
        assessment = assessment.against(quote, "another end, or none");
    }
    node.into_iter().fold(assessment, |assessment, line| assessment.against(&line.quote, "not the container's limit"))
}

/// Raise the limit to what the sizing says.
pub fn with_fixes(found: Assessment, cluster: &Cluster) -> Assessment {
    let estimate = sizing::estimate(cluster);
    let (ns, workload, container) = (&cluster.dns.namespace, &cluster.dns.workload_reference, &cluster.dns.container);
    let recommended = estimate.recommended();
    let limit = recommended.map_or("340Mi".to_owned(), |bytes| format!("{}Mi", bytes >> 20));
    let basis = if recommended.is_some() {
        "what the sizing below says"
    } else {
        "a start, until counts and a measurement are there"
    };
    found
        .command(
            "Raise the memory limit",
            format!("kubectl set resources {workload} -n {ns} -c {container} --limits=memory={limit}   # {basis}"),
            "the workload rolls; each new pod lists everything once",
        )
        .manual(
            "Verify",
            "Restart one pod, read its highest resident memory in the first two minutes, and compare it with the limit: the \
             peak should stay under 85 % of it.",
        )
}
