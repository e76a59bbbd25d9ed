//! Streams, cuts and hostile texts.

use super::*;

fn check(body: &str, expected: &[&str], problems: &[&str]) {
    let (found, said) = objects(body);
    assert_eq!(found, expected, "{body}");
    assert_eq!(said.len(), problems.len(), "{body}: {said:?}");
    for (said, problem) in said.iter().zip(problems) {
        assert!(said.contains(problem), "{said} should say {problem}");
    }
}

#[test]
fn several_documents() {
    check("---\nkind: A\n---\n# only a comment\n---\nkind: B\n...\n---\n", &["A ?", "B ?"], &[]);
    check("%YAML 1.2\n--- # comment\nkind: A\n", &["A ?"], &[]);
    check("{\"kind\":\"A\"}\n{\"kind\":\"B\"}{\"kind\":\"C\"}\n", &["A ?", "B ?", "C ?"], &[]);
    check("{\n  \"kind\": \"A\"\n}\n---\nkind: B\n", &["A ?", "B ?"], &[]);
    check("kind: A\n{\"kind\":\"B\"}\n", &["A ?", "B ?"], &[]);
    check("[{\"kind\":\"A\"},{\"kind\":\"B\"}]", &["A ? /0", "B ? /1"], &[]);
    check("- kind: A\n- kind: B\n", &["A ? /0", "B ? /1"], &[]);
    check("", &[], &[]);
    check("---\n---\n", &[], &[]);
}

#[test]
fn lists_within_lists_and_lists_of_none() {
    check("{\"kind\":\"PodList\",\"items\":[]}", &["PodList ?"], &[]);
    check("kind: PodList\nitems: []\n", &["PodList ?"], &[]);
    check("[{\"kind\":\"PodList\",\"items\":[{}]}]", &["Pod ? /0/items/0"], &[]);
    check("{\"items\":[{}],\"kind\":\"Basket\"}", &["Basket ?"], &[]);
    check("items:\n- a: 1\nkind: Basket\n", &["Basket ?"], &[]);
    check(
        "{\"metadata\":{\"kind\":\"x\"},\"items\":[{\"a\":\"]}\\\"\"}],\"b\":1,\"kind\":\"NodeList\"}",
        &["Node ? /items/0"],
        &[],
    );
    check(
        "  kind: PodList\n  items:\n  - metadata: {name: a}\n    # comment\n\n  - metadata:\n      name: b\n",
        &["Pod a /items/0", "Pod b /items/1"],
        &[],
    );
}

#[test]
fn one_bad_document_or_item_costs_only_itself() {
    check("kind: A\n---\na: b: c\n---\nkind: C\n", &["A ?", "C ?"], &["3: This YAML document cannot be read"]);
    check(
        "kind: PodList\nitems:\n- metadata:\n    name: a\n- metadata: [\n- metadata:\n    name: c\n",
        &["Pod a /items/0", "Pod c /items/2"],
        &["YAML item cannot be read"],
    );
    check(
        "{\"kind\":\"A\"}\n{\"kind\":}\n{\"kind\":\"C\"}\n",
        &["A ?", "C ?"],
        &["2: The JSON cannot be read here: a value"],
    );
    check("{\"kind\":\"A\"}\n==== START logs for container a\nnothing\n{\"kind\":\"C\"}\n", &["A ?", "C ?"], &["2: "]);
    check("{\"kind\":\"A\"} trailing: 1\nkind: B\n", &["A ?", "B ?"], &["1: Text behind"]);
}

#[test]
fn cut_texts_give_what_was_complete() {
    let json = r#"{"kind":"List","items":[{"kind":"A"},{"kind":"B"},{"kind":"C","#;
    check(json, &["A ? /items/0", "B ? /items/1"], &["1: The JSON is cut off here: a key is missing; 2 objects"]);
    check("{\"kind\":\"A\",\"b\":\"open", &[], &["The JSON is cut off here: a string has no end"]);
    check("{\n  \"kind\": \"A\",\n  \"b\n{\n  \"kind\": \"B\"\n}\n", &["B ?"], &["3: The JSON cannot be read here"]);
    let yaml = "apiVersion: v1\nitems:\n- kind: A\n  a: 1\n- kind: B\n  b: 1\n";
    check(yaml, &["A ? /items/0"], &["5: The YAML list is cut off"]);
    check("kind: A\nb: \"open\n", &[], &["This YAML document is cut off here"]);
}

#[test]
fn a_key_that_stands_twice() {
    check("kind: A\nmetadata:\n  name: x\n  name: y\n", &["A y"], &["3: The key `name` stands twice"]);
    check(
        "{\"kind\":\"A\",\"metadata\":{\"name\":\"x\",\"name\":\"y\"}}",
        &["A y"],
        &["1: The key `name` stands twice"],
    );
}

#[test]
fn what_is_outside_kubectls_style_keeps_its_lines() {
    let body = "\
kind: Pod
metadata: &m
  labels: {a: b,
    c: d}
  name: x
spec:
  kind: not this
  ? containers
  : - name: one
      image: !!str i1
    - name: two
      image: i2
copy: *m
status:
  phase: Running
";
    with(body, |node| {
        for (path, line, value) in [
            ("metadata.name", 5, "x"),
            ("metadata.labels.c", 4, "d"),
            ("spec.kind", 7, "not this"),
            ("status.phase", 15, "Running"),
        ] {
            let seen = node.path(path).str().unwrap_or_else(|| panic!("{path}"));
            assert_eq!((seen.value.as_str(), seen.quote.source.line), (value, line), "{path}");
            assert_eq!(seen.quote.source.pointer.as_deref(), Some(format!("/{}", path.replace('.', "/")).as_str()));
        }
        let second = node.path("spec.containers").at(1).get("image").str().unwrap();
        assert_eq!((second.value.as_str(), second.quote.source.line), ("i2", 12));
        assert_eq!(node.path("copy.name").as_str(), Some("x"));
    });
}

#[test]
fn aliases_into_earlier_items_and_merge_keys_are_resolved() {
    let list = "kind: PodList\nitems:\n- metadata: &m\n    name: a\n- metadata: *m\n- metadata:\n    name: c\n";
    check(list, &["Pod a /items/0", "Pod a /items/1", "Pod c /items/2"], &[]);
    check("base: &b\n  name: x\nkind: A\nmetadata:\n  <<: *b\n", &["A x"], &[]);
    check("{kind: A, metadata: {name: x}}\n---\nkind: B\n", &["A x", "B ?"], &[]);
}

#[test]
fn hostile_texts_are_refused_fast() {
    let bomb: String = (1..30).fold("a0: &a0 [x, x]\n".into(), |bomb, i| {
        let j = i - 1;
        bomb + &format!("a{i}: &a{i} [*a{j}, *a{j}, *a{j}, *a{j}, *a{j}, *a{j}, *a{j}, *a{j}, *a{j}]\n")
    });
    for (name, body) in [
        ("alias bomb", bomb),
        ("brackets", "[".repeat(40_000)),
        ("yaml brackets", format!("a: {}", "[".repeat(40_000))),
        ("braces", "{\"a\":".repeat(40_000)),
        ("dashes", "- ".repeat(40_000)),
        ("flow", format!("a: {}{}", "[".repeat(200), "]".repeat(200))),
        ("list beginnings", "{\"items\":[\n".repeat(100_000)),
        ("list beginnings in quotes", "{\"items\":[{\"\n".repeat(100_000)),
        ("many brackets", "[INFO] a log line\n".repeat(50_000)),
    ] {
        let (found, problems) = objects(&body);
        assert!(found.is_empty(), "{name}: {found:?}");
        assert!(!problems.is_empty() && problems.len() < 30, "{name}: {problems:?}");
    }
}

#[test]
fn a_map_of_many_keys_is_not_quadratic() {
    let keys: String = (0..100_000).map(|i| format!("\"k{i}\":{i},")).collect();
    check(&format!("{{{keys}\"kind\":\"A\"}}"), &["A ?"], &[]);
}

/// yaml_serde 0.10.7: `collect()` on its documents never ends after a syntax error.
#[test]
fn the_librarys_endless_error_is_taken_once() {
    check("x: [\n---\nkind: B\n", &["B ?"], &["cannot be read"]);
}

#[test]
fn half_a_surrogate_pair_is_replaced() {
    with(r#"{"a":"\ud83d\ude00 \ud83d \ude00\ud83dx"}"#, |node| {
        assert_eq!(node.get("a").as_str(), Some("😀 \u{fffd} \u{fffd}\u{fffd}x"));
    });
}

#[test]
fn what_json_forbids() {
    for body in ["01", "1.", ".5", "-", "1e", "+1", "tru", "\"\\x\"", "[1,]", "{\"a\":1,}", "[1 2]"] {
        let (_, problems) = objects(&format!("{{\"a\":{body}}}"));
        assert!(!problems.is_empty(), "{body}");
    }
}
