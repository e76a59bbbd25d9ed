//! A container in a described pod or pod template.

use super::outline::{Entry, Outline};
use crate::evidence::facts::{Container, Port, Probe, State, StatePhase};
use crate::evidence::quantity;
use crate::source::{Quote, Seen};
use crate::time;

/// The containers below `Containers:`.
pub(super) fn read_all(outline: &Outline, containers: &Entry) -> Vec<Container> {
    outline
        .children(containers)
        .into_iter()
        .filter(|entry| entry.value.is_empty())
        .map(|entry| read(outline, entry))
        .collect()
}

fn read(outline: &Outline, entry: &Entry) -> Container {
    let value = |key: &str| outline.child_value(entry, key);
    let amount = |group: &str, resource: &str, parse: fn(&str) -> Option<u64>| {
        let seen = outline.child_value(outline.child(entry, group)?, resource)?;
        Some(Seen::new(parse(seen.value)?, seen.quote))
    };
    Container {
        name: entry.key.to_owned(),
        image: value("Image").map(|seen| seen.map(str::to_owned)),
        created: value("Container ID").is_some(),
        state: state(outline, entry, "State"),
        last: state(outline, entry, "Last State"),
        ready: value("Ready").map(|seen| seen.map(|text| text == "True")),
        restarts: value("Restart Count").and_then(parsed),
        memory_limit: amount("Limits", "memory", quantity::bytes),
        memory_request: amount("Requests", "memory", quantity::bytes),
        cpu_limit: amount("Limits", "cpu", quantity::millicores),
        liveness: value("Liveness").map(probe),
        readiness: value("Readiness").map(probe),
        ports: ports(value("Ports").or_else(|| value("Port")), value("Host Ports").or_else(|| value("Host Port"))),
        args: outline
            .child(entry, "Args")
            .map(|args| outline.lines(args).map(|(_, arg)| arg.to_owned()).collect())
            .unwrap_or_default(),
        env: outline.child(entry, "Environment").map(|variables| env(outline, variables)).unwrap_or_default(),
        ..Container::default()
    }
}

fn parsed<T: std::str::FromStr>(seen: Seen<&str>) -> Option<Seen<T>> {
    Some(Seen::new(seen.value.parse().ok()?, seen.quote))
}

fn state(outline: &Outline, container: &Entry, key: &str) -> Option<State> {
    let entry = outline.child(container, key)?;
    let phase = match entry.value {
        "Waiting" => StatePhase::Waiting,
        "Running" => StatePhase::Running,
        "Terminated" => StatePhase::Terminated,
        _ => return None,
    };
    let value = |key: &str| outline.child_value(entry, key);
    let moment = |key: &str| value(key).and_then(|seen| Some(Seen::new(time::parse(seen.value)?, seen.quote)));
    Some(State {
        phase,
        reason: value("Reason").map(|seen| seen.map(str::to_owned)),
        message: outline.child(entry, "Message").and_then(|message| outline.message(message)),
        exit_code: value("Exit Code").and_then(parsed),
        started: moment("Started"),
        finished: moment("Finished"),
        quote: outline.quote(entry.line),
    })
}

/// `http-get http://HOST:PORT/PATH delay=60s …`; `exec` and `tcp-socket` probes have neither port nor path here.
fn probe(seen: Seen<&str>) -> Probe {
    let (host, port, path) = http(seen.value).unwrap_or_default();
    Probe { port: port.to_owned(), path: path.to_owned(), host: host.to_owned(), quote: seen.quote }
}

fn http(text: &str) -> Option<(&str, &str, &str)> {
    let url = text.strip_prefix("http-get ")?.split_ascii_whitespace().next()?;
    let rest = url.split_once("://")?.1;
    let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
    let (host, port) = authority.rsplit_once(':')?;
    Some((host.trim_matches(['[', ']']), port, path))
}

/// `53/UDP, 53/TCP` and the host ports in the same order; kubectl from 1.33 on adds names, `53/UDP (dns)`.
fn ports(ports: Option<Seen<&str>>, host: Option<Seen<&str>>) -> Vec<Port> {
    let host = host.map_or("", |seen| seen.value);
    let mut host = host.split(',').map(|text| number_of(text).map_or(0, |(number, _)| number));
    let list = ports.map_or("", |seen| seen.value);
    let port = |text: &str| {
        let host = host.next().unwrap_or(0);
        let (number, rest) = number_of(text)?;
        let (protocol, name) = rest.split_once(' ').unwrap_or((rest, ""));
        let name = name.trim_matches(['(', ')']).to_owned();
        Some(Port { name, number, protocol: protocol.to_owned(), host })
    };
    list.split(',').filter_map(port).collect()
}

fn number_of(text: &str) -> Option<(u16, &str)> {
    let (number, rest) = text.trim().split_once('/')?;
    Some((number.parse().ok()?, rest))
}

/// Variables with a plain value: not `<set to the key …>`, not `(v1:metadata.name)`, not `1 (limits.cpu)`.
fn env(outline: &Outline, variables: &Entry) -> Vec<(String, String)> {
    let plain = |value: &str| {
        !value.starts_with("<set to")
            && !value.starts_with("(v1:")
            && !value.contains(" (limits.")
            && !value.contains(" (requests.")
    };
    let children = outline.children(variables).into_iter();
    children.filter(|entry| plain(entry.value)).map(|entry| (entry.key.to_owned(), entry.value.to_owned())).collect()
}

/// The quote of the first restart count above zero, or of the first.
pub(super) fn restarts(containers: &[Container]) -> Option<Seen<u32>> {
    let mut counts = containers.iter().filter_map(|container| container.restarts.as_ref());
    let first = counts.clone().next()?;
    let quote: &Quote = &counts.clone().find(|seen| seen.value > 0).unwrap_or(first).quote;
    Some(Seen::new(counts.try_fold(0u32, |sum, seen| sum.checked_add(seen.value))?, quote.clone()))
}
