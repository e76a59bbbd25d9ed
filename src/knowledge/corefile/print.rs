//! A tree back to text: one directive a line, quotes only where a word needs them.

use std::fmt;

use super::{Corefile, Directive, ServerBlock, Token};

impl fmt::Display for Corefile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.blocks.iter().try_for_each(|block| write!(f, "{block}"))
    }
}

impl fmt::Display for ServerBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for key in &self.keys {
            write!(f, "{} ", word(&key.text))?;
        }
        f.write_str("{\n")?;
        self.directives.iter().try_for_each(|directive| write!(f, "{directive}"))?;
        f.write_str("}\n")
    }
}

impl fmt::Display for Directive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("    ")?;
        let mut depth = 0usize;
        for (i, token) in self.tokens.iter().enumerate() {
            depth = depth.saturating_sub(usize::from(token.text == "}"));
            match i.checked_sub(1).and_then(|before| self.tokens.get(before)) {
                Some(before) if same_line(before, token) => f.write_str(" ")?,
                Some(_) => write!(f, "\n{}", "    ".repeat(depth.min(8) + 1))?,
                None => {}
            }
            f.write_str(&word(&token.text))?;
            depth += usize::from(token.text == "{");
        }
        f.write_str("\n")
    }
}

fn same_line(before: &Token, token: &Token) -> bool {
    before.is_followed_on_line_by(token)
}

/// The word as it must be written to be read back as itself.
fn word(text: &str) -> String {
    let plain = !text.is_empty() && !text.starts_with('"') && !text.contains(|c: char| c.is_whitespace() || c == '#');
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\\\"")) }
}
