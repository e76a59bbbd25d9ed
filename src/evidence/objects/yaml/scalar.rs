//! Scalars: plain, quoted and block.

use super::super::tree::Data;

/// A plain scalar of one line by YAML 1.2's core schema. `no`, `0755` and the like are strings; a number keeps its
/// writing.
pub(super) fn resolve(text: &str) -> Data {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Data::Null,
        "true" | "True" | "TRUE" => Data::Bool(true),
        "false" | "False" | "FALSE" => Data::Bool(false),
        _ if is_number(text) => Data::Number(text.into()),
        _ => Data::text(text),
    }
}

fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let radix = |prefix: &str, radix: u32| {
        let digits = unsigned.strip_prefix(prefix);
        digits.is_some_and(|digits| !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix)))
    };
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    if radix("0x", 16) || radix("0o", 8) || radix("0b", 2) {
        return true;
    }
    let octal = unsigned.len() > 1 && unsigned.starts_with('0') && unsigned.bytes().all(|byte| byte.is_ascii_digit());
    let numeric = unsigned.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    !octal
        && numeric
        && unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && text.parse().is_ok_and(f64::is_finite)
}

/// Whether a plain scalar may begin like this.
pub(super) fn is_plain_start(words: &str) -> bool {
    let mut bytes = words.bytes();
    match bytes.next() {
        Some(b'-' | b'?' | b':') => bytes.next().is_some_and(|next| next != b' ' && next != b'\t'),
        // An alias in YAML; kubectl writes none, and redaction writes its marks without quotes.
        Some(b'*') => words.starts_with("***"),
        Some(first) => !b",[]{}#&!|>'\"%@`".contains(&first),
        None => false,
    }
}

/// The first colon that ends a key: one before a blank or the end.
pub(super) fn colon(words: &str) -> Option<usize> {
    memchr::memchr_iter(b':', words.as_bytes())
        .find(|at| matches!(words.as_bytes().get(at + 1), None | Some(b' ' | b'\t')))
}

/// The words before a comment, and whether there is one.
pub(super) fn until_comment(words: &str) -> (&str, bool) {
    let hash = memchr::memchr_iter(b'#', words.as_bytes())
        .find(|at| at.checked_sub(1).is_some_and(|before| matches!(words.as_bytes()[before], b' ' | b'\t')));
    (words[..hash.unwrap_or(words.len())].trim_end_matches([' ', '\t']), hash.is_some())
}

/// A line end inside a scalar is a space, and each blank line after it a line end.
pub(super) fn fold(out: &mut String, blanks: usize) {
    match blanks {
        0 => out.push(' '),
        _ => out.extend(std::iter::repeat_n('\n', blanks)),
    }
}

/// Only blanks.
pub(super) fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| byte == b' ')
}

/// A quoted scalar that is read line by line.
pub(super) struct Quoted {
    mark: u8,
    out: String,
    /// Bytes of `out` that no fold may trim: up to the last that is no blank, or that was escaped.
    keep: usize,
    blanks: usize,
    /// `Some` after the first line: whether its end is escaped.
    escaped_end: Option<bool>,
    /// An escape is unknown.
    pub broken: bool,
}

impl Quoted {
    pub(super) fn new(mark: u8) -> Self {
        Quoted { mark, out: String::new(), keep: 0, blanks: 0, escaped_end: None, broken: false }
    }

    pub(super) fn finish(self) -> Box<str> {
        self.out.into()
    }

    /// Takes a line without its end; gives the bytes up to and with the closing quote, if it is in this line.
    pub(super) fn line(&mut self, line: &str) -> Option<usize> {
        let mut at = 0;
        if let Some(escaped) = self.escaped_end {
            let words = line.trim_start_matches([' ', '\t']);
            if words.is_empty() {
                self.blanks += 1;
                return None;
            }
            at = line.len() - words.len();
            match std::mem::take(&mut self.blanks) {
                0 if escaped => {}
                blanks => fold(&mut self.out, blanks),
            }
            self.keep = self.out.len();
        }
        let (closed, escaped_end) = self.words(line, at);
        if closed.is_none() {
            self.out.truncate(self.keep);
            self.escaped_end = Some(escaped_end);
        }
        closed
    }

    /// Reads from byte `at` up to the closing quote or the line's end, which may be escaped.
    fn words(&mut self, line: &str, mut at: usize) -> (Option<usize>, bool) {
        loop {
            let rest = line.get(at..).unwrap_or_default();
            let stop = match self.mark {
                b'"' => memchr::memchr2(b'"', b'\\', rest.as_bytes()),
                _ => memchr::memchr(b'\'', rest.as_bytes()),
            };
            self.push(&rest[..stop.unwrap_or(rest.len())]);
            let Some(stop) = stop else {
                return (None, false);
            };
            at += stop + 1;
            let next = line.as_bytes().get(at);
            match rest.as_bytes()[stop] {
                b'\'' if next == Some(&b'\'') => {
                    self.push("'");
                    at += 1;
                }
                b'\\' if next.is_none() => {
                    self.keep = self.out.len();
                    return (None, true);
                }
                b'\\' => at += self.escape(line.get(at..).unwrap_or_default()),
                _ => return (Some(at), false),
            }
        }
    }

    fn push(&mut self, words: &str) {
        let solid = words.trim_end_matches([' ', '\t']).len();
        if solid > 0 {
            self.keep = self.out.len() + solid;
        }
        self.out.push_str(words);
    }

    /// Takes the escape behind a backslash and gives its length.
    fn escape(&mut self, rest: &str) -> usize {
        let letter = rest.chars().next().unwrap_or_default();
        let (character, length) = match letter {
            '0' => ('\0', 1),
            'a' => ('\u{7}', 1),
            'b' => ('\u{8}', 1),
            't' | '\t' => ('\t', 1),
            'n' => ('\n', 1),
            'v' => ('\u{b}', 1),
            'f' => ('\u{c}', 1),
            'r' => ('\r', 1),
            'e' => ('\u{1b}', 1),
            ' ' | '"' | '/' | '\\' => (letter, 1),
            'N' => ('\u{85}', 1),
            '_' => ('\u{a0}', 1),
            'L' => ('\u{2028}', 1),
            'P' => ('\u{2029}', 1),
            'x' => self.code(rest, 2),
            'u' => self.code(rest, 4),
            'U' => self.code(rest, 8),
            _ => {
                self.broken = true;
                (letter, letter.len_utf8())
            }
        };
        self.out.push(character);
        self.keep = self.out.len();
        length
    }

    fn code(&mut self, rest: &str, digits: usize) -> (char, usize) {
        let code = rest.get(1..1 + digits).filter(|code| code.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let character = code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
        self.broken |= character.is_none();
        (character.unwrap_or(char::REPLACEMENT_CHARACTER), if code.is_some() { 1 + digits } else { 1 })
    }
}

/// The header of a block scalar.
pub(super) struct Style {
    /// `>`: line ends are folded.
    pub folded: bool,
    /// The indentation indicator.
    pub indent: Option<usize>,
    /// `-` drops the line ends behind the last line, `+` keeps all of them.
    chomp: Option<char>,
}

impl Style {
    /// Reads `|`, `>`, `|2-`, `|+` and the like; a comment may follow.
    pub(super) fn parse(header: &str) -> Option<Style> {
        let (marks, comment) = header.split_once(' ').unwrap_or((header, ""));
        let comment = comment.trim_matches([' ', '\t']);
        if marks.len() > 3 || !(comment.is_empty() || comment.starts_with('#')) {
            return None;
        }
        let mut style = Style { folded: marks.starts_with('>'), indent: None, chomp: None };
        for mark in marks.chars().skip(1) {
            match mark {
                '1'..='9' if style.indent.is_none() => style.indent = mark.to_digit(10).map(|digit| digit as usize),
                '-' | '+' if style.chomp.is_none() => style.chomp = Some(mark),
                _ => return None,
            }
        }
        Some(style)
    }

    /// The text of the block's lines.
    pub(super) fn join(&self, lines: &[&str]) -> String {
        let solid = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
        let (content, tail) = lines.split_at(solid);
        let mut out = if self.folded { folded(content) } else { content.join("\n") };
        match self.chomp {
            Some('-') => {}
            Some(_) => out.extend(std::iter::repeat_n('\n', tail.len() + usize::from(solid > 0))),
            None if solid > 0 => out.push('\n'),
            None => {}
        }
        out
    }
}

/// Line ends between two lines that begin with a word are folded; those around a line that begins with a blank stay.
fn folded(lines: &[&str]) -> String {
    let mut out = String::new();
    let mut before: Option<&str> = None;
    let mut blanks = 0;
    for line in lines {
        if line.is_empty() {
            blanks += 1;
            continue;
        }
        let indented = |line: &str| line.starts_with([' ', '\t']);
        let empty = std::mem::take(&mut blanks);
        match before {
            None => out.extend(std::iter::repeat_n('\n', empty)),
            Some(before) if indented(before) || indented(line) => out.extend(std::iter::repeat_n('\n', empty + 1)),
            Some(_) => fold(&mut out, empty),
        }
        out.push_str(line);
        before = Some(line);
    }
    out
}
