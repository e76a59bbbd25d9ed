//! The documentation is made from the code. `DNSMORTEM_UPDATE_DOCS=1 cargo test --test docs` writes it anew.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "a test, not the library")]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use dnsmortem::detectors::{Class, Failure, REGISTRY};

/// Writes `text` where asked to, else demands that it stands there.
fn current(path: &Path, text: &str) {
    if std::env::var_os("DNSMORTEM_UPDATE_DOCS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let stands = fs::read_to_string(path).unwrap_or_default();
    assert!(stands == text, "{} is not current; run DNSMORTEM_UPDATE_DOCS=1 cargo test --test docs", path.display());
}

fn page(failure: &Failure) -> String {
    let hop = failure.hop.map_or("none", |hop| hop.name());
    let class = match failure.class {
        Class::Cause => "a cause",
        Class::Symptom => "a symptom: never a confirmed root cause",
        Class::Condition => "a condition: it makes a failure possible or worse",
    };
    let effects: Vec<String> = failure
        .causes
        .iter()
        .map(|edge| format!("`{}`{}", edge.to, if edge.when.is_some() { " (under a condition)" } else { "" }))
        .collect();
    let effects = if effects.is_empty() { "nothing on the list".to_owned() } else { effects.join(", ") };
    format!(
        "{}\n## In reports\nId `{}`, hop {hop}, {class}. It can cause: {effects}.\n\nThis page is made from the head of `src/detectors/{}.rs`.\n",
        failure.page(),
        failure.id,
        failure.id.replace('-', "_")
    )
}

#[test]
fn every_failure_has_its_page() {
    for failure in REGISTRY {
        current(&support::root().join(format!("docs/failures/{}.md", failure.id)), &page(failure));
    }
}

#[test]
fn the_index_lists_every_failure() {
    let mut index = String::from(
        "# The failures\n\nMade from the registry; `dnsmortem explain ID` prints the same pages.\n\n| id | hop | title |\n|---|---|---|\n",
    );
    for failure in REGISTRY {
        let hop = failure.hop.map_or("–", |hop| hop.name());
        index.push_str(&format!("| [`{0}`]({0}.md) | {hop} | {1} |\n", failure.id, failure.title));
    }
    current(&support::root().join("docs/failures/README.md"), &index);
}

#[test]
fn no_page_is_left_over() {
    let ids: BTreeSet<&str> = REGISTRY.iter().map(|failure| failure.id).collect();
    for entry in fs::read_dir(support::root().join("docs/failures")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let id = name.trim_end_matches(".md");
        assert!(id == "README" || ids.contains(id), "{name} belongs to no failure");
    }
}

#[test]
fn every_failure_has_its_file_and_a_case() {
    let expected: String = fs::read_dir(support::root().join("tests/cases"))
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path().join("expect.json")).unwrap_or_default())
        .collect();
    for failure in REGISTRY {
        let file = support::root().join(format!("src/detectors/{}.rs", failure.id.replace('-', "_")));
        assert!(file.is_file(), "{} has no file of its name", failure.id);
        assert!(expected.contains(&format!("\"{}\"", failure.id)), "no case in tests/cases names {}", failure.id);
    }
}

/// The table of the limits, from the struct that holds them.
fn limits() -> String {
    let default = dnsmortem::bundle::Budget::default();
    let mut out = "# Limits\n\nWhat one analysis may use up. They count work, never time, so the same bundle gives the same report everywhere.\n\n| option | what it limits | default |\n|---|---|---|\n".to_owned();
    for limit in dnsmortem::bundle::LIMITS {
        let value = (limit.get)(&default);
        let value = match limit.unit {
            dnsmortem::bundle::Unit::Bytes => dnsmortem::bundle::size(value),
            dnsmortem::bundle::Unit::Count => value.to_string(),
        };
        out += &format!("| `--{}` | {} | {value} |\n", limit.option, limit.what);
    }
    out
}

#[test]
fn the_page_of_limits_is_the_struct() {
    current(&support::root().join("docs/limits.md"), &limits());
}
