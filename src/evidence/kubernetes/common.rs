//! Fields that many kinds share.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::evidence::facts::{Condition, Container, Id, Port, Probe, State, StatePhase};
use crate::evidence::objects::Node;
use crate::evidence::{quantity, redaction};
use crate::recognize::Hints;
use crate::source::{Quote, Seen};

/// `metadata.namespace` and `metadata.name`.
pub fn id(node: Node, hints: &Hints) -> Id {
    let metadata = node.get("metadata");
    Id {
        namespace: metadata.get("namespace").as_str().map(str::to_owned).or_else(|| hints.namespace.clone()),
        name: metadata.get("name").as_str().unwrap_or("").to_owned(),
    }
}

/// The line of `metadata.name`.
pub fn place(node: Node) -> Quote {
    node.get("metadata").get("name").quote()
}

/// A map of strings.
pub fn map(node: Node) -> BTreeMap<String, String> {
    node.entries().filter_map(|(key, value)| Some((key.to_owned(), value.as_text()?.to_owned()))).collect()
}

/// A map of strings with the quote of its first pair. Where a value was redacted the map as a whole is unknown.
pub fn seen_map(node: Node) -> Option<Seen<BTreeMap<String, String>>> {
    let first = node.entries().next()?.1.quote();
    let redacted = node.entries().any(|(_, value)| value.written().is_some_and(redaction::is_mark));
    (!redacted).then(|| Seen::new(map(node), first))
}

/// A list of strings.
pub fn strings(node: Node) -> Vec<String> {
    node.items().filter_map(|item| item.as_text().map(str::to_owned)).collect()
}

/// A timestamp.
pub fn time(node: Node) -> Option<Seen<Timestamp>> {
    moment(node).map(|moment| node.seen(moment))
}

/// A timestamp that is not quoted.
fn moment(node: Node) -> Option<Timestamp> {
    crate::time::parse(node.as_str()?)
}

/// A count that fits 32 bits.
pub fn count(node: Node) -> Option<Seen<u32>> {
    let value = node.as_u64()?;
    Some(node.seen(u32::try_from(value).unwrap_or(u32::MAX)))
}

/// `status.conditions`.
pub fn conditions(node: Node) -> Vec<Condition> {
    node.items()
        .map(|item| Condition {
            kind: item.get("type").as_str().unwrap_or("").to_owned(),
            status: item.get("status").as_text().unwrap_or("").to_owned(),
            reason: item.get("reason").as_str().map(str::to_owned),
            message: item.get("message").as_str().map(str::to_owned),
            quote: item.get("status").quote(),
            message_quote: item.get("message").as_str().map(|_| item.get("message").quote()),
            heartbeat: moment(item.get("lastHeartbeatTime")),
            since: moment(item.get("lastTransitionTime")),
        })
        .collect()
}

/// The specs of containers.
pub fn containers(list: Node) -> Vec<Container> {
    list.items().map(container).collect()
}

fn container(node: Node) -> Container {
    let bytes = |node: Node| node.as_text().and_then(quantity::bytes).map(|value| node.seen(value));
    let cores = |node: Node| node.as_text().and_then(quantity::millicores).map(|value| node.seen(value));
    let capabilities = node.path("securityContext.capabilities");
    let dropped = strings(capabilities.get("drop"));
    Container {
        name: node.get("name").as_str().unwrap_or("").to_owned(),
        image: node.get("image").str(),
        memory_limit: bytes(node.path("resources.limits.memory")),
        memory_request: bytes(node.path("resources.requests.memory")),
        cpu_limit: cores(node.path("resources.limits.cpu")),
        liveness: probe(node.get("livenessProbe")),
        readiness: probe(node.get("readinessProbe")),
        ports: node.get("ports").items().filter_map(port).collect(),
        privilege_escalation: node.path("securityContext.allowPrivilegeEscalation").bool(),
        capabilities_added: strings(capabilities.get("add")),
        capabilities_dropped: (!dropped.is_empty()).then(|| capabilities.get("drop").at(0).seen(dropped)),
        args: strings(node.get("args")),
        env: node
            .get("env")
            .items()
            .filter_map(|item| Some((item.get("name").as_str()?.to_owned(), item.get("value").as_text()?.to_owned())))
            .collect(),
        ..Container::default()
    }
}

fn probe(node: Node) -> Option<Probe> {
    let http = node.get("httpGet");
    if !http.exists() {
        return None;
    }
    Some(Probe {
        port: http.get("port").as_text().unwrap_or("").to_owned(),
        path: http.get("path").as_str().unwrap_or("").to_owned(),
        host: http.get("host").as_str().unwrap_or("").to_owned(),
        quote: http.get("port").quote(),
    })
}

fn port(node: Node) -> Option<Port> {
    Some(Port {
        name: node.get("name").as_str().unwrap_or("").to_owned(),
        number: u16::try_from(node.get("containerPort").as_u64()?).ok()?,
        protocol: node.get("protocol").as_str().unwrap_or("TCP").to_owned(),
        host: node.get("hostPort").as_u64().and_then(|port| u16::try_from(port).ok()).unwrap_or(0),
    })
}

/// `state` or `lastState`.
pub fn state(node: Node) -> Option<State> {
    let (phase, inner) = [
        (StatePhase::Terminated, node.get("terminated")),
        (StatePhase::Waiting, node.get("waiting")),
        (StatePhase::Running, node.get("running")),
    ]
    .into_iter()
    .find(|(_, inner)| inner.exists())?;
    Some(State {
        phase,
        reason: inner.get("reason").str(),
        message: inner.get("message").str(),
        exit_code: inner.get("exitCode").i64(),
        started: time(inner.get("startedAt")),
        finished: time(inner.get("finishedAt")),
        quote: inner.quote(),
    })
}
