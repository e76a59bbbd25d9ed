//! From entries to facts: each entry is decoded, recognised and read; big logs are streamed.

use std::io::Read;
use std::sync::Arc;

use crate::bundle::{Budget, Entry, Visitor};
use crate::evidence::{self, facts::Fact};
use crate::problem::Problem;
use crate::recognize::{self, Kind};
use crate::report::File;

/// Entries up to this size are held and read as a whole; larger ones are streamed if they are logs.
const WHOLE: usize = 16 << 20;
/// How much of an entry is looked at before it is decided how to read it.
const HEAD: usize = 64 << 10;
/// How many bytes of small entries are gathered before they are read together.
const BATCH: usize = 48 << 20;

/// What came out of the entries.
#[derive(Default)]
pub struct Intake {
    /// All facts, in order of the entries.
    pub facts: Vec<Fact>,
    /// One for each entry, in order.
    pub files: Vec<File>,
    /// What was wrong.
    pub problems: Vec<Problem>,
}

/// Reads the entries of a walk. Small entries wait until a batch is full and are then read in parallel.
pub struct Reader<'a> {
    budget: &'a Budget,
    prefix: String,
    waiting: Vec<(Arc<str>, Vec<u8>)>,
    waiting_bytes: usize,
    intake: Intake,
}

/// What one entry gave.
struct Taken {
    facts: Vec<Fact>,
    file: File,
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
        for taken in read_all(waiting) {
            self.keep(taken);
        }
    }

    fn keep(&mut self, taken: Taken) {
        self.intake.facts.extend(taken.facts);
        self.intake.files.push(taken.file);
        self.intake.problems.extend(taken.problems);
    }

    fn path(&self, entry: &Entry) -> Arc<str> {
        if self.prefix.is_empty() { entry.path.clone() } else { format!("{}/{}", self.prefix, entry.path).into() }
    }
}

impl Visitor for Reader<'_> {
    fn entry(&mut self, entry: &Entry, content: &mut dyn Read) {
        let path = self.path(entry);
        if let Some(what) = entry.binary {
            let bytes = entry.size_hint.unwrap_or(0);
            self.intake.files.push(file(&path, bytes, 0, Kind::Binary.name(), what.to_owned()));
            return;
        }
        let mut bytes = Vec::new();
        fill(content, &mut bytes, HEAD);
        if bytes.len() >= HEAD && recognize::head_is_log(&path, &bytes) {
            fill(content, &mut bytes, WHOLE);
            if bytes.len() >= WHOLE {
                let taken = stream(path, bytes, content);
                self.flush();
                self.keep(taken);
                return;
            }
        } else {
            fill(content, &mut bytes, usize::try_from(self.budget.entry_held).unwrap_or(usize::MAX));
        }
        self.waiting_bytes += bytes.len();
        self.waiting.push((path, bytes));
        if self.waiting_bytes >= BATCH {
            self.flush();
        }
    }
}

/// Reads until `bytes` holds `limit` bytes or the content ends. The walk's reader ends cleanly where reading failed.
fn fill(content: &mut dyn Read, bytes: &mut Vec<u8>, limit: usize) {
    let room = limit.saturating_sub(bytes.len()) as u64;
    let _ = content.take(room).read_to_end(bytes);
}

#[cfg(feature = "parallel")]
fn read_all(entries: Vec<(Arc<str>, Vec<u8>)>) -> Vec<Taken> {
    use rayon::prelude::*;
    entries.into_par_iter().map(|(path, bytes)| read_one(&path, bytes)).collect()
}

#[cfg(not(feature = "parallel"))]
fn read_all(entries: Vec<(Arc<str>, Vec<u8>)>) -> Vec<Taken> {
    entries.into_iter().map(|(path, bytes)| read_one(&path, bytes)).collect()
}

/// One entry held as a whole.
fn read_one(path: &Arc<str>, bytes: Vec<u8>) -> Taken {
    let size = bytes.len() as u64;
    let recognized = recognize::recognize(path, &bytes);
    drop(bytes);
    let mut taken = Taken { facts: Vec::new(), file: file(path, size, 0, "", String::new()), problems: Vec::new() };
    taken.file.lines = recognized.text.as_ref().map_or(0, |text| u64::from(text.line_count()));
    let mut kinds: Vec<&str> = Vec::new();
    for (section, kind, hints) in &recognized.sections {
        evidence::read(section, *kind, hints, &mut taken.facts, &mut taken.problems);
        if !kinds.contains(&kind.name()) {
            kinds.push(kind.name());
        }
    }
    taken.file.kind = kinds.join(", ");
    taken.file.note = recognized.notes.join("; ");
    if taken.facts.is_empty() && size > 0 && recognized.sections.iter().all(|(_, kind, _)| *kind == Kind::Unknown) {
        taken.problems.push(Problem::of(path, "no reader knows this text; nothing was taken from it"));
    }
    taken
}

/// A log too big to be held: decoded and scanned as it comes.
fn stream(path: Arc<str>, head: Vec<u8>, content: &mut dyn Read) -> Taken {
    let hints = recognize::hints(&path);
    let mut splitter = evidence::log::Splitter::new(path.clone(), evidence::log::owner(&hints));
    let mut decoder = recognize::LineDecoder::new();
    let (mut size, mut lines) = (0u64, 0u64);
    let mut take = |number: u32, line: &str| {
        lines += 1;
        splitter.line(number, line.as_bytes());
    };
    size += head.len() as u64;
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
    let facts = splitter.finish().into_iter().map(|log| Fact::Log(Box::new(log))).collect();
    Taken { facts, file: file(&path, size, lines, Kind::Log.name(), String::new()), problems: Vec::new() }
}

fn file(path: &str, bytes: u64, lines: u64, kind: &str, note: String) -> File {
    File { path: path.to_owned(), bytes, lines, kind: kind.to_owned(), note }
}
