//! Reads the text of `kubectl describe`, one object or several one after another.

mod configmap;
mod container;
mod endpoint;
mod events;
mod node;
mod outline;
mod pod;
mod role;
mod service;
mod workload;

use std::ops::Range;

use super::facts::{Condition, Fact, Id};
use super::table::columns::Heading;
use super::table::command::{Command, prompted};
use crate::problem::Problem;
use crate::recognize::Hints;
use crate::source::Quote;
use crate::text::Section;
use crate::time;
use outline::{Entry, Outline, top_key};

/// Takes the section's described objects and their events as facts.
///
/// An object whose `Name:` line is cut away is read if the hints or its events tell the name; else it is a problem.
pub fn read(section: &Section, hints: &Hints, facts: &mut Vec<Fact>, problems: &mut Vec<Problem>) {
    let command = section.command.as_deref().map(Command::parse).unwrap_or_default();
    for block in blocks(section, &command) {
        let outline = Outline::read(section, block.lines.clone());
        let Some(kind) = KINDS.iter().find(|kind| (kind.matches)(&outline)) else { continue };
        let namespace = hints.namespace.clone().or(block.namespace);
        let Some(object) = Object::new(&outline, kind, hints, namespace, block.lines.start) else {
            let message = format!("the name of this {} is cut away, so the text was not read", kind.name);
            problems.push(Problem::at(section.text.path(), block.lines.start, message));
            continue;
        };
        (kind.read)(&object, facts);
        events::read(&object, facts);
    }
}

/// A kind of object that describe prints.
struct ObjectKind {
    /// As in `kind:`.
    name: &'static str,
    /// True for objects that are in no namespace.
    cluster: bool,
    /// Whether an outline is of this kind.
    matches: fn(&Outline) -> bool,
    /// Takes the facts.
    read: fn(&Object, &mut Vec<Fact>),
}

/// The kinds, told apart by keys that only they have; the more particular first.
const KINDS: &[ObjectKind] = &[
    ObjectKind {
        name: "Node",
        cluster: true,
        matches: |o| o.has("Roles") || o.has("System Info") || o.has("Allocatable"),
        read: node::read,
    },
    ObjectKind { name: "EndpointSlice", cluster: false, matches: |o| o.has("AddressType"), read: endpoint::slice },
    ObjectKind { name: "Endpoints", cluster: false, matches: |o| o.has("Subsets"), read: endpoint::endpoints },
    ObjectKind {
        name: "DaemonSet",
        cluster: false,
        matches: |o| o.has("Desired Number of Nodes Scheduled"),
        read: workload::daemon_set,
    },
    ObjectKind {
        name: "Deployment",
        cluster: false,
        matches: |o| o.has("StrategyType") || o.has("NewReplicaSet"),
        read: workload::deployment,
    },
    ObjectKind {
        name: "StatefulSet",
        cluster: false,
        matches: |o| o.has("Update Strategy") || o.has("Volume Claims"),
        read: workload::stateful_set,
    },
    ObjectKind {
        name: "ReplicaSet",
        cluster: false,
        matches: |o| o.has("Replicas") && o.has("Pod Template"),
        read: workload::replica_set,
    },
    ObjectKind { name: "ClusterRole", cluster: true, matches: |o| o.has("PolicyRule"), read: role::role },
    ObjectKind {
        name: "ClusterRoleBinding",
        cluster: true,
        matches: |o| o.has("Subjects") && o.has("Role"),
        read: role::binding,
    },
    ObjectKind { name: "PodDisruptionBudget", cluster: false, matches: role::is_budget, read: role::budget },
    ObjectKind {
        name: "Service",
        cluster: false,
        matches: |o| o.has("Session Affinity") || o.has("TargetPort"),
        read: service::read,
    },
    ObjectKind { name: "Pod", cluster: false, matches: pod::matches, read: pod::read },
    ObjectKind { name: "ConfigMap", cluster: false, matches: configmap::matches, read: configmap::read },
];

/// One described object.
struct Object<'a> {
    outline: &'a Outline<'a>,
    kind: &'static str,
    id: Id,
    /// The line that names it, or its first.
    at: Quote,
}

impl<'a> Object<'a> {
    fn new(
        outline: &'a Outline<'a>,
        kind: &ObjectKind,
        hints: &Hints,
        known: Option<String>,
        first: u32,
    ) -> Option<Self> {
        let told = events::pod_in_messages(outline);
        let named = outline.value("Name");
        let name = match &named {
            Some(seen) => seen.value.to_owned(),
            None if kind.name == "Pod" => hints.pod.clone().or_else(|| told.as_ref().map(|pod| pod.name.clone()))?,
            None if kind.name == "Node" => hints.node.clone()?,
            None => return None,
        };
        let written = outline.value("Namespace").map(|seen| seen.value.to_owned());
        let namespace = written.or(known).or_else(|| told.and_then(|pod| pod.namespace)).filter(|_| !kind.cluster);
        let at = named.map_or_else(|| outline.quote(first), |seen| seen.quote);
        Some(Object { outline, kind: kind.name, id: Id { namespace, name }, at })
    }
}

/// The lines of one object.
struct Block {
    lines: Range<u32>,
    namespace: Option<String>,
}

/// Splits a section at the lines that name an object and at shell prompts.
fn blocks(section: &Section, command: &Command) -> Vec<Block> {
    let mut blocks = Vec::new();
    let (mut start, mut namespace) = (section.lines.start, command.namespace.clone());
    let mut in_data = false;
    let mut before = "";
    for (number, line) in section.numbered() {
        // A comment in a Corefile may quote a command.
        let typed = prompted(line).filter(|_| !in_data || !line.trim_start().starts_with('#'));
        let next = section.text.line(number.saturating_add(1));
        if typed.is_some() || (names_object(line, next) && (!in_data || before.trim().is_empty())) {
            blocks.push(Block { lines: start..number, namespace: namespace.clone() });
            (start, in_data) = (number, false);
        }
        if let Some(typed) = typed {
            namespace = Command::parse(typed).namespace;
            start = number.saturating_add(1);
        }
        in_data = (in_data && !line.starts_with("Events:")) || (line == "Data" && next.starts_with("==="));
        before = line;
    }
    blocks.push(Block { lines: start..section.lines.end, namespace });
    blocks.retain(|block| !block.lines.is_empty());
    blocks
}

/// `Name:` at the left edge with another key of describe below it; nslookup's `Name:` has `Address:` there.
fn names_object(line: &str, next: &str) -> bool {
    top_key(line) == Some("Name") && top_key(next).is_some_and(|key| key != "Name")
}

/// The rows of a table below an entry, each with its line; the ruler of dashes is left out.
fn table<'a>(outline: &Outline<'a>, entry: &Entry<'a>) -> Option<(Heading, Vec<(u32, &'a str)>)> {
    let mut lines = outline.lines_below(entry).skip_while(|(_, line)| line.trim().is_empty());
    let heading = Heading::of_describe(lines.next()?.1)?;
    let rows =
        lines.take_while(|(_, line)| !line.trim().is_empty()).filter(|(_, line)| !line.trim_start().starts_with("--"));
    Some((heading, rows.collect()))
}

/// The Conditions table of a pod (two columns), workload (three) or node (six).
fn conditions(outline: &Outline) -> Vec<Condition> {
    let Some((heading, rows)) = outline.get("Conditions").and_then(|entry| table(outline, entry)) else {
        return Vec::new();
    };
    let read = |(number, line): &(u32, &str)| {
        let row = heading.row(*number, line);
        let status = row.cell("STATUS").filter(|status| matches!(*status, "True" | "False" | "Unknown"))?;
        Some(Condition {
            kind: row.value("TYPE")?.to_owned(),
            status: status.to_owned(),
            reason: row.value("REASON").map(str::to_owned),
            message: row.value("MESSAGE").map(str::to_owned),
            quote: outline.quote(*number),
            message_quote: None,
            heartbeat: row.value("LASTHEARTBEATTIME").and_then(time::parse),
            since: row.value("LASTTRANSITIONTIME").and_then(time::parse),
        })
    };
    rows.iter().filter_map(read).collect()
}

/// The `a=b` lines of an entry.
fn labels(outline: &Outline, key: &str) -> std::collections::BTreeMap<String, String> {
    let Some(entry) = outline.get(key) else { return Default::default() };
    outline.lines(entry).filter_map(|(_, line)| super::table::cells::label(line)).collect()
}

#[cfg(test)]
mod tests;
