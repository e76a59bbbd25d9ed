//! # Nameservers or search domains were cut by the kubelet
//!
//! ## What it is
//! A pod's resolv.conf takes three nameservers, and six search domains of 256 characters (Kubernetes before 1.26) or 32 of
//! 2048. What is over the limit is left out, and the kubelet says so in an event.
//!
//! ## How it is recognised
//! By the event `DNSConfigForming` with the line that was applied. It is a fault only where a name needs what was cut.
//!
//! ## What it is not
//! The event alone is information: most names do not need what was cut. A musl image drops a search line from 255 characters
//! on as a whole, which is another failure.
//!
//! ## Fix
//! Shorten the node's list of nameservers or search domains, or hand the kubelet a file of its own with `resolvConf`.
//!
//! ## Prevent
//! Count the entries when the node is built.

use super::{Assessment, Class, Failure, Need, missing};
use crate::cluster::Cluster;
use crate::report::{Hop, Severity};

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "search-limit-exceeded",
    title: "Nameservers or search domains were cut by the kubelet",
    hop: Some(Hop::Client),
    severity: Severity::Info,
    class: Class::Cause,
    causes: &[],
    examine,
    source: include_str!("search_limit_exceeded.rs"),
};

fn examine(cluster: &Cluster) -> Assessment {
    let mut cut = cluster.events.iter().filter(|event| event.reason == "DNSConfigForming");
    let Some(first) = cut.next() else {
        return Assessment::not_checked(
            "No event of the kubelet about a list that was cut is in the bundle; events live one hour.",
            missing(cluster, &[Need::Events, Need::NodeResolver]),
        );
    };
    let list = if first.message.contains("Nameserver") { "nameservers" } else { "search domains" };
    let summary =
        format!("The kubelet cut the {list} of {}; it matters only for names that need what was cut.", first.object);
    cut.fold(Assessment::suspected(summary, &first.quote, "the kubelet's event"), |assessment, event| {
        assessment.proof(&event.quote, "the kubelet's event")
    })
    .wants(missing(cluster, &[Need::NodeResolver]))
    .manual(
        "Shorten the node's list",
        "Leave at most three nameservers and the search domains that are needed in the file that the kubelet hands to pods \
         (`resolvConf`), restart the kubelet, recreate the pods.",
    )
}
