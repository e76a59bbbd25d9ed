//! Event objects, core and `events.k8s.io`.

use super::common::time;
use crate::evidence::facts::{Event, Rank};
use crate::evidence::objects::Node;

/// Reads an Event. The scheduler's events have only `eventTime` (seen with Kubernetes 1.32).
pub fn read(node: Node) -> Event {
    let object = if node.get("involvedObject").exists() { node.get("involvedObject") } else { node.get("regarding") };
    let message = if node.get("message").exists() { node.get("message") } else { node.get("note") };
    let text = |node: Node| node.as_str().unwrap_or("").to_owned();
    let moment = |keys: &[&str]| keys.iter().find_map(|key| time(node.path(key))).map(|seen| seen.value);
    let count = ["count", "series.count", "deprecatedCount"].iter().find_map(|key| node.path(key).as_u64());
    let component = ["source.component", "reportingComponent", "reportingController", "deprecatedSource.component"];
    Event {
        rank: Rank::Object,
        quote: if message.exists() { message.quote() } else { node.get("reason").quote() },
        kind: text(node.get("type")),
        reason: text(node.get("reason")),
        message: text(message),
        object_kind: text(object.get("kind")),
        namespace: object.get("namespace").as_str().map(str::to_owned),
        object: text(object.get("name")),
        count: count.and_then(|count| u32::try_from(count).ok()).unwrap_or(1).max(1),
        last: moment(&["lastTimestamp", "series.lastObservedTime", "deprecatedLastTimestamp", "eventTime"]),
        first: moment(&["firstTimestamp", "deprecatedFirstTimestamp", "eventTime"]),
        last_ago: None,
        first_ago: None,
        component: component.iter().map(|key| text(node.path(key))).find(|name| !name.is_empty()).unwrap_or_default(),
    }
}
