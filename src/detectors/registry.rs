//! Every failure that is looked for: by hop from the server outwards and, within a hop, the special before the general.

use super::Failure;
use super::{
    apiserver_tls, apiserver_unreachable, corefile_invalid, corefile_loop, crash_loop, evicted, exec_failed,
    image_pull, liveness_kill, memory_headroom, node_not_ready, not_dns, oom_cluster_growth, oom_killed,
    oom_relist_peak, plugin_panic, port_in_use, port_permission, rbac_forbidden, readiness_failing, reload_failed,
    sandbox_cni, search_limit_exceeded, service_no_endpoints, service_selector_mismatch, unschedulable, volume_mount,
};

/// All failures. The order is the order of the report's findings, and decides between causes of equal weight.
pub static REGISTRY: &[Failure] = &[
    corefile_loop::FAILURE,
    corefile_invalid::FAILURE,
    port_in_use::FAILURE,
    port_permission::FAILURE,
    reload_failed::FAILURE,
    plugin_panic::FAILURE,
    oom_relist_peak::FAILURE,
    oom_cluster_growth::FAILURE,
    oom_killed::FAILURE,
    memory_headroom::FAILURE,
    liveness_kill::FAILURE,
    image_pull::FAILURE,
    exec_failed::FAILURE,
    volume_mount::FAILURE,
    sandbox_cni::FAILURE,
    evicted::FAILURE,
    unschedulable::FAILURE,
    node_not_ready::FAILURE,
    crash_loop::FAILURE,
    readiness_failing::FAILURE,
    rbac_forbidden::FAILURE,
    apiserver_tls::FAILURE,
    apiserver_unreachable::FAILURE,
    service_selector_mismatch::FAILURE,
    service_no_endpoints::FAILURE,
    search_limit_exceeded::FAILURE,
    not_dns::FAILURE,
];

/// The failure called `id`.
pub fn find(id: &str) -> Option<&'static Failure> {
    REGISTRY.iter().find(|failure| failure.id == id)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::IDS;
    use super::*;
    use crate::cluster::Cluster;
    use crate::report::Status;

    const HEADINGS: [&str; 5] =
        ["## What it is\n", "## How it is recognised\n", "## What it is not\n", "## Fix\n", "## Prevent\n"];

    #[test]
    fn ids_are_unique_and_known() {
        let ids: BTreeSet<&str> = REGISTRY.iter().map(|failure| failure.id).collect();
        assert_eq!(ids.len(), REGISTRY.len());
        for id in ids {
            assert!(IDS.contains(&id), "{id} is not in the list of ids");
        }
        for id in IDS {
            let kebab = id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
            assert!(kebab && !id.starts_with('-') && !id.ends_with('-'), "{id}");
        }
        assert_eq!(IDS.iter().collect::<BTreeSet<_>>().len(), IDS.len());
    }

    #[test]
    fn every_failure_has_a_page_with_its_title() {
        for failure in REGISTRY {
            let page = failure.page();
            assert!(page.starts_with(&format!("# {}\n", failure.title)), "{}", failure.id);
            for heading in HEADINGS {
                let body = page.split_once(heading).map(|(_, rest)| rest.split("\n## ").next().unwrap_or("").trim());
                assert!(body.is_some_and(|body| body.len() > 20), "{}: {heading}", failure.id);
            }
        }
    }

    #[test]
    fn every_edge_leads_to_a_known_failure() {
        for failure in REGISTRY {
            for edge in failure.causes {
                assert!(IDS.contains(&edge.to) && edge.to != failure.id, "{} -> {}", failure.id, edge.to);
            }
        }
    }

    #[test]
    fn an_empty_bundle_is_not_checked_and_asks_for_evidence() {
        let cluster = Cluster::build(Vec::new());
        for failure in REGISTRY {
            let answer = failure.run(&cluster);
            assert!(matches!(answer.status, Status::NotChecked | Status::NotApplicable), "{}", failure.id);
            assert!(answer.status != Status::NotChecked || !answer.missing.is_empty(), "{}", failure.id);
        }
    }
}
