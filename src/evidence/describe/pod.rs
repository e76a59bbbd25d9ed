//! A described pod.

use super::outline::{Entry, Outline};
use super::{Object, conditions, container, events, labels};
use crate::evidence::facts::{ConfigVolume, Fact, Pod, Rank};
use crate::source::Seen;
use crate::time;

/// Whether an outline is a pod's: its containers are at the left edge, or what else is left of it is a pod's.
pub(super) fn matches(outline: &Outline) -> bool {
    outline.has("Containers") || outline.has("QoS Class") || (outline.has("Controlled By") && outline.has("Status"))
}

/// Takes the pod.
pub(super) fn read(object: &Object, facts: &mut Vec<Fact>) {
    let outline = object.outline;
    let text = |key: &str| outline.value(key).map(|seen| seen.map(str::to_owned));
    let mut pod = Pod::new(object.id.clone(), Rank::Describe, object.at.clone());
    pod.uid = events::uid_in_messages(outline, &pod.id.name);
    pod.labels = outline.get("Labels").map(|entry| Seen::new(labels(outline, "Labels"), outline.quote(entry.line)));
    pod.owner = text("Controlled By").map(|seen| seen.value);
    pod.node = outline.value("Node").map(|seen| seen.map(|node| node.split('/').next().unwrap_or(node).to_owned()));
    pod.ip = text("IP");
    pod.host_network = host_network(outline);
    pod.priority_class = text("Priority Class Name");
    pod.service_account = text("Service Account");
    pod.terminating = outline.value("Status").is_some_and(|seen| seen.value.starts_with("Terminating"));
    pod.phase = text("Status").filter(|_| !pod.terminating);
    pod.reason = text("Reason");
    pod.message = outline.get("Message").and_then(|entry| outline.message(entry));
    pod.created = outline.value("Start Time").and_then(|seen| Some(Seen::new(time::parse(seen.value)?, seen.quote)));
    pod.conditions = conditions(outline);
    let ready = pod.conditions.iter().find(|condition| condition.kind == "Ready");
    pod.ready = ready.map(|ready| Seen::new(ready.status == "True", ready.quote.clone()));
    pod.containers = outline.get("Containers").map(|entry| container::read_all(outline, entry)).unwrap_or_default();
    pod.restarts = container::restarts(&pod.containers);
    pod.config_volumes = outline.get("Volumes").map(|entry| config_volumes(outline, entry)).unwrap_or_default();
    facts.push(Fact::Pod(Box::new(pod)));
}

/// Describe says `Host Network: true` in newer releases only; in all of them such a pod has its node's address.
fn host_network(outline: &Outline) -> Option<Seen<bool>> {
    if let Some(seen) = outline.value("Host Network") {
        return Some(seen.map(|text| text == "true"));
    }
    let address = outline.value("IP")?;
    let node = outline.value("Node")?;
    let same = node.value.split_once('/').is_some_and(|(_, node_address)| node_address == address.value);
    same.then(|| Seen::new(true, address.quote))
}

fn config_volumes(outline: &Outline, volumes: &Entry) -> Vec<Seen<ConfigVolume>> {
    let volume = |entry: &Entry| {
        outline.child_value(entry, "Type").filter(|seen| seen.value.starts_with("ConfigMap"))?;
        let name = outline.child_value(entry, "Name")?;
        let optional = outline.child_value(entry, "Optional").is_some_and(|seen| seen.value == "true");
        let keys = outline.child(entry, "Items").map(|items| keys(outline, items)).unwrap_or_default();
        Some(name.map(|name| ConfigVolume { name: name.to_owned(), keys, optional }))
    };
    outline.children(volumes).into_iter().filter_map(volume).collect()
}

/// The first word of each item's line.
fn keys(outline: &Outline, items: &Entry) -> Vec<String> {
    let word =
        |(_, line): (u32, &str)| line.split_ascii_whitespace().next().map(|word| word.trim_end_matches(':').to_owned());
    outline.lines(items).filter_map(word).collect()
}
