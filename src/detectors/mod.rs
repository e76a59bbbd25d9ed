//! One file for each failure: what it is, and how it is recognised in the model.
//!
//! A detector is pure. It answers always: found, suspected, ruled out, not checked or not applicable. Which failure can
//! explain which is declared beside each failure as its `causes`; the verdict follows those edges.

mod api;
mod apiserver_tls;
mod apiserver_unreachable;
mod assessment;
mod corefile_invalid;
mod corefile_loop;
mod crash_loop;
mod evicted;
mod exec_failed;
mod ids;
mod image_pull;
mod liveness_kill;
mod memory;
mod memory_headroom;
pub mod needs;
mod node_not_ready;
mod not_dns;
mod oom_cluster_growth;
mod oom_killed;
mod oom_relist_peak;
mod plugin_panic;
mod port_in_use;
mod port_permission;
mod ports;
mod rbac_forbidden;
mod readiness_failing;
mod registry;
mod reload_failed;
mod sandbox_cni;
mod search_limit_exceeded;
mod service_no_endpoints;
mod service_selector_mismatch;
mod starting;
#[cfg(test)]
mod testing;
mod unschedulable;
mod volume_mount;

pub use assessment::{Assessment, Proof};
pub use ids::IDS;
pub use needs::{Need, missing};
pub use registry::{REGISTRY, find};

use crate::cluster::Cluster;
use crate::report::{Hop, Severity};

/// How a failure may stand in a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// It can be the first thing that happened.
    Cause,
    /// Something else always explains it; never a confirmed root cause.
    Symptom,
    /// It makes a failure possible or worse; the root cause stays with what happened first.
    Condition,
}

/// What can follow from a failure.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    /// Id of the failure that it can cause.
    pub to: &'static str,
    /// What must be in the evidence for the edge to count.
    pub when: Option<fn(&Cluster) -> bool>,
}

/// An edge that always counts.
pub const fn causes(to: &'static str) -> Edge {
    Edge { to, when: None }
}

/// An edge that counts under a condition.
pub const fn causes_when(to: &'static str, when: fn(&Cluster) -> bool) -> Edge {
    Edge { to, when: Some(when) }
}

/// One failure: what it is called, where it stands, and its detector.
pub struct Failure {
    /// Stable, kebab-case, never reused.
    pub id: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// Where on the path of a query.
    pub hop: Option<Hop>,
    /// How bad it usually is.
    pub severity: Severity,
    /// How it may stand in a chain.
    pub class: Class,
    /// What can follow from it.
    pub causes: &'static [Edge],
    /// Looks for it.
    pub examine: fn(&Cluster) -> Assessment,
    /// The source of its file, whose head comment is its page.
    pub source: &'static str,
}

impl Failure {
    /// The page that `explain` prints and that `docs/failures/` holds: the head comment of the failure's file.
    pub fn page(&self) -> String {
        let mut page = String::new();
        for line in self.source.lines().take_while(|line| line.starts_with("//!")) {
            page.push_str(line.trim_start_matches("//!").trim_start_matches(' '));
            page.push('\n');
        }
        page
    }

    /// Runs the detector. A panic in it is a defect of ours and is reported as such; the others go on.
    pub fn run(&self, cluster: &Cluster) -> Assessment {
        let examine = self.examine;
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| examine(cluster)))
            .unwrap_or_else(|_| Assessment::crashed())
    }
}
