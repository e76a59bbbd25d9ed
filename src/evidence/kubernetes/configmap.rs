//! ConfigMap objects, and the shape that support bundles give them.

use super::common::{id, place, time};
use crate::evidence::facts::{ConfigMap, Id, Places, Rank, TextBlock};
use crate::evidence::objects::Node;
use crate::recognize::Hints;

/// Reads a ConfigMap.
pub fn read(node: Node, hints: &Hints) -> ConfigMap {
    let edits = node.path("metadata.managedFields").items().filter_map(|item| time(item.get("time")));
    ConfigMap {
        id: id(node, hints),
        rank: Rank::Object,
        at: place(node),
        data: data(node),
        created: time(node.path("metadata.creationTimestamp")),
        edited: edits.max_by_key(|seen| seen.value),
    }
}

/// `{namespace, name, configMapExists, data}`, as troubleshoot writes a collected ConfigMap.
pub fn of_support_bundle(node: Node) -> ConfigMap {
    let name = node.get("name");
    ConfigMap {
        id: Id {
            namespace: node.get("namespace").as_str().map(str::to_owned),
            name: name.as_str().unwrap_or("").to_owned(),
        },
        rank: Rank::Object,
        at: name.quote(),
        data: data(node),
        created: None,
        edited: None,
    }
}

fn data(node: Node) -> Vec<(String, TextBlock)> {
    node.get("data").entries().filter_map(|(key, value)| Some((key.to_owned(), block(value)?))).collect()
}

/// How many lines of a folded text are looked for one by one.
const FOLDED_LIMIT: u32 = 2_000;

/// A text with the place of its lines.
fn block(value: Node) -> Option<TextBlock> {
    let body = value.as_str()?.to_owned();
    let last = u32::try_from(body.lines().count()).unwrap_or(u32::MAX).saturating_sub(1);
    let source = value.quote_line(0).source.clone();
    let line_of = |index: u32| value.quote_line(index).source.line;
    let places = match line_of(last) {
        line if line == source.line && last > 0 => Places::On(line),
        line if line == source.line.saturating_add(last) && line_of(1.min(last)) != source.line => {
            Places::From(source.line)
        }
        _ if last == 0 => Places::On(source.line),
        _ => Places::Each((0..=last.min(FOLDED_LIMIT)).map(line_of).collect()),
    };
    Some(TextBlock { path: source.path, body, places })
}
