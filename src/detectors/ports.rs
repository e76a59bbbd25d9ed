//! What the two failures of the listen ports share.

use super::{Assessment, Need, missing};
use crate::cluster::Cluster;
use crate::knowledge::messages::Signal;

/// Whether CoreDNS had its ports, as far as a start line or ready pods tell.
pub fn listens(cluster: &Cluster) -> Assessment {
    match cluster.says(Signal::Banner) {
        Some(banner) => {
            Assessment::ruled_out("CoreDNS printed its start line, so it had its ports.").against(banner, "it listens")
        }
        None if cluster.dns_all_ready() == Some(true) => {
            Assessment::ruled_out("Every DNS pod is ready, so it listens.")
        }
        None => Assessment::not_checked(
            "No log of a start of CoreDNS is in the bundle.",
            missing(cluster, &[Need::PreviousLogs, Need::Listeners]),
        ),
    }
}
