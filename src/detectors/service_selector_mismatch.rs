//! # The DNS Service selects no ready DNS pod
//!
//! ## What it is
//! DNS pods are ready, and the Service that clients ask looks for other labels, or for a port that the pods do not have. It
//! often comes from a chart that takes over: its pods carry `k8s-app=coredns`, the old Service wants `k8s-app=kube-dns`.
//!
//! ## How it is recognised
//! By evaluating the Service's selector against the labels of the ready DNS pods, and its named target ports against their
//! containers' ports.
//!
//! ## What it is not
//! Pods that match and are not ready. A second Service that works, at an address that the kubelets do not hand out, stands
//! beside it.
//!
//! ## Fix
//! Patch the Service's selector to the pods' label, and keep the ClusterIP that the kubelets use. Never delete the Service:
//! its address may not come back.
//!
//! ## Prevent
//! One owner for Service and workload; check in the rendered manifests that the selector is part of the pod labels.

use std::collections::BTreeMap;

use super::starting::counted;
use super::{Assessment, Class, Failure, Need, causes, missing};
use crate::cluster::{Cluster, Pod, Service};
use crate::report::{Confidence, Hop, Severity};
use crate::source::Seen;

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "service-selector-mismatch",
    title: "The DNS Service selects no ready DNS pod",
    hop: Some(Hop::Endpoints),
    severity: Severity::Critical,
    class: Class::Cause,
    causes: &[causes("service-no-endpoints")],
    examine,
    source: include_str!("service_selector_mismatch.rs"),
};

type Labels = Seen<BTreeMap<String, String>>;

fn examine(cluster: &Cluster) -> Assessment {
    let ready: Vec<(&Pod, &Labels)> = cluster
        .dns_pods()
        .filter(|pod| !pod.gone() && pod.ready().is_some_and(|seen| seen.value))
        .filter_map(|pod| Some((pod, pod.labels()?)))
        .collect();
    let services: Vec<(&Service, &Labels)> = cluster
        .dns_services()
        .filter_map(|service| Some((service, service.best(|sight| sight.selector.as_ref())?)))
        .filter(|(_, selector)| !selector.value.is_empty())
        .collect();
    if ready.is_empty() || services.is_empty() {
        return unknown(cluster);
    }
    for (service, selector) in &services {
        let fitting =
            ready.iter().filter(|(pod, labels)| near(service, pod) && selects(&selector.value, &labels.value));
        let backing = cluster.backing(service);
        let backed = backing.as_ref().is_some_and(|backing| !backing.ready.is_empty());
        if fitting.count() == 0 && !backed {
            return found(cluster, service, selector, &ready);
        }
    }
    if let Some(assessment) = named_port(cluster, &services, &ready) {
        return assessment;
    }
    let mut assessment = Assessment::ruled_out(format!(
        "Selectors of {} evaluated against {}: each selects some.",
        counted(services.len(), "DNS Service"),
        counted(ready.len(), "ready DNS pod")
    ));
    for (_, selector) in &services {
        assessment = assessment.against(&selector.quote, "selects ready DNS pods");
    }
    assessment
}

/// A Service selects pods of its own namespace only.
fn near(service: &Service, pod: &Pod) -> bool {
    service.namespace.is_none() || pod.namespace.is_none() || service.namespace == pod.namespace
}

fn selects(selector: &BTreeMap<String, String>, labels: &BTreeMap<String, String>) -> bool {
    selector.iter().all(|(key, value)| labels.get(key) == Some(value))
}

fn found(cluster: &Cluster, service: &Service, selector: &Labels, ready: &[(&Pod, &Labels)]) -> Assessment {
    let (wanted, given) = difference(&selector.value, &ready[0].1.value);
    let summary =
        format!("The Service {} selects {wanted}, and the {} ready DNS pods carry {given}.", service.name, ready.len());
    let confirmed = cluster.backing(service).is_some_and(|backing| backing.is_empty());
    let confidence = if confirmed { Confidence::Confirmed } else { Confidence::Likely };
    let mut found = Assessment::found(confidence, summary, &selector.quote, "what the Service selects");
    for (pod, labels) in ready.iter().take(4) {
        found = found.proof(&labels.quote, "labels of a ready DNS pod").about(pod.reference());
    }
    found = found.proofs(&cluster.backing_quotes(service), "the Service's address list");
    with_fixes(found.about(service.subject("service")), cluster, service, &selector.value, ready)
}

/// A merge patch of the selector, tried on the labels of every ready DNS pod.
fn with_fixes(
    found: Assessment,
    cluster: &Cluster,
    service: &Service,
    selector: &BTreeMap<String, String>,
    ready: &[(&Pod, &Labels)],
) -> Assessment {
    let ns = service.namespace.as_deref().unwrap_or(&cluster.dns.namespace);
    let mut patched = selector.clone();
    let mut pairs = Vec::new();
    for (key, value) in &mut patched {
        let carried = ready.first().and_then(|(_, labels)| labels.value.get(key));
        if let Some(carried) = carried.filter(|carried| *carried != value) {
            value.clone_from(carried);
            pairs.push(format!("\"{key}\":\"{carried}\""));
        }
    }
    let mended = !pairs.is_empty() && ready.iter().all(|(_, labels)| selects(&patched, &labels.value));
    let body = if mended {
        let patch = format!("{{\"spec\":{{\"selector\":{{{}}}}}}}", pairs.join(","));
        format!("kubectl -n {ns} patch service {} --type=merge -p '{patch}'", service.name)
    } else {
        format!("kubectl -n {ns} edit service {}   # set spec.selector to labels that all DNS pods carry", service.name)
    };
    found
        .command(
            "Patch the Service's selector to the pods' label; its ClusterIP stays",
            body,
            "a chart that owns the Service puts its own selector back",
        )
        .verified(mended)
        .manual(
            "Or bring the label back",
            "Set the chart's value for the pod label to what the Service selects, and roll the workload. Do not delete the \
             Service: its ClusterIP may not come back.",
        )
}

/// The selector's pairs that the labels lack, and what the labels have for the same keys.
fn difference(selector: &BTreeMap<String, String>, labels: &BTreeMap<String, String>) -> (String, String) {
    let lacking: Vec<_> = selector.iter().filter(|(key, value)| labels.get(*key) != Some(value)).collect();
    let wanted = lacking.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(", ");
    let given: Vec<String> =
        lacking.iter().filter_map(|(key, _)| labels.get(*key).map(|value| format!("{key}={value}"))).collect();
    (wanted, if given.is_empty() { "no such label".to_owned() } else { given.join(", ") })
}

/// A target port by name that no container of the ready pods has.
fn named_port(cluster: &Cluster, services: &[(&Service, &Labels)], ready: &[(&Pod, &Labels)]) -> Option<Assessment> {
    let names: Vec<&str> = ready
        .iter()
        .flat_map(|(pod, _)| pod.sights.iter())
        .flat_map(|sight| &sight.containers)
        .flat_map(|container| &container.ports)
        .map(|port| port.name.as_str())
        .filter(|name| !name.is_empty())
        .collect();
    if names.is_empty() {
        return None;
    }
    let (service, port) = services
        .iter()
        .flat_map(|(service, _)| service.sights.iter().flat_map(|sight| &sight.ports).map(move |port| (service, port)))
        .find(|(_, port)| {
            let by_name = !port.target.is_empty() && port.target.parse::<u16>().is_err();
            by_name && port.port == 53 && !names.contains(&port.target.as_str())
        })?;
    let summary =
        format!("The Service {} sends port 53 to the port named {}, which no DNS pod has.", service.name, port.target);
    Some(
        Assessment::found(Confidence::Likely, summary, &port.quote, "the Service's target port")
            .about(service.subject("service"))
            .manual(
                "Name a port that the pods have",
                format!("Set targetPort of the Service to one of: {}.", names.join(", ")),
            ),
    )
    .filter(|_| cluster.dns_all_ready() == Some(true))
}

fn unknown(cluster: &Cluster) -> Assessment {
    let backed: Vec<_> = cluster.dns_services().filter_map(|service| cluster.backing(service)).collect();
    match backed.iter().find(|backing| !backing.ready.is_empty()) {
        Some(backing) if backed.iter().all(|other| !other.is_empty()) => {
            let assessment =
                Assessment::ruled_out("Ready addresses stand behind the DNS Service, so its selector finds pods.");
            backing.quotes.iter().fold(assessment, |assessment, quote| assessment.against(quote, "ready addresses"))
        }
        _ => Assessment::not_checked(
            "The Service's selector and the labels of ready DNS pods are not both in the bundle.",
            missing(cluster, &[Need::Endpoints, Need::PodObjects]),
        ),
    }
}
