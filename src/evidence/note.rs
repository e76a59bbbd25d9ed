//! A person's note: lines with a clock time are kept for the timeline and for quoting.

use std::sync::LazyLock;

use regex::Regex;

use super::facts::{Fact, NodeLine, NodeLineKind};
use crate::problem::Problem;
use crate::recognize::Hints;
use crate::text::Section;

/// The most lines of one note.
const LIMIT: usize = 100;

static CLOCK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?:^|\s)((?:\d{4}-\d\d-\d\d[T ])?(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:Z)?)(?:\s|,|\.|$)").ok()
});

/// Reads the lines that name a time of day.
pub fn read(section: &Section, _: &Hints, facts: &mut Vec<Fact>, _: &mut Vec<Problem>) {
    let Some(clock) = CLOCK.as_ref() else { return };
    let found = section.numbered().filter_map(|(number, line)| Some((number, line, clock.captures(line)?)));
    for (number, line, captures) in found.take(LIMIT) {
        let time = captures.get(1).map_or("", |found| found.as_str());
        let full = if time.len() <= 5 { format!("{time:0>5}:00") } else { time.to_owned() };
        facts.push(Fact::NodeLine(Box::new(NodeLine {
            kind: NodeLineKind::Note,
            key: full,
            value: line.trim().to_owned(),
            quote: section.quote(number),
        })));
    }
}
