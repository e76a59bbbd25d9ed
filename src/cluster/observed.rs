//! Questions about what was observed that several detectors ask.

use jiff::Timestamp;

use super::{Cluster, ContainerView, Pod};
use crate::evidence::facts::{Event, Log, State, StatePhase, Tally};
use crate::knowledge::messages::Signal;
use crate::source::Quote;

/// A pod that restarted longer ago than this is not in trouble any more, in seconds.
const RECENT: i64 = 3600;

impl Cluster {
    /// CoreDNS's logs that hold `signal`, with its tally.
    pub fn signals(&self, signal: Signal) -> impl Iterator<Item = (&Log, &Tally)> {
        self.dns_logs().filter_map(move |log| Some((log, log.tally(signal)?)))
    }

    /// The first quote of `signal` in any of CoreDNS's logs.
    pub fn says(&self, signal: Signal) -> Option<&Quote> {
        self.signals(signal).map(|(_, tally)| &tally.first).next()
    }

    /// Whether any CoreDNS log is in the bundle.
    pub fn has_dns_logs(&self) -> bool {
        self.dns_logs().next().is_some()
    }

    /// The container that serves in each DNS pod.
    pub fn dns_containers(&self) -> impl Iterator<Item = (&Pod, ContainerView<'_>)> {
        self.dns_pods().filter_map(|pod| Some((pod, pod.main()?)))
    }

    /// Every ended run of a DNS container that the bundle shows.
    pub fn dns_deaths(&self) -> Vec<(&Pod, &State)> {
        self.dns_containers().flat_map(|(pod, view)| view.deaths().into_iter().map(move |state| (pod, state))).collect()
    }

    /// DNS containers that wait, with their state.
    pub fn dns_waiting(&self) -> impl Iterator<Item = (&Pod, &State)> {
        self.dns_containers()
            .filter_map(|(pod, view)| Some((pod, view.state()?)))
            .filter(|(_, state)| state.phase == StatePhase::Waiting)
    }

    /// Events about DNS pods or their workload with one of these reasons.
    pub fn dns_events_of<'a>(&'a self, reasons: &'a [&'a str]) -> impl Iterator<Item = &'a Event> {
        self.dns_events().filter(move |event| reasons.contains(&event.reason.as_str()))
    }

    /// All DNS pods that the bundle shows are ready; `None` where it shows none.
    pub fn dns_all_ready(&self) -> Option<bool> {
        let mut any = false;
        for pod in self.dns_pods().filter(|pod| !pod.gone()) {
            match pod.ready() {
                Some(seen) if seen.value => any = true,
                Some(_) => return Some(false),
                None => {}
            }
        }
        any.then_some(true)
    }

    /// Whether a pod restarted within the hour before collection, as far as the bundle tells. A restart whose time is
    /// unknown counts as recent.
    pub fn restarted_lately(&self, pod: &Pod) -> bool {
        let Some(restarts) = pod.restarts() else { return false };
        if restarts.value == 0 {
            return false;
        }
        let finished = pod.main().and_then(|view| view.last()).and_then(|state| state.finished.as_ref());
        let ago = pod.last_restart_ago().or_else(|| self.seconds_ago(finished?.value));
        ago.is_none_or(|seconds| seconds <= RECENT)
    }

    /// When the first ended run of a DNS container that the bundle shows ended.
    pub fn first_death(&self) -> Option<Timestamp> {
        self.dns_deaths().iter().filter_map(|(_, state)| state.finished.as_ref()).map(|seen| seen.value).min()
    }

    /// The first time among quotes' facts, for `since`.
    pub fn first_at(&self, signal: Signal) -> Option<Timestamp> {
        self.signals(signal).filter_map(|(_, tally)| tally.first_at).min()
    }
}

impl Pod {
    /// It ran to its end or is being deleted: what it shows now is no fault.
    pub fn gone(&self) -> bool {
        self.sights.iter().any(|sight| sight.terminating)
            || self.is("Succeeded").is_some()
            || self.is("Completed").is_some()
    }

    /// Its container ran at least once.
    pub fn ever_started(&self) -> bool {
        self.sights.iter().flat_map(|sight| &sight.containers).any(|container| {
            container.created
                || container.last.is_some()
                || container.state.as_ref().is_some_and(|state| state.phase != StatePhase::Waiting)
        }) || self.restarts().is_some_and(|seen| seen.value > 0)
    }
}

impl Log {
    /// The process in this log came up after line `line`: a banner stands behind it.
    pub fn started_after(&self, line: u32) -> bool {
        self.tally(Signal::Banner).is_some_and(|banner| banner.last.source.line > line)
    }
}
