//! Reading a workload or a node from its sights.

use super::{Node, Workload};
use crate::evidence::facts::{Condition, Container};
use crate::source::Seen;

impl Workload {
    /// `Deployment`, `DaemonSet`, `ReplicaSet`, `StatefulSet`.
    pub fn kind(&self) -> &str {
        self.name.split('/').next().unwrap_or("")
    }

    /// Its name without the kind.
    pub fn short_name(&self) -> &str {
        self.name.split_once('/').map_or(self.name.as_str(), |(_, name)| name)
    }

    /// Wanted replicas.
    pub fn desired(&self) -> Option<&Seen<u32>> {
        self.best(|sight| sight.desired.as_ref())
    }

    /// Ready replicas, else available ones.
    pub fn ready(&self) -> Option<&Seen<u32>> {
        self.best(|sight| sight.ready.as_ref()).or_else(|| self.best(|sight| sight.available.as_ref()))
    }

    /// The containers of the template as the best source shows them.
    pub fn containers(&self) -> &[Container] {
        self.sights.iter().map(|sight| sight.containers.as_slice()).find(|list| !list.is_empty()).unwrap_or(&[])
    }

    /// `kind/namespace/name`, the kind in small letters.
    pub fn reference(&self) -> String {
        let namespace = self.namespace.as_deref().unwrap_or("?");
        format!("{}/{namespace}/{}", self.kind().to_lowercase(), self.short_name())
    }
}

impl Node {
    /// Whether it is ready.
    pub fn ready(&self) -> Option<&Seen<bool>> {
        self.best(|sight| sight.ready.as_ref())
    }

    /// A condition by its kind.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        self.sights.iter().flat_map(|sight| &sight.conditions).find(|condition| condition.kind == kind)
    }
}
