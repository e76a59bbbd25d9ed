//! One log, line by line.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, LazyLock};

use aho_corasick::AhoCorasick;
use jiff::Timestamp;
use regex::{Captures, Regex};

use super::cut::capped;
use super::errors_line;
use super::prefix::{Prefix, strip};
use super::program::program;
use super::query_line::{self, QueryLine};
use crate::evidence::facts::{Log, LogOwner, NAME_LIMIT, Queries, SAMPLE_LIMIT, Sample, Tally};
use crate::knowledge::messages::{PATTERNS, Pattern, Signal};
use crate::source::Quote;

/// How many lines at the start of a log go into its digest.
const DIGEST_LINES: u64 = 200;
/// How many distinct rcodes are counted; there are about two dozen, more are no rcodes.
const RCODE_LIMIT: usize = 64;

/// The literals of all patterns in one automaton.
struct Index {
    literals: AhoCorasick,
    /// Which pattern a literal belongs to; `None`: the `errors` plugin, read by hand.
    pattern_of: Vec<Option<usize>>,
    regexes: Vec<Regex>,
}

/// `None` only if a pattern of the table does not compile, which a test excludes.
static INDEX: LazyLock<Option<Index>> = LazyLock::new(|| {
    let mut literals = vec!["plugin/errors: "];
    let mut pattern_of = vec![None];
    for (index, pattern) in PATTERNS.iter().enumerate() {
        literals.extend(pattern.literals);
        pattern_of.extend(pattern.literals.iter().map(|_| Some(index)));
    }
    let regexes = PATTERNS.iter().map(|pattern| Regex::new(pattern.regex)).collect::<Result<_, _>>().ok()?;
    Some(Index { literals: AhoCorasick::new(literals).ok()?, pattern_of, regexes })
});

/// Reads one log. Memory is bounded: a few quotes for each known message.
pub struct Scanner {
    path: Arc<str>,
    owner: LogOwner,
    first_line: u32,
    lines: u64,
    bytes: u64,
    digest: DefaultHasher,
    from: Option<Timestamp>,
    tallies: BTreeMap<Signal, Growing>,
    last: (u32, Vec<u8>),
    queries: Queries,
    /// A message whose end has not come yet: the runtime cuts long ones.
    begun: Option<Begun>,
}

/// The beginning of a message: its first line as it stands, and all that came of the message.
struct Begun {
    number: u32,
    line: String,
    message: String,
}

/// How much of one message is put together.
const JOINED: usize = 1 << 20;

/// A tally while it grows; the last line is kept as text and made a quote at the end.
struct Growing {
    tally: Tally,
    keys: Vec<String>,
    last: (u32, String),
    /// Where in the last line the telling words stand.
    last_place: usize,
}

impl Scanner {
    /// A scanner for a log that starts at `first_line` of `path`.
    pub fn new(path: Arc<str>, first_line: u32, owner: LogOwner) -> Self {
        Scanner {
            path,
            owner,
            first_line,
            lines: 0,
            bytes: 0,
            digest: DefaultHasher::new(),
            from: None,
            tallies: BTreeMap::new(),
            last: (first_line, Vec::new()),
            queries: Queries::default(),
            begun: None,
        }
    }

    /// Takes one line, without its line end; `number` counts in the whole file. True for a line of the query log.
    pub fn line(&mut self, number: u32, line: &[u8]) -> bool {
        self.lines += 1;
        self.bytes += line.len() as u64 + 1;
        if !line.is_empty() {
            self.last.0 = number;
            self.last.1.clear();
            self.last.1.extend_from_slice(line);
        }
        if self.lines <= DIGEST_LINES {
            self.opening(line);
        }
        let Some(index) = LazyLock::force(&INDEX).as_ref() else { return false };
        if self.begun.is_some() || may_be_partial(line) {
            self.piece(index, number, line);
            return false;
        }
        if let Some(query) = query_line::read(line) {
            self.queries.count(&query, || quote(&self.path, number, line));
            return true;
        }
        if line.starts_with(b"{\"log\":") {
            self.wrapped(index, number, line);
        } else if index.literals.is_match(line) {
            let text = String::from_utf8_lossy(line);
            let message = strip(&text);
            self.message(index, number, &text, &message.message);
        }
        false
    }

    /// A part of a message, or its end. The whole is looked at, and the line quoted in which the telling words stand.
    fn piece(&mut self, index: &'static Index, number: u32, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let prefix = strip(&text);
        let mut begun = self.begun.take().unwrap_or_else(|| Begun {
            number,
            line: text.clone().into_owned(),
            message: String::new(),
        });
        let room = JOINED.saturating_sub(begun.message.len());
        begun.message.push_str(prefix.message.get(..room).unwrap_or(&prefix.message));
        if prefix.partial && room > 0 {
            self.begun = Some(begun);
            return;
        }
        if let Some(query) = query_line::read(begun.message.as_bytes()) {
            return self.queries.count(&query, || Quote::new(&self.path, begun.number, &begun.line));
        }
        let in_first = index.literals.is_match(&begun.line);
        let (number, shown) = if in_first { (begun.number, &*begun.line) } else { (number, &*text) };
        self.message(index, number, shown, &begun.message);
    }

    /// The first lines: digest and the first time.
    fn opening(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let prefix = strip(&text);
        prefix.message.hash(&mut self.digest);
        if self.from.is_none() {
            self.from = prefix.at();
        }
    }

    /// A docker-json line: its message is escaped, so it is unwrapped before anything is looked for.
    fn wrapped(&mut self, index: &'static Index, number: u32, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let prefix: Prefix = strip(&text);
        if let Some(query) = query_line::read(prefix.message.as_bytes()) {
            self.queries.count(&query, || Quote::new(&self.path, number, &text));
        } else {
            self.message(index, number, &text, &prefix.message);
        }
    }

    fn message(&mut self, index: &'static Index, number: u32, line: &str, message: &str) {
        let mut candidates: Vec<usize> = Vec::new();
        for found in index.literals.find_overlapping_iter(message) {
            match index.pattern_of.get(found.pattern().as_usize()).copied().flatten() {
                Some(pattern) => candidates.push(pattern),
                None => {
                    if let Some(error) = errors_line::read(message) {
                        let key = [error.to, "|", error.family].concat();
                        self.note(error.signal, number, line, 0, key, || error.fields());
                        return;
                    }
                }
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        for candidate in candidates {
            let (pattern, regex) = (&PATTERNS[candidate], &index.regexes[candidate]);
            if let Some(captures) = regex.captures(message) {
                let key = key(pattern, &captures);
                let place = pattern.literals.iter().find_map(|literal| line.find(literal)).unwrap_or(0);
                self.note(pattern.signal, number, line, place, key, || fields(regex, &captures));
                return;
            }
        }
    }

    fn note(
        &mut self,
        signal: Signal,
        number: u32,
        line: &str,
        place: usize,
        key: String,
        fields: impl FnOnce() -> BTreeMap<&'static str, String>,
    ) {
        let path = &self.path;
        let growing = self.tallies.entry(signal).or_insert_with(|| {
            let first = Quote::around(path, number, line, place);
            let tally = Tally {
                count: 0,
                last: first.clone(),
                first,
                first_at: strip(line).at(),
                last_at: None,
                samples: Vec::new(),
                more_samples: 0,
            };
            Growing { tally, keys: Vec::new(), last: (number, String::new()), last_place: 0 }
        });
        growing.tally.count += 1;
        (growing.last.0, growing.last_place) = (number, place);
        growing.last.1.clear();
        growing.last.1.push_str(line);
        if let Some(at) = growing.keys.iter().position(|known| *known == key) {
            growing.tally.samples[at].count += 1;
        } else if growing.keys.len() < SAMPLE_LIMIT {
            growing.keys.push(key);
            growing.tally.samples.push(Sample {
                fields: fields(),
                count: 1,
                quote: Quote::around(path, number, line, place),
            });
        } else {
            growing.tally.more_samples += 1;
        }
    }

    /// The log as a fact.
    pub fn finish(mut self) -> Log {
        if let (Some(begun), Some(index)) = (self.begun.take(), LazyLock::force(&INDEX).as_ref()) {
            self.message(index, begun.number, &begun.line, &begun.message);
        }
        let last_text = String::from_utf8_lossy(&self.last.1).into_owned();
        let tallies: BTreeMap<Signal, Tally> =
            self.tallies.into_iter().map(|(signal, growing)| (signal, growing.finish(&self.path))).collect();
        for (signal, tally) in &tallies {
            (signal, tally.count).hash(&mut self.digest);
        }
        (self.lines, self.queries.total).hash(&mut self.digest);
        self.owner.program = program(&self.owner, &self.path, &tallies, &self.queries);
        Log {
            first_line: self.first_line,
            lines: self.lines,
            bytes: self.bytes,
            digest: self.digest.finish(),
            from: self.from,
            to: strip(&last_text).at(),
            last_line: (!last_text.is_empty()).then(|| Quote::new(&self.path, self.last.0, &last_text)),
            capped: capped(&self.path, self.lines, self.bytes),
            path: self.path,
            owner: self.owner,
            tallies,
            queries: self.queries,
        }
    }
}

impl Growing {
    fn finish(self, path: &Arc<str>) -> Tally {
        let (number, line) = self.last;
        let mut tally = self.tally;
        tally.last = Quote::around(path, number, &line, self.last_place);
        tally.last_at = strip(&line).at();
        tally
    }
}

impl Queries {
    fn count(&mut self, query: &QueryLine, quote: impl Fn() -> Quote) {
        self.total += 1;
        if let Some(count) = self.by_rcode.get_mut(query.rcode) {
            *count += 1;
        } else if self.by_rcode.len() < RCODE_LIMIT {
            self.by_rcode.insert(query.rcode.to_owned(), 1);
        }
        if self.first.is_none() {
            self.first = Some(quote());
        }
        if query.rcode == "NOERROR" && self.answered.len() < NAME_LIMIT && !self.answered.contains_key(query.name) {
            self.answered.insert(query.name.to_owned(), quote());
        }
    }
}

fn quote(path: &Arc<str>, number: u32, line: &[u8]) -> Quote {
    Quote::new(path, number, &String::from_utf8_lossy(line))
}

fn key(pattern: &Pattern, captures: &Captures) -> String {
    let parts: Vec<&str> =
        pattern.key.iter().map(|name| captures.name(name).map_or("", |found| found.as_str())).collect();
    parts.join("|")
}

/// Named groups by name; `n2`, `r3` … are further spellings of the field with that first letter.
fn fields(regex: &'static Regex, captures: &Captures) -> BTreeMap<&'static str, String> {
    let mut fields = BTreeMap::new();
    for name in regex.capture_names().flatten() {
        let Some(found) = captures.name(name) else { continue };
        let field = match (name.len(), name.as_bytes().first()) {
            (2, Some(b'n')) => "name",
            (2, Some(b'r')) => "reason",
            (2, Some(b'a')) => "address",
            _ => name,
        };
        fields.insert(field, found.as_str().to_owned());
    }
    fields
}

/// Whether the line can be a part of a message by CRI's tag or docker's missing line end.
fn may_be_partial(line: &[u8]) -> bool {
    if line.starts_with(b"{\"log\":") {
        return memchr::memmem::find(line, b"\\n\",\"").is_none() && line.ends_with(b"}");
    }
    if !line.first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let behind = memchr::memchr(b' ', line).and_then(|end| line.get(end + 1..)).unwrap_or_default();
    behind.starts_with(b"stdout P") || behind.starts_with(b"stderr P")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::facts::Program;

    fn scan(text: &str) -> Log {
        let mut scanner = Scanner::new("x.log".into(), 1, LogOwner::default());
        for (index, line) in text.lines().enumerate() {
            scanner.line(index as u32 + 1, line.as_bytes());
        }
        scanner.finish()
    }

    #[test]
    fn a_message_in_parts_is_one_message() {
        let long = "x".repeat(300);
        let log = scan(&format!(
            "2026-01-02T03:04:05Z stdout P [ERROR] plugin/errors: 2 {long}.example. A: read udp 10.0.0.1:5->10.\n\
             2026-01-02T03:04:05Z stdout F 0.0.2:53: i/o timeout\n2026-01-02T03:04:06Z stdout F CoreDNS-1.11.3\n"
        ));
        let tally = log.tally(Signal::UpstreamError).unwrap();
        assert_eq!((tally.count, tally.first.source.line), (1, 1));
        assert_eq!(log.tally(Signal::Banner).unwrap().first.source.line, 3);
    }

    #[test]
    fn every_pattern_compiles() {
        assert!(INDEX.is_some());
    }

    #[test]
    fn one_line_gives_one_signal() {
        use Signal::*;
        let api = "https://10.96.0.1:443/api/v1/services?limit=500&resourceVersion=0";
        let forbidden = r#"services is forbidden: User "system:serviceaccount:a:b" cannot list resource "services" in API group "" at the cluster scope"#;
        let klog = "E0706 21:02:19.508063       1 reflector.go:138] pkg/mod/k8s.io/client-go@v0.21.1/tools/cache/reflector.go:167: Failed to watch *v1.Service: failed to list *v1.Service:";
        for (line, signal) in [
            ("CoreDNS-1.10.1".to_owned(), Banner),
            (r#"[FATAL] plugin/loop: Loop (127.0.0.1:4 -> :53) detected for zone ".", see https"#.into(), Loop),
            (r#"[FATAL] plugin/loop: Forwarding loop detected in "." zone. Exiting. See"#.into(), Loop),
            (r#"[FATAL] plugin/loop: Seen "HINFO IN 1.2." more than twice, loop detected"#.into(), Loop),
            ("/etc/coredns/Corefile:19 - Error during parsing: Unknown directive 'x'".into(), StartFailed),
            ("plugin/forward: this plugin can only be used once per Server Block".into(), StartFailed),
            ("cannot serve dns://.:53 - it is already defined".into(), StartFailed),
            ("Listen: listen tcp :53: bind: address already in use".into(), PortInUse),
            ("listen tcp 169.254.20.10:8080: bind: permission denied".into(), PortDenied),
            ("[ERROR] plugin/prometheus: Failed to start metrics handler: listen tcp :9153: bind: address already in use".into(), PortInUse),
            ("[ERROR] Restart failed: listen tcp :8080: bind: address already in use".into(), ReloadFailed),
            (format!("{klog} {forbidden}"), ApiForbidden),
            (format!(r#"{klog} Get "{api}": dial tcp 10.96.0.1:443: i/o timeout"#), ApiUnreachable),
            (format!(r#"{klog} Get "{api}": dial tcp 10.96.0.1:443: connect: no route to host"#), ApiUnreachable),
            (format!(r#"{klog} Get "{api}": x509: certificate signed by unknown authority"#), ApiTls),
            (format!("{klog} Unauthorized"), ApiUnauthorized),
            (format!("{klog} etcdserver: leader changed"), ApiUnhealthy),
            (format!("{klog} the server could not find the requested resource"), ApiResourceUnknown),
            ("[ERROR] plugin/kubernetes: Unhandled Error".into(), ApiFailedSilently),
            ("[ERROR] plugin/kubernetes: Failed to watch".into(), ApiFailedSilently),
            (r#"[INFO] plugin/ready: Still waiting on: "kubernetes""#.into(), NotReady),
            ("panic: runtime error: index out of range".into(), PanicFatal),
            (r#"standard_init_linux.go:211: exec user process caused "exec format error""#.into(), ExecFormat),
            ("exec /coredns: operation not permitted".into(), ExecDenied),
            ("[ERROR] plugin/errors: 2 a. A: read udp 10.0.0.1:1->10.0.0.2:53: i/o timeout".into(), UpstreamError),
            ("2026-01-02T03:04:05Z stdout F [INFO] SIGTERM: Shutting down servers then terminating".into(), Sigterm),
        ] {
            let log = scan(&line);
            assert_eq!(log.tallies.keys().copied().collect::<Vec<_>>(), [signal], "{line}");
        }
    }

    #[test]
    fn tallies_count_and_quote() {
        let log = scan(
            "2026-01-02T03:04:05Z CoreDNS-1.11.3\n\
             2026-01-02T03:04:06Z [ERROR] plugin/errors: 2 a. A: read udp 10.0.0.1:1->10.0.0.2:53: i/o timeout\n\
             2026-01-02T03:04:07Z [ERROR] plugin/errors: 2 b. A: read udp 10.0.0.1:2->10.0.0.2:53: i/o timeout\n\
             2026-01-02T03:04:08Z [ERROR] plugin/errors: 2 b. A: read udp 10.0.0.1:2->10.0.0.3:53: i/o timeout\n",
        );
        let tally = log.tally(Signal::UpstreamError).unwrap();
        assert_eq!((tally.count, tally.samples.len()), (3, 2));
        assert_eq!((tally.first.source.line, tally.last.source.line), (2, 4));
        assert_eq!(tally.samples[0].count, 2);
        assert_eq!(tally.last_at.unwrap().to_string(), "2026-01-02T03:04:08Z");
        assert_eq!(log.from.unwrap().to_string(), "2026-01-02T03:04:05Z");
        assert_eq!(log.owner.program, Program::CoreDns);
    }

    #[test]
    fn the_same_log_with_and_without_times_has_one_digest() {
        let plain = scan(".:53\nCoreDNS-1.11.3\n");
        let stamped = scan("2026-01-02T03:04:05Z .:53\n2026-01-02T03:04:05Z CoreDNS-1.11.3\n");
        assert_eq!(plain.digest, stamped.digest);
        assert_ne!(plain.digest, scan(".:53\nCoreDNS-1.11.1\n").digest);
    }

    #[test]
    fn distinct_wordings_are_bounded() {
        let text: String = (0..100)
            .map(|i| format!("[ERROR] plugin/errors: 2 a. A: read udp 10.0.0.1:1->10.0.0.{i}:53: EOF\n"))
            .collect();
        let tally = &scan(&text).tallies[&Signal::UpstreamError];
        assert_eq!(tally.samples.len(), SAMPLE_LIMIT);
        assert_eq!(tally.more_samples, 100 - SAMPLE_LIMIT as u64);
    }
}
