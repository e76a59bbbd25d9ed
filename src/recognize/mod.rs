//! What is it? Content decides; the path and the command only hint.

mod command;
pub mod decode;
mod hints;
mod kind;
mod lines;
mod log_shape;
mod programs;
mod prompt;
mod sections;
mod shape;

use std::sync::Arc;

use crate::text::{Section, Text};

pub use decode::{Decoded, LINE_LIMIT, LineDecoder};
pub use hints::hints;
pub use kind::kind;
pub use sections::sections;

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
    fn or(self, other: &Hints) -> Hints {
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

/// An entry after recognition.
#[derive(Debug)]
pub struct Recognized {
    /// The decoded text; none if the entry is not text.
    pub text: Option<Arc<Text>>,
    /// What it holds, in order; a text has at least one section, and what is not text has none.
    pub sections: Vec<(Section, Kind, Hints)>,
    /// What was unusual about the bytes, in words for the inventory.
    pub notes: Vec<String>,
}

/// Decodes an entry and tells what is in it.
pub fn recognize(path: &str, bytes: &[u8]) -> Recognized {
    let Decoded::Text { body, mut notes } = decode::decode(bytes) else {
        return Recognized { text: None, sections: Vec::new(), notes: Vec::new() };
    };
    let text = Arc::new(Text::new(path, body));
    let sections = sections(&text, path);
    if sections.len() >= sections::SECTION_LIMIT {
        notes.push(format!("only the first {} sections are told apart", sections::SECTION_LIMIT));
    }
    Recognized { text: Some(text), sections, notes }
}

/// Whether the first bytes of an entry are those of a log, so that the rest can be read as a stream.
pub fn head_is_log(path: &str, head: &[u8]) -> bool {
    let Decoded::Text { body, .. } = decode::decode(head) else { return false };
    let section = Section::whole(Arc::new(Text::new(path, body)));
    matches!(kind(&section, path, &hints(path)), Kind::Log | Kind::KernelLog)
}
