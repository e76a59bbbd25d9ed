//! Kubernetes objects in JSON and YAML, with the place of every value.
//!
//! JSON and the block YAML that kubectl writes are read by readers of our own, because serde gives no positions. YAML
//! outside that style (anchors, aliases, tags, flow collections over several lines) goes to the YAML library, and the
//! places are found again in the text.

mod json;
mod node;
mod sink;
#[cfg(test)]
mod tests;
mod tree;
mod yaml;

pub use node::Node;
pub use tree::{Data, Place, Value, Words};

use crate::bundle::Budget;
use crate::problem::Problem;
use crate::text::Section;
use json::Json;
use sink::Sink;
use tree::Fault;

/// Hands every object of `section` to `each`, with its kind, in the order written.
///
/// A section is one object, a list (`List`, `PodList`, …), a JSON array, or several of them one after another: YAML
/// documents, JSON documents, JSON Lines. The items of a list are read one at a time; one that states no kind has the
/// list's (`PodList` gives `Pod`), and the kind is empty where none is known. A list without items is handed over
/// itself, so that "there are none" is evidence.
///
/// What cannot be read costs only itself: the item or document is left out and a problem says where and why.
pub fn read(section: &Section, budget: &Budget, each: &mut dyn FnMut(&str, Node)) -> Vec<Problem> {
    let text = &*section.text;
    let start = text.line_start(section.lines.start);
    let end = text.line_start(section.lines.end).max(start);
    let Some(body) = text.body().get(..end) else {
        return Vec::new();
    };
    let mut sink = Sink::new(text, budget, 2 * (end - start) + 4096, each);
    let mut at = start;
    while let Some(begin) = document_start(body, at) {
        let next = match body.as_bytes().get(begin) {
            Some(b'{' | b'[') => json_document(body, begin, &mut sink),
            _ => yaml_document(body, begin, section.lines.end, &mut sink),
        };
        at = next.max(begin + 1);
    }
    sink.finish()
}

/// The first byte at or after `at` that belongs to a document: no blank, comment, directive or document marker. For
/// block YAML that is the start of the line, so that its indentation is kept.
fn document_start(body: &str, mut at: usize) -> Option<usize> {
    loop {
        let line_end = end_of_line(body, at);
        let line = body.get(at..line_end)?;
        let at_line_start = at == 0 || body.as_bytes().get(at - 1) == Some(&b'\n');
        let words = line.trim_start();
        let skipped = words.is_empty()
            || words.starts_with('#')
            || (at_line_start && (is_bare_marker(line) || line.starts_with('%')));
        if !skipped {
            let flow = words.starts_with(['{', '[']);
            return Some(if flow { line_end - words.len() } else { at });
        }
        at = line_end + 1;
    }
}

fn json_document(body: &str, begin: usize, sink: &mut Sink) -> usize {
    let mut json = Json::new(body, begin, sink.values);
    let before = sink.count;
    let Err(fault) = json.document(sink) else {
        return json.at;
    };
    let read = sink.count - before;
    if read == 0 && !fault.bound && looks_like_flow_yaml(body, begin) {
        let end = document_end(body, begin);
        if yaml::flow_document(begin..end, sink) {
            return end;
        }
    }
    sink.problem(fault.at, json_message(body, fault, read));
    next_document(body, fault.at.min(body.len()).max(begin + 1))
}

fn json_message(body: &str, fault: Fault, read: usize) -> String {
    let cut = body.get(fault.at..).is_none_or(|rest| rest.trim().is_empty());
    let what = if cut { "The JSON is cut off here" } else { "The JSON cannot be read here" };
    format!("{what}: {}; {read} objects before it were read.", fault.what)
}

fn yaml_document(body: &str, begin: usize, last: u32, sink: &mut Sink) -> usize {
    let first = sink.text.line_at(begin);
    if sink.text.line_start(first) < begin {
        sink.problem(begin, "Text behind the end of an object was skipped.".into());
        return end_of_line(body, begin) + 1;
    }
    let end = (first + 1..last).find(|line| ends_block_document(sink.text.line(*line))).unwrap_or(last);
    yaml::document(first..end, end == last, sink);
    sink.text.line_start(end)
}

/// Whether a new document starts at this line, or the one before ends. No line of a block document starts with `{`.
fn ends_block_document(line: &str) -> bool {
    line.starts_with('{') || is_marker(line)
}

/// `---` or `...` at the first column, alone or before a blank.
fn is_marker(line: &str) -> bool {
    let rest = line.strip_prefix("---").or_else(|| line.strip_prefix("..."));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// A marker that is followed by nothing but a comment.
fn is_bare_marker(line: &str) -> bool {
    is_marker(line) && (line.get(3..).unwrap_or_default().trim_start().starts_with('#') || line.trim_end().len() == 3)
}

/// `{` or `[` that no JSON value or key follows. Broken JSON is not sent to the YAML library.
fn looks_like_flow_yaml(body: &str, begin: usize) -> bool {
    let inner = body.get(begin + 1..).unwrap_or_default().trim_start();
    !inner.is_empty()
        && !inner.starts_with(['"', '[', '{', '}', ']', '-'])
        && !inner.starts_with(|c: char| c.is_ascii_digit())
}

/// The offset of the marker line after `at`, or the end.
fn document_end(body: &str, at: usize) -> usize {
    line_starts(body, at).find(|start| is_marker(&body[*start..end_of_line(body, *start)])).unwrap_or(body.len())
}

/// Where reading goes on after a fault at `at`: the next line that begins like a document.
fn next_document(body: &str, at: usize) -> usize {
    let here = at > 0 && body.as_bytes().get(at - 1) == Some(&b'\n');
    let begins = |start: &usize| {
        let line = &body[*start..end_of_line(body, *start)];
        line.starts_with(['{', '[']) || is_marker(line)
    };
    here.then_some(at).into_iter().chain(line_starts(body, at)).find(begins).unwrap_or(body.len())
}

/// The offsets of the lines that start after `at`.
fn line_starts(body: &str, at: usize) -> impl Iterator<Item = usize> {
    let rest = body.as_bytes().get(at..).unwrap_or_default();
    memchr::memchr_iter(b'\n', rest).map(move |end| at + end + 1)
}

fn end_of_line(body: &str, at: usize) -> usize {
    let rest = body.as_bytes().get(at..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(body.len(), |end| at + end)
}
