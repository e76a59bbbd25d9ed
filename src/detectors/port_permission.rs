//! # The listen port is not allowed
//!
//! ## What it is
//! CoreDNS may not open port 53. From 1.11.0 on it does not run as root; the image's file has the capability
//! NET_BIND_SERVICE instead, and that is lost when the container drops it, forbids privilege escalation on an old runtime,
//! or the image was copied without extended attributes.
//!
//! ## How it is recognised
//! By `bind: permission denied` and exit 1.
//!
//! ## What it is not
//! `address already in use` is `port-in-use`. `exec /coredns: operation not permitted` is `exec-failed`.
//!
//! ## Fix
//! Give the container `capabilities: add: [NET_BIND_SERVICE]`; on an old runtime also `allowPrivilegeEscalation: true`, or
//! the pod sysctl `net.ipv4.ip_unprivileged_port_start`.
//!
//! ## Prevent
//! Try a security baseline on one DNS pod before it is enforced.

use super::{Assessment, Class, Failure, causes, ports};
use crate::cluster::Cluster;
use crate::evidence::facts::NodeLineKind;
use crate::knowledge::messages::Signal;
use crate::report::{Confidence, Hop, Severity};

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "port-permission",
    title: "The listen port is not allowed",
    hop: Some(Hop::Server),
    severity: Severity::Critical,
    class: Class::Cause,
    causes: &[causes("crash-loop")],
    examine,
    source: include_str!("port_permission.rs"),
};

fn examine(cluster: &Cluster) -> Assessment {
    let Some((log, tally)) = cluster.signals(Signal::PortDenied).next() else { return ports::listens(cluster) };
    let port = tally.samples.first().map_or("53", |sample| sample.field("port")).to_owned();
    let summary = format!("CoreDNS may not open port {port}: the container lacks NET_BIND_SERVICE or may not use it.");
    let mut found = Assessment::found(Confidence::Confirmed, summary, &tally.first, "the system's own answer")
        .past(log.started_after(tally.last.source.line))
        .since(cluster.first_at(Signal::PortDenied).or_else(|| cluster.first_death()));
    let templates = cluster.dns_workload().map(|workload| workload.containers()).unwrap_or(&[]);
    let pods = cluster.pods.iter().filter(|pod| cluster.dns_pods().any(|dns| dns.name == pod.name));
    let containers = pods.flat_map(|pod| &pod.sights).flat_map(|sight| &sight.containers).chain(templates);
    for container in containers {
        let escalation = container.privilege_escalation.as_ref().filter(|seen| !seen.value);
        found = found.proofs(escalation.map(|seen| &seen.quote), "forbids using the file's capability on old runtimes");
        if !container.capabilities_added.iter().any(|name| name == "NET_BIND_SERVICE") {
            let dropped = container.capabilities_dropped.as_ref();
            found = found.proofs(dropped.map(|seen| &seen.quote), "drops the capability");
        }
    }
    let settings = cluster.node_lines.iter().filter(|line| {
        (line.kind == NodeLineKind::Sysctl && line.key == "net.ipv4.ip_unprivileged_port_start")
            || line.kind == NodeLineKind::Runtime
    });
    found = found.proofs(settings.map(|line| &line.quote), "the node's side of it");
    for pod in cluster.dns_pods() {
        found = found.about(pod.reference());
    }
    found
        .patch(
            "Give the container the capability",
            "securityContext:\n  allowPrivilegeEscalation: true   # old runtimes only; newer ones do not need it\n  capabilities:\n    add: [NET_BIND_SERVICE]\n    drop: [ALL]",
            "a policy that forbids privilege escalation must make an exception for DNS",
        )
        .manual(
            "Or allow low ports without it",
            "Pod sysctl `net.ipv4.ip_unprivileged_port_start=0` (set by newer container runtimes themselves), or let CoreDNS \
             listen above 1024 and map the Service's port 53 to it with targetPort.",
        )
}
