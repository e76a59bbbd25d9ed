//! A log of any length, line by line: nothing of it is held but what the readers keep.

use std::sync::Arc;

use super::facts::Fact;
use super::{kernel, log};
use crate::problem::Problem;
use crate::recognize::{self, Hints};

/// Reads the lines of a log. Where a tool put several files into one (`==> file <==`), each has its own facts.
pub struct Stream {
    path: Arc<str>,
    base: Hints,
    splitter: log::Splitter,
    kernel: kernel::Reader,
    facts: Vec<Fact>,
}

impl Stream {
    /// A stream of the file `path`, whose path says `hints`.
    pub fn new(path: Arc<str>, hints: Hints) -> Self {
        Stream {
            splitter: log::Splitter::new(path.clone(), log::owner(&hints)),
            kernel: kernel::Reader::new(path.clone()),
            base: hints,
            path,
            facts: Vec::new(),
        }
    }

    /// Takes one line; `number` counts in the whole file.
    pub fn line(&mut self, number: u32, line: &str) {
        if line.starts_with("==")
            && let Some(hints) = recognize::divider(line)
        {
            let owner = log::owner(&hints.or(&self.base));
            let done = std::mem::replace(&mut self.splitter, log::Splitter::new(self.path.clone(), owner));
            self.facts.extend(done.facts());
            return;
        }
        if !self.splitter.line(number, line.as_bytes()) {
            self.kernel.line(number, line);
        }
    }

    /// Hands over everything that was found.
    pub fn finish(self, facts: &mut Vec<Fact>, problems: &mut Vec<Problem>) {
        facts.extend(self.facts);
        facts.extend(self.splitter.facts());
        self.kernel.finish(facts, problems);
    }
}
