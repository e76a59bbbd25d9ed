//! # Names resolve, and what fails comes after
//!
//! ## What it is
//! The name was answered with the right address, and the connection to that address fails: the Service's target port,
//! readiness, a policy on the application's port, TLS or the application itself. Applications often call that a DNS problem.
//!
//! ## How it is recognised
//! By a failed connection to an address that the bundle shows as the answer for a name: in a lookup or as a Service's
//! ClusterIP, with no failed lookup beside it.
//!
//! ## What it is not
//! `lookup … on …:53`, `no such host` and EAI_AGAIN are lookups. One success does not clear a fault that comes and goes.
//!
//! ## Fix
//! Look at that Service: endpoints, selector, `targetPort` against the port on which the process listens, readiness, and
//! policies on its port.
//!
//! ## Prevent
//! Count lookup and connect errors apart in the application's metrics.

use std::collections::BTreeMap;

use super::{Assessment, Class, Failure, Need, missing};
use crate::cluster::{Cluster, Service};
use crate::evidence::facts::{LookupKind, LookupResult};
use crate::knowledge::messages::Signal;
use crate::report::{Confidence, Severity};
use crate::source::Quote;

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "not-dns",
    title: "Names resolve, and what fails comes after",
    hop: None,
    severity: Severity::High,
    class: Class::Cause,
    causes: &[],
    examine,
    source: include_str!("not_dns.rs"),
};

fn examine(cluster: &Cluster) -> Assessment {
    let connections = failed_connections(cluster);
    if connections.is_empty() {
        return not_found(cluster);
    }
    if let Some(quote) = failed_lookup(cluster) {
        return Assessment::ruled_out("Lookups fail as well, so it cannot be called a fault behind DNS.")
            .against(quote, "a lookup that failed");
    }
    for (address, quotes) in &connections {
        let (Some((name, proof)), Some(quote)) = (answered(cluster, address), quotes.first()) else { continue };
        let summary =
            format!("{name} resolves to {address}, and the connection to that address fails: DNS did its part.");
        let mut found = Assessment::found(Confidence::Confirmed, summary, quote, "the connection that failed")
            .proof(proof, "the name is answered with that address");
        found = found.proofs(quotes.iter().copied(), "a connection that failed");
        found = found.proofs(query_lines(cluster, &name), "answered in CoreDNS's query log");
        found = found.proofs(connections.values().flatten().copied().take(8), "a connection that failed");
        return with_service(found, cluster, address);
    }
    not_found(cluster)
}

/// Addresses, without port, to which a connection failed.
fn failed_connections(cluster: &Cluster) -> BTreeMap<String, Vec<&Quote>> {
    let mut failed: BTreeMap<String, Vec<&Quote>> = BTreeMap::new();
    for lookup in cluster.lookups.iter().filter(|lookup| lookup.kind == LookupKind::Connection) {
        if matches!(
            lookup.result,
            LookupResult::ConnectionRefused | LookupResult::TimedOut | LookupResult::AfterConnect
        ) {
            for address in lookup.answers.iter().chain([&lookup.server]) {
                failed.entry(host(address)).or_default().push(&lookup.quote);
            }
        }
    }
    for log in &cluster.logs {
        let Some(tally) = log.tally(Signal::AppConnectFailed) else { continue };
        for sample in &tally.samples {
            let address = sample.field("address");
            if !address.ends_with(":53") {
                failed.entry(host(address)).or_default().push(&sample.quote);
            }
        }
    }
    failed.remove("");
    failed
}

fn host(address: &str) -> String {
    address.rsplit_once(':').map_or(address, |(host, _)| host).trim_matches(['[', ']']).to_owned()
}

fn failed_lookup(cluster: &Cluster) -> Option<&Quote> {
    let tried = cluster
        .lookups
        .iter()
        .find(|lookup| lookup.kind != LookupKind::Connection && lookup.result != LookupResult::Answered);
    let logged =
        cluster.logs.iter().find_map(|log| log.tally(Signal::AppLookupFailed).or(log.tally(Signal::AppNoSuchName)));
    tried.map(|lookup| &lookup.quote).or(logged.map(|tally| &tally.first))
}

/// The name for which the bundle shows that address as the answer, and where.
fn answered<'a>(cluster: &'a Cluster, address: &str) -> Option<(String, &'a Quote)> {
    let lookup = cluster.lookups.iter().find(|lookup| {
        lookup.kind == LookupKind::Tool
            && lookup.result == LookupResult::Answered
            && lookup.answers.iter().any(|answer| answer == address)
    })?;
    Some((lookup.name.clone(), &lookup.quote))
}

fn query_lines<'a>(cluster: &'a Cluster, name: &str) -> impl Iterator<Item = &'a Quote> {
    let asked = format!("{}.", name.trim_end_matches('.'));
    cluster.dns_logs().filter_map(move |log| log.queries.answered.get(&asked))
}

fn service_of<'a>(cluster: &'a Cluster, address: &str) -> Option<&'a Service> {
    cluster.services.iter().find(|s| s.best(|sight| sight.cluster_ip.as_ref()).is_some_and(|ip| ip.value == address))
}

/// The Service at that address: its target port, and what refused behind it.
fn with_service(mut found: Assessment, cluster: &Cluster, address: &str) -> Assessment {
    let service = service_of(cluster, address);
    if let Some(service) = service {
        found = found.about(service.subject("service"));
        for sight in &service.sights {
            let places = sight.ports.iter().flat_map(|port| [Some(&port.quote), port.target_quote.as_ref()]);
            found = found.proofs(places.flatten(), "the Service's port and where it leads");
        }
    }
    let (ns, name) = service.map_or(("NAMESPACE", "SERVICE"), |service| {
        (service.namespace.as_deref().unwrap_or("NAMESPACE"), service.name.as_str())
    });
    found
        .command(
            "Compare the Service's targetPort with the port on which the process listens",
            format!("kubectl -n {ns} describe service {name}\nkubectl -n {ns} get endpointslices -l kubernetes.io/service-name={name} -o yaml"),
            "",
        )
        .manual("Leave DNS alone", "A name that resolves to the right address clears DNS: look at selector, readiness, policies on the application's port, and the process itself.")
}

fn not_found(cluster: &Cluster) -> Assessment {
    Assessment::not_checked(
        "No failed connection to an address that a lookup in the bundle gave.",
        missing(cluster, &[Need::Lookup]),
    )
}
