//! What each entry of the bundle was taken for, part by part: the answer to "did you read my file?".

use std::borrow::Cow;
use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::Serialize;

use crate::evidence::facts::Fact;
use crate::recognize::{self, Basis, Kind};
use crate::report::File;
use crate::time;

/// How many pods of one part are named.
const PODS: usize = 20;

/// One entry.
#[derive(Debug, Clone, Serialize)]
pub struct Item {
    /// Relative to the bundle.
    pub path: String,
    /// Size after unpacking.
    pub bytes: u64,
    /// Lines of the decoded text; 0 for what is no text.
    pub lines: u64,
    /// What was unusual about its bytes; may be empty.
    pub note: String,
    /// What it holds, in order; empty for what is no text.
    pub parts: Box<[Part]>,
}

/// A run of lines that one reader took.
#[derive(Debug, Clone, Serialize)]
pub struct Part {
    /// What it was taken for.
    pub kind: Kind,
    /// What decided that.
    pub why: Basis,
    /// The command that printed it, where known.
    pub command: Option<String>,
    /// Its first line, counted from 1.
    pub first_line: u32,
    /// Its last line; smaller than the first where it has none.
    pub last_line: u32,
    /// Facts that were taken from it.
    pub facts: usize,
    /// The pods that it is about, at most 20.
    pub pods: Vec<String>,
    /// The earliest time in it.
    #[serde(serialize_with = "as_text")]
    pub from: Option<Timestamp>,
    /// The latest time in it.
    #[serde(serialize_with = "as_text")]
    pub to: Option<Timestamp>,
}

impl Item {
    /// An entry that is no text.
    pub fn binary(path: &str, bytes: u64, what: &str) -> Self {
        Item { path: path.to_owned(), bytes, lines: 0, note: what.to_owned(), parts: Box::default() }
    }

    /// The kinds of its parts, each once.
    pub fn kind(&self) -> Cow<'static, str> {
        let mut kinds: Vec<&str> = Vec::new();
        match &*self.parts {
            [] => return Kind::Binary.name().into(),
            [only] => return only.name().into(),
            parts => parts.iter().map(Part::name).for_each(|kind| {
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }),
        }
        kinds.join(", ").into()
    }

    /// The entry as the report lists it.
    pub fn file(self) -> File {
        File { kind: self.kind(), path: self.path, bytes: self.bytes, lines: self.lines, note: self.note }
    }
}

impl Part {
    /// Whether no reader knows it.
    pub fn is_unknown(&self) -> bool {
        self.kind == Kind::Unknown && self.facts == 0
    }

    /// The word for it. A text without a shape of its own, but with a number that counts something, is known after all.
    pub fn name(&self) -> &'static str {
        if self.kind == Kind::Unknown && self.facts > 0 { "count" } else { self.kind.name() }
    }

    /// A part and the facts that were taken from it.
    pub fn new(part: &recognize::Part, facts: &[Fact]) -> Self {
        let pods: BTreeSet<&str> = facts.iter().filter_map(pod).chain(part.hints.pod.as_deref()).collect();
        let times: Vec<Timestamp> = facts.iter().flat_map(times).flatten().filter(time::has_year).collect();
        Part {
            kind: part.kind,
            why: part.basis,
            command: part.section.command.clone(),
            first_line: part.section.lines.start,
            last_line: part.section.lines.end.saturating_sub(1),
            facts: facts.len(),
            pods: pods.into_iter().take(PODS).map(str::to_owned).collect(),
            from: times.iter().min().copied(),
            to: times.iter().max().copied(),
        }
    }
}

fn as_text<S: serde::Serializer>(at: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
    at.map(|at| at.to_string()).serialize(serializer)
}

/// The pod that a fact is about.
fn pod(fact: &Fact) -> Option<&str> {
    match fact {
        Fact::Pod(pod) => Some(&pod.id.name),
        Fact::Log(log) => log.owner.pod.as_deref(),
        _ => None,
    }
}

/// The times that a fact speaks of.
fn times(fact: &Fact) -> [Option<Timestamp>; 2] {
    match fact {
        Fact::Log(log) => [log.from, log.to],
        Fact::Event(event) => [event.first, event.last],
        Fact::Kernel(line) => [line.at, None],
        Fact::Collected(at) => [Some(at.value), None],
        _ => [None, None],
    }
}
