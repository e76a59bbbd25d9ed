//! # The Corefile does not load in this version
//!
//! ## What it is
//! CoreDNS reads its Corefile once at start and ends with exit 1 if it does not understand it. Every new pod fails the same
//! way, while pods that started before keep the old configuration.
//!
//! ## How it is recognised
//! By the bare line on standard error, without level and without time, that names the file and the line; else by the rules
//! of the version, applied to the Corefile in the bundle.
//!
//! ## What it is not
//! `bind:` is a port, `Loop (` is a loop, a missing file is a mount. `No files matching import glob pattern` is only a
//! warning. Pods that run on with the old file while the new one is refused are `reload-failed`.
//!
//! ## Fix
//! Correct the line that the message names, or put the last good Corefile back; then delete the crashing pods only. Usual
//! repairs: `proxy` became `forward` (1.5.0); `upstream`, `resyncperiod` and `federation` are gone (1.7.0), `transfer` in
//! `kubernetes` too (1.8.0); one `forward` in a block before 1.9.4; a blank before `{`.
//!
//! ## Prevent
//! Start the Corefile with the very image before the roll-out, roll one pod at a time, alert on failed reloads.

use super::{Assessment, Class, Failure, Need, causes, missing};
use crate::cluster::Cluster;
use crate::knowledge::messages::Signal;
use crate::knowledge::plugins;
use crate::report::{Confidence, Hop, Severity};

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "corefile-invalid",
    title: "The Corefile does not load in this version",
    hop: Some(Hop::Server),
    severity: Severity::Critical,
    class: Class::Cause,
    causes: &[causes("crash-loop"), causes("reload-failed")],
    examine,
    source: include_str!("corefile_invalid.rs"),
};

/// Lines with which CoreDNS ends at start because of its configuration.
const START_SIGNALS: [Signal; 3] = [Signal::StartFailed, Signal::NotInCluster, Signal::AddressMissing];

fn examine(cluster: &Cluster) -> Assessment {
    for signal in START_SIGNALS {
        // A log that goes on after the line belongs to a process that lived.
        let failed = cluster.signals(signal).find(|(log, tally)| !log.started_after(tally.first.source.line));
        let Some((_, tally)) = failed else { continue };
        let text = tally.samples.last().map_or("", |sample| sample.field("text"));
        let plugin = tally.samples.last().map_or("", |sample| sample.field("plugin"));
        let at = if plugin.is_empty() { String::new() } else { format!(" (plugin {plugin})") };
        let text = if text.is_empty() { tally.last.text.to_string() } else { text.to_owned() };
        let summary = format!("CoreDNS does not start with this Corefile{at}: {text}.");
        let mut found = Assessment::found(Confidence::Confirmed, summary, &tally.last, "CoreDNS's own last line")
            .since(cluster.first_at(signal).or_else(|| cluster.first_death()));
        found = found.proof(&tally.first, "CoreDNS's own last line");
        return with_fixes(with_lines(found, cluster), cluster);
    }
    computed(cluster)
}

/// The lines of the Corefile that the messages name.
fn with_lines(mut found: Assessment, cluster: &Cluster) -> Assessment {
    let Some(corefile) = &cluster.dns.corefile else { return found };
    for (_, tally) in cluster.signals(Signal::StartFailed).chain(cluster.signals(Signal::ReloadFailed)) {
        for sample in &tally.samples {
            if let Some(quote) = corefile.line_named_by(sample) {
                found = found.proof(&quote, "the line that the message names");
            }
        }
    }
    if let Some(name) = &corefile.config_map {
        found = found.about(name.clone());
    }
    for pod in cluster.dns_pods().filter(|pod| pod.ready().is_some_and(|ready| !ready.value)) {
        found = found.about(pod.reference());
    }
    found
}

/// No message: the rules of the version, applied to the Corefile.
fn computed(cluster: &Cluster) -> Assessment {
    let up = cluster.dns_logs().find_map(|log| Some((log, log.tally(Signal::Banner)?)));
    let Some(corefile) = &cluster.dns.corefile else {
        return match up {
            Some((_, banner)) => {
                Assessment::ruled_out("CoreDNS printed its start line, so it had loaded its Corefile.")
                    .against(&banner.last, "the Corefile was loaded")
            }
            None => Assessment::not_checked(
                "Neither a Corefile nor CoreDNS's previous logs are in the bundle.",
                missing(cluster, &[Need::Corefile, Need::PreviousLogs]),
            ),
        };
    };
    let version = cluster.dns.version.as_ref();
    let faults = version.map(|version| corefile.faults(&version.value)).unwrap_or_default();
    match (faults.first(), version) {
        (Some(fault), Some(version)) => {
            let why = if fault.why.is_empty() { fault.message.clone() } else { format!("{} ({})", fault.message, fault.why) };
            let summary = format!("CoreDNS {} does not start with the Corefile in the bundle: {why}.", version.value);
            let quote = fault.quote.clone().unwrap_or_else(|| corefile.text.quote(1));
            // Running pods hold the old file: then it waits for the next restart.
            let dying = cluster.dns_deaths().iter().any(|(_, state)| state.exit() == Some(1));
            let found = if dying {
                Assessment::found(Confidence::Likely, summary, &quote, "the version's rules refuse this line")
            } else {
                Assessment::predicted(summary, &quote, "the version's rules refuse this line").severity(Severity::High)
            };
            with_fixes(with_lines(found.proof(&version.quote, "the version"), cluster), cluster)
        }
        _ => match up {
            Some((_, banner)) => {
                Assessment::ruled_out("CoreDNS printed its start line, so it had loaded its Corefile; no rule of the version refuses the one in the bundle.")
                    .against(&banner.last, "the Corefile was loaded")
            }
            None if version.is_some() && cluster.dns_all_ready() == Some(true) => {
                Assessment::ruled_out("No rule of this version refuses the Corefile, and the pods are ready.")
            }
            None => Assessment::not_checked(
                "The Corefile is in the bundle, but no log shows whether CoreDNS loaded it.",
                missing(cluster, &[Need::Logs, Need::PreviousLogs]),
            ),
        },
    }
}

fn with_fixes(found: Assessment, cluster: &Cluster) -> Assessment {
    let (ns, selector) = (&cluster.dns.namespace, &cluster.dns.selector);
    let text = found.proofs.iter().map(|proof| proof.quote.text.to_string()).collect::<Vec<_>>().join("\n");
    found
        .manual("Correct the line", repair(&text))
        .command(
            "Put the corrected Corefile in place",
            format!(
                "kubectl -n {ns} edit configmap coredns\nkubectl -n {ns} delete pod -l {selector} --field-selector=status.phase!=Running   # only pods that crash; keep those that still run"
            ),
            "a healthy pod that is deleted reads the broken file",
        )
}

/// What usually mends a message.
fn repair(text: &str) -> String {
    const REPAIRS: [(&str, &str); 12] = [
        ("'proxy'", "`proxy` was removed in 1.5.0: write `forward . ADDRESS …` in its place."),
        ("'upstream'", "`upstream` in `kubernetes` was removed in 1.7.0: delete the line."),
        ("'resyncperiod'", "`resyncperiod` was removed in 1.7.0: delete the line."),
        ("'federation'", "`federation` was removed in 1.7.0: delete the block."),
        ("'transfer'", "`transfer` inside `kubernetes` was removed in 1.8.0: use the plugin `transfer`."),
        ("'ready'", "`ready` exists from 1.5.0 on: use a newer image or delete the line."),
        (
            "this plugin can only be used once",
            "The plugin stands twice in one server block. Before 1.9.4 that holds for `forward` too: in `coredns-custom` put an extra zone into a `.server` key as a block of its own, not a second `forward` into an `.override` key.",
        ),
        (
            "it is already defined",
            "Two server blocks serve the same zone and port: join them, or give one another zone.",
        ),
        ("not an IP address or file", "The target must be an address or an existing file."),
        ("File to import not found", "The imported file or snippet does not exist: create it, or delete the line."),
        ("Unexpected EOF", "A closing brace or quote is missing before the end of the file."),
        (
            "unexpected line ending",
            "The option is not known to this plugin in this version, or has the wrong number of arguments.",
        ),
    ];
    let unknown = |marker: &str| {
        let rest = text.split_once(marker)?.1;
        Some(rest.split('\'').nth(1)?.to_owned())
    };
    for (marker, advice) in REPAIRS {
        if text.contains(marker) {
            return advice.to_owned();
        }
    }
    if let Some(name) = unknown("unknown property").or_else(|| unknown("Unknown directive")) {
        let meant = plugins::nearest(&name).map_or(String::new(), |meant| format!(" Perhaps `{meant}` was meant."));
        return format!(
            "`{name}` is not known to this version: a typing error, or an option of another version.{meant} Correct or delete it."
        );
    }
    "Correct the line that the message names, or put the last good Corefile back.".to_owned()
}
