//! # Restarts in back-off
//!
//! ## What it is
//! The DNS container ends again and again, and the kubelet waits longer before each new start: 10, 20, 40, 80, 160, then 300
//! seconds. Ten minutes of running reset that. It is a symptom: what ends the process is another failure.
//!
//! ## How it is recognised
//! By `CrashLoopBackOff`, by the event `Back-off restarting failed container`, or by restart counts that rise. The STATUS
//! cell can read OOMKilled, Error or CrashLoopBackOff depending on the second.
//!
//! ## What it is not
//! Restarts of days ago. `ContainerCreating` is `volume-mount` or `sandbox-cni`, `ErrImagePull` is `image-pull`, `Pending`
//! is `unschedulable`.
//!
//! ## Fix
//! Read the previous log and the last state first, then follow the failure that they name. Only one earlier run is kept, and
//! deleting the pod deletes it.
//!
//! ## Prevent
//! Page on any restart of a DNS pod within the last hour: at the cap of 300 seconds a container that dies at once looks calm.

use super::starting::{FEW, clause, counted, is_ready, otherwise, since, subject};
use super::{Assessment, Class, Failure, Need, causes, missing};
use crate::cluster::{Cluster, Pod};
use crate::evidence::facts::{Event, State};
use crate::report::{Confidence, Hop, Severity};
use crate::source::Quote;

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "crash-loop",
    title: "Restarts in back-off",
    hop: Some(Hop::Server),
    severity: Severity::Critical,
    class: Class::Symptom,
    causes: &[causes("service-no-endpoints")],
    examine,
    source: include_str!("crash_loop.rs"),
};

const CELLS: [&str; 4] = ["CrashLoopBackOff", "Error", "OOMKilled", "Completed"];
/// So many restarts are a row of them.
const ROW: u32 = 3;
/// Ready for so long after the last restart: the row is over, in seconds.
const CALM: i64 = 1800;
/// The kubelet's waits, in seconds.
const WAITS: [u32; 6] = [10, 20, 40, 80, 160, 300];

fn examine(cluster: &Cluster) -> Assessment {
    let looping: Vec<(&Pod, Confidence, &Quote)> =
        cluster.dns_pods().filter(|pod| !pod.gone()).filter_map(|pod| sign(cluster, pod)).collect();
    let unlisted = |event: &&Event| {
        cluster.pod(event.namespace.as_deref(), &event.object).is_none() && cluster.dns_all_ready() != Some(true)
    };
    let backoff = |event: &&Event| is_backoff(event);
    let events: Vec<&Event> = cluster.dns_events().filter(backoff).filter(unlisted).collect();
    let best =
        looping.iter().map(|(_, confidence, quote)| (*confidence, *quote)).max_by_key(|(confidence, _)| *confidence);
    let best = best.or_else(|| events.first().map(|event| (Confidence::Confirmed, &event.quote)));
    let Some((confidence, quote)) = best else { return not_found(cluster) };
    let pods: Vec<&Pod> = looping.iter().map(|(pod, ..)| *pod).collect();
    let summary = summary(cluster, &pods, &events);
    let past = !pods.is_empty() && pods.iter().all(|pod| is_ready(pod) && ago(cluster, pod).is_some_and(|s| s > CALM));
    let mut found = Assessment::found(confidence, summary, quote, "the kubelet waits between starts").past(past);
    for pod in pods.iter().take(FEW) {
        found = found
            .proofs(evidence(pod).into_iter().take(FEW), "the pod's state and its last run")
            .about(pod.reference());
    }
    let told: Vec<&Event> = cluster.dns_events().filter(backoff).collect();
    for event in told.iter().take(FEW) {
        found = found.proof(&event.quote, "the kubelet's own words").about(subject(cluster, event));
    }
    let died = pods
        .iter()
        .filter_map(|pod| pod.main())
        .flat_map(|view| view.deaths())
        .filter_map(|state| Some(state.finished.as_ref()?.value));
    with_fixes(found.since(since(cluster, &told).or(died.min())), cluster)
}

fn is_backoff(event: &Event) -> bool {
    event.reason == "BackOff" && event.message.to_ascii_lowercase().contains("restarting failed container")
}

/// Seconds since the pod's last restart, as far as the bundle tells.
fn ago(cluster: &Cluster, pod: &Pod) -> Option<i64> {
    let finished = || pod.main()?.last()?.finished.as_ref().map(|seen| seen.value);
    pod.last_restart_ago().or_else(|| cluster.seconds_ago(finished()?))
}

/// Whether, how surely and by what this pod is in a row of restarts.
fn sign<'a>(cluster: &'a Cluster, pod: &'a Pod) -> Option<(&'a Pod, Confidence, &'a Quote)> {
    let waits = pod.main().and_then(|view| view.state()).filter(|state| state.is("CrashLoopBackOff"));
    if let Some(quote) = waits.map(State::telling).or_else(|| pod.is("CrashLoopBackOff")) {
        return Some((pod, Confidence::Confirmed, quote));
    }
    let restarts = pod.restarts()?;
    if !cluster.restarted_lately(pod) {
        return None;
    }
    let told = cluster.dns_events().find(|event| is_backoff(event) && event.object == pod.name);
    if let (Some(event), true) = (told, restarts.value > 1) {
        return Some((pod, Confidence::Confirmed, &event.quote));
    }
    let cell = CELLS.iter().find_map(|cell| pod.is(cell)).filter(|_| !is_ready(pod) && restarts.value > 1);
    if let Some(quote) = cell {
        return Some((pod, Confidence::Likely, quote));
    }
    // Of a ready pod only restarts whose time is known, or that rise between two lists, are recent.
    let counts: std::collections::BTreeSet<u32> =
        pod.sights.iter().filter_map(|sight| sight.restarts.as_ref()).map(|seen| seen.value).collect();
    let known = ago(cluster, pod).is_some() || counts.len() > 1 || !is_ready(pod);
    (restarts.value >= ROW && known).then_some((pod, Confidence::Likely, &restarts.quote))
}

/// Lines about the pod's state, its last run and its restarts.
fn evidence(pod: &Pod) -> Vec<&Quote> {
    let mut quotes: Vec<&Quote> = Vec::new();
    if let Some(view) = pod.main() {
        if let Some(last) = view.last() {
            quotes.push(last.telling());
            quotes.extend(last.exit_code.as_ref().map(|seen| &seen.quote));
        }
        quotes.extend(view.state().map(State::telling));
    }
    quotes.extend(pod.status_cell().map(|seen| &seen.quote));
    quotes.extend(pod.restarts().map(|seen| &seen.quote));
    quotes
}

fn summary(cluster: &Cluster, pods: &[&Pod], events: &[&Event]) -> String {
    let mut names: Vec<&str> = pods.iter().map(|pod| pod.name.as_str()).collect();
    for event in events {
        if !names.contains(&event.object.as_str()) {
            names.push(&event.object);
        }
    }
    let most = pods.iter().filter_map(|pod| pod.restarts()).map(|seen| seen.value).max();
    let counts = most.map_or(String::new(), |most| format!(" (up to {})", counted(most as usize, "restart")));
    let last =
        pods.iter().filter_map(|pod| pod.main()).find_map(|view| view.last().or(view.deaths().into_iter().next()));
    let ended = last.map_or(String::new(), |state| format!(" The last run{}.", run(state)));
    let wait = most.map_or(300, |most| WAITS.get((most as usize).saturating_sub(1)).copied().unwrap_or(300));
    let shown = names.iter().take(FEW).copied().collect::<Vec<_>>().join(", ");
    let verb = if names.len() == 1 { "restarts" } else { "restart" };
    let of = cluster.dns_pods().filter(|pod| !pod.gone()).count().max(names.len());
    format!(
        "{} of {} in a row of restarts{counts}: {shown} {verb} with waits of up to {wait} s.{ended} Only one earlier run is kept.",
        names.len(),
        counted(of, "DNS pod"),
    )
}

/// How a run ended, in words.
fn run(state: &State) -> String {
    let reason = state.reason.as_ref().map_or("", |seen| seen.value.as_str());
    let exit = state.exit().map_or(String::new(), |code| format!(" with exit {code}"));
    let lasted = state.lasted().map_or(String::new(), |seconds| format!(" after {seconds} s"));
    let reason = if reason.is_empty() { String::new() } else { format!(" ({})", clause(reason)) };
    format!(" ended{exit}{reason}{lasted}")
}

fn with_fixes(found: Assessment, cluster: &Cluster) -> Assessment {
    let (namespace, selector) = (&cluster.dns.namespace, &cluster.dns.selector);
    found.wants(missing(cluster, &[Need::PreviousLogs, Need::Describe])).command(
        "Read what ends the process",
        format!("kubectl -n {namespace} describe pod -l {selector} | grep -A8 'Last State'\nfor p in $(kubectl -n {namespace} get pods -l {selector} -o name); do echo $p; kubectl -n {namespace} logs $p -c {} --previous --tail=20; done", cluster.dns.container),
        "reads only; do not delete the pods before, that deletes the previous log",
    )
}

fn not_found(cluster: &Cluster) -> Assessment {
    let pods: Vec<&Pod> = cluster.dns_pods().filter(|pod| !pod.gone()).collect();
    let restarts: Vec<u32> = pods.iter().filter_map(|pod| pod.restarts()).map(|seen| seen.value).collect();
    if let (Some(most), true) = (restarts.iter().max(), restarts.len() == pods.len()) {
        let summary = match most {
            0 => format!("{} looked at: no restart.", counted(pods.len(), "DNS pod")),
            _ => format!(
                "{} looked at: up to {}, and none is a row of restarts within the last hour.",
                counted(pods.len(), "DNS pod"),
                counted(*most as usize, "restart")
            ),
        };
        let answer = Assessment::ruled_out(summary);
        return match pods.iter().filter_map(|pod| pod.restarts()).max_by_key(|seen| seen.value) {
            Some(seen) => answer.against(&seen.quote, "the restart count"),
            None => answer,
        };
    }
    otherwise(cluster, is_ready, "they are ready", "a row of restarts", &[Need::Pods, Need::Describe])
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::evidence::facts::StatePhase;
    use crate::report::Status;

    #[test]
    fn which_rows_are_a_loop() {
        for (ready, status, restarts, ago, wants) in [
            (false, "CrashLoopBackOff", 7, None, Some(Confidence::Confirmed)),
            (false, "Error", 4, Some(20), Some(Confidence::Likely)),
            (false, "OOMKilled", 2, Some(5), Some(Confidence::Likely)),
            (true, "Running", 5, Some(120), Some(Confidence::Likely)),
            (true, "Running", 12, Some(86_400 * 3), None),
            (true, "Running", 1, Some(60), None),
            (true, "Running", 9, None, None),
            (true, "Running", 0, None, None),
            (false, "ErrImagePull", 0, None, None),
        ] {
            let answer = examine(&cluster(vec![fact(pod_row("coredns-a", ready, status, restarts, ago))]));
            assert_eq!(answer.confidence, wants, "{status} {restarts} {ago:?}: {}", answer.summary);
        }
    }

    #[test]
    fn the_last_run_is_told() {
        let pod = with_last(
            waiting("coredns-a", "CrashLoopBackOff", ""),
            state(StatePhase::Terminated, "Error", "", Some(1)),
            3,
        );
        let answer = examine(&cluster(vec![fact(pod)]));
        assert!(answer.summary.contains("exit 1") && answer.summary.contains("40 s"), "{}", answer.summary);
        assert!(answer.proofs.iter().any(|proof| proof.quote.text.contains("exitCode: 1")));
    }

    #[test]
    fn a_row_that_ended_is_past() {
        let answer = examine(&cluster(vec![fact(pod_row("coredns-a", true, "Running", 4, Some(2400)))]));
        assert!(answer.past && answer.status == Status::Found);
    }

    #[test]
    fn events_of_pods_that_are_not_listed_count() {
        let back = |pod: &str| event("BackOff", pod, "Back-off restarting failed container coredns in pod x");
        assert_eq!(examine(&cluster(vec![fact(back("coredns-a"))])).status, Status::Found);
        assert!(!examine(&cluster(vec![fact(back("web-1"))])).holds());
        let replaced = vec![fact(back("coredns-a")), fact(pod_row("coredns-b", true, "Running", 0, None))];
        assert_eq!(examine(&cluster(replaced)).status, Status::RuledOut);
    }
}
