//! The samples of the README: each comes out as `samples/expected.tsv` says, and each report keeps its contract.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "a test, not the library")]

mod support;

use support::{found, report, root, text};

#[test]
fn every_sample_comes_out_as_written() {
    let expected = std::fs::read_to_string(root().join("samples/expected.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = expected.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    assert!(rows.len() >= 5);
    for row in rows {
        let report = report(&root().join("samples").join(row[0]));
        let (cause, outcome) = (text(&report, "/verdict/root_cause"), text(&report, "/verdict/outcome"));
        assert!(row[1] == cause || row[1] == outcome, "{}: {outcome}/{cause}", row[0]);
        let found = found(&report);
        for id in row.get(2).unwrap_or(&"").split(',').filter(|id| !id.is_empty()) {
            assert!(found.contains(&id), "{}: {id} is not found", row[0]);
        }
        assert_eq!(
            report["bundle"]["problems"].as_array().unwrap().len(),
            0,
            "{}: {}",
            row[0],
            report["bundle"]["problems"]
        );
    }
}

#[test]
fn every_sample_stands_in_the_readme() {
    let readme = std::fs::read_to_string(root().join("samples/README.md")).unwrap();
    for entry in std::fs::read_dir(root().join("samples")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name == "README.md" || readme.contains(&format!("`{name}")), "{name} has no line in samples/README.md");
    }
}

/// Every report, of the samples and of the cases, is what the published schema says.
#[test]
fn every_report_keeps_the_schema() {
    let schema = std::fs::read_to_string(root().join("docs/report.schema.json")).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    let samples =
        ["oom-relist.tar.gz", "corefile-loop.zip", "healthy.tar.gz", "rbac-forbidden.txt", "selector-mismatch"];
    let cases =
        std::fs::read_dir(root().join("tests/cases")).unwrap().map(|entry| entry.unwrap().path().join("bundle"));
    for bundle in samples.iter().map(|name| root().join("samples").join(name)).chain(cases) {
        let errors = support::schema::errors(&schema, &report(&bundle));
        assert!(errors.is_empty(), "{}: {errors:?}", bundle.display());
    }
}

/// What a person sees first, from the real binary.
#[test]
fn the_terminal_of_the_first_sample() {
    let output = support::dnsmortem(&["analyze", "samples/oom-relist.tar.gz"]);
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap());
}

/// The whole post-mortem as it goes into the ticket.
#[test]
fn the_markdown_of_the_first_sample() {
    let output = support::dnsmortem(&["analyze", "samples/oom-relist.tar.gz", "--format", "markdown"]);
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap());
}
