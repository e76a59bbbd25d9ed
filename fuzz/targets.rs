//! What is fuzzed: each function takes any bytes and must come back. Also run over the kept corpora by `tests/fuzz.rs`.

use std::io::{Cursor, Read};
use std::sync::Arc;

use dnsmortem::bundle::{self, Budget, Entry, Input, MemoryFolder, Visitor};
use dnsmortem::evidence;
use dnsmortem::recognize::{self, Decoded, Hints, Kind, LineDecoder};
use dnsmortem::report;
use dnsmortem::text::{Section, Text};
use dnsmortem::{Settings, analyze};

/// A function that takes any bytes.
pub type Target = fn(&[u8]);

/// Every target by name: its file in `fuzz_targets/`, its folder in `corpus/`.
pub const TARGETS: &[(&str, Target)] = &[
    ("container", container),
    ("recognise", recognise),
    ("lines", lines),
    ("objects", objects),
    ("table", table),
    ("describe", describe),
    ("log", log),
    ("kernel", kernel),
    ("metrics", metrics),
    ("corefile", corefile),
    ("node_files", node_files),
    ("lookup", lookup),
    ("analysis", analysis),
];

/// Limits under which one input takes milliseconds.
fn small() -> Budget {
    Budget { total_bytes: 4 << 20, ratio_free: 1 << 16, zip_held: 1 << 16, window: 1 << 20, ..Budget::default() }
}

struct ReadAll;

impl Visitor for ReadAll {
    fn entry(&mut self, _: &Entry, content: &mut dyn Read) {
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes).expect("the visitor sees a clean end");
    }
}

/// The container layer: as a file and as a stream.
pub fn container(data: &[u8]) {
    let budget = small();
    let file = Input::File { name: "b", file: Box::new(Cursor::new(data)) };
    let _ = bundle::walk(file, &budget, &mut ReadAll);
    let _ = bundle::walk(Input::Stream { name: "-", reader: Box::new(data) }, &budget, &mut ReadAll);
}

/// The first line is the path, the rest the entry.
fn named(data: &[u8]) -> (String, &[u8]) {
    let end = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let (name, rest) = data.split_at(end);
    (String::from_utf8_lossy(name).into_owned(), rest.get(1..).unwrap_or_default())
}

/// The recogniser: sections follow each other and lie in the text.
pub fn recognise(data: &[u8]) {
    let (path, body) = named(data);
    let _ = recognize::head(&path, body);
    let recognized = recognize::recognize(&path, body.to_vec());
    let Some(text) = recognized.text else { return };
    let mut last = 1;
    for recognize::Part { section, .. } in &recognized.parts {
        assert!(section.lines.start >= last && section.lines.start <= section.lines.end);
        assert!(section.lines.end <= text.line_count() + 1);
        last = section.lines.end;
    }
}

/// Whole or in pieces, the lines are the same.
pub fn lines(data: &[u8]) {
    let collect = |size: usize| {
        let (mut decoder, mut lines) = (LineDecoder::new(1 << 20), Vec::new());
        let mut keep = |number: u32, line: &str| lines.push((number, line.to_owned()));
        for piece in data.chunks(size) {
            decoder.push(piece, &mut keep);
        }
        decoder.finish(&mut keep);
        lines
    };
    let whole = collect(data.len().max(1));
    assert_eq!(whole, collect(usize::from(data.first().copied().unwrap_or(0)) + 1));
    if let Decoded::Text { body, .. } = recognize::decode::decode(data.to_vec()) {
        let text = Text::new("a", body);
        assert!(data.is_empty() || whole.is_empty() || text.line_count() as usize == whole.len());
    }
}

/// Runs the readers of `kinds` over the text. A first line `$ …` is the command.
fn read(data: &[u8], kinds: &[Kind]) {
    let body = String::from_utf8_lossy(data).into_owned();
    let text = Arc::new(Text::new("a", body));
    let command = text.line(1).strip_prefix("$ ").map(str::to_owned);
    let first = if command.is_some() { 2 } else { 1 };
    let section = Section { lines: first..text.line_count() + 1, text, command };
    for kind in kinds {
        let (mut facts, mut problems) = (Vec::new(), Vec::new());
        evidence::read(&section, *kind, &Hints::default(), &Budget::default(), &mut facts, &mut problems);
    }
}

/// Kubernetes objects.
pub fn objects(data: &[u8]) {
    read(data, &[Kind::Yaml, Kind::Json]);
}

/// kubectl's tables.
pub fn table(data: &[u8]) {
    read(data, &[Kind::Table]);
}

/// kubectl describe.
pub fn describe(data: &[u8]) {
    read(data, &[Kind::Describe]);
}

/// Logs.
pub fn log(data: &[u8]) {
    read(data, &[Kind::Log]);
}

/// Kernel logs.
pub fn kernel(data: &[u8]) {
    read(data, &[Kind::KernelLog]);
}

/// Prometheus text.
pub fn metrics(data: &[u8]) {
    read(data, &[Kind::Metrics]);
}

/// Corefiles.
pub fn corefile(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let tree = dnsmortem::knowledge::corefile::Corefile::parse(&text);
    let _ = format!("{tree:?}");
    read(data, &[Kind::Corefile]);
}

/// resolv.conf, node files, kubectl's own words, notes.
pub fn node_files(data: &[u8]) {
    read(data, &[Kind::ResolvConf, Kind::NodeFile, Kind::Gap, Kind::Note, Kind::Clock, Kind::Output]);
}

/// dig and its relatives.
pub fn lookup(data: &[u8]) {
    read(data, &[Kind::Lookup]);
}

/// The whole way, into every rendering.
pub fn analysis(data: &[u8]) {
    let (path, body) = named(data);
    let folder = MemoryFolder::new().with(&path, body);
    let settings = Settings { budget: small() };
    let Ok(report) = analyze(vec![("b".into(), Input::Folder { name: "b", folder: &folder })], &settings) else {
        return;
    };
    let _ = report::json::render(&report);
    let _ = report::markdown::render(&report).expect("Markdown renders");
    let html = report::html::render(&report).expect("HTML renders");
    assert!(!html.contains("<img"), "markup of the bundle reached the page");
    let look = report::terminal::Look { width: 80, colour: false, unicode: true };
    let shown = report::terminal::render(&report, &look);
    assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "a control character reached the terminal");
}
