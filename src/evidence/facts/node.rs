//! A node as one source shows it.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{Condition, Rank};
use crate::source::{Quote, Seen};

/// A node.
#[derive(Debug, Clone)]
pub struct Node {
    /// `metadata.name`.
    pub name: String,
    /// Which kind of source.
    pub rank: Rank,
    /// The line that names it.
    pub at: Quote,
    /// `metadata.labels`.
    pub labels: BTreeMap<String, String>,
    /// Ready condition; a table's `NotReady` is false.
    pub ready: Option<Seen<bool>>,
    /// The table's STATUS cell.
    pub status_cell: Option<Seen<String>>,
    /// `spec.unschedulable`.
    pub cordoned: bool,
    /// `key=value:Effect`.
    pub taints: Vec<Seen<String>>,
    /// `status.conditions`.
    pub conditions: Vec<Condition>,
    /// `status.nodeInfo.kubeletVersion`, without `v`.
    pub kubelet: Option<Seen<String>>,
    /// `status.nodeInfo.architecture`.
    pub architecture: Option<Seen<String>>,
    /// `linux` or `windows`.
    pub os: Option<String>,
    /// `status.nodeInfo.osImage`.
    pub os_image: Option<String>,
    /// `status.nodeInfo.containerRuntimeVersion`.
    pub runtime: Option<Seen<String>>,
    /// `status.nodeInfo.kernelVersion`.
    pub kernel: Option<Seen<String>>,
    /// `status.capacity.cpu`, thousandths of a core.
    pub cpu: Option<u64>,
    /// `status.capacity.memory`, bytes.
    pub memory: Option<u64>,
    /// `InternalIP`.
    pub address: Option<String>,
    /// When its kubelet last renewed the node's lease (describe's `RenewTime`).
    pub renewed: Option<Seen<Timestamp>>,
}

impl Node {
    /// A node of which only the name is known yet.
    pub fn new(name: String, rank: Rank, at: Quote) -> Self {
        Node {
            name,
            rank,
            at,
            labels: BTreeMap::new(),
            ready: None,
            status_cell: None,
            cordoned: false,
            taints: Vec::new(),
            conditions: Vec::new(),
            kubelet: None,
            architecture: None,
            os: None,
            os_image: None,
            runtime: None,
            kernel: None,
            cpu: None,
            memory: None,
            address: None,
            renewed: None,
        }
    }
}
