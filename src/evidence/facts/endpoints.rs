//! An Endpoints object or an EndpointSlice as one source shows it.

use super::{Id, Rank};
use crate::source::Quote;

/// Addresses behind a Service.
#[derive(Debug, Clone)]
pub struct Endpoints {
    /// The object's own name.
    pub id: Id,
    /// Which kind of source.
    pub rank: Rank,
    /// True for an EndpointSlice.
    pub slice: bool,
    /// The Service it belongs to: the same name, the slice's `kubernetes.io/service-name` label, or the slice's name
    /// without its generated suffix.
    pub service: String,
    /// The line that tells most: the address list, the blank cell, the name.
    pub at: Quote,
    /// Ready addresses. Of a slice's table row readiness is not known: see `unknown`.
    pub ready: Vec<String>,
    /// Addresses that are not ready.
    pub not_ready: Vec<String>,
    /// Addresses whose readiness the source does not show (a slice's table row).
    pub unknown: Vec<String>,
    /// `+ N more...` of a table cell.
    pub more: u32,
    /// Why the list is empty.
    pub empty: Option<EmptyCell>,
    /// Where the not-ready addresses stand.
    pub not_ready_quote: Option<Quote>,
}

/// An empty address list in a table tells which kind of empty it is (Kubernetes 1.32, `kubectl get endpoints`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmptyCell {
    /// A blank cell: there are subsets, and no address in them is ready.
    Blank,
    /// `<none>`: no subset at all.
    None,
}
