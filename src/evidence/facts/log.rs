//! A log, read in one pass: which known messages it holds, how often, and where.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::knowledge::messages::Signal;
use crate::source::Quote;

/// How many distinct samples of one message a log keeps.
pub const SAMPLE_LIMIT: usize = 24;

/// How many answered names of the query log are kept with a quote.
pub const NAME_LIMIT: usize = 1_000;

/// A log, whole.
#[derive(Debug, Clone)]
pub struct Log {
    /// Path of the file.
    pub path: std::sync::Arc<str>,
    /// First line of it in the file (a transcript can hold several).
    pub first_line: u32,
    /// Whose log it is.
    pub owner: LogOwner,
    /// Lines.
    pub lines: u64,
    /// Bytes.
    pub bytes: u64,
    /// Of the messages without their prefixes, so that the same log collected twice is known.
    pub digest: u64,
    /// First time stamp.
    pub from: Option<Timestamp>,
    /// Last time stamp.
    pub to: Option<Timestamp>,
    /// Known messages.
    pub tallies: BTreeMap<Signal, Tally>,
    /// Lines that look like any log at all but are no known message, the last of them: what a dying process said last.
    pub last_line: Option<Quote>,
    /// Answers in the query log, by rcode.
    pub queries: Queries,
    /// It is cut: how one knows.
    pub capped: Option<String>,
}

impl Log {
    /// The tally of `signal`, if the log has it.
    pub fn tally(&self, signal: Signal) -> Option<&Tally> {
        self.tallies.get(&signal)
    }

    /// Replaces every quote: of a log that stands inside another text, `quote` shows its line there.
    pub fn requote(&mut self, quote: impl Fn(u32) -> Quote) {
        let of_tallies = self.tallies.values_mut().flat_map(|tally| {
            let samples = tally.samples.iter_mut().map(|sample| &mut sample.quote);
            [&mut tally.first, &mut tally.last].into_iter().chain(samples)
        });
        let of_queries = self.queries.first.iter_mut().chain(self.queries.answered.values_mut());
        for one in of_tallies.chain(of_queries).chain(self.last_line.iter_mut()) {
            *one = quote(one.source.line);
        }
    }

    /// Whether the log has `signal`.
    pub fn has(&self, signal: Signal) -> bool {
        self.tallies.contains_key(&signal)
    }
}

/// Whose log it is, as far as the path, a prefix and the content tell.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogOwner {
    /// Namespace.
    pub namespace: Option<String>,
    /// Pod.
    pub pod: Option<String>,
    /// Container.
    pub container: Option<String>,
    /// The log of the run before the present one.
    pub previous: bool,
    /// Which run of the container, as the kubelet counts in file names (`coredns/3.log`): the highest is the present one.
    pub run: Option<u32>,
    /// Which program wrote it.
    pub program: Program,
}

/// Which program wrote a log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Program {
    /// CoreDNS.
    CoreDns,
    /// NodeLocal DNSCache (it prints CoreDNS's lines as well).
    NodeCache,
    /// kube-proxy.
    KubeProxy,
    /// A kubelet, or a k3s server that holds one.
    Kubelet,
    /// The kernel.
    Kernel,
    /// An application, or unknown.
    #[default]
    Other,
}

/// One known message in one log.
#[derive(Debug, Clone)]
pub struct Tally {
    /// How often.
    pub count: u64,
    /// The first.
    pub first: Quote,
    /// When the first was, where the log has times.
    pub first_at: Option<Timestamp>,
    /// The last.
    pub last: Quote,
    /// When the last was.
    pub last_at: Option<Timestamp>,
    /// Distinct wordings (by the message's key fields), at most [`SAMPLE_LIMIT`], in order of appearance.
    pub samples: Vec<Sample>,
    /// How many distinct wordings did not fit.
    pub more_samples: u64,
}

/// One wording of a message.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Named parts of the message.
    pub fields: BTreeMap<&'static str, String>,
    /// How often.
    pub count: u64,
    /// The first such line.
    pub quote: Quote,
}

impl Sample {
    /// A named part; empty where the message has none.
    pub fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }
}

/// The query log in short.
#[derive(Debug, Clone, Default)]
pub struct Queries {
    /// Lines.
    pub total: u64,
    /// By rcode; `-` where there was no answer.
    pub by_rcode: BTreeMap<String, u64>,
    /// The first line.
    pub first: Option<Quote>,
    /// Names answered with NOERROR, with their final dot, and the first such line; at most [`NAME_LIMIT`] of them.
    pub answered: BTreeMap<String, Quote>,
}
