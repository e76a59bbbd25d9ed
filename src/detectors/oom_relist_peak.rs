//! # The limit is sized for the steady state, and a re-list goes over it
//!
//! ## What it is
//! After a start, and after the API server drops its watches, CoreDNS lists every Service and EndpointSlice again. Old and
//! new objects are in memory together for a moment: two to three times the steady state in a large cluster. On record: 5,000
//! nodes, 82 MB steady, killed at 170Mi, steady again at 340Mi.
//!
//! ## How it is recognised
//! By kills within about a minute of each start, or of several replicas within the same minute, or next to a restart of the
//! API server, while the steady state is well under the limit.
//!
//! ## What it is not
//! A kill after hours with nothing around it is growth, cache or a leak. Goroutines that rise before it are a slow upstream.
//! A limit over three times the steady state holds a re-list.
//!
//! ## Fix
//! A limit of three times the steady state, at least what the formula asks for, with the same headroom on every replica.
//!
//! ## Prevent
//! Watch CoreDNS's memory after each maintenance of the control plane; let roll-outs restart one pod at a time.

use super::memory::{Kill, SHORT_LIFE, TOGETHER, kills};
use super::{Assessment, Class, Failure, Need, causes, missing};
use crate::cluster::Cluster;
use crate::evidence::facts::NodeLineKind;
use crate::knowledge::messages::Signal;
use crate::knowledge::sizing::PEAK_HIGH;
use crate::report::{Confidence, Hop, Severity};
use crate::sizing::{self, Estimate};
use crate::source::Quote;

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "oom-relist-peak",
    title: "The limit is sized for the steady state, and a re-list goes over it",
    hop: Some(Hop::Server),
    severity: Severity::Critical,
    class: Class::Cause,
    causes: &[causes("oom-killed")],
    examine,
    source: include_str!("oom_relist_peak.rs"),
};

fn examine(cluster: &Cluster) -> Assessment {
    let kills = kills(cluster);
    let Some(first) = kills.first() else { return no_kill(cluster) };
    let estimate = sizing::estimate(cluster);
    if let Some(against) = ruled_out(cluster, &estimate, &kills) {
        return against;
    }
    let restart = api_restart(cluster, &kills);
    let signs = signs(cluster, &kills, &restart);
    if signs.is_empty() {
        return Assessment::not_checked(
            "The kills are known, but not how long each run had lasted or what stood around them.",
            missing(cluster, &[Need::PodObjects, Need::Metrics, Need::Counts]),
        );
    }
    let steady = estimate.steady().map_or(String::new(), |figure| format!(" of {:.0} MB", figure.value as f64 / 1e6));
    let summary = format!(
        "CoreDNS was killed by the peak of a re-list, not by its steady state{steady}: {}.",
        signs.iter().map(|(words, _)| words.as_str()).collect::<Vec<_>>().join("; ")
    );
    let sure = signs.len() >= 2 || (estimate.steady().is_some() && !signs.is_empty()) || estimate.objects().is_some();
    let confidence = if sure { Confidence::Likely } else { Confidence::Possible };
    let mut found = Assessment::found(confidence, summary, first.quote, "the kill")
        .past(cluster.dns_all_ready() == Some(true))
        .since(kills.iter().filter_map(|kill| kill.at).min());
    for (_, quotes) in &signs {
        found = found.proofs(quotes, "what stood around the kill");
    }
    for figure in [estimate.steady(), estimate.limit.as_ref(), estimate.services.as_ref()].into_iter().flatten() {
        found = found.proof(&figure.quote, figure.from);
    }
    for kill in &kills {
        if let Some(pod) = kill.pod {
            found = found.about(pod.reference());
        }
    }
    super::oom_killed::with_fixes(found.wants(missing(cluster, &[Need::Metrics])), cluster)
}

/// What speaks against it, strongly enough to decide.
fn ruled_out(cluster: &Cluster, estimate: &Estimate, kills: &[Kill]) -> Option<Assessment> {
    let (steady, limit) = (estimate.steady()?, estimate.limit.as_ref()?);
    if limit.value as f64 > PEAK_HIGH * steady.value as f64 {
        return Some(
            Assessment::ruled_out("The limit is over three times the steady state, which holds a re-list.")
                .against(&limit.quote, "the limit")
                .against(&steady.quote, "the steady state"),
        );
    }
    let long = kills.iter().all(|kill| kill.lasted.is_some_and(|seconds| seconds > SHORT_LIFE));
    let alone = !together(kills) && api_restart(cluster, kills).is_none();
    let full = steady.value as f64 > 0.7 * limit.value as f64;
    (long && alone && full).then(|| {
        Assessment::ruled_out(
            "Each run had lasted long before its kill, alone, and the steady state is near the limit.",
        )
        .against(&steady.quote, "the steady state")
    })
}

/// Each sign in words, with its quotes.
fn signs(cluster: &Cluster, kills: &[Kill], restart: &Option<Quote>) -> Vec<(String, Vec<Quote>)> {
    let mut signs = Vec::new();
    let short: Vec<&Kill> =
        kills.iter().filter(|kill| kill.lasted.is_some_and(|seconds| seconds <= SHORT_LIFE)).collect();
    if !short.is_empty() {
        let longest = short.iter().filter_map(|kill| kill.lasted).max().unwrap_or(0);
        signs.push((
            format!("{} of {} runs ended within {longest} s of their start", short.len(), kills.len()),
            short.iter().map(|kill| kill.quote.clone()).collect(),
        ));
    }
    if together(kills) {
        let quotes = kills.iter().map(|kill| kill.quote.clone()).collect();
        signs.push((format!("{} replicas died within {TOGETHER} s", kills.len()), quotes));
    }
    if let Some(quote) = restart {
        let mut quotes = vec![quote.clone()];
        quotes.extend(api_server_words(cluster));
        signs.push(("the API server restarted just before".to_owned(), quotes));
    }
    if let Some(lost) = cluster.says(Signal::WatchEnded) {
        signs.push(("its watches had ended".to_owned(), vec![lost.clone()]));
    }
    signs
}

fn together(kills: &[Kill]) -> bool {
    let mut times: Vec<i64> = kills.iter().filter_map(|kill| kill.at).map(|at| at.as_second()).collect();
    times.sort_unstable();
    times.windows(2).any(|pair| pair[1] - pair[0] <= TOGETHER)
}

/// Something says that an API server restarted shortly before a kill.
fn api_restart(cluster: &Cluster, kills: &[Kill]) -> Option<Quote> {
    let times: Vec<i64> = kills.iter().filter_map(|kill| kill.at).map(|at| at.as_second()).collect();
    let near =
        |at: jiff::Timestamp, slack: i64| times.iter().any(|kill| (-slack..=600).contains(&(kill - at.as_second())));
    for event in cluster.events.iter().filter(|event| event.object.contains("kube-apiserver")) {
        let started = ["Started", "Killing", "Created"].contains(&event.reason.as_str());
        let refused = event.reason == "Unhealthy" && event.message.contains("connection refused");
        let slack = event.last_ago.map_or(60, |(_, unit)| unit);
        if (started || refused) && cluster.event_time(event).is_some_and(|at| near(at, slack)) {
            return Some(event.quote.clone());
        }
    }
    let pods = cluster.pods.iter().filter(|pod| pod.name.starts_with("kube-apiserver"));
    let states = pods.filter_map(|pod| pod.main()?.state()?.started.as_ref());
    let started = states.into_iter().find(|seen| near(seen.value, 60)).map(|seen| seen.quote.clone());
    started.or_else(|| notes(cluster).next().cloned())
}

/// A person's note about a restart of the API server.
fn notes(cluster: &Cluster) -> impl Iterator<Item = &Quote> {
    cluster.node_lines.iter().filter(|line| line.kind == NodeLineKind::Note).map(|line| &line.quote).filter(|quote| {
        let text = quote.text.to_lowercase();
        text.contains("apiserver") && (text.contains("restart") || text.contains("upgrade"))
    })
}

fn api_server_words(cluster: &Cluster) -> Vec<Quote> {
    let events =
        cluster.events.iter().filter(|event| event.object.contains("kube-apiserver")).map(|event| &event.quote);
    events.chain(notes(cluster)).take(6).cloned().collect()
}

fn no_kill(cluster: &Cluster) -> Assessment {
    let killed = (super::oom_killed::FAILURE.examine)(cluster);
    if killed.missing.is_empty() {
        return Assessment::ruled_out("No DNS container was killed at its limit.");
    }
    Assessment::not_checked("Whether a DNS container was killed is not in the bundle.", killed.missing)
}
