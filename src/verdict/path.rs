//! The path of a query: client → policy → service → endpoints → server → api / upstream.

use super::Answer;
use crate::cluster::Cluster;
use crate::detectors::Class;
use crate::evidence::facts::{Lookup, LookupKind, LookupResult};
use crate::knowledge::messages::Signal;
use crate::report::{Hop, HopState, PathHop, Severity};

/// Each hop with its state: what was found on it, else what shows it working, else unknown.
pub fn path(cluster: &Cluster, answers: &[Answer]) -> Vec<PathHop> {
    Hop::ALL.iter().map(|hop| one(cluster, answers, *hop)).collect()
}

fn one(cluster: &Cluster, answers: &[Answer], hop: Hop) -> PathHop {
    let here: Vec<&Answer> = answers
        .iter()
        .filter(|answer| answer.failure.hop == Some(hop) && answer.assessment.holds() && !answer.assessment.risk)
        .collect();
    let findings: Vec<String> = here.iter().map(|answer| answer.failure.id.to_owned()).collect();
    let sure: Vec<&&Answer> = here.iter().filter(|answer| answer.assessment.observed()).collect();
    let severity = |answer: &Answer| answer.assessment.severity.unwrap_or(answer.failure.severity);
    if let Some(worst) = sure.iter().max_by_key(|answer| (!answer.assessment.past, severity(answer))) {
        let state = match (worst.assessment.past, severity(worst)) {
            (true, _) | (_, Severity::Medium | Severity::High) => HopState::Degraded,
            // What shows it working at collection time speaks against broken.
            (_, Severity::Critical) if works(cluster, hop).is_some() => HopState::Degraded,
            (_, Severity::Critical) => HopState::Broken,
            _ => HopState::Ok,
        };
        // What happened first explains more than what people saw of it.
        let telling = sure.iter().find(|answer| answer.failure.class != Class::Symptom).unwrap_or(worst);
        return PathHop { hop, state, why: telling.failure.title.to_owned(), findings };
    }
    match works(cluster, hop) {
        Some(why) => PathHop { hop, state: HopState::Ok, why, findings },
        None => PathHop { hop, state: HopState::Unknown, why: "nothing in the bundle shows it".to_owned(), findings },
    }
}

/// What shows a hop working.
fn works(cluster: &Cluster, hop: Hop) -> Option<String> {
    match hop {
        Hop::Client | Hop::Policy => {
            answered(cluster, |_| true).map(|lookup| format!("a lookup of {} was answered", lookup.name))
        }
        Hop::Service => {
            let address = |lookup: &Lookup| {
                cluster
                    .dns_services()
                    .any(|service| service.best(|s| s.cluster_ip.as_ref()).is_some_and(|ip| ip.value == lookup.server))
            };
            answered(cluster, address).map(|lookup| format!("{} answered at the Service's address", lookup.server))
        }
        Hop::Endpoints => cluster.dns_services().find_map(|service| {
            let backing = cluster.backing(service)?;
            (!backing.ready.is_empty())
                .then(|| format!("Service {} has {} ready addresses", service.name, backing.ready.len()))
        }),
        Hop::Server => (cluster.dns_all_ready() == Some(true)).then(|| "every DNS pod shown is ready".to_owned()),
        Hop::Api => api_works(cluster),
        Hop::Upstream => answered(cluster, |lookup| !cluster_name(&lookup.name))
            .map(|lookup| format!("the outside name {} was answered", lookup.name)),
    }
}

fn answered(cluster: &Cluster, fits: impl Fn(&Lookup) -> bool) -> Option<&Lookup> {
    cluster.lookups.iter().find(|lookup| {
        lookup.kind == LookupKind::Tool
            && lookup.result == LookupResult::Answered
            && !lookup.name.is_empty()
            && fits(lookup)
    })
}

fn cluster_name(name: &str) -> bool {
    name.contains(".svc") || !name.trim_end_matches('.').contains('.')
}

/// The kubernetes plugin has synced: readiness asks /ready and is green, or a name of the cluster was answered.
fn api_works(cluster: &Cluster) -> Option<String> {
    if let Some(lookup) = answered(cluster, |lookup| lookup.name.contains(".svc")) {
        return Some(format!("the cluster name {} was answered", lookup.name));
    }
    let asks_ready =
        cluster.dns_containers().all(|(_, view)| view.readiness().is_some_and(|probe| probe.path.contains("ready")));
    let unsynced = cluster.says(Signal::ApiUnsynced).is_some();
    (cluster.dns_all_ready() == Some(true) && asks_ready && !unsynced && cluster.dns_containers().next().is_some())
        .then(|| "the readiness probe asks /ready, and every pod is ready".to_owned())
}
