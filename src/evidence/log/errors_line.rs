//! A line of the `errors` plugin. By hand, not by expression: they come in floods of millions.

use std::collections::BTreeMap;

use crate::knowledge::messages::Signal;

/// `plugin/errors: 2 name. A: reason`, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorLine<'a> {
    /// What it says: an upstream error, the loop probe's, a reached limit, an overflow.
    pub signal: Signal,
    /// The name asked for; empty in a consolidated line.
    pub name: &'a str,
    /// The type asked for; empty in a consolidated line.
    pub kind: &'a str,
    /// Address and port of the upstream, where the text names it.
    pub to: &'a str,
    /// The reason without addresses: what two wordings have in common.
    pub family: &'static str,
    /// The whole reason.
    pub reason: &'a str,
}

impl ErrorLine<'_> {
    /// The parts by name, as a sample keeps them.
    pub fn fields(&self) -> BTreeMap<&'static str, String> {
        let limit = self.reason.rsplit(' ').next().unwrap_or("");
        let mut fields = BTreeMap::from([
            ("name", self.name.to_owned()),
            ("type", self.kind.to_owned()),
            ("to", self.to.to_owned()),
            ("family", self.family.to_owned()),
            ("reason", self.reason.to_owned()),
        ]);
        if self.signal == Signal::MaxConcurrent {
            fields.insert("limit", limit.to_owned());
        }
        fields
    }
}

/// Reads a message of the `errors` plugin; its time or CRI prefix is taken off already.
pub fn read(message: &str) -> Option<ErrorLine<'_>> {
    let at = memchr::memmem::find(message.as_bytes(), b"plugin/errors: ")?;
    let rest = &message[at + "plugin/errors: ".len()..];
    consolidated(rest).or_else(|| single(rest))
}

fn single(rest: &str) -> Option<ErrorLine<'_>> {
    let (rcode, rest) = rest.split_once(' ')?;
    if rcode.is_empty() || !rcode.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let (name, rest) = rest.split_once(' ')?;
    let (kind, reason) = rest.split_once(": ")?;
    let family = family(reason);
    let signal = match family {
        "" => return None,
        LIMIT => Signal::MaxConcurrent,
        "overflow unpacking" | "buffer size too small" => Signal::Overflow,
        _ if kind == "HINFO" => Signal::UpstreamProbeError,
        _ => Signal::UpstreamError,
    };
    Some(ErrorLine { signal, name, kind, to: upstream(reason).unwrap_or(""), family, reason })
}

/// `12 errors like '.* i/o timeout$' occurred in last 5s` (option `consolidate`, 1.2.6 on)
fn consolidated(rest: &str) -> Option<ErrorLine<'_>> {
    let (count, rest) = rest.split_once(" errors like '")?;
    let (pattern, _) = rest.split_once("' occurred in last ")?;
    count.parse::<u64>().ok()?;
    Some(ErrorLine {
        signal: Signal::UpstreamError,
        name: "",
        kind: "",
        to: "",
        family: family(pattern),
        reason: pattern,
    })
}

const LIMIT: &str = "concurrent queries exceeded maximum";

/// The words that say how an exchange failed, without addresses. The special stands before the general.
const FAMILIES: [&str; 18] = [
    "i/o timeout",
    LIMIT,
    "connection refused",
    "no route to host",
    "network is unreachable",
    "connection reset by peer",
    "no healthy proxies",
    "no upstream host",
    "x509: ",
    "tls: ",
    "context deadline exceeded",
    "connection timed out",
    "no such host",
    "host is down",
    "operation not permitted",
    "overflow unpacking",
    "buffer size too small",
    "EOF",
];

fn family(reason: &str) -> &'static str {
    FAMILIES.iter().find(|family| reason.contains(**family)).map_or("", |family| family.trim_end_matches(": "))
}

/// The address behind `->` or behind `dial udp`.
fn upstream(reason: &str) -> Option<&str> {
    if let Some(at) = reason.find("->") {
        let rest = &reason[at + 2..];
        return rest.split(": ").next().map(|word| word.trim_end_matches(':'));
    }
    let rest = reason.split_once("dial udp ").or_else(|| reason.split_once("dial tcp "))?.1;
    let word = rest.split(": ").next()?;
    word.contains(':').then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shape_gives_upstream_and_family() {
        use Signal::*;
        for (rest, signal, to, family) in [
            ("2 a. A: read udp 10.0.0.1:4->10.0.0.2:53: i/o timeout", UpstreamError, "10.0.0.2:53", "i/o timeout"),
            (
                "2 1.2. HINFO: read udp 10.0.0.1:4->10.0.0.2:53: read: connection refused",
                UpstreamProbeError,
                "10.0.0.2:53",
                "connection refused",
            ),
            (
                "2 a. A: dial tcp 10.0.0.2:853: connect: connection refused",
                UpstreamError,
                "10.0.0.2:853",
                "connection refused",
            ),
            ("2 a. A: no healthy proxies", UpstreamError, "", "no healthy proxies"),
            ("2 a. A: EOF", UpstreamError, "", "EOF"),
            ("12 errors like '.* i/o timeout$' occurred in last 5s", UpstreamError, "", "i/o timeout"),
            ("5 a. A: concurrent queries exceeded maximum 20", MaxConcurrent, "", LIMIT),
            ("2 a. A: dns: overflow unpacking uint16", Overflow, "", "overflow unpacking"),
        ] {
            let message = format!("[ERROR] plugin/errors: {rest}");
            let line = read(&message).unwrap();
            assert_eq!((line.signal, line.to, line.family), (signal, to, family), "{message}");
        }
    }

    #[test]
    fn a_limit_is_a_field() {
        let line = read("plugin/errors: 5 a. A: concurrent queries exceeded maximum 20").unwrap();
        assert_eq!(line.fields().get("limit").map(String::as_str), Some("20"));
    }

    #[test]
    fn what_is_no_error_line_is_none() {
        for message in
            ["", "plugin/errors: ", "plugin/errors: x y z", "plugin/errors: 2 a", "plugin/errors: 2 a. A: ok"]
        {
            assert_eq!(read(message), None, "{message}");
        }
    }
}
