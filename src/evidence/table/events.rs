//! `kubectl get events` (three generations of columns) and `kubectl events`.

use super::columns::{Heading, Row};
use super::{Context, cells};
use crate::evidence::facts::{Event, Fact, Rank};
use crate::time;

/// A message that is wrapped or has line ends of its own grows no further than this, in bytes.
const MESSAGE_LIMIT: usize = 4000;

/// Whether a table lists events.
pub(super) fn matches(heading: &Heading) -> bool {
    heading.has_all(&["REASON", "MESSAGE"]) && (heading.has("OBJECT") || heading.has("KIND"))
}

/// An event's row.
pub(super) fn read(row: &Row, context: &Context) -> Option<Fact> {
    let (kind, object) = object(row)?;
    let event_namespace = context.id(row, object).namespace;
    let mut event = shared(row, context.quote(row), Rank::Table)?;
    // An event about a node stands in `default`; the node itself is in no namespace.
    event.namespace = event_namespace.filter(|_| kind != "Node");
    event.object = object.to_owned();
    event.object_kind = kind;
    Some(Fact::Event(Box::new(event)))
}

/// What a row of `get events` and one of describe's Events block have in common; the object is still empty.
pub(in crate::evidence) fn shared(row: &Row, quote: crate::source::Quote, rank: Rank) -> Option<Event> {
    let kind = row.value("TYPE").filter(|kind| matches!(*kind, "Normal" | "Warning"))?;
    let last = ["LAST SEEN", "LASTSEEN", "AGE"].iter().find_map(|column| row.cell(column)).unwrap_or("");
    let first = ["FIRST SEEN", "FIRSTSEEN"].iter().find_map(|column| row.cell(column)).unwrap_or("");
    let ages = cells::ages(last);
    let component = ["SOURCE", "FROM"].iter().find_map(|column| row.value(column)).unwrap_or("");
    let count = row.value("COUNT").and_then(|cell| cell.parse().ok());
    Some(Event {
        rank,
        quote,
        kind: kind.to_owned(),
        reason: row.value("REASON").unwrap_or("").to_owned(),
        message: row.cell("MESSAGE").unwrap_or("").to_owned(),
        object_kind: String::new(),
        namespace: None,
        object: String::new(),
        count: count.or(ages.count).unwrap_or(1),
        last: time::parse(last),
        first: time::parse(first),
        last_ago: ages.last,
        first_ago: ages.first.or_else(|| time::age(first)),
        component: component.split(',').next().unwrap_or("").to_owned(),
    })
}

/// Adds a line that only continues the event of the line before: a wrapped paste, or a message of several lines.
pub(in crate::evidence) fn continues(fact: &mut Fact, number: u32, line: &str) -> bool {
    let Fact::Event(event) = fact else { return false };
    let near = number.saturating_sub(event.quote.source.line) <= 20;
    let continues = near && event.message.len() < MESSAGE_LIMIT && !event.message.is_empty();
    if continues {
        event.message.push(' ');
        event.message.extend(line.trim().chars().take(MESSAGE_LIMIT));
    }
    continues
}

/// `pod/web-0`; or the columns KIND and NAME of kubectl before 1.14, where NAME is the event's own, `web-0.15a3c`.
fn object<'a>(row: &Row<'a>) -> Option<(String, &'a str)> {
    if let Some((kind, name)) = row.value("OBJECT").and_then(|cell| cell.split_once('/')) {
        return Some((cells::kind_name(kind), name));
    }
    let name = row.value("NAME")?;
    Some((cells::kind_name(row.value("KIND")?), name.rsplit_once('.').map_or(name, |(object, _)| object)))
}
