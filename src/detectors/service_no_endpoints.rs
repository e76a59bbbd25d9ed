//! # The DNS Service has no ready address
//!
//! ## What it is
//! Nobody stands behind the address that pods ask. Clients are refused at once rather than timed out.
//!
//! ## How it is recognised
//! By EndpointSlices or Endpoints without a ready address. A blank cell in a table means that no address is ready, `<none>`
//! that no pod matches at all.
//!
//! ## What it is not
//! Empty endpoints of an application's Service. A table of slices lists addresses that are not ready like ready ones, so it
//! proves nothing.
//!
//! ## Fix
//! Follow the chain: pods not ready, selector, no replicas. Never write Endpoints by hand.
//!
//! ## Prevent
//! Two replicas on two nodes, a PodDisruptionBudget, an alert when the Service has no ready address for a minute.

use super::starting::counted;
use super::{Assessment, Class, Failure, Need, causes, missing};
use crate::cluster::{Backing, Cluster, Service};
use crate::evidence::facts::EmptyCell;
use crate::report::{Confidence, Hop, Severity};

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "service-no-endpoints",
    title: "The DNS Service has no ready address",
    hop: Some(Hop::Endpoints),
    severity: Severity::Critical,
    class: Class::Cause,
    causes: &[causes("nodelocal-upstream")],
    examine,
    source: include_str!("service_no_endpoints.rs"),
};

fn examine(cluster: &Cluster) -> Assessment {
    let backed: Vec<(&Service, Backing)> =
        cluster.dns_services().filter_map(|service| Some((service, cluster.backing(service)?))).collect();
    if let Some((service, backing)) = backed.iter().find(|(_, backing)| backing.is_empty()) {
        return found(cluster, service, backing);
    }
    let ready: Vec<_> = backed.iter().filter(|(_, backing)| !backing.ready.is_empty()).collect();
    if ready.is_empty() {
        return Assessment::not_checked(
            "No source in the bundle shows which addresses of the DNS Service are ready.",
            missing(cluster, &[Need::Endpoints]),
        );
    }
    let addresses: usize = ready.iter().map(|(_, backing)| backing.ready.len()).sum();
    let mut assessment = Assessment::ruled_out(format!(
        "Read: {}, with {} behind.",
        counted(ready.len(), "DNS Service"),
        if addresses == 1 { "1 ready address".to_owned() } else { format!("{addresses} ready addresses") }
    ));
    for (_, backing) in ready {
        for quote in &backing.quotes {
            assessment = assessment.against(quote, "ready addresses");
        }
    }
    assessment
}

fn found(cluster: &Cluster, service: &Service, backing: &Backing) -> Assessment {
    let why = match (backing.not_ready.len(), backing.empty) {
        (0, Some(EmptyCell::None)) => "no pod matches its selector",
        (0, Some(EmptyCell::Blank)) => "no address behind it is ready",
        (0, None) => "no address stands behind it",
        _ => "addresses stand behind it, and none is ready",
    };
    let name = service.subject("service");
    let summary = format!("The DNS Service {} has no ready address: {why}.", service.name);
    let ns = &cluster.dns.namespace;
    let mut found = match backing.quotes.first() {
        Some(quote) => Assessment::found(Confidence::Confirmed, summary, quote, "the address list"),
        None => return Assessment::not_checked(summary, missing(cluster, &[Need::Endpoints])),
    };
    found = found
        .proofs(&backing.quotes, "the address list")
        .proofs(&backing.not_ready_quote, "addresses that are not ready");
    let selector = service.best(|sight| sight.selector.as_ref());
    found = found.proofs(selector.map(|seen| &seen.quote), "what the Service selects");
    found = found.proofs(service.sights.iter().map(|sight| &sight.at), "the Service");
    found.about(name).command(
        "See which link of the chain is broken",
        format!(
            "kubectl get pods -n {ns} --show-labels -o wide\nkubectl get svc,endpoints,endpointslices -n {ns} -o yaml"
        ),
        "do not write Endpoints by hand",
    )
}
