//! Where something was read: every fact carries its place and the words that stood there.

use std::ops::Deref;
use std::sync::Arc;

/// The longest quote in a report, in characters.
pub const QUOTE_LIMIT: usize = 400;

/// A place in the bundle.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Source {
    /// Path relative to the bundle; a member of an archive inside it is `outer.tar.gz!/inner/file`.
    pub path: Arc<str>,
    /// Line in the decoded text, counted from 1.
    pub line: u32,
    /// Character in the line, counted from 1, where known.
    pub column: Option<u32>,
    /// The field of an object, as in RFC 6901, where known.
    pub pointer: Option<Arc<str>>,
}

/// The words of one line and where they stand. Taken while reading; nothing downstream searches the text again. Shared,
/// for a large list has millions of them and one row is quoted by each of its cells.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quote(Arc<Words>);

/// What a [`Quote`] holds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Words {
    /// Where the words stand.
    pub source: Source,
    /// At most [`QUOTE_LIMIT`] characters of that line, with `…` where it was cut.
    pub text: Box<str>,
}

impl Deref for Quote {
    type Target = Words;

    fn deref(&self) -> &Words {
        &self.0
    }
}

impl Quote {
    /// Quotes `line_text`, which stands at `line` of `path`.
    pub fn new(path: &Arc<str>, line: u32, line_text: &str) -> Self {
        Self::around(path, line, line_text, 0)
    }

    /// Quotes the part of a long line around byte `at`.
    pub fn around(path: &Arc<str>, line: u32, line_text: &str, at: usize) -> Self {
        let source = Source { path: path.clone(), line, column: None, pointer: None };
        Self::at(source, line_text, at)
    }

    /// Quotes the line at `source`.
    pub fn at(source: Source, line_text: &str, at: usize) -> Self {
        Quote(Arc::new(Words { source, text: cut(line_text, at).into() }))
    }

    /// The same quote with the JSON pointer of the field it shows and, where known, its column.
    pub fn of_field(mut self, column: Option<u32>, pointer: &str) -> Self {
        let source = &mut Arc::make_mut(&mut self.0).source;
        (source.column, source.pointer) = (column, Some(pointer.into()));
        self
    }
}

/// A value together with the words that say so.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen<T> {
    /// What was read.
    pub value: T,
    /// Where it was read.
    pub quote: Quote,
}

impl<T> Seen<T> {
    /// Joins a value with its quote.
    pub fn new(value: T, quote: Quote) -> Self {
        Seen { value, quote }
    }

    /// The same place, another reading of the value.
    pub fn map<U>(self, read: impl FnOnce(T) -> U) -> Seen<U> {
        Seen { value: read(self.value), quote: self.quote }
    }
}

/// At most [`QUOTE_LIMIT`] characters of `line`, trimmed at the end. A longer line is shown with byte `at` in it; where no
/// place is given (0), with its beginning and its end, for what went wrong mostly stands last.
pub fn cut(line: &str, at: usize) -> String {
    let line = line.trim_end();
    if line.len() <= QUOTE_LIMIT || line.chars().nth(QUOTE_LIMIT).is_none() {
        return line.to_owned();
    }
    if at == 0 {
        return both_ends(line);
    }
    let room = QUOTE_LIMIT - 2; // for the two `…`
    let before = line.char_indices().take_while(|(i, _)| *i < at).count();
    let total = line.chars().count();
    let start = before.saturating_sub(room / 3).min(total - room.min(total));
    let mut out = String::new();
    if start > 0 {
        out.push('…');
    }
    out.extend(line.chars().skip(start).take(room));
    if start + room < total {
        out.push('…');
    }
    out
}

/// The first third and the last two thirds of the room.
fn both_ends(line: &str) -> String {
    const HEAD: usize = 140;
    const TAIL: usize = QUOTE_LIMIT - HEAD - 1;
    let head: String = line.chars().take(HEAD).collect();
    let start = line.char_indices().rev().nth(TAIL - 1).map_or(0, |(index, _)| index);
    format!("{head}…{}", line.get(start..).unwrap_or(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_shows_both_ends() {
        let line = format!("BEGIN{}END", "x".repeat(5000));
        let quote = cut(&line, 0);
        assert!(quote.starts_with("BEGIN") && quote.ends_with("END"));
        assert_eq!(quote.chars().count(), QUOTE_LIMIT);
    }

    #[test]
    fn a_short_line_is_quoted_whole() {
        assert_eq!(cut("abc  ", 0), "abc");
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let line = format!("{}NEEDLE{}", "a".repeat(1000), "b".repeat(1000));
        let quote = cut(&line, 1000);
        assert!(quote.contains("NEEDLE"));
        assert!(quote.starts_with('…') && quote.ends_with('…'));
        assert!(quote.chars().count() <= QUOTE_LIMIT);
    }

    #[test]
    fn a_cut_never_splits_a_character() {
        let line = "ä".repeat(2000);
        for at in [0, 1, 399, 2001, 3999, 9999] {
            assert!(cut(&line, at).chars().count() <= QUOTE_LIMIT);
        }
    }
}
