//! Archives and texts that are out to hurt: each is made here, and each ends soon, in little memory, with the problem
//! named, while the honest log beside it is still judged.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test, not the library"
)]

#[path = "../support/mod.rs"]
mod support;

mod archives;
mod tars;
mod texts;
mod zips;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use support::measure::{Feed, Measured, measure};

/// More memory than an honest bundle of one log takes.
const MEMORY: u64 = 64 << 20;

/// How long one may take.
const TIME: Duration = Duration::from_secs(5);

/// One thing out to hurt.
pub struct Trap {
    /// What it is.
    name: &'static str,
    /// Its file's name in the bundle; the whole bundle where it comes on standard input.
    file: &'static str,
    content: Content,
    /// Words that a problem must hold; empty where there is nothing to say.
    problem: &'static str,
}

/// Where its bytes come from.
enum Content {
    File(Box<dyn Fn() -> Vec<u8>>),
    Stdin(Feed),
}

impl Trap {
    /// A file in a folder, beside an honest log.
    pub fn file(
        name: &'static str,
        file: &'static str,
        problem: &'static str,
        content: impl Fn() -> Vec<u8> + 'static,
    ) -> Self {
        Trap { name, file, content: Content::File(Box::new(content)), problem }
    }

    /// Too long for a file: it is piped into the program.
    pub fn stdin(
        name: &'static str,
        problem: &'static str,
        feed: impl FnOnce(&mut dyn std::io::Write) + Send + 'static,
    ) -> Self {
        Trap { name, file: "-", content: Content::Stdin(Box::new(feed)), problem }
    }
}

/// The honest log beside every trap.
pub const HONEST: &[u8] =
    b".:53\nCoreDNS-1.11.3\n[FATAL] plugin/loop: Loop (127.0.0.1:49602 -> :53) detected for zone \".\", see https://coredns.io/plugins/loop#troubleshooting. Query: \"HINFO 4547991504243258144.3688648895315093531.\"\n";

#[test]
fn every_trap_ends_soon_and_small() {
    let traps: Vec<Trap> =
        [archives::traps(), tars::traps(), zips::traps(), texts::traps()].into_iter().flatten().collect();
    assert!(traps.len() >= 60, "{}", traps.len());
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("coredns.log"), HONEST).unwrap();
    let baseline = analyze(folder.path(), None).peak;
    let mut wrong = Vec::new();
    for trap in traps {
        wrong.extend(fails(trap, folder.path(), baseline));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn analyze(bundle: &Path, feed: Option<Feed>) -> Measured {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dnsmortem"));
    measure(command.arg("analyze").arg(bundle).args(["--format", "json"]).env_clear(), feed)
}

/// Everything that is wrong with how the program took a trap.
fn fails(trap: Trap, folder: &Path, baseline: u64) -> Vec<String> {
    let file = folder.join(trap.file);
    let beside = matches!(trap.content, Content::File(_));
    let run = match trap.content {
        Content::File(content) => {
            std::fs::write(&file, content()).unwrap();
            let run = analyze(folder, None);
            std::fs::remove_file(&file).unwrap();
            run
        }
        Content::Stdin(feed) => analyze(Path::new("-"), Some(feed)),
    };
    let mut wrong = Vec::new();
    let mut fault = |words: String| wrong.push(format!("{}: {words}", trap.name));
    let more = run.peak.saturating_sub(baseline);
    if std::env::var_os("DNSMORTEM_SHOW").is_some() {
        println!("{:<50} {:>6} ms {:>5} MiB", trap.name, run.time.as_millis(), more >> 20);
    }
    if run.time > TIME {
        fault(format!("took {:?}", run.time));
    }
    if more > MEMORY {
        fault(format!("took {} MiB more than an honest log", more >> 20));
    }
    let stdout = String::from_utf8_lossy(&run.output.stdout);
    let stderr = String::from_utf8_lossy(&run.output.stderr);
    if stdout.chars().chain(stderr.chars()).any(|c| c.is_control() && c != '\n') {
        fault("a control character came out".to_owned());
    }
    let told = match serde_json::from_str::<Value>(&stdout) {
        Ok(report) => {
            if beside && report["verdict"]["root_cause"] != "corefile-loop" {
                fault(format!("the log beside it is not judged: {}", report["verdict"]["headline"]));
            }
            report["bundle"]["problems"].to_string()
        }
        Err(_) if run.output.status.code() == Some(2) && !beside && stderr.lines().count() == 1 => stderr.into_owned(),
        Err(error) => {
            fault(format!("no report: {error}: {stderr}"));
            return wrong;
        }
    };
    if !told.contains(trap.problem) {
        fault(format!("`{}` is not said: {:.600}", trap.problem, told));
    }
    wrong
}
