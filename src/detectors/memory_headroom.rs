//! # Too little room between memory and limit
//!
//! ## What it is
//! CoreDNS uses so much of its limit that the next restart, re-list or busy hour goes over it, or the limit is lower than a
//! restart needs.
//!
//! ## How it is recognised
//! Resident memory over 70 % of the limit (investigate) or 85 % (critical); a limit under twice the steady state; under three
//! times it in a large cluster or where a kill has happened; or a limit that the formula's need with room does not fit.
//!
//! ## What it is not
//! Without a limit there is nothing to hit. `kubectl top` shows the working set, which is about half of the resident memory
//! on record; the report says which figure was used.
//!
//! ## Fix
//! Raise the limit before the next planned restart. Do not restart to free memory: the restart is the peak.
//!
//! ## Prevent
//! Alert on resident memory over the limit; run the sizing again after each change of the cluster's size.

use super::memory::kills;
use super::{Assessment, Class, Failure, Need, missing};
use crate::cluster::Cluster;
use crate::knowledge::sizing::{CRITICAL_SHARE, INVESTIGATE_SHARE, PEAK_HIGH, PEAK_LOW};
use crate::report::{Confidence, Hop, Severity};
use crate::sizing::{self, Figure};

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "memory-headroom",
    title: "Too little room between memory and limit",
    hop: Some(Hop::Server),
    severity: Severity::Medium,
    class: Class::Condition,
    causes: &[],
    examine,
    source: include_str!("memory_headroom.rs"),
};

/// From so many objects on, a re-list peak is worth a warning.
const LARGE: u64 = 10_000;

fn examine(cluster: &Cluster) -> Assessment {
    let estimate = sizing::estimate(cluster);
    let Some(limit) = estimate.limit.clone() else {
        return Assessment::not_checked("The memory limit is not in the bundle.", missing(cluster, &[Need::Workload]));
    };
    let large = estimate.objects().is_some_and(|objects| objects >= LARGE);
    let killed = !kills(cluster).is_empty();
    if let Some(steady) = estimate.steady() {
        return measured(cluster, steady, &limit, large || killed);
    }
    match estimate.need() {
        Some(need) if need as f64 * 1.3 > limit.value as f64 => {
            let summary = format!(
                "The formula asks for {:.0} MB, and the limit of {}Mi leaves no room over it.",
                need as f64 / 1e6,
                limit.value >> 20
            );
            let counted = estimate.addresses.or(estimate.pods);
            let found = Assessment::predicted(summary, &limit.quote, "the limit");
            let found = found.proofs(counted.as_ref().map(|figure| &figure.quote), "the count");
            super::oom_killed::with_fixes(found, cluster)
        }
        _ => Assessment::not_checked(
            "No measurement of CoreDNS's memory is in the bundle.",
            missing(cluster, &[Need::Metrics, Need::Usage]),
        ),
    }
}

fn measured(cluster: &Cluster, steady: &Figure, limit: &Figure, large: bool) -> Assessment {
    let share = steady.value as f64 / limit.value.max(1) as f64;
    let times = 1.0 / share.max(f64::EPSILON);
    let (used, limit_mi) = (format!("{:.0} MB", steady.value as f64 / 1e6), limit.value >> 20);
    let room = format!("CoreDNS uses {used} ({}), {:.0} % of its limit of {limit_mi}Mi", steady.from, share * 100.0);
    let (summary, severity, observed) = if share > CRITICAL_SHARE {
        (format!("{room}; over 85 % is critical."), Severity::High, true)
    } else if share > INVESTIGATE_SHARE {
        (format!("{room}; over 70 % asks for a look."), Severity::Medium, true)
    } else if times < PEAK_LOW {
        (
            format!("{room}; a re-list needs two to three times the steady state, so a restart can kill it."),
            Severity::Medium,
            false,
        )
    } else if times < PEAK_HIGH && large {
        (
            format!("{room}; in a cluster of this size a re-list can need three times the steady state."),
            Severity::Medium,
            false,
        )
    } else {
        return Assessment::ruled_out(format!("{room}."))
            .against(&steady.quote, "the steady state")
            .against(&limit.quote, "the limit");
    };
    let found = if observed {
        Assessment::found(Confidence::Confirmed, summary, &steady.quote, steady.from)
    } else {
        Assessment::predicted(summary, &steady.quote, steady.from)
    };
    super::oom_killed::with_fixes(found.severity(severity).proof(&limit.quote, "the limit"), cluster)
}
