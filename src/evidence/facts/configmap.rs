//! A ConfigMap as one source shows it, and texts that stand inside other files.

use std::sync::Arc;

use jiff::Timestamp;

use super::{Id, Rank};
use crate::source::{Quote, Seen, Source};

/// A ConfigMap.
#[derive(Debug, Clone)]
pub struct ConfigMap {
    /// Which one.
    pub id: Id,
    /// Which kind of source.
    pub rank: Rank,
    /// The line that names it.
    pub at: Quote,
    /// `data`: key and text.
    pub data: Vec<(String, TextBlock)>,
    /// `metadata.creationTimestamp`.
    pub created: Option<Seen<Timestamp>>,
    /// The newest time in `metadata.managedFields`, where kept.
    pub edited: Option<Seen<Timestamp>>,
}

impl ConfigMap {
    /// The text of `key`.
    pub fn get(&self, key: &str) -> Option<&TextBlock> {
        self.data.iter().find(|(name, _)| name == key).map(|(_, block)| block)
    }
}

/// A text inside a file (a Corefile in a ConfigMap): its lines can be quoted where they stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextBlock {
    /// The file.
    pub path: Arc<str>,
    /// The text, unescaped.
    pub body: String,
    /// Where its lines stand.
    pub places: Places,
}

/// Where the lines of a text stand in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Places {
    /// One after the other, from this line on.
    From(u32),
    /// All escaped on this one line.
    On(u32),
    /// Each on its own line, as a quoted text that was folded.
    Each(Vec<u32>),
}

impl Places {
    /// The line of the file for line `number` of the text, both counted from 1.
    fn of(&self, number: u32) -> u32 {
        match self {
            Places::From(first) => first.saturating_add(number.saturating_sub(1)),
            Places::On(line) => *line,
            Places::Each(lines) => lines.get(number.saturating_sub(1) as usize).or(lines.last()).copied().unwrap_or(1),
        }
    }
}

impl TextBlock {
    /// The line of the file on which the text's first line stands.
    pub fn first_line(&self) -> u32 {
        self.places.of(1)
    }

    /// Quotes line `number` of the text, counted from 1.
    pub fn quote(&self, number: u32) -> Quote {
        self.quote_as(number, self.body.lines().nth(number.saturating_sub(1) as usize).unwrap_or(""))
    }

    /// Quotes line `number`, whose words the caller has at hand already.
    pub fn quote_as(&self, number: u32, line: &str) -> Quote {
        let source = Source { path: self.path.clone(), line: self.places.of(number), column: None, pointer: None };
        Quote::at(source, line, 0)
    }
}
