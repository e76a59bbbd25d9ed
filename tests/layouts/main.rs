//! One incident in the layout of every collector and in every container: the same report but for paths.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "a test, not the library")]

mod incident;
mod packing;
mod shapes;

use std::io::Cursor;

use dnsmortem::bundle::{Input, MemoryFolder};
use dnsmortem::report::Report;
use dnsmortem::{Settings, analyze};
use serde_json::{Value, json};
use shapes::{ALL, Facts, Files, LAYOUTS, troubleshoot};

fn of_folder(files: &Files) -> Report {
    let folder = files.iter().fold(MemoryFolder::new(), |folder, (path, content)| {
        folder.with(path.trim_start_matches("./"), content.clone())
    });
    analyze(vec![("b".into(), Input::Folder { name: "b", folder: &folder })], &Settings::default()).unwrap()
}

fn of_file(bytes: Vec<u8>) -> Report {
    let input = Input::File { name: "b", file: Box::new(Cursor::new(bytes)) };
    analyze(vec![("b".into(), input)], &Settings::default()).unwrap()
}

fn of_stream(bytes: &[u8]) -> Report {
    let input = Input::Stream { name: "-", reader: Box::new(bytes) };
    analyze(vec![("-".into(), input)], &Settings::default()).unwrap()
}

/// The report without the bundle's own name, hash and list of files, and without paths.
fn without_paths(report: &Report) -> Value {
    let mut value = serde_json::to_value(report).unwrap();
    value["bundle"] = json!(null);
    strip(&mut value, &["path"]);
    value
}

/// The same without lines, columns, pointers and quotes: another format writes the same fact in other words.
fn meaning(report: &Report) -> Value {
    let mut value = without_paths(report);
    // `from` says whether a number was counted in a list or over files.
    strip(&mut value, &["line", "column", "pointer", "quote", "from"]);
    sort_evidence(&mut value);
    value
}

fn strip(value: &mut Value, keys: &[&str]) {
    match value {
        Value::Object(map) => {
            // Places have a path that is a text; the path of a query is a list.
            map.retain(|key, value| !keys.contains(&key.as_str()) || value.is_array());
            map.values_mut().for_each(|value| strip(value, keys));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| strip(value, keys)),
        _ => {}
    }
}

/// Evidence stands in order of path, which differs.
fn sort_evidence(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (key, value) in map.iter_mut() {
                sort_evidence(value);
                if let (true, Value::Array(items)) = (["evidence", "timeline"].contains(&key.as_str()), value) {
                    items.sort_by_key(Value::to_string);
                    items.dedup();
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(sort_evidence),
        _ => {}
    }
}

#[track_caller]
fn same(name: &str, found: &Value, wanted: &Value) {
    if found == wanted {
        return;
    }
    let text = |value: &Value| serde_json::to_string_pretty(value).unwrap();
    let (found, wanted) = (text(found), text(wanted));
    let line = found.lines().zip(wanted.lines()).position(|(a, b)| a != b).unwrap_or(0);
    let around = |text: &str| text.lines().skip(line.saturating_sub(12)).take(24).collect::<Vec<_>>().join("\n");
    panic!("{name}: found\n{}\nwanted\n{}", around(&found), around(&wanted));
}

#[test]
fn every_layout_means_the_same() {
    for layout in LAYOUTS {
        let found = of_folder(&(layout.files)(layout.facts));
        assert_eq!(found.verdict.root_cause.as_deref(), Some("corefile-loop"), "{}", layout.name);
        same(layout.name, &meaning(&found), &meaning(&of_folder(&troubleshoot(layout.facts))));
    }
}

#[test]
fn every_container_holds_the_same() {
    let plain = troubleshoot(Facts { resolv_conf: true, ..ALL });
    let wanted = without_paths(&of_folder(&plain));
    let tar = packing::tar(&plain);
    let archives: [(&str, Vec<u8>); 15] = [
        ("tar.gz", packing::gzip(&tar)),
        ("tar.gz of two members", packing::gzip_twice(&tar)),
        ("tar.bz2", packing::bzip2(&tar)),
        ("tar.xz", packing::xz(&tar)),
        ("tar.zst", packing::zstd(&tar)),
        ("zip", packing::zip(&plain)),
        ("stored zip", packing::zip_stored(&plain)),
        ("zip64", packing::zip64(&plain)),
        ("streamed zip", packing::zip_streamed(&plain)),
        ("zip in a tar.gz", packing::gzip(&packing::tar(&vec![("in.zip".into(), packing::zip(&plain))]))),
        ("streamed zip in a tar", packing::tar(&vec![("a.zip".into(), packing::zip_streamed(&plain))])),
        ("tar.gz in a zip", packing::zip(&vec![("bundle.tgz".into(), packing::gzip(&tar))])),
        ("tar.xz in a tar.zst", packing::zstd(&packing::tar(&vec![("x".into(), packing::xz(&tar))]))),
        ("packed logs in a tar", packing::tar(&packing::logs_packed(&plain))),
        ("tar", tar),
    ];
    for (name, bytes) in archives {
        same(name, &without_paths(&of_stream(&bytes)), &wanted);
        same(name, &without_paths(&of_file(bytes)), &wanted);
    }
}

#[test]
fn several_bundles_are_parts_of_one_incident() {
    let plain = troubleshoot(ALL);
    let (logs, objects): (Files, Files) = plain.iter().cloned().partition(|(path, _)| path.ends_with(".log"));
    let archives = [packing::zip(&logs), packing::gzip(&packing::tar(&objects))];
    let inputs = archives.iter().enumerate().map(|(number, bytes)| {
        (format!("{number}.zip"), Input::File { name: "x", file: Box::new(Cursor::new(bytes)) })
    });
    let report = analyze(inputs.collect(), &Settings::default()).unwrap();
    same("two bundles", &meaning(&report), &meaning(&of_folder(&plain)));
}

#[test]
fn every_layout_survives_every_packer() {
    for layout in LAYOUTS {
        let files = (layout.files)(layout.facts);
        let wanted = without_paths(&of_folder(&files));
        let tar = packing::tar(&files);
        for (name, bytes) in
            [("zip", packing::zip(&files)), ("tar.gz", packing::gzip(&tar)), ("tar.xz", packing::xz(&tar))]
        {
            same(&format!("{} as {name}", layout.name), &without_paths(&of_file(bytes)), &wanted);
        }
    }
}
