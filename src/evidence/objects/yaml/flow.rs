//! Flow collections of one line: `{}`, `[]`, `[a, "b"]`, `{a: 1}`.

use super::super::tree::{Builder, Data, Value};
use super::scalar::{self, Quoted};

/// Reads the collection that `words` begins with, standing at offset `at` of the line that starts at `line_start`; gives
/// it with its length. `None` for what the YAML library shall read.
pub(super) fn read(
    words: &str,
    at: usize,
    line_start: usize,
    depth: usize,
    build: &mut Builder,
) -> Option<(Data, usize)> {
    let mut flow = Flow { words, at: 0, offset: at, line_start, build };
    let data = flow.collection(depth)?;
    Some((data, flow.at))
}

struct Flow<'a, 'b, 'c> {
    words: &'a str,
    at: usize,
    offset: usize,
    line_start: usize,
    build: &'b mut Builder<'c>,
}

impl Flow<'_, '_, '_> {
    fn collection(&mut self, depth: usize) -> Option<Data> {
        let map = self.peek()? == b'{';
        let close = if map { b'}' } else { b']' };
        self.at += 1;
        let (mut items, mut entries) = (Vec::new(), Vec::new());
        loop {
            self.space();
            if self.peek()? == close {
                self.at += 1;
                return Some(if map { self.build.map(entries) } else { Data::List(items) });
            }
            if map {
                entries.push(self.entry(depth + 1)?);
            } else {
                items.push(self.value(depth + 1)?);
            }
            self.space();
            match self.peek()? {
                b',' => self.at += 1,
                end if end == close => {}
                _ => return None,
            }
        }
    }

    fn entry(&mut self, depth: usize) -> Option<(Box<str>, Value)> {
        let key = match self.peek()? {
            mark @ (b'"' | b'\'') => self.quoted(mark)?,
            _ => self.plain()?.into(),
        };
        self.space();
        if self.peek()? != b':' || self.words.as_bytes().get(self.at + 1) != Some(&b' ') || &*key == "<<" {
            return None;
        }
        self.at += 1;
        self.space();
        Some((key, self.value(depth)?))
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        self.build.admit(self.offset + self.at, depth).ok()?;
        let place = self.build.place(self.line_start, self.offset + self.at);
        let data = match self.peek()? {
            b'{' | b'[' => self.collection(depth)?,
            mark @ (b'"' | b'\'') => Data::text(self.quoted(mark)?),
            _ => scalar::resolve(self.plain()?),
        };
        Some(Value { place, data })
    }

    fn quoted(&mut self, mark: u8) -> Option<Box<str>> {
        let mut quoted = Quoted::new(mark);
        self.at += 1 + quoted.line(self.words.get(self.at + 1..)?)?;
        (!quoted.broken).then(|| quoted.finish())
    }

    /// Up to a comma, a bracket, or the colon behind a key.
    fn plain(&mut self) -> Option<&str> {
        let rest = self.words.get(self.at..)?;
        let end = rest.bytes().enumerate().find(|(at, byte)| match byte {
            b',' | b']' | b'}' | b'[' | b'{' => true,
            b':' => matches!(rest.as_bytes().get(at + 1), None | Some(b' ' | b',' | b']' | b'}' | b'[' | b'{')),
            _ => false,
        });
        let words = rest.get(..end?.0)?.trim_end_matches(' ');
        if !scalar::is_plain_start(words) || words.contains(" #") || words.contains('\t') {
            return None;
        }
        self.at += words.len();
        Some(words)
    }

    fn space(&mut self) {
        while self.peek() == Some(b' ') {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.words.as_bytes().get(self.at).copied()
    }
}
