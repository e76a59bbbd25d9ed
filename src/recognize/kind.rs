//! What a section is, by its first lines; the path and the command decide only where the content does not.

use serde::{Serialize, Serializer};

use crate::text::Section;

use super::node_file::STARTS as NODE_FILE;
use super::{Hints, Kind, command, log_shape, shape};

/// How many lines with something in them are looked at.
const LOOK: usize = 40;

/// The longest part of a line that is looked at, in bytes.
const WIDE: usize = 2000;

/// What decided what a section is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// Its first lines.
    Content,
    /// The command that printed it.
    Command,
    /// The file's name or place.
    Name,
    /// Nothing; it is prose or unknown.
    Nothing,
}

impl Serialize for Basis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Basis {
    /// The words for it in the inventory.
    pub fn name(self) -> &'static str {
        match self {
            Basis::Content => "by its content",
            Basis::Command => "by its command",
            Basis::Name => "by its name",
            Basis::Nothing => "nothing else fits",
        }
    }
}

/// Tells what a section is, and by what.
pub fn kind(section: &Section, path: &str, hints: &Hints) -> (Kind, Basis) {
    let lines: Vec<&str> = section
        .numbered()
        .map(|(_, line)| start_of(line.trim_end()))
        .filter(|line| !line.is_empty())
        .take(LOOK)
        .collect();
    let look = Look { lines: &lines, path, name: file_name(path), command: section.command.as_deref(), hints };
    if lines.is_empty() {
        return (Kind::Empty, Basis::Content);
    }
    let by = |basis| move |kind| (kind, basis);
    let content = look.by_content().map(by(Basis::Content));
    let command = || look.by_command().map(by(Basis::Command));
    let name = || look.by_name().map(by(Basis::Name));
    content.or_else(command).or_else(name).unwrap_or_else(|| (look.by_words(), Basis::Nothing))
}

fn start_of(line: &str) -> &str {
    let end = (0..=WIDE.min(line.len())).rev().find(|end| line.is_char_boundary(*end)).unwrap_or(0);
    &line[..end]
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A question to the first lines.
type Test<'a> = fn(&Look<'a>) -> bool;

/// The first lines of a section and what is known around them.
struct Look<'a> {
    lines: &'a [&'a str],
    path: &'a str,
    name: &'a str,
    command: Option<&'a str>,
    hints: &'a Hints,
}

impl<'a> Look<'a> {
    fn first(&self) -> &str {
        self.lines.first().copied().unwrap_or_default()
    }

    fn any(&self, test: impl Fn(&str) -> bool) -> bool {
        self.lines.iter().any(|line| test(line))
    }

    fn all(&self, test: impl Fn(&str) -> bool) -> bool {
        self.lines.iter().all(|line| test(line))
    }

    /// Whether at least half of the lines are so.
    fn half(&self, test: impl Fn(&str) -> bool) -> bool {
        self.lines.iter().filter(|line| test(line)).count() * 2 >= self.lines.len()
    }

    /// Whether the path or the command says that it is a log.
    fn is_called_log(&self) -> bool {
        let name = self.name.to_ascii_lowercase();
        let words = name.split(['.', '-', '_', ' ']);
        let by_name = words.into_iter().any(|word| matches!(word, "log" | "logs" | "journal" | "syslog" | "messages"));
        let folder = ["/logs/", "/podlogs/", "/podscontainerlogs/", "var_log/", "var/log/"];
        match self.command.and_then(command::kind) {
            Some(kind) => kind == Kind::Log,
            None => self.command.is_none() && (by_name || folder.iter().any(|part| self.path.contains(part))),
        }
    }

    fn by_content(&self) -> Option<Kind> {
        let tests: [(Kind, Test<'a>); 13] = [
            (Kind::Gap, Self::is_gap),
            (Kind::Clock, Self::is_clock),
            (Kind::Log, Self::is_collected_log),
            (Kind::Yaml, Self::is_objects),
            (Kind::Corefile, Self::is_corefile),
            (Kind::Json, Self::is_json),
            (Kind::Metrics, Self::is_metrics),
            (Kind::Describe, Self::is_describe),
            (Kind::Table, Self::is_table),
            (Kind::KernelLog, Self::is_kernel_log),
            (Kind::Log, Self::is_log),
            (Kind::ResolvConf, Self::is_resolv_conf),
            (Kind::Lookup, Self::is_lookup),
        ];
        let found = tests.into_iter().find(|(_, test)| test(self)).map(|(kind, _)| kind);
        found.or_else(|| self.is_node_file().then_some(Kind::NodeFile))
    }

    /// Whether the command asks a server something: then errors and documents are its answer.
    fn is_asked(&self) -> bool {
        self.command.and_then(command::kind) == Some(Kind::Lookup)
    }

    /// Nothing but moments, where `date` was asked or a collector notes its start and end.
    fn is_clock(&self) -> bool {
        let asked = self.command.is_some_and(|command| command::program(command) == "date");
        let noted = ["timestamp", "date"].contains(&self.name.split('.').next().unwrap_or_default());
        (asked || noted) && self.all(|line| crate::time::date(line).is_some())
    }

    /// What lies where a collector puts a container's log is one, whatever the container printed; so is what a file's
    /// name calls the output of `kubectl logs`.
    fn is_collected_log(&self) -> bool {
        if command::from_file_name(self.name).is_some_and(|command| command::kind(&command) == Some(Kind::Log)) {
            return true;
        }
        let is_log = self.name.ends_with(".log") || self.name.ends_with(".log.1");
        is_log && self.command.is_none() && self.hints.pod.is_some() && self.hints.container.is_some()
    }

    fn is_gap(&self) -> bool {
        let harmless = |line: &str| shape::is_gap(line) || line.starts_with("Warning: ") || line.parse::<u8>().is_ok();
        shape::is_gap(self.first()) && !self.is_asked() && self.lines.len() <= 6 && self.all(harmless)
    }

    fn is_json(&self) -> bool {
        let first = self.first();
        let second = self.lines.get(1).map_or("", |line| line.trim_start());
        let opens = match first.trim_start().as_bytes() {
            [b'{'] | [b'['] => second.starts_with(['"', '{', '[', ']', '}']) || second.is_empty(),
            [b'{', rest @ ..] => matches!(rest.trim_ascii_start().first(), Some(b'"' | b'}')),
            [b'[', rest @ ..] => matches!(rest.trim_ascii_start().first(), Some(b'{' | b']' | b'"')),
            _ => false,
        };
        let objects = self.lines.iter().filter(|line| line.starts_with('{') && line.ends_with('}')).count();
        let records = objects > 1 && self.half(|line| line.starts_with('{'));
        let is_object = ["\"apiVersion\":", "\"items\":", "\"configMapExists\":", "\"containerLog\":"]
            .iter()
            .any(|key| first.contains(key));
        let one_record = log_shape::is_json_record(first) && self.lines.len() == 1 && self.is_called_log();
        opens && (is_object || !(self.is_asked() || one_record || records))
    }

    fn is_metrics(&self) -> bool {
        let comment = |line: &str| line.starts_with("# HELP ") || line.starts_with("# TYPE ");
        self.lines.iter().take(5).any(|line| comment(line))
            || self.all(|line| line.starts_with('#') || shape::is_metric(line)) && self.any(shape::is_metric)
    }

    fn is_objects(&self) -> bool {
        let starts = |line: &str, key: &str| {
            line.trim_start_matches("- ").strip_prefix(key).is_some_and(|rest| rest.starts_with(' '))
        };
        let key = |line: &str| starts(line, "apiVersion:") || starts(line, "kind:");
        self.any(key) && self.lines.iter().take(3).any(|line| shape::is_yaml(line) || line.starts_with("---"))
    }

    fn is_describe(&self) -> bool {
        let start = self.lines.iter().take(4).position(|line| shape::is_describe_name(line));
        start.is_some_and(|start| self.lines.iter().skip(start + 1).take(3).any(|line| shape::is_describe_key(line)))
    }

    fn is_table(&self) -> bool {
        self.lines.iter().take(3).any(|line| shape::is_table_heading(line))
    }

    fn is_kernel_log(&self) -> bool {
        self.half(log_shape::is_kernel)
    }

    /// A Corefile begins with comments and a server block, a snippet or an import; a log can hold one further down.
    fn is_corefile(&self) -> bool {
        let is_comment = |line: &str| line.trim_start().starts_with('#');
        let first = self.lines.iter().find(|line| !is_comment(line)).copied().unwrap_or_default();
        let name = self.name.to_ascii_lowercase();
        let by_name = name.starts_with("corefile") || name.ends_with(".server") || name.ends_with(".override");
        if by_name && self.command.is_none() && !name.ends_with(".json") {
            return true; // however broken it is: that is what it was read as
        }
        shape::is_server_block(first) && self.any(|line| line.starts_with([' ', '\t']) && shape::is_plugin(line))
    }

    fn is_log(&self) -> bool {
        let records = self.lines.iter().filter(|line| log_shape::is_json_record(line)).count();
        let listing = self.first().starts_with("total ") || self.first().starts_with("Active Internet");
        self.half(log_shape::is_log)
            && !listing
            && (records * 2 < self.lines.len() || self.lines.len() > 1 || self.is_called_log())
    }

    fn is_resolv_conf(&self) -> bool {
        let body = |line: &str| !line.trim_start().starts_with(['#', ';']);
        let count = self.lines.iter().filter(|line| body(line)).count();
        let known = self.lines.iter().filter(|line| shape::is_resolv_conf(line)).count();
        let server = self.any(|line| line.starts_with("nameserver"));
        known > 0 && known * 5 >= count * 4 && (server || self.name.contains("resolv") || count == known)
    }

    fn is_lookup(&self) -> bool {
        const STARTS: &[&str] = &[
            "; <<>> DiG",
            ";; ",
            "Server:\t",
            "Server:  ",
            "Non-authoritative answer",
            "** server can't find",
            "nslookup: ",
            "Escape character is",
            "Connected to ",
            "PING ",
            "traceroute to ",
            "Using domain server",
        ];
        const PARTS: &[&str] = &[
            " has address ",
            " has IPv6 address ",
            " not found: 3(NXDOMAIN)",
            " is an alias for ",
            "connection timed out; no servers",
        ];
        let is_one = |line: &str| {
            STARTS.iter().any(|start| line.starts_with(start)) || PARTS.iter().any(|part| line.contains(part))
        };
        self.lines.iter().take(6).any(|line| is_one(line)) && !self.first().starts_with("Client")
    }

    fn is_node_file(&self) -> bool {
        let interface = |line: &str| {
            line.split_once(": ").is_some_and(|(number, rest)| {
                !number.is_empty()
                    && number.bytes().all(|b| b.is_ascii_digit())
                    && (rest.contains(": <") || rest.contains(" inet"))
            })
        };
        let assignment =
            |line: &str| line.split_once(" = ").is_some_and(|(key, _)| key.contains('.') && !key.contains(' '));
        let flags = |line: &str| line.contains(" --") && (line.contains("kubelet") || line.starts_with('/'));
        self.lines
            .iter()
            .take(3)
            .any(|line| NODE_FILE.iter().any(|start| line.starts_with(start)) || interface(line) || flags(line))
            || self.half(assignment)
    }

    fn by_command(&self) -> Option<Kind> {
        let kind = command::kind(self.command?)?;
        // A pipe reshapes a table into numbers and words.
        let rows = self.any(|line| line.split("  ").filter(|cell| !cell.trim().is_empty()).count() >= 3);
        (kind != Kind::Table || rows).then_some(kind)
    }

    fn by_name(&self) -> Option<Kind> {
        const NODE: &[&str] = &[
            "sysctl",
            "iptables",
            "ipvsadm",
            "conntrack",
            "ethtool",
            "uname",
            "ifconfig",
            "netstat",
            "lsmod",
            "firewall",
            "sos_commands/networking",
        ];
        let name = self.name.to_ascii_lowercase();
        let yaml = name.ends_with(".yaml") || name.ends_with(".yml");
        if yaml && self.half(shape::is_yaml) || self.first().starts_with("---") && self.half(shape::is_yaml) {
            return Some(Kind::Yaml);
        }
        if name.contains("resolv.conf") {
            return Some(Kind::ResolvConf);
        }
        if self.is_called_log() && self.command.is_none() && !self.first().starts_with('<') {
            return Some(Kind::Log);
        }
        let known = self.command.is_none() && NODE.iter().any(|part| name.contains(part) || self.path.contains(part));
        (known && (self.hints.pod.is_none())).then_some(Kind::NodeFile)
    }

    fn by_words(&self) -> Kind {
        let is_code = self.first().starts_with(['<', '{', '}']);
        if (self.any(shape::is_prose) && !is_code) || self.name.ends_with(".md") {
            Kind::Note
        } else if self.command.is_some() || self.name == "version" {
            Kind::Output
        } else {
            Kind::Unknown
        }
    }
}

#[cfg(test)]
#[path = "kind_tests.rs"]
mod tests;
