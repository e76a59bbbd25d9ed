//! The eight questions that close a DNS incident.

use super::Answer;
use crate::cluster::Cluster;
use crate::evidence::facts::GapKind;
use crate::knowledge::messages::Signal;
use crate::report::{CheckItem, CheckState, Evidence, Sizing, Status};
use crate::source::Quote;

/// All eight, in order.
pub fn checklist(cluster: &Cluster, answers: &[Answer], sizing: &Sizing) -> Vec<CheckItem> {
    vec![
        pods_running(cluster),
        limits_from_usage(sizing),
        endpoints_non_empty(cluster),
        from_finding(
            answers,
            "networkpolicy-blocks-dns",
            "default-deny-allows-dns",
            "Each default-deny NetworkPolicy is joined by an egress rule for UDP and TCP 53 to the DNS pods",
        ),
        from_finding(
            answers,
            "ndots-amplification",
            "ndots-scoped",
            "ndots is lowered for the workloads that need it, and not to 1 for the whole cluster",
        ),
        nodelocal(cluster),
        pdb(cluster),
        unknown(
            "monitored",
            "Response codes and p99 latency are scraped and alerted on, by metric names that this version has",
            "no alert or scrape objects are in the bundle",
        ),
    ]
}

fn item(id: &str, question: &str, state: CheckState, why: String, quotes: Vec<&Quote>) -> CheckItem {
    let evidence = quotes.into_iter().take(8).map(|quote| Evidence::of(quote, state != CheckState::Fail, "")).collect();
    CheckItem { id: id.to_owned(), item: question.to_owned(), state, why, evidence }
}

fn unknown(id: &str, question: &str, why: &str) -> CheckItem {
    item(id, question, CheckState::Unknown, why.to_owned(), Vec::new())
}

fn pods_running(cluster: &Cluster) -> CheckItem {
    let (id, question) = ("pods-running", "CoreDNS pods are Running, not crash-looping, and their logs are clean");
    let pods: Vec<_> = cluster.dns_pods().filter(|pod| !pod.gone()).collect();
    if pods.is_empty() {
        return unknown(id, question, "no DNS pod is in the bundle");
    }
    let quotes = pods.iter().filter_map(|pod| pod.ready()).map(|seen| &seen.quote).collect();
    let restarted = pods.iter().filter(|pod| cluster.restarted_lately(pod)).count();
    let faults =
        [Signal::Loop, Signal::StartFailed, Signal::ReloadFailed, Signal::ApiForbidden, Signal::PanicRecovered];
    let dirty = cluster.dns_logs().any(|log| !log.owner.previous && faults.iter().any(|fault| log.has(*fault)));
    match cluster.dns_all_ready() {
        Some(true) if restarted == 0 && !dirty => item(
            id,
            question,
            CheckState::Pass,
            format!("{} pods ready, no restart within the hour", pods.len()),
            quotes,
        ),
        None => unknown(id, question, "the bundle does not show whether the DNS pods are ready"),
        Some(ready) => {
            let why = match (ready, restarted) {
                (false, _) => "at least one DNS pod is not ready".to_owned(),
                (true, 0) => "a fault stands in the current logs".to_owned(),
                (true, n) => format!("{n} of {} pods restarted within the hour before collection", pods.len()),
            };
            item(id, question, CheckState::Fail, why, quotes)
        }
    }
}

fn limits_from_usage(sizing: &Sizing) -> CheckItem {
    let (id, question) =
        ("limits-from-usage", "Memory and CPU limits follow measured use and the sizing formula, not an old default");
    let Some(limit) = sizing.limit_bytes else {
        return unknown(id, question, "the memory limit of the DNS container is not in the bundle");
    };
    let steady = sizing.measured_rss_bytes.or(sizing.measured_working_set_bytes);
    let need = sizing.need_default_mb.map(|mb| (mb * 1e6) as u64);
    let mi = |bytes: u64| bytes / (1024 * 1024);
    let (state, why) = match (steady, need) {
        (Some(steady), _) if limit < 2 * steady => {
            (CheckState::Fail, format!("the limit of {}Mi is under twice the measured {}Mi", mi(limit), mi(steady)))
        }
        (_, Some(need)) if limit < need => {
            (CheckState::Fail, format!("the limit of {}Mi is under the formula's {}Mi", mi(limit), mi(need)))
        }
        (Some(steady), Some(need)) if limit >= 3 * steady && limit >= need => (
            CheckState::Pass,
            format!("the limit of {}Mi is over three times the measured {}Mi", mi(limit), mi(steady)),
        ),
        _ => (CheckState::Unknown, "counts of objects and a memory measurement are both needed".to_owned()),
    };
    item(id, question, state, why, Vec::new())
}

fn endpoints_non_empty(cluster: &Cluster) -> CheckItem {
    let (id, question) = ("endpoints-non-empty", "The DNS Service has ready endpoints");
    let backings: Vec<_> =
        cluster.dns_services().filter_map(|service| Some((service, cluster.backing(service)?))).collect();
    let empty: Vec<_> = backings.iter().filter(|(_, backing)| backing.is_empty()).collect();
    if backings.is_empty() {
        return unknown(id, question, "neither endpoints nor slices of the DNS Service are in the bundle");
    }
    if let Some((service, backing)) = empty.first() {
        let why = format!("Service {} has no ready address", service.name);
        return item(id, question, CheckState::Fail, why, backing.quotes.iter().collect());
    }
    if backings.iter().all(|(_, backing)| backing.ready.is_empty()) {
        return unknown(id, question, "a table of slices does not tell which addresses are ready");
    }
    let count: usize = backings.iter().map(|(_, backing)| backing.ready.len()).sum();
    let quotes = backings.iter().flat_map(|(_, backing)| &backing.quotes).collect();
    item(id, question, CheckState::Pass, format!("{count} ready addresses"), quotes)
}

fn from_finding(answers: &[Answer], finding: &str, id: &str, question: &str) -> CheckItem {
    let Some(answer) = answers.iter().find(|answer| answer.failure.id == finding) else {
        return unknown(id, question, "this release does not check it yet");
    };
    let state = match answer.assessment.status {
        Status::Found => CheckState::Fail,
        Status::RuledOut => CheckState::Pass,
        _ => CheckState::Unknown,
    };
    item(id, question, state, answer.assessment.summary.clone(), Vec::new())
}

fn nodelocal(cluster: &Cluster) -> CheckItem {
    let (id, question) = ("nodelocal-deployed", "NodeLocal DNSCache runs, or its absence is a decision");
    let pods: Vec<_> = cluster.node_cache_pods().collect();
    if pods.is_empty() {
        return unknown(id, question, "no NodeLocal DNSCache pod is in the bundle");
    }
    let ready: Vec<_> = pods.iter().filter_map(|pod| pod.ready()).collect();
    let bad = ready.iter().filter(|seen| !seen.value).count();
    let quotes = ready.iter().map(|seen| &seen.quote).collect();
    if bad > 0 {
        return item(
            id,
            question,
            CheckState::Fail,
            format!("{bad} of {} of its pods are not ready", pods.len()),
            quotes,
        );
    }
    item(id, question, CheckState::Pass, format!("{} of its pods are ready", pods.len()), quotes)
}

fn pdb(cluster: &Cluster) -> CheckItem {
    let (id, question) =
        ("pdb-exists", "A PodDisruptionBudget covers the DNS Deployment and does not block every drain");
    let labels: Vec<_> = cluster.dns_pods().filter_map(|pod| pod.labels()).map(|seen| &seen.value).collect();
    let covers = |budget: &&crate::cluster::Merged<crate::evidence::facts::DisruptionBudget>| {
        let selector = budget.sights.iter().find_map(|sight| sight.selector.as_ref());
        match selector {
            Some(selector) => {
                labels.iter().any(|labels| selector.iter().all(|(key, value)| labels.get(key) == Some(value)))
            }
            None => budget.name.contains("dns"),
        }
    };
    if let Some(budget) = cluster.budgets.iter().find(covers) {
        let place: Vec<&Quote> = budget.sights.iter().map(|sight| &sight.at).collect();
        let blocked = budget.best(|sight| sight.allowed.as_ref()).is_some_and(|seen| seen.value == 0);
        return if blocked && cluster.dns_all_ready() == Some(true) {
            item(id, question, CheckState::Fail, format!("{} allows no eviction at full health", budget.name), place)
        } else {
            item(id, question, CheckState::Pass, format!("{} covers the DNS pods", budget.name), place)
        };
    }
    let none = cluster.gaps.iter().find(|gap| {
        gap.kind == GapKind::NoneFound
            && gap.command.as_deref().is_some_and(|c| c.contains("pdb") || c.contains("disruption"))
    });
    match none {
        Some(gap) => item(id, question, CheckState::Fail, "there is none".to_owned(), vec![&gap.quote]),
        None => unknown(id, question, "no PodDisruptionBudget is in the bundle, and no empty list of them either"),
    }
}
