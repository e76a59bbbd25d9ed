//! From entries to facts: each entry is decoded, recognised and read; big logs are streamed.

use std::io::Read;
use std::sync::Arc;

use crate::bundle::{Budget, Entry, Visitor};
use crate::evidence::{self, facts::Fact};
use crate::inventory::{self, Item};
use crate::problem::Problem;
use crate::recognize::{self, Head, Kind, LineDecoder};
use crate::text::{Section, Text};

/// Logs up to this size are held and read as a whole; larger ones are streamed.
const WHOLE: u64 = 16 << 20;
/// How much of an entry is looked at before it is decided how to read it.
const HEAD: u64 = 64 << 10;
/// How many bytes of small entries are gathered before they are read together.
const BATCH: usize = 32 << 20;

/// The most memory that is asked for at once because a container says so.
const MOST_PREPARED: u64 = 256 << 20;

/// What came out of the entries.
#[derive(Default)]
pub struct Intake {
    /// All facts, in order of the entries.
    pub facts: Vec<Fact>,
    /// One for each entry, in order.
    pub items: Vec<Item>,
    /// What was wrong.
    pub problems: Vec<Problem>,
}

/// Reads the entries of a walk. Small entries wait until a batch is full and are then read in parallel.
pub struct Reader<'a> {
    budget: &'a Budget,
    prefix: String,
    waiting: Vec<Held>,
    waiting_bytes: usize,
    intake: Intake,
}

/// An entry in memory.
struct Held {
    path: Arc<str>,
    bytes: Vec<u8>,
    /// What was left out of it, if anything.
    cut: Option<String>,
}

/// What one entry gave.
struct Taken {
    facts: Vec<Fact>,
    item: Item,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    /// A reader; `prefix` stands before each path where several bundles are one incident.
    pub fn new(budget: &'a Budget, prefix: &str) -> Self {
        Reader { budget, prefix: prefix.to_owned(), waiting: Vec::new(), waiting_bytes: 0, intake: Intake::default() }
    }

    /// Reads what still waits and gives everything.
    pub fn finish(mut self) -> Intake {
        self.flush();
        self.intake
    }

    fn flush(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        self.waiting_bytes = 0;
        for taken in read_all(waiting, self.budget) {
            self.keep(taken);
        }
    }

    fn keep(&mut self, taken: Taken) {
        self.intake.facts.extend(taken.facts);
        self.intake.items.push(taken.item);
        self.intake.problems.extend(taken.problems);
    }

    fn path(&self, entry: &Entry) -> Arc<str> {
        if self.prefix.is_empty() { entry.path.clone() } else { format!("{}/{}", self.prefix, entry.path).into() }
    }

    fn binary(&mut self, path: &str, bytes: u64, what: &str) {
        self.intake.items.push(Item::binary(path, bytes, what));
    }

    /// Lets the entry wait for its batch.
    fn hold(&mut self, held: Held) {
        if self.waiting_bytes + held.bytes.len() > BATCH {
            self.flush();
        }
        self.waiting_bytes += held.bytes.len();
        self.waiting.push(held);
    }

    /// Reads an entry on to its limit and says what is left out.
    fn rest(&self, entry: &Entry, path: Arc<str>, mut bytes: Vec<u8>, head: Head, content: &mut dyn Read) -> Held {
        let (limit, name) = match head {
            Head::Unknown => (self.budget.unknown_held, "unknown-held"),
            Head::Text => (self.budget.text_held, "text-held"),
            _ => (self.budget.entry_held, "entry-held"),
        };
        prepare(&mut bytes, entry, limit);
        fill(content, &mut bytes, limit);
        let more = bytes.len() as u64 >= limit && content.read(&mut [0]).is_ok_and(|count| count > 0);
        let cut = more.then(|| format!("only its first {limit} bytes were looked at (--max-{name})"));
        Held { path, bytes, cut }
    }
}

impl Visitor for Reader<'_> {
    fn entry(&mut self, entry: &Entry, content: &mut dyn Read) {
        let path = self.path(entry);
        if let Some(what) = entry.binary {
            return self.binary(&path, entry.size_hint.unwrap_or(0), what);
        }
        let mut bytes = Vec::new();
        prepare(&mut bytes, entry, HEAD);
        fill(content, &mut bytes, HEAD);
        if (bytes.len() as u64) < HEAD {
            return self.hold(Held { path, bytes, cut: None });
        }
        match recognize::head(&path, &bytes) {
            Head::Binary => self.binary(&path, entry.size_hint.unwrap_or(bytes.len() as u64), ""),
            Head::Log(kind) => {
                prepare(&mut bytes, entry, WHOLE);
                fill(content, &mut bytes, WHOLE);
                if (bytes.len() as u64) < WHOLE {
                    return self.hold(Held { path, bytes, cut: None });
                }
                self.flush();
                let taken = stream(path, kind, bytes, content, self.budget);
                self.keep(taken);
            }
            head => {
                let held = self.rest(entry, path, bytes, head, content);
                self.hold(held);
            }
        }
    }
}

/// Reads until `bytes` holds `limit` bytes or the content ends. The walk's reader ends cleanly where reading failed.
fn fill(content: &mut dyn Read, bytes: &mut Vec<u8>, limit: u64) {
    let room = limit.saturating_sub(bytes.len() as u64);
    let _ = content.take(room).read_to_end(bytes);
}

/// Makes room for what the container says is coming, so that growing does not hold it twice. It may lie.
fn prepare(bytes: &mut Vec<u8>, entry: &Entry, limit: u64) {
    let stated = entry.size_hint.unwrap_or(0).min(limit).min(MOST_PREPARED);
    let more = usize::try_from(stated).unwrap_or(0).saturating_sub(bytes.len());
    let _ = bytes.try_reserve_exact(more.saturating_add(1));
}

#[cfg(feature = "parallel")]
fn read_all(entries: Vec<Held>, budget: &Budget) -> Vec<Taken> {
    use rayon::prelude::*;
    entries.into_par_iter().map(|held| read_one(held, budget)).collect()
}

#[cfg(not(feature = "parallel"))]
fn read_all(entries: Vec<Held>, budget: &Budget) -> Vec<Taken> {
    entries.into_iter().map(|held| read_one(held, budget)).collect()
}

/// One entry held as a whole.
fn read_one(held: Held, budget: &Budget) -> Taken {
    let Held { path, bytes, cut } = held;
    let size = bytes.len() as u64;
    let recognized = recognize::recognize(&path, bytes);
    let (mut facts, mut problems) = (Vec::new(), Vec::new());
    let mut parts = Vec::new();
    for part in &recognized.parts {
        let before = facts.len();
        evidence::read(&part.section, part.kind, &part.hints, budget, &mut facts, &mut problems);
        parts.push(inventory::Part::new(part, facts.get(before..).unwrap_or_default()));
    }
    let unknown = facts.is_empty() && size > 0 && recognized.parts.iter().all(|part| part.kind == Kind::Unknown);
    if unknown {
        problems.push(Problem::of(&path, "no reader knows this text; nothing was taken from it"));
    }
    problems.extend(cut.into_iter().chain(recognized.cut).map(|message| Problem::of(&path, message)));
    let lines = recognized.text.as_ref().map_or(0, |text| u64::from(text.line_count()));
    let mut notes = recognized.notes;
    notes.extend(redacted(recognized.text.as_deref()));
    let was_previous = size == 0 && recognized.parts.iter().any(|part| part.hints.previous);
    notes.extend(was_previous.then(|| EMPTY_PREVIOUS.to_owned()));
    let item = Item { path: path.to_string(), bytes: size, lines, note: notes.join("; "), parts: parts.into() };
    Taken { facts, item, problems }
}

/// What an empty log of the run before can mean. must-gather writes one for each container.
const EMPTY_PREVIOUS: &str = "empty: there was no run before, or it printed nothing";

/// How much of a text was redacted.
fn redacted(text: Option<&Text>) -> Option<String> {
    let lines = evidence::redaction::marked_lines(text?.body());
    (lines > 0).then(|| format!("redacted, what stood there is unknown (lines: {lines})"))
}

/// A log too big to be held: decoded and scanned as it comes.
fn stream(path: Arc<str>, kind: Kind, head: Vec<u8>, content: &mut dyn Read, budget: &Budget) -> Taken {
    let hints = recognize::hints(&path);
    let (mut facts, mut problems) = (Vec::new(), Vec::new());
    let mut readers = evidence::Stream::new(path.clone(), hints.clone());
    let mut decoder = LineDecoder::new(usize::try_from(budget.line_bytes).unwrap_or(usize::MAX));
    let (mut size, mut lines) = (head.len() as u64, 0u64);
    let mut take = |number: u32, line: &str| {
        lines += 1;
        readers.line(number, line);
    };
    decoder.push(&head, &mut take);
    drop(head);
    let mut buffer = vec![0u8; 1 << 20];
    while let Ok(count) = content.read(&mut buffer) {
        if count == 0 {
            break;
        }
        size += count as u64;
        decoder.push(&buffer[..count], &mut take);
    }
    decoder.finish(&mut take);
    readers.finish(&mut facts, &mut problems);
    let whole = Section { text: Arc::new(Text::new(&path, String::new())), lines: 1..last(lines), command: None };
    let part = recognize::Part { section: whole, kind, basis: recognize::Basis::Content, hints };
    let parts = Box::new([inventory::Part::new(&part, &facts)]);
    let item = Item { path: path.to_string(), bytes: size, lines, note: decoder.notes().join("; "), parts };
    Taken { facts, item, problems }
}

/// The number behind the last of so many lines.
fn last(lines: u64) -> u32 {
    u32::try_from(lines).unwrap_or(u32::MAX).saturating_add(1)
}
