//! # No way to the Kubernetes API
//!
//! ## What it is
//! CoreDNS cannot reach the API server, or the API server does not work. Before the first sync names of the cluster get
//! SERVFAIL; after it, CoreDNS answers for ever from what it last knew.
//!
//! ## How it is recognised
//! By the reason in CoreDNS's log (refused, no route, time-out, TLS handshake time-out, an error of the API server), or by
//! `code="<error>"` among its API requests (1.11.0 on). Some versions print no reason: then it stays suspected.
//!
//! ## What it is not
//! `forbidden` is `rbac-forbidden`; `x509` and `Unauthorized` are `apiserver-tls`; time-outs on port 53 are upstreams. A
//! watch that ended once is routine after an API server restart, and so are errors before the first start line.
//!
//! ## Fix
//! By reason: refused: start the API server; no route to host: a host firewall rejects, open 6443 for the pod range;
//! time-out: kube-proxy, the network plugin or an egress policy.
//!
//! ## Prevent
//! Firewall rules for the pod range in the node build; alert on sustained 5xx or `<error>` codes.

use super::{Assessment, Class, Failure, Need, api, missing};
use crate::cluster::Cluster;
use crate::evidence::facts::NodeLineKind;
use crate::knowledge::messages::Signal;
use crate::report::{Confidence, Hop, Severity};

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "apiserver-unreachable",
    title: "No way to the Kubernetes API",
    hop: Some(Hop::Api),
    severity: Severity::Critical,
    class: Class::Cause,
    causes: &api::EFFECTS,
    examine,
    source: include_str!("apiserver_unreachable.rs"),
};

fn examine(cluster: &Cluster) -> Assessment {
    for signal in [Signal::ApiUnreachable, Signal::ApiUnhealthy] {
        let Some((_, tally)) = cluster.signals(signal).next() else { continue };
        if api::only_at_start(cluster, signal) {
            return Assessment::ruled_out("CoreDNS waited for the API at its start and then came up synced.")
                .against(&tally.last, "the last error, before the start line");
        }
        let sample = tally.samples.first();
        let reason = sample.map_or("", |sample| sample.field("reason")).trim_start_matches("connect: ").to_owned();
        let address = sample.map_or("", |sample| sample.field("address")).to_owned();
        let place = if address.is_empty() {
            "the Kubernetes API".to_owned()
        } else {
            format!("the Kubernetes API at {address}")
        };
        let mut found = Assessment::found(
            Confidence::Confirmed,
            format!("CoreDNS cannot use {place}: {reason}{}.", meaning(&reason)),
            &tally.first,
            "CoreDNS's own error",
        )
        .past(api::recovered(cluster, signal))
        .since(cluster.first_at(signal));
        for sample in &tally.samples {
            found = found.proof(&sample.quote, "CoreDNS's own error");
        }
        return with_fixes(with_network(api::with_context(found, cluster), cluster), cluster, &reason);
    }
    for code in ["<error>", "500", "503", "429"] {
        let Some(quote) = api::request_code(cluster, code) else { continue };
        let Some(unsynced) = waiting(cluster) else { continue };
        let found = Assessment::found(
            Confidence::Confirmed,
            format!("CoreDNS's requests to the Kubernetes API end with {code}, and it waits for the API."),
            quote,
            "failed requests",
        )
        .proof(unsynced, "CoreDNS waits for the API");
        return with_fixes(with_network(found, cluster), cluster, "");
    }
    if let (Some(unsynced), None) = (waiting(cluster), refused(cluster)) {
        return Assessment::suspected(
            "CoreDNS waits for the Kubernetes API and does not say why; some versions print no reason when it is not reachable.",
            unsynced,
            "CoreDNS waits for the API",
        )
        .wants(missing(cluster, &[Need::Metrics, Need::Roles, Need::Network]));
    }
    api::synced(cluster).unwrap_or_else(|| {
        Assessment::not_checked(
            "No log or metric shows CoreDNS's leg to the Kubernetes API.",
            missing(cluster, &[Need::Logs, Need::Metrics]),
        )
    })
}

/// What a reason usually means.
fn meaning(reason: &str) -> &'static str {
    if reason.contains("no route to host") {
        "; a host firewall that rejects looks like this"
    } else if reason.contains("refused") {
        "; nothing listens there, or the Service has no endpoints"
    } else if reason.contains("timeout") || reason.contains("timed out") {
        "; packets are dropped on the way (kube-proxy, the network plugin, an egress policy), or the API server hangs"
    } else {
        ""
    }
}

/// CoreDNS started without the API, or its readiness waits for the kubernetes plugin at the end of a log.
fn waiting(cluster: &Cluster) -> Option<&crate::source::Quote> {
    let not_ready = |signal: Signal| {
        cluster.signals(signal).find(|(log, tally)| !log.owner.previous && !log.started_after(tally.last.source.line))
    };
    let unsynced = cluster.says(Signal::ApiUnsynced);
    let silent = not_ready(Signal::ApiFailedSilently).map(|(_, tally)| &tally.first);
    if cluster.dns_all_ready() == Some(true) {
        return None;
    }
    unsynced.or(silent)
}

/// Another reason of the API leg is known.
fn refused(cluster: &Cluster) -> Option<&crate::source::Quote> {
    [Signal::ApiForbidden, Signal::ApiUnauthorized, Signal::ApiTls].into_iter().find_map(|signal| cluster.says(signal))
}

/// Firewall rules and listeners that name the API server's ports.
fn with_network(found: Assessment, cluster: &Cluster) -> Assessment {
    let rules = cluster
        .node_lines
        .iter()
        .filter(|line| line.kind == NodeLineKind::Firewall && ["6443", "443"].contains(&line.key.as_str()));
    found.proofs(rules.map(|line| &line.quote), "a rule about the API server's port")
}

fn with_fixes(found: Assessment, cluster: &Cluster, reason: &str) -> Assessment {
    let ns = &cluster.dns.namespace;
    let found = if reason.contains("no route to host") || !reason.contains("refused") {
        found.command(
            "Open the API server's port for the pod range in the host firewall",
            "# on the control-plane nodes, with the cluster's pod range\nfirewall-cmd --permanent --add-rich-rule='rule family=\"ipv4\" source address=\"POD-RANGE\" port port=\"6443\" protocol=\"tcp\" accept'\nfirewall-cmd --reload",
            "open it for the pod range only",
        )
    } else {
        found.manual("Start the API server", "The address refuses: look at the kube-apiserver container on the control plane, and at `kubectl get endpointslices -n default`.")
    };
    found.command(
        "Find where the way ends",
        format!("kubectl get endpointslices -n default -o yaml; kubectl get networkpolicy -n {ns} -o yaml\n# on the node of a DNS pod:\niptables-save | grep KUBE-SVC-NPX46M4PTMTKRN6Y; curl -k -m 5 https://API-SERVER:6443/version"),
        "",
    )
}
