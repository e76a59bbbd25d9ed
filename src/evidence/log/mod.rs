//! Logs, read in one pass: known messages are counted and quoted, the query log is tallied, nothing else is kept.

mod cut;
mod errors_line;
mod prefix;
mod program;
mod query_line;
mod scanner;
mod split;

pub use prefix::{Prefix, strip};
pub use scanner::Scanner;
pub use split::Splitter;

use super::facts::{Fact, LogOwner, Program};
use crate::recognize::Hints;
use crate::text::Section;

/// Reads a section that is a log. A log whose lines name their pods (`[pod/x/c] …`) gives one fact for each.
pub fn read(section: &Section, hints: &Hints, facts: &mut Vec<Fact>) {
    let mut splitter = Splitter::new(section.text.path().clone(), owner(hints));
    for (number, line) in section.numbered() {
        splitter.line(number, line.as_bytes());
    }
    facts.extend(splitter.facts());
}

/// Whose log it is, as far as path and command tell.
pub fn owner(hints: &Hints) -> LogOwner {
    LogOwner {
        namespace: hints.namespace.clone(),
        pod: hints.pod.clone(),
        container: hints.container.clone(),
        previous: hints.previous,
        run: hints.run,
        program: Program::Other,
    }
}
