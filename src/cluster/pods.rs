//! Reading a pod from its sights.

use jiff::Timestamp;

use super::Pod;
use crate::evidence::facts::{Condition, Container, Probe, State};
use crate::source::{Quote, Seen};

/// Containers that stand beside the one that matters.
const SIDECARS: [&str; 6] =
    ["kube-rbac-proxy", "dnsmasq", "sidecar", "istio-proxy", "linkerd-proxy", "prometheus-to-sd"];

/// One container from all sights of its pod, the best source first.
#[derive(Debug, Clone, Copy)]
pub struct ContainerView<'a> {
    pod: &'a Pod,
    name: &'a str,
}

impl<'a> ContainerView<'a> {
    /// The container's name.
    pub fn name(&self) -> &'a str {
        self.name
    }

    fn sights(&self) -> impl Iterator<Item = &'a Container> + use<'a> {
        let (pod, name) = (self.pod, self.name);
        pod.sights.iter().flat_map(|sight| &sight.containers).filter(move |container| container.name == name)
    }

    /// The best source's value of a field.
    pub fn best<U: ?Sized>(&self, field: impl Fn(&'a Container) -> Option<&'a U>) -> Option<&'a U> {
        self.sights().find_map(field)
    }

    /// The state that was observed last (the best source's).
    pub fn state(&self) -> Option<&'a State> {
        self.best(|container| container.state.as_ref())
    }

    /// The run before this one.
    pub fn last(&self) -> Option<&'a State> {
        self.best(|container| container.last.as_ref())
    }

    /// Every terminated run that any sight shows: two sights of different moments show two runs.
    pub fn deaths(&self) -> Vec<&'a State> {
        let mut deaths: Vec<&State> = Vec::new();
        for container in self.sights() {
            for state in [container.state.as_ref(), container.last.as_ref()].into_iter().flatten() {
                let terminated = state.phase == crate::evidence::facts::StatePhase::Terminated;
                let finished = |s: &State| s.finished.as_ref().map(|seen| seen.value);
                let known =
                    deaths.iter().any(|death| finished(death) == finished(state) && death.exit() == state.exit());
                if terminated && !known {
                    deaths.push(state);
                }
            }
        }
        deaths
    }

    /// Limit of memory, bytes.
    pub fn memory_limit(&self) -> Option<&'a Seen<u64>> {
        self.best(|container| container.memory_limit.as_ref())
    }

    /// The image.
    pub fn image(&self) -> Option<&'a Seen<String>> {
        self.best(|container| container.image.as_ref())
    }

    /// The liveness probe.
    pub fn liveness(&self) -> Option<&'a Probe> {
        self.best(|container| container.liveness.as_ref())
    }

    /// The readiness probe.
    pub fn readiness(&self) -> Option<&'a Probe> {
        self.best(|container| container.readiness.as_ref())
    }
}

impl Pod {
    /// The containers, each once, without well-known sidecars.
    pub fn containers(&self) -> Vec<ContainerView<'_>> {
        let mut names: Vec<&str> = Vec::new();
        for container in self.sights.iter().flat_map(|sight| &sight.containers) {
            if !SIDECARS.contains(&container.name.as_str()) && !names.contains(&container.name.as_str()) {
                names.push(&container.name);
            }
        }
        names.into_iter().map(|name| ContainerView { pod: self, name }).collect()
    }

    /// The container that serves: the first that is no sidecar.
    pub fn main(&self) -> Option<ContainerView<'_>> {
        self.containers().into_iter().next()
    }

    /// Each sight's view of the container that serves.
    pub fn main_containers(&self) -> impl Iterator<Item = &Container> {
        let main = self.main().map(|view| view.name);
        self.sights
            .iter()
            .flat_map(|sight| &sight.containers)
            .filter(move |container| Some(container.name.as_str()) == main)
    }

    /// Labels.
    pub fn labels(&self) -> Option<&Seen<std::collections::BTreeMap<String, String>>> {
        self.best(|sight| sight.labels.as_ref())
    }

    /// Node it runs on.
    pub fn node(&self) -> Option<&Seen<String>> {
        self.best(|sight| sight.node.as_ref())
    }

    /// Its address.
    pub fn ip(&self) -> Option<&Seen<String>> {
        self.best(|sight| sight.ip.as_ref())
    }

    /// Phase: `Running`, `Pending`, `Failed` …
    pub fn phase(&self) -> Option<&Seen<String>> {
        self.best(|sight| sight.phase.as_ref())
    }

    /// The STATUS cell of a table.
    pub fn status_cell(&self) -> Option<&Seen<String>> {
        self.best(|sight| sight.status_cell.as_ref())
    }

    /// Whether any sight's phase or STATUS cell is `word`.
    pub fn is(&self, word: &str) -> Option<&Quote> {
        self.sights
            .iter()
            .flat_map(|sight| [sight.phase.as_ref(), sight.status_cell.as_ref(), sight.reason.as_ref()])
            .flatten()
            .find(|seen| seen.value == word)
            .map(|seen| &seen.quote)
    }

    /// Whether it is ready: the Ready condition, else the READY cell. A pod whose node is lost has its condition at
    /// false while its cell still says 1/1, so a `false` of any source wins within the best rank that has one.
    pub fn ready(&self) -> Option<&Seen<bool>> {
        self.best(|sight| sight.ready.as_ref())
    }

    /// The highest restart count that any sight shows.
    pub fn restarts(&self) -> Option<&Seen<u32>> {
        self.sights.iter().filter_map(|sight| sight.restarts.as_ref()).max_by_key(|seen| seen.value)
    }

    /// Seconds since the last restart, where a table says so.
    pub fn last_restart_ago(&self) -> Option<i64> {
        self.sights.iter().find_map(|sight| sight.last_restart_ago)
    }

    /// When it was created or started.
    pub fn created(&self) -> Option<Timestamp> {
        self.best(|sight| sight.created.as_ref()).map(|seen| seen.value)
    }

    /// A condition by its kind.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        self.sights.iter().flat_map(|sight| &sight.conditions).find(|condition| condition.kind == kind)
    }

    /// `pod/namespace/name`.
    pub fn reference(&self) -> String {
        self.subject("pod")
    }
}
