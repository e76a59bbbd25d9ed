//! Incidents with the right answer beside them: `tests/cases/ID/bundle/` and `expect.json`.
//!
//! Roots that this release looks for must be right in full; the others must raise no false alarm and keep the report's
//! shape.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "a test, not the library")]

mod support;

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;
use support::{found, report, root, text};

const HOPS: [&str; 7] = ["client", "policy", "service", "endpoints", "server", "api", "upstream"];

/// Root causes and outcomes that this release decides in full.
const DECIDED: [&str; 28] = [
    "corefile-loop",
    "corefile-invalid",
    "port-in-use",
    "port-permission",
    "oom-killed",
    "oom-relist-peak",
    "oom-cluster-growth",
    "memory-headroom",
    "rbac-forbidden",
    "apiserver-unreachable",
    "apiserver-tls",
    "liveness-kill",
    "readiness-failing",
    "reload-failed",
    "plugin-panic",
    "image-pull",
    "exec-failed",
    "volume-mount",
    "sandbox-cni",
    "unschedulable",
    "evicted",
    "crash-loop",
    "node-not-ready",
    "service-no-endpoints",
    "service-selector-mismatch",
    "healthy",
    "not-dns",
    "inconclusive",
];

struct Case {
    name: String,
    bundle: PathBuf,
    expect: Value,
}

impl Case {
    fn list(&self, key: &str) -> Vec<&str> {
        self.expect[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    fn accepted(&self) -> BTreeSet<&str> {
        let mut accepted: BTreeSet<&str> = self.list("also_acceptable").into_iter().collect();
        accepted.insert(self.expect["root_cause"].as_str().unwrap());
        if accepted.contains("healthy") {
            accepted.insert("risk-only");
        }
        accepted
    }
}

fn cases() -> Vec<Case> {
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root().join("tests/cases")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let cases: Vec<Case> = folders
        .into_iter()
        .filter(|folder| folder.is_dir())
        .map(|folder| Case {
            name: folder.file_name().unwrap().to_string_lossy().into_owned(),
            bundle: folder.join("bundle"),
            expect: serde_json::from_str(&std::fs::read_to_string(folder.join("expect.json")).unwrap()).unwrap(),
        })
        .collect();
    assert!(cases.len() >= 40, "only {} cases", cases.len());
    cases
}

fn squash(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// What falls short in one case.
fn shortfalls(case: &Case, known: &BTreeSet<&str>) -> Vec<String> {
    let report = report(&case.bundle);
    let found = found(&report);
    let (cause, outcome) = (text(&report, "/verdict/root_cause"), text(&report, "/verdict/outcome"));
    let mut short = Vec::new();
    for id in case.list("must_not_report") {
        if found.contains(&id) || outcome == id {
            short.push(format!("false alarm {id}"));
        }
    }
    let hops: Vec<&str> = report["path"].as_array().unwrap().iter().map(|hop| text(hop, "/hop")).collect();
    if hops != HOPS {
        short.push(format!("hops {hops:?}"));
    }
    for finding in report["findings"].as_array().unwrap() {
        let commands =
            finding["missing"].as_array().unwrap().iter().filter(|m| !text(m, "/command").is_empty()).count();
        if finding["status"] == "not-checked" && commands == 0 {
            short.push(format!("{} not checked, and no command", text(finding, "/id")));
        }
        if finding["status"] == "crashed" {
            short.push(format!("{} crashed", text(finding, "/id")));
        }
    }
    let accepted = case.accepted();
    if !known.contains(case.expect["root_cause"].as_str().unwrap()) {
        return short;
    }
    if !accepted.contains(cause) && !accepted.contains(outcome) {
        short.push(format!("got {outcome}/{cause}"));
    }
    for id in case.list("must_report") {
        if !found.contains(&id) {
            short.push(format!("{id} not found"));
        }
    }
    let must = case.list("must_report");
    let cleared = accepted.contains("healthy") || accepted.contains("not-dns");
    let telling: Vec<&Value> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|f| cleared || (f["status"] == "found" && (must.contains(&text(f, "/id")) || text(f, "/id") == cause)))
        .collect();
    let quoted: String = telling
        .iter()
        .flat_map(|finding| finding["evidence"].as_array().unwrap())
        .map(|evidence| squash(text(evidence, "/quote")) + " \n ")
        .collect();
    for wanted in case.list("key_evidence") {
        if !quoted.contains(&squash(wanted)) {
            short.push(format!("not quoted: {wanted}"));
        }
    }
    let fixes: String = telling.iter().map(|finding| squash(&finding["fixes"].to_string())).collect();
    for wanted in case.list("fix_must_mention") {
        if !fixes.contains(&squash(wanted)) {
            short.push(format!("no fix mentions: {wanted}"));
        }
    }
    short
}

#[test]
fn every_case_comes_out_right() {
    let known: BTreeSet<&str> = DECIDED.into_iter().collect();
    let mut failed = Vec::new();
    for case in cases() {
        let short = shortfalls(&case, &known);
        if !short.is_empty() {
            failed.push(format!("{}: {}", case.name, short.join("; ")));
        }
    }
    assert!(failed.is_empty(), "{} cases fall short:\n{}", failed.len(), failed.join("\n"));
}
