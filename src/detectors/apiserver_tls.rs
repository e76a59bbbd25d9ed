//! # The Kubernetes API and CoreDNS do not trust each other
//!
//! ## What it is
//! The API server's certificate is refused by CoreDNS, or CoreDNS's token by the API server. CoreDNS reads the certificate
//! authority at its start and keeps it, so a rotation leaves running pods with the old one: they go on answering from what
//! they last knew.
//!
//! ## How it is recognised
//! By `x509: …` or `Unauthorized` on the API leg in CoreDNS's log.
//!
//! ## What it is not
//! An x509 error of an application about an outside name, `tls:` towards an upstream on port 853, and `forbidden`. CoreDNS
//! 1.8.6 prints nothing for either.
//!
//! ## Fix
//! Finish the rotation, then restart the DNS pods one by one.
//!
//! ## Prevent
//! Let the old and the new authority overlap; make the restart of consumers a step of the rotation; keep clocks right.

use super::{Assessment, Class, Failure, Need, api, missing};
use crate::cluster::Cluster;
use crate::knowledge::messages::Signal;
use crate::report::{Confidence, Hop, Severity};

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "apiserver-tls",
    title: "The Kubernetes API and CoreDNS do not trust each other",
    hop: Some(Hop::Api),
    severity: Severity::Critical,
    class: Class::Cause,
    causes: &api::EFFECTS,
    examine,
    source: include_str!("apiserver_tls.rs"),
};

fn examine(cluster: &Cluster) -> Assessment {
    for signal in [Signal::ApiTls, Signal::ApiUnauthorized] {
        let Some((_, tally)) = cluster.signals(signal).next() else { continue };
        let reason = match tally.samples.first().map_or("", |sample| sample.field("reason")) {
            "" => "Unauthorized: the token is not accepted",
            reason => reason,
        };
        let found = Assessment::found(
            Confidence::Confirmed,
            format!("CoreDNS and the Kubernetes API do not trust each other: {reason}."),
            &tally.first,
            "the error on the API leg",
        )
        .past(api::recovered(cluster, signal))
        .since(cluster.first_at(signal));
        let found =
            tally.samples.iter().fold(found, |found, sample| found.proof(&sample.quote, "the error on the API leg"));
        return with_fixes(api::with_context(found, cluster), cluster);
    }
    if let Some(quote) = api::request_code(cluster, "401") {
        let summary = "The Kubernetes API answers CoreDNS with 401 Unauthorized.";
        return with_fixes(Assessment::found(Confidence::Confirmed, summary, quote, "refused requests"), cluster);
    }
    if cluster.says(Signal::ApiFailedSilently).is_some() {
        return Assessment::not_checked(
            "CoreDNS could not watch the API, and this version does not print why.",
            missing(cluster, &[Need::Metrics]),
        );
    }
    api::synced(cluster).unwrap_or_else(|| {
        Assessment::not_checked(
            "No log or metric shows CoreDNS's leg to the Kubernetes API.",
            missing(cluster, &[Need::Logs, Need::Metrics]),
        )
    })
}

fn with_fixes(found: Assessment, cluster: &Cluster) -> Assessment {
    let ns = &cluster.dns.namespace;
    found
        .command(
            "Compare the authority that pods get with the API server's",
            format!("kubectl get configmap kube-root-ca.crt -n {ns} -o jsonpath='{{.data.ca\\.crt}}' | openssl x509 -noout -subject -enddate"),
            "",
        )
        .command(
            "When the rotation is finished, restart the DNS pods one by one",
            format!("kubectl rollout restart {} -n {ns} && kubectl rollout status {} -n {ns}", cluster.dns.workload_reference, cluster.dns.workload_reference),
            "before the rotation is finished a restarted pod loses the data that it still serves",
        )
}
