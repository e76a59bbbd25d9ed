//! The bundle's one clock: when it was collected.

use jiff::Timestamp;

use super::Cluster;
use crate::source::Seen;
use crate::time;

/// Sets `collected_at`: what the bundle says of itself, else the latest moment that anything in it bears.
pub(super) fn set(cluster: &mut Cluster, said: Vec<Seen<Timestamp>>) {
    let said = said.into_iter().map(|seen| seen.value).max();
    cluster.collected_at_said = said.is_some();
    cluster.collected_at = said.or_else(|| from_ages(cluster)).or_else(|| latest(cluster));
    give_years(cluster);
}

/// klog and syslog write no year: it is the one before the collection.
fn give_years(cluster: &mut Cluster) {
    let now = cluster.collected_at;
    for log in &mut cluster.logs {
        let of_tallies = log.tallies.values_mut().flat_map(|tally| [&mut tally.first_at, &mut tally.last_at]);
        for at in of_tallies.chain([&mut log.from, &mut log.to]) {
            *at = at.and_then(|at| time::with_year(at, now));
        }
    }
}

/// A time and an age of the same thing: `Started` of a container and the age of its last restart.
fn from_ages(cluster: &Cluster) -> Option<Timestamp> {
    let restarted = |pod: &super::Pod| {
        let ago = pod.sights.iter().find_map(|sight| sight.last_restart_ago)?;
        let finished = pod.main_containers().find_map(|c| c.last.as_ref()?.finished.as_ref().map(|s| s.value))?;
        Timestamp::from_second(finished.as_second().checked_add(ago)?).ok()
    };
    let started = |event: &crate::evidence::facts::Event| {
        if event.reason != "Started" || event.last.is_some() {
            return None;
        }
        let pod = cluster.pod(event.namespace.as_deref(), &event.object)?;
        let started = pod.main_containers().find_map(|container| {
            let state = container.state.as_ref()?;
            state.started.as_ref().or(container.last.as_ref()?.started.as_ref()).map(|seen| seen.value)
        })?;
        Timestamp::from_second(started.as_second().checked_add(event.last_ago?.0)?).ok()
    };
    cluster.pods.iter().filter_map(restarted).max().or_else(|| cluster.events.iter().filter_map(started).max())
}

fn latest(cluster: &Cluster) -> Option<Timestamp> {
    let logs = cluster.logs.iter().filter_map(|log| log.to.or(log.from)).filter(time::has_year);
    let events = cluster.events.iter().filter_map(|event| event.last);
    let states = cluster.pods.iter().flat_map(|pod| pod.main_containers()).filter_map(|container| {
        let of = |state: &crate::evidence::facts::State| {
            state.finished.as_ref().or(state.started.as_ref()).map(|seen| seen.value)
        };
        container.state.as_ref().and_then(of).max(container.last.as_ref().and_then(of))
    });
    let heartbeats =
        cluster.nodes.iter().flat_map(|node| &node.sights).flat_map(|s| &s.conditions).filter_map(|c| c.heartbeat);
    logs.chain(events).chain(states).chain(heartbeats).max()
}
