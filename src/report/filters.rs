//! Filters of the templates. Those that return [`Safe`] have escaped the text themselves.

use askama::filters::Safe;
use askama::{Result, Values};

use super::escape;
use super::words;

/// A Markdown code span.
#[askama::filter_fn]
pub fn code(text: impl AsRef<str>, _: &dyn Values) -> Result<Safe<String>> {
    Ok(Safe(escape::code_span(text.as_ref())))
}

/// A Markdown code span that may stand in a table.
#[askama::filter_fn]
pub fn cell(text: impl AsRef<str>, _: &dyn Values) -> Result<Safe<String>> {
    Ok(Safe(escape::cell_span(text.as_ref())))
}

/// A fenced Markdown block.
#[askama::filter_fn]
pub fn fence(text: impl AsRef<str>, _: &dyn Values, language: &str) -> Result<Safe<String>> {
    Ok(Safe(escape::fence(text.as_ref(), language)))
}

/// `and 3 more …`, or nothing.
#[askama::filter_fn]
pub fn more(n: usize, _: &dyn Values) -> Result<String> {
    Ok(if n == 0 { String::new() } else { format!(" … and {n} more, see the JSON report") })
}

/// The same in a paragraph below a Markdown table.
#[askama::filter_fn]
pub fn below(n: usize, _: &dyn Values) -> Result<Safe<String>> {
    Ok(Safe(if n == 0 { String::new() } else { format!("\n\n… and {n} more, see the JSON report") }))
}

/// RFC 3339 in a reader's form.
#[askama::filter_fn]
pub fn utc(at: impl AsRef<str>, _: &dyn Values) -> Result<String> {
    Ok(words::utc(at.as_ref()))
}

/// A value with its unit.
#[askama::filter_fn]
pub fn quantity(value: &f64, _: &dyn Values, unit: &str) -> Result<String> {
    Ok(words::quantity(*value, unit))
}

/// A number, or that it is not known.
#[askama::filter_fn]
pub fn known(value: &Option<u64>, _: &dyn Values) -> Result<String> {
    Ok(value.map_or("unknown".to_owned(), |n| n.to_string()))
}

/// `path:line`.
#[askama::filter_fn]
pub fn place(path: impl AsRef<str>, _: &dyn Values, line: &Option<u32>) -> Result<String> {
    Ok(words::place(path.as_ref(), *line))
}

/// A name for an anchor.
#[askama::filter_fn]
pub fn anchor(id: impl AsRef<str>, _: &dyn Values) -> Result<String> {
    Ok(escape::anchor(id.as_ref()))
}
