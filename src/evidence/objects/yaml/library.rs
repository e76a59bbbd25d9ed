//! YAML outside kubectl's style: the YAML library reads it, and the places are found again in the text.

use std::ops::Range;

use serde::Deserialize;
use serde_yaml::Value as Loose;

use super::super::sink::Sink;
use super::super::tree::{Data, Place, Value};
use super::{Unread, indent_of};
use crate::text::Text;

/// The most bytes that the library is given at once: it holds the whole document several times over.
const MAX_BYTES: usize = 64 << 20;

/// The deepest nesting of brackets it is given: its time grows with tokens times depth.
const MAX_BRACKETS: usize = 256;

/// Reads one document, `source`, that stands at offset `at` of the text.
pub(super) fn read(sink: &mut Sink, at: usize, source: &str) -> Result<Value, Unread> {
    let first = sink.text.line_at(at);
    let unread = |line: u32, why: String| Unread { line, why };
    let affordable = source.len() <= sink.library_budget.min(MAX_BYTES);
    sink.library_budget = sink.library_budget.saturating_sub(source.len());
    if !affordable || brackets(source) > MAX_BRACKETS {
        return Err(unread(first, "it is not written as kubectl writes and too large or nested to be read".into()));
    }
    // Only the first document: after an error the library's iterator gives the same error for ever (yaml_serde 0.10.7).
    let Some(document) = serde_yaml::Deserializer::from_str(source).next() else {
        return Err(unread(first, "it is empty".into()));
    };
    let read = Loose::deserialize(document).and_then(|mut loose| loose.apply_merge().map(|()| loose));
    let loose = read.map_err(|error| {
        let line = error.location().map_or(first, |place| first.saturating_add(place.line().saturating_sub(1) as u32));
        unread(line, message(&error))
    })?;
    let mut finder = Finder { text: sink.text, budget: 16 * source.len() + (1 << 20) };
    let region = at..at + source.len();
    let place = finder.place(at + indent_of(source));
    Ok(finder.value(loose, place, region))
}

/// The library's words without its position, which counts from the wrong line.
fn message(error: &serde_yaml::Error) -> String {
    let message = error.to_string().replace('\n', " ");
    message.split(" at line ").next().unwrap_or_default().to_owned()
}

/// The deepest nesting of brackets, whatever they stand in.
fn brackets(source: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    for byte in source.bytes() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Finds keys again. A value that is not found, one behind an alias say, stands where the map around it does.
struct Finder<'a> {
    text: &'a Text,
    /// Bytes that may still be looked at.
    budget: usize,
}

impl Finder<'_> {
    fn place(&mut self, at: usize) -> Place {
        let start = self.text.line_start(self.text.line_at(at));
        let before = self.text.body().get(start..at).unwrap_or_default();
        self.budget = self.budget.saturating_sub(before.len());
        Place { at: at as u32, column: before.chars().count() as u32 + 1 }
    }

    /// Gives `loose`, which stands at `place`, its tree; its parts are searched in `region`.
    fn value(&mut self, loose: Loose, place: Place, region: Range<usize>) -> Value {
        let data = match loose {
            Loose::Null => Data::Null,
            Loose::Bool(yes) => Data::Bool(yes),
            Loose::Number(number) => Data::Number(number.to_string().into()),
            Loose::String(text) => Data::text(text),
            Loose::Sequence(items) => Data::List(self.items(items, place, region)),
            Loose::Mapping(map) => {
                let entries = map.into_iter().map(|(key, value)| (key_text(key), value)).collect();
                Data::Map(self.entries(entries, place, region))
            }
            Loose::Tagged(tagged) => return self.value(tagged.value, place, region),
        };
        Value { place, data }
    }

    /// An item that is a map begins at its first key; the next one is searched behind it.
    fn items(&mut self, items: Vec<Loose>, list: Place, region: Range<usize>) -> Vec<Value> {
        let mut from = region.start;
        let mut place = list;
        let mut out = Vec::with_capacity(items.len());
        for item in items {
            let first = match &item {
                Loose::Mapping(map) => map.keys().next().cloned().map(key_text),
                Loose::String(text) => Some(text.as_str().into()),
                _ => None,
            };
            let found = first.and_then(|words| self.find(&words, from..region.end, None));
            if let Some(at) = found {
                (from, place) = (at, self.place(at));
            }
            let value = self.value(item, place, from..region.end);
            from = last_place(&value).max(from) + usize::from(found.is_some());
            out.push(value);
        }
        out
    }

    /// Finds the keys of a map, those of a block at one column, then looks into each value up to the next key.
    fn entries(&mut self, entries: Vec<(Box<str>, Loose)>, map: Place, region: Range<usize>) -> Vec<(Box<str>, Value)> {
        let mut from = region.start;
        let mut column = None;
        let mut found = Vec::with_capacity(entries.len());
        for (key, _) in &entries {
            let at = self.find(key, from..region.end, column);
            let at = at.or_else(|| self.find(key, from..region.end, None)).map(|at| self.place(at));
            if let Some(place) = at {
                from = place.at as usize + 1;
                let line = self.text.line(self.text.line_at(place.at as usize));
                let block = line.trim_start_matches([' ', '-']).starts_with(&**key);
                column = column.or(block.then_some(place.column));
            }
            found.push(at);
        }
        let mut end = region.end;
        let mut out: Vec<_> = entries
            .into_iter()
            .zip(&found)
            .rev()
            .map(|((key, loose), place)| {
                let start = place.map_or(end, |place| place.at as usize);
                let inner = (start + place.map_or(0, |_| key.len())).min(end)..end;
                end = start;
                let before = found.iter().flatten().rfind(|found| found.at as usize <= start);
                let value = self.value(loose, place.or(before.copied()).unwrap_or(map), inner);
                (key, value)
            })
            .collect();
        out.reverse();
        out
    }

    /// Where `word` stands in `region` as a whole word, at `column` if given.
    fn find(&mut self, word: &str, region: Range<usize>, column: Option<u32>) -> Option<usize> {
        let mut from = region.start;
        while !word.is_empty() {
            let searched = self.text.body().as_bytes().get(from..region.end)?;
            let found = memchr::memmem::find(searched, word.as_bytes());
            self.budget = self.budget.checked_sub(found.map_or(searched.len(), |at| at + 1))?;
            let at = from + found?;
            if self.stands_alone(at, word.len()) && column.is_none_or(|column| self.place(at).column == column) {
                return Some(at);
            }
            from = at + word.len();
        }
        None
    }

    fn stands_alone(&self, at: usize, length: usize) -> bool {
        let bytes = self.text.body().as_bytes();
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        let after = bytes.get(at + length);
        let edge = |byte: Option<&u8>| byte.is_none_or(|byte| b" \n\t\"'{[,:]}".contains(byte));
        edge(before) && edge(after)
    }
}

/// The offset of the last value in `value`.
fn last_place(value: &Value) -> usize {
    let last = match &value.data {
        Data::List(items) => items.last(),
        Data::Map(entries) => entries.last().map(|(_, value)| value),
        _ => None,
    };
    last.map_or(value.place.at as usize, |last| last_place(last).max(value.place.at as usize))
}

/// A key as text: `1`, `true` and `~` are keys too.
fn key_text(key: Loose) -> Box<str> {
    match key {
        Loose::String(text) => text.into(),
        Loose::Bool(yes) => yes.to_string().into(),
        Loose::Number(number) => number.to_string().into(),
        _ => "".into(),
    }
}
