//! Facts made by hand, for the detectors' tests.

use crate::cluster::Cluster;
use crate::evidence::facts::{
    Condition, Container, Event, Fact, Id, Log, LogOwner, Node, Places, Pod, Rank, State, StatePhase, TextBlock,
};
use crate::evidence::log::Scanner;
use crate::source::{Quote, Seen};

/// A quote of `text`.
pub(super) fn quote(text: &str) -> Quote {
    Quote::new(&"test.txt".into(), 1, text)
}

/// A value that stands in `text`.
pub(super) fn seen<T>(value: T, text: &str) -> Seen<T> {
    Seen::new(value, quote(text))
}

/// Anything that is a fact.
pub(super) trait IntoFact {
    /// The fact.
    fn into_fact(self) -> Fact;
}
macro_rules! into_fact {
    ($($kind:ident),*) => { $(impl IntoFact for $kind { fn into_fact(self) -> Fact { Fact::$kind(Box::new(self)) } })* };
}
into_fact!(Pod, Node, Event, Log);

impl IntoFact for TextBlock {
    fn into_fact(self) -> Fact {
        Fact::Corefile(Box::new(self))
    }
}

/// The fact of a value.
pub(super) fn fact(value: impl IntoFact) -> Fact {
    value.into_fact()
}

/// The model of these facts.
pub(super) fn cluster(facts: Vec<Fact>) -> Cluster {
    Cluster::build(facts)
}

/// A DNS pod with a container of which nothing is known yet.
pub(super) fn pod(name: &str) -> Pod {
    let id = Id { namespace: Some("kube-system".into()), name: name.into() };
    let mut pod = Pod::new(id, Rank::Object, quote(&format!("name: {name}")));
    pod.containers.push(Container { name: "coredns".into(), ..Container::default() });
    pod
}

/// A row of `kubectl get pods`.
pub(super) fn pod_row(name: &str, ready: bool, status: &str, restarts: u32, restarted_ago: Option<i64>) -> Pod {
    let text = format!("{name} {}/1 {status} {restarts}", u8::from(ready));
    let mut row = pod(name);
    row.rank = Rank::Table;
    row.containers.clear();
    row.ready = Some(seen(ready, &text));
    row.status_cell = Some(seen(status.into(), &text));
    row.restarts = Some(seen(restarts, &text));
    row.last_restart_ago = restarted_ago;
    row
}

/// The pod is ready and runs.
pub(super) fn ready(mut pod: Pod) -> Pod {
    pod.ready = Some(seen(true, "Ready True"));
    with_state(pod, state(StatePhase::Running, "", "", None))
}

/// The pod is not ready.
pub(super) fn unready(mut pod: Pod) -> Pod {
    pod.ready = Some(seen(false, "Ready False"));
    pod
}

/// The pod on a node.
pub(super) fn on_node(mut pod: Pod, node: &str) -> Pod {
    pod.node = Some(seen(node.into(), &format!("nodeName: {node}")));
    pod
}

/// A container's state; empty reason and message are none.
pub(super) fn state(phase: StatePhase, reason: &str, message: &str, exit: Option<i64>) -> State {
    let some = |text: &str, key: &str| (!text.is_empty()).then(|| seen(text.to_owned(), &format!("{key}: {text}")));
    State {
        phase,
        reason: some(reason, "reason"),
        message: some(message, "message"),
        exit_code: exit.map(|code| seen(code, &format!("exitCode: {code}"))),
        started: None,
        finished: None,
        quote: quote("state"),
    }
}

/// The pod with its container in that state.
pub(super) fn with_state(mut pod: Pod, state: State) -> Pod {
    pod.containers[0].state = Some(state);
    pod
}

/// The pod whose container's run before ended so, with that many restarts.
pub(super) fn with_last(mut pod: Pod, state: State, restarts: u32) -> Pod {
    pod.containers[0].last = Some(state);
    pod.restarts = Some(seen(restarts, &format!("restartCount: {restarts}")));
    pod
}

/// The pod whose container waits.
pub(super) fn waiting(name: &str, reason: &str, message: &str) -> Pod {
    with_state(unready(pod(name)), state(StatePhase::Waiting, reason, message, None))
}

/// A warning about a DNS pod, five minutes old, once.
pub(super) fn event(reason: &str, object: &str, message: &str) -> Event {
    Event {
        rank: Rank::Table,
        quote: quote(&format!("5m Warning {reason} pod/{object} {message}")),
        kind: "Warning".into(),
        reason: reason.into(),
        message: message.into(),
        object_kind: "Pod".into(),
        namespace: Some("kube-system".into()),
        object: object.into(),
        count: 1,
        last: None,
        first: None,
        last_ago: Some((300, 60)),
        first_ago: None,
        component: String::new(),
    }
}

/// A node; `ready` is its Ready condition.
pub(super) fn node(name: &str, ready: bool, message: &str) -> Node {
    let text = format!("Ready {ready} {message}");
    let mut node = Node::new(name.into(), Rank::Object, quote(&format!("name: {name}")));
    node.ready = Some(seen(ready, &text));
    node.conditions.push(Condition {
        kind: "Ready".into(),
        status: if ready { "True" } else { "False" }.into(),
        reason: None,
        message: (!message.is_empty()).then(|| message.to_owned()),
        quote: quote(&text),
        message_quote: None,
        heartbeat: None,
        since: None,
    });
    node
}

/// A log of a DNS container, read by the real scanner.
pub(super) fn log(previous: bool, text: &str) -> Log {
    let owner = LogOwner { container: Some("coredns".into()), previous, ..LogOwner::default() };
    let mut scanner = Scanner::new("coredns.log".into(), 1, owner);
    for (index, line) in text.lines().enumerate() {
        scanner.line(index as u32 + 1, line.as_bytes());
    }
    scanner.finish()
}

/// A Corefile that stands alone.
pub(super) fn corefile(body: &str) -> TextBlock {
    TextBlock { path: "Corefile".into(), body: body.into(), places: Places::From(1) }
}
