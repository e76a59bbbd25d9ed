//! Small tables of names and values that the ticket and the page share.

use super::model::Report;
use super::words::number;

/// Names and values, as shown in small tables.
pub(super) type Facts = Vec<(&'static str, String)>;

/// What is known of the cluster.
pub(super) fn cluster_facts(report: &Report) -> Facts {
    let cluster = &report.cluster;
    let number = |n: Option<u64>| n.map(|n| n.to_string());
    let rows = [
        ("Kubernetes", cluster.kubernetes_version.clone()),
        ("CoreDNS", cluster.coredns_version.clone()),
        ("distribution", cluster.distribution.clone()),
        ("nodes", number(cluster.nodes)),
        ("pods", number(cluster.pods)),
        ("services", number(cluster.services)),
        ("DNS service address", cluster.dns_service_ip.clone()),
        ("DNS replicas wanted", number(cluster.replicas.desired)),
        ("DNS replicas ready", number(cluster.replicas.ready)),
    ];
    rows.into_iter().map(|(name, value)| (name, value.unwrap_or_else(|| "unknown".to_owned()))).collect()
}

/// The two formulas, each with whether it is the one that applies.
pub(super) fn memory_needs(report: &Report) -> Facts {
    let sizing = &report.sizing;
    let row = |name, mode: &str, need: Option<f64>| {
        let mark = if sizing.mode.as_deref() == Some(mode) { " (applies here)" } else { "" };
        need.map(|mb| (name, format!("{} MB{mark}", number(mb))))
    };
    [
        row("memory need, (pods + services) / 1000 + 54", "default", sizing.need_default_mb),
        row("memory need with autopath, (pods + services) / 250 + 56", "autopath", sizing.need_autopath_mb),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Thresholds and switches.
pub(super) fn settings(report: &Report) -> Facts {
    let options = &report.options;
    let bars = options.thresholds.iter().map(|t| ("threshold", format!("{} = {}", t.name, number(t.value))));
    let lists =
        [("silenced", &options.suppressions), ("user rule", &options.user_rules), ("redacted", &options.redactions)];
    bars.chain(lists.into_iter().flat_map(|(name, list)| list.iter().map(move |text| (name, text.clone())))).collect()
}
