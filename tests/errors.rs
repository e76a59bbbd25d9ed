//! What a person sees when something is wrong: one line, the exit status of the documentation, and a report of
//! whatever could be read.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "a test, not the library")]

mod support;

use std::fs;
use std::io::Write;

use support::{dnsmortem, report};

/// A call that cannot be done: status 2, nothing on standard output, one line on standard error.
fn refused(arguments: &[&str]) -> String {
    let output = dnsmortem(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with("dnsmortem: "), "{error}");
    error
}

#[test]
fn a_path_that_does_not_exist() {
    assert!(refused(&["analyze", "no/such/bundle.tar.gz"]).contains("no/such/bundle.tar.gz: no such file or folder"));
}

#[test]
fn an_empty_folder() {
    let folder = tempfile::tempdir().unwrap();
    assert!(refused(&["analyze", folder.path().to_str().unwrap()]).contains("there is no file in it"));
}

#[test]
fn an_empty_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nothing.txt");
    fs::write(&file, "").unwrap();
    let output = dnsmortem(&["analyze", file.to_str().unwrap()]);
    assert!(matches!(output.status.code(), Some(0 | 2)));
}

/// A zip whose only member has the encryption flag set in both headers.
fn encrypted_zip() -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    writer.start_file("secret.log", options).unwrap();
    writer.write_all(b"CoreDNS-1.11.3\n").unwrap();
    let mut bytes = writer.finish().unwrap().into_inner();
    for signature in [b"PK\x03\x04".as_slice(), b"PK\x01\x02".as_slice()] {
        let at = bytes.windows(4).position(|window| window == signature).unwrap();
        let flags = at + if signature[2] == 3 { 6 } else { 8 };
        bytes[flags] |= 1;
    }
    bytes
}

#[test]
fn an_encrypted_zip() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bundle.zip");
    fs::write(&file, encrypted_zip()).unwrap();
    assert!(refused(&["analyze", file.to_str().unwrap()]).contains("encrypted"));
}

#[test]
fn a_truncated_gzip_is_read_as_far_as_it_goes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("coredns.log.gz");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    for _ in 0..200 {
        encoder
            .write_all(b"[FATAL] plugin/loop: Loop (127.0.0.1:40310 -> :53) detected for zone \".\", see x\n")
            .unwrap();
    }
    let mut bytes = encoder.finish().unwrap();
    bytes.truncate(bytes.len() / 2);
    fs::write(&file, bytes).unwrap();
    let report = report(&file);
    assert_eq!(report["verdict"]["root_cause"], "corefile-loop");
    let problems = report["bundle"]["problems"].to_string();
    assert!(problems.contains("cut") || problems.contains("end"), "{problems}");
}

#[test]
fn a_file_that_nothing_recognises() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("poem.txt"), "roses are red\nviolets are blue\n").unwrap();
    let report = report(folder.path());
    assert_eq!(report["verdict"]["outcome"], "inconclusive");
    assert_eq!(report["bundle"]["files"][0]["path"], "poem.txt");
}

#[test]
fn an_output_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("coredns.log"), "CoreDNS-1.11.3\n").unwrap();
    let bundle = folder.path().to_str().unwrap();
    let error = refused(&["analyze", bundle, "-o", "/no/such/folder/report.html"]);
    assert!(error.contains("/no/such/folder/report.html: cannot be written"), "{error}");
}

#[test]
fn an_output_without_a_format() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("coredns.log"), "CoreDNS-1.11.3\n").unwrap();
    let error = refused(&["analyze", folder.path().to_str().unwrap(), "-o", "report.xyz"]);
    assert!(error.contains("report.xyz"), "{error}");
}

#[test]
fn a_wrong_call_is_one_line() {
    assert!(refused(&["analyze"]).contains("<BUNDLE>"));
    assert!(refused(&["analyze", "x", "--no-such-option"]).contains("--no-such-option"));
}

#[test]
fn an_unknown_id() {
    assert!(refused(&["explain", "no-such-failure"]).contains("dnsmortem detectors"));
}

#[test]
fn control_characters_in_a_file_name_do_not_reach_the_terminal() {
    let error = refused(&["analyze", "a\u{1b}[31mb"]);
    assert!(!error.contains('\u{1b}'), "{error:?}");
}

#[test]
fn fail_on_sets_the_status() {
    let folder = tempfile::tempdir().unwrap();
    let line = "[FATAL] plugin/loop: Loop (127.0.0.1:40310 -> :53) detected for zone \".\", see x\n";
    fs::write(folder.path().join("coredns.log"), line).unwrap();
    let bundle = folder.path().to_str().unwrap();
    assert_eq!(dnsmortem(&["analyze", bundle, "--fail-on", "critical"]).status.code(), Some(1));
    assert_eq!(dnsmortem(&["analyze", bundle]).status.code(), Some(0));
}

#[test]
fn standard_input_is_a_bundle() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_dnsmortem"))
        .args(["analyze", "-", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let line = "[FATAL] plugin/loop: Loop (127.0.0.1:40310 -> :53) detected for zone \".\", see x\n";
    child.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["verdict"]["root_cause"], "corefile-loop");
}
