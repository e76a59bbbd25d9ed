//! Tokens to a tree, step by step as CoreDNS's parser goes (coredns/caddy caddyfile, 1.0.4 to 1.1.4).
//!
//! The names of the plugins are not checked here: which ones exist depends on the version.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::lexer::{Token, tokens};
use super::{Corefile, Directive, Import, Imported, ServerBlock, Snippet, Surroundings, SyntaxClass, SyntaxFault};

/// CoreDNS stops after this many imports (caddy 1.1.4).
const MOST_EXPANSIONS: u32 = 10_000;
/// Our own limit in words, imports included. A ConfigMap holds 1 MiB.
const MOST_WORDS: usize = 100_000;

type Step = Result<(), SyntaxFault>;

struct Parser<'a> {
    /// The words to come, the next one last.
    rest: Vec<Token>,
    current: Option<Token>,
    previous: Option<Token>,
    surroundings: &'a Surroundings,
    snippets: BTreeMap<String, Vec<Token>>,
    expansions: u32,
    words: usize,
    out: Corefile,
}

pub(super) fn parse(text: &str, surroundings: &Surroundings) -> Corefile {
    let mut rest = tokens(text, None, MOST_WORDS);
    rest.reverse();
    let mut parser = Parser {
        words: rest.len(),
        out: Corefile { has_words: !rest.is_empty(), ..Corefile::default() },
        rest,
        current: None,
        previous: None,
        surroundings,
        snippets: BTreeMap::new(),
        expansions: 0,
    };
    while parser.next() {
        if let Err(fault) = parser.block() {
            parser.out.fault = Some(fault);
            break;
        }
    }
    if parser.words >= MOST_WORDS && parser.out.fault.is_none() {
        let message = format!("it has more than {MOST_WORDS} words; the rest is not read");
        parser.out.fault = Some(parser.fault(SyntaxClass::Cycle, message));
    }
    parser.out
}

impl Parser<'_> {
    /// Steps to the next word. At the end it stays on the last one, which messages then name.
    fn next(&mut self) -> bool {
        let Some(token) = self.rest.pop() else { return false };
        self.previous = self.current.take();
        self.current = Some(token);
        true
    }

    /// Steps to the next word if it stands on the same line.
    fn next_arg(&mut self) -> bool {
        match (&self.current, self.rest.last()) {
            (Some(current), Some(next)) if current.is_followed_on_line_by(next) => self.next(),
            _ => false,
        }
    }

    fn back(&mut self) {
        if let Some(token) = self.current.take() {
            self.rest.push(token);
            self.current = self.previous.take();
        }
    }

    fn word(&self) -> &str {
        self.current.as_ref().map_or("", |token| &token.text)
    }

    fn on_new_line(&self) -> bool {
        match (&self.previous, &self.current) {
            (Some(previous), Some(current)) => previous.is_followed_on_new_line_by(current),
            _ => true,
        }
    }

    fn fault(&self, class: SyntaxClass, message: String) -> SyntaxFault {
        let (line, file) = self.current.as_ref().map_or((0, None), |token| (token.line, token.file.clone()));
        SyntaxFault { line, file, message, class }
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, SyntaxFault> {
        Err(self.fault(SyntaxClass::Parsing, message.into()))
    }

    fn expected<T>(&self, what: &str) -> Result<T, SyntaxFault> {
        Err(self.fault(SyntaxClass::Syntax, format!("Unexpected token '{}', expecting '{what}'", self.word())))
    }

    fn missing_arg<T>(&self) -> Result<T, SyntaxFault> {
        match self.word() {
            "{" => self.error("Unexpected token '{', expecting argument"),
            word => self.error(format!("Wrong argument count or unexpected line ending after '{word}'")),
        }
    }

    /// A block of zones, or a snippet.
    fn block(&mut self) -> Step {
        let mut block = ServerBlock::default();
        let ended = self.keys(&mut block);
        if !matches!(ended, Ok(false)) {
            self.keep(block);
            return ended.map(drop);
        }
        if let [key] = block.keys.as_slice() {
            let name = key.text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
            if let Some(name) = name.map(str::to_owned) {
                return self.snippet(name, key.line);
            }
        }
        let done = self.contents(&mut block);
        self.keep(block);
        done
    }

    fn keep(&mut self, block: ServerBlock) {
        if !block.keys.is_empty() {
            self.out.blocks.push(block);
        }
    }

    /// The zones of a block; true where the file ends with them.
    fn keys(&mut self, block: &mut ServerBlock) -> Result<bool, SyntaxFault> {
        let mut another = false;
        loop {
            let Some(mut token) = self.current.clone() else { return Ok(true) };
            token.text = self.with_variables(&token.text);
            if token.text == "import" && self.on_new_line() {
                self.import()?;
                if !self.next() {
                    return Ok(true);
                }
                continue;
            }
            if token.text == "{" {
                if another {
                    return self.error("Expected another address but had '{' - check for extra comma");
                }
                return Ok(false);
            }
            if !token.text.is_empty() {
                another = token.text.ends_with(',');
                if another {
                    token.text.pop();
                }
                block.keys.push(token);
            }
            if !self.next() {
                return if another { self.error("Unexpected EOF") } else { Ok(true) };
            }
            if !another && self.on_new_line() {
                return Ok(false);
            }
        }
    }

    /// The plugins of a block. Without an opening brace the first `}` ends it all the same.
    fn contents(&mut self, block: &mut ServerBlock) -> Step {
        let braces = self.word() == "{";
        if !braces {
            self.back();
        }
        while self.next() {
            match self.word() {
                "}" => break,
                "import" => self.import()?,
                _ => self.directive(block)?,
            }
        }
        if braces && self.word() != "}" {
            return self.expected("}");
        }
        Ok(())
    }

    fn directive(&mut self, block: &mut ServerBlock) -> Step {
        let mut tokens = Vec::new();
        let done = self.directive_tokens(&mut tokens);
        block.directives.push(Directive { tokens });
        done
    }

    fn directive_tokens(&mut self, tokens: &mut Vec<Token>) -> Step {
        let mut nesting = 0u32;
        self.take(tokens);
        while self.next() {
            match self.word() {
                "{" => nesting = nesting.saturating_add(1),
                _ if nesting == 0 && self.on_new_line() => {
                    self.back();
                    break;
                }
                "}" if nesting > 0 => nesting -= 1,
                "}" => return self.error("Unexpected '}' because no matching opening brace"),
                "import" if self.on_new_line() => {
                    self.import()?;
                    continue;
                }
                _ => {}
            }
            self.take(tokens);
        }
        if nesting > 0 { self.error("Unexpected EOF") } else { Ok(()) }
    }

    fn take(&mut self, tokens: &mut Vec<Token>) {
        if let Some(mut token) = self.current.clone() {
            token.text = self.with_variables(&token.text);
            tokens.push(token);
        }
    }

    fn snippet(&mut self, name: String, line: u32) -> Step {
        if self.snippets.contains_key(&name) {
            return self.error(format!("redeclaration of previously declared snippet {name}"));
        }
        if self.word() != "{" {
            return self.expected("{");
        }
        let mut depth = 1u32;
        let mut body: Vec<Token> = Vec::new();
        while self.next() {
            match self.word() {
                "}" => depth -= 1,
                "{" => depth = depth.saturating_add(1),
                _ => {}
            }
            if depth == 0 {
                break;
            }
            body.extend(self.current.clone());
        }
        if depth != 0 {
            return self.expected("}");
        }
        if self.imports_itself(&name, &body) {
            return Err(self.fault(SyntaxClass::Cycle, too_deep()));
        }
        self.out.snippets.push(Snippet { name: name.clone(), line });
        self.snippets.insert(name, body);
        Ok(())
    }

    fn imports_itself(&self, name: &str, body: &[Token]) -> bool {
        (0..body.len()).any(|i| {
            let starts_line = i == 0 || body[i - 1].file != body[i].file || body[i - 1].line != body[i].line;
            let target = body.get(i + 1).map(|next| self.with_variables(&next.text));
            body[i].text == "import" && starts_line && target.as_deref() == Some(name)
        })
    }

    /// Puts what is imported in the place of the import line. The step after it is on the first imported word.
    fn import(&mut self) -> Step {
        let before = self.previous.clone();
        if !self.next_arg() {
            return self.missing_arg();
        }
        let Some(mut pattern) = self.current.clone() else { return Ok(()) };
        pattern.text = self.with_variables(&pattern.text);
        if pattern.text.is_empty() {
            return self.error("Import requires a non-empty filepath");
        }
        if self.next_arg() {
            return self.error("Import takes only one argument (glob pattern or file)");
        }
        let (found, imported) = match self.snippets.get(&pattern.text) {
            Some(body) => (Imported::Snippet, body.clone()),
            None => self.import_files(&pattern)?,
        };
        self.expansions += 1;
        self.words = self.words.saturating_add(imported.len());
        if self.expansions > MOST_EXPANSIONS || self.words > MOST_WORDS {
            return Err(self.fault(SyntaxClass::Cycle, too_deep()));
        }
        self.out.imports.push(Import { pattern, found });
        self.rest.extend(imported.into_iter().rev());
        self.current = before;
        Ok(())
    }

    fn import_files(&self, pattern: &Token) -> Result<(Imported, Vec<Token>), SyntaxFault> {
        let importer = pattern.file.as_deref().unwrap_or(&self.surroundings.path);
        let path = absolute(importer, &pattern.text);
        let many = |c: char| path.matches(c).count() > 1;
        if many('*') || many('?') || (path.contains('[') && path.contains(']')) {
            return self.error(format!("Glob pattern may only contain one wildcard (*), but has others: {path}"));
        }
        let Some(files) = &self.surroundings.files else { return Ok((Imported::Unknown, Vec::new())) };
        let matches: Vec<_> = files.iter().filter(|(name, _)| glob(&path, name)).collect();
        if matches.is_empty() {
            if path.contains(['*', '?', '[', ']']) {
                return Ok((Imported::Nothing, Vec::new()));
            }
            return self.error(format!("File to import not found: {}", pattern.text));
        }
        let names = matches.iter().map(|(name, _)| (*name).clone()).collect();
        let words = matches.iter().flat_map(|(name, text)| tokens(text, Some(&Arc::from(name.as_str())), MOST_WORDS));
        Ok((Imported::Files(names), words.collect()))
    }

    /// The word with `{$NAME}` and `{%NAME%}` replaced. Where the environment is not known they stay.
    fn with_variables(&self, word: &str) -> String {
        let Some(environment) = &self.surroundings.environment else { return word.to_owned() };
        let word = replace_between(word, "{%", "%}", environment);
        replace_between(&word, "{$", "}", environment)
    }
}

fn too_deep() -> String {
    format!("maximum snippet import depth ({MOST_EXPANSIONS}) exceeded")
}

/// One pass from left to right: values are not looked through again, so that the work stays bounded.
fn replace_between(word: &str, open: &str, close: &str, environment: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    let mut rest = word;
    while let Some((before, after)) = rest.split_once(open) {
        match after.split_once(close) {
            Some((name, behind)) if !name.is_empty() => {
                out.push_str(before);
                out.push_str(environment.get(name).map_or("", String::as_str));
                rest = behind;
            }
            _ => break,
        }
    }
    out + rest
}

/// `path` seen from the folder of the file `importer`.
fn absolute(importer: &str, path: &str) -> String {
    let folder = importer.rsplit_once('/').map_or("", |(folder, _)| folder);
    let joined = if path.starts_with('/') { path.to_owned() } else { format!("{folder}/{path}") };
    if path.starts_with('/') {
        return joined;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Whether `name` fits a pattern with at most one `*` and one `?`, neither of which crosses a `/`.
fn glob(pattern: &str, name: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('*') else { return fits(pattern, name) };
    let fixed = head.chars().count() + tail.chars().count();
    let Some(free) = name.chars().count().checked_sub(fixed) else { return false };
    let chars: Vec<char> = name.chars().collect();
    let (start, rest) = chars.split_at(head.chars().count());
    let (middle, end) = rest.split_at(free);
    !middle.contains(&'/') && fits(head, &String::from_iter(start)) && fits(tail, &String::from_iter(end))
}

fn fits(pattern: &str, text: &str) -> bool {
    pattern.chars().count() == text.chars().count()
        && pattern.chars().zip(text.chars()).all(|(p, t)| p == t || (p == '?' && t != '/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> Option<(u32, String)> {
        Corefile::parse(text).fault.map(|fault| (fault.line, fault.message))
    }

    #[test]
    fn what_stops_the_parser() {
        let cases = [
            (".:53 {\n  errors\n", 2, "Unexpected token 'errors', expecting '}'"),
            (".:53 {\n  cache {\n", 2, "Unexpected EOF"),
            (".:53 {\n  cache }\n}", 2, "Unexpected '}' because no matching opening brace"),
            ("a, {\n}", 1, "Expected another address but had '{' - check for extra comma"),
            ("a,\n", 1, "Unexpected EOF"),
            (". {\n import\n}", 2, "Wrong argument count or unexpected line ending after 'import'"),
            (". {\n import a b\n}", 2, "Import takes only one argument (glob pattern or file)"),
            (". {\n import /x/*/*.y\n}", 2, "Glob pattern may only contain one wildcard (*), but has others: /x/*/*.y"),
            ("(a) {\n}\n(a) {\n}", 3, "redeclaration of previously declared snippet a"),
            ("(a) {\n x\n", 2, "Unexpected token 'x', expecting '}'"),
            ("(a) {\n import a\n}\n", 3, "maximum snippet import depth (10000) exceeded"),
        ];
        for (text, line, message) in cases {
            assert_eq!(fault(text), Some((line, message.to_owned())), "{text:?}");
        }
    }

    #[test]
    fn a_block_needs_no_braces_and_a_key_no_block() {
        let corefile = Corefile::parse("example.org\nerrors\nlog\n");
        assert_eq!(corefile.blocks.len(), 1);
        assert_eq!(corefile.blocks[0].directives.len(), 2);
        assert_eq!(Corefile::parse("example.org").blocks.len(), 1);
    }

    #[test]
    fn snippets_stand_where_they_are_imported() {
        let corefile = Corefile::parse("(c) {\n cache 30\n loop\n}\n. {\n errors\n import c\n log\n}\n");
        assert_eq!(corefile.fault, None);
        let lines: Vec<_> = corefile.blocks[0].directives.iter().map(|d| (d.name(), d.line())).collect();
        assert_eq!(lines, [("errors", 6), ("cache", 2), ("loop", 3), ("log", 8)]);
    }

    #[test]
    fn files_are_imported_by_pattern_and_relative_to_the_importer() {
        let files = [("/etc/coredns/custom/a.override", "log"), ("/etc/coredns/custom/b.server", "b {\n whoami\n}")];
        let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
        let known = Surroundings { files: Some(files.into()), ..Surroundings::default() };
        let text = ". {\n import custom/*.override\n import none*\n}\nimport custom/*.server\n";
        let corefile = Corefile::parse_in(text, &known);
        assert_eq!(corefile.fault, None);
        assert_eq!(corefile.blocks[0].directives[0].tokens[0].file.as_deref(), Some("/etc/coredns/custom/a.override"));
        assert_eq!(corefile.blocks[1].keys[0].text, "b");
        assert_eq!(corefile.imports[1].found, Imported::Nothing);
        let missing = Corefile::parse_in(". {\n import extra.conf\n}", &known);
        assert_eq!(missing.fault.map(|f| f.message).as_deref(), Some("File to import not found: extra.conf"));
        assert!(Corefile::parse(text).has_unknown_imports());
    }

    #[test]
    fn variables_are_replaced_where_they_are_known() {
        let known = Surroundings {
            environment: Some([("UP".to_owned(), "10.0.0.2".to_owned())].into()),
            ..Surroundings::default()
        };
        let text = ". {\n forward . {$UP} {%NO%}x {$}\n}";
        let words = |corefile: Corefile| -> Vec<String> {
            corefile.blocks[0].directives[0].args().iter().map(|t| t.text.clone()).collect()
        };
        assert_eq!(words(Corefile::parse_in(text, &known)), [".", "10.0.0.2", "x", "{$}"]);
        assert_eq!(words(Corefile::parse(text)), [".", "{$UP}", "{%NO%}x", "{$}"]);
    }

    #[test]
    fn imports_that_multiply_are_stopped() {
        let mut text = String::from("(s0) {\n a b c d\n}\n");
        for i in 1..40 {
            text += &format!("(s{i}) {{\n import s{0}\n import s{0}\n}}\n", i - 1);
        }
        text += ". {\n import s39\n}\n";
        assert!(Corefile::parse(&text).fault.is_some());
    }
}
