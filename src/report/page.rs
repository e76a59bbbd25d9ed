//! Lines on a terminal: wrapping, indents and colours. Everything that is written passes here, so that nothing from the
//! bundle reaches the terminal as a command to it.

use super::escape::{ascii, visible};

/// How the terminal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Columns; lines are wrapped there, but a word, a place and a command are never broken.
    pub width: usize,
    /// Whether to write colours (SGR sequences).
    pub colour: bool,
    /// Whether it shows more than ASCII.
    pub unicode: bool,
}

/// How a piece of text stands out; the words say the same without colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Plain,
    Bold,
    Dim,
    Good,
    Warn,
    Bad,
}

impl Ink {
    fn sequence(self) -> &'static str {
        match self {
            Ink::Plain => "",
            Ink::Bold => "\x1b[1m",
            Ink::Dim => "\x1b[2m",
            Ink::Good => "\x1b[32m",
            Ink::Warn => "\x1b[33m",
            Ink::Bad => "\x1b[1;31m",
        }
    }
}

/// A piece of a line.
pub(super) type Piece<'a> = (Ink, &'a str);

/// The text so far.
pub(super) struct Page {
    look: Look,
    out: String,
}

impl Page {
    pub fn new(look: &Look) -> Self {
        Page { look: Look { width: look.width.max(20), ..*look }, out: String::new() }
    }

    pub fn finish(self) -> String {
        self.out
    }

    pub fn unicode(&self) -> bool {
        self.look.unicode
    }

    /// An empty line, and a title.
    pub fn heading(&mut self, title: &str) {
        self.out.push('\n');
        self.pieces(0, 0, &[(Ink::Bold, title)]);
    }

    /// Text from column `indent` on; what does not fit goes on at column `hang`.
    pub fn text(&mut self, indent: usize, hang: usize, text: &str) {
        self.pieces(indent, hang, &[(Ink::Plain, text)]);
    }

    /// The same of several inks, joined by blanks; blanks inside a piece stay as they are.
    pub fn pieces(&mut self, indent: usize, hang: usize, pieces: &[Piece]) {
        let shown = pieces.iter().filter(|(_, text)| !text.is_empty());
        let words = shown.flat_map(|(ink, text)| {
            let text = self.clean(text).replace(['\n', '\t'], " ");
            text.split(' ').map(|word| (*ink, word.to_owned())).collect::<Vec<_>>()
        });
        self.wrap(indent, hang, words.collect());
    }

    /// Units that are never broken, even where they hold blanks.
    pub fn units(&mut self, indent: usize, hang: usize, units: &[(Ink, String)]) {
        self.wrap(
            indent,
            hang,
            units.iter().map(|(ink, text)| (*ink, self.clean(text).replace(['\n', '\t'], " "))).collect(),
        );
    }

    /// Something to copy: no line of it is wrapped.
    pub fn verbatim(&mut self, indent: usize, text: &str) {
        for line in text.trim_end().lines() {
            let line = self.clean(line);
            self.line(indent, &[(Ink::Plain, line)]);
        }
    }

    fn clean(&self, text: &str) -> String {
        let shown = visible(text);
        if self.look.unicode { shown.into_owned() } else { ascii(&shown).into_owned() }
    }

    fn wrap(&mut self, indent: usize, hang: usize, words: Vec<(Ink, String)>) {
        let (mut line, mut start, mut column) = (Vec::new(), indent, indent);
        for (ink, word) in words {
            let length = word.chars().count();
            if !line.is_empty() && column + 1 + length > self.look.width {
                self.line(start, &line);
                line.clear();
                (start, column) = (hang, hang);
            }
            column += length + usize::from(!line.is_empty());
            line.push((ink, word));
        }
        self.line(start, &line);
    }

    fn line(&mut self, indent: usize, words: &[(Ink, String)]) {
        let length = words.iter().rposition(|(_, word)| !word.is_empty()).map_or(0, |last| last + 1);
        let words = words.get(..length).unwrap_or_default();
        self.out.push_str(&" ".repeat(indent));
        let mut current = Ink::Plain;
        for (i, (ink, word)) in words.iter().enumerate() {
            if *ink != current && current != Ink::Plain {
                self.paint("\x1b[0m");
            }
            if i > 0 {
                self.out.push(' ');
            }
            if *ink != current {
                self.paint(ink.sequence());
            }
            self.out.push_str(word);
            current = *ink;
        }
        if current != Ink::Plain {
            self.paint("\x1b[0m");
        }
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
    }

    fn paint(&mut self, sequence: &str) {
        if self.look.colour {
            self.out.push_str(sequence);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOK: Look = Look { width: 24, colour: false, unicode: true };

    fn page(look: Look, write: impl Fn(&mut Page)) -> String {
        let mut page = Page::new(&look);
        write(&mut page);
        page.finish()
    }

    #[test]
    fn long_lines_hang() {
        let text = page(LOOK, |p| p.text(2, 6, "one two three four five six"));
        assert_eq!(text, "  one two three four\n      five six\n");
    }

    #[test]
    fn commands_and_places_are_never_broken() {
        let command = "kubectl -n kube-system get configmap coredns -o yaml";
        assert_eq!(page(LOOK, |p| p.verbatim(4, command)), format!("    {command}\n"));
        assert!(page(LOOK, |p| p.text(0, 2, "see a/very/long/path/to/some.log:12 there")).contains("to/some.log:12"));
    }

    #[test]
    fn only_our_own_colours_come_out() {
        let write = |p: &mut Page| p.pieces(0, 0, &[(Ink::Bad, "a\x1b[2Jb"), (Ink::Plain, "c")]);
        assert_eq!(page(LOOK, write), "a␛[2Jb c\n");
        assert_eq!(page(Look { unicode: false, ..LOOK }, write), "a<U+241B>[2Jb c\n");
        assert_eq!(page(Look { colour: true, ..LOOK }, write), "\x1b[1;31ma␛[2Jb\x1b[0m c\n");
    }
}
