//! Bundle text made harmless: nothing in it may steer a terminal, a page or a ticket.
//!
//! A bundle is a stranger's file. Characters that a reader cannot see, and that change what is seen after them, are
//! shown by a picture or by their number. [`Html`] and [`Markdown`] are the escapers of the templates; they run on
//! every value that a template prints.

use std::borrow::Cow;
use std::fmt::{self, Write};

use askama::filters::Escaper;

/// Is `c` invisible, or does it move or turn what follows: controls (C0, DEL, C1), bidi marks and overrides, zero-width
/// characters, line separators, tags? The list is Unicode's `Default_Ignorable_Code_Point` and `Cc`, without the
/// variation selectors, which only choose between pictures.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Writes one hidden character so that it is seen: `␛` for a C0 control, `⟨U+202E⟩` for any other.
fn push_hidden(out: &mut impl Write, c: char) -> fmt::Result {
    match c {
        '\0'..='\u{1f}' => out.write_char(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}')),
        '\u{7f}' => out.write_char('␡'),
        _ => write!(out, "⟨U+{:04X}⟩", u32::from(c)),
    }
}

/// The same text with every hidden character shown; line ends and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    let shown = |c: char| matches!(c, '\n' | '\t') || !is_hidden(c);
    if text.chars().all(shown) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if shown(c) {
            out.push(c);
        } else {
            let _ = push_hidden(&mut out, c); // a String takes everything
        }
    }
    Cow::Owned(out)
}

/// The same text in ASCII, for terminals that know no more; what has no likeness is shown by its number.
pub fn ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\0'..='\u{7f}' => out.push(c),
            '…' => out.push_str("..."),
            '→' => out.push_str("->"),
            '×' => out.push('x'),
            '≈' => out.push('~'),
            '≥' => out.push_str(">="),
            '≤' => out.push_str("<="),
            '·' | '–' | '—' => out.push('-'),
            '‘' | '’' => out.push('\''),
            '“' | '”' => out.push('"'),
            _ => {
                let _ = write!(out, "<U+{:04X}>", u32::from(c));
            }
        }
    }
    Cow::Owned(out)
}

/// Escaper for HTML text and quoted attributes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Html;

impl Escaper for Html {
    fn write_escaped_str<W: Write>(&self, mut dest: W, text: &str) -> fmt::Result {
        for c in visible(text).chars() {
            match c {
                '<' => dest.write_str("&lt;")?,
                '>' => dest.write_str("&gt;")?,
                '&' => dest.write_str("&amp;")?,
                '"' => dest.write_str("&quot;")?,
                '\'' => dest.write_str("&#39;")?,
                _ => dest.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Escaper for one line of Markdown (CommonMark, and what GitHub, GitLab and Jira add), also inside a table cell.
///
/// Line ends become spaces. Mentions and issue numbers are cut by a code span around their sign, because those hosts
/// look for them after the backslashes are gone.
#[derive(Debug, Clone, Copy, Default)]
pub struct Markdown;

impl Escaper for Markdown {
    fn write_escaped_str<W: Write>(&self, mut dest: W, text: &str) -> fmt::Result {
        let text = one_line(text);
        let mut chars = text.chars().peekable();
        let mut before = "";
        let mut at_number = true; // so far only digits: `1.` would begin a list
        while let Some(c) = chars.next() {
            let start = before.is_empty();
            let next = chars.peek().copied();
            match c {
                '<' => dest.write_str("&lt;")?,
                '>' => dest.write_str("&gt;")?,
                '&' => dest.write_str("&amp;")?,
                '@' => dest.write_str("`@`")?,
                '#' if next.is_some_and(|n| n.is_ascii_digit()) => dest.write_str("`#`")?,
                '!' if next.is_some_and(|n| n.is_ascii_digit()) => dest.write_str("`!`")?,
                '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '|' | '~' | '$' => write!(dest, "\\{c}")?,
                '#' | '-' | '+' | '=' if start => write!(dest, "\\{c}")?,
                '.' | ')' if at_number && !start && next.is_none_or(char::is_whitespace) => write!(dest, "\\{c}")?,
                ':' if next == Some('/') => dest.write_str("\\:")?,
                '.' if before.ends_with("www") => dest.write_str("\\.")?,
                _ => dest.write_char(c)?,
            }
            at_number &= c.is_ascii_digit();
            before = &text[..before.len() + c.len_utf8()];
        }
        Ok(())
    }
}

/// The text in one visible line without blanks around it.
pub fn one_line(text: &str) -> String {
    visible(text.trim()).replace(['\n', '\t'], " ")
}

/// A Markdown code span that shows `text` as it stands.
pub fn code_span(text: &str) -> String {
    let text = one_line(text);
    if text.is_empty() {
        return String::new();
    }
    let ticks = "`".repeat(longest_run(&text, '`') + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// A Markdown code span for a table cell. A pipe or backslash inside a span would split the cell: such text is escaped
/// and stands without a span.
pub fn cell_span(text: &str) -> String {
    if !text.contains(['|', '\\', '`']) {
        return code_span(text);
    }
    let mut out = String::new();
    let _ = Markdown.write_escaped_str(&mut out, text); // a String takes everything
    out
}

/// A fenced Markdown block whose fence is longer than any run of backticks in `text`; `language` is ours.
pub fn fence(text: &str, language: &str) -> String {
    let text = visible(text.trim_end_matches(['\n', '\r']));
    let ticks = "`".repeat((longest_run(&text, '`') + 1).max(3));
    format!("{ticks}{language}\n{text}\n{ticks}")
}

/// A name for `id="…"` and `#…`: small letters, digits and hyphens, whatever is given.
pub fn anchor(id: &str) -> String {
    id.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect()
}

fn longest_run(text: &str, of: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == of { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn escaped(escaper: impl Escaper, text: &str) -> String {
        let mut out = String::new();
        escaper.write_escaped_str(&mut out, text).unwrap();
        out
    }

    #[test]
    fn hidden_characters_are_shown() {
        for (given, wanted) in [
            ("plain ä → 漢", "plain ä → 漢"),
            ("a\u{1b}[31mb", "a␛[31mb"),
            ("\u{9b}31m", "⟨U+009B⟩31m"),
            ("a\u{202e}b", "a⟨U+202E⟩b"),
            ("a\u{7f}\r\n\tb", "a␡␍\n\tb"),
        ] {
            assert_eq!(visible(given), wanted);
        }
    }

    #[test]
    fn markdown_is_inert() {
        for (given, wanted) in [
            ("kube-system has 2 pods.", "kube-system has 2 pods."),
            ("# head", "\\# head"),
            ("- item", "\\- item"),
            ("1. item", "1\\. item"),
            ("10.96.0.10", "10.96.0.10"),
            ("a|b`c`*d*_e_", "a\\|b\\`c\\`\\*d\\*\\_e\\_"),
            ("<b>&lt;", "&lt;b&gt;&amp;lt;"),
            ("[x](javascript:y)", "\\[x\\](javascript:y)"),
            ("see https://x.y and www.z", "see https\\://x.y and www\\.z"),
            ("ask @me about #12", "ask `@`me about `#`12"),
            ("two\nlines", "two lines"),
            ("a\\|b", "a\\\\\\|b"),
        ] {
            assert_eq!(escaped(Markdown, given), wanted);
        }
    }

    #[test]
    fn code_and_fences_outlast_their_text() {
        assert_eq!(code_span("a.log:3"), "`a.log:3`");
        assert_eq!(code_span("`a``b"), "``` `a``b ```");
        assert_eq!(cell_span("a|b"), "a\\|b");
        assert_eq!(fence("x\n````\ny\n", "text"), "`````text\nx\n````\ny\n`````");
        assert_eq!(fence("", ""), "```\n\n```");
    }

    #[test]
    fn anchors_are_plain() {
        assert_eq!(anchor("corefile-loop"), "corefile-loop");
        assert_eq!(anchor("\"><x ä"), "---x--");
    }

    proptest! {
        #[test]
        fn nothing_hidden_and_no_markup_survives(text in any::<String>()) {
            let html = escaped(Html, &text);
            prop_assert!(!html.contains(['<', '>', '"', '\'']));
            let markdown = escaped(Markdown, &text);
            prop_assert!(!markdown.contains(['<', '>', '\n']));
            let terminal = ascii(&visible(&text)).into_owned();
            for out in [html, markdown, terminal.clone()] {
                prop_assert!(!out.chars().any(|c| is_hidden(c) && c != '\n' && c != '\t'));
            }
            prop_assert!(terminal.is_ascii());
        }
    }
}
