//! What single cells say.

use std::collections::BTreeMap;

use crate::evidence::redaction;
use crate::time;

/// False for a blank cell and for kubectl's words for "nothing".
pub(in crate::evidence) fn is_value(cell: &str) -> bool {
    is_filled(cell) && !redaction::is_mark(cell)
}

/// Whether something stands in the cell, be it the mark of a redaction.
fn is_filled(cell: &str) -> bool {
    !matches!(cell, "" | "<none>" | "<unknown>" | "<unset>" | "<nil>" | "<invalid>")
}

/// `a=b,c=d`; `<none>` is the empty map.
pub(in crate::evidence) fn labels(cell: &str) -> BTreeMap<String, String> {
    cell.split(',').filter_map(label).collect()
}

/// `a=b`.
pub(in crate::evidence) fn label(text: &str) -> Option<(String, String)> {
    let (key, value) = text.trim().split_once('=')?;
    Some((key.to_owned(), value.to_owned()))
}

/// `1/2`.
pub(in crate::evidence) fn ratio(cell: &str) -> Option<(u32, u32)> {
    let (part, whole) = cell.split_once('/')?;
    Some((part.parse().ok()?, whole.parse().ok()?))
}

/// `12`, `12 (2m50s ago)`: how many restarts, and how many seconds ago the last was.
pub(super) fn restarts(cell: &str) -> Option<(u32, Option<i64>)> {
    let (count, rest) = cell.split_once(' ').unwrap_or((cell, ""));
    let ago = rest.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(" ago)"));
    Some((count.parse().ok()?, ago.and_then(time::age).map(|age| age.0)))
}

/// When an event was, before collection.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::evidence) struct Ages {
    /// Seconds, and how far off that can be.
    pub last: Option<(i64, i64)>,
    /// The same of the first time.
    pub first: Option<(i64, i64)>,
    /// How often.
    pub count: Option<u32>,
}

/// `18s`, `18s (x4 over 73s)`, `<unknown>`.
pub(in crate::evidence) fn ages(cell: &str) -> Ages {
    let (last, rest) = cell.split_once(" (x").unwrap_or((cell, ""));
    let (count, over) = rest.split_once(" over ").unwrap_or((rest.trim_end_matches(')'), ""));
    Ages { last: time::age(last), first: time::age(over.trim_end_matches(')')), count: count.parse().ok() }
}

/// `10.0.0.1:53,10.0.0.2:53 + 4 more...`: the addresses, each once, without ports; and how many more.
pub(in crate::evidence) fn addresses(cell: &str) -> (Vec<String>, u32) {
    let (list, more) = cell.split_once(" + ").unwrap_or((cell, ""));
    let more = more.split_once(' ').and_then(|(count, _)| count.parse().ok()).unwrap_or(0);
    let mut found: Vec<String> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for entry in list.split(',').map(str::trim).filter(|entry| is_filled(entry)) {
        let address = without_port(entry);
        if seen.insert(address) {
            found.push(address.to_owned());
        }
    }
    (found, more)
}

/// `10.0.0.1:53`, `[fd00::1]:53` and the bare address of either.
fn without_port(entry: &str) -> &str {
    if let Some(inner) = entry.strip_prefix('[') {
        return inner.split(']').next().unwrap_or(inner);
    }
    match entry.split_once(':') {
        Some((address, port)) if !port.contains(':') => address,
        _ => entry,
    }
}

/// Kinds as events and `kind/name` cells write them, and their proper names.
const KINDS: &[(&str, &str)] = &[
    ("configmap", "ConfigMap"),
    ("cronjob", "CronJob"),
    ("daemonset", "DaemonSet"),
    ("endpointslice", "EndpointSlice"),
    ("horizontalpodautoscaler", "HorizontalPodAutoscaler"),
    ("persistentvolume", "PersistentVolume"),
    ("persistentvolumeclaim", "PersistentVolumeClaim"),
    ("poddisruptionbudget", "PodDisruptionBudget"),
    ("replicaset", "ReplicaSet"),
    ("replicationcontroller", "ReplicationController"),
    ("statefulset", "StatefulSet"),
];

/// `replicaset.apps`, `replicaset`, `ReplicaSet` are all `ReplicaSet`; a kind not known gets a capital letter.
pub(in crate::evidence) fn kind_name(word: &str) -> String {
    let word = word.split('.').next().unwrap_or(word);
    if let Some((_, name)) = KINDS.iter().find(|(plain, _)| plain.eq_ignore_ascii_case(word)) {
        return (*name).to_owned();
    }
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `v1.30.4-eks-1` without its `v`.
pub(in crate::evidence) fn version(cell: &str) -> String {
    cell.strip_prefix('v').unwrap_or(cell).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restarts_and_their_age() {
        for (cell, expected) in [
            ("0", Some((0, None))),
            ("12 (2m50s ago)", Some((12, Some(170)))),
            ("3 (<invalid> ago)", Some((3, None))),
            ("x", None),
        ] {
            assert_eq!(restarts(cell), expected, "{cell}");
        }
    }

    #[test]
    fn ages_of_events() {
        assert_eq!(ages("18s (x4 over 73s)"), Ages { last: Some((18, 1)), first: Some((73, 1)), count: Some(4) });
        assert_eq!(ages("9h"), Ages { last: Some((32_400, 3600)), ..Ages::default() });
        assert_eq!(ages("<unknown>"), Ages::default());
    }

    #[test]
    fn address_lists() {
        let expect = |cell: &str, list: &[&str], more| {
            assert_eq!(addresses(cell), (list.iter().map(|a| (*a).to_owned()).collect(), more), "{cell}");
        };
        expect("10.1.1.1:53,10.1.1.2:53,10.1.1.1:9153 + 1 more...", &["10.1.1.1", "10.1.1.2"], 1);
        expect("[fd00::1]:53,fd00::2", &["fd00::1", "fd00::2"], 0);
        expect("<none>", &[], 0);
        expect("", &[], 0);
    }

    #[test]
    fn kinds_have_one_name() {
        for word in ["replicaset.apps", "replicaset", "ReplicaSet"] {
            assert_eq!(kind_name(word), "ReplicaSet");
        }
        assert_eq!([kind_name("pod"), kind_name("Node"), kind_name("")], ["Pod", "Node", ""]);
    }
}
