//! What memory CoreDNS needs here: counts and measurements from the bundle, put into the formulas of
//! [`crate::knowledge::sizing`].

use crate::cluster::{Cluster, Merged};
use crate::detectors::{Need, missing};
use crate::evidence::facts::Rank;
use crate::knowledge::sizing::{self as formula, Mode};
use crate::report::{Sizing, SizingInput};
use crate::source::{Quote, Seen};

/// A number with its origin.
#[derive(Debug, Clone)]
pub struct Figure {
    /// The number.
    pub value: u64,
    /// Where it stands.
    pub quote: Quote,
    /// The bundle shows only part of it.
    pub lower_bound: bool,
    /// In words.
    pub from: &'static str,
}

/// Everything that the sizing stands on. Memory in bytes.
#[derive(Debug, Clone, Default)]
pub struct Estimate {
    /// Services in the cluster.
    pub services: Option<Figure>,
    /// Ready endpoint addresses.
    pub addresses: Option<Figure>,
    /// Pods in the cluster.
    pub pods: Option<Figure>,
    /// Resident memory in steady state.
    pub rss: Option<Figure>,
    /// Working set in steady state.
    pub working_set: Option<Figure>,
    /// Limit of the container.
    pub limit: Option<Figure>,
    /// Which formula this Corefile calls for.
    pub mode: Option<Mode>,
}

/// Takes the numbers from the model.
pub fn estimate(cluster: &Cluster) -> Estimate {
    Estimate {
        services: services(cluster),
        addresses: addresses(cluster),
        pods: pods(cluster),
        rss: rss(cluster),
        working_set: working_set(cluster),
        limit: limit(cluster),
        mode: mode(cluster),
    }
}

impl Estimate {
    /// Objects that the kubernetes plugin holds: Services and ready addresses, with autopath or `pods verified` the
    /// pods too. `None` unless both counts are known in some way.
    pub fn objects(&self) -> Option<u64> {
        let held = self.addresses.as_ref().or(self.pods.as_ref())?.value.checked_add(self.services.as_ref()?.value)?;
        match (self.mode, &self.pods, &self.addresses) {
            (Some(Mode::Autopath), Some(pods), Some(_)) => held.checked_add(pods.value),
            _ => Some(held),
        }
    }

    /// Need by the formula that applies, bytes.
    pub fn need(&self) -> Option<u64> {
        Some(formula::need_bytes(self.mode.unwrap_or(Mode::Default), self.objects()?))
    }

    /// Steady memory: measured resident memory, else the working set.
    pub fn steady(&self) -> Option<&Figure> {
        self.rss.as_ref().or(self.working_set.as_ref())
    }

    /// What a re-list peak is taken from: the measured steady state, else the formula.
    pub fn base(&self) -> Option<u64> {
        self.steady().map(|figure| figure.value).or_else(|| self.need())
    }

    /// What the limit should be, bytes; `None` where nothing is known.
    pub fn recommended(&self) -> Option<u64> {
        let steady = self.steady().map(|figure| figure.value);
        let objects = self.objects().map(|n| (self.mode.unwrap_or(Mode::Default), n));
        formula::recommended_limit(steady, objects)
    }
}

fn count(cluster: &Cluster, what: &str, from: &'static str) -> Option<Figure> {
    let counts = cluster.counts.iter().filter(|count| count.what == what);
    let best = counts.max_by_key(|count| (count.all_namespaces, count.value))?;
    Some(Figure { value: best.value, quote: best.quote.clone(), lower_bound: !best.all_namespaces, from })
}

fn services(cluster: &Cluster) -> Option<Figure> {
    let counted = count(cluster, "services", "Services counted");
    larger(counted, listed(&cluster.services, |sight| &sight.at, "Services listed in the bundle"))
}

/// How many of a kind the bundle shows at least.
fn listed<T>(all: &[Merged<T>], at: impl Fn(&T) -> &Quote, from: &'static str) -> Option<Figure> {
    let first = all.first()?.sights.first()?;
    Some(Figure { value: all.len() as u64, quote: at(first).clone(), lower_bound: true, from })
}

fn pods(cluster: &Cluster) -> Option<Figure> {
    let counted = count(cluster, "pods", "pods counted");
    larger(counted, listed(&cluster.pods, |sight| &sight.at, "pods listed in the bundle"))
}

fn addresses(cluster: &Cluster) -> Option<Figure> {
    let counted = count(cluster, "endpoint-addresses", "endpoint addresses counted");
    let sights = || cluster.endpoints.iter().flat_map(|merged| &merged.sights).filter(|s| s.rank == Rank::Object);
    let slices = sights().filter(|sight| sight.slice).map(|sight| sight.ready.len() as u64).sum::<u64>();
    let plain = sights().filter(|sight| !sight.slice).map(|sight| sight.ready.len() as u64).sum::<u64>();
    let listed = sights().next().map(|sight| Figure {
        value: slices.max(plain),
        quote: sight.at.clone(),
        lower_bound: true,
        from: "ready addresses listed in the bundle",
    });
    larger(counted, listed)
}

/// A count beats a list unless the list alone already holds more.
fn larger(counted: Option<Figure>, listed: Option<Figure>) -> Option<Figure> {
    match (counted, listed) {
        (Some(counted), Some(listed)) if listed.value > counted.value => Some(listed),
        (Some(counted), _) => Some(counted),
        (None, listed) => listed,
    }
}

/// The median of the measurements: one dump right after a start or in a peak does not stand for the steady state.
fn rss(cluster: &Cluster) -> Option<Figure> {
    let mut samples: Vec<(u64, &Quote)> = cluster
        .metrics
        .iter()
        .filter(|metrics| metrics.version.is_some())
        .filter_map(|metrics| metrics.get("process_resident_memory_bytes"))
        .filter(|sample| sample.value.is_finite() && sample.value >= 0.0)
        .map(|sample| (sample.value as u64, &sample.quote))
        .collect();
    samples.sort();
    let (value, quote) = samples.get(samples.len().saturating_sub(1) / 2)?;
    let from = "process_resident_memory_bytes, median of the dumps";
    Some(Figure { value: *value, quote: (*quote).clone(), lower_bound: false, from })
}

fn working_set(cluster: &Cluster) -> Option<Figure> {
    let of_dns = |usage: &&crate::evidence::facts::Usage| {
        usage.kind == "Pod" && cluster.dns_pods().any(|pod| pod.name == usage.id.name)
            || usage.container.as_deref() == Some(cluster.dns.container.as_str())
    };
    let usages = cluster.usages.iter().filter(of_dns);
    let best = usages.filter_map(|usage| Some((usage.memory?, &usage.quote))).max_by_key(|(memory, _)| *memory)?;
    Some(Figure { value: best.0, quote: best.1.clone(), lower_bound: false, from: "working set (kubectl top)" })
}

fn limit(cluster: &Cluster) -> Option<Figure> {
    let figure =
        |seen: &Seen<u64>, from| Figure { value: seen.value, quote: seen.quote.clone(), lower_bound: false, from };
    let pods = cluster.dns_containers().find_map(|(_, view)| view.memory_limit());
    let template = || cluster.dns_workload()?.containers().iter().find_map(|container| container.memory_limit.as_ref());
    pods.map(|seen| figure(seen, "limit of the container"))
        .or_else(|| template().map(|seen| figure(seen, "limit in the workload's template")))
}

/// `autopath @kubernetes` and `pods verified` make the plugin watch pods.
fn mode(cluster: &Cluster) -> Option<Mode> {
    let corefile = cluster.dns.corefile.as_ref()?;
    Some(if corefile.watches_pods() { Mode::Autopath } else { Mode::Default })
}

/// The sizing as the report shows it.
pub fn size(cluster: &Cluster) -> Sizing {
    let estimate = estimate(cluster);
    let objects = estimate.objects();
    let base = estimate.base();
    let mb = |mode| objects.map(|n| formula::need_bytes(mode, n) as f64 / 1e6);
    Sizing {
        inputs: inputs(&estimate),
        need_default_mb: mb(Mode::Default),
        need_autopath_mb: mb(Mode::Autopath),
        mode: estimate.mode.map(|mode| mode.name().to_owned()),
        measured_rss_bytes: estimate.rss.as_ref().map(|figure| figure.value),
        measured_working_set_bytes: estimate.working_set.as_ref().map(|figure| figure.value),
        limit_bytes: estimate.limit.as_ref().map(|figure| figure.value),
        peak_low_bytes: base.map(|bytes| (bytes as f64 * formula::PEAK_LOW) as u64),
        peak_high_bytes: base.map(|bytes| (bytes as f64 * formula::PEAK_HIGH) as u64),
        recommended_limit_bytes: estimate.recommended(),
        arithmetic: arithmetic(&estimate),
        runway: Some("needs two or more measurements over days".to_owned()),
        missing: wanted(cluster, &estimate),
    }
}

fn inputs(estimate: &Estimate) -> Vec<SizingInput> {
    let input = |name: &str, unit: &str, figure: &Option<Figure>| {
        figure.as_ref().map(|figure| SizingInput {
            name: name.to_owned(),
            value: figure.value as f64,
            unit: unit.to_owned(),
            lower_bound: figure.lower_bound,
            from: figure.from.to_owned(),
            path: Some(figure.quote.source.path.to_string()),
            line: Some(figure.quote.source.line),
        })
    };
    [
        input("services", "objects", &estimate.services),
        input("endpoint-addresses", "objects", &estimate.addresses),
        input("pods", "objects", &estimate.pods),
        input("rss", "bytes", &estimate.rss),
        input("working-set", "bytes", &estimate.working_set),
        input("limit", "bytes", &estimate.limit),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn arithmetic(estimate: &Estimate) -> Vec<String> {
    let mut lines = Vec::new();
    let mb = |bytes: u64| format!("{:.0} MB", bytes as f64 / 1e6);
    if let Some(objects) = estimate.objects() {
        let counted = if estimate.addresses.is_some() { "endpoint addresses" } else { "pods" };
        lines.push(format!("N = Services + {counted} = {objects}"));
        for mode in [Mode::Default, Mode::Autopath] {
            let (per, base) = mode.coefficients();
            lines.push(format!(
                "need ({}) = N / {per} + {base} = {}",
                mode.name(),
                mb(formula::need_bytes(mode, objects))
            ));
        }
    }
    if let Some(steady) = estimate.steady() {
        lines.push(format!("steady = {} ({})", mb(steady.value), steady.from));
    }
    if let Some(base) = estimate.base() {
        let (low, high) = ((base as f64 * formula::PEAK_LOW) as u64, (base as f64 * formula::PEAK_HIGH) as u64);
        lines.push(format!("re-list peak = 2 to 3 × {} = {} to {}", mb(base), mb(low), mb(high)));
    }
    if let Some(limit) = &estimate.limit {
        lines.push(format!("limit = {}Mi = {}", limit.value >> 20, mb(limit.value)));
    }
    if let Some(recommended) = estimate.recommended() {
        lines.push(format!("recommended limit = {}Mi, a whole 10Mi", recommended >> 20));
    }
    lines
}

fn wanted(cluster: &Cluster, estimate: &Estimate) -> Vec<crate::report::Missing> {
    let mut needs = Vec::new();
    if estimate.services.as_ref().is_none_or(|f| f.lower_bound)
        || estimate.addresses.as_ref().is_none_or(|f| f.lower_bound)
    {
        needs.push(Need::Counts);
    }
    if estimate.rss.is_none() {
        needs.push(Need::Metrics);
    }
    if estimate.limit.is_none() {
        needs.push(Need::Workload);
    }
    missing(cluster, &needs)
}
