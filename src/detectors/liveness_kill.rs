//! # The kubelet kills a process that could serve
//!
//! ## What it is
//! The liveness probe of a DNS container fails and the kubelet restarts it. CoreDNS itself found nothing wrong: it handles
//! SIGTERM and ends with exit 0, or with 137 where its lameduck lasts longer than the grace period.
//!
//! ## How it is recognised
//! By the event `Container … failed liveness probe, will be restarted`. Without events (they live one hour) by restarts with
//! exit 0 together with a probe that the Corefile does not answer, or with `Local health request … took more than 1s`.
//!
//! ## What it is not
//! A kill for memory says OOMKilled. A drain, a roll-out or an eviction says `Stopping container`. Failures of the readiness
//! probe never kill.
//!
//! ## Fix
//! Give `health` back to the Corefile, on the probe's port and on all addresses. If it is short of CPU, raise the CPU limit
//! and give the probe a time-out of 5 s and 5 failures. Keep the liveness probe, and keep it off /ready.
//!
//! ## Prevent
//! Review probes and Corefile together; keep lameduck shorter than terminationGracePeriodSeconds; alert on
//! `coredns_health_request_failures_total`.

use super::starting::{FEW, clause, counted, is_ready, since, subject};
use super::{Assessment, Class, Failure, Need, causes, missing};
use crate::cluster::{Cluster, Pod};
use crate::evidence::facts::{Event, Probe, State};
use crate::knowledge::messages::Signal;
use crate::report::{Confidence, Hop, Severity};
use crate::source::Quote;

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "liveness-kill",
    title: "The kubelet kills a process that could serve",
    hop: Some(Hop::Server),
    severity: Severity::Critical,
    class: Class::Cause,
    causes: &[causes("crash-loop"), causes("readiness-failing")],
    examine,
    source: include_str!("liveness_kill.rs"),
};

/// Ready for so long after the last kill: it is over, in seconds.
const CALM: i64 = 1800;
/// The default of failureThreshold.
const THRESHOLD: u32 = 3;

/// Why the probe fails.
struct Why {
    words: String,
    quotes: Vec<Quote>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Health,
    Slow,
    Other,
}

fn examine(cluster: &Cluster) -> Assessment {
    let text = |event: &Event, words: &str| event.message.to_ascii_lowercase().contains(words);
    let killed = |event: &&Event| event.reason == "Killing" && text(event, "liveness probe");
    let kills: Vec<&Event> = cluster.dns_events().filter(killed).collect();
    let failed = |event: &&Event| event.reason == "Unhealthy" && text(event, "liveness probe failed");
    let failures: Vec<&Event> = cluster.dns_events().filter(failed).collect();
    let exits: Vec<(&Pod, &State)> = cluster
        .dns_deaths()
        .into_iter()
        .filter(|(pod, state)| state.exit() == Some(0) && !pod.gone() && cluster.restarted_lately(pod))
        .collect();
    let why = why(cluster, &failures);
    let times: u32 = failures.iter().map(|event| event.count).fold(0, u32::saturating_add);
    let restarting = cluster.dns_pods().any(|pod| !pod.gone() && cluster.restarted_lately(pod));
    let sure = match (kills.first(), failures.first(), exits.first()) {
        (Some(kill), ..) => Some((Confidence::Confirmed, &kill.quote)),
        (None, Some(failure), Some(_)) => Some((Confidence::Likely, &failure.quote)),
        (None, Some(failure), None) if times >= THRESHOLD && restarting && !dies_otherwise(cluster) => {
            Some((Confidence::Likely, &failure.quote))
        }
        (None, None, Some((_, state))) if why.is_some() => Some((Confidence::Likely, state.telling())),
        (None, None, Some((_, state))) => Some((Confidence::Possible, state.telling())),
        _ => None,
    };
    let Some((confidence, quote)) = sure else { return not_found(cluster, &failures) };
    let summary = summary(&kills, &exits, &failures, why.as_ref());
    let mut found = Assessment::found(confidence, summary, quote, "the kubelet's own words")
        .past(over(cluster, &kills))
        .since(since(cluster, &kills));
    for event in kills.iter().take(FEW).chain(failures.iter().take(FEW)) {
        found = found.proof(&event.quote, "the kubelet's own words").about(subject(cluster, event));
    }
    for (pod, state) in exits.iter().take(FEW) {
        let exit = state.exit_code.as_ref().map(|seen| &seen.quote);
        found = found
            .proofs([state.telling()].into_iter().chain(exit), "it ended in order, on a signal")
            .about(pod.reference());
    }
    if let Some(why) = &why {
        found = found.proofs(&why.quotes, "why the probe fails");
    }
    with_fixes(found, cluster, why.map_or(Kind::Other, |why| why.kind))
}

/// The last run of a restarting pod ended by itself.
fn dies_otherwise(cluster: &Cluster) -> bool {
    cluster
        .dns_deaths()
        .iter()
        .any(|(_, state)| state.exit().is_some_and(|code| code != 0 && code != 137) || state.is("OOMKilled"))
}

/// All is ready, and the last kill long ago.
fn over(cluster: &Cluster, kills: &[&Event]) -> bool {
    let ago = |event: &&Event| {
        cluster.event_time(event).and_then(|at| cluster.seconds_ago(at)).or(event.last_ago.map(|(ago, _)| ago))
    };
    let last = kills.iter().filter_map(ago).min();
    cluster.dns_all_ready() == Some(true) && last.is_some_and(|ago| ago > CALM)
}

fn summary(kills: &[&Event], exits: &[(&Pod, &State)], failures: &[&Event], why: Option<&Why>) -> String {
    let mut names: Vec<&str> = kills.iter().map(|event| event.object.as_str()).collect();
    names.extend(exits.iter().map(|(pod, _)| pod.name.as_str()));
    if names.is_empty() {
        names.extend(failures.iter().map(|event| event.object.as_str()));
    }
    names.sort_unstable();
    names.dedup();
    let list = names.iter().take(FEW).copied().collect::<Vec<_>>().join(", ");
    let times: u32 = kills.iter().map(|event| event.count).fold(0, u32::saturating_add);
    let why = why.map_or(String::new(), |why| format!(": {}", why.words));
    if times > 0 {
        let times = counted(times as usize, "time");
        return format!("The kubelet killed {list} {times} because the liveness probe failed{why}.");
    }
    let sign = if exits.is_empty() {
        "restarts while its liveness probe fails"
    } else {
        "was ended in order (exit 0) and started again in the same pod, as after a failed liveness probe"
    };
    format!("{list} {sign}{why}.")
}

/// The liveness probe of the DNS pods or of their workload.
fn probe(cluster: &Cluster) -> Option<&Probe> {
    let pods = cluster.dns_containers().find_map(|(_, view)| view.liveness());
    pods.or_else(|| cluster.dns_workload()?.containers().iter().find_map(|container| container.liveness.as_ref()))
}

/// The probe's port as a number; 8080 where nothing says it.
fn port(cluster: &Cluster, probe: Option<&Probe>) -> String {
    let Some(probe) = probe.filter(|probe| !probe.port.is_empty()) else { return "8080".to_owned() };
    let pods = cluster.dns_pods().flat_map(|pod| &pod.sights).flat_map(|sight| &sight.containers);
    let ports = pods.chain(cluster.dns_workload().into_iter().flat_map(|w| w.containers())).flat_map(|c| &c.ports);
    let named = ports.filter(|port| port.name == probe.port).map(|port| port.number.to_string()).next();
    named.unwrap_or_else(|| probe.port.clone())
}

/// What in the bundle explains that the probe fails.
fn why(cluster: &Cluster, failures: &[&Event]) -> Option<Why> {
    configured(cluster).or_else(|| logged(cluster)).or_else(|| {
        let event = failures.first()?;
        let text = event.message.split_once("failed: ").map_or(event.message.as_str(), |(_, text)| text);
        Some(Why { words: clause(text), quotes: vec![event.quote.clone()], kind: Kind::Other })
    })
}

/// The Corefile does not answer where the probe asks.
fn configured(cluster: &Cluster) -> Option<Why> {
    let corefile = cluster.dns.corefile.as_ref()?;
    let probe = probe(cluster);
    let wanted = port(cluster, probe);
    let mut quotes: Vec<Quote> = probe.map(|probe| probe.quote.clone()).into_iter().collect();
    if probe.is_some_and(|probe| probe.path.contains("ready")) {
        let words =
            format!("the liveness probe asks /ready on {wanted}, which says nothing about a process that lives");
        return Some(Why { words, quotes, kind: Kind::Health });
    }
    let words = match corefile.health() {
        None => format!("the Corefile has no `health`, so nothing listens on the probe's port {wanted}"),
        Some(listener) => {
            let host = listener.host.trim_matches(['[', ']']);
            let loopback = host == "localhost" || host.starts_with("127.") || host == "::1";
            let asked = probe.map_or("", |probe| probe.host.as_str());
            quotes.push(listener.quote.clone());
            if loopback && asked.is_empty() {
                format!("`health` listens on {host}:{} only, and the kubelet asks the pod's address", listener.port)
            } else if listener.port != wanted {
                format!("`health` listens on port {}, and the probe asks port {wanted}", listener.port)
            } else {
                return None;
            }
        }
    };
    if quotes.is_empty() {
        quotes.push(corefile.text.quote(1));
    }
    Some(Why { words, quotes, kind: Kind::Health })
}

/// CoreDNS's own words about its health.
fn logged(cluster: &Cluster) -> Option<Why> {
    let rows: [(Signal, &str, Kind); 3] = [
        (
            Signal::HealthSlow,
            "CoreDNS needs more than 1 s to answer its own health request: it gets too little CPU, or the node stalls",
            Kind::Slow,
        ),
        (Signal::ReloadFailed, "a failed reload took its health listener away", Kind::Health),
        (Signal::HealthFailed, "CoreDNS does not reach its own health listener", Kind::Other),
    ];
    let found = rows.iter().find_map(|(signal, words, kind)| {
        let (_, tally) = cluster.signals(*signal).next()?;
        Some(Why { words: (*words).to_owned(), quotes: vec![tally.first.clone(), tally.last.clone()], kind: *kind })
    });
    found.or_else(|| {
        // Up to 1.4.0 /health answers 503 until the API was read.
        let version = cluster.dns.version.as_ref().filter(|seen| seen.value.starts_with("1.4."))?;
        let quote = [Signal::ApiForbidden, Signal::ApiUnreachable, Signal::ApiTls, Signal::ApiUnauthorized]
            .iter()
            .find_map(|signal| cluster.says(*signal))?;
        let words = format!("CoreDNS {} answers /health with 503 as long as it has not read the API", version.value);
        Some(Why { words, quotes: vec![quote.clone(), version.quote.clone()], kind: Kind::Other })
    })
}

fn with_fixes(found: Assessment, cluster: &Cluster, kind: Kind) -> Assessment {
    let (namespace, workload, container) =
        (&cluster.dns.namespace, &cluster.dns.workload_reference, &cluster.dns.container);
    let port = port(cluster, probe(cluster));
    let health = |found: Assessment| {
        found.patch(
            "Give health back to the Corefile",
            format!("health :{port} {{\n    lameduck 5s\n}}"),
            "in one server block; the probe asks the pod's address, so not on localhost",
        )
    };
    let probe = |found: Assessment| {
        found.command(
            "Give the probe time, and the process CPU",
            format!("kubectl -n {namespace} patch {workload} -p '{{\"spec\":{{\"template\":{{\"spec\":{{\"containers\":[{{\"name\":\"{container}\",\"livenessProbe\":{{\"timeoutSeconds\":5,\"failureThreshold\":5}}}}]}}}}}}}}'\nkubectl -n {namespace} set resources {workload} -c {container} --limits=cpu=1   # only where a CPU limit is set"),
            "rolls the workload; do not delete the liveness probe",
        )
    };
    match kind {
        Kind::Health => probe(health(found)),
        Kind::Slow => probe(found),
        Kind::Other => health(probe(found)).wants(missing(cluster, &[Need::PreviousLogs, Need::Corefile])),
    }
}

fn not_found(cluster: &Cluster, failures: &[&Event]) -> Assessment {
    let with = |answer: Assessment| {
        failures
            .iter()
            .take(2)
            .fold(answer, |answer, event| answer.against(&event.quote, "a failure that did not lead to a kill"))
    };
    let deaths = cluster.dns_deaths();
    if let Some((_, state)) = deaths.first() {
        let summary = format!(
            "{} of DNS containers shown: none ended as after a failed liveness probe.",
            counted(deaths.len(), "ended run")
        );
        return with(Assessment::ruled_out(summary).against(state.telling(), "how it ended"));
    }
    let pods: Vec<&Pod> = cluster.dns_pods().filter(|pod| !pod.gone()).collect();
    let calm = |pod: &&Pod| {
        is_ready(pod) && !cluster.restarted_lately(pod) || pod.restarts().is_some_and(|seen| seen.value == 0)
    };
    if !pods.is_empty() && pods.iter().all(calm) {
        return with(Assessment::ruled_out(format!(
            "{} looked at: none restarted lately.",
            counted(pods.len(), "DNS pod")
        )));
    }
    let events = cluster.dns_events().count();
    if events > 0 {
        let summary =
            format!("{} about DNS pods read: none is a kill for the liveness probe.", counted(events, "event"));
        return with(Assessment::ruled_out(summary));
    }
    Assessment::not_checked(
        "Neither events nor the last states of the DNS containers are in the bundle.",
        missing(cluster, &[Need::Events, Need::Describe]),
    )
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::evidence::facts::StatePhase;
    use crate::report::Status;

    fn kill(object: &str) -> Event {
        Event { count: 3, ..event("Killing", object, "Container coredns failed liveness probe, will be restarted") }
    }

    fn ended(reason: &str, exit: i64) -> crate::evidence::facts::Pod {
        with_last(unready(pod("coredns-a")), state(StatePhase::Terminated, reason, "", Some(exit)), 4)
    }

    #[test]
    fn the_kubelet_says_it() {
        let answer = examine(&cluster(vec![fact(kill("coredns-a")), fact(ended("Completed", 0))]));
        assert_eq!(answer.confidence, Some(Confidence::Confirmed));
        assert!(answer.summary.contains("3 times"), "{}", answer.summary);
        assert!(!examine(&cluster(vec![fact(kill("web-1"))])).holds());
    }

    #[test]
    fn without_events_two_facts_are_needed() {
        let alone = examine(&cluster(vec![fact(ended("Completed", 0))]));
        assert_eq!(alone.status, Status::Suspected);
        let lacking = corefile(".:53 {\n    forward . 10.0.0.2\n}\n");
        let both = examine(&cluster(vec![fact(ended("Completed", 0)), fact(lacking)]));
        assert_eq!(both.confidence, Some(Confidence::Likely));
        assert!(
            both.summary.contains("no `health`") && both.fixes[0].body.contains("health :8080"),
            "{}",
            both.summary
        );
        let slow = log(
            false,
            "CoreDNS-1.11.1\n[WARNING] plugin/health: Local health request to \"http://:8080/health\" took more than 1s: 3.2s\n",
        );
        let slow = examine(&cluster(vec![fact(ended("Completed", 0)), fact(slow)]));
        assert!(slow.summary.contains("CPU") && slow.fixes[0].body.contains("timeoutSeconds"), "{}", slow.summary);
    }

    #[test]
    fn other_ends_are_other_faults() {
        for (reason, exit) in [("Error", 1), ("OOMKilled", 137), ("Error", 2)] {
            let probe =
                Event { count: 9, ..event("Unhealthy", "coredns-a", "Liveness probe failed: connection refused") };
            let answer = examine(&cluster(vec![fact(ended(reason, exit)), fact(probe)]));
            assert_eq!(answer.status, Status::RuledOut, "{reason} {exit}");
        }
        let drain = event("Killing", "coredns-a", "Stopping container coredns");
        assert_eq!(examine(&cluster(vec![fact(drain)])).status, Status::RuledOut);
    }

    #[test]
    fn a_failure_without_a_kill_is_noise() {
        let facts = vec![
            fact(event("Unhealthy", "coredns-a", "Liveness probe failed: x")),
            fact(pod_row("coredns-a", true, "Running", 0, None)),
        ];
        assert_eq!(examine(&cluster(facts)).status, Status::RuledOut);
    }
}
