//! What is it? Content decides; the path and the command only hint.

mod command;
pub mod decode;
mod hints;
mod kind;
mod lines;
mod log_shape;
mod node_file;
mod programs;
mod prompt;
mod sections;
mod shape;

use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::text::{Section, Text};

pub use decode::{Decoded, LineDecoder};
pub use hints::hints;
pub use kind::{Basis, kind};
pub use sections::{divider, sections};

/// What a section was taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Kubernetes objects as YAML.
    Yaml,
    /// Kubernetes objects as JSON.
    Json,
    /// `kubectl get`, `kubectl top`, `kubectl events`: a heading and rows.
    Table,
    /// `kubectl describe`.
    Describe,
    /// A log of a container or a service.
    Log,
    /// A kernel log (`dmesg`, `journalctl -k`).
    KernelLog,
    /// Prometheus text.
    Metrics,
    /// A Corefile that stands alone.
    Corefile,
    /// A resolv.conf.
    ResolvConf,
    /// dig, nslookup, host, getent, nc, curl: somebody tried something.
    Lookup,
    /// Other output of a node: `ss`, `sysctl`, `iptables-save`, `conntrack`, versions, flags.
    NodeFile,
    /// `date`, or a collector's `timestamp`: when it was collected.
    Clock,
    /// What a command printed that no other reader knows.
    Output,
    /// kubectl's own words instead of data: `Error from server …`, `No resources found`.
    Gap,
    /// Text without a shape: a person's note.
    Note,
    /// Nothing in it.
    Empty,
    /// Not text.
    Binary,
    /// Text that no reader knows.
    Unknown,
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Kind {
    /// The word for it in the inventory.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Yaml => "objects (YAML)",
            Kind::Json => "objects (JSON)",
            Kind::Table => "kubectl table",
            Kind::Describe => "kubectl describe",
            Kind::Log => "log",
            Kind::KernelLog => "kernel log",
            Kind::Metrics => "metrics",
            Kind::Corefile => "Corefile",
            Kind::ResolvConf => "resolv.conf",
            Kind::Lookup => "lookup",
            Kind::NodeFile => "node file",
            Kind::Clock => "time of collection",
            Kind::Output => "command output",
            Kind::Gap => "failed collection",
            Kind::Note => "note",
            Kind::Empty => "empty",
            Kind::Binary => "binary",
            Kind::Unknown => "unknown text",
        }
    }
}

/// What the path and the command of a section hint at. All of it may be wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hints {
    /// Namespace.
    pub namespace: Option<String>,
    /// Pod; from hand-made file names perhaps only the end of its name.
    pub pod: Option<String>,
    /// Container.
    pub container: Option<String>,
    /// Node whose files these are.
    pub node: Option<String>,
    /// The machine that a shell prompt names: a node or a pod.
    pub host: Option<String>,
    /// Which run of the container it is, as kubelet counts in file names (`coredns/3.log`): the highest is the present one.
    pub run: Option<u32>,
    /// The log of the run before the present one.
    pub previous: bool,
}

impl Hints {
    /// These hints, with `other` where these say nothing.
    pub fn or(self, other: &Hints) -> Hints {
        Hints {
            namespace: self.namespace.or_else(|| other.namespace.clone()),
            pod: self.pod.or_else(|| other.pod.clone()),
            container: self.container.or_else(|| other.container.clone()),
            node: self.node.or_else(|| other.node.clone()),
            host: self.host.or_else(|| other.host.clone()),
            run: self.run.or(other.run),
            previous: self.previous || other.previous,
        }
    }
}

/// One part of a text.
#[derive(Debug, Clone)]
pub struct Part {
    /// Its lines and its command.
    pub section: Section,
    /// What it was taken for.
    pub kind: Kind,
    /// What decided that.
    pub basis: Basis,
    /// What path and command hint at.
    pub hints: Hints,
}

/// An entry after recognition.
#[derive(Debug)]
pub struct Recognized {
    /// The decoded text; none if the entry is not text.
    pub text: Option<Arc<Text>>,
    /// What it holds, in order; a text has at least one section, and what is not text has none.
    pub parts: Vec<Part>,
    /// What was unusual about the bytes, in words for the inventory.
    pub notes: Vec<String>,
    /// What was not told apart, if anything.
    pub cut: Option<String>,
}

/// Decodes an entry and tells what is in it.
pub fn recognize(path: &str, bytes: Vec<u8>) -> Recognized {
    let Decoded::Text { body, notes } = decode::decode(bytes) else {
        return Recognized { text: None, parts: Vec::new(), notes: Vec::new(), cut: None };
    };
    let text = Arc::new(Text::new(path, body));
    let parts = sections(&text, path);
    let limit = sections::SECTION_LIMIT;
    let cut = (parts.len() >= limit).then(|| format!("only its first {limit} sections are told apart"));
    Recognized { text: Some(text), parts, notes, cut }
}

/// How an entry is best read, judged by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Head {
    /// Not text.
    Binary,
    /// One log: line by line, never held.
    Log(Kind),
    /// Objects, tables or descriptions: as a whole, however long.
    Whole,
    /// A text that some reader knows, whose first part says enough.
    Text,
    /// A text that no reader knows so far.
    Unknown,
}

/// Looks at the first bytes of an entry.
pub fn head(path: &str, head: &[u8]) -> Head {
    let Decoded::Text { body, .. } = decode::decode(head.to_vec()) else { return Head::Binary };
    let text = Arc::new(Text::new(path, body));
    let (whole, _) = kind(&Section::whole(text.clone()), path, &hints(path));
    if matches!(whole, Kind::Log | Kind::KernelLog) {
        return Head::Log(whole);
    }
    let kinds: Vec<Kind> = sections(&text, path).into_iter().map(|part| part.kind).collect();
    let is_known_json = ["\"kind\":", "\"items\":", "\"apiVersion\":"].iter().any(|key| text.body().contains(key));
    let structured = |kind: &Kind| match kind {
        Kind::Json => is_known_json,
        kind => matches!(kind, Kind::Yaml | Kind::Table | Kind::Describe),
    };
    if kinds.iter().any(structured) {
        Head::Whole
    } else if kinds.iter().all(|kind| matches!(kind, Kind::Unknown | Kind::Note | Kind::Empty | Kind::Json)) {
        Head::Unknown
    } else {
        Head::Text
    }
}
