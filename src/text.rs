//! A decoded text with its lines, and a section of one.

use std::ops::Range;
use std::sync::Arc;

use crate::source::Quote;

/// A whole decoded entry: UTF-8, `\n` line ends, no byte order mark, no terminal colours.
#[derive(Debug)]
pub struct Text {
    path: Arc<str>,
    body: String,
    /// Byte offset of each line's first character.
    starts: Vec<u32>,
}

impl Text {
    /// Takes a decoded body (at most 4 GiB; the entry budget is far below).
    pub fn new(path: &str, body: String) -> Self {
        let mut starts = vec![0u32];
        starts.extend(memchr::memchr_iter(b'\n', body.as_bytes()).map(|at| at as u32 + 1));
        if starts.len() > 1 && starts.last() == Some(&(body.len() as u32)) {
            starts.pop();
        }
        Text { path: path.into(), body, starts }
    }

    /// The entry's path inside the bundle.
    pub fn path(&self) -> &Arc<str> {
        &self.path
    }

    /// The whole text.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// How many lines there are. A last line without line end counts; an empty text has one empty line.
    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Line `number`, counted from 1, without its line end; empty beyond the end.
    pub fn line(&self, number: u32) -> &str {
        let Some(index) = (number as usize).checked_sub(1) else {
            return "";
        };
        let Some(&start) = self.starts.get(index) else {
            return "";
        };
        let end = self.starts.get(index + 1).map_or(self.body.len(), |next| *next as usize - 1);
        let line = &self.body[start as usize..end];
        line.strip_suffix('\n').unwrap_or(line)
    }

    /// Byte offset at which line `number` starts; the length of the text beyond the end.
    pub fn line_start(&self, number: u32) -> usize {
        let index = (number as usize).saturating_sub(1);
        self.starts.get(index).map_or(self.body.len(), |start| *start as usize)
    }

    /// The line, counted from 1, that holds byte `offset`.
    pub fn line_at(&self, offset: usize) -> u32 {
        self.starts.partition_point(|start| *start as usize <= offset).max(1) as u32
    }

    /// The words of line `number`.
    pub fn quote(&self, number: u32) -> Quote {
        Quote::new(&self.path, number, self.line(number))
    }

    /// The words of line `number` around its byte `at`.
    pub fn quote_around(&self, number: u32, at: usize) -> Quote {
        Quote::around(&self.path, number, self.line(number), at)
    }
}

/// A run of lines that one reader takes: a whole file, one command of a transcript, one document of a stream.
#[derive(Debug, Clone)]
pub struct Section {
    /// The text it is part of.
    pub text: Arc<Text>,
    /// Its lines, counted from 1; the end is not included.
    pub lines: Range<u32>,
    /// The command that printed it, where a prompt, heading or file name says so.
    pub command: Option<String>,
}

impl Section {
    /// The whole text as one section.
    pub fn whole(text: Arc<Text>) -> Self {
        let lines = 1..text.line_count() + 1;
        Section { text, lines, command: None }
    }

    /// The lines with their numbers in the whole text.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, &str)> {
        self.lines.clone().map(|number| (number, self.text.line(number)))
    }

    /// The section's text, line ends included.
    pub fn body(&self) -> &str {
        let start = self.text.line_start(self.lines.start);
        let end = self.text.line_start(self.lines.end);
        &self.text.body()[start..end.max(start)]
    }

    /// The words of line `number` of the whole text.
    pub fn quote(&self, number: u32) -> Quote {
        self.text.quote(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_count_from_one() {
        let text = Text::new("a", "one\ntwo\n\nfour".into());
        assert_eq!(text.line_count(), 4);
        assert_eq!([text.line(1), text.line(2), text.line(3), text.line(4)], ["one", "two", "", "four"]);
        assert_eq!(text.line(0), "");
        assert_eq!(text.line(5), "");
        assert_eq!([text.line_at(0), text.line_at(3), text.line_at(4), text.line_at(9)], [1, 1, 2, 4]);
    }

    #[test]
    fn a_last_line_end_opens_no_line() {
        assert_eq!(Text::new("a", "one\n".into()).line_count(), 1);
        assert_eq!(Text::new("a", String::new()).line_count(), 1);
        assert_eq!(Text::new("a", "\n".into()).line(1), "");
    }

    #[test]
    fn a_section_is_its_lines() {
        let text = Arc::new(Text::new("a", "one\ntwo\nthree\n".into()));
        let section = Section { text, lines: 2..3, command: None };
        assert_eq!(section.body(), "two\n");
        assert_eq!(section.numbered().collect::<Vec<_>>(), [(2, "two")]);
    }
}
