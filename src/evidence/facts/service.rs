//! A Service as one source shows it.

use std::collections::BTreeMap;

use super::{Id, Rank};
use crate::source::{Quote, Seen};

/// A Service.
#[derive(Debug, Clone)]
pub struct Service {
    /// Which Service.
    pub id: Id,
    /// Which kind of source.
    pub rank: Rank,
    /// The line that names it.
    pub at: Quote,
    /// `metadata.labels`.
    pub labels: BTreeMap<String, String>,
    /// `spec.selector`; `Some` of an empty map: it has none.
    pub selector: Option<Seen<BTreeMap<String, String>>>,
    /// `spec.clusterIP`: an address or `None` for a headless Service.
    pub cluster_ip: Option<Seen<String>>,
    /// `spec.type`.
    pub kind: Option<String>,
    /// `spec.ports`.
    pub ports: Vec<ServicePort>,
    /// `spec.publishNotReadyAddresses`.
    pub publish_not_ready: bool,
    /// `spec.internalTrafficPolicy`.
    pub internal_traffic_policy: Option<Seen<String>>,
    /// describe's `Endpoints:` lines: addresses, empty for a blank or `<none>`.
    pub described_endpoints: Vec<Seen<Vec<String>>>,
}

impl Service {
    /// A Service of which only the name is known yet.
    pub fn new(id: Id, rank: Rank, at: Quote) -> Self {
        Service {
            id,
            rank,
            at,
            labels: BTreeMap::new(),
            selector: None,
            cluster_ip: None,
            kind: None,
            ports: Vec::new(),
            publish_not_ready: false,
            internal_traffic_policy: None,
            described_endpoints: Vec::new(),
        }
    }
}

/// A port of a Service.
#[derive(Debug, Clone)]
pub struct ServicePort {
    /// `name`; empty for none.
    pub name: String,
    /// `port`.
    pub port: u16,
    /// `UDP`, `TCP`.
    pub protocol: String,
    /// `targetPort`, number or name; empty where the source does not show it.
    pub target: String,
    /// Where it stands.
    pub quote: Quote,
    /// Where its target port stands.
    pub target_quote: Option<Quote>,
}
