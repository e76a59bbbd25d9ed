//! Bytes to text: encodings, line ends, terminal sequences.
//!
//! Lines are counted after decoding: `\n`, `\r\n` and a lone `\r` each end a line, and terminal sequences are gone.
//! [`decode`] holds the whole text; [`LineDecoder`] gives the same lines of a stream that is never held.

use std::borrow::Cow;

use encoding_rs::{UTF_16BE, UTF_16LE};

use super::lines::{ESCAPE, Lines};

/// How many bytes decide the encoding.
const HEAD: usize = 1024;

/// How many bytes decide whether it is text at all.
const SAMPLE: usize = 64 << 10;

/// What the bytes of an entry are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decoded {
    /// Text, ready for [`crate::text::Text::new`].
    Text {
        /// UTF-8 with `\n` line ends and without byte order mark and terminal sequences.
        body: String,
        /// What was unusual, in words for the inventory.
        notes: Vec<String>,
    },
    /// Not text.
    Binary,
}

/// Decodes a whole entry. Plain UTF-8 is not copied.
pub fn decode(bytes: Vec<u8>) -> Decoded {
    if is_binary(&bytes) {
        return Decoded::Binary;
    }
    let plain = encoding(head(&bytes)) == (Encoding::Utf8, 0) && memchr::memchr2(b'\r', ESCAPE, &bytes).is_none();
    match if plain { String::from_utf8(bytes).map_err(|error| error.into_bytes()) } else { Err(bytes) } {
        Ok(body) => with_blanks(body, Vec::new()),
        Err(bytes) => cleaned(&bytes),
    }
}

/// What a browser or a chat puts between the columns of a table.
const NO_BREAK: char = '\u{a0}';

/// Non-breaking blanks that stand in a row of blanks inside a line become blanks: a table was pasted. Others stay, for
/// where they stand alone or indent a line they are what somebody wrote, a Corefile say.
fn with_blanks(mut body: String, mut notes: Vec<String>) -> Decoded {
    if memchr::memmem::find(body.as_bytes(), "\u{a0}".as_bytes()).is_some() {
        let mut lines = 0;
        let cleaned = body.split_inclusive('\n').map(|line| {
            let shown = line.trim_start();
            let pasted = ["\u{a0}\u{a0}", "\u{a0} ", " \u{a0}"].iter().any(|row| shown.trim_end().contains(row));
            lines += usize::from(pasted);
            if pasted { Cow::Owned(line.replace(NO_BREAK, " ")) } else { Cow::Borrowed(line) }
        });
        body = cleaned.collect();
        if lines > 0 {
            notes.push(format!("non-breaking blanks between columns read as blanks (lines: {lines})"));
        }
    }
    Decoded::Text { body, notes }
}

/// Another encoding, other line ends or terminal sequences.
fn cleaned(bytes: &[u8]) -> Decoded {
    let mut body = String::with_capacity(bytes.len());
    let mut lines = LineDecoder::new(usize::MAX);
    let mut keep = |_: u32, line: &str| {
        body.push_str(line);
        body.push('\n');
    };
    lines.push(bytes, &mut keep);
    lines.finish(&mut keep);
    with_blanks(body, lines.notes())
}

/// Whether these first bytes belong to something that is not text: many control characters, or most bytes above
/// ASCII in what is not UTF-8.
pub fn is_binary(bytes: &[u8]) -> bool {
    let sample = bytes.get(..SAMPLE).unwrap_or(bytes);
    let (encoding, mark) = encoding(head(bytes));
    let utf16 = match encoding {
        Encoding::Utf8 => None,
        Encoding::Utf16Le => Some(UTF_16LE),
        Encoding::Utf16Be => Some(UTF_16BE),
    };
    if let Some(utf16) = utf16 {
        let text = utf16.decode_without_bom_handling(&sample[mark..]).0;
        let odd = text.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER || u8::try_from(*c).is_ok_and(is_control));
        return odd.count() * 10 > text.chars().count();
    }
    let controls = sample.iter().filter(|byte| is_control(**byte)).count();
    let high = sample.iter().filter(|byte| **byte >= 0x80).count();
    let is_utf8 = match std::str::from_utf8(sample) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(), // only the sample's last character is cut
    };
    if is_utf8 { controls * 10 > sample.len() } else { controls * 50 > sample.len() || high * 5 > sample.len() * 2 }
}

/// Control characters that no text file needs.
fn is_control(byte: u8) -> bool {
    (byte < 0x20 && !matches!(byte, 0x07..=0x0d | ESCAPE)) || byte == 0x7f
}

/// How the bytes are read. What is not UTF-8 is decided line by line: a line that is no UTF-8 is read as CP1252,
/// so that one stray byte in a log does not spoil the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
}

fn head(bytes: &[u8]) -> &[u8] {
    bytes.get(..HEAD).unwrap_or(bytes)
}

/// The encoding that the first bytes show, and the length of their byte order mark.
fn encoding(head: &[u8]) -> (Encoding, usize) {
    match head {
        [0xef, 0xbb, 0xbf, ..] => (Encoding::Utf8, 3),
        [0xff, 0xfe, ..] => (Encoding::Utf16Le, 2),
        [0xfe, 0xff, ..] => (Encoding::Utf16Be, 2),
        _ if is_utf16(head, 0) => (Encoding::Utf16Le, 0),
        _ if is_utf16(head, 1) => (Encoding::Utf16Be, 0),
        _ => (Encoding::Utf8, 0),
    }
}

/// Whether nearly every pair of bytes is a printable ASCII character, at place `at` of the pair, and a zero.
fn is_utf16(head: &[u8], at: usize) -> bool {
    let pairs = head.chunks_exact(2);
    let total = pairs.len();
    let ascii = pairs.filter(|pair| {
        let character = pair[at];
        pair[1 - at] == 0 && (character >= 0x20 || matches!(character, b'\t' | b'\n' | b'\r' | ESCAPE))
    });
    total >= 2 && ascii.count() * 10 >= total * 8
}

/// Decodes a stream chunk by chunk and hands out its complete lines with their numbers, counted from 1. However the
/// stream is cut into chunks, the lines are the same. It keeps one unfinished line and nothing else.
#[derive(Default)]
pub struct LineDecoder {
    limit: usize,
    /// The first bytes, until there are enough of them to see the encoding.
    head: Vec<u8>,
    encoding: Option<Encoding>,
    mark: bool,
    utf16: Option<encoding_rs::Decoder>,
    lines: Lines,
}

impl LineDecoder {
    /// A decoder for lines up to `limit` bytes; the rest of such a line is dropped and counted.
    pub fn new(limit: usize) -> Self {
        LineDecoder { limit, ..Self::default() }
    }

    /// Takes the next bytes and hands each line that they complete to `each`.
    pub fn push(&mut self, chunk: &[u8], each: &mut impl FnMut(u32, &str)) {
        if self.encoding.is_some() {
            return self.feed(chunk, each);
        }
        if self.head.is_empty() && chunk.len() >= HEAD {
            let mark = self.choose(head(chunk));
            return self.feed(chunk.get(mark..).unwrap_or_default(), each);
        }
        self.head.extend_from_slice(chunk);
        if self.head.len() >= HEAD {
            self.start(each);
        }
    }

    /// Ends the stream: hands out the last line if it has no line end.
    pub fn finish(&mut self, each: &mut impl FnMut(u32, &str)) {
        if self.encoding.is_none() {
            self.start(each);
        }
        if self.utf16.is_some() {
            self.feed_utf16(&[], true, each);
        }
        self.lines.finish(self.limit, each);
    }

    /// What was unusual, in words for the inventory.
    pub fn notes(&self) -> Vec<String> {
        let lines = &self.lines;
        let encoding = match (self.encoding, self.mark) {
            (Some(Encoding::Utf16Le), _) => Some("UTF-16, little-endian".to_owned()),
            (Some(Encoding::Utf16Be), _) => Some("UTF-16, big-endian".to_owned()),
            (_, true) => Some("UTF-8 with byte order mark".to_owned()),
            _ => None,
        };
        let cp1252 = (lines.cp1252 > 0).then(|| format!("not UTF-8, read as CP1252 (lines: {})", lines.cp1252));
        let crlf = lines.crlf.then(|| "CRLF line ends".to_owned());
        let lone = lines.lone_cr.then(|| "lone CR taken as a line end".to_owned());
        let colours = lines.escapes.then(|| "terminal sequences removed".to_owned());
        let dropped = (lines.dropped > 0)
            .then(|| format!("{} bytes at the ends of over-long lines not read (--max-line-bytes)", lines.dropped));
        [encoding, cp1252, crlf, lone, colours, dropped].into_iter().flatten().collect()
    }

    /// Bytes of over-long lines that were not read.
    pub fn dropped(&self) -> u64 {
        self.lines.dropped
    }

    /// Settles the encoding; gives the length of the byte order mark.
    fn choose(&mut self, head: &[u8]) -> usize {
        let (encoding, mark) = encoding(head);
        self.encoding = Some(encoding);
        self.mark = mark > 0;
        self.utf16 = match encoding {
            Encoding::Utf8 => None,
            Encoding::Utf16Le => Some(UTF_16LE.new_decoder_without_bom_handling()),
            Encoding::Utf16Be => Some(UTF_16BE.new_decoder_without_bom_handling()),
        };
        mark
    }

    fn start(&mut self, each: &mut impl FnMut(u32, &str)) {
        let held = std::mem::take(&mut self.head);
        let mark = self.choose(head(&held));
        self.feed(held.get(mark..).unwrap_or_default(), each);
    }

    fn feed(&mut self, chunk: &[u8], each: &mut impl FnMut(u32, &str)) {
        if self.utf16.is_some() {
            self.feed_utf16(chunk, false, each)
        } else {
            self.lines.feed(chunk, self.limit, each)
        }
    }

    /// Turns UTF-16 into UTF-8 in pieces of bounded size.
    fn feed_utf16(&mut self, mut chunk: &[u8], last: bool, each: &mut impl FnMut(u32, &str)) {
        let Some(decoder) = &mut self.utf16 else { return };
        let mut piece = [0u8; 16 << 10];
        loop {
            let (result, read, written, _) = decoder.decode_to_utf8(chunk, &mut piece, last);
            self.lines.feed(&piece[..written], self.limit, each);
            chunk = &chunk[read..];
            if result == encoding_rs::CoderResult::InputEmpty {
                return;
            }
        }
    }
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
