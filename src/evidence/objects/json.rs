//! JSON with positions. What it refuses, serde_json refuses; it only lets control characters in strings pass.

use super::sink::Sink;
use super::tree::{Builder, Data, Fault, Place, Read, Value};

/// A reader at some offset of a text.
pub(super) struct Json<'a> {
    body: &'a str,
    /// The next byte to read.
    pub at: usize,
    line_start: usize,
    build: Builder<'a>,
}

impl<'a> Json<'a> {
    /// Reads `body` from offset `at` on; offsets are those of `body`. An object may hold `most` values.
    pub(super) fn new(body: &'a str, at: usize, most: u64) -> Self {
        let line_start = memchr::memrchr(b'\n', &body.as_bytes()[..at.min(body.len())]).map_or(0, |end| end + 1);
        Json { body, at, line_start, build: Builder::new(body, most) }
    }

    /// Reads one document and hands its objects over, those of a list one by one.
    pub(super) fn document(&mut self, sink: &mut Sink) -> Read<()> {
        self.space();
        let read = match self.peek() {
            Some(b'[') => {
                self.at += 1;
                self.items(sink, "", "").map(|_| ())
            }
            Some(b'{') => self.top(sink),
            _ => Err(self.fault("no JSON object begins")),
        };
        sink.twice(&mut self.build);
        read
    }

    fn top(&mut self, sink: &mut Sink) -> Read<()> {
        let place = self.place();
        self.at += 1;
        let mut entries: Vec<(Box<str>, Value)> = Vec::new();
        let (mut first, mut handed) = (true, 0);
        while self.more(&mut first, b'}')? {
            let key = self.key()?;
            if &*key == "items" && self.peek() == Some(b'[') {
                let kind = entries.iter().find(|(key, _)| &**key == "kind").and_then(|(_, value)| value.as_str());
                let kind = kind.map(str::to_owned).or_else(|| self.kind_ahead(&mut sink.ahead_budget));
                if kind.as_ref().is_none_or(|kind| kind.ends_with("List")) {
                    let place = self.place();
                    self.at += 1;
                    let kind = kind.unwrap_or_default();
                    handed = self.items(sink, "/items", kind.strip_suffix("List").unwrap_or_default())?;
                    entries.push((key, Value { place, data: Data::List(Vec::new()) }));
                    continue;
                }
            }
            entries.push((key, self.value(1)?));
        }
        if handed == 0 {
            let data = self.build.map(entries);
            sink.deliver(&Value { place, data }, "", "");
        }
        Ok(())
    }

    /// The items of a list, after its `[`, each handed over and dropped.
    fn items(&mut self, sink: &mut Sink, prefix: &str, kind: &str) -> Read<usize> {
        let (mut first, mut count) = (true, 0);
        while self.more(&mut first, b']')? {
            self.build.restart();
            let value = self.value(1)?;
            sink.twice(&mut self.build);
            sink.deliver(&value, &format!("{prefix}/{count}"), kind);
            count += 1;
        }
        Ok(count)
    }

    /// The list's kind where it is written behind its items, as kubectl does. Looking ahead takes from the budget, so
    /// that a text of many list beginnings is not passed over again and again.
    fn kind_ahead(&self, budget: &mut usize) -> Option<String> {
        if self.body.len() - self.at > *budget {
            return None;
        }
        let mut ahead = Json { body: self.body, at: self.at, line_start: 0, build: Builder::new(self.body, u64::MAX) };
        let kind = ahead.find_kind();
        *budget = budget.saturating_sub(ahead.at - self.at);
        kind
    }

    fn find_kind(&mut self) -> Option<String> {
        self.skip()?;
        let mut first = false;
        while self.more(&mut first, b'}').ok()? {
            if &*self.key().ok()? == "kind" {
                return self.string().ok().map(String::from);
            }
            self.skip()?;
        }
        None
    }

    /// Passes over one value without looking into it.
    fn skip(&mut self) -> Option<()> {
        let bytes = self.body.as_bytes();
        let mut depth = 0usize;
        loop {
            match *bytes.get(self.at)? {
                b'"' => {
                    self.string_end()?;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth == 0 => return Some(()),
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        self.at += 1;
                        return Some(());
                    }
                }
                b',' if depth == 0 => return Some(()),
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Moves from an opening to its closing quote.
    fn string_end(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            let rest = self.body.as_bytes().get(self.at..)?;
            self.at += memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
            match self.peek()? {
                b'"' => return Some(()),
                _ => self.at += 2,
            }
        }
    }

    fn value(&mut self, depth: usize) -> Read<Value> {
        self.build.admit(self.at, depth)?;
        let place = self.place();
        let data = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Data::text(self.string()?),
            Some(b'-' | b'0'..=b'9') => Data::Number(self.number()?),
            _ => self.word()?,
        };
        Ok(Value { place, data })
    }

    fn object(&mut self, depth: usize) -> Read<Data> {
        self.at += 1;
        let (mut first, mut entries) = (true, Vec::new());
        while self.more(&mut first, b'}')? {
            entries.push((self.key()?, self.value(depth + 1)?));
        }
        Ok(self.build.map(entries))
    }

    fn array(&mut self, depth: usize) -> Read<Data> {
        self.at += 1;
        let (mut first, mut items) = (true, Vec::new());
        while self.more(&mut first, b']')? {
            items.push(self.value(depth + 1)?);
        }
        Ok(Data::List(items))
    }

    /// Whether another member follows; passes the comma before it or the `close` behind the last.
    fn more(&mut self, first: &mut bool, close: u8) -> Read<bool> {
        self.space();
        let was_first = std::mem::take(first);
        match self.peek() {
            Some(byte) if byte == close => {
                self.at += 1;
                return Ok(false);
            }
            Some(b',') if !was_first => self.at += 1,
            Some(_) if was_first => {}
            _ => return Err(self.fault("a comma or the end of the list or object is missing")),
        }
        self.space();
        Ok(true)
    }

    /// A key and its colon, and the blanks up to its value.
    fn key(&mut self) -> Read<Box<str>> {
        if self.peek() != Some(b'"') {
            return Err(self.fault("a key is missing"));
        }
        let key = self.string()?;
        self.space();
        if self.peek() != Some(b':') {
            return Err(self.fault("the colon after a key is missing"));
        }
        self.at += 1;
        self.space();
        Ok(key)
    }

    fn string(&mut self) -> Read<Box<str>> {
        let open = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.fault("a string is missing"));
        }
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = self.body.as_bytes().get(self.at..).unwrap_or_default();
            let Some(length) = memchr::memchr3(b'"', b'\\', b'\n', rest) else {
                return Err(Fault::new(self.body.len(), "a string has no end"));
            };
            let piece = self.body.get(self.at..self.at + length).unwrap_or_default();
            self.at += length;
            match rest[length] {
                b'"' => {
                    self.at += 1;
                    return Ok(if self.at == open + piece.len() + 2 { piece.into() } else { (out + piece).into() });
                }
                b'\\' => {
                    out.push_str(piece);
                    out.push(self.escape()?);
                }
                _ => return Err(self.fault("a string has no end in its line")),
            }
        }
    }

    fn escape(&mut self) -> Read<char> {
        let letter = self.body.as_bytes().get(self.at + 1).copied();
        let simple = match letter {
            Some(b'u') => return self.unicode(),
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            _ => return Err(self.fault("an escape is unknown")),
        };
        self.at += 2;
        Ok(simple)
    }

    /// `\uXXXX`, two of them for a character outside the basic plane; half a pair is the replacement character.
    fn unicode(&mut self) -> Read<char> {
        let Some(high) = self.code(self.at) else {
            return Err(self.fault("an escape is unknown"));
        };
        self.at += 6;
        if let Some(plain) = char::from_u32(high) {
            return Ok(plain);
        }
        let pair = self.code(self.at).and_then(|low| {
            let both = char::decode_utf16([high as u16, low as u16]).next()?.ok()?;
            (high < 0xDC00).then_some(both)
        });
        if pair.is_some() {
            self.at += 6;
        }
        Ok(pair.unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn code(&self, at: usize) -> Option<u32> {
        let digits = self.body.get(at..at + 6)?.strip_prefix("\\u")?;
        let hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        hexadecimal.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    }

    fn number(&mut self) -> Read<Box<str>> {
        let rest = self.body.get(self.at..).unwrap_or_default();
        let end = rest.bytes().position(|byte| !matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
        let number = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        if !is_number(number) {
            return Err(self.fault("a number is malformed"));
        }
        self.at += number.len();
        Ok(number.into())
    }

    fn word(&mut self) -> Read<Data> {
        let rest = self.body.get(self.at..).unwrap_or_default();
        for (word, data) in [("null", Data::Null), ("true", Data::Bool(true)), ("false", Data::Bool(false))] {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(data);
            }
        }
        Err(self.fault("a value is missing"))
    }

    fn space(&mut self) {
        let bytes = self.body.as_bytes();
        while let Some(byte @ (b' ' | b'\n' | b'\t' | b'\r')) = bytes.get(self.at) {
            self.at += 1;
            if *byte == b'\n' {
                self.line_start = self.at;
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.body.as_bytes().get(self.at).copied()
    }

    fn place(&mut self) -> Place {
        self.build.place(self.line_start, self.at)
    }

    fn fault(&self, what: &'static str) -> Fault {
        Fault::new(self.at, what)
    }
}

/// The number grammar of RFC 8259.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole)
        && (whole.len() == 1 || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits)
}
