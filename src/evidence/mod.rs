//! Facts with their sources, one reader per format.

pub mod count;
pub mod describe;
pub mod facts;
pub mod gap;
pub mod kernel;
pub mod kubelet;
pub mod kubernetes;
pub mod log;
pub mod lookup;
pub mod metrics;
pub mod node_file;
pub mod note;
pub mod objects;
pub mod quantity;
pub mod redaction;
pub mod resolv_conf;
mod stream;
pub mod table;

use crate::bundle::Budget;
use crate::problem::Problem;
use crate::recognize::{Hints, Kind};
use crate::source::Seen;
use crate::text::Section;
use facts::{Fact, Places, TextBlock};
pub use stream::Stream;

/// Reads one section with the reader of its kind.
pub fn read(
    section: &Section,
    kind: Kind,
    hints: &Hints,
    budget: &Budget,
    facts: &mut Vec<Fact>,
    problems: &mut Vec<Problem>,
) {
    match kind {
        Kind::Yaml | Kind::Json => kubernetes::read(section, hints, budget, facts, problems),
        Kind::Table => table::read(section, hints, facts, problems),
        Kind::Describe => describe::read(section, hints, facts, problems),
        Kind::Log => {
            log::read(section, hints, facts);
            kernel::read(section, hints, facts, problems);
            gap::read(section, hints, facts, problems);
        }
        Kind::KernelLog => kernel::read(section, hints, facts, problems),
        Kind::Metrics => metrics::read(section, hints, facts, problems),
        Kind::Corefile => facts.push(Fact::Corefile(Box::new(corefile(section)))),
        Kind::ResolvConf => resolv_conf::read(section, hints, facts, problems),
        Kind::Lookup => {
            lookup::read(section, hints, facts, problems);
            node_file::read(section, hints, facts, problems);
        }
        Kind::NodeFile => {
            node_file::read(section, hints, facts, problems);
            kubelet::read(section, hints, facts, problems);
        }
        Kind::Gap => gap::read(section, hints, facts, problems),
        Kind::Clock => facts.extend(collected(section)),
        Kind::Output => {
            node_file::read(section, hints, facts, problems);
            count::read(section, hints, facts, problems);
        }
        Kind::Note | Kind::Unknown => {
            note::read(section, hints, facts, problems);
            count::read(section, hints, facts, problems);
        }
        Kind::Empty | Kind::Binary => {}
    }
}

/// The last moment that a collector notes.
fn collected(section: &Section) -> Option<Fact> {
    let moments = section.numbered().filter_map(|(number, line)| Some((crate::time::date(line)?, number)));
    moments.max().map(|(moment, number)| Fact::Collected(Seen::new(moment, section.quote(number))))
}

/// A Corefile that stands alone.
fn corefile(section: &Section) -> TextBlock {
    TextBlock {
        path: section.text.path().clone(),
        body: section.body().to_owned(),
        places: Places::From(section.lines.start),
    }
}
