//! What the three failures of the Kubernetes API leg share.

use super::starting::counted;
use super::{Assessment, Edge, causes, causes_when};
use crate::cluster::Cluster;
use crate::knowledge::messages::Signal;
use crate::knowledge::version::Version;
use crate::source::Quote;

/// An error that ended so long before the log did is over, in seconds.
const QUIET: i64 = 120;

/// What follows where CoreDNS cannot know the cluster, whatever the reason.
pub const EFFECTS: [Edge; 4] = [
    causes("readiness-failing"),
    causes("server-errors"),
    causes("stale-answers"),
    causes_when("liveness-kill", health_needs_sync),
];

/// In CoreDNS 1.4.x /health is 503 until the API has synced, so the liveness probe kills it (1.5.0 changed that).
pub fn health_needs_sync(cluster: &Cluster) -> bool {
    let version = cluster.dns.version.as_ref().and_then(|seen| Version::parse(&seen.value));
    version.is_some_and(|version| version < Version::new(1, 5, 0))
}

/// The first sample of CoreDNS's API requests (1.11.0 on) with that code and a count.
pub fn request_code<'a>(cluster: &'a Cluster, code: &str) -> Option<&'a Quote> {
    let samples = cluster.metrics.iter().flat_map(|metrics| &metrics.samples);
    samples
        .filter(|sample| sample.name == "coredns_kubernetes_rest_client_requests_total" && sample.value > 0.0)
        .find(|sample| sample.labels.get("code").is_some_and(|value| value == code))
        .map(|sample| &sample.quote)
}

/// In every log that has it, the error is over: quiet for minutes, or followed by a start with a synced API.
pub fn recovered(cluster: &Cluster, signal: Signal) -> bool {
    cluster.signals(signal).all(|(log, tally)| {
        let quiet =
            tally.last_at.zip(log.to).is_some_and(|(last, end)| crate::time::seconds_between(last, end) > QUIET);
        let started = log.started_after(tally.last.source.line) && !log.has(Signal::ApiUnsynced);
        quiet || started
    }) && cluster.dns_all_ready() != Some(false)
}

/// The error stands only before the start line of a log that then came up synced: the wait of a normal start.
pub fn only_at_start(cluster: &Cluster, signal: Signal) -> bool {
    let mut any = false;
    let all = cluster.signals(signal).all(|(log, tally)| {
        any = true;
        let first_banner = log.tally(Signal::Banner).map(|banner| banner.first.source.line);
        !log.has(Signal::ApiUnsynced) && first_banner.is_some_and(|line| line > tally.last.source.line)
    });
    any && all && cluster.dns_all_ready() != Some(false)
}

/// The lines that show what CoreDNS did without the API.
pub fn with_context(mut found: Assessment, cluster: &Cluster) -> Assessment {
    for signal in [Signal::ApiUnsynced, Signal::NotReady] {
        found = found.proofs(cluster.says(signal), "CoreDNS's state without the API");
    }
    for pod in cluster.dns_pods() {
        found = found.about(pod.reference());
    }
    found
}

/// The kubernetes plugin has synced, as far as the bundle shows: nothing was refused on the API leg.
pub fn synced(cluster: &Cluster) -> Option<Assessment> {
    let errors = [
        Signal::ApiForbidden,
        Signal::ApiUnauthorized,
        Signal::ApiTls,
        Signal::ApiUnreachable,
        Signal::ApiUnhealthy,
        Signal::ApiFailedSilently,
        Signal::ApiUnsynced,
    ];
    let clean = |log: &&crate::evidence::facts::Log| errors.iter().all(|error| !log.has(*error));
    let asks_ready =
        cluster.dns_containers().any(|(_, view)| view.readiness().is_some_and(|probe| probe.path.contains("ready")));
    if asks_ready && cluster.dns_all_ready() == Some(true) {
        let ready = cluster.dns_pods().find_map(|pod| pod.ready())?;
        return Some(
            Assessment::ruled_out("Readiness asks /ready, which waits for the API, and every DNS pod shown is ready.")
                .against(&ready.quote, "ready"),
        );
    }
    let logs: Vec<_> = cluster.dns_logs().filter(|log| log.has(Signal::Banner)).collect();
    let quote = logs.iter().find_map(|log| log.tally(Signal::Banner)).map(|tally| &tally.last)?;
    if !logs.iter().all(clean) {
        return None;
    }
    if let Some(code) = request_code(cluster, "200") {
        return Some(
            Assessment::ruled_out(
                "CoreDNS's requests to the API are answered with 200, and its logs hold no API error.",
            )
            .against(code, "answered requests"),
        );
    }
    Some(
        Assessment::ruled_out(format!(
            "Read: {} of CoreDNS; no error of the Kubernetes API in it.",
            counted(logs.len(), "log")
        ))
        .against(quote, "the start, with no API error in that log"),
    )
}
