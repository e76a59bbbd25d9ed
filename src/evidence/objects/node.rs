//! A cursor over one object: comfortable to walk, and every value it finds can be quoted.

use super::tree::{Data, Value};
use crate::evidence::redaction;
use crate::source::{Quote, Seen};
use crate::text::Text;

/// A value in an object, or the absence of one. Walking on from an absent value is absence again.
#[derive(Debug, Clone, Copy)]
pub struct Node<'a> {
    root: &'a Root<'a>,
    value: Option<&'a Value>,
    /// The value, or the last one on the way to where it is absent.
    near: &'a Value,
}

/// The object that nodes walk in.
#[derive(Debug)]
pub(super) struct Root<'a> {
    pub text: &'a Text,
    pub value: &'a Value,
    /// The pointer of the object itself in its document: empty, or `/items/7`.
    pub prefix: &'a str,
}

impl<'a> Root<'a> {
    pub(super) fn node(&'a self) -> Node<'a> {
        Node { root: self, value: Some(self.value), near: self.value }
    }
}

impl<'a> Node<'a> {
    /// The value of `key`.
    pub fn get(self, key: &str) -> Node<'a> {
        self.step(self.value.and_then(|value| value.get(key)))
    }

    /// Item `index` of a list, counted from 0.
    pub fn at(self, index: usize) -> Node<'a> {
        self.step(self.list().get(index))
    }

    /// Several keys at once: `status.phase`. For keys that hold a dot use [`Node::get`].
    pub fn path(self, keys: &str) -> Node<'a> {
        keys.split('.').fold(self, |node, key| node.get(key))
    }

    /// The items of a list; none if this is no list.
    pub fn items(self) -> impl Iterator<Item = Node<'a>> {
        self.list().iter().map(move |value| self.step(Some(value)))
    }

    /// The keys and values of a map in the order written; none if this is no map.
    pub fn entries(self) -> impl Iterator<Item = (&'a str, Node<'a>)> {
        let entries = match self.value.map(|value| &value.data) {
            Some(Data::Map(entries)) => entries.as_slice(),
            _ => &[],
        };
        entries.iter().map(move |(key, value)| (&**key, self.step(Some(value))))
    }

    /// The value, if there is one.
    pub fn value(self) -> Option<&'a Value> {
        self.value
    }

    /// Whether the field is there, be it null.
    pub fn exists(self) -> bool {
        self.value.is_some()
    }

    /// A string.
    pub fn as_str(self) -> Option<&'a str> {
        self.written().filter(|text| !redaction::is_mark(text))
    }

    /// A string as it stands there, also where it is the mark of a redaction: for what is counted and not read.
    pub fn written(self) -> Option<&'a str> {
        self.value?.as_str()
    }

    /// A string, number or boolean as written.
    pub fn as_text(self) -> Option<&'a str> {
        match &self.value?.data {
            Data::Text(words) => Some(&*words.text).filter(|text| !redaction::is_mark(text)),
            Data::Number(number) => Some(number),
            Data::Bool(yes) => Some(if *yes { "true" } else { "false" }),
            _ => None,
        }
    }

    /// A whole number that is not negative.
    pub fn as_u64(self) -> Option<u64> {
        self.number()?.parse().ok()
    }

    /// A whole number.
    pub fn as_i64(self) -> Option<i64> {
        self.number()?.parse().ok()
    }

    /// A boolean.
    pub fn as_bool(self) -> Option<bool> {
        match self.value?.data {
            Data::Bool(yes) => Some(yes),
            _ => None,
        }
    }

    /// [`Node::as_str`] with its quote.
    pub fn str(self) -> Option<Seen<String>> {
        self.as_str().map(|text| self.seen(text.to_owned()))
    }

    /// [`Node::as_text`] with its quote.
    pub fn text(self) -> Option<Seen<String>> {
        self.as_text().map(|text| self.seen(text.to_owned()))
    }

    /// [`Node::as_u64`] with its quote.
    pub fn u64(self) -> Option<Seen<u64>> {
        self.as_u64().map(|number| self.seen(number))
    }

    /// [`Node::as_i64`] with its quote.
    pub fn i64(self) -> Option<Seen<i64>> {
        self.as_i64().map(|number| self.seen(number))
    }

    /// [`Node::as_bool`] with its quote.
    pub fn bool(self) -> Option<Seen<bool>> {
        self.as_bool().map(|yes| self.seen(yes))
    }

    /// A reading of this value with its quote.
    pub fn seen<T>(self, value: T) -> Seen<T> {
        Seen::new(value, self.quote())
    }

    /// The line where the value stands, with its key; where it is absent, the line of the last value on the way to it.
    pub fn quote(self) -> Quote {
        let place = self.near.place;
        quote_around(self.root.text, place.at as usize).of_field(Some(place.column), &self.pointer())
    }

    /// Line `index`, counted from 0, of a string of several lines: a Corefile in a ConfigMap.
    pub fn quote_line(self, index: u32) -> Quote {
        let text = self.root.text;
        match &self.near.data {
            Data::Text(words) if index > 0 || words.block_first_line.is_some() => match words.block_first_line {
                Some(first) => text.quote(first.saturating_add(index)).of_field(Some(1), &self.pointer()),
                None => {
                    let at = escaped_line(text.body(), self.near.place.at as usize, index);
                    quote_around(text, at).of_field(None, &self.pointer())
                }
            },
            _ => self.quote(),
        }
    }

    /// The line, counted from 1 in the whole text.
    pub fn line(self) -> u32 {
        self.root.text.line_at(self.near.place.at as usize)
    }

    /// The field as in RFC 6901, from the root of the document.
    pub fn pointer(self) -> String {
        let mut steps = Vec::new();
        find(self.root.value, self.near, &mut steps);
        steps.iter().rev().fold(self.root.prefix.to_owned(), |pointer, step| pointer + "/" + step)
    }

    fn step(self, value: Option<&'a Value>) -> Node<'a> {
        Node { value, near: value.unwrap_or(self.near), ..self }
    }

    fn list(self) -> &'a [Value] {
        match self.value.map(|value| &value.data) {
            Some(Data::List(items)) => items,
            _ => &[],
        }
    }

    fn number(self) -> Option<&'a str> {
        match &self.value?.data {
            Data::Number(number) => Some(number),
            _ => None,
        }
    }
}

/// The steps from `from` to `target`, last first. Values stand in ascending order, so what begins after the target is
/// not searched, and of the rest the last is searched first.
fn find(from: &Value, target: &Value, steps: &mut Vec<String>) -> bool {
    if std::ptr::eq(from, target) {
        return true;
    }
    match &from.data {
        Data::List(items) => {
            let before = items.partition_point(|item| item.place <= target.place);
            (0..before).rev().any(|index| step(&items[index], target, steps, || index.to_string()))
        }
        Data::Map(entries) => {
            let before = entries.partition_point(|(_, value)| value.place <= target.place);
            entries[..before].iter().rev().any(|(key, value)| step(value, target, steps, || escaped(key)))
        }
        _ => false,
    }
}

fn step(from: &Value, target: &Value, steps: &mut Vec<String>, name: impl Fn() -> String) -> bool {
    let found = find(from, target, steps);
    if found {
        steps.push(name());
    }
    found
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Bytes on either side of the place that a quote of a very long line looks at.
const WINDOW: usize = 2048;

/// Quotes the line of offset `at`. Of a line of megabytes (compact JSON) only the surroundings are looked at.
fn quote_around(text: &Text, at: usize) -> Quote {
    let number = text.line_at(at);
    let line = text.line(number);
    let at = at.saturating_sub(text.line_start(number));
    let boundary = |at: usize| (0..=at.min(line.len())).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
    let (start, end) = (boundary(at.saturating_sub(WINDOW)), boundary(at.saturating_add(WINDOW)));
    Quote::around(text.path(), number, &line[start..end], at - start)
}

/// Where line `index` of a string begins that is written with `\n` from offset `at` on.
fn escaped_line(body: &str, at: usize, index: u32) -> usize {
    let mut left = index;
    if body.as_bytes().get(at) != Some(&b'"') {
        return at;
    }
    let mut bytes = body.bytes().enumerate().skip(at + 1);
    while left > 0 {
        match bytes.next() {
            Some((_, b'\\')) => match bytes.next() {
                Some((found, b'n')) => {
                    left -= 1;
                    if left == 0 {
                        return found + 1;
                    }
                }
                Some(_) => {}
                None => break,
            },
            Some((_, b'"')) | None => break,
            Some(_) => {}
        }
    }
    at
}
