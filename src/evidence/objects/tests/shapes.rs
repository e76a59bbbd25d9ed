//! Excerpts in the shapes that kubectl writes.

use super::*;

const COREFILE: &str = "\
apiVersion: v1
data:
  Corefile: |
    .:53 {
        errors

        forward . /etc/resolv.conf
    }
  NodeHosts: ''
kind: ConfigMap
metadata:
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {\"kind\":\"ConfigMap\"}
  name: coredns
";

#[test]
fn a_corefile_knows_its_lines() {
    with(COREFILE, |node| {
        let corefile = node.get("data").get("Corefile");
        assert_eq!(corefile.as_str(), Some(".:53 {\n    errors\n\n    forward . /etc/resolv.conf\n}\n"));
        let quote = corefile.quote_line(3);
        assert_eq!((quote.source.line, &*quote.text), (7, "        forward . /etc/resolv.conf"));
        assert_eq!(quote.source.pointer.as_deref(), Some("/data/Corefile"));
        assert_eq!(corefile.quote().source.line, 3);
        let name = node.path("metadata.name").str().unwrap();
        assert_eq!((name.value.as_str(), name.quote.source.line, name.quote.source.column), ("coredns", 15, Some(9)));
        let annotation = node.path("metadata.annotations").entries().next().unwrap().1;
        assert_eq!(annotation.pointer(), "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration");
    });
}

#[test]
fn a_corefile_in_quotes_knows_its_lines() {
    let body = "kind: ConfigMap\ndata:\n  Corefile: \".:53 {\\n    errors \\n    forward . 10.0.0.2 {\\n\n    \\   max_concurrent 1000\\n\\\n    }\\n}\\n\"\n";
    with(body, |node| {
        let corefile = node.path("data.Corefile");
        assert_eq!(
            corefile.as_str(),
            Some(".:53 {\n    errors \n    forward . 10.0.0.2 {\n    max_concurrent 1000\n}\n}\n")
        );
        assert_eq!(corefile.quote_line(2).source.line, 3);
        assert_eq!(corefile.quote_line(4).source.line, 4);
    });
}

#[test]
fn lists_are_read_item_by_item() {
    let yaml = "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a\n- metadata:\n    name: b\nkind: PodList\nmetadata:\n  resourceVersion: \"\"\n";
    assert_eq!(objects(yaml), (vec!["Pod a /items/0".into(), "Pod b /items/1".into()], vec![]));
    let json = r#"{"apiVersion":"v1","items":[{"kind":"Pod","metadata":{"name":"a"}},{"metadata":{"name":"b"}}],"kind":"PodList"}"#;
    assert_eq!(objects(json), (vec!["Pod a /items/0".into(), "Pod b /items/1".into()], vec![]));
}

/// kubectl folds long plain and quoted scalars, and puts dashes below their key.
const EVENTS: &str = "\
---
apiVersion: v1
items:
- apiVersion: v1
  involvedObject:
    kind: Pod
    name: coredns-5d78c9869d-abcde
  kind: Event
  message: '0/3 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unreachable:
    }. preemption: it''s not helpful.'
  metadata:
    annotations:
      config: '{\"a\": [1, 2]}'
      mode: \"0755\"
    finalizers: []
    labels: {}
    managedFields:
    - fieldsV1:
        f:metadata:
          k:{\"type\":\"Ready\"}:
            .: {}
      manager: kube-controller
    name: a.17
  reason: Failed Scheduling with a very long reason that goes on and on until it is
    folded
  source: null
  tolerations:
  - effect: NoExecute
    key: CriticalAddonsOnly
  -   operator: Exists
  - - nested
    - list
  -
    late: 1
  - \"quoted: not a key\"
kind: EventList
metadata:
  resourceVersion: \"\"
";

#[test]
fn an_event_list_is_read_in_full() {
    with(EVENTS, |node| {
        let text = |path: &str| node.path(path).as_text().map(str::to_owned);
        let message = "0/3 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }. preemption: it's not helpful.";
        assert_eq!(text("message").as_deref(), Some(message));
        assert_eq!(
            text("reason").as_deref(),
            Some("Failed Scheduling with a very long reason that goes on and on until it is folded")
        );
        assert_eq!(text("metadata.annotations.config").as_deref(), Some("{\"a\": [1, 2]}"));
        assert_eq!(node.path("metadata.annotations.mode").as_str(), Some("0755"));
        assert!(node.get("source").exists() && node.get("source").as_text().is_none());
        let tolerations = node.get("tolerations");
        assert_eq!(tolerations.items().count(), 5);
        assert_eq!(tolerations.at(1).get("operator").as_str(), Some("Exists"));
        assert_eq!(tolerations.at(2).at(1).as_str(), Some("list"));
        assert_eq!(tolerations.at(3).get("late").as_u64(), Some(1));
        assert_eq!(tolerations.at(4).as_str(), Some("quoted: not a key"));
        let key = node.path("metadata.managedFields").at(0).path("fieldsV1.f:metadata").get("k:{\"type\":\"Ready\"}");
        assert_eq!(key.quote().source.line, 20);
        assert_eq!(key.pointer(), "/items/0/metadata/managedFields/0/fieldsV1/f:metadata/k:{\"type\":\"Ready\"}");
        assert_eq!(tolerations.at(2).at(1).quote().text.trim(), "- list");
    });
}

#[test]
fn an_absent_field_is_comfortable_and_quotes_what_is_there() {
    with("kind: Pod\nspec:\n  nodeName: n1\n", |node| {
        let absent = node.path("spec.containers").at(3).get("image");
        assert!(!absent.exists() && absent.str().is_none() && absent.items().next().is_none());
        let quote = absent.quote();
        assert_eq!((quote.source.line, &*quote.text), (2, "spec:"));
        assert_eq!(quote.source.pointer.as_deref(), Some("/spec"));
        assert_eq!(node.path("spec.nodeName").str().map(|seen| seen.quote.source.column), Some(Some(13)));
    });
}

#[test]
fn compact_json_is_quoted_around_the_place() {
    let filler = "x".repeat(5000);
    let body = format!(r#"{{"a":"{filler}","é":"é","spec":{{"nodeName":"n1"}},"b":"{filler}"}}"#);
    with(&body, |node| {
        let seen = node.path("spec.nodeName").str().unwrap();
        assert!(seen.quote.text.contains(r#""nodeName":"n1""#), "{}", seen.quote.text);
        assert!(seen.quote.text.starts_with('…') && seen.quote.text.ends_with('…'));
        assert_eq!(seen.quote.source.column, Some(5036));
        assert_eq!(seen.quote.source.pointer.as_deref(), Some("/spec/nodeName"));
    });
}

#[test]
fn a_corefile_in_json_knows_its_lines() {
    let body =
        "{\n  \"kind\": \"ConfigMap\",\n  \"data\": {\n    \"Corefile\": \".:53 {\\n    errors\\n}\\n\"\n  }\n}\n";
    with(body, |node| {
        let quote = node.path("data.Corefile").quote_line(1);
        assert_eq!(quote.source.line, 4);
        assert!(quote.text.contains("errors"));
    });
}

#[test]
fn values_are_what_yaml_1_2_says() {
    for (written, expected) in [
        ("no", Data::text("no")),
        ("0755", Data::text("0755")),
        ("1_000", Data::text("1_000")),
        ("12:30:45", Data::text("12:30:45")),
        ("2026-12-01T00:00:00Z", Data::text("2026-12-01T00:00:00Z")),
        ("\"1\"", Data::text("1")),
        ("'it''s'", Data::text("it's")),
        ("\"\\u00e9\\x41\\U0001F600\\t\"", Data::text("éA😀\t")),
        ("70Mi", Data::text("70Mi")),
        ("10.0.0.1", Data::text("10.0.0.1")),
        ("-x", Data::text("-x")),
        ("a#b", Data::text("a#b")),
        ("a #b", Data::text("a")),
        ("<none>", Data::text("<none>")),
        ("1e3", Data::Number("1e3".into())),
        ("1.50", Data::Number("1.50".into())),
        ("-7", Data::Number("-7".into())),
        ("0x1F", Data::Number("0x1F".into())),
        ("~", Data::Null),
        ("null # none", Data::Null),
        ("", Data::Null),
        ("true", Data::Bool(true)),
        ("{}", Data::Map(vec![])),
        ("[] # none", Data::List(vec![])),
        (">-\n  one\n  two\n\n  three\n", Data::text("one two\nthree")),
    ] {
        let text = Text::new("f", format!("a: {written}\nb: 1\n"));
        let value = yaml::own_reading(&text).unwrap_or_else(|fault| panic!("{written}: {}", fault.what));
        assert_eq!(value.get("a").map(|value| &value.data), Some(&expected), "{written}");
        assert_eq!(value.get("b").map(|value| &value.data), Some(&Data::Number("1".into())), "{written}");
    }
}

#[test]
fn literal_blocks_keep_what_their_header_says() {
    for (block, expected) in [
        ("|\n  a\n\n  b\n\n", "a\n\nb\n"),
        ("|-\n  a\n", "a"),
        ("|+\n  a\n\n", "a\n\n"),
        ("|2-\n    a\n   b\n", "  a\n b"),
        ("|\n  a # no comment\n  \tb\n", "a # no comment\n\tb\n"),
        ("|-\n\n  a\n", "\na"),
        ("| # comment\n      a\n", "a\n"),
        ("|\n", ""),
    ] {
        let text = Text::new("f", format!("x:\n- a: {block}# comment\ny: 1\n").replace("\n  ", "\n    "));
        let value = yaml::own_reading(&text).unwrap_or_else(|fault| panic!("{block}: {}", fault.what));
        let found = value.get("x").and_then(|list| match &list.data {
            Data::List(items) => items.first()?.get("a")?.as_str().map(str::to_owned),
            _ => None,
        });
        assert_eq!(found.as_deref(), Some(expected), "{block}");
        assert!(value.get("y").is_some(), "{block}");
    }
}
