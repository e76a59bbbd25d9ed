//! # The running configuration is not the one in the ConfigMap
//!
//! ## What it is
//! The Corefile was edited, CoreDNS tried to reload it and could not. It goes on with the old configuration, so nothing
//! seems wrong, but the next restart of the pod reads the new file and fails: the outage waits.
//!
//! ## How it is recognised
//! By `Corefile changed but reload failed`, `Restart failed` or `Corefile parse failed` in the log with no successful reload
//! after it, by the failed-reload counter, or by different configuration hashes on the replicas. A syntax error need not
//! raise the counter (1.11.3), and 1.5.0 logs nothing.
//!
//! ## What it is not
//! Within three minutes of an edit the file has perhaps not arrived. A `subPath` mount never updates. Without the `reload`
//! plugin an edit waits for a restart.
//!
//! ## Fix
//! Put the last good Corefile back before any pod restarts. Imported files count: the line that the message names can stand
//! in `coredns-custom`.
//!
//! ## Prevent
//! Check the Corefile with the very version before it is applied; alert on any failed reload.

use super::{Assessment, Class, Failure, Need, causes, causes_when, missing};
use crate::cluster::Cluster;
use crate::evidence::facts::{Log, Tally};
use crate::knowledge::messages::Signal;
use crate::report::{Confidence, Hop, Severity};

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "reload-failed",
    title: "The running configuration is not the one in the ConfigMap",
    hop: Some(Hop::Server),
    severity: Severity::High,
    class: Class::Cause,
    causes: &[causes("liveness-kill"), causes_when("crash-loop", |cluster| !cluster.dns_deaths().is_empty())],
    examine,
    source: include_str!("reload_failed.rs"),
};

const COUNTERS: [&str; 2] = ["coredns_reload_failed_total", "coredns_reload_failed_count_total"];

fn examine(cluster: &Cluster) -> Assessment {
    if let Some((log, tally)) = cluster.signals(Signal::ReloadFailed).max_by_key(|(log, tally)| !mended(log, tally)) {
        let text = tally.samples.last().map_or("", |sample| sample.field("text"));
        let past = mended(log, tally);
        let summary = if past {
            format!("A reload of the Corefile failed and a later one worked: {text}.")
        } else {
            format!(
                "CoreDNS refused the edited Corefile and runs on with the old one; the next restart of a pod fails: {text}."
            )
        };
        let mut found = Assessment::found(Confidence::Confirmed, summary, &tally.first, "CoreDNS's own words")
            .past(past)
            .since(cluster.first_at(Signal::ReloadFailed));
        for sample in &tally.samples {
            found = found.proof(&sample.quote, "CoreDNS's own words");
            if let Some(quote) = cluster.dns.corefile.as_ref().and_then(|corefile| corefile.line_named_by(sample)) {
                found = found.proof(&quote, "the line that the message names");
            }
        }
        return with_fixes(with_start_failure(found, cluster), cluster);
    }
    let counted = cluster
        .metrics
        .iter()
        .flat_map(|metrics| &metrics.samples)
        .find(|sample| COUNTERS.contains(&sample.name.as_str()) && sample.value > 0.0);
    if let Some(sample) = counted {
        let summary = format!("CoreDNS counts {} failed reloads of its Corefile.", sample.value);
        let found = Assessment::found(Confidence::Confirmed, summary, &sample.quote, "the counter of failed reloads");
        return with_fixes(found, cluster);
    }
    not_found(cluster)
}

/// A reload worked after the last that failed.
fn mended(log: &Log, tally: &Tally) -> bool {
    let after = tally.last.source.line;
    log.tally(Signal::ReloadComplete).is_some_and(|done| done.last.source.line > after) || log.started_after(after)
}

/// Pods that had to start with the new file and could not.
fn with_start_failure(mut found: Assessment, cluster: &Cluster) -> Assessment {
    for (_, tally) in cluster.signals(Signal::StartFailed) {
        found = found.proof(&tally.last, "a pod that had to start with the new file");
    }
    for (key, text) in &cluster.dns.imports {
        let forward = text.body.lines().position(|line| line.trim_start().starts_with("forward "));
        if let (true, Some(index)) = (key.ends_with(".override"), forward) {
            found = found.proof(&text.quote(index as u32 + 1), "imported into the server block of the main Corefile");
        }
    }
    found
}

fn not_found(cluster: &Cluster) -> Assessment {
    let hash = cluster.dns_logs().filter_map(|log| log.tally(Signal::ConfigHash)).map(|tally| &tally.last).next();
    match hash {
        Some(hash) => {
            Assessment::ruled_out("CoreDNS logs its configuration hash and no failed reload stands in its logs.")
                .against(hash, "the configuration in force")
        }
        None if cluster.metrics.iter().any(|m| COUNTERS.iter().any(|name| m.get(name).is_some())) => {
            Assessment::ruled_out("The counter of failed reloads is 0.")
        }
        None => Assessment::not_checked(
            "No CoreDNS log or metric in the bundle tells about reloads.",
            missing(cluster, &[Need::Logs, Need::Metrics]),
        ),
    }
}

fn with_fixes(found: Assessment, cluster: &Cluster) -> Assessment {
    let ns = &cluster.dns.namespace;
    let custom = found.proofs.iter().any(|proof| proof.quote.text.contains("custom/"))
        || cluster.dns.imports.iter().any(|(_, text)| text.body.contains("forward "));
    let found = found.command(
        "Put the last good Corefile back before any pod restarts",
        format!("kubectl -n {ns} edit configmap coredns   # correct the line that the message names\nkubectl -n {ns} logs -l {} --tail=5   # wait for \"Reloading complete\"", cluster.dns.selector),
        "restarting a pod now takes it down",
    );
    if custom {
        return found.manual(
            "Repair the imported part",
            "In the ConfigMap `coredns-custom` an extra zone belongs into a `.server` key as a server block of its own. An \
             `.override` key is read inside the main block, where before CoreDNS 1.9.4 a second `forward` is an error.",
        );
    }
    found
}
