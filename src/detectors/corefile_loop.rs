//! # CoreDNS forwards to itself
//!
//! ## What it is
//! A query that CoreDNS forwards comes back to CoreDNS. The `loop` plugin (1.2.1 on) sends a probe of its own after each
//! start; if it sees the probe again, it ends the process on purpose: a crash is better than a storm. Without the plugin
//! the storm comes: time-outs, refused queries, memory up to the limit.
//!
//! ## How it is recognised
//! By the plugin's own line, in the wording of the version; else by errors of a `forward` whose target is loopback, the
//! pod itself or the DNS Service. A target that leads back and no error yet is a risk. The source in the line tells the
//! way: 127.0.0.1 is the node's own stub resolver, another address is a second hop through the Service or the node.
//!
//! ## What it is not
//! `HINFO: … i/o timeout` at start is a dead upstream. One HINFO query with NXDOMAIN is the normal probe.
//!
//! ## Fix
//! Forward to real resolvers: `forward . ADDRESS ADDRESS`, or hand the pods the real file
//! (`/run/systemd/resolve/resolv.conf`) with the kubelet's `resolvConf`. Never remove the `loop` plugin.
//!
//! ## Prevent
//! Check before a roll-out that no target is loopback, the Service range, or a file that names one.

use super::starting::counted;
use super::{Assessment, Class, Failure, Need, causes, causes_when, missing};
use crate::cluster::Cluster;
use crate::knowledge::messages::Signal;
use crate::report::{Confidence, Hop, Severity};
use crate::source::Quote;

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "corefile-loop",
    title: "CoreDNS forwards to itself",
    hop: Some(Hop::Server),
    severity: Severity::Critical,
    class: Class::Cause,
    causes: &[
        causes("crash-loop"),
        causes_when("oom-killed", |cluster| !has_loop_plugin(cluster)),
        causes("max-concurrent-reached"),
        causes_when("upstream-failing", |cluster| own_upstream_errors(cluster).is_some()),
        causes("server-errors"),
        causes("reload-failed"),
    ],
    examine,
    source: include_str!("corefile_loop.rs"),
};

fn examine(cluster: &Cluster) -> Assessment {
    if let Some((log, tally)) = cluster.signals(Signal::Loop).next() {
        let sample = tally.samples.first();
        let source = sample.map_or("", |sample| sample.field("source"));
        let zone = sample.map_or(".", |sample| sample.field("zone"));
        let summary =
            format!("CoreDNS ended itself because its query for zone \"{zone}\" came back to it: {}.", way(source));
        let mut found = Assessment::found(Confidence::Confirmed, summary, &tally.first, "the loop plugin's own line")
            .past(log.started_after(tally.last.source.line))
            .since(cluster.first_at(Signal::Loop).or_else(|| cluster.first_death()));
        for (_, tally) in cluster.signals(Signal::Loop) {
            found = found.proof(&tally.first, "the loop plugin's own line");
        }
        return with_fixes(with_configuration(found, cluster), cluster);
    }
    if let Some((quote, target)) = own_upstream_errors(cluster) {
        let summary =
            format!("CoreDNS forwards to {target}, which is CoreDNS itself; its queries go round until they time out.");
        let found = Assessment::found(Confidence::Confirmed, summary, quote, "an error of a query sent to itself");
        return with_fixes(with_configuration(found, cluster), cluster);
    }
    match leads_back(cluster).into_iter().next() {
        Some((quote, target)) => {
            let summary = format!("The Corefile forwards to {target}, which leads back to CoreDNS.");
            let found = match cluster.says(Signal::MaxConcurrent).or_else(|| cluster.says(Signal::UpstreamError)) {
                Some(error) => {
                    Assessment::found(Confidence::Likely, summary, error, "queries fail while the target is CoreDNS")
                        .proof(&quote, "the target leads back")
                }
                None => Assessment::predicted(summary, &quote, "the target leads back"),
            };
            with_fixes(with_configuration(found, cluster), cluster)
        }
        None => without_loop(cluster),
    }
}

/// Where the probe came from, in words.
fn way(source: &str) -> String {
    let host = source.rsplit_once(':').map_or(source, |(host, _)| host).trim_matches(['[', ']']);
    match host {
        "" => "the log of this version does not say through what".to_owned(),
        "127.0.0.1" | "::1" => {
            "through a resolver on the node itself (a stub such as systemd-resolved or dnsmasq)".to_owned()
        }
        _ => format!("through {host}, a second hop (the DNS Service, the bridge or the node's DNS)"),
    }
}

/// Forward targets that lead back to CoreDNS: literal, or through the resolv.conf in the bundle.
fn leads_back(cluster: &Cluster) -> Vec<(Quote, String)> {
    let Some(corefile) = &cluster.dns.corefile else { return Vec::new() };
    let mut found = Vec::new();
    for forward in corefile.forwards() {
        if is_own(cluster, &forward.target) && forward.port == 53 {
            found.push((forward.quote, forward.target));
        } else if forward.target.starts_with('/') {
            for conf in cluster.resolv_confs.iter().filter(|conf| !conf.of_pod) {
                for server in conf.nameservers.iter().filter(|server| is_own(cluster, &server.value)) {
                    found.push((server.quote.clone(), format!("{} ({})", forward.target, server.value)));
                }
            }
        }
    }
    found
}

/// Loopback, a DNS pod's address, or the ClusterIP of a DNS Service.
fn is_own(cluster: &Cluster, address: &str) -> bool {
    let host = address.trim_matches(['[', ']']);
    host.starts_with("127.")
        || host == "::1"
        || host == "localhost"
        || cluster.dns_pods().any(|pod| pod.ip().is_some_and(|ip| ip.value == host))
        || cluster.dns_services().any(|s| s.best(|sight| sight.cluster_ip.as_ref()).is_some_and(|ip| ip.value == host))
}

/// An upstream error whose target is CoreDNS itself. Loopback counts only where the Corefile has no other use for it.
fn own_upstream_errors(cluster: &Cluster) -> Option<(&Quote, String)> {
    for (_, tally) in cluster.signals(Signal::UpstreamError) {
        for sample in &tally.samples {
            let Some((host, port)) = sample.field("to").rsplit_once(':') else { continue };
            if port == "53" && is_own(cluster, host) {
                return Some((&sample.quote, host.to_owned()));
            }
        }
    }
    None
}

fn has_loop_plugin(cluster: &Cluster) -> bool {
    cluster.dns.corefile.as_ref().is_none_or(|corefile| corefile.plugin("loop").is_some())
}

fn with_configuration(mut found: Assessment, cluster: &Cluster) -> Assessment {
    for (quote, _) in leads_back(cluster) {
        found = found.proof(&quote, "leads back to CoreDNS");
    }
    for conf in cluster.resolv_confs.iter().filter(|conf| !conf.of_pod) {
        let stubs = conf.nameservers.iter().filter(|server| server.value.starts_with("127.") || server.value == "::1");
        found = found.proofs(stubs.map(|server| &server.quote), "the node's resolver is a stub on loopback");
    }
    for kubelet in &cluster.kubelets {
        found =
            found.proofs(kubelet.resolv_conf.iter().map(|seen| &seen.quote), "the file that the kubelet hands to pods");
    }
    if let Some(corefile) = &cluster.dns.corefile {
        found = found.proofs(corefile.forwards().iter().map(|forward| &forward.quote), "where CoreDNS forwards to");
    }
    for pod in cluster.dns_pods() {
        found = found.about(pod.reference());
    }
    found
}

fn with_fixes(found: Assessment, cluster: &Cluster) -> Assessment {
    let ns = &cluster.dns.namespace;
    found
        .command(
            "Forward to real resolvers",
            format!(
                "kubectl -n {ns} edit configmap coredns\n# replace  forward . /etc/resolv.conf\n# by       forward . <resolver-1> <resolver-2>   (real addresses, not loopback, not the Service)\nkubectl -n {ns} delete pod -l {}   # only the crashing ones",
                cluster.dns.selector
            ),
            "private zones need the resolvers that know them",
        )
        .manual(
            "Hand the pods the real file on nodes with systemd-resolved",
            "Set `resolvConf: /run/systemd/resolve/resolv.conf` in the kubelet's configuration on every node, restart the \
             kubelet, then delete the DNS pods. Do not remove the `loop` plugin: the crash would become an OOM kill.",
        )
}

fn without_loop(cluster: &Cluster) -> Assessment {
    let targets = cluster.dns.corefile.as_ref().map(|corefile| corefile.forwards());
    let from_file = targets.iter().flatten().any(|forward| forward.target.starts_with('/'));
    let node_file = cluster.resolv_confs.iter().any(|conf| !conf.of_pod);
    let up = cluster.dns_logs().any(|log| log.has(Signal::Banner));
    match targets {
        Some(targets) if !targets.is_empty() && (!from_file || node_file || up) => {
            let mut assessment = Assessment::ruled_out(format!(
                "Read: {}; none leads back{}.",
                counted(targets.len(), "forward target"),
                if up { "; CoreDNS started and its probe did not return" } else { "" }
            ));
            for forward in &targets {
                assessment = assessment.against(&forward.quote, "does not lead back");
            }
            assessment
        }
        _ if up => {
            Assessment::ruled_out("CoreDNS started and its loop probe did not return in the logs of the bundle.")
        }
        _ => Assessment::not_checked(
            "Neither CoreDNS's previous logs nor the forward targets are in the bundle.",
            missing(cluster, &[Need::PreviousLogs, Need::Corefile, Need::NodeResolver]),
        ),
    }
}
