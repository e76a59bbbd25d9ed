//! Several logs in one file: `kubectl logs --prefix` writes `[pod/NAME/CONTAINER] ` before each line.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Scanner;
use crate::evidence::facts::{Fact, Log, LogOwner};

/// How many pods one file may hold; further ones are read as one log.
const OWNER_LIMIT: usize = 2_000;

/// Gives each pod of a file its own scanner.
pub struct Splitter {
    path: Arc<str>,
    owner: LogOwner,
    whole: Option<Scanner>,
    owned: BTreeMap<Vec<u8>, Scanner>,
}

impl Splitter {
    /// A splitter for the file `path` whose path and command say `owner`.
    pub fn new(path: Arc<str>, owner: LogOwner) -> Self {
        Splitter { path, owner, whole: None, owned: BTreeMap::new() }
    }

    /// Takes one line without its line end; `number` counts in the whole file. True for a line of the query log.
    pub fn line(&mut self, number: u32, line: &[u8]) -> bool {
        if let Some((prefix, rest)) = owner_prefix(line) {
            if let Some(scanner) = self.owned.get_mut(prefix) {
                return scanner.line(number, rest);
            }
            if self.owned.len() < OWNER_LIMIT {
                let owner = named(&self.owner, prefix);
                let scanner = Scanner::new(self.path.clone(), number, owner);
                return self.owned.entry(prefix.to_vec()).or_insert(scanner).line(number, rest);
            }
        }
        let (path, owner) = (&self.path, &self.owner);
        self.whole.get_or_insert_with(|| Scanner::new(path.clone(), number, owner.clone())).line(number, line)
    }

    /// All logs of the file as facts.
    pub fn facts(self) -> impl Iterator<Item = Fact> {
        self.finish().into_iter().map(|log| Fact::Log(Box::new(log)))
    }

    /// All logs of the file, the unprefixed one first.
    pub fn finish(self) -> Vec<Log> {
        self.whole.into_iter().chain(self.owned.into_values()).map(Scanner::finish).collect()
    }
}

/// `[pod/NAME/CONTAINER] rest`
fn owner_prefix(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let inner = line.strip_prefix(b"[pod/")?;
    let end = memchr::memchr(b']', inner)?;
    let rest = inner.get(end + 1..)?;
    Some((&inner[..end], rest.strip_prefix(b" ").unwrap_or(rest)))
}

fn named(owner: &LogOwner, prefix: &[u8]) -> LogOwner {
    let text = String::from_utf8_lossy(prefix);
    let (pod, container) = text.split_once('/').unwrap_or((&text, ""));
    LogOwner {
        pod: Some(pod.to_owned()),
        container: (!container.is_empty()).then(|| container.to_owned()),
        ..owner.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pod_gets_its_log() {
        let mut splitter = Splitter::new("all.log".into(), LogOwner::default());
        for (number, line) in
            ["[pod/a/coredns] CoreDNS-1.11.3", "[pod/b/coredns] x", "[pod/a/coredns] y", "z"].into_iter().enumerate()
        {
            splitter.line(number as u32 + 1, line.as_bytes());
        }
        let logs = splitter.finish();
        let seen: Vec<_> = logs.iter().map(|log| (log.owner.pod.as_deref(), log.lines, log.first_line)).collect();
        assert_eq!(seen, [(None, 1, 4), (Some("a"), 2, 1), (Some("b"), 1, 2)]);
    }
}
