//! # The listen port is taken
//!
//! ## What it is
//! Another process on the same network holds a port that CoreDNS wants: :53, or a port of its helpers.
//!
//! ## How it is recognised
//! By `bind: address already in use`. The port in the text tells which listener: DNS and health end the process, metrics
//! only logs one error, the port of `ready` prints nothing at all.
//!
//! ## What it is not
//! `permission denied` is `port-permission`. A second CoreDNS of the same user shares the port silently. In NodeLocal
//! DNSCache the same words are `nodelocal-bind`.
//!
//! ## Fix
//! Keep the node's own resolver and move CoreDNS: no `hostNetwork`, `bind` to one address, another port with the Service's
//! targetPort, or another node.
//!
//! ## Prevent
//! Know what binds 53, 8080, 8181 and 9153 on each node where DNS may land.

use super::{Assessment, Class, Failure, Need, causes, causes_when, missing, ports};
use crate::cluster::Cluster;
use crate::evidence::facts::NodeLineKind;
use crate::knowledge::messages::Signal;
use crate::report::{Confidence, Hop, Severity};

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "port-in-use",
    title: "The listen port is taken",
    hop: Some(Hop::Server),
    severity: Severity::Critical,
    class: Class::Cause,
    causes: &[
        causes("crash-loop"),
        causes("reload-failed"),
        causes_when("readiness-failing", |cluster| port_of(cluster).is_some_and(|port| port == "8181")),
    ],
    examine,
    source: include_str!("port_in_use.rs"),
};

fn port_of(cluster: &Cluster) -> Option<String> {
    let (_, tally) = cluster.signals(Signal::PortInUse).next()?;
    Some(tally.samples.first()?.field("port").to_owned())
}

fn examine(cluster: &Cluster) -> Assessment {
    let Some((log, tally)) = cluster.signals(Signal::PortInUse).next() else { return ports::listens(cluster) };
    let sample = tally.samples.first();
    let field = |name: &str| sample.map_or("", |sample| sample.field(name)).to_owned();
    let (proto, address, port) = (field("proto"), field("address"), field("port"));
    let lives = log.started_after(tally.last.source.line) || tally.last.text.contains("metrics handler");
    let effect = if lives { "it runs on without that listener" } else { "it ends with exit 1" };
    let summary =
        format!("CoreDNS cannot listen on {proto} {address}:{port} because another process holds it; {effect}.");
    let mut found = Assessment::found(Confidence::Confirmed, summary, &tally.first, "the system's own answer")
        .since(cluster.first_at(Signal::PortInUse).or_else(|| cluster.first_death()));
    if lives {
        found = found.severity(Severity::Medium);
    }
    let holders = cluster
        .node_lines
        .iter()
        .filter(|line| line.kind == NodeLineKind::Listener && line.key.rsplit(':').next() == Some(port.as_str()));
    found = found.proofs(holders.map(|line| &line.quote), "who listens on that port");
    for pod in cluster.dns_pods() {
        found = found.about(pod.reference());
        let host = pod.best(|sight| sight.host_network.as_ref()).filter(|seen| seen.value);
        found = found.proofs(host.map(|seen| &seen.quote), "the pod shares the node's network");
    }
    let ns = &cluster.dns.namespace;
    found
        .wants(if cluster.node_lines.iter().any(|l| l.kind == NodeLineKind::Listener) { Vec::new() } else { missing(cluster, &[Need::Listeners]) })
        .command(
            "Take CoreDNS off the node's network",
            format!("kubectl -n {ns} patch {} --type=json -p '[{{\"op\":\"remove\",\"path\":\"/spec/template/spec/hostNetwork\"}}]'", cluster.dns.workload_reference),
            "if hostNetwork is needed, bind to one address instead",
        )
        .manual(
            "Or let both live on the node",
            format!("Write `bind ADDRESS` into each server block, so that CoreDNS takes one address and the other server keeps its own; or give port {port} of CoreDNS another number together with the Service's targetPort or the probe. Do not kill the node's resolver: the node needs it to pull images."),
        )
}
