//! Prometheus text and OpenMetrics, as `/metrics` answers it.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::facts::{Count, Fact, MetricSample, Metrics};
use super::log;
use crate::problem::Problem;
use crate::recognize::Hints;
use crate::source::{Quote, Seen};
use crate::text::Section;

/// The most samples kept of one dump; a dump of CoreDNS has a few hundred.
const SAMPLE_LIMIT: usize = 20_000;

/// Families that detectors read; the name starts with one of these.
const KEPT: [&str; 18] = [
    "coredns_",
    "process_",
    "go_goroutines",
    "go_info",
    "go_gc_duration_seconds",
    "go_memstats_heap_inuse_bytes",
    "go_memstats_heap_alloc_bytes",
    "go_memstats_heap_idle_bytes",
    "go_memstats_heap_released_bytes",
    "go_memstats_sys_bytes",
    "go_memstats_next_gc_bytes",
    "go_memstats_stack_inuse_bytes",
    "container_cpu_cfs_",
    "container_memory_",
    "container_spec_memory_limit_bytes",
    "kube_pod_container_",
    "kubeproxy_sync_",
    "node_nf_conntrack_",
];

/// Families among the kept that are bulky and tell nothing here.
const LEFT_OUT: [&str; 2] = ["coredns_dns_request_size_bytes", "coredns_dns_response_size_bytes"];

/// What the API server counts of its own objects, and the name of that count here.
const OBJECT_COUNTS: [(&str, &str); 4] =
    [("pods", "pods"), ("services", "services"), ("nodes", "nodes"), ("namespaces", "namespaces")];

/// Reads one dump.
pub fn read(section: &Section, hints: &Hints, facts: &mut Vec<Fact>, problems: &mut Vec<Problem>) {
    let mut metrics = Metrics {
        path: section.text.path().clone(),
        owner: log::owner(hints),
        at: time_in_name(section.text.path()),
        version: None,
        samples: Vec::new(),
        total: 0,
    };
    let mut left = 0u64;
    for (number, line) in section.numbered() {
        let Some(sample) = sample(line) else { continue };
        metrics.total += 1;
        if let Some(count) = object_count(&sample, || section.quote(number)) {
            facts.push(count);
        }
        let kept = KEPT.iter().any(|start| sample.name.starts_with(start))
            && !LEFT_OUT.iter().any(|start| sample.name.starts_with(start));
        if !kept {
            continue;
        }
        if metrics.samples.len() >= SAMPLE_LIMIT {
            left += 1;
            continue;
        }
        let quote = section.quote(number);
        if sample.name == "coredns_build_info" {
            metrics.version = sample.labels.get("version").map(|version| Seen::new(version.clone(), quote.clone()));
        }
        metrics.samples.push(MetricSample {
            name: sample.name.to_owned(),
            labels: sample.labels,
            value: sample.value,
            quote,
        });
    }
    if left > 0 {
        problems.push(Problem::of(section.text.path(), format!("{left} samples over {SAMPLE_LIMIT} were not kept")));
    }
    if metrics.total > 0 {
        facts.push(Fact::Metrics(Box::new(metrics)));
    }
}

/// One sample line, taken apart.
#[derive(Debug, PartialEq)]
struct Sample<'a> {
    name: &'a str,
    labels: BTreeMap<String, String>,
    value: f64,
}

/// `name{a="b"} 1.5 [time]`; `None` for comments and anything else.
fn sample(line: &str) -> Option<Sample<'_>> {
    let line = line.trim();
    let first = *line.as_bytes().first()?;
    if !(first.is_ascii_alphabetic() || first == b'_' || first == b':') {
        return None;
    }
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':'))?;
    let (name, rest) = line.split_at(end);
    let (labels, rest) = match rest.strip_prefix('{') {
        Some(inner) => labels(inner)?,
        None => (BTreeMap::new(), rest),
    };
    let word = rest.split_whitespace().next()?;
    let value = match word {
        "+Inf" => f64::INFINITY,
        "-Inf" => f64::NEG_INFINITY,
        _ => word.parse().ok()?,
    };
    Some(Sample { name, labels, value })
}

/// The labels behind `{`, and what follows `}`.
fn labels(mut rest: &str) -> Option<(BTreeMap<String, String>, &str)> {
    let mut labels = BTreeMap::new();
    loop {
        rest = rest.trim_start_matches([',', ' ']);
        if let Some(behind) = rest.strip_prefix('}') {
            return Some((labels, behind));
        }
        let (name, behind) = rest.split_once('=')?;
        let (value, behind) = quoted(behind.trim_start().strip_prefix('"')?)?;
        labels.insert(name.trim().to_owned(), value);
        rest = behind;
    }
}

/// A value up to its closing quote, with `\\`, `\"` and `\n` undone.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => match characters.next()?.1 {
                'n' => value.push('\n'),
                other => value.push(other),
            },
            other => value.push(other),
        }
    }
    None
}

/// `apiserver_storage_objects{resource="pods"}`, `etcd_object_counts` before Kubernetes 1.21.
fn object_count(sample: &Sample, quote: impl FnOnce() -> Quote) -> Option<Fact> {
    if !matches!(sample.name, "apiserver_storage_objects" | "etcd_object_counts") || !sample.value.is_finite() {
        return None;
    }
    let resource = sample.labels.get("resource")?;
    let (_, what) = OBJECT_COUNTS.iter().find(|(name, _)| name == resource)?;
    let value = sample.value.max(0.0) as u64;
    Some(Fact::Count(Box::new(Count { what: (*what).to_owned(), value, all_namespaces: true, quote: quote() })))
}

/// A time in a file name: `metrics-2026-03-19T16-41-02Z.txt`, `metrics-20260319T164102Z.txt`.
fn time_in_name(path: &str) -> Option<Timestamp> {
    let name = path.rsplit('/').next()?;
    let digits: Vec<(usize, char)> = name.char_indices().filter(|(_, c)| c.is_ascii_digit()).collect();
    let text: String = digits.iter().map(|(_, c)| *c).collect();
    let (first, last) = (digits.first()?.0, digits.last()?.0);
    if !(12..=14).contains(&text.len()) || last - first > 20 || !text.starts_with("20") {
        return None;
    }
    let seconds = text.get(12..14).unwrap_or("00");
    crate::time::parse(&format!(
        "{}-{}-{}T{}:{}:{seconds}Z",
        text.get(..4)?,
        text.get(4..6)?,
        text.get(6..8)?,
        text.get(8..10)?,
        text.get(10..12)?
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;

    #[test]
    fn lines_are_taken_apart() {
        let labels = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        for (line, name, pairs, value) in [
            ("go_goroutines 42", "go_goroutines", &[][..], 42.0),
            ("a{b=\"c\",d=\"e\"} 1e3", "a", &[("b", "c"), ("d", "e")], 1000.0),
            ("a{b=\"x\\\"y\\\\z\\n\"} +Inf 1700000000", "a", &[("b", "x\"y\\z\n")], f64::INFINITY),
            ("a{} 0.5", "a", &[], 0.5),
        ] {
            assert_eq!(sample(line), Some(Sample { name, labels: labels(pairs), value }), "{line}");
        }
        for line in ["", "# HELP a b", "# EOF", "a", "a{b=\"c} 1", "a{b} 1", "1 2", "a x"] {
            assert_eq!(sample(line), None, "{line}");
        }
    }

    #[test]
    fn names_tell_times() {
        for (name, time) in [
            ("m/metrics-2026-03-19T16-41-02Z.txt", Some("2026-03-19T16:41:02Z")),
            ("20260319T1641Z.metrics", Some("2026-03-19T16:41:00Z")),
            ("coredns-668d6bf9bc-h5zb4.metrics.txt", None),
            ("metrics-005.txt", None),
        ] {
            assert_eq!(time_in_name(name).map(|t| t.to_string()).as_deref(), time, "{name}");
        }
    }

    #[test]
    fn a_dump_gives_version_samples_and_counts() {
        let body = "# TYPE coredns_build_info gauge\ncoredns_build_info{version=\"1.11.3\"} 1\n\
                    apiserver_storage_objects{resource=\"pods\"} 120\nhttp_other 3\n";
        let section = Section::whole(std::sync::Arc::new(Text::new("m.txt", body.into())));
        let (mut facts, mut problems) = (Vec::new(), Vec::new());
        read(&section, &Hints::default(), &mut facts, &mut problems);
        assert!(matches!(&facts[0], Fact::Count(count) if count.value == 120 && count.quote.source.line == 3));
        assert!(matches!(&facts[1], Fact::Metrics(m) if m.total == 3 && m.samples.len() == 1 && m.version.is_some()));
    }
}
