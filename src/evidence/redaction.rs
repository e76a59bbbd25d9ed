//! Marks that redaction leaves. What stood there is unknown; it is never another value.
//!
//! Sources: troubleshoot's redactors (`***HIDDEN***`, `***TOKEN_<TYPE>_<hex>***`), sos (`********`,
//! `***** SCRUBBED BASE64 PEM *****`), must-gather-clean (`x-ipv4-0000000001-x` and the like, which keep equal things
//! equal). sos clean writes plausible false values, which nobody can see.

/// Parts of a line that say that something was redacted in it.
const PARTS: [&str; 8] =
    ["***HIDDEN***", "***TOKEN_", "x-ipv4-", "x-ipv6-", "xxx-mac-", "xx:xx:xx:xx:xx:xx", "********", "***** SCRUBBED"];

/// Whether a whole value was replaced by a mark that tells nothing.
pub fn is_mark(value: &str) -> bool {
    let value = value.trim();
    value.len() >= 5 && value.bytes().all(|byte| byte == b'*')
        || value == "***HIDDEN***"
        || value.starts_with("***TOKEN_") && value.ends_with("***")
        || value.starts_with("***** SCRUBBED")
        || ["<redacted>", "[redacted]", "redacted"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Whether something in the text was redacted.
pub fn holds_mark(text: &str) -> bool {
    PARTS.iter().any(|part| memchr::memmem::find(text.as_bytes(), part.as_bytes()).is_some())
}

/// How many lines of a text hold a mark.
pub fn marked_lines(text: &str) -> usize {
    if holds_mark(text) { text.lines().filter(|line| holds_mark(line)).count() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_told_from_values() {
        for mark in
            ["***HIDDEN***", "***TOKEN_PASSWORD_1a2b***", "********", "***** SCRUBBED BASE64 PEM *****", "REDACTED"]
        {
            assert!(is_mark(mark), "{mark}");
        }
        for value in ["", "*", "****", "x-ipv4-0000000001-x", "10.0.0.1", "a ***HIDDEN*** b", "*.example.org"] {
            assert!(!is_mark(value), "{value}");
        }
        assert_eq!(marked_lines("a\nforward . x-ipv4-0000000001-x\n***HIDDEN***\n"), 2);
    }
}
