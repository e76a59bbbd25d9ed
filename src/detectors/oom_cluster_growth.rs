//! # The cluster outgrew the limit
//!
//! ## What it is
//! CoreDNS holds every Service and every ready endpoint address, with autopath or `pods verified` every pod as well. The
//! cluster grew, the limit did not.
//!
//! ## How it is recognised
//! By the formula's need, N / 1000 + 54 MB (with autopath N / 250 + 56), near or over the limit, together with a measured
//! steady state over 70 % of it, or a kill after hours of running.
//!
//! ## What it is not
//! A steady state well under the limit is a re-list peak, whatever the formula says. Memory that rises while N does not is a
//! leak.
//!
//! ## Fix
//! A limit of the need with room for a re-list. Watch less: `namespaces`, no `pods verified`, no autopath where it is not
//! needed.
//!
//! ## Prevent
//! Run the sizing again at each step of growth; alert on the forecast of resident memory reaching the limit.

use super::memory::{Kill, kills};
use super::{Assessment, Class, Failure, Need, causes, missing};
use crate::cluster::Cluster;
use crate::report::{Confidence, Hop, Severity};
use crate::sizing::{self, Estimate};

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "oom-cluster-growth",
    title: "The cluster outgrew the limit",
    hop: Some(Hop::Server),
    severity: Severity::High,
    class: Class::Cause,
    causes: &[causes("oom-killed"), causes("memory-headroom")],
    examine,
    source: include_str!("oom_cluster_growth.rs"),
};

/// A need within this factor of the limit leaves no room.
const ROOM: f64 = 1.3;
/// A kill after this many seconds of running is none of the start's peak.
const HOURS: i64 = 2 * 3600;

fn examine(cluster: &Cluster) -> Assessment {
    let estimate = sizing::estimate(cluster);
    let (Some(need), Some(limit)) = (estimate.need(), estimate.limit.as_ref()) else {
        return Assessment::not_checked(
            "The counts of Services and addresses and the limit are not both in the bundle.",
            missing(cluster, &[Need::Counts, Need::Workload]),
        );
    };
    let steady = estimate.steady();
    if (need as f64) * ROOM < limit.value as f64 {
        return Assessment::ruled_out(format!(
            "The formula asks for {:.0} MB, which fits the limit of {}Mi with room.",
            need as f64 / 1e6,
            limit.value >> 20
        ))
        .against(&limit.quote, "the limit");
    }
    if let Some(steady) = steady.filter(|steady| (steady.value as f64) < 0.7 * limit.value as f64) {
        return Assessment::ruled_out("The measured steady state is well under the limit, whatever the formula says.")
            .against(&steady.quote, "the steady state")
            .against(&limit.quote, "the limit");
    }
    judge(cluster, &estimate, need)
}

fn judge(cluster: &Cluster, estimate: &Estimate, need: u64) -> Assessment {
    let kills = kills(cluster);
    let late: Vec<&Kill> = kills.iter().filter(|kill| kill.lasted.is_some_and(|seconds| seconds > HOURS)).collect();
    let limit_value = estimate.limit.as_ref().map_or(0, |limit| limit.value);
    let summary = format!(
        "{} objects need about {:.0} MB by the formula, and the limit is {}Mi.",
        estimate.objects().unwrap_or(0),
        need as f64 / 1e6,
        limit_value >> 20
    );
    let count = estimate.addresses.as_ref().or(estimate.pods.as_ref());
    let (Some(count), Some(limit)) = (count, estimate.limit.as_ref()) else {
        return Assessment::not_checked(summary, missing(cluster, &[Need::Counts]));
    };
    let full = estimate.steady().is_some();
    let mut assessment = match (full, late.first().copied(), kills.first()) {
        (true, _, Some(kill)) | (false, Some(kill), _) => {
            Assessment::found(Confidence::Likely, summary, kill.quote, "the kill")
                .past(cluster.dns_all_ready() == Some(true))
        }
        (true, _, None) => Assessment::predicted(summary, &limit.quote, "the limit"),
        _ => Assessment::suspected(summary, &limit.quote, "the limit"),
    };
    assessment = assessment.proof(&limit.quote, "the limit").proof(&count.quote, count.from);
    if let Some(steady) = estimate.steady() {
        assessment = assessment.proof(&steady.quote, steady.from);
    }
    super::oom_killed::with_fixes(assessment.wants(missing(cluster, &[Need::Metrics])), cluster)
}
