//! A Deployment, DaemonSet or ReplicaSet as one source shows it.

use std::collections::BTreeMap;

use super::{Condition, Container, Id, Rank};
use crate::source::{Quote, Seen};

/// A workload.
#[derive(Debug, Clone)]
pub struct Workload {
    /// `Deployment`, `DaemonSet`, `ReplicaSet`, `StatefulSet`.
    pub kind: String,
    /// Which one.
    pub id: Id,
    /// Which kind of source.
    pub rank: Rank,
    /// The line that names it.
    pub at: Quote,
    /// `metadata.labels`.
    pub labels: BTreeMap<String, String>,
    /// `spec.template.metadata.labels`.
    pub template_labels: Option<Seen<BTreeMap<String, String>>>,
    /// Wanted replicas.
    pub desired: Option<Seen<u32>>,
    /// Ready replicas.
    pub ready: Option<Seen<u32>>,
    /// Available replicas.
    pub available: Option<Seen<u32>>,
    /// Containers of the template: image, resources, probes.
    pub containers: Vec<Container>,
    /// `spec.template.spec.serviceAccountName`.
    pub service_account: Option<Seen<String>>,
    /// `spec.template.spec.priorityClassName`.
    pub priority_class: Option<Seen<String>>,
    /// `spec.template.spec.hostNetwork`.
    pub host_network: Option<Seen<bool>>,
    /// `status.conditions`.
    pub conditions: Vec<Condition>,
}

impl Workload {
    /// A workload of which only kind and name are known yet.
    pub fn new(kind: &str, id: Id, rank: Rank, at: Quote) -> Self {
        Workload {
            kind: kind.to_owned(),
            id,
            rank,
            at,
            labels: BTreeMap::new(),
            template_labels: None,
            desired: None,
            ready: None,
            available: None,
            containers: Vec::new(),
            service_account: None,
            priority_class: None,
            host_network: None,
            conditions: Vec::new(),
        }
    }
}
