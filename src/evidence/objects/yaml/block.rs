//! Block mappings and sequences as kubectl writes them. What is outside that style is a fault, and the document goes to
//! the YAML library.

use std::ops::Range;

use super::super::tree::{Builder, Data, Fault, Place, Read, Value, Words};
use super::scalar::{self, Quoted};
use super::{flow, indent_of};
use crate::text::Text;

/// A reader over some lines of a text.
pub(super) struct Block<'a> {
    text: &'a Text,
    line: u32,
    end: u32,
    /// Bytes of the current line that are read.
    from: usize,
    pub build: Builder<'a>,
}

/// What stands in a line from its first unread word on.
struct Content<'a> {
    /// Bytes before it.
    indent: usize,
    words: &'a str,
}

/// Whether an item of a sequence begins here.
pub(super) fn is_dash(words: &str) -> bool {
    words.strip_prefix('-').is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

impl<'a> Block<'a> {
    pub(super) fn new(text: &'a Text, lines: Range<u32>, most: u64) -> Self {
        Block { text, line: lines.start, end: lines.end, from: 0, build: Builder::new(text.body(), most) }
    }

    /// The one map or list of a document.
    pub(super) fn document(&mut self) -> Read<Value> {
        let content = self.peek()?.ok_or_else(|| self.fault(0, "it is empty"))?;
        let place = self.place(content.indent);
        let data = match () {
            () if is_dash(content.words) => self.sequence(content.indent, 1)?,
            () => self.mapping(content.indent, 1)?,
        };
        self.finish(Value { place, data })
    }

    /// The one item, with its dash at column `indent`, of a sequence.
    pub(super) fn item(&mut self, indent: usize) -> Read<Value> {
        self.from = indent + 1;
        let value = self.item_value(indent, 1)?;
        self.finish(value)
    }

    fn finish(&mut self, value: Value) -> Read<Value> {
        match self.peek()? {
            None => Ok(value),
            Some(content) => Err(self.fault(content.indent, "its indentation fits nothing before it")),
        }
    }

    fn mapping(&mut self, indent: usize, depth: usize) -> Read<Data> {
        let mut entries = Vec::new();
        while let Some(content) = self.peek()? {
            if content.indent < indent {
                break;
            }
            if content.indent > indent || is_dash(content.words) {
                return Err(self.fault(content.indent, "its indentation fits nothing before it"));
            }
            let Some((key, length)) = self.key(&content)? else {
                return Err(self.fault(content.indent, "a key and a colon are missing"));
            };
            let place = self.place(indent);
            let value = self.value_of_key(place, indent, indent + length, depth + 1)?;
            entries.push((key, value));
        }
        Ok(self.build.map(entries))
    }

    /// The value after a key whose colon ends at byte `after` of the current line.
    fn value_of_key(&mut self, key: Place, indent: usize, after: usize, depth: usize) -> Read<Value> {
        let rest = self.text.line(self.line).get(after..).unwrap_or_default();
        let words = rest.trim_start_matches(' ');
        if !words.is_empty() && !words.starts_with('#') {
            return self.scalar(after + rest.len() - words.len(), indent + 1, depth);
        }
        self.next_line();
        match self.peek()? {
            Some(next) if next.indent > indent => self.node(&next, indent + 1, Some(key), depth),
            Some(next) if next.indent == indent && is_dash(next.words) => {
                self.admit(indent, depth)?;
                Ok(Value { place: key, data: self.sequence(indent, depth)? })
            }
            _ => self.null(key, depth),
        }
    }

    fn sequence(&mut self, indent: usize, depth: usize) -> Read<Data> {
        let mut items = Vec::new();
        while let Some(content) = self.peek()? {
            if content.indent < indent || (content.indent == indent && !is_dash(content.words)) {
                break;
            }
            if content.indent > indent {
                return Err(self.fault(content.indent, "its indentation fits nothing before it"));
            }
            self.from = indent + 1;
            items.push(self.item_value(indent, depth + 1)?);
        }
        Ok(Data::List(items))
    }

    /// What follows a dash at column `indent`.
    fn item_value(&mut self, indent: usize, depth: usize) -> Read<Value> {
        let dash = self.place(indent);
        match self.peek()? {
            Some(next) if next.indent > indent => self.node(&next, indent + 1, None, depth),
            _ => self.null(dash, depth),
        }
    }

    /// A collection or scalar that begins at `content`; `floor` is the least indentation of its further lines, and
    /// `key` the place of the key it belongs to, if that is in a line before.
    fn node(&mut self, content: &Content<'a>, floor: usize, key: Option<Place>, depth: usize) -> Read<Value> {
        let sequence = is_dash(content.words);
        if !sequence && self.key(content)?.is_none() {
            return self.scalar(content.indent, floor, depth);
        }
        self.admit(content.indent, depth)?;
        let place = key.unwrap_or_else(|| self.place(content.indent));
        let read = if sequence { Self::sequence } else { Self::mapping };
        Ok(Value { place, data: read(self, content.indent, depth)? })
    }

    /// A key and the bytes up to and with its colon, if the content begins with one.
    fn key(&self, content: &Content<'a>) -> Read<Option<(Box<str>, usize)>> {
        let outside = || self.fault(content.indent, "it is outside kubectl's style");
        let words = content.words;
        if let Some(mark @ (b'"' | b'\'')) = words.as_bytes().first() {
            let mut quoted = Quoted::new(*mark);
            let Some(length) = quoted.line(&words[1..]) else {
                return Ok(None);
            };
            let rest = words.get(1 + length..).unwrap_or_default();
            let colon = rest.trim_start_matches(' ');
            let found = colon.strip_prefix(':').is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
            return Ok(found.then(|| (quoted.finish(), words.len() - colon.len() + 1)));
        }
        let Some(colon) = scalar::colon(words) else {
            return Ok(None);
        };
        let key = words[..colon].trim_end_matches(' ');
        match () {
            () if !scalar::is_plain_start(words) && words.starts_with(['{', '[', '|', '>']) => Ok(None),
            () if !scalar::is_plain_start(words) || key == "<<" || key.contains(['\t']) => Err(outside()),
            () if key.contains(" #") => Ok(None),
            () => Ok(Some((key.into(), colon + 1))),
        }
    }

    /// A scalar or flow collection that begins at byte `from` of the current line.
    fn scalar(&mut self, from: usize, floor: usize, depth: usize) -> Read<Value> {
        self.admit(from, depth)?;
        let place = self.place(from);
        let words = self.text.line(self.line).get(from..).unwrap_or_default();
        let data = match words.as_bytes().first() {
            Some(b'|' | b'>') => self.block_scalar(words, from, floor)?,
            Some(mark @ (b'"' | b'\'')) => self.quoted(*mark, from + 1)?,
            Some(b'{' | b'[') => {
                let start = self.text.line_start(self.line);
                let read = flow::read(words, start + from, start, depth, &mut self.build);
                let (data, length) = read.ok_or_else(|| self.fault(from, "it is outside kubectl's style"))?;
                self.nothing_follows(from + length)?;
                data
            }
            _ => self.plain(words, from, floor)?,
        };
        Ok(Value { place, data })
    }

    /// A plain scalar; its further lines are folded into spaces.
    fn plain(&mut self, words: &str, from: usize, floor: usize) -> Read<Data> {
        let outside = Err(self.fault(from, "it is outside kubectl's style"));
        let (first, mut comment) = scalar::until_comment(words);
        if !scalar::is_plain_start(words) || scalar::colon(first).is_some() {
            return outside;
        }
        self.next_line();
        let mut folded: Option<String> = None;
        let (mut blanks, mut number) = (0, self.line);
        while !comment && number < self.end {
            let line = self.text.line(number);
            let words = line.trim_matches([' ', '\t']);
            number += 1;
            if words.is_empty() {
                blanks += 1;
                continue;
            }
            if indent_of(line) < floor || words.starts_with('#') {
                break;
            }
            let (piece, ends) = scalar::until_comment(words);
            if scalar::colon(piece).is_some() {
                return outside;
            }
            let folded = folded.get_or_insert_with(|| first.to_owned());
            scalar::fold(folded, std::mem::take(&mut blanks));
            folded.push_str(piece);
            (comment, self.line) = (ends, number);
        }
        Ok(folded.map_or_else(|| scalar::resolve(first), Data::text))
    }

    /// A quoted scalar from behind its opening quote on.
    fn quoted(&mut self, mark: u8, from: usize) -> Read<Data> {
        let mut quoted = Quoted::new(mark);
        let mut at = from;
        while self.line < self.end {
            let line = self.text.line(self.line);
            if let Some(length) = quoted.line(line.get(at..).unwrap_or_default()) {
                if quoted.broken {
                    return Err(self.fault(at, "an escape is unknown"));
                }
                self.nothing_follows(at + length)?;
                return Ok(Data::text(quoted.finish()));
            }
            self.next_line();
            at = 0;
        }
        Err(self.fault(0, "a quoted string has no end"))
    }

    /// A literal or folded block.
    fn block_scalar(&mut self, header: &str, from: usize, floor: usize) -> Read<Data> {
        let Some(style) = scalar::Style::parse(header) else {
            return Err(self.fault(from, "it is outside kubectl's style"));
        };
        let first = self.line + 1;
        let lines = || (first..self.end).map(|number| self.text.line(number));
        let found = lines().find(|line| !scalar::is_blank(line)).map(indent_of).filter(|indent| *indent >= floor);
        let indent = style.indent.map(|indent| floor.saturating_sub(1) + indent).or(found).unwrap_or(usize::MAX);
        if style.indent.is_none() && lines().take_while(|line| scalar::is_blank(line)).any(|line| line.len() > indent) {
            return Err(self.fault(from, "a blank line is indented further than the block it begins"));
        }
        let inner: Vec<&str> = lines()
            .take_while(|line| indent_of(line) >= indent || scalar::is_blank(line))
            .map(|line| line.get(indent..).unwrap_or_default())
            .collect();
        self.line = first + inner.len() as u32;
        self.from = 0;
        let text = style.join(&inner).into();
        Ok(Data::Text(Words { text, block_first_line: (!style.folded).then_some(first) }))
    }

    /// Ends the line at byte `from`, where only a comment may follow.
    fn nothing_follows(&mut self, from: usize) -> Read<()> {
        let rest = self.text.line(self.line).get(from..).unwrap_or_default();
        let words = rest.trim_start_matches(' ');
        let comment = words.starts_with('#') && words.len() < rest.len();
        if !words.is_empty() && !comment {
            return Err(self.fault(from, "it is outside kubectl's style"));
        }
        self.next_line();
        Ok(())
    }

    /// The next unread words, past blank lines and comments.
    fn peek(&mut self) -> Read<Option<Content<'a>>> {
        while self.line < self.end {
            let rest = self.text.line(self.line).get(self.from..).unwrap_or_default();
            let words = rest.trim_start_matches(' ');
            let indent = self.from + rest.len() - words.len();
            if !words.starts_with('#') && !scalar::is_blank(words) {
                if words.starts_with('\t') {
                    return Err(self.fault(indent, "a tab stands in its indentation"));
                }
                return Ok(Some(Content { indent, words: words.trim_end_matches([' ', '\t']) }));
            }
            self.next_line();
        }
        Ok(None)
    }

    fn next_line(&mut self) {
        self.line += 1;
        self.from = 0;
    }

    fn null(&mut self, place: Place, depth: usize) -> Read<Value> {
        self.build.admit(place.at as usize, depth)?;
        Ok(Value { place, data: Data::Null })
    }

    fn admit(&mut self, from: usize, depth: usize) -> Read<()> {
        self.build.admit(self.text.line_start(self.line) + from, depth)
    }

    fn place(&mut self, from: usize) -> Place {
        let start = self.text.line_start(self.line);
        self.build.place(start, start + from)
    }

    fn fault(&self, from: usize, what: &'static str) -> Fault {
        Fault::new(self.text.line_start(self.line.min(self.end.saturating_sub(1))) + from, what)
    }
}
