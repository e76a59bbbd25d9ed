//! What the memory failures share: who was killed, when, and how long each run had lasted.

use jiff::Timestamp;

use crate::cluster::{Cluster, Pod};
use crate::evidence::facts::{KernelKind, KernelLine, State};
use crate::source::Quote;

/// A run that ends this soon after its start never got through the first list of objects, in seconds.
pub const SHORT_LIFE: i64 = 120;
/// Replicas that die within this span died of the same thing, in seconds.
pub const TOGETHER: i64 = 120;

/// One kill at the memory limit.
pub struct Kill<'a> {
    /// The pod, where a pod's state says so.
    pub pod: Option<&'a Pod>,
    /// How long the run had lasted, seconds.
    pub lasted: Option<i64>,
    /// When it ended.
    pub at: Option<Timestamp>,
    /// Where it is said.
    pub quote: &'a Quote,
}

/// All kills of DNS containers at their limit that the bundle shows.
pub fn kills(cluster: &Cluster) -> Vec<Kill<'_>> {
    let mut kills: Vec<Kill<'_>> = Vec::new();
    for (pod, state) in cluster.dns_deaths() {
        if state.is("OOMKilled") {
            kills.push(of_state(pod, state));
        }
    }
    for pod in cluster.dns_pods() {
        let known = kills.iter().any(|kill| kill.pod.is_some_and(|other| other.name == pod.name));
        let cell = pod.status_cell().filter(|cell| cell.value == "OOMKilled");
        if let (false, Some(cell)) = (known, cell) {
            kills.push(Kill { pod: Some(pod), lasted: None, at: None, quote: &cell.quote });
        }
    }
    if kills.is_empty() {
        kills.extend(kernel_kills(cluster).map(|line| Kill {
            pod: None,
            lasted: None,
            at: line.at,
            quote: &line.quote,
        }));
    }
    kills
}

fn of_state<'a>(pod: &'a Pod, state: &'a State) -> Kill<'a> {
    Kill {
        pod: Some(pod),
        lasted: state.lasted(),
        at: state.finished.as_ref().map(|seen| seen.value),
        quote: state.telling(),
    }
}

/// Kernel lines of a kill of a process called coredns in its own cgroup.
pub fn kernel_kills(cluster: &Cluster) -> impl Iterator<Item = &KernelLine> {
    cluster.kernel.iter().filter(|line| {
        matches!(line.kind, KernelKind::CgroupKill | KernelKind::CgroupConstraint) && line.task == "coredns"
    })
}

/// Kernel lines of a kill because the node, not the container, ran out of memory.
pub fn node_kills(cluster: &Cluster) -> impl Iterator<Item = &KernelLine> {
    cluster
        .kernel
        .iter()
        .filter(|line| matches!(line.kind, KernelKind::NodeKill | KernelKind::NodeConstraint) && line.task == "coredns")
}
