//! Where readers put objects and problems.

use super::node::{Node, Root};
use super::tree::{Builder, Data, Value};
use crate::bundle::Budget;
use crate::problem::Problem;
use crate::text::Text;

/// Problems of one section that are spelt out; the rest is counted.
const MAX_PROBLEMS: usize = 20;

/// Hands objects over and collects what went wrong.
pub(super) struct Sink<'a> {
    pub text: &'a Text,
    each: &'a mut dyn FnMut(&str, Node),
    problems: Vec<Problem>,
    unspoken: usize,
    /// The most values that one object may hold.
    pub values: u64,
    /// Objects handed over so far.
    pub count: usize,
    /// Bytes that the YAML library may still read, so that hostile texts cannot send it over the same bytes for ever.
    pub library_budget: usize,
    /// Bytes that may still be passed over in search of the kind behind a list's items.
    pub ahead_budget: usize,
}

impl<'a> Sink<'a> {
    /// `again` is how many bytes may be read a second time.
    pub(super) fn new(text: &'a Text, budget: &Budget, again: usize, each: &'a mut dyn FnMut(&str, Node)) -> Self {
        Sink {
            text,
            each,
            problems: Vec::new(),
            unspoken: 0,
            values: budget.object_values,
            count: 0,
            library_budget: again,
            ahead_budget: again,
        }
    }

    /// Hands `value` over, or its items if it is a list of objects. `kind` is that of items that state none.
    pub(super) fn deliver(&mut self, value: &Value, prefix: &str, kind: &str) {
        let stated = value.get("kind").and_then(Value::as_str);
        let items = value.get("items").map(|items| &items.data);
        match (&value.data, items) {
            (Data::Map(_), Some(Data::List(items)))
                if !items.is_empty() && stated.is_none_or(|kind| kind.ends_with("List")) =>
            {
                let kind = stated.and_then(|kind| kind.strip_suffix("List")).unwrap_or_default();
                for (index, item) in items.iter().enumerate() {
                    self.deliver(item, &format!("{prefix}/items/{index}"), kind);
                }
            }
            (Data::Map(_), _) => {
                self.count += 1;
                let root = Root { text: self.text, value, prefix };
                (self.each)(stated.unwrap_or(kind), root.node());
            }
            (Data::List(items), _) if prefix.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    self.deliver(item, &format!("/{index}"), kind);
                }
            }
            (Data::Null, _) => {}
            // How support bundles write what their collector could not do: `["an error"]`.
            (Data::Text(words), _) if prefix.starts_with('/') && self.text.path().contains("error") => {
                let message = format!("this was not collected: {}", crate::source::cut(&words.text, 0));
                self.problem(value.place.at as usize, message);
            }
            _ => self.problem(value.place.at as usize, "This is no object and was skipped.".into()),
        }
    }

    /// Records a problem at an offset of the text.
    pub(super) fn problem(&mut self, at: usize, message: String) {
        self.problem_in(self.text.line_at(at), message);
    }

    /// Records a problem at a line of the text.
    pub(super) fn problem_in(&mut self, line: u32, message: String) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem::at(self.text.path(), line.min(self.text.line_count()), message));
        } else {
            self.unspoken += 1;
        }
    }

    /// Records the keys that stood twice.
    pub(super) fn twice(&mut self, build: &mut Builder) {
        for (at, key) in build.twice.drain(..) {
            let key = crate::source::cut(&key, 0);
            self.problem(at, format!("The key `{key}` stands twice in one object; the last one counts."));
        }
    }

    pub(super) fn finish(mut self) -> Vec<Problem> {
        if self.unspoken > 0 {
            let message = format!("{} more problems were found in its objects.", self.unspoken);
            self.problems.push(Problem::of(self.text.path(), message));
        }
        self.problems
    }
}
