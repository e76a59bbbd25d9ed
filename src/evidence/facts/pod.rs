//! A pod as one source shows it.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{Id, Rank};
use crate::source::{Quote, Seen};

/// A pod as one source shows it; what the source does not show is `None` or empty.
#[derive(Debug, Clone)]
pub struct Pod {
    /// Which pod.
    pub id: Id,
    /// Which kind of source.
    pub rank: Rank,
    /// The line that names it.
    pub at: Quote,
    /// `metadata.uid`.
    pub uid: Option<String>,
    /// `metadata.labels`, quoted at the first of them.
    pub labels: Option<Seen<BTreeMap<String, String>>>,
    /// `ReplicaSet/name`, `DaemonSet/name`, `Node/name` for static pods.
    pub owner: Option<String>,
    /// `spec.nodeName`.
    pub node: Option<Seen<String>>,
    /// `status.podIP`.
    pub ip: Option<Seen<String>>,
    /// `spec.hostNetwork`.
    pub host_network: Option<Seen<bool>>,
    /// `spec.dnsPolicy`.
    pub dns_policy: Option<Seen<String>>,
    /// `spec.priorityClassName`.
    pub priority_class: Option<Seen<String>>,
    /// `spec.serviceAccountName`.
    pub service_account: Option<Seen<String>>,
    /// `status.phase`, or describe's `Status:`.
    pub phase: Option<Seen<String>>,
    /// The table's STATUS cell: `Running`, `CrashLoopBackOff`, `OOMKilled`, `Error` …
    pub status_cell: Option<Seen<String>>,
    /// `status.reason`, for example `Evicted`.
    pub reason: Option<Seen<String>>,
    /// `status.message`.
    pub message: Option<Seen<String>>,
    /// Ready condition, or a READY cell with equal numbers.
    pub ready: Option<Seen<bool>>,
    /// Sum of the containers' restart counts.
    pub restarts: Option<Seen<u32>>,
    /// Seconds since the last restart, from the table's `12 (2m50s ago)`.
    pub last_restart_ago: Option<i64>,
    /// `status.startTime` or `metadata.creationTimestamp`.
    pub created: Option<Seen<Timestamp>>,
    /// Seconds of the AGE cell.
    pub age: Option<i64>,
    /// `metadata.deletionTimestamp` is set, or STATUS is `Terminating`.
    pub terminating: bool,
    /// `status.conditions`.
    pub conditions: Vec<Condition>,
    /// Init containers are left out.
    pub containers: Vec<Container>,
    /// ConfigMaps mounted as volumes: name and the keys that `items` asks for (empty: all).
    pub config_volumes: Vec<Seen<ConfigVolume>>,
}

impl Pod {
    /// A pod of which only the name is known yet.
    pub fn new(id: Id, rank: Rank, at: Quote) -> Self {
        Pod {
            id,
            rank,
            at,
            uid: None,
            labels: None,
            owner: None,
            node: None,
            ip: None,
            host_network: None,
            dns_policy: None,
            priority_class: None,
            service_account: None,
            phase: None,
            status_cell: None,
            reason: None,
            message: None,
            ready: None,
            restarts: None,
            last_restart_ago: None,
            created: None,
            age: None,
            terminating: false,
            conditions: Vec::new(),
            containers: Vec::new(),
            config_volumes: Vec::new(),
        }
    }
}

/// A ConfigMap mounted as a volume.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConfigVolume {
    /// Name of the ConfigMap.
    pub name: String,
    /// Keys that `items` asks for; empty means all of them.
    pub keys: Vec<String>,
    /// `optional: true`.
    pub optional: bool,
}

/// A condition of a pod, node or workload.
#[derive(Debug, Clone)]
pub struct Condition {
    /// For example `Ready`, `PodScheduled`, `MemoryPressure`.
    pub kind: String,
    /// `True`, `False`, `Unknown`.
    pub status: String,
    /// For example `Unschedulable`.
    pub reason: Option<String>,
    /// In words.
    pub message: Option<String>,
    /// Where it stands.
    pub quote: Quote,
    /// Where the message stands, if on another line.
    pub message_quote: Option<Quote>,
    /// `lastHeartbeatTime` of a node's condition.
    pub heartbeat: Option<Timestamp>,
    /// `lastTransitionTime`.
    pub since: Option<Timestamp>,
}

/// A container of a pod, spec and status together.
#[derive(Debug, Clone, Default)]
pub struct Container {
    /// `name`.
    pub name: String,
    /// `image`, as in the spec.
    pub image: Option<Seen<String>>,
    /// `containerID` is known: it was created at least once.
    pub created: bool,
    /// `state`.
    pub state: Option<State>,
    /// `lastState`: the run before this one. Only one is kept by Kubernetes.
    pub last: Option<State>,
    /// `ready`.
    pub ready: Option<Seen<bool>>,
    /// `restartCount`.
    pub restarts: Option<Seen<u32>>,
    /// `resources.limits.memory`, bytes.
    pub memory_limit: Option<Seen<u64>>,
    /// `resources.requests.memory`, bytes.
    pub memory_request: Option<Seen<u64>>,
    /// `resources.limits.cpu`, thousandths of a core.
    pub cpu_limit: Option<Seen<u64>>,
    /// `livenessProbe`.
    pub liveness: Option<Probe>,
    /// `readinessProbe`.
    pub readiness: Option<Probe>,
    /// `ports`.
    pub ports: Vec<Port>,
    /// `securityContext.allowPrivilegeEscalation`.
    pub privilege_escalation: Option<Seen<bool>>,
    /// `securityContext.capabilities.add`, first line quoted.
    pub capabilities_added: Vec<String>,
    /// `securityContext.capabilities.drop`, first line quoted.
    pub capabilities_dropped: Option<Seen<Vec<String>>>,
    /// `args`.
    pub args: Vec<String>,
    /// Environment variables with a plain value.
    pub env: Vec<(String, String)>,
}

/// What a container is or was doing.
#[derive(Debug, Clone)]
pub struct State {
    /// Which of the three.
    pub phase: StatePhase,
    /// For example `CrashLoopBackOff`, `OOMKilled`, `Error`, `Completed`.
    pub reason: Option<Seen<String>>,
    /// In words.
    pub message: Option<Seen<String>>,
    /// Of a terminated container.
    pub exit_code: Option<Seen<i64>>,
    /// When it started.
    pub started: Option<Seen<Timestamp>>,
    /// When it ended.
    pub finished: Option<Seen<Timestamp>>,
    /// Where it stands.
    pub quote: Quote,
}

impl State {
    /// Whether the reason is `reason`.
    pub fn is(&self, reason: &str) -> bool {
        self.reason.as_ref().is_some_and(|seen| seen.value == reason)
    }

    /// The exit code, if terminated and known.
    pub fn exit(&self) -> Option<i64> {
        self.exit_code.as_ref().map(|seen| seen.value)
    }

    /// The most telling quote: the reason's, else the state's.
    pub fn telling(&self) -> &Quote {
        self.reason.as_ref().map_or(&self.quote, |seen| &seen.quote)
    }

    /// How long it ran, in seconds.
    pub fn lasted(&self) -> Option<i64> {
        let (started, finished) = (self.started.as_ref()?, self.finished.as_ref()?);
        Some(crate::time::seconds_between(started.value, finished.value))
    }
}

/// Phase of a container's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatePhase {
    /// Not started.
    Waiting,
    /// Running.
    Running,
    /// Ended.
    Terminated,
}

/// A liveness or readiness probe over HTTP.
#[derive(Debug, Clone)]
pub struct Probe {
    /// Port, number or name; empty where it is no HTTP probe.
    pub port: String,
    /// For example `/health`.
    pub path: String,
    /// `host`, where set.
    pub host: String,
    /// Where it stands.
    pub quote: Quote,
}

/// A container's port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    /// `name`; empty where none or where the source does not show it.
    pub name: String,
    /// `containerPort`.
    pub number: u16,
    /// `UDP`, `TCP`.
    pub protocol: String,
    /// `hostPort`, 0 for none.
    pub host: u16,
}
