//! Corefile text to tokens, by the rules of CoreDNS's caddyfile lexer (the same in every version).

use std::sync::Arc;

/// One word of a Corefile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The word, without its quotes.
    pub text: String,
    /// The line it starts on, counted from 1 within its file.
    pub line: u32,
    /// The character it starts on, counted from 1.
    pub column: u32,
    /// The imported file it stands in; nothing for the Corefile itself.
    pub file: Option<Arc<str>>,
}

impl Token {
    /// The line on which the word ends: a quoted word may span several.
    pub fn last_line(&self) -> u32 {
        let breaks = self.text.bytes().filter(|b| *b == b'\n').count();
        self.line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX))
    }

    /// Whether `next` goes on where this word's line ends: then it is an argument.
    pub fn is_followed_on_line_by(&self, next: &Token) -> bool {
        self.file == next.file && self.last_line() == next.line
    }

    /// Whether `next` stands on a later line. A word of a snippet can stand on an earlier one: that is no new line.
    pub fn is_followed_on_new_line_by(&self, next: &Token) -> bool {
        self.file != next.file || self.last_line() < next.line
    }
}

/// The first `most` words of `text`, in order. Every text has a reading; nothing is an error here.
pub fn tokens(text: &str, file: Option<&Arc<str>>, most: usize) -> Vec<Token> {
    let mut lexer = Lexer { rest: text.strip_prefix('\u{feff}').unwrap_or(text).chars(), line: 1, column: 0 };
    let mut out = Vec::new();
    while out.len() < most
        && let Some(mut token) = lexer.token()
    {
        token.file = file.cloned();
        out.push(token);
    }
    out
}

struct Lexer<'a> {
    rest: std::str::Chars<'a>,
    line: u32,
    column: u32,
}

impl Lexer<'_> {
    fn char(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        self.column = self.column.saturating_add(1);
        Some(c)
    }

    fn line_break(&mut self) {
        self.line = self.line.saturating_add(1);
        self.column = 0;
    }

    /// The next word. A `#` starts a comment even inside a word, and the comment ends with that word's line
    /// or, if the word has begun, at the next blank: `a#b c` is `a` and `c`.
    fn token(&mut self) -> Option<Token> {
        let mut token = Token { text: String::new(), line: 0, column: 0, file: None };
        let mut comment = false;
        while let Some(c) = self.char() {
            if c.is_whitespace() {
                if c == '\r' {
                    continue;
                }
                if c == '\n' {
                    self.line_break();
                    comment = false;
                }
                if !token.text.is_empty() {
                    return Some(token);
                }
                continue;
            }
            comment |= c == '#';
            if comment {
                continue;
            }
            if token.text.is_empty() {
                (token.line, token.column) = (self.line, self.column);
                if c == '"' {
                    return self.quoted(token);
                }
            }
            token.text.push(c);
        }
        Some(token).filter(|token| !token.text.is_empty())
    }

    /// The rest of a quoted word. Only `\"` is an escape; the end of the text ends the word too.
    fn quoted(&mut self, mut token: Token) -> Option<Token> {
        let mut escaped = false;
        while let Some(c) = self.char() {
            match c {
                '\\' if !escaped => {
                    escaped = true;
                    continue;
                }
                '"' if !escaped => return Some(token),
                '\n' => self.line_break(),
                _ => {}
            }
            if escaped && c != '"' {
                token.text.push('\\');
            }
            token.text.push(c);
            escaped = false;
        }
        Some(token).filter(|token| !token.text.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        tokens(text, None, 100).into_iter().map(|t| t.text).collect()
    }

    #[test]
    fn words_quotes_and_comments() {
        let cases: &[(&str, &[&str])] = &[
            ("a b\nc", &["a", "b", "c"]),
            ("\u{feff}a", &["a"]),
            ("a # b c\nd", &["a", "d"]),
            ("a#b c", &["a", "c"]),
            (r#""a b" "c\"d" "e\f""#, &["a b", "c\"d", "e\\f"]),
            ("\"\" x", &["", "x"]),
            ("\"", &[]),
            ("a\"b c", &["a\"b", "c"]),
            ("a\rb\r\nc", &["ab", "c"]),
            ("\"open", &["open"]),
        ];
        for (text, expected) in cases {
            assert_eq!(words(text), *expected, "{text:?}");
        }
    }

    #[test]
    fn places() {
        let all = tokens("a\n  \"b\nc\" d", None, 100);
        let places: Vec<_> = all.iter().map(|t| (t.line, t.column)).collect();
        assert_eq!(places, [(1, 1), (2, 3), (3, 4)]);
        assert!(all[1].is_followed_on_line_by(&all[2]));
    }
}
