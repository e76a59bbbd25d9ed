//! The Events block of a described object.

use super::outline::Outline;
use super::{Object, table};
use crate::evidence::facts::{Fact, Id, Rank};
use crate::evidence::table::events::{continues, shared};

/// Takes the rows of the Events block; their object is the described one.
pub(super) fn read(object: &Object, facts: &mut Vec<Fact>) {
    let outline = object.outline;
    let Some((heading, rows)) = outline.get("Events").and_then(|entry| table(outline, entry)) else { return };
    let before = facts.len();
    for (number, line) in rows {
        let row = heading.row(number, line);
        let Some(mut event) = shared(&row, outline.quote(number), Rank::Describe) else {
            if let Some(fact) = facts.get_mut(before..).and_then(<[Fact]>::last_mut) {
                continues(fact, number, line);
            }
            continue;
        };
        event.object_kind = object.kind.to_owned();
        event.namespace.clone_from(&object.id.namespace);
        event.object.clone_from(&object.id.name);
        facts.push(Fact::Event(Box::new(event)));
    }
}

/// The pod that the events' own messages name, for a text whose first lines are cut away.
pub(super) fn pod_in_messages(outline: &Outline) -> Option<Id> {
    let entry = outline.get("Events")?;
    outline.lines_below(entry).find_map(|(_, line)| assigned(line).or_else(|| back_off(line).map(|(id, _)| id)))
}

/// The pod's UID, from `… in pod NAME_NAMESPACE(UID)`.
pub(super) fn uid_in_messages(outline: &Outline, name: &str) -> Option<String> {
    let entry = outline.get("Events")?;
    let found = outline.lines_below(entry).find_map(|(_, line)| back_off(line).filter(|(id, _)| id.name == name));
    found.map(|(_, uid)| uid)
}

/// `Successfully assigned NAMESPACE/NAME to NODE`.
fn assigned(line: &str) -> Option<Id> {
    let rest = line.split_once("Successfully assigned ")?.1;
    let (namespace, name) = rest.split_once(" to ")?.0.split_once('/')?;
    Some(Id { namespace: Some(namespace.to_owned()), name: name.to_owned() })
}

/// `… in pod NAME_NAMESPACE(UID)`.
fn back_off(line: &str) -> Option<(Id, String)> {
    let rest = line.split_once(" in pod ")?.1;
    let (object, uid) = rest.split_once('(')?;
    let (name, namespace) = object.split_once('_')?;
    let uid = uid.split(')').next().filter(|uid| uid.len() == 36)?;
    Some((Id { namespace: Some(namespace.to_owned()), name: name.to_owned() }, uid.to_owned()))
}
