//! What the collector tried and did not get, and what was counted.

use super::Id;
use crate::source::Quote;

/// A collection that failed, or came back empty.
#[derive(Debug, Clone)]
pub struct Gap {
    /// Where it stands.
    pub quote: Quote,
    /// Which kind.
    pub kind: GapKind,
    /// The command, where known.
    pub command: Option<String>,
}

/// How a collection failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GapKind {
    /// `No resources found in … namespace.`: evidence that there are none.
    NoneFound,
    /// `Error from server (NotFound)`, `previous terminated container … not found`.
    NotFound,
    /// `Error from server (Forbidden)`: the collector may not read it.
    Forbidden,
    /// The API server or kubelet did not answer the collector.
    Unreachable,
    /// Anything else that the collector printed instead of data.
    Failed,
}

/// How many objects of a kind a list, a `wc -l` or a metric shows.
#[derive(Debug, Clone)]
pub struct Count {
    /// `pods`, `services`, `endpoint-addresses`, `endpointslices`, `nodes`, `namespaces`, `configmaps`.
    pub what: String,
    /// How many.
    pub value: u64,
    /// True where the list covers all namespaces.
    pub all_namespaces: bool,
    /// Where it stands.
    pub quote: Quote,
}

/// A row of `kubectl top pod`.
#[derive(Debug, Clone)]
pub struct Usage {
    /// Which pod (or node).
    pub id: Id,
    /// `Pod`, `Node`.
    pub kind: String,
    /// Container, where shown (`--containers`).
    pub container: Option<String>,
    /// Thousandths of a core.
    pub cpu: Option<u64>,
    /// Working set, bytes.
    pub memory: Option<u64>,
    /// Where it stands.
    pub quote: Quote,
}
