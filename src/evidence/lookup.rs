//! What people tried: dig, nslookup, host, getent, nc, telnet, curl. Each try is one fact with the line that tells how it
//! ended.

use std::sync::LazyLock;

use regex::Regex;

use super::facts::{Fact, Lookup, LookupKind, LookupResult};
use crate::problem::Problem;
use crate::recognize::Hints;
use crate::source::Quote;
use crate::text::Section;

/// The most tries of one section.
const LIMIT: usize = 2_000;

/// How a line tells the end of a try. Groups: `name`, `server`, `answer`.
struct Ending {
    regex: &'static str,
    kind: LookupKind,
    result: LookupResult,
}

const fn ending(kind: LookupKind, result: LookupResult, regex: &'static str) -> Ending {
    Ending { regex, kind, result }
}

use LookupKind::{Connection, Tool};
use LookupResult::{
    AfterConnect, Answered, ConnectionRefused, NoSuchName, RefusedAnswer, ServerFailure, TimedOut, TryAgain,
};

/// The first that matches decides (bind 9.11 to 9.18, BusyBox 1.28 to 1.36, glibc, OpenBSD and BusyBox nc, curl 7 and 8).
const ENDINGS: &[Ending] = &[
    ending(
        Tool,
        NoSuchName,
        r"^\*\* server can't find (?P<name>\S+?):? NXDOMAIN|^Host (?P<n2>\S+) not found: 3\(NXDOMAIN\)",
    ),
    ending(
        Tool,
        ServerFailure,
        r"^\*\* server can't find (?P<name>\S+?):? SERVFAIL|^Host (?P<n2>\S+) not found: 2\(SERVFAIL\)",
    ),
    ending(
        Tool,
        RefusedAnswer,
        r"^\*\* server can't find (?P<name>\S+?):? REFUSED|^Host (?P<n2>\S+) not found: 5\(REFUSED\)",
    ),
    ending(Tool, NoSuchName, r"->>HEADER<<-.*status: NXDOMAIN"),
    ending(Tool, ServerFailure, r"->>HEADER<<-.*status: SERVFAIL"),
    ending(Tool, RefusedAnswer, r"->>HEADER<<-.*status: REFUSED"),
    ending(Tool, TimedOut, r"no servers could be reached"),
    ending(Tool, TimedOut, r"communications error to (?P<server>[0-9a-fA-F.:]+)#\d+: timed out"),
    ending(Tool, ConnectionRefused, r"communications error to (?P<server>[0-9a-fA-F.:]+)#\d+: connection refused"),
    ending(
        Tool,
        TimedOut,
        r"^;; Connection to (?P<server>[0-9a-fA-F.:]+)#\d+\(.*\) for (?P<name>\S+) failed: timed out",
    ),
    ending(
        Tool,
        ConnectionRefused,
        r"^;; Connection to (?P<server>[0-9a-fA-F.:]+)#\d+\(.*\) for (?P<name>\S+) failed: connection refused",
    ),
    ending(Tool, TryAgain, r"nslookup: can't resolve '(?P<name>[^']+)'"),
    ending(
        Tool,
        TryAgain,
        r"bad address '(?P<name>[^']+)'|Could not resolve host:? (?P<n2>\S+)|Temporary failure in name resolution",
    ),
    ending(Tool, TimedOut, r"Resolving timed out"),
    ending(Tool, NoSuchName, r"Name or service not known"),
    ending(
        Connection,
        Answered,
        r"^(?P<name>\S+) \((?P<server>[0-9.]+):\d+\) open|^Connection to (?P<n2>\S+) .*succeeded|^Connected to (?P<s2>\S+?)\.?$",
    ),
    ending(
        Connection,
        ConnectionRefused,
        r"\((?P<server>[0-9.]+):\d+\): Connection refused|^Connecting to (?P<n2>\S+) .*: Connection refused",
    ),
    ending(
        Connection,
        ConnectionRefused,
        r"[Ff]ailed to connect to (?P<name>\S+) port \d+.*[Rr]efused|[Cc]onnect to (?P<n2>\S+) port \d+.*[Rr]efused",
    ),
    ending(
        Connection,
        TimedOut,
        r"[Ff]ailed to connect to (?P<name>\S+) port \d+.*[Tt]imed out|\((?P<server>[0-9.]+):\d+\): (?:Connection|Operation) timed out",
    ),
    ending(Connection, AfterConnect, r"curl: \((?:35|51|60)\)|x509: certificate is (?:valid|not)"),
];

static COMPILED: LazyLock<Vec<Option<Regex>>> =
    LazyLock::new(|| ENDINGS.iter().map(|ending| Regex::new(ending.regex).ok()).collect());
/// A record of an answer: `name. 30 IN A 10.0.0.1`.
static RECORD: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(?P<name>[^;\s]\S*)\s+\d+\s+IN\s+(?:A|AAAA)\s+(?P<address>[0-9a-fA-F.:]+)$").ok());

/// Reads every try of a section.
pub fn read(section: &Section, _: &Hints, facts: &mut Vec<Fact>, _: &mut Vec<Problem>) {
    let asked = Asked::of(section.command.as_deref().unwrap_or(""));
    let mut reading = Reading { asked, server: String::new(), name: String::new(), tries: Vec::new() };
    for (number, line) in section.numbered() {
        reading.line(line, || section.quote(number));
        if reading.tries.len() >= LIMIT {
            break;
        }
    }
    facts.extend(reading.finish().into_iter().map(|lookup| Fact::Lookup(Box::new(lookup))));
}

/// What the command asks for.
#[derive(Debug, Default, PartialEq)]
struct Asked {
    program: String,
    name: String,
    server: String,
}

impl Asked {
    /// `dig @SERVER NAME`, `nslookup NAME SERVER`, behind `kubectl exec … --` as well.
    fn of(command: &str) -> Asked {
        let command = command.rsplit(" -- ").next().unwrap_or(command);
        let mut words = command.split_whitespace().skip_while(|word| matches!(*word, "sudo" | "time" | "kubectl"));
        let program = words.next().unwrap_or("").rsplit('/').next().unwrap_or("").to_owned();
        if !["dig", "nslookup", "host", "getent"].contains(&program.as_str()) {
            return Asked { program, ..Asked::default() };
        }
        let mut asked = Asked { program, ..Asked::default() };
        for word in words.take_while(|word| !word.starts_with([';', '|', '>', '&'])) {
            match word.as_bytes().first() {
                Some(b'@') => asked.server = word[1..].to_owned(),
                Some(b'-' | b'+') | None => {}
                _ if ["hosts", "ahosts", "ahostsv4", "A", "AAAA", "TXT", "SRV", "IN"].contains(&word) => {}
                _ if asked.name.is_empty() => asked.name = word.to_owned(),
                _ if asked.server.is_empty() => asked.server = word.to_owned(),
                _ => {}
            }
        }
        asked
    }
}

struct Reading {
    asked: Asked,
    /// The server that the output names.
    server: String,
    /// The name of the answer that is being read.
    name: String,
    tries: Vec<Lookup>,
}

impl Reading {
    fn line(&mut self, line: &str, quote: impl FnOnce() -> Quote) {
        let line = line.trim_end();
        if let Some(server) = line.strip_prefix("Server:") {
            (self.server, self.name) = (server.trim().to_owned(), String::new());
        } else if let Some(server) = line.strip_prefix(";; SERVER: ") {
            self.server = server.split('#').next().unwrap_or("").to_owned();
            self.name_servers();
        } else if let Some(name) = line.strip_prefix("Name:") {
            self.name = name.trim().to_owned();
        } else if let Some(address) = line.strip_prefix("Address") {
            if !self.name.is_empty() {
                let address = address.rsplit(": ").next().unwrap_or(address).trim_start_matches(':').trim();
                let address = address.split_whitespace().next().unwrap_or("").to_owned();
                let name = self.name.clone();
                self.answered(name, address, quote());
            }
        } else if let Some(record) = RECORD.as_ref().and_then(|regex| regex.captures(line)) {
            self.answered(record["name"].to_owned(), record["address"].to_owned(), quote());
        } else if is_address(line) && self.asked.program == "dig" {
            let name = self.asked.name.clone();
            self.answered(name, line.to_owned(), quote());
        } else if let Some((address, name)) = hosts_line(line).filter(|_| self.asked.program == "getent") {
            self.answered(name.to_owned(), address.to_owned(), quote());
        } else {
            self.ending(line, quote);
        }
    }

    /// dig names its server behind the answer.
    fn name_servers(&mut self) {
        let server = &self.server;
        for lookup in self.tries.iter_mut().rev().take_while(|lookup| lookup.server.is_empty()) {
            lookup.server.clone_from(server);
        }
    }

    /// One more address of the same answer, or a new answer.
    fn answered(&mut self, name: String, address: String, quote: Quote) {
        let server = self.server();
        if let Some(last) = self.tries.last_mut()
            && last.result == Answered
            && last.kind == Tool
            && last.name == name
            && last.server == server
        {
            last.answers.push(address);
            return;
        }
        self.push(Tool, Answered, name, server, vec![address], quote);
    }

    fn ending(&mut self, line: &str, quote: impl FnOnce() -> Quote) {
        for (ending, regex) in ENDINGS.iter().zip(COMPILED.iter()) {
            let Some(captures) = regex.as_ref().and_then(|regex| regex.captures(line)) else { continue };
            let group =
                |names: [&str; 2]| names.iter().find_map(|name| captures.name(name)).map(|m| m.as_str().to_owned());
            let name = group(["name", "n2"]).unwrap_or_else(|| self.asked.name.clone());
            let server = group(["server", "s2"]).unwrap_or_else(|| self.server());
            // BusyBox prints NXDOMAIN of the search list beside a good answer of the same lookup.
            let beside = ending.result == NoSuchName
                && self
                    .tries
                    .last()
                    .is_some_and(|last| last.result == Answered && name.starts_with(last.name.trim_end_matches('.')));
            if !beside {
                self.push(ending.kind, ending.result, name, server, Vec::new(), quote());
            }
            return;
        }
    }

    fn server(&self) -> String {
        if self.server.is_empty() { self.asked.server.clone() } else { self.server.clone() }
    }

    fn push(
        &mut self,
        kind: LookupKind,
        result: LookupResult,
        name: String,
        server: String,
        answers: Vec<String>,
        quote: Quote,
    ) {
        if let Some(last) = self.tries.last_mut()
            && (last.kind, last.result) == (kind, result)
            && last.name == name
            && answers.is_empty()
        {
            last.count += 1;
            return;
        }
        self.tries.push(Lookup { kind, name, server, answers, result, quote, at: None, count: 1 });
    }

    fn finish(self) -> Vec<Lookup> {
        self.tries
    }
}

fn is_address(text: &str) -> bool {
    text.parse::<std::net::IpAddr>().is_ok()
}

/// `10.0.0.1    name alias`, as getent prints it.
fn hosts_line(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split_whitespace();
    let address = words.next().filter(|word| is_address(word))?;
    Some((address, words.next()?))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::text::Text;

    fn tries(command: &str, body: &str) -> Vec<(LookupKind, LookupResult, String, String, Vec<String>)> {
        let text = Arc::new(Text::new("x.txt", body.to_owned()));
        let section = Section { command: Some(command.to_owned()), ..Section::whole(text) };
        let (mut facts, mut problems) = (Vec::new(), Vec::new());
        read(&section, &Hints::default(), &mut facts, &mut problems);
        facts
            .into_iter()
            .map(|fact| match fact {
                Fact::Lookup(l) => (l.kind, l.result, l.name.clone(), l.server.clone(), l.answers.clone()),
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn every_ending_compiles() {
        assert!(COMPILED.iter().all(Option::is_some) && RECORD.is_some());
    }

    #[test]
    fn nslookup_of_bind_and_busybox() {
        let good =
            "Server:\t\t10.96.0.10\nAddress:\t10.96.0.10#53\n\nName:\ta.b.svc.cluster.local\nAddress: 10.96.4.5\n";
        assert_eq!(
            tries("nslookup a.b.svc.cluster.local", good),
            [(Tool, Answered, "a.b.svc.cluster.local".into(), "10.96.0.10".into(), vec!["10.96.4.5".into()])]
        );
        let busybox = "Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\nName:\ta.example\nAddress: 192.0.2.1\n\n** server can't find a.example.default.svc.cluster.local: NXDOMAIN\n";
        assert_eq!(tries("nslookup a.example", busybox).len(), 1);
        let bad = "Server:    10.96.0.10\n\n** server can't find nope.default: NXDOMAIN\n";
        assert_eq!(tries("nslookup nope", bad)[0].1, NoSuchName);
        assert_eq!(
            tries("kubectl exec p -- nslookup x", ";; connection timed out; no servers could be reached\n")[0].1,
            TimedOut
        );
    }

    #[test]
    fn dig_in_its_forms() {
        let full = ";; ->>HEADER<<- opcode: QUERY, status: NOERROR, id: 1\na.example. 30 IN A 192.0.2.1\na.example. 30 IN A 192.0.2.2\n;; SERVER: 10.96.0.10#53(10.96.0.10) (UDP)\n";
        let found = tries("dig a.example", full);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].3.as_str(), found[0].4.len()), ("10.96.0.10", 2));
        assert_eq!(tries("dig +short a.example @10.0.0.1", "192.0.2.1\n")[0].3, "10.0.0.1");
        assert_eq!(tries("dig a", ";; ->>HEADER<<- opcode: QUERY, status: SERVFAIL, id: 1\n")[0].1, ServerFailure);
        let refused = ";; communications error to 10.96.0.10#53: connection refused\n";
        assert_eq!(tries("dig a", refused)[0].1, ConnectionRefused);
    }

    #[test]
    fn connections() {
        let found = tries("nc -zv a 80", "nc: a.b (10.96.4.5:8080): Connection refused\n");
        assert_eq!((found[0].0, found[0].1, found[0].3.as_str()), (Connection, ConnectionRefused, "10.96.4.5"));
        assert_eq!(tries("nc -zv a 80", "a.b (10.96.4.5:8080) open\n")[0].1, Answered);
    }

    #[test]
    fn what_is_no_try_is_none() {
        for line in ["", "hello", "Address: x", "Name:", "10.0.0.1"] {
            assert!(tries("", line).is_empty(), "{line}");
        }
    }
}
