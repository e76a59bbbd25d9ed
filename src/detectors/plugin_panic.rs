//! # A plugin panics
//!
//! ## What it is
//! A programming error in a plugin ends a query or the whole process. In a query CoreDNS recovers, answers SERVFAIL and
//! counts it; outside one, or with the `debug` plugin, the process ends with exit 2.
//!
//! ## How it is recognised
//! By `Recovered from panic in server` (1.8.7 and later), by `coredns_panics_total` over 0 (`coredns_panic_count_total` to
//! 1.6.9), or by `panic:` or `fatal error:` with `goroutine N [running]:` at the end of the previous log. The stack names the
//! plugin; for recovered ones it is printed only with `errors { stacktrace }` (1.9.3 and later).
//!
//! ## What it is not
//! Exit 2 from a second interrupt, a SERVFAIL of an upstream, and a stack that somebody asked for (`SIGQUIT: quit`).
//!
//! ## Fix
//! Take out the plugin or the object that triggers it, else go back to the last good version; then upgrade past the fix.
//!
//! ## Prevent
//! Alert on any increase of the panic counter; do not run with `debug`.

use super::starting::{FEW, clause, counted, otherwise};
use super::{Assessment, Class, Failure, Need, causes, causes_when, missing};
use crate::cluster::Cluster;
use crate::evidence::facts::{Log, MetricSample, Tally};
use crate::knowledge::messages::Signal;
use crate::report::{Confidence, Hop, Severity};

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "plugin-panic",
    title: "A plugin panics",
    hop: Some(Hop::Server),
    severity: Severity::High,
    class: Class::Cause,
    causes: &[
        causes_when("crash-loop", |cluster| cluster.says(Signal::PanicFatal).is_some() || exit_two(cluster).is_some()),
        causes("server-errors"),
    ],
    examine,
    source: include_str!("plugin_panic.rs"),
};

const COUNTERS: [&str; 2] = ["coredns_panics_total", "coredns_panic_count_total"];
/// What stands in a plugin's place in a path and is no plugin.
const NO_PLUGIN: [&str; 3] = ["pkg", "test", "metrics"];

fn examine(cluster: &Cluster) -> Assessment {
    let fatal = cluster.signals(Signal::PanicFatal).next();
    let recovered = cluster.signals(Signal::PanicRecovered).next();
    let counted: Vec<&MetricSample> = cluster
        .metrics
        .iter()
        .flat_map(|metrics| &metrics.samples)
        .filter(|sample| COUNTERS.contains(&sample.name.as_str()) && sample.value > 0.0)
        .collect();
    let found = match (fatal, recovered, counted.first()) {
        (Some((log, tally)), ..) => ended(cluster, log, tally),
        (None, Some((log, tally)), _) => survived(cluster, log, tally),
        (None, None, Some(sample)) => {
            let summary = format!("CoreDNS counts {} recovered panics since its start.", sample.value);
            Assessment::found(Confidence::Confirmed, summary, &sample.quote, "the counter of panics")
        }
        (None, None, None) => return by_exit(cluster),
    };
    let found =
        counted.iter().take(FEW).fold(found, |found, sample| found.proof(&sample.quote, "the counter of panics"));
    with_fixes(found, cluster)
}

/// The process ended.
fn ended(cluster: &Cluster, log: &Log, tally: &Tally) -> Assessment {
    let stack = log.tally(Signal::Stack);
    let text = tally.samples.first().map_or("", |sample| sample.field("text"));
    let past = previous_and_calm(cluster, log);
    let summary = format!("CoreDNS ended with a panic{}: {}.", by(plugin(log, tally).as_deref()), clause(text));
    let confidence =
        if stack.is_some() || exit_two(cluster).is_some() { Confidence::Confirmed } else { Confidence::Likely };
    let mut found = Assessment::found(confidence, summary, &tally.first, "the process's last words")
        .past(past)
        .since(cluster.first_at(Signal::PanicFatal));
    found = found.proofs(stack.map(|tally| &tally.first), "the stack follows");
    if let Some(frame) = log.last_line.as_ref().filter(|quote| quote.text.contains("plugin/")) {
        found = found.proof(frame, "a frame of the stack");
    }
    if let Some((pod, quote)) = exit_two(cluster) {
        found = found.proof(quote, "exit 2 is a panic").about(pod);
    }
    found.severity(Severity::Critical)
}

/// The process went on.
fn survived(cluster: &Cluster, log: &Log, tally: &Tally) -> Assessment {
    let text = tally.samples.first().map_or("", |sample| sample.field("text"));
    let times = counted(usize::try_from(tally.count).unwrap_or(usize::MAX), "panic");
    let summary = format!("CoreDNS recovered from {times}{}: {}.", by(plugin(log, tally).as_deref()), clause(text));
    let mut found = Assessment::found(Confidence::Confirmed, summary, &tally.first, "CoreDNS's own words")
        .since(cluster.first_at(Signal::PanicRecovered));
    for (_, tally) in cluster.signals(Signal::PanicRecovered).take(FEW) {
        found = found.proof(&tally.first, "CoreDNS's own words").proof(&tally.last, "CoreDNS's own words");
    }
    for pod in log.owner.pod.iter() {
        found = found.about(format!("pod/{}/{pod}", log.owner.namespace.as_deref().unwrap_or(&cluster.dns.namespace)));
    }
    found.proofs(log.tally(Signal::Stack).map(|tally| &tally.first), "its stack")
}

/// The log is of an earlier run, and the pods have been calm since.
fn previous_and_calm(cluster: &Cluster, log: &Log) -> bool {
    let calm = cluster.dns_all_ready() == Some(true) && !cluster.dns_pods().any(|pod| cluster.restarted_lately(pod));
    log.owner.previous && calm
}

fn by(plugin: Option<&str>) -> String {
    plugin.map_or(String::new(), |name| format!(" in the plugin {name}"))
}

/// The plugin that the message or a quoted frame of the stack names.
fn plugin(log: &Log, tally: &Tally) -> Option<String> {
    let texts = tally.samples.iter().map(|sample| sample.quote.text.as_ref());
    let around = [log.tally(Signal::Stack).map(|tally| &tally.last), log.last_line.as_ref()];
    texts.chain(around.into_iter().flatten().map(|quote| quote.text.as_ref())).find_map(named)
}

/// `kubernetes` of `…/coredns/plugin/kubernetes.(*…` or of `plugin/kubernetes: …`.
fn named(text: &str) -> Option<String> {
    text.split("plugin/").skip(1).find_map(|rest| {
        let name: String =
            rest.chars().take_while(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '_').collect();
        (!name.is_empty() && !NO_PLUGIN.contains(&name.as_str())).then_some(name)
    })
}

/// A DNS container that ended with 2, and where it says so.
fn exit_two(cluster: &Cluster) -> Option<(String, &crate::source::Quote)> {
    let deaths = cluster.dns_deaths();
    let (pod, state) = deaths.iter().find(|(_, state)| state.exit() == Some(2))?;
    let pod = pod.reference();
    state.exit_code.as_ref().map(|seen| (pod, &seen.quote))
}

/// No words: exit 2 is nearly always a panic.
fn by_exit(cluster: &Cluster) -> Assessment {
    if let Some((pod, quote)) = exit_two(cluster) {
        let summary = format!(
            "{pod} ended with exit 2, which is a panic of the Go runtime; its previous log is not in the bundle."
        );
        let found = Assessment::suspected(summary, quote, "exit 2").about(pod);
        return with_fixes(found.wants(missing(cluster, &[Need::PreviousLogs])), cluster);
    }
    let zero = cluster.metrics.iter().find_map(|metrics| COUNTERS.iter().find_map(|name| metrics.get(name)));
    if let Some(sample) = zero {
        return Assessment::ruled_out("The counter of panics is 0 and no DNS container ended with exit 2.")
            .against(&sample.quote, "no panic since the start");
    }
    let logs = cluster.dns_logs().count();
    if logs > 0 {
        return Assessment::ruled_out(format!("{} of CoreDNS read: no panic in them.", counted(logs, "log")));
    }
    let deaths = cluster.dns_deaths().len();
    if deaths > 0 {
        return Assessment::ruled_out(format!(
            "{} of DNS containers shown: none ended with exit 2.",
            counted(deaths, "ended run")
        ));
    }
    let calm = |pod: &crate::cluster::Pod| pod.restarts().is_some_and(|seen| seen.value == 0);
    let passed = "none restarted, so no panic ended one";
    if cluster.dns_pods().next().is_some() && cluster.dns_pods().all(calm) {
        return otherwise(cluster, calm, passed, "a panic", &[Need::PreviousLogs]);
    }
    Assessment::not_checked(
        "Neither CoreDNS's logs nor its metrics are in the bundle.",
        missing(cluster, &[Need::PreviousLogs, Need::Logs, Need::Metrics]),
    )
}

fn with_fixes(found: Assessment, cluster: &Cluster) -> Assessment {
    let (namespace, workload) = (&cluster.dns.namespace, &cluster.dns.workload_reference);
    found
        .manual(
            "Take out what triggers it",
            "Remove the plugin that the stack names from the Corefile, or the object that it stumbles over (1.8.6 and \
             1.10.1: an EndpointSlice with `ports: [{}]`; to 1.6.7: an empty resolv.conf; 1.8.5: a reload).",
        )
        .command(
            "Or go back to the last good version, then upgrade past the fix",
            format!(
                "kubectl -n {namespace} rollout history {workload}\nkubectl -n {namespace} rollout undo {workload}"
            ),
            "the Corefile must fit that version",
        )
        .patch("Let recovered panics print their stack", "errors {\n    stacktrace\n}", "CoreDNS 1.9.3 or later")
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::evidence::facts::StatePhase;
    use crate::report::Status;

    const STACK: &str = ".:53\nCoreDNS-1.10.1\npanic: runtime error: invalid memory address or nil pointer dereference\n\ngoroutine 51 [running]:\ngithub.com/coredns/coredns/plugin/kubernetes/object.EndpointSliceToEndpoints({0x1, 0x2})\n";

    #[test]
    fn a_stack_names_its_plugin() {
        let answer = examine(&cluster(vec![fact(log(true, STACK))]));
        assert_eq!(answer.confidence, Some(Confidence::Confirmed));
        assert!(answer.summary.contains("in the plugin kubernetes"), "{}", answer.summary);
    }

    #[test]
    fn a_recovered_one_is_counted() {
        let line = "[ERROR] Recovered from panic in server: \"dns://:53\" runtime error: index out of range\n";
        let answer = examine(&cluster(vec![fact(log(false, &line.repeat(3)))]));
        assert_eq!(answer.status, Status::Found);
        assert!(answer.summary.contains("3 panics"), "{}", answer.summary);
    }

    #[test]
    fn a_stack_that_was_asked_for_is_none() {
        let text = "CoreDNS-1.10.1\nSIGQUIT: quit\nPC=0x46d2c1 m=0 sigcode=0\n\ngoroutine 1 [running]:\n";
        assert_eq!(examine(&cluster(vec![fact(log(true, text))])).status, Status::RuledOut);
    }

    #[test]
    fn exit_two_alone_is_suspected() {
        let dead = |code| {
            with_last(
                waiting("coredns-a", "CrashLoopBackOff", ""),
                state(StatePhase::Terminated, "Error", "", Some(code)),
                3,
            )
        };
        assert_eq!(examine(&cluster(vec![fact(dead(2))])).status, Status::Suspected);
        assert_eq!(examine(&cluster(vec![fact(dead(1))])).status, Status::RuledOut);
        assert_eq!(examine(&cluster(Vec::new())).status, Status::NotChecked);
    }
}
