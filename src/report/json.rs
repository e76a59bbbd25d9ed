//! The JSON contract, as text.

use std::io::{self, Write};

use super::escape::is_hidden;
use super::model::Report;

/// The report as indented JSON (RFC 8259) in UTF-8, with a line end. Characters that a terminal would obey or hide are
/// written as `\uXXXX`: a parser reads the same text, and `cat` is safe.
pub fn render(report: &Report) -> String {
    let mut out = Vec::new();
    // Neither a Vec refuses bytes, nor do structs of numbers and strings fail to be serialised.
    let _ = write(report, &mut out);
    String::from_utf8(out).unwrap_or_default()
}

/// The same, piece by piece: the list of a bundle's files can be long.
///
/// # Errors
/// Those of `out`.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(Visible(&mut *out), report)?;
    out.write_all(b"\n")
}

/// Writes hidden characters as escapes. Outside ASCII, only strings of a JSON text hold such characters.
struct Visible<'a>(&'a mut dyn Write);

impl Write for Visible<'_> {
    /// The serialiser hands over whole strings or fragments between escapes, never a part of a character.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        let mut rest = text;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| *c != '\n' && is_hidden(*c)) {
            self.0.write_all(rest.get(..at).unwrap_or_default().as_bytes())?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(self.0, "\\u{unit:04x}")?;
            }
            rest = rest.get(at + c.len_utf8()..).unwrap_or_default();
        }
        self.0.write_all(rest.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The published JSON Schema (draft 2020-12) of [`Report`], as `docs/report.schema.json` holds it.
#[cfg(feature = "schema")]
pub fn schema() -> String {
    let generator = schemars::generate::SchemaSettings::draft2020_12().for_serialize().into_generator();
    serde_json::to_string_pretty(&generator.into_root_schema_for::<Report>()).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::{
        sample::{HOSTILE, empty, hostile, rich},
        validator,
    };
    use super::*;

    const PUBLISHED: &str = include_str!("../../docs/report.schema.json");

    fn read(report: &Report) -> Value {
        serde_json::from_str(&render(report)).unwrap()
    }

    #[test]
    #[cfg(feature = "schema")]
    #[allow(clippy::disallowed_methods)] // a test, not the library
    fn the_published_schema_is_the_types() {
        if PUBLISHED != schema() {
            std::fs::write("target/report.schema.json", schema()).unwrap();
            panic!("the types have changed: cp target/report.schema.json docs/");
        }
    }

    #[test]
    fn reports_keep_the_published_schema() {
        let schema = serde_json::from_str(PUBLISHED).unwrap();
        for report in [rich(), empty(), hostile()] {
            assert_eq!(validator::errors(&schema, &read(&report)), Vec::<String>::new());
        }
    }

    #[test]
    fn the_published_schema_refuses_what_is_not_a_report() {
        let schema = serde_json::from_str(PUBLISHED).unwrap();
        for (pointer, wrong) in [
            ("/verdict/outcome", json!("fine")),
            ("/verdict/when", json!(1)),
            ("/findings/0/evidence/0/line", json!(-1)),
            ("/findings/0/evidence/0/line", json!("12")),
            ("/findings/0/status", json!(null)),
            ("/findings", json!({})),
            ("/path/0", json!({ "hop": "client" })),
            ("/cluster/replicas/ready", json!(1.5)),
            ("/timeline/0", json!([])),
        ] {
            let mut value = read(&rich());
            *value.pointer_mut(pointer).unwrap() = wrong;
            let errors = validator::errors(&schema, &value);
            assert!(errors.iter().any(|error| error.starts_with(pointer)), "{pointer}: {errors:?}");
        }
    }

    #[test]
    fn a_keyword_that_is_not_checked_is_an_error() {
        assert_eq!(validator::errors(&json!({ "pattern": "^a" }), &json!("b")).len(), 1);
        assert_eq!(validator::errors(&json!({ "$ref": "#" }), &json!("b")).len(), 1, "an endless schema ends");
    }

    #[test]
    fn text_survives_and_hides_nothing() {
        let text = render(&hostile());
        assert!(text.ends_with("}\n") && !text.chars().any(|c| c != '\n' && is_hidden(c)));
        assert_eq!(read(&hostile()).pointer("/verdict/headline").and_then(Value::as_str), Some(HOSTILE));
        let mut report = rich();
        report.bundle.name = "\u{e0041}\u{7f}\u{2028}".to_owned();
        assert!(render(&report).contains("\\udb40\\udc41\\u007f\\u2028"));
        assert_eq!(read(&report).pointer("/bundle/name"), Some(&json!("\u{e0041}\u{7f}\u{2028}")));
    }
}
