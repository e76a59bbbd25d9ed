//! What several detectors ask about DNS pods that do not start: who waits, which events still stand, and what rules it out.

use super::{Assessment, Need, missing};
use crate::cluster::{Cluster, Pod};
use crate::evidence::facts::{Event, StatePhase};
use crate::knowledge::messages::Signal;
use crate::source::Quote;

/// The most quotes of one kind that a finding shows.
pub(super) const FEW: usize = 4;

/// STATUS cells of a pod whose container was created at least once in its present sandbox.
const STARTED_CELLS: [&str; 9] = [
    "Running",
    "CrashLoopBackOff",
    "Error",
    "OOMKilled",
    "Completed",
    "StartError",
    "ContainerCannotRun",
    "RunContainerError",
    "CreateContainerError",
];

/// Reasons of a waiting container that come after image, volumes and sandbox.
const STARTED_REASONS: [&str; 3] = ["CrashLoopBackOff", "RunContainerError", "CreateContainerError"];

/// A DNS pod that waits or ended with a reason that was asked for.
pub(super) struct Held<'a> {
    /// The pod.
    pub pod: &'a Pod,
    /// What it says, in words; empty where only the reason is known.
    pub message: &'a str,
    /// Lines that say so, the most telling first.
    pub quotes: Vec<&'a Quote>,
}

/// The image, the volumes and the sandbox are there: the container was created.
pub(super) fn created(pod: &Pod) -> bool {
    if let Some(state) = pod.main().and_then(|view| view.state()) {
        return state.phase != StatePhase::Waiting || STARTED_REASONS.iter().any(|reason| state.is(reason));
    }
    match pod.status_cell() {
        Some(cell) => STARTED_CELLS.contains(&cell.value.as_str()),
        None => pod.is("Running").is_some() || is_ready(pod),
    }
}

/// Ready, as far as the bundle tells.
pub(super) fn is_ready(pod: &Pod) -> bool {
    pod.ready().is_some_and(|seen| seen.value)
}

/// Not ready, and the bundle says so.
pub(super) fn is_unready(pod: &Pod) -> bool {
    pod.ready().is_some_and(|seen| !seen.value)
}

/// DNS pods whose container is held by one of these reasons, now or in its last run, or whose STATUS cell is one.
pub(super) fn held<'a>(cluster: &'a Cluster, reasons: &[&str]) -> Vec<Held<'a>> {
    let mut list = Vec::new();
    for pod in cluster.dns_pods().filter(|pod| !pod.gone() && !is_ready(pod)) {
        let mut held = Held { pod, message: "", quotes: Vec::new() };
        for container in pod.main_containers() {
            for state in [container.state.as_ref(), container.last.as_ref()].into_iter().flatten() {
                if !reasons.iter().any(|reason| state.is(reason)) {
                    continue;
                }
                held.quotes.push(state.telling());
                if let Some(message) = &state.message {
                    held.quotes.insert(0, &message.quote);
                    held.message = if held.message.is_empty() { &message.value } else { held.message };
                }
            }
        }
        let cells = pod.sights.iter().filter_map(|sight| sight.status_cell.as_ref());
        held.quotes.extend(cells.filter(|cell| reasons.contains(&cell.value.as_str())).map(|cell| &cell.quote));
        if !held.quotes.is_empty() {
            list.push(held);
        }
    }
    list
}

/// Events about DNS pods that `test` accepts and that no later event and no present state of their pod has settled.
///
/// `settled` says of a pod that it is beyond what the event tells; `reasons` are those of later events that say the same.
pub(super) fn standing<'a>(
    cluster: &'a Cluster,
    test: impl Fn(&Event) -> bool,
    settled: impl Fn(&Pod) -> bool,
    reasons: &[&str],
) -> Vec<&'a Event> {
    let stands = |event: &&Event| match cluster.pod(event.namespace.as_deref(), &event.object) {
        Some(pod) => !pod.gone() && !is_ready(pod) && !settled(pod),
        // A pod that is not listed beside ready ones was replaced.
        None => cluster.dns_all_ready() != Some(true),
    };
    let over = |event: &Event| {
        cluster.dns_events_of(reasons).any(|other| other.object == event.object && !before(cluster, other, event))
    };
    let pods = cluster.dns_events().filter(|event| event.object_kind == "Pod" && test(event));
    pods.filter(stands).filter(|event| !over(event)).collect()
}

/// Whether `a` happened before `b`, by time, else by their order in one file.
pub(super) fn before(cluster: &Cluster, a: &Event, b: &Event) -> bool {
    match (cluster.event_time(a), cluster.event_time(b), a.last_ago, b.last_ago) {
        (Some(a), Some(b), ..) => a < b,
        (_, _, Some((a, _)), Some((b, _))) => a > b,
        _ => a.quote.source < b.quote.source,
    }
}

/// `pod/namespace/name` of an event's pod.
pub(super) fn subject(cluster: &Cluster, event: &Event) -> String {
    let namespace = event.namespace.as_deref().unwrap_or(&cluster.dns.namespace);
    format!("pod/{namespace}/{}", event.object)
}

/// Adds the quotes and subjects of what is held and of events.
pub(super) fn with_proofs(mut found: Assessment, cluster: &Cluster, held: &[Held], events: &[&Event]) -> Assessment {
    for event in events.iter().take(FEW) {
        found = found.proof(&event.quote, "the event");
    }
    for item in held.iter().take(FEW) {
        found = found.proofs(item.quotes.iter().copied().take(FEW), "the state of the pod").about(item.pod.reference());
    }
    for event in events {
        found = found.about(subject(cluster, event));
    }
    found
}

/// When the first of these events happened first, where known.
pub(super) fn since(cluster: &Cluster, events: &[&Event]) -> Option<jiff::Timestamp> {
    let first =
        |event: &Event| event.first.or_else(|| cluster.ago(event.first_ago?.0)).or_else(|| cluster.event_time(event));
    events.iter().filter_map(|event| first(event)).min()
}

/// The answer where nothing tells of the fault: ruled out by pods that are beyond it, by events that were read, or by a
/// start line; else not checked.
pub(super) fn otherwise(
    cluster: &Cluster,
    settled: impl Fn(&Pod) -> bool,
    passed: &str,
    fault: &str,
    needs: &[Need],
) -> Assessment {
    let pods: Vec<&Pod> = cluster.dns_pods().filter(|pod| !pod.gone()).collect();
    let through: Vec<&Pod> = pods.iter().copied().filter(|pod| is_ready(pod) || settled(pod)).collect();
    if let (Some(first), true) = (through.first(), through.len() == pods.len()) {
        let answer = Assessment::ruled_out(format!("{} in the bundle: {passed}.", counted(pods.len(), "DNS pod")));
        return match first.ready().map(|seen| &seen.quote).or(first.sights.first().map(|sight| &sight.at)) {
            Some(quote) => answer.against(quote, "it is beyond that point"),
            None => answer,
        };
    }
    let events = cluster.dns_events().count();
    if events > 0 {
        return Assessment::ruled_out(format!(
            "{} about DNS pods read: none tells of {fault} that still stands.",
            counted(events, "event")
        ));
    }
    match cluster.says(Signal::Banner) {
        Some(banner) if pods.is_empty() => {
            Assessment::ruled_out(format!("CoreDNS printed its start line, so there is no {fault} in the logs' time."))
                .against(banner, "CoreDNS started")
        }
        _ => Assessment::not_checked(
            format!("Neither events nor the state of all DNS pods are in the bundle, so {fault} cannot be seen."),
            missing(cluster, needs),
        ),
    }
}

/// `1 event`, `3 events`.
pub(super) fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// The text between two marks.
pub(super) fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let rest = text.split_once(start)?.1;
    Some(rest.split_once(end)?.0).filter(|part| !part.is_empty())
}

/// The first row whose mark stands in `text`, in any case.
pub(super) fn row<'a, T>(table: &'a [(&str, T)], text: &str) -> Option<&'a T> {
    let text = text.to_ascii_lowercase();
    table.iter().find(|(mark, _)| text.contains(&mark.to_ascii_lowercase())).map(|(_, value)| value)
}

/// A text without its last stop, at most some hundred characters, for the middle of a sentence.
pub(super) fn clause(text: &str) -> String {
    const LIMIT: usize = 240;
    let text = text.trim().trim_end_matches(['.', ' ']);
    let mut short: String = text.chars().take(LIMIT).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    #[test]
    fn texts_are_cut_and_found() {
        assert_eq!(between("a [b] c", "[", "]"), Some("b"));
        assert_eq!(between("a [] c", "[", "]"), None);
        assert_eq!(clause("It ended. "), "It ended");
        assert_eq!(clause(&"ä".repeat(500)).chars().count(), 241);
        assert_eq!(row(&[("x509", 1), ("Not Found", 2)], "was not found"), Some(&2));
    }

    #[test]
    fn a_later_start_settles_an_event() {
        let fault = event("FailedMount", "coredns-a", "x");
        let start = Event { last_ago: Some((10, 1)), ..event("Started", "coredns-a", "Started container coredns") };
        let stands = |facts| {
            let cluster = cluster(facts);
            standing(&cluster, |event| event.reason == "FailedMount", created, &["Started"]).len()
        };
        assert_eq!(stands(vec![fact(fault.clone())]), 1);
        assert_eq!(stands(vec![fact(fault.clone()), fact(start.clone())]), 0);
        let old = Event { last_ago: Some((900, 60)), ..start };
        assert_eq!(stands(vec![fact(fault.clone()), fact(old)]), 1);
        assert_eq!(stands(vec![fact(fault), fact(ready(pod("coredns-a")))]), 0);
    }

    #[test]
    fn other_pods_do_not_count() {
        let fault = event("FailedMount", "web-1", "x");
        let cluster = cluster(vec![fact(fault), fact(pod("coredns-a"))]);
        assert!(standing(&cluster, |_| true, created, &[]).is_empty());
    }
}
