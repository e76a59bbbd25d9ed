//! Splits a text into sections: commands of a transcript, fenced blocks, files of `tail`, log blocks of a dump,
//! JSON documents, tables and described objects behind each other.

use std::ops::Range;
use std::sync::Arc;

use crate::text::{Section, Text};

use super::prompt::{self, Opener, Style};
use super::{Hints, Part, command, hints, kind, shape};

/// The most sections of one text; what follows belongs to the last one.
pub const SECTION_LIMIT: usize = 20_000;

/// Lines longer than this open nothing.
const OPENER_LIMIT: usize = 4096;

/// Splits a text and tells what each part is. The parts are in order and share no line; prompts, fences and other
/// dividers belong to none. A command that printed nothing has a section without lines.
pub fn sections(text: &Arc<Text>, path: &str) -> Vec<Part> {
    let mut splitter = Splitter::new(text, path);
    let mut line = 1;
    while line <= text.line_count() && splitter.parts.len() < SECTION_LIMIT {
        line = splitter.take(line);
    }
    splitter.close(text.line_count() + 1);
    let mut parts = splitter.parts;
    if parts.is_empty() {
        parts.push(Span { lines: 1..text.line_count() + 1, command: None, hints: hints::hints(path) });
    }
    parts.into_iter().map(|part| recognised(text, path, part)).collect()
}

fn recognised(text: &Arc<Text>, path: &str, span: Span) -> Part {
    let section = Section { text: text.clone(), lines: span.lines, command: span.command };
    let (kind, basis) = kind::kind(&section, path, &span.hints);
    Part { section, kind, basis, hints: span.hints }
}

struct Span {
    lines: Range<u32>,
    command: Option<String>,
    hints: Hints,
}

/// Walks over the lines and keeps the part that is open.
struct Splitter<'a> {
    text: &'a Text,
    /// Hints of the path: they hold where a section says nothing else.
    base: Hints,
    parts: Vec<Span>,
    start: u32,
    command: Option<String>,
    hints: Hints,
    /// The open part has a line with something in it.
    filled: bool,
    fenced: bool,
    in_json: bool,
    /// A trace (`+ cmd`) was seen: further lines of its form belong to it.
    traced: bool,
    /// A shell in a pod was opened: prompts of its kind belong to that pod.
    shell: Option<Hints>,
}

impl<'a> Splitter<'a> {
    fn new(text: &'a Text, path: &str) -> Self {
        let base = hints::hints(path);
        let name = path.rsplit('/').next().unwrap_or(path);
        Splitter {
            text,
            parts: Vec::new(),
            start: 1,
            command: command::from_file_name(name),
            hints: base.clone(),
            base,
            filled: false,
            fenced: false,
            in_json: false,
            traced: false,
            shell: None,
        }
    }

    /// Takes a line; gives the number of the next one.
    fn take(&mut self, number: u32) -> u32 {
        let line = self.text.line(number);
        let next = number + 1;
        if line.trim().is_empty() || line.len() > OPENER_LIMIT {
            self.filled |= !line.trim().is_empty();
            return next;
        }
        if line.trim_start().starts_with("```") && !self.is_collected_log() {
            self.fence(number);
        } else if let Some(found) = divider(line) {
            let hints = found.or(&self.base);
            self.begin(number, next, None, hints);
        } else if self.is_collected_log() {
            self.filled = true; // whatever the container printed, it is its log
        } else if self.json(number, line) {
            return next;
        } else if let Some(found) = self.opener(number, line) {
            return self.open(number, found);
        } else if self.filled && self.starts_block(number, line) {
            let (command, hints) = (self.command.clone(), self.hints.clone());
            self.begin(number, number, command, hints);
            self.filled = true;
        } else {
            self.filled = true;
        }
        next
    }

    /// Whether a collector's layout says that the whole file is what one container printed.
    fn is_collected_log(&self) -> bool {
        self.base.pod.is_some() && self.base.container.is_some()
    }

    /// Ends the open part before line `end`.
    fn close(&mut self, end: u32) {
        let command = self.command.take();
        let was_opened = command.is_some() && self.start > 1;
        if self.filled || was_opened {
            let hints = std::mem::take(&mut self.hints);
            self.parts.push(Span { lines: self.start..end.max(self.start), command, hints });
        }
        self.filled = false;
        self.in_json = false;
    }

    /// Ends the open part before line `end` and opens the next at line `start`.
    fn begin(&mut self, end: u32, start: u32, command: Option<String>, hints: Hints) {
        self.close(end);
        (self.start, self.command, self.hints) = (start, command, hints);
    }

    /// Opens a part for a prompt or heading; a command that ends with `\` goes on in the next line.
    fn open(&mut self, number: u32, found: Opener<'_>) -> u32 {
        let mut next = number + 1;
        self.traced |= self.text.line(number).starts_with("+ ");
        let mut words = found.command.map(str::to_owned);
        if let Some(command) = &mut words {
            while command.ends_with('\\') && command.len() < OPENER_LIMIT && next <= self.text.line_count() {
                command.pop();
                command.push_str(self.text.line(next).trim());
                next += 1;
            }
        }
        let said = words.as_deref().map(command::hints).unwrap_or_default();
        if found.style == Style::Own || matches!(words.as_deref(), Some("exit" | "logout")) {
            self.shell = None;
        }
        let heading =
            (found.command.is_none() && found.style == Style::Heading).then(|| hints::hints(self.text.line(number)));
        let mut hints = said.clone().or(&heading.unwrap_or_default());
        hints.host = found.host.map(str::to_owned);
        let hints = hints.or(self.shell.as_ref().unwrap_or(&self.base)).or(&self.base);
        if words.as_deref().is_some_and(command::opens_shell) {
            self.shell = Some(said);
        }
        self.begin(number, next, words, hints);
        next
    }

    fn opener(&self, number: u32, line: &'a str) -> Option<Opener<'a>> {
        let trace = || self.traced.then(|| prompt::trace(line)).flatten();
        prompt::opener(line).filter(|found| self.is_opener(number, found)).or_else(trace)
    }

    /// A `# cmd` between the indented lines of an object or a Corefile is a comment.
    fn is_opener(&self, number: u32, found: &Opener<'_>) -> bool {
        if found.style != Style::Hash || !self.filled {
            return true;
        }
        let before = self.text.line(number - 1);
        let after = self.text.line(number + 1);
        let indented = |line: &str| line.starts_with([' ', '\t']);
        let opens = indented(before) || before.trim_end().ends_with([':', '{']);
        !(opens && (indented(after) || after.starts_with('}')))
    }

    /// A Markdown fence: what is inside stands for itself.
    fn fence(&mut self, number: u32) {
        self.fenced = !self.fenced;
        let command = self.fenced.then(|| self.announced(number)).flatten();
        let hints = command.as_deref().map(command::hints).unwrap_or_default().or(&self.base);
        self.begin(number, number + 1, command, hints);
    }

    /// The command in backticks in the line of text before a fence.
    fn announced(&self, number: u32) -> Option<String> {
        let before = (number.saturating_sub(3)..number).rev().map(|line| self.text.line(line));
        let text = before.map(str::trim).find(|line| !line.is_empty())?;
        let command = text.split('`').skip(1).step_by(2).find(|words| command::looks_like_one(words))?;
        Some(command.to_owned())
    }

    /// Opens and closes JSON documents that stand behind each other, each with its brackets on lines of their own.
    fn json(&mut self, number: u32, line: &str) -> bool {
        let line = line.trim_end();
        if self.in_json && matches!(line, "}" | "]") {
            self.filled = true;
            self.begin(number + 1, number + 1, None, self.base.clone());
            return true;
        }
        let next = self.text.line(number + 1).trim_start();
        let opens = match line {
            "{" => next.starts_with(['"', '}']),
            "[" => next.starts_with(['"', '{', '[', ']']),
            _ => false,
        };
        let is_object =
            ["\"apiVersion\"", "\"kind\"", "\"items\"", "\"metadata\""].iter().any(|key| next.starts_with(key));
        if !opens || self.in_json || self.filled && !is_object {
            return false;
        }
        if self.filled {
            let (command, hints) = (self.command.clone(), self.hints.clone());
            self.begin(number, number, command, hints);
        }
        self.in_json = true;
        self.filled = true;
        true
    }

    /// A further table or described object in the same output.
    fn starts_block(&self, number: u32, line: &str) -> bool {
        let first = || self.text.line(number - 1).trim().is_empty();
        shape::is_table_heading(line)
            || (shape::is_describe_name(line) && first() && shape::is_describe_key(self.text.line(number + 1)))
    }
}

/// Lines that collectors put between files: `==> file <==` of tail, and the log blocks of `kubectl cluster-info dump`.
pub fn divider(line: &str) -> Option<Hints> {
    let line = line.trim_start_matches("* ").trim_end();
    if let Some(file) = line.strip_prefix("==> ").and_then(|rest| rest.strip_suffix(" <==")) {
        return Some(hints::hints(file));
    }
    let marker = line.strip_prefix("==== ")?.strip_suffix(" ====")?;
    if marker.starts_with("END logs for container ") {
        return Some(Hints::default());
    }
    let (container, pod) = marker.strip_prefix("START logs for container ")?.split_once(" of pod ")?;
    let (namespace, pod) = pod.split_once('/')?;
    Some(Hints {
        namespace: Some(namespace.to_owned()),
        pod: Some(pod.to_owned()),
        container: Some(container.to_owned()),
        ..Hints::default()
    })
}

#[cfg(test)]
#[path = "sections_tests.rs"]
mod tests;
