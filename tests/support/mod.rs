//! What the integration tests share.
#![allow(dead_code, reason = "each test crate uses a part of it")]

pub mod measure;
pub mod schema;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The repository's root.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Runs the real binary with a clean environment.
pub fn dnsmortem(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dnsmortem"))
        .args(arguments)
        .current_dir(root())
        .env_clear()
        .env("LANG", "C.UTF-8")
        .output()
        .unwrap()
}

/// The JSON report of a bundle.
pub fn report(bundle: &Path) -> Value {
    let output = dnsmortem(&["analyze", bundle.to_str().unwrap(), "--format", "json"]);
    assert!(output.status.success(), "{}: {}", bundle.display(), String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A text of the report; empty where it is missing.
pub fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or("")
}

/// The findings of the report with that status.
pub fn findings<'a>(report: &'a Value, status: &'a str) -> impl Iterator<Item = &'a Value> {
    report["findings"].as_array().unwrap().iter().filter(move |finding| finding["status"] == status)
}

/// Ids of the found findings.
pub fn found(report: &Value) -> Vec<&str> {
    findings(report, "found").map(|finding| text(finding, "/id")).collect()
}
