//! Described Deployments, DaemonSets, ReplicaSets and StatefulSets.

use super::{Object, conditions, container, labels};
use crate::evidence::facts::{Fact, Rank, Workload};
use crate::evidence::table::cells;
use crate::source::Seen;

/// Takes a Deployment: `Replicas: 2 desired | 2 updated | 2 total | 1 available | 1 unavailable`.
pub(super) fn deployment(object: &Object, facts: &mut Vec<Fact>) {
    let mut workload = common(object);
    workload.desired = counted(object, "Replicas", "desired");
    workload.available = counted(object, "Replicas", "available");
    facts.push(Fact::Workload(Box::new(workload)));
}

/// Takes a ReplicaSet: `Replicas: 2 current / 2 desired`.
pub(super) fn replica_set(object: &Object, facts: &mut Vec<Fact>) {
    let mut workload = common(object);
    workload.desired = counted(object, "Replicas", "desired");
    facts.push(Fact::Workload(Box::new(workload)));
}

/// Takes a StatefulSet: `Replicas: 3 desired | 3 total`.
pub(super) fn stateful_set(object: &Object, facts: &mut Vec<Fact>) {
    replica_set(object, facts);
}

/// Takes a DaemonSet: its numbers have a line each.
pub(super) fn daemon_set(object: &Object, facts: &mut Vec<Fact>) {
    let number = |key: &str| {
        let seen = object.outline.value(key)?;
        Some(Seen::new(seen.value.parse::<u32>().ok()?, seen.quote))
    };
    let mut workload = common(object);
    workload.desired = number("Desired Number of Nodes Scheduled");
    workload.available = number("Number of Nodes Scheduled with Available Pods");
    facts.push(Fact::Workload(Box::new(workload)));
}

fn common(object: &Object) -> Workload {
    let outline = object.outline;
    let mut workload = Workload::new(object.kind, object.id.clone(), Rank::Describe, object.at.clone());
    workload.labels = labels(outline, "Labels");
    workload.conditions = conditions(outline);
    let Some(template) = outline.get("Pod Template") else { return workload };
    let text = |key: &str| outline.child_value(template, key).map(|seen| seen.map(str::to_owned));
    workload.template_labels = outline.child(template, "Labels").map(|entry| {
        let labels = outline.lines(entry).filter_map(|(_, line)| cells::label(line)).collect();
        Seen::new(labels, outline.quote(entry.line))
    });
    workload.service_account = text("Service Account");
    workload.priority_class = text("Priority Class Name");
    workload.host_network = text("Host Network").map(|seen| seen.map(|text| text == "true"));
    let containers = outline.child(template, "Containers");
    workload.containers = containers.map(|entry| container::read_all(outline, entry)).unwrap_or_default();
    workload
}

/// The number before `word` in a line like `2 desired | 1 available`.
fn counted(object: &Object, key: &str, word: &str) -> Option<Seen<u32>> {
    let seen = object.outline.value(key)?;
    let part = |part: &str| part.trim().strip_suffix(word)?.trim_end().parse::<u32>().ok();
    let count = seen.value.split(['|', '/']).find_map(part)?;
    Some(Seen::new(count, seen.quote))
}
