//! Reads the tables of `kubectl get`, `kubectl top` and `kubectl events`.
//!
//! A section may hold several tables, each with its heading; rows that lost their heading (grep) are read by shape.

mod budgets;
pub(super) mod cells;
pub(super) mod columns;
pub(super) mod command;
mod endpoints;
pub(super) mod events;
mod nodes;
mod pods;
mod services;
mod shapes;
mod top;
mod workloads;
mod wrap;

use std::collections::BTreeSet;

use super::facts::{Count, Fact, Id};
use crate::problem::Problem;
use crate::recognize::Hints;
use crate::source::Quote;
use crate::text::Section;
use columns::{Heading, Row};
use command::Command;
pub(super) use endpoints::service_of_slice;

/// Takes all rows of the section's tables as facts, and the length of lists that are complete.
///
/// A row that no reader understands becomes part of one problem for its table.
pub fn read(section: &Section, hints: &Hints, facts: &mut Vec<Fact>, problems: &mut Vec<Problem>) {
    let command = section.command.as_deref().map(Command::parse).unwrap_or_default();
    let mut reader = Reader { section, hints, command, table: None, after_blank: false, facts, problems };
    for (number, line) in wrap::lines(section) {
        reader.line(number, &line);
    }
    reader.close();
}

/// What a row reader needs besides the row.
struct Context<'a> {
    section: &'a Section,
    namespace: Option<String>,
}

impl Context<'_> {
    /// The row's words.
    fn quote(&self, row: &Row) -> Quote {
        self.section.quote(row.number)
    }

    /// The object that a row is about.
    fn id(&self, row: &Row, name: &str) -> Id {
        Id {
            namespace: row.value("NAMESPACE").map(str::to_owned).or_else(|| self.namespace.clone()),
            name: name.to_owned(),
        }
    }
}

/// One kind of table.
struct Shape {
    /// What is counted in a complete list.
    counted: Option<&'static str>,
    /// Whether a heading is of this kind.
    matches: fn(&Heading) -> bool,
    /// Reads a row; `None` where it is none of this kind.
    read: fn(&Row, &Context) -> Option<Fact>,
    /// True for objects that are in no namespace.
    cluster: bool,
}

/// The kinds of tables, the more particular first.
const SHAPES: &[Shape] = &[
    Shape { counted: None, matches: events::matches, read: events::read, cluster: false },
    Shape { counted: None, matches: top::matches, read: top::read, cluster: false },
    Shape { counted: None, matches: budgets::matches, read: budgets::read, cluster: false },
    Shape { counted: Some("pods"), matches: pods::matches, read: pods::read, cluster: false },
    Shape { counted: Some("services"), matches: services::matches, read: services::read, cluster: false },
    Shape { counted: Some("endpointslices"), matches: endpoints::is_slices, read: endpoints::slice, cluster: false },
    Shape { counted: None, matches: endpoints::is_endpoints, read: endpoints::endpoints, cluster: false },
    Shape { counted: Some("nodes"), matches: nodes::matches, read: nodes::read, cluster: true },
    Shape { counted: None, matches: workloads::matches, read: workloads::read, cluster: false },
];

/// How comments and elisions begin. `<unknown>` is a cell.
const REMARKS: &[&str] = &["#", "[", "(", "<snip", "<cut", "...", "…", "--"];

/// How kubectl's own words among the rows begin.
const SAID_BY_KUBECTL: &[&str] = &["Error", "error:", "Warning:", "No resources found", "Unable to"];

/// The table that is being read.
struct Table {
    heading: Heading,
    at: u32,
    shape: Option<&'static Shape>,
    tally: Tally,
}

/// What tells whether a list is complete.
#[derive(Default)]
struct Tally {
    rows: u64,
    addresses: u64,
    unread: u32,
    first_unread: u32,
    last_namespace: String,
    unordered: bool,
    cut: bool,
    on_nodes: BTreeSet<String>,
}

struct Reader<'a> {
    section: &'a Section,
    hints: &'a Hints,
    command: Command,
    table: Option<Table>,
    /// Below a blank line, what is no row is other text.
    after_blank: bool,
    facts: &'a mut Vec<Fact>,
    problems: &'a mut Vec<Problem>,
}

impl Reader<'_> {
    fn line(&mut self, number: u32, line: &str) {
        if line.trim().is_empty() {
            self.after_blank = true;
            return;
        }
        if let Some(typed) = command::prompted(line) {
            self.close();
            self.command = Command::parse(typed);
        } else if line.starts_with("$ ") {
            self.close();
            self.command = Command::default();
        } else if is_remark(line) {
            self.note_cut(line);
        } else if let Some(heading) = Heading::of_get(line) {
            self.close();
            let shape = SHAPES.iter().find(|shape| (shape.matches)(&heading));
            self.after_blank = false;
            self.table = Some(Table { heading, at: number, shape, tally: Tally::default() });
        } else {
            self.row(number, line);
        }
    }

    fn row(&mut self, number: u32, line: &str) {
        let context = Context { section: self.section, namespace: self.namespace() };
        let Some(table) = &mut self.table else {
            if let Some(fact) = headless(number, line, &context) {
                self.facts.push(fact);
            }
            return;
        };
        let Some(shape) = table.shape else { return };
        let row = table.heading.row(number, line);
        match (shape.read)(&row, &context) {
            Some(fact) => {
                table.tally.add(&row, &fact);
                self.facts.push(fact);
            }
            None => {
                let last = self.facts.last_mut().filter(|_| events::matches(&table.heading));
                let said = self.after_blank || SAID_BY_KUBECTL.iter().any(|start| line.starts_with(start));
                if !said && !last.is_some_and(|fact| events::continues(fact, number, line)) {
                    table.tally.miss(number);
                }
            }
        }
    }

    fn namespace(&self) -> Option<String> {
        self.hints.namespace.clone().or_else(|| self.command.namespace.clone())
    }

    fn note_cut(&mut self, line: &str) {
        if says_cut(line) {
            self.command.partial = true;
            if let Some(table) = &mut self.table {
                table.tally.cut = true;
            }
        }
    }

    fn close(&mut self) {
        let Some(table) = self.table.take() else { return };
        let Some(shape) = table.shape else { return };
        if table.tally.unread > 0 {
            let message =
                format!("{} rows of this table are not shaped like its heading and were not read", table.tally.unread);
            self.problems.push(Problem::at(self.section.text.path(), table.tally.first_unread, message));
        }
        self.count(shape, &table);
    }

    fn count(&mut self, shape: &Shape, table: &Table) {
        let tally = &table.tally;
        let everywhere = shape.cluster || self.command.all_namespaces || table.heading.has("NAMESPACE");
        let complete = everywhere && !self.command.partial && tally.looks_complete();
        let counted = shape.counted.map(|what| (what, tally.rows));
        let addresses = (shape.counted == Some("endpointslices")).then_some(("endpoint-addresses", tally.addresses));
        for (what, value) in counted.into_iter().chain(addresses).filter(|_| tally.rows > 0) {
            let quote = self.section.quote(table.at);
            let count = Count { what: what.to_owned(), value, all_namespaces: complete, quote };
            self.facts.push(Fact::Count(Box::new(count)));
        }
    }
}

impl Tally {
    fn add(&mut self, row: &Row, fact: &Fact) {
        self.rows += 1;
        let namespace = row.value("NAMESPACE").unwrap_or("");
        self.unordered |= namespace < self.last_namespace.as_str();
        namespace.clone_into(&mut self.last_namespace);
        match fact {
            Fact::Endpoints(list) => {
                let listed = list.ready.len() + list.unknown.len();
                self.addresses += listed as u64 + u64::from(list.more);
            }
            Fact::Pod(pod) if self.on_nodes.len() < 2 => {
                self.on_nodes.extend(pod.node.as_ref().map(|node| node.value.clone()));
            }
            _ => {}
        }
    }

    fn miss(&mut self, number: u32) {
        if self.unread == 0 {
            self.first_unread = number;
        }
        self.unread = self.unread.saturating_add(1);
    }

    /// kubectl prints the namespaces in order. A list that is not was put together by hand; one whose pods all run on
    /// one node may be that node's list.
    fn looks_complete(&self) -> bool {
        !self.unordered && !self.cut && self.on_nodes.len() != 1
    }
}

fn headless(number: u32, line: &str, context: &Context) -> Option<Fact> {
    let heading = shapes::heading(line)?;
    let shape = SHAPES.iter().find(|shape| (shape.matches)(&heading))?;
    (shape.read)(&heading.row(number, line), context)
}

/// A comment or an elision, never a row.
fn is_remark(line: &str) -> bool {
    REMARKS.iter().any(|start| line.trim_start().starts_with(start))
}

/// `# 8 of 268`, `...`, `<snip>`: rows were left out.
fn says_cut(line: &str) -> bool {
    let words: Vec<&str> = line.split_ascii_whitespace().take(40).collect();
    let number = |word: &str| word.trim_matches(|c: char| c.is_ascii_punctuation()).parse::<u64>().is_ok();
    let some_of = words.windows(3).any(|three| matches!(three, [part, "of", whole] if number(part) && number(whole)));
    some_of || !line.trim_start().starts_with('#')
}

#[cfg(test)]
mod tests;
