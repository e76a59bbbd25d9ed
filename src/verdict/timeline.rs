//! What happened when, in UTC, each line with its source.

use jiff::Timestamp;

use crate::cluster::Cluster;
use crate::evidence::facts::{Event, NodeLineKind};
use crate::knowledge::messages::Signal;
use crate::report::Moment;
use crate::source::Quote;

/// The most lines; the report says that there are more through its problems.
const LIMIT: usize = 400;

/// Signals that mark a moment in a log, with the words for it.
const MARKS: [(Signal, &str); 18] = [
    (Signal::Banner, "CoreDNS started"),
    (Signal::Sigterm, "CoreDNS was told to stop (SIGTERM)"),
    (Signal::Loop, "CoreDNS found a forwarding loop and exited"),
    (Signal::ReloadFailed, "a reload of the Corefile failed"),
    (Signal::ReloadComplete, "a new Corefile was loaded"),
    (Signal::ApiUnsynced, "CoreDNS started without the Kubernetes API"),
    (Signal::ApiForbidden, "the Kubernetes API refused CoreDNS (forbidden)"),
    (Signal::ApiUnauthorized, "the Kubernetes API refused CoreDNS (unauthorized)"),
    (Signal::ApiTls, "TLS to the Kubernetes API failed"),
    (Signal::ApiUnreachable, "the Kubernetes API could not be reached"),
    (Signal::UpstreamError, "an upstream did not answer"),
    (Signal::MaxConcurrent, "forward refused queries at its limit"),
    (Signal::PanicRecovered, "a plugin panicked"),
    (Signal::PanicFatal, "CoreDNS panicked and ended"),
    (Signal::HealthSlow, "the health self-check was slow"),
    (Signal::StartFailed, "CoreDNS could not start with its Corefile"),
    (Signal::PortInUse, "a listen port was taken"),
    (Signal::PortDenied, "a listen port was not permitted"),
];

/// The timeline, sorted.
pub fn timeline(cluster: &Cluster) -> Vec<Moment> {
    let mut moments = Vec::new();
    deaths(cluster, &mut moments);
    events(cluster, &mut moments);
    logs(cluster, &mut moments);
    kernel_and_notes(cluster, &mut moments);
    moments.sort();
    moments.dedup_by(|a, b| a.at == b.at && a.what == b.what && a.about == b.about);
    moments.truncate(LIMIT);
    moments
}

fn moment(at: Timestamp, precision: &str, what: String, quote: &Quote, about: String) -> Moment {
    Moment {
        at: at.to_string(),
        precision: precision.to_owned(),
        what,
        path: quote.source.path.to_string(),
        line: quote.source.line,
        about,
    }
}

fn deaths(cluster: &Cluster, moments: &mut Vec<Moment>) {
    for (pod, state) in cluster.dns_deaths() {
        if let Some(started) = &state.started {
            moments.push(moment(started.value, "seconds", "container started".into(), &started.quote, pod.reference()));
        }
        if let Some(finished) = &state.finished {
            let reason = state.reason.as_ref().map_or("ended", |seen| seen.value.as_str());
            let code = state.exit().map_or(String::new(), |code| format!(", exit {code}"));
            let what = format!("container ended: {reason}{code}");
            moments.push(moment(finished.value, "seconds", what, &finished.quote, pod.reference()));
        }
    }
}

/// Warnings about anything, and normal events about DNS objects.
fn events(cluster: &Cluster, moments: &mut Vec<Moment>) {
    for event in &cluster.events {
        if event.kind != "Warning" && !cluster.is_dns_object(&event.object_kind, &event.object) {
            continue;
        }
        let Some(at) = cluster.event_time(event) else { continue };
        let precision = event.last_ago.map_or("seconds", |(_, unit)| precision_of(unit));
        let times = if event.count > 1 { format!(" (×{})", event.count) } else { String::new() };
        let what = format!("{}: {}{times}", event.reason, event.message);
        moments.push(moment(at, precision, what, &event.quote, subject(event)));
    }
}

fn precision_of(unit: i64) -> &'static str {
    match unit {
        ..=1 => "seconds",
        2..=60 => "minutes",
        61..=3600 => "hours",
        _ => "days",
    }
}

fn subject(event: &Event) -> String {
    format!("{}/{}/{}", event.object_kind.to_lowercase(), event.namespace.as_deref().unwrap_or("?"), event.object)
}

fn logs(cluster: &Cluster, moments: &mut Vec<Moment>) {
    for log in cluster.dns_logs() {
        let about = log.owner.pod.as_ref().map_or(String::new(), |pod| {
            format!("pod/{}/{pod}", log.owner.namespace.as_deref().unwrap_or(&cluster.dns.namespace))
        });
        for (signal, words) in MARKS {
            let Some(tally) = log.tally(signal) else { continue };
            if let Some(at) = tally.first_at {
                let times = if tally.count > 1 { format!(" (first of {})", tally.count) } else { String::new() };
                moments.push(moment(at, "exact", format!("{words}{times}"), &tally.first, about.clone()));
            }
            if tally.count > 1
                && let Some(at) = tally.last_at
            {
                let what = format!("{words} (last of {})", tally.count);
                moments.push(moment(at, "exact", what, &tally.last, about.clone()));
            }
        }
    }
}

fn kernel_and_notes(cluster: &Cluster, moments: &mut Vec<Moment>) {
    for line in &cluster.kernel {
        if let Some(at) = line.at {
            moments.push(moment(at, "seconds", line.quote.text.to_string(), &line.quote, String::new()));
        }
    }
    for line in cluster.node_lines.iter().filter(|line| line.kind == NodeLineKind::Note) {
        let Some(at) = note_time(cluster, &line.key) else { continue };
        moments.push(moment(at, "seconds", format!("note: {}", line.quote.text), &line.quote, String::new()));
    }
}

/// A note's clock time is of the day of collection.
fn note_time(cluster: &Cluster, key: &str) -> Option<Timestamp> {
    crate::time::parse(key).or_else(|| {
        let day = cluster.collected_at?.to_string();
        crate::time::parse(&format!("{}T{key}Z", day.get(..10)?))
    })
}
