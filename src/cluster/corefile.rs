//! What the configured Corefile says, each setting with its line.

use super::dns::ConfiguredCorefile;
use crate::evidence::facts::Sample;
use crate::evidence::redaction;
use crate::knowledge::corefile::Directive;
use crate::knowledge::plugins::{self, Known};
use crate::knowledge::version::Version;
use crate::source::Quote;

/// One target of a `forward`.
#[derive(Debug, Clone)]
pub struct Forward {
    /// Address or file.
    pub target: String,
    /// Port; 53 where none is written.
    pub port: u16,
    /// The line.
    pub quote: Quote,
}

/// Where a helper listens.
#[derive(Debug, Clone)]
pub struct Listener {
    /// Host part; empty for all addresses.
    pub host: String,
    /// Port.
    pub port: String,
    /// The line.
    pub quote: Quote,
}

/// A rule of the version that the Corefile breaks.
#[derive(Debug, Clone)]
pub struct Fault {
    /// As CoreDNS words it.
    pub message: String,
    /// In plain words; may be empty.
    pub why: String,
    /// The line, where the message names one.
    pub quote: Option<Quote>,
}

impl ConfiguredCorefile {
    fn directives<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Directive> {
        self.tree.blocks.iter().flat_map(move |block| block.all(name))
    }

    /// All targets of all `forward` (and, to 1.4.0, `proxy`) lines.
    pub fn forwards(&self) -> Vec<Forward> {
        let mut forwards = Vec::new();
        let lines: Vec<&str> = self.text.body.lines().collect();
        for directive in self.directives("forward").chain(self.directives("proxy")) {
            // A redacted target leads nowhere that is known.
            for target in directive.args().iter().skip(1).filter(|target| !target.text.contains("***")) {
                let (host, port) = address(&target.text);
                let line = lines.get(target.line.saturating_sub(1) as usize).unwrap_or(&"");
                forwards.push(Forward { target: host, port, quote: self.text.quote_as(target.line, line) });
            }
        }
        forwards
    }

    /// The first line of a plugin, in any server block.
    pub fn plugin(&self, name: &str) -> Option<Quote> {
        let directive = self.directives(name).next()?;
        Some(self.text.quote(directive.line()))
    }

    /// Where `health` listens, all addresses on 8080 by default; `None` without it.
    pub fn health(&self) -> Option<Listener> {
        self.listener("health", "8080")
    }

    /// Where `ready` listens, all addresses on 8181 by default; `None` without it.
    pub fn ready(&self) -> Option<Listener> {
        self.listener("ready", "8181")
    }

    fn listener(&self, plugin: &str, default: &str) -> Option<Listener> {
        let directive = self.directives(plugin).next()?;
        let written = directive.args().first().map_or("", |token| token.text.as_str());
        let (host, port) = written.rsplit_once(':').unwrap_or((written, ""));
        let port = if port.is_empty() { default } else { port };
        Some(Listener { host: host.to_owned(), port: port.to_owned(), quote: self.text.quote(directive.line()) })
    }

    /// `pods verified` or `autopath @kubernetes`: the kubernetes plugin watches pods.
    pub fn watches_pods(&self) -> bool {
        let verified = self
            .directives("kubernetes")
            .any(|directive| directive.property("pods").and_then(|property| property.value()) == Some("verified"));
        verified || self.directives("autopath").any(|d| d.args().iter().any(|token| token.text == "@kubernetes"))
    }

    /// Rules of that version that the Corefile breaks: its grammar, and plugins that the official image lacks. A plugin
    /// that no release knows may be a vendor's own, so it is no fault; what the plugins make of their options is not
    /// judged here.
    pub fn faults(&self, version: &str) -> Vec<Fault> {
        let Some(version) = Version::parse(version) else { return Vec::new() };
        let mut faults = Vec::new();
        if redaction::holds_mark(&self.text.body) {
            return faults; // what stood at the marks is not known
        }
        if let Some(fault) = self.tree.fault.as_ref().filter(|fault| fault.file.is_none()) {
            faults.push(Fault {
                message: fault.message.clone(),
                why: String::new(),
                quote: Some(self.text.quote(fault.line)),
            });
        }
        for block in &self.tree.blocks {
            faults.extend(block.directives.iter().filter_map(|directive| self.unknown(directive, version)));
            let mut forwards = block.all("forward");
            if let (true, Some(second)) = (version < Version::new(1, 9, 4), forwards.nth(1)) {
                faults.push(Fault {
                    message: "plugin/forward: this plugin can only be used once per Server Block".to_owned(),
                    why: "several `forward` in one block are allowed from 1.9.4 on".to_owned(),
                    quote: Some(self.text.quote(second.line())),
                });
            }
        }
        faults
    }

    fn unknown(&self, directive: &Directive, version: Version) -> Option<Fault> {
        let why = match plugins::known(directive.name(), version) {
            Known::Yes | Known::Never => return None,
            Known::NotYet(added) => format!("this plugin exists from {added} on"),
            Known::NoMore(gone) => format!("this plugin is gone since {gone}"),
        };
        let message = format!("Unknown directive '{}'", directive.name());
        Some(Fault { message, why, quote: Some(self.text.quote(directive.line())) })
    }

    /// The line of this Corefile that a message names, if the message is about this file. Where the file was edited since,
    /// the word that the message quotes is looked for near that line.
    pub fn line_named_by(&self, sample: &Sample) -> Option<Quote> {
        let text = sample.field("text");
        let (file, number) = match sample.field("line").parse::<u32>() {
            Ok(number) => (sample.field("file").to_owned(), number),
            Err(_) => place_in(text)?,
        };
        if !file.ends_with("Corefile") && !file.is_empty() {
            return None;
        }
        let word = text.split('\'').nth(1).unwrap_or("");
        let lines: Vec<&str> = self.text.body.lines().collect();
        let holds = |number: &u32| lines.get(*number as usize - 1).is_some_and(|line| line.contains(word));
        let near = [number, number.saturating_sub(1), number + 1, number.saturating_sub(2), number + 2];
        let at = near
            .into_iter()
            .filter(|n| *n > 0)
            .find(holds)
            .or_else(|| (!word.is_empty()).then(|| (1..=lines.len() as u32).find(holds)).flatten())?;
        Some(self.text.quote(at))
    }
}

/// `FILE:14 - Error …` inside a longer text.
fn place_in(text: &str) -> Option<(String, u32)> {
    let head = text.split(" - ").next()?;
    let (file, number) = head.rsplit_once(':')?;
    let file = file.rsplit(' ').next()?;
    Some((file.to_owned(), number.parse().ok()?))
}

/// A target's host and port: `10.0.0.2`, `dns://10.0.0.2:53`, `tls://9.9.9.9`, `[fd00::1]:53`, a file.
fn address(target: &str) -> (String, u16) {
    let (scheme, rest) = target.split_once("://").unwrap_or(("dns", target));
    let default = if scheme == "tls" { 853 } else { 53 };
    if rest.starts_with('/') {
        return (rest.to_owned(), default);
    }
    if let Some((host, port)) = rest.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        return (host.to_owned(), port.trim_start_matches(':').parse().unwrap_or(default));
    }
    match rest.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') => (host.to_owned(), port.parse().unwrap_or(default)),
        _ => (rest.to_owned(), default),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::facts::{Places, TextBlock};

    fn corefile(body: &str) -> ConfiguredCorefile {
        let text = TextBlock { path: "cm.yaml".into(), body: body.to_owned(), places: Places::From(4) };
        ConfiguredCorefile::new(text, None)
    }

    #[test]
    fn targets_are_taken_apart() {
        for (target, host, port) in [
            ("10.0.0.2", "10.0.0.2", 53),
            ("10.0.0.2:5353", "10.0.0.2", 5353),
            ("tls://9.9.9.9", "9.9.9.9", 853),
            ("[fd00::1]:5353", "fd00::1", 5353),
            ("fd00::1", "fd00::1", 53),
            ("/etc/resolv.conf", "/etc/resolv.conf", 53),
        ] {
            assert_eq!(address(target), (host.to_owned(), port), "{target}");
        }
    }

    #[test]
    fn settings_have_their_lines() {
        let corefile = corefile(
            ".:53 {\n  health localhost:8080 {\n    lameduck 5s\n  }\n  ready\n  forward . 10.0.0.2 10.0.0.3\n}\n",
        );
        let health = corefile.health().unwrap();
        assert_eq!((health.host.as_str(), health.port.as_str(), health.quote.source.line), ("localhost", "8080", 5));
        assert_eq!(corefile.ready().unwrap().port, "8181");
        assert_eq!(corefile.forwards().len(), 2);
        assert!(corefile.plugin("loop").is_none());
        assert!(!corefile.watches_pods());
    }

    #[test]
    fn a_version_refuses_what_it_does_not_have() {
        let text = ".:53 {\n  errors\n  proxy . 10.0.0.2\n  ready\n}\n";
        let refused = |version: &str| {
            let faults = corefile(text).faults(version);
            faults.iter().map(|f| (f.message.clone(), f.quote.as_ref().unwrap().source.line)).collect::<Vec<_>>()
        };
        assert_eq!(refused("1.6.7"), [("Unknown directive 'proxy'".to_owned(), 6)]);
        assert_eq!(refused("1.4.0"), [("Unknown directive 'ready'".to_owned(), 7)]);
        assert!(corefile(".:53 {\n  forward . 1.1.1.1\n  forward a. 1.1.1.1\n}\n").faults("1.9.4").is_empty());
        assert_eq!(corefile(".:53 {\n  forward . 1.1.1.1\n  forward a. 1.1.1.1\n}\n").faults("1.8.6").len(), 1);
    }

    #[test]
    fn a_message_finds_its_line() {
        let corefile = corefile(".:53 {\n  errors\n  forward . 10.0.0.2 {\n    max_concurent 5\n  }\n}\n");
        let fields = std::collections::BTreeMap::from([(
            "text",
            "/etc/coredns/Corefile:3 - Error during parsing: unknown property 'max_concurent'".to_owned(),
        )]);
        let sample = Sample { fields, count: 1, quote: corefile.text.quote(1) };
        assert_eq!(corefile.line_named_by(&sample).unwrap().source.line, 7);
    }
}
