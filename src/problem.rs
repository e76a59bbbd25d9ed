//! What was cut, unreadable or not understood. A problem never stops the analysis.

use std::sync::Arc;

/// One thing that is wrong with the bundle, in plain words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The entry, relative to the bundle; empty for the bundle as a whole.
    pub path: Arc<str>,
    /// The line, where there is one.
    pub line: Option<u32>,
    /// What is wrong and what it means for the reader, one line.
    pub message: String,
}

impl Problem {
    /// A problem with a whole entry.
    pub fn of(path: &str, message: impl Into<String>) -> Self {
        Problem { path: path.into(), line: None, message: message.into() }
    }

    /// A problem at one line.
    pub fn at(path: &str, line: u32, message: impl Into<String>) -> Self {
        Problem { path: path.into(), line: Some(line), message: message.into() }
    }
}
