//! Splits UTF-8 (or CP1252) bytes into clean lines.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

/// The byte that begins a terminal sequence.
pub const ESCAPE: u8 = 0x1b;

/// Splits UTF-8 (or CP1252) bytes into lines.
#[derive(Default)]
pub struct Lines {
    /// The beginning of a line whose end has not come yet; at most a little over the limit.
    partial: Vec<u8>,
    /// Bytes of that line beyond what `partial` keeps.
    beyond: u64,
    /// The line before was ended by `\r`, so that a `\n` right behind ends nothing.
    after_cr: bool,
    number: u32,
    /// Lines that were no UTF-8.
    pub cp1252: u64,
    /// A `\r\n` was seen.
    pub crlf: bool,
    /// A `\r` without `\n` was seen.
    pub lone_cr: bool,
    /// Terminal sequences were removed.
    pub escapes: bool,
    /// Bytes of over-long lines that were not handed out.
    pub dropped: u64,
}

impl Lines {
    /// Takes the next bytes and hands each line that they complete to `each`.
    pub fn feed(&mut self, chunk: &[u8], limit: usize, each: &mut impl FnMut(u32, &str)) {
        let mut rest = chunk;
        if (!self.partial.is_empty() || self.after_cr)
            && let Some(end) = memchr::memchr(b'\n', rest)
        {
            let (first, others) = rest.split_at(end + 1);
            self.split(first, limit, each);
            rest = others;
        }
        let whole = memchr::memrchr(b'\n', rest).map_or(0, |end| end + 1);
        let (lines, tail) = rest.split_at(whole);
        let plain = memchr::memchr2(b'\r', ESCAPE, lines).is_none();
        match plain.then(|| std::str::from_utf8(lines)) {
            Some(Ok(text)) => self.hand_out(text, limit, each),
            _ => self.split(lines, limit, each),
        }
        self.split(tail, limit, each);
    }

    /// The fast way: complete lines that need no change.
    fn hand_out(&mut self, text: &str, limit: usize, each: &mut impl FnMut(u32, &str)) {
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', text.as_bytes()) {
            let line = &text[start..end];
            start = end + 1;
            if line.len() > limit {
                self.emit(line.as_bytes(), 0, limit, each);
            } else {
                self.number = self.number.saturating_add(1);
                each(self.number, line);
            }
        }
    }

    /// The careful way: line ends of every kind; what has none yet is kept for the next chunk.
    fn split(&mut self, bytes: &[u8], limit: usize, each: &mut impl FnMut(u32, &str)) {
        let mut start = 0;
        for end in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            let piece = &bytes[start..end];
            start = end + 1;
            if self.partial.is_empty() {
                self.end_line(piece, 0, bytes[end], limit, each);
            } else {
                self.keep(piece, limit);
                let (whole, beyond) = (std::mem::take(&mut self.partial), std::mem::take(&mut self.beyond));
                self.end_line(&whole, beyond, bytes[end], limit, each);
            }
        }
        self.keep(&bytes[start..], limit);
    }

    /// Adds to the unfinished line; beyond the limit it only counts.
    fn keep(&mut self, piece: &[u8], limit: usize) {
        let room = limit.saturating_add(4).saturating_sub(self.partial.len()).min(piece.len());
        self.partial.extend_from_slice(&piece[..room]);
        self.beyond += (piece.len() - room) as u64;
    }

    fn end_line(&mut self, raw: &[u8], beyond: u64, end: u8, limit: usize, each: &mut impl FnMut(u32, &str)) {
        let after_cr = std::mem::replace(&mut self.after_cr, end == b'\r');
        if after_cr {
            // `\r`, perhaps a terminal sequence, and `\n` are one line end.
            if end == b'\n' && beyond == 0 && self.without_escapes(raw).is_empty() {
                self.crlf = true;
                return;
            }
            self.lone_cr = true;
        }
        self.emit(raw, beyond, limit, each);
    }

    /// Hands out the last line if it has no line end.
    pub fn finish(&mut self, limit: usize, each: &mut impl FnMut(u32, &str)) {
        let (whole, beyond) = (std::mem::take(&mut self.partial), std::mem::take(&mut self.beyond));
        if !self.without_escapes(&whole).is_empty() {
            self.emit(&whole, beyond, limit, each);
        }
    }

    fn emit(&mut self, raw: &[u8], beyond: u64, limit: usize, each: &mut impl FnMut(u32, &str)) {
        let kept = &raw[..cut(raw, limit)];
        self.dropped += beyond + (raw.len() - kept.len()) as u64;
        let clean = self.without_escapes(kept);
        self.number = self.number.saturating_add(1);
        match std::str::from_utf8(&clean) {
            Ok(line) => each(self.number, line),
            Err(_) => {
                self.cp1252 += 1;
                each(self.number, &WINDOWS_1252.decode_without_bom_handling(&clean).0);
            }
        }
    }

    fn without_escapes<'a>(&mut self, raw: &'a [u8]) -> Cow<'a, [u8]> {
        let clean = strip_escapes(raw);
        self.escapes |= clean.len() != raw.len();
        clean
    }
}

/// Where to cut a line to at most `limit` bytes without cutting a UTF-8 character.
fn cut(raw: &[u8], limit: usize) -> usize {
    if raw.len() <= limit {
        return raw.len();
    }
    let is_start = |at: &usize| raw.get(*at).is_none_or(|byte| byte & 0xc0 != 0x80);
    (limit.saturating_sub(3)..=limit).rev().find(is_start).unwrap_or(limit)
}

/// Removes terminal sequences: colours and cursor moves (`ESC [ … letter`), titles and links (`ESC ] … BEL`), and
/// character sets (`ESC ( B`). A sequence that does not end in the line stays.
fn strip_escapes(raw: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(ESCAPE, raw).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut clean = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr::memchr(ESCAPE, rest) {
        let (before, from) = rest.split_at(at);
        clean.extend_from_slice(before);
        let length = escape_length(from).unwrap_or_else(|| {
            clean.push(ESCAPE);
            1
        });
        rest = &from[length..];
    }
    clean.extend_from_slice(rest);
    Cow::Owned(clean)
}

/// The length of the terminal sequence at the start, if it is one and complete.
fn escape_length(from: &[u8]) -> Option<usize> {
    match from.get(1)? {
        b'[' => {
            let body = from.get(2..)?;
            let end = body.iter().position(|byte| !(0x20..0x40).contains(byte))?;
            (0x40..0x7f).contains(&body[end]).then_some(end + 3)
        }
        b']' => {
            let body = from.get(2..)?;
            let end = memchr::memchr2(0x07, ESCAPE, body)?;
            match (body[end], body.get(end + 1)) {
                (0x07, _) => Some(end + 3),
                (_, Some(b'\\')) => Some(end + 4),
                _ => None,
            }
        }
        b'(' | b')' => from.get(2).filter(|set| set.is_ascii_alphanumeric()).map(|_| 3),
        _ => None,
    }
}
