//! The Corefile: its text as a tree, what it sets, what a CoreDNS version makes of it, and what will hurt.

mod lexer;
mod parse;
mod print;
pub mod zones;

pub use lexer::Token;

use std::collections::BTreeMap;
use std::sync::Arc;

/// Where the manifests of every distribution mount the Corefile.
pub const USUAL_PATH: &str = "/etc/coredns/Corefile";

/// A Corefile as CoreDNS reads it: snippets and imported files are in their places already.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Corefile {
    /// The server blocks, in the order of the file.
    pub blocks: Vec<ServerBlock>,
    /// The snippets, `(name) { … }`.
    pub snippets: Vec<Snippet>,
    /// The import lines, in the order they were followed.
    pub imports: Vec<Import>,
    /// Why reading stopped, if it did. What stood before is in the tree.
    pub fault: Option<SyntaxFault>,
    /// Whether the text has words at all. Without any, CoreDNS serves its built-in default: whoami and log on `.:53`.
    pub has_words: bool,
}

/// Zones and what is done for them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServerBlock {
    /// The zones, as written: `.:53`, `dns://example.org`, `10.0.0.0/24`.
    pub keys: Vec<Token>,
    /// The plugins, as written: the order says nothing about the order of execution.
    pub directives: Vec<Directive>,
}

/// One plugin line with its block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// All words, the name first, braces among them, as CoreDNS hands them to the plugin. Never empty.
    pub tokens: Vec<Token>,
}

/// One line in the block of a plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Property<'a> {
    /// All words of the line, the name first. Never empty.
    pub tokens: &'a [Token],
}

/// The name of a snippet and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The name without its parentheses.
    pub name: String,
    /// The line of the name.
    pub line: u32,
}

/// One import line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// What is imported: a snippet's name, a file or a pattern.
    pub pattern: Token,
    /// What stands behind it.
    pub found: Imported,
}

/// What stands behind an import line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Imported {
    /// A snippet of the same file.
    Snippet,
    /// These files.
    Files(Vec<String>),
    /// Nothing: a pattern without a match is only a warning.
    Nothing,
    /// Not known: the files are not at hand.
    Unknown,
}

/// The point where CoreDNS stops reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxFault {
    /// The line the message names.
    pub line: u32,
    /// The imported file it names; nothing for the Corefile itself.
    pub file: Option<Arc<str>>,
    /// The message without its place, as CoreDNS words it: `Unexpected EOF`.
    pub message: String,
    /// How the message begins: `Error during parsing` or `Syntax error`.
    pub class: SyntaxClass,
}

/// How the parser's message begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyntaxClass {
    /// `Error during parsing: …`
    Parsing,
    /// `Syntax error: …`
    Syntax,
    /// An import that leads back to itself: an error from 1.13.0 on, before that CoreDNS hangs (coredns #7567).
    Cycle,
}

/// What a Corefile depends on beside its text. `None` means: not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surroundings {
    /// The path of the Corefile, which messages name and imports are relative to.
    pub path: String,
    /// All files that CoreDNS can read, by path.
    pub files: Option<BTreeMap<String, String>>,
    /// The environment's variables.
    pub environment: Option<BTreeMap<String, String>>,
    /// The network interfaces and their addresses.
    pub interfaces: Option<BTreeMap<String, Vec<String>>>,
}

impl Default for Surroundings {
    fn default() -> Self {
        Surroundings { path: USUAL_PATH.to_owned(), files: None, environment: None, interfaces: None }
    }
}

impl Corefile {
    /// Reads a Corefile alone: import lines of files stay unresolved.
    pub fn parse(text: &str) -> Self {
        Self::parse_in(text, &Surroundings::default())
    }

    /// Reads a Corefile with the files it imports and the variables it names.
    pub fn parse_in(text: &str, surroundings: &Surroundings) -> Self {
        parse::parse(text, surroundings)
    }

    /// Whether something the file imports was not at hand.
    pub fn has_unknown_imports(&self) -> bool {
        self.imports.iter().any(|import| import.found == Imported::Unknown)
    }
}

impl ServerBlock {
    /// The first line of this plugin.
    pub fn find(&self, name: &str) -> Option<&Directive> {
        self.directives.iter().find(|directive| directive.name() == name)
    }

    /// Every line of this plugin.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Directive> {
        self.directives.iter().filter(move |directive| directive.name() == name)
    }

    /// Whether the block has this plugin.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The line of the first zone.
    pub fn line(&self) -> Option<u32> {
        self.keys.first().map(|key| key.line)
    }
}

impl Directive {
    /// The plugin's name.
    pub fn name(&self) -> &str {
        self.tokens.first().map_or("", |token| &token.text)
    }

    /// The line of the name.
    pub fn line(&self) -> u32 {
        self.tokens.first().map_or(0, |token| token.line)
    }

    /// The words behind the name on its line, up to the brace.
    pub fn args(&self) -> &[Token] {
        let all = self.tokens.get(1..).unwrap_or_default();
        let end = (0..all.len())
            .find(|i| all[*i].text == "{" || !self.tokens[*i].is_followed_on_line_by(&all[*i]))
            .unwrap_or(all.len());
        &all[..end]
    }

    /// The lines of the block. Words that follow a brace on its line count as a line.
    pub fn properties(&self) -> Vec<Property<'_>> {
        let start = self.args().len() + 1;
        let mut out = Vec::new();
        let Some(inside) = self.tokens.get(start + 1..) else { return out };
        let mut from = 0;
        for i in 0..inside.len() {
            let ends = inside.get(i + 1).is_none_or(|next| next.text == "}" || !inside[i].is_followed_on_line_by(next));
            if ends {
                if inside[from].text != "}" {
                    out.push(Property { tokens: &inside[from..=i] });
                }
                from = i + 1;
            }
        }
        out
    }

    /// The first line of the block with this name.
    pub fn property(&self, name: &str) -> Option<Property<'_>> {
        self.properties().into_iter().find(|property| property.name() == name)
    }
}

impl<'a> Property<'a> {
    /// The first word.
    pub fn name(&self) -> &'a str {
        self.tokens.first().map_or("", |token| &token.text)
    }

    /// The words behind it.
    pub fn args(&self) -> &'a [Token] {
        self.tokens.get(1..).unwrap_or_default()
    }

    /// The first word behind it.
    pub fn value(&self) -> Option<&'a str> {
        self.args().first().map(|token| token.text.as_str())
    }

    /// The line it stands on.
    pub fn line(&self) -> u32 {
        self.tokens.first().map_or(0, |token| token.line)
    }
}
