//! One YAML document: lists item by item, and the YAML library for what is outside kubectl's style.

mod block;
mod flow;
mod library;
mod scalar;

use std::ops::Range;

use self::block::{Block, is_dash};
use super::sink::Sink;
use super::tree::{Fault, Read, Value};
use crate::text::Text;

/// Reads the document at `lines`; `last` says that the section ends with it.
pub(super) fn document(lines: Range<u32>, last: bool, sink: &mut Sink) {
    if let Some(list) = List::find(sink.text, lines.clone()) {
        return list.deliver(lines, last, sink);
    }
    match own(sink, lines.clone(), |block| block.document()).or_else(|fault| other(sink, lines.clone(), 0, fault)) {
        Ok(value) => sink.deliver(&value, "", ""),
        Err(problem) => problem.record("document", last.then_some(lines.end), sink),
    }
}

/// Reads `{a: b}` and its like at an offset range with the library; whether it could.
pub(super) fn flow_document(range: Range<usize>, sink: &mut Sink) -> bool {
    let source = sink.text.body().get(range.clone()).unwrap_or_default();
    match library::read(sink, range.start, source) {
        Ok(value) => sink.deliver(&value, "", ""),
        Err(_) => return false,
    }
    true
}

/// A text of one document, by the reader of our own alone.
#[cfg(test)]
pub(super) fn own_reading(text: &Text) -> Read<Value> {
    Block::new(text, 1..text.line_count() + 1, u64::MAX).document()
}

/// Why a document or item was left out.
struct Unread {
    line: u32,
    why: String,
}

impl Unread {
    fn record(self, what: &str, end: Option<u32>, sink: &mut Sink) {
        // An error at the very end of a text is what a cut leaves behind.
        let cut = end.is_some_and(|end| self.line + 1 >= end);
        let how = if cut { "is cut off here" } else { "cannot be read and was left out" };
        sink.problem_in(self.line, format!("This YAML {what} {how}: {}.", self.why));
    }
}

/// The reader of our own.
fn own(sink: &mut Sink, lines: Range<u32>, read: impl FnOnce(&mut Block) -> Read<Value>) -> Read<Value> {
    let mut block = Block::new(sink.text, lines, sink.values);
    let value = read(&mut block)?;
    sink.twice(&mut block.build);
    Ok(value)
}

/// The YAML library, where our own reader met `fault`. The first `dash` columns of the first line are left out.
fn other(sink: &mut Sink, lines: Range<u32>, dash: usize, fault: Fault) -> Result<Value, Unread> {
    if fault.bound {
        return Err(Unread { line: sink.text.line_at(fault.at), why: fault.what.into() });
    }
    let start = sink.text.line_start(lines.start);
    let source = sink.text.body().get(start..sink.text.line_start(lines.end)).unwrap_or_default();
    let indented = (dash > 0).then(|| " ".repeat(dash) + source.get(dash..).unwrap_or_default());
    library::read(sink, start, indented.as_deref().unwrap_or(source))
}

/// A list of objects at the top of a document.
struct List {
    /// The kind of its items: `Pod` in a `PodList`; empty if unknown.
    kind: String,
    /// The lines of each item.
    items: Vec<Range<u32>>,
    /// Where the dashes stand.
    indent: usize,
    /// It begins like kubectl's lists and states no kind, which kubectl writes after the items.
    unfinished: bool,
}

impl List {
    /// Looks only at the lines at the outermost indentation and at those with a dash.
    fn find(text: &Text, lines: Range<u32>) -> Option<List> {
        let outer = indent_of(text.line(lines.start));
        let keys: Vec<(u32, &str)> = lines.clone().filter_map(|line| top_key(text, line, outer)).collect();
        let value = |name: &str| keys.iter().find_map(|(_, line)| line.strip_prefix(name)?.strip_prefix(':'));
        let kind = value("kind").map(|kind| kind.trim().trim_matches(['"', '\'']));
        let (at, _) = keys.iter().find(|(_, line)| {
            line.strip_prefix("items:").is_some_and(|rest| rest.trim().is_empty() || rest.trim().starts_with('#'))
        })?;
        if kind.is_some_and(|kind| !kind.ends_with("List")) {
            return None;
        }
        let end = keys.iter().map(|(line, _)| *line).find(|line| line > at).unwrap_or(lines.end);
        let first = (at + 1..end).find(|line| !is_empty(text.line(*line)))?;
        let indent = indent_of(text.line(first));
        let dashes: Vec<u32> = (first..end)
            .filter(|line| indent_of(text.line(*line)) == indent && is_dash(&text.line(*line)[indent..]))
            .collect();
        if dashes.first() != Some(&first) || indent < outer {
            return None;
        }
        let ends = dashes.iter().skip(1).copied().chain([end]);
        Some(List {
            kind: kind.and_then(|kind| kind.strip_suffix("List")).unwrap_or_default().to_owned(),
            items: dashes.iter().zip(ends).map(|(start, end)| *start..end).collect(),
            indent,
            unfinished: kind.is_none() && value("apiVersion").is_some(),
        })
    }

    fn deliver(&self, lines: Range<u32>, last: bool, sink: &mut Sink) {
        let cut = last && self.unfinished;
        let whole = self.items.len() - usize::from(cut);
        let mut tried_whole_document = false;
        for (index, item) in self.items.iter().take(whole).enumerate() {
            let read = own(sink, item.clone(), |block| block.item(self.indent));
            match read.or_else(|fault| other(sink, item.clone(), self.indent + 1, fault)) {
                Ok(value) => sink.deliver(&value, &format!("/items/{index}"), &self.kind),
                // An alias may stand for something in an earlier item.
                Err(_) if !tried_whole_document && uses_alias(sink.text, item.clone()) => {
                    tried_whole_document = true;
                    let whole = other(sink, lines.clone(), 0, Fault::new(0, ""));
                    if let Ok(value) = whole {
                        return self.deliver_rest(&value, index, sink);
                    }
                }
                Err(problem) => problem.record("item", None, sink),
            }
        }
        if let Some(item) = self.items.last().filter(|_| cut) {
            sink.problem_in(item.start, "The YAML list is cut off in this item, its last, which was left out.".into());
        }
    }

    fn deliver_rest(&self, document: &Value, from: usize, sink: &mut Sink) {
        if let Some(super::tree::Data::List(items)) = document.get("items").map(|items| &items.data) {
            for (index, item) in items.iter().enumerate().skip(from) {
                sink.deliver(item, &format!("/items/{index}"), &self.kind);
            }
        }
    }
}

/// The line without its indentation, if it holds a key at the outermost one.
fn top_key(text: &Text, number: u32, outer: usize) -> Option<(u32, &str)> {
    let line = text.line(number);
    let begins = line.as_bytes().get(outer).is_some_and(|byte| !matches!(byte, b' ' | b'-' | b'#' | b'\t'));
    (begins && indent_of(line) == outer).then(|| (number, &line[outer..]))
}

/// Leading blanks, in bytes.
fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// A blank line or a comment.
fn is_empty(line: &str) -> bool {
    let words = line.trim_start();
    words.is_empty() || words.starts_with('#')
}

fn uses_alias(text: &Text, mut lines: Range<u32>) -> bool {
    lines.any(|line| [": *", "- *", "<<:"].iter().any(|sign| text.line(line).contains(sign)))
}
