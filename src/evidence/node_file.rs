//! Output of commands on a node: who listens, settings, firewall rules, versions, what a registry answered.

use std::sync::LazyLock;

use regex::Regex;

use super::facts::{Fact, NodeLine, NodeLineKind};
use crate::problem::Problem;
use crate::recognize::Hints;
use crate::text::Section;

/// The most lines of one section that are kept.
const LIMIT: usize = 500;

/// Which lines are kept, with groups `key` and `value`.
struct Shape {
    kind: NodeLineKind,
    literals: &'static [&'static str],
    regex: &'static str,
}

const SHAPES: [Shape; 7] = [
    // ss -lunpt, netstat -tulpn
    Shape {
        kind: NodeLineKind::Listener,
        literals: &["UNCONN", "LISTEN", "udp"],
        regex: r#"^\s*(?:tcp|udp)?6?\s.*?(?P<key>(?:\[[0-9a-fA-F:%.\w]*\]|\*|[0-9a-fA-F.:%\w]*):\d{1,5})\s+\S+:(?:\*|\d+)\s+(?:LISTEN\s+)?(?:.*?\(\("(?P<value>[^"]+)"|(?P<v2>\d+/\S+))?"#,
    },
    Shape {
        kind: NodeLineKind::Sysctl,
        literals: &["net.", "kernel.", "vm.", "fs."],
        regex: r"^(?P<key>(?:net|kernel|vm|fs)\.[\w.\-]+)\s*=\s*(?P<value>.+)$",
    },
    // firewalld's rich rules and lists of ports
    Shape {
        kind: NodeLineKind::Firewall,
        literals: &["rule family", "ports: "],
        regex: r#"(?:rule family.*port(?: port)?="(?P<key>\d+)"|^\s*ports: .*?(?P<k2>\d+)/(?:tcp|udp))"#,
    },
    // iptables rules that reject
    Shape {
        kind: NodeLineKind::Firewall,
        literals: &["REJECT", "DROP"],
        regex: r"^-A .*--dport (?P<key>\d+).*-j (?P<value>REJECT|DROP)",
    },
    Shape {
        kind: NodeLineKind::Runtime,
        literals: &["Version:", "containerd ", "Docker version", "cri-o"],
        regex: r"^\s*(?:Version:\s+(?P<value>\d\S*)|containerd \S+ v?(?P<v2>\S+)|Docker version (?P<v3>[^,]+))",
    },
    Shape {
        kind: NodeLineKind::Registry,
        literals: &["NAME_UNKNOWN", "MANIFEST_UNKNOWN", "\"tags\"", "manifest unknown", "repository name not known"],
        regex: r#"(?P<value>NAME_UNKNOWN|MANIFEST_UNKNOWN|"tags"|manifest unknown|repository name not known)"#,
    },
    Shape {
        kind: NodeLineKind::Architecture,
        literals: &["arm64", "aarch64", "amd64", "x86_64", "s390x", "ppc64le", "armv7"],
        regex: r"^\s*(?P<value>arm64|aarch64|amd64|x86_64|s390x|ppc64le|armv7l?)\s*$",
    },
];

static COMPILED: LazyLock<Vec<Option<Regex>>> =
    LazyLock::new(|| SHAPES.iter().map(|shape| Regex::new(shape.regex).ok()).collect());

/// Keeps the lines that detectors quote.
pub fn read(section: &Section, _: &Hints, facts: &mut Vec<Fact>, problems: &mut Vec<Problem>) {
    let mut kept = 0;
    for (number, line) in section.numbered() {
        let Some((kind, key, value)) = shape(line) else { continue };
        if kept >= LIMIT {
            problems.push(Problem::of(
                section.text.path(),
                format!("more than {LIMIT} lines like those before were not kept"),
            ));
            return;
        }
        kept += 1;
        facts.push(Fact::NodeLine(Box::new(NodeLine { kind, key, value, quote: section.quote(number) })));
    }
}

fn shape(line: &str) -> Option<(NodeLineKind, String, String)> {
    for (shape, regex) in SHAPES.iter().zip(COMPILED.iter()) {
        if !shape.literals.iter().any(|literal| line.contains(literal)) {
            continue;
        }
        let Some(captures) = regex.as_ref().and_then(|regex| regex.captures(line)) else { continue };
        let part = |names: &[&str]| {
            names.iter().find_map(|name| captures.name(name)).map_or(String::new(), |found| found.as_str().to_owned())
        };
        return Some((shape.kind, part(&["key", "k2"]), part(&["value", "v2", "v3"])));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shape_is_told_apart() {
        use NodeLineKind::*;
        for (line, kind, key, value) in [
            (
                r#"udp    UNCONN     0      0      192.0.2.1:53                    *:*                   users:(("dnsmasq",pid=1,fd=5))"#,
                Listener,
                "192.0.2.1:53",
                "dnsmasq",
            ),
            (
                r#"tcp   LISTEN 0      4096   127.0.0.53%lo:53   0.0.0.0:*    users:(("systemd-resolve",pid=9,fd=14))"#,
                Listener,
                "127.0.0.53%lo:53",
                "systemd-resolve",
            ),
            (
                "tcp6       0      0 :::8080                 :::*                    LISTEN      42/kube-apiserver",
                Listener,
                ":::8080",
                "42/kube-apiserver",
            ),
            ("net.ipv4.ip_unprivileged_port_start = 1024", Sysctl, "net.ipv4.ip_unprivileged_port_start", "1024"),
            (
                "\trule family=\"ipv4\" source address=\"192.0.2.0/24\" port port=\"6443\" protocol=\"tcp\" accept",
                Firewall,
                "6443",
                "",
            ),
            (
                "-A INPUT -p tcp -m tcp --dport 53 -j REJECT --reject-with icmp-port-unreachable",
                Firewall,
                "53",
                "REJECT",
            ),
            (" Version:           18.09.0", Runtime, "", "18.09.0"),
            (r#"{"errors":[{"code":"NAME_UNKNOWN"}]}"#, Registry, "", "NAME_UNKNOWN"),
            ("aarch64", Architecture, "", "aarch64"),
        ] {
            assert_eq!(shape(line), Some((kind, key.to_owned(), value.to_owned())), "{line}");
        }
        for line in ["", "hello", "inet 10.0.0.1/24", "listening on amd64 machines"] {
            assert_eq!(shape(line), None, "{line}");
        }
    }
}
