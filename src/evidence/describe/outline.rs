//! The outline of one described object: `Key:  value` lines nested by indentation.
//!
//! Describe is made for people: messages may have line ends of their own and then continue at the left edge. A line
//! at the left edge is an entry only if its key is one that describe prints there.

use std::ops::Range;

use crate::source::{Quote, Seen};
use crate::text::Section;

/// Keys that describe prints at the left edge of the kinds read here.
#[rustfmt::skip]
const TOP_KEYS: &[&str] = &[
    "Name", "Namespace", "Labels", "Annotations", "CreationTimestamp", "Created on", "Events", "Conditions", "Type",
    // pods
    "Priority", "Priority Class Name", "Runtime Class Name", "Service Account", "Node", "Start Time", "Status",
    "Reason", "Message", "IP", "IPs", "Controlled By", "Init Containers", "Containers", "Ephemeral Containers",
    "Volumes", "QoS Class", "Node-Selectors", "Tolerations", "Security Groups", "SeccompProfile", "Host Network",
    "Nominated Node Name", "NominatedNodeName", "Readiness Gates", "Termination Grace Period", "Topology Spread Constraints",
    // nodes
    "Roles", "Role", "Taints", "Unschedulable", "Lease", "Addresses", "Capacity", "Allocatable", "System Info",
    "PodCIDR", "PodCIDRs", "ProviderID", "ExternalID", "Non-terminated Pods", "Allocated resources",
    // Services, Endpoints, EndpointSlices
    "Selector", "IP Family Policy", "IP Families", "LoadBalancer Ingress", "External IPs", "External Name", "Port",
    "TargetPort", "NodePort", "Endpoints", "Session Affinity", "External Traffic Policy", "Internal Traffic Policy",
    "Traffic Distribution", "HealthCheck NodePort", "Subsets", "AddressType", "Ports",
    // workloads
    "Replicas", "StrategyType", "MinReadySeconds", "RollingUpdateStrategy", "Pod Template", "OldReplicaSets",
    "NewReplicaSet", "Pods Status", "Node-Selector", "Desired Number of Nodes Scheduled",
    "Current Number of Nodes Scheduled", "Number of Nodes Scheduled with Up-to-date Pods",
    "Number of Nodes Scheduled with Available Pods", "Number of Nodes Misscheduled", "Update Strategy",
    "Volume Claims", "Pod Management Policy",
    // RBAC, budgets, network policies, ConfigMaps
    "PolicyRule", "Subjects", "Min available", "Max unavailable", "Spec", "Data", "BinaryData", "Immutable",
];

/// More than any object has; the lines beyond it still are text.
const ENTRY_LIMIT: usize = 100_000;

/// One `Key:  value` line.
#[derive(Debug, Clone)]
pub(super) struct Entry<'a> {
    /// Its line.
    pub line: u32,
    /// Blanks before the key (and before a list's dash, plus two).
    indent: usize,
    /// Without its colon.
    pub key: &'a str,
    /// Trimmed; may be empty.
    pub value: &'a str,
    /// The lines below it that are indented deeper, or that no entry claims.
    below: Range<u32>,
}

/// One described object.
#[derive(Debug)]
pub(super) struct Outline<'a> {
    section: &'a Section,
    lines: Range<u32>,
    entries: Vec<Entry<'a>>,
}

impl<'a> Outline<'a> {
    /// Reads the entries of `lines`.
    pub fn read(section: &'a Section, lines: Range<u32>) -> Self {
        let mut entries: Vec<Entry<'a>> = Vec::new();
        for number in lines.clone() {
            let entry = entry(number, section.text.line(number));
            entries.extend(entry.filter(|_| entries.len() < ENTRY_LIMIT));
        }
        close(&mut entries, lines.end);
        Outline { section, lines, entries }
    }

    /// Entries at the left edge.
    pub fn top(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.entries.iter().filter(|entry| entry.indent == 0)
    }

    /// The first entry of that key at the left edge.
    pub fn get(&self, key: &str) -> Option<&Entry<'a>> {
        self.top().find(|entry| entry.key == key)
    }

    /// Whether there is a key at the left edge.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The value of a key at the left edge; `None` where blank or `<none>`.
    pub fn value(&self, key: &str) -> Option<Seen<&'a str>> {
        self.get(key).and_then(|entry| self.seen(entry))
    }

    /// The entry's value with its words; `None` where blank or `<none>`.
    pub fn seen(&self, entry: &Entry<'a>) -> Option<Seen<&'a str>> {
        let value = Some(entry.value).filter(|value| crate::evidence::table::cells::is_value(value))?;
        Some(Seen::new(value, self.quote(entry.line)))
    }

    /// The entries directly below `parent`.
    pub fn children(&self, parent: &Entry<'a>) -> Vec<&Entry<'a>> {
        let all = self.descendants(parent);
        let mut children: Vec<&Entry<'a>> = Vec::new();
        for entry in all {
            // The first child sets the depth; Deployments indent their containers by three, not four.
            if children.first().is_none_or(|first| entry.indent <= first.indent) {
                children.push(entry);
            }
        }
        children
    }

    /// The child of that key.
    pub fn child(&self, parent: &Entry<'a>, key: &str) -> Option<&Entry<'a>> {
        self.children(parent).into_iter().find(|entry| entry.key == key)
    }

    /// The child's value; `None` where blank or `<none>`.
    pub fn child_value(&self, parent: &Entry<'a>, key: &str) -> Option<Seen<&'a str>> {
        self.child(parent, key).and_then(|entry| self.seen(entry))
    }

    /// All entries below `parent`.
    fn descendants(&self, parent: &Entry<'a>) -> &[Entry<'a>] {
        let from = self.entries.partition_point(|entry| entry.line < parent.below.start);
        let to = self.entries.partition_point(|entry| entry.line < parent.below.end);
        self.entries.get(from..to).unwrap_or(&[])
    }

    /// All lines of the object.
    pub fn all_lines(&self) -> impl Iterator<Item = (u32, &'a str)> {
        let section = self.section;
        self.lines.clone().map(move |number| (number, section.text.line(number)))
    }

    /// The lines below an entry.
    pub fn lines_below(&self, entry: &Entry<'a>) -> impl Iterator<Item = (u32, &'a str)> {
        let section = self.section;
        entry.below.clone().map(move |number| (number, section.text.line(number)))
    }

    /// The entry's value and the lines that continue it.
    pub fn lines(&self, entry: &Entry<'a>) -> impl Iterator<Item = (u32, &'a str)> {
        let below = self.lines_below(entry).map(|(number, line)| (number, line.trim()));
        std::iter::once((entry.line, entry.value)).chain(below).filter(|(_, line)| !line.is_empty())
    }

    /// A message: the value, and its further lines.
    pub fn message(&self, entry: &Entry<'a>) -> Option<Seen<String>> {
        let lines: Vec<&str> = self.lines(entry).map(|(_, line)| line).take(200).collect();
        let text = lines.join("\n");
        (!text.is_empty()).then(|| Seen::new(text, self.quote(entry.line)))
    }

    /// The words of a line.
    pub fn quote(&self, line: u32) -> Quote {
        self.section.quote(line)
    }

    /// The path of the file.
    pub fn path(&self) -> &std::sync::Arc<str> {
        self.section.text.path()
    }
}

/// Reads one line as an entry.
fn entry(number: u32, line: &str) -> Option<Entry<'_>> {
    let text = line.trim_start_matches(' ');
    let dash = text.starts_with("- ");
    let rest = if dash { text[2..].trim_start() } else { text };
    let indent = line.len() - rest.len();
    let (key, value) = split_key(rest)?;
    if indent == 0 && !TOP_KEYS.contains(&key) {
        return None;
    }
    Some(Entry { line: number, indent, key, value, below: 0..0 })
}

/// `Key:`, then blanks or nothing. A label `a=b` and a taint `a:Effect` are none.
fn split_key(text: &str) -> Option<(&str, &str)> {
    let at = text.find(':')?;
    let (key, rest) = (text.get(..at)?, text.get(at + 1..)?);
    let named = key.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/' || c == '_');
    let plain = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" ._/-()*".contains(&byte));
    (named && plain && (rest.is_empty() || rest.starts_with([' ', '\t']))).then(|| (key, rest.trim()))
}

/// An entry reaches to the next one that is indented as it is or less.
fn close(entries: &mut [Entry<'_>], end: u32) {
    let mut open: Vec<usize> = Vec::new();
    for index in 0..entries.len() {
        let (line, indent) = (entries[index].line, entries[index].indent);
        while let Some(&last) = open.last().filter(|last| entries[**last].indent >= indent) {
            entries[last].below = entries[last].line + 1..line;
            open.pop();
        }
        open.push(index);
    }
    for index in open {
        entries[index].below = entries[index].line + 1..end;
    }
}

/// Whether a line at the left edge is a key of describe.
pub(super) fn top_key(line: &str) -> Option<&str> {
    entry(0, line).filter(|entry| entry.indent == 0).map(|entry| entry.key)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::text::Text;

    const POD: &str = "Name:   web-0\nLabels: a=b\n        c=d\nContainers:\n   web:\n    State:   Waiting\n      Reason:  Error\n      Message: first\nsecond: line\n      Exit Code: 2\n    Ready:  False\nEvents: <none>\n";

    fn check(test: impl Fn(&Outline)) {
        let section = Section::whole(Arc::new(Text::new("d.txt", POD.into())));
        test(&Outline::read(&section, section.lines.clone()));
    }

    #[test]
    fn entries_nest_by_indentation() {
        check(|outline| {
            let containers = outline.get("Containers").unwrap();
            let web = outline.child(containers, "web").unwrap();
            let state = outline.child(web, "State").unwrap();
            assert_eq!(state.value, "Waiting");
            assert_eq!(outline.child_value(state, "Exit Code").unwrap().value, "2");
            assert_eq!(outline.child_value(web, "Ready").unwrap().value, "False");
            assert!(outline.value("Events").is_none());
        });
    }

    #[test]
    fn a_message_may_continue_at_the_left_edge() {
        check(|outline| {
            let web = outline.child(outline.get("Containers").unwrap(), "web").unwrap();
            let message = outline.child(outline.child(web, "State").unwrap(), "Message").unwrap();
            assert_eq!(outline.message(message).unwrap().value, "first\nsecond: line");
        });
    }

    #[test]
    fn continued_values_keep_their_lines() {
        check(|outline| {
            let labels: Vec<_> = outline.lines(outline.get("Labels").unwrap()).collect();
            assert_eq!(labels, [(2, "a=b"), (3, "c=d")]);
        });
    }

    #[test]
    fn what_is_no_entry() {
        for line in ["", "  a=b", "  key:Effect", "no key here", "Unknown Key:  x", ": x", "ä: x", "-", "- "] {
            assert!(entry(1, line).is_none(), "{line}");
        }
    }
}
