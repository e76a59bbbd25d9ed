//! An event, from a table, `kubectl events`, YAML, JSON or the Events block of describe.

use jiff::Timestamp;

use super::Rank;
use crate::source::Quote;

/// An event.
#[derive(Debug, Clone)]
pub struct Event {
    /// Which kind of source.
    pub rank: Rank,
    /// Where it stands (the line with the message).
    pub quote: Quote,
    /// `Normal`, `Warning`.
    pub kind: String,
    /// For example `Unhealthy`.
    pub reason: String,
    /// In words.
    pub message: String,
    /// `Pod`, `Node` … with a capital letter whatever the source wrote.
    pub object_kind: String,
    /// Namespace of that object, where known.
    pub namespace: Option<String>,
    /// Name of that object.
    pub object: String,
    /// How often; 1 where not said.
    pub count: u32,
    /// When last; absolute.
    pub last: Option<Timestamp>,
    /// When first; absolute.
    pub first: Option<Timestamp>,
    /// Seconds before collection, from an age cell, and how far off that can be.
    pub last_ago: Option<(i64, i64)>,
    /// Seconds before collection of the first, from `(x5 over 40m)`.
    pub first_ago: Option<(i64, i64)>,
    /// `kubelet`, `default-scheduler` …; empty where not shown.
    pub component: String,
}
