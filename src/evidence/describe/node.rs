//! A described node.

use super::{Object, conditions, labels, table};
use crate::evidence::facts::{Fact, Id, Node, Pod, Rank};
use crate::evidence::quantity;
use crate::evidence::table::cells;
use crate::source::Seen;
use crate::time;

/// Takes the node, and the pods that its table says run on it.
pub(super) fn read(object: &Object, facts: &mut Vec<Fact>) {
    let outline = object.outline;
    let below = |group: &str, key: &str| outline.get(group).and_then(|entry| outline.child_value(entry, key));
    let info = |key: &str| below("System Info", key).map(|seen| seen.map(str::to_owned));
    let mut node = Node::new(object.id.name.clone(), Rank::Describe, object.at.clone());
    node.labels = labels(outline, "Labels");
    node.conditions = conditions(outline);
    let ready = node.conditions.iter().find(|condition| condition.kind == "Ready");
    node.ready = ready.map(|ready| Seen::new(ready.status == "True", ready.quote.clone()));
    node.cordoned = outline.value("Unschedulable").is_some_and(|seen| seen.value == "true");
    node.taints = taints(object);
    node.kubelet = info("Kubelet Version").map(|seen| seen.map(|version| cells::version(&version)));
    node.architecture = info("Architecture");
    node.os = info("Operating System").map(|seen| seen.value);
    node.os_image = info("OS Image").map(|seen| seen.value);
    node.runtime = info("Container Runtime Version");
    node.kernel = info("Kernel Version");
    node.cpu = below("Capacity", "cpu").and_then(|seen| quantity::millicores(seen.value));
    node.memory = below("Capacity", "memory").and_then(|seen| quantity::bytes(seen.value));
    node.address = below("Addresses", "InternalIP").map(|seen| seen.value.to_owned());
    node.renewed = below("Lease", "RenewTime").and_then(|seen| Some(Seen::new(time::parse(seen.value)?, seen.quote)));
    facts.push(Fact::Node(Box::new(node)));
    pods(object, facts);
}

fn taints(object: &Object) -> Vec<Seen<String>> {
    let outline = object.outline;
    let Some(entry) = outline.get("Taints") else { return Vec::new() };
    let lines = outline.lines(entry).filter(|(_, taint)| cells::is_value(taint));
    lines.map(|(line, taint)| Seen::new(taint.to_owned(), outline.quote(line))).collect()
}

/// `Non-terminated Pods` is a table like any other: it names pods and where they run, no more.
fn pods(object: &Object, facts: &mut Vec<Fact>) {
    let outline = object.outline;
    let Some((heading, rows)) = outline.get("Non-terminated Pods").and_then(|entry| table(outline, entry)) else {
        return;
    };
    for (number, line) in rows {
        let row = heading.row(number, line);
        let (Some(namespace), Some(name)) = (row.value("NAMESPACE"), row.value("NAME")) else { continue };
        let quote = outline.quote(number);
        let id = Id { namespace: Some(namespace.to_owned()), name: name.to_owned() };
        let mut pod = Pod::new(id, Rank::Table, quote.clone());
        pod.node = Some(Seen::new(object.id.name.clone(), quote));
        pod.age = row.value("AGE").and_then(time::age).map(|age| age.0);
        facts.push(Fact::Pod(Box::new(pod)));
    }
}
