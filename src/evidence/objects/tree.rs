//! One object as a tree of values that know their places.

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// Where it stands. A block map or list that starts below its key stands at its key.
    pub place: Place,
    /// What it is.
    pub data: Data,
}

/// A place in the whole text. The line follows from the offset ([`crate::text::Text::line_at`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Byte offset.
    pub at: u32,
    /// Character in its line, counted from 1.
    pub column: u32,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// `null`, `~`, or a key without value.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as written.
    Number(Box<str>),
    /// A string.
    Text(Words),
    /// A sequence.
    List(Vec<Value>),
    /// A mapping in the order written; of a key that stands twice, the last.
    Map(Vec<(Box<str>, Value)>),
}

/// A string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// The string with escapes and folds resolved.
    pub text: Box<str>,
    /// For a literal block (`|`): the line of its first line; its line `i`, from 0, stands at this plus `i`.
    pub block_first_line: Option<u32>,
}

impl Data {
    /// A string that is no literal block.
    pub(super) fn text(text: impl Into<Box<str>>) -> Self {
        Data::Text(Words { text: text.into(), block_first_line: None })
    }
}

impl Value {
    /// The value of `key`, if this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match &self.data {
            Data::Map(entries) => entries.iter().find(|(name, _)| &**name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The string, if this is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.data {
            Data::Text(words) => Some(&words.text),
            _ => None,
        }
    }
}

/// Why reading stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault {
    /// Byte offset in the whole text.
    pub at: usize,
    /// What is wrong there, as the end of a sentence.
    pub what: &'static str,
    /// A bound was reached: no other reader may try.
    pub bound: bool,
}

impl Fault {
    pub(super) fn new(at: usize, what: &'static str) -> Self {
        Fault { at, what, bound: false }
    }
}

pub(super) type Read<T> = Result<T, Fault>;

/// The deepest nesting that is read, as in serde_json and the YAML library.
pub(super) const MAX_DEPTH: usize = 128;

/// What both readers need to build values: columns, bounds, and keys that stand twice.
pub(super) struct Builder<'a> {
    body: &'a str,
    values: u64,
    /// The most values in one object. The API server's store refuses objects above a few megabytes.
    most: u64,
    /// Up to where `column` has been counted.
    counted: usize,
    column: u32,
    /// Keys that stood twice, with the offset of the value that won.
    pub twice: Vec<(usize, Box<str>)>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(body: &'a str, most: u64) -> Self {
        Builder { body, values: 0, most, counted: 0, column: 1, twice: Vec::new() }
    }

    /// A new object begins: its values are counted anew.
    pub(super) fn restart(&mut self) {
        self.values = 0;
    }

    /// The place of offset `at` in the line that starts at `line_start`. Places are asked for in ascending order, so
    /// that the columns of a line of any length are counted once.
    pub(super) fn place(&mut self, line_start: usize, at: usize) -> Place {
        if line_start > self.counted || at < self.counted {
            self.counted = line_start;
            self.column = 1;
        }
        let between = self.body.as_bytes().get(self.counted..at).unwrap_or_default();
        self.column = self.column.saturating_add(characters(between) as u32);
        self.counted = at;
        Place { at: at as u32, column: self.column }
    }

    /// Counts one more value at `depth`.
    pub(super) fn admit(&mut self, at: usize, depth: usize) -> Read<()> {
        self.values += 1;
        match () {
            () if depth > MAX_DEPTH => Err(Fault { at, what: "it is nested more than 128 deep", bound: true }),
            () if self.values > self.most => {
                Err(Fault { at, what: "it holds more values than the limit (--max-object-values)", bound: true })
            }
            () => Ok(()),
        }
    }

    /// A map; of a key that stands twice, the last is kept.
    pub(super) fn map(&mut self, mut entries: Vec<(Box<str>, Value)>) -> Data {
        if has_twice(&entries) {
            let mut seen = std::collections::BTreeSet::new();
            entries.reverse();
            entries.retain(|(key, value)| {
                let first = seen.insert(key.clone());
                if !first {
                    self.twice.push((value.place.at as usize, key.clone()));
                }
                first
            });
            entries.reverse();
        }
        Data::Map(entries)
    }
}

fn has_twice(entries: &[(Box<str>, Value)]) -> bool {
    if entries.len() <= 16 {
        return entries.iter().enumerate().any(|(i, (key, _))| entries[..i].iter().any(|(other, _)| other == key));
    }
    let mut keys: Vec<&str> = entries.iter().map(|(key, _)| &**key).collect();
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}

/// Characters in well-formed UTF-8: every byte but the continuation bytes.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte & 0xC0) != 0x80).count()
}
