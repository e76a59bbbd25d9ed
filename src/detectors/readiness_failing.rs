//! # Running, never Ready
//!
//! ## What it is
//! The DNS container runs and does not become ready, so the Service sends it nothing: a plugin waits (mostly `kubernetes` for
//! the API), or nobody answers on the probe's port.
//!
//! ## How it is recognised
//! By Running 0/1 for longer than a minute with `Readiness probe failed`: 503 is a plugin that is not ready, `connection
//! refused` a port that nobody opened, `context deadline exceeded` a process that hangs. In the log by `Still waiting on` (to
//! 1.12.1) or `Plugins not ready` (from 1.12.2) as its last state.
//!
//! ## What it is not
//! The first minute after a start, a pod that is ending, and a pod whose process dies again and again (`crash-loop`). A probe
//! on /health, as some vendors have it, says nothing about the API.
//!
//! ## Fix
//! By cause: mend the API or the role; write `ready` into the Corefile; let the probe ask a port that is open. Do not remove
//! the probe: a pod that is not synced answers SERVFAIL.
//!
//! ## Prevent
//! Change probes and Corefile together; alert on fewer available DNS replicas than wanted for two minutes.

use super::starting::{FEW, between, counted, is_ready, is_unready, otherwise, since, subject};
use super::{Assessment, Class, Failure, Need, causes, missing};
use crate::cluster::{Cluster, Pod};
use crate::evidence::facts::{Event, Log, Probe, StatePhase, Tally};
use crate::knowledge::messages::Signal;
use crate::report::{Confidence, Hop, Severity};
use crate::source::Quote;

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "readiness-failing",
    title: "Running, never Ready",
    hop: Some(Hop::Server),
    severity: Severity::Critical,
    class: Class::Cause,
    causes: &[causes("service-no-endpoints")],
    examine,
    source: include_str!("readiness_failing.rs"),
};

/// A start takes so long, in seconds.
const START: i64 = 60;
/// So many failures, ten seconds apart, are more than a start.
const MANY: u64 = 3;
/// A line is the log's last state if nothing newer follows within so many lines, or seconds.
const LINES: u64 = 25;
const SECONDS: i64 = 30;

fn examine(cluster: &Cluster) -> Assessment {
    let stuck: Vec<&Pod> = cluster.dns_pods().filter(|pod| is_stuck(cluster, pod)).collect();
    let events: Vec<&Event> = cluster
        .dns_events_of(&["Unhealthy"])
        .filter(|event| event.message.starts_with("Readiness probe") && counts(cluster, event, &stuck))
        .collect();
    let line = waiting_line(cluster, &stuck);
    let port_shut = nobody_answers(cluster);
    let sure = match (stuck.first(), events.first(), line) {
        (Some(_), Some(event), _) => Some((Confidence::Confirmed, &event.quote)),
        (Some(_), None, Some((_, tally))) => Some((Confidence::Confirmed, &tally.last)),
        (Some(pod), None, None) => {
            let confidence = if port_shut.is_some() { Confidence::Likely } else { Confidence::Possible };
            pod.ready().map(|seen| (confidence, &seen.quote))
        }
        (None, Some(event), _) => Some((Confidence::Confirmed, &event.quote)),
        (None, None, Some((_, tally))) => Some((Confidence::Likely, &tally.last)),
        (None, None, None) => None,
    };
    let Some((confidence, quote)) = sure else { return not_found(cluster) };
    let why = why(cluster, &events, line.map(|(_, tally)| tally), port_shut);
    let mut found =
        Assessment::found(confidence, summary(cluster, &stuck, &events, &why), quote, "what says that it is not ready")
            .since(since(cluster, &events).or_else(|| line.and_then(|(_, tally)| tally.first_at)));
    for event in events.iter().take(FEW) {
        found = found.proof(&event.quote, "the kubelet's own words").about(subject(cluster, event));
    }
    for pod in stuck.iter().take(FEW) {
        found = found.proofs(pod.ready().map(|seen| &seen.quote), "the pod is not ready").about(pod.reference());
        found = found.proofs(pod.status_cell().map(|seen| &seen.quote), "its row");
    }
    if let Some((log, tally)) = line {
        found = found.proof(&tally.first, "CoreDNS's own words").proof(&tally.last, "CoreDNS's own words");
        found = found.proofs(log.tally(Signal::ApiUnsynced).map(|tally| &tally.first), "it started without the API");
    }
    if let Some(probe) = probe(cluster) {
        found = found.proof(&probe.quote, "what the kubelet asks");
    }
    with_fixes(found, cluster, &why)
}

/// It runs, is not ready, and is neither young, dying nor on a lost node.
fn is_stuck(cluster: &Cluster, pod: &Pod) -> bool {
    let state = pod.main().and_then(|view| view.state());
    let runs = match (state, pod.status_cell()) {
        (Some(state), _) => state.phase == StatePhase::Running,
        (None, Some(cell)) => cell.value == "Running",
        (None, None) => pod.is("Running").is_some(),
    };
    let lost = pod.node().and_then(|node| cluster.node(&node.value)?.ready()).is_some_and(|ready| !ready.value);
    runs && is_unready(pod)
        && !pod.gone()
        && !lost
        && !dies(cluster, pod)
        && age(cluster, pod).is_none_or(|age| age > START)
}

/// Its process ends again and again by itself.
fn dies(cluster: &Cluster, pod: &Pod) -> bool {
    if !cluster.restarted_lately(pod) {
        return false;
    }
    match pod.main().and_then(|view| view.last()).and_then(|state| state.exit()) {
        Some(code) => code != 0,
        None => pod.restarts().is_some_and(|seen| seen.value > 1),
    }
}

/// Seconds since the container started, or since the pod was created.
fn age(cluster: &Cluster, pod: &Pod) -> Option<i64> {
    let started =
        pod.main().and_then(|view| view.state()).and_then(|state| state.started.as_ref()).map(|seen| seen.value);
    let by_time = started.or_else(|| pod.created()).and_then(|at| cluster.seconds_ago(at));
    by_time.filter(|_| cluster.collected_at_said).or_else(|| pod.sights.iter().find_map(|sight| sight.age))
}

/// The event is of a pod that is stuck, or of one that the bundle does not show, and of more than a start.
fn counts(cluster: &Cluster, event: &Event, stuck: &[&Pod]) -> bool {
    if stuck.iter().any(|pod| pod.name == event.object) {
        return true;
    }
    let unknown = cluster.pod(event.namespace.as_deref(), &event.object).is_none_or(|pod| pod.ready().is_none());
    let healed = cluster.dns_all_ready() == Some(true);
    let killed = cluster.dns_events_of(&["Killing"]).any(|other| other.object == event.object);
    let restarts = cluster.dns_events_of(&["BackOff"]).any(|other| other.object == event.object);
    unknown && !healed && !killed && !restarts && (u64::from(event.count) > MANY * 2)
}

/// The ready plugin's line, where it is the last state of a current log of a pod that is not known to be ready.
fn waiting_line<'a>(cluster: &'a Cluster, stuck: &[&Pod]) -> Option<(&'a Log, &'a Tally)> {
    let of_stuck = |log: &Log| log.owner.pod.as_ref().is_none_or(|name| stuck.iter().any(|pod| pod.name == *name));
    let unknown = |log: &Log| match &log.owner.pod {
        Some(name) => cluster.pod(log.owner.namespace.as_deref(), name).is_none(),
        None => true,
    };
    let shown = cluster.dns_pods().any(|pod| pod.ready().is_some());
    cluster.signals(Signal::NotReady).find(|(log, tally)| {
        let unsynced = log.has(Signal::ApiUnsynced) || log.has(Signal::ApiWaiting);
        let lasting = tally.count > MANY || unsynced;
        let ours = if shown { !stuck.is_empty() && of_stuck(log) } else { unknown(log) };
        !log.owner.previous && ours && lasting && is_last(log, tally) && !log.has(Signal::Sigterm)
    })
}

/// Whether nothing but more of the same follows.
fn is_last(log: &Log, tally: &Tally) -> bool {
    if let (Some(end), Some(last)) = (log.to, tally.last_at) {
        return crate::time::seconds_between(last, end) <= SECONDS;
    }
    let place = u64::from(tally.last.source.line.saturating_sub(log.first_line)).saturating_add(1);
    log.lines.saturating_sub(place) <= LINES
}

/// The readiness probe of the DNS pods or of their workload.
fn probe(cluster: &Cluster) -> Option<&Probe> {
    let pods = cluster.dns_containers().find_map(|(_, view)| view.readiness());
    pods.or_else(|| cluster.dns_workload()?.containers().iter().find_map(|container| container.readiness.as_ref()))
}

/// The probe asks /ready and the Corefile opens no such port.
fn nobody_answers(cluster: &Cluster) -> Option<&Probe> {
    let corefile = cluster.dns.corefile.as_ref()?;
    let probe = probe(cluster).filter(|probe| probe.path.contains("ready") || probe.port == "8181")?;
    corefile.ready().is_none().then_some(probe)
}

/// Why it does not become ready.
enum Why {
    /// These plugins are not ready.
    Plugins(String),
    /// The Corefile lacks `ready`.
    NoReady,
    /// The probe asks a port on which nobody answers.
    Refused(String),
    /// 503 without names.
    Unready,
    /// It does not answer in time.
    Hangs,
    /// Nothing tells.
    Unknown,
}

fn why(cluster: &Cluster, events: &[&Event], line: Option<&Tally>, port_shut: Option<&Probe>) -> Why {
    let has = |part: &str| events.iter().any(|event| event.message.contains(part));
    let plugins = line.and_then(|tally| tally.samples.last()).map(|sample| sample.field("plugins").to_owned());
    let refused = has("connection refused");
    if let Some(plugins) = plugins.filter(|names| !names.is_empty()) {
        return Why::Plugins(plugins);
    }
    let asks = |port: &str| events.iter().any(|event| event.message.contains(&format!(":{port}/")));
    let lacks = cluster.dns.corefile.as_ref().is_some_and(|corefile| corefile.ready().is_none());
    if port_shut.is_some() && !has("statuscode") || (refused && lacks && asks("8181")) {
        return Why::NoReady;
    }
    if refused {
        let url = events.iter().find_map(|event| between(&event.message, "http://", "\""));
        return Why::Refused(url.unwrap_or("its port").to_owned());
    }
    if has("statuscode: 503") {
        return Why::Unready;
    }
    if has("deadline exceeded") || has("Timeout exceeded") || has("i/o timeout") { Why::Hangs } else { Why::Unknown }
}

fn summary(cluster: &Cluster, stuck: &[&Pod], events: &[&Event], why: &Why) -> String {
    let mut names: Vec<&str> = stuck.iter().map(|pod| pod.name.as_str()).collect();
    names.extend(events.iter().map(|event| event.object.as_str()));
    names.sort_unstable();
    names.dedup();
    let who = if names.is_empty() {
        "CoreDNS runs and is not ready".to_owned()
    } else {
        let of = cluster.dns_pods().filter(|pod| !pod.gone()).count().max(names.len());
        let list = names.iter().take(FEW).copied().collect::<Vec<_>>().join(", ");
        format!("{} of {} run without becoming ready ({list})", names.len(), counted(of, "DNS pod"))
    };
    let why = match why {
        Why::Plugins(names) => format!(
            "the plugin {names} is not ready{}",
            if names.contains("kubernetes") { ", it has not read the Kubernetes API" } else { "" }
        ),
        Why::NoReady => {
            "the readiness probe asks the port of the `ready` plugin, and the Corefile has no `ready`".to_owned()
        }
        Why::Refused(url) => {
            format!("nobody answers the readiness probe at {url}: the `ready` plugin is missing or its port is taken")
        }
        Why::Unready => {
            "the readiness probe gets 503, so a plugin is not ready (mostly `kubernetes`, waiting for the API)"
                .to_owned()
        }
        Why::Hangs => "the readiness probe gets no answer in time".to_owned(),
        Why::Unknown => "the bundle does not show why".to_owned(),
    };
    format!("{who}: {why}.")
}

fn with_fixes(found: Assessment, cluster: &Cluster, why: &Why) -> Assessment {
    let (namespace, selector) = (&cluster.dns.namespace, &cluster.dns.selector);
    match why {
        Why::NoReady | Why::Refused(_) => found
            .patch("Write ready into the Corefile", "ready :8181", "once, in the first server block; without `reload` restart the pods")
            .command(
                "Or let the probe ask an open port",
                format!("kubectl -n {namespace} get {} -o jsonpath='{{.spec.template.spec.containers[*].readinessProbe}}'\nkubectl -n {namespace} get configmap coredns -o yaml | grep -nE 'ready|health'", cluster.dns.workload_reference),
                "reads only: then correct the port of the probe; keep the probe",
            ),
        Why::Plugins(_) | Why::Unready => found.command(
            "Mend the way to the Kubernetes API",
            format!("kubectl -n {namespace} logs -l {selector} --tail=50 | grep -iE 'reflector|forbidden|dial|x509|waiting|not ready'\nkubectl auth can-i list endpointslices.discovery.k8s.io --as=system:serviceaccount:{namespace}:coredns -A"),
            "reads only: `forbidden` is the role, `dial` the network, `x509` a certificate or token; it becomes ready by itself",
        ),
        Why::Hangs | Why::Unknown => found
            .wants(missing(cluster, &[Need::Describe, Need::Logs, Need::Corefile]))
            .command(
                "Ask it yourself",
                format!("kubectl -n {namespace} describe pod -l {selector} | grep -A20 Events\nfor p in $(kubectl -n {namespace} get pods -l {selector} -o jsonpath='{{.items[*].metadata.name}}'); do kubectl get --raw /api/v1/namespaces/{namespace}/pods/$p:8181/proxy/ready; echo; done"),
                "reads only",
            ),
    }
}

fn not_found(cluster: &Cluster) -> Assessment {
    let passed = "they are ready, or do not run at all";
    let settled = |pod: &Pod| is_ready(pod) || (is_unready(pod) && !is_stuck(cluster, pod));
    let answer =
        otherwise(cluster, settled, passed, "a failing readiness probe", &[Need::Pods, Need::Describe, Need::Logs]);
    let quotes: Vec<&Quote> = cluster
        .dns_events_of(&["Unhealthy"])
        .filter(|event| event.message.starts_with("Readiness probe"))
        .map(|event| &event.quote)
        .take(2)
        .collect();
    quotes.into_iter().fold(answer, |answer, quote| answer.against(quote, "of a start, an end or a crash"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::report::Status;

    const WAITS: &str = "[INFO] plugin/ready: Still waiting on: \"kubernetes\"\n";

    fn unhealthy(text: &str) -> Event {
        Event { count: 40, ..event("Unhealthy", "coredns-a", &format!("Readiness probe failed: {text}")) }
    }

    fn running(ready: bool) -> crate::evidence::facts::Pod {
        pod_row("coredns-a", ready, "Running", 0, None)
    }

    #[test]
    fn the_text_of_the_probe_tells_why() {
        for (text, words) in [
            ("HTTP probe failed with statuscode: 503", "503"),
            (
                "Get \"http://10.0.0.3:8181/ready\": dial tcp 10.0.0.3:8181: connect: connection refused",
                "10.0.0.3:8181/ready",
            ),
            ("Get \"http://10.0.0.3:8181/ready\": context deadline exceeded", "no answer in time"),
        ] {
            let answer = examine(&cluster(vec![fact(running(false)), fact(unhealthy(text))]));
            assert_eq!(answer.confidence, Some(Confidence::Confirmed), "{text}");
            assert!(answer.summary.contains(words), "{}", answer.summary);
        }
    }

    #[test]
    fn the_log_names_the_plugin() {
        let text = format!(".:53\nCoreDNS-1.11.1\n{}", WAITS.repeat(5));
        let with_pod = examine(&cluster(vec![fact(running(false)), fact(log(false, &text))]));
        assert_eq!(with_pod.confidence, Some(Confidence::Confirmed));
        assert!(with_pod.summary.contains("plugin kubernetes"), "{}", with_pod.summary);
        let alone = examine(&cluster(vec![fact(log(false, &text))]));
        assert_eq!(alone.confidence, Some(Confidence::Likely));
        assert_eq!(examine(&cluster(vec![fact(running(true)), fact(log(false, &text))])).status, Status::RuledOut);
        assert!(!examine(&cluster(vec![fact(log(true, &text))])).holds());
    }

    #[test]
    fn a_start_is_no_fault() {
        let text = format!(
            "CoreDNS-1.11.1\n{WAITS}{}",
            "[INFO] 10.0.0.9:1 - 1 \"A IN a. udp 20 false 512\" NOERROR qr 50 0.001s\n".repeat(60)
        );
        assert!(!examine(&cluster(vec![fact(log(false, &text))])).holds());
        let few = Event { count: 2, ..unhealthy("HTTP probe failed with statuscode: 503") };
        assert!(!examine(&cluster(vec![fact(few.clone())])).holds());
        assert_eq!(examine(&cluster(vec![fact(few), fact(running(true))])).status, Status::RuledOut);
        let mut young = running(false);
        young.age = Some(20);
        assert!(!examine(&cluster(vec![fact(young)])).holds());
    }

    #[test]
    fn a_dying_pod_and_a_lost_node_are_other_faults() {
        let crash = pod_row("coredns-a", false, "Running", 6, Some(10));
        assert!(!examine(&cluster(vec![fact(crash), fact(unhealthy("connection refused"))])).holds());
        let lost = vec![fact(node("n1", false, "")), fact(on_node(running(false), "n1"))];
        assert!(!examine(&cluster(lost)).holds());
        assert_eq!(examine(&cluster(vec![fact(running(false))])).status, Status::Suspected);
    }
}
