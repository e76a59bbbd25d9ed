//! Both readings agree: ours, and that of serde_json or the YAML library.

use proptest::prelude::*;
use serde_json::Value as Json;

use super::*;

/// Words that need care in YAML.
const TRICKY: &[&str] = &[
    "",
    "no",
    "true",
    "null",
    "~",
    "0755",
    "1e3",
    "0x1f",
    "1.0",
    "-",
    "- a",
    "a: b",
    "a:",
    "a #b",
    "#a",
    "*x",
    "&x",
    "!x",
    "|",
    ">",
    "%a",
    "@a",
    "{a}",
    "[a]",
    "?",
    "? a",
    ":",
    ": a",
    "'a'",
    "\"a\"",
    "it's",
    " a",
    "a ",
    "\n",
    "a\n",
    "\na",
    "a\n\n",
    "  a\nb",
    "a \nb\n",
    "a\n  b\n\n\nc\n",
    "ü",
    "😀",
    "\\",
    "a\\nb",
    "\ta",
    "a\tb",
    "---",
    "...",
    "<<",
    "=",
    "a,b",
    "k:{\"type\":\"Ready\"}",
    "\u{1b}[0m",
];

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::sample::select(TRICKY).prop_map(str::to_owned),
        "[a-z][a-z0-9./-]{0,12}",
        "[ -~]{0,30}",
        "[a-c \n:#'\"\\\\-]{0,30}",
        "([a-z]{1,9} ){10,30}[a-z]",
        "[a-zé😀 ]{0,12}",
    ]
}

/// The library prints longer keys as `? key`, and `<<` is its merge key.
fn key() -> impl Strategy<Value = String> {
    words()
        .prop_filter("a merge key", |words| words != "<<")
        .prop_map(|words| words.replace('\n', "/").chars().take(100).collect())
}

/// A value as the API server may give it.
fn tree() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        (-1e9..1e9f64).prop_map(Json::from),
        words().prop_map(Json::from),
        words().prop_map(Json::from),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Json::from),
            proptest::collection::btree_map(key(), inner, 0..6).prop_map(|map| Json::Object(map.into_iter().collect())),
        ]
    })
}

fn object() -> impl Strategy<Value = Json> {
    tree().prop_map(|value| serde_json::json!({ "kind": "A", "spec": value, "tail": 1 }))
}

/// Whether our reading of a value says the same.
fn same(ours: &Value, theirs: &Json) -> bool {
    match (&ours.data, theirs) {
        (Data::Null, Json::Null) => true,
        (Data::Bool(a), Json::Bool(b)) => a == b,
        (Data::Number(a), Json::Number(b)) => **a == b.to_string() || a.parse().ok() == b.as_f64(),
        (Data::Text(a), Json::String(b)) => *a.text == **b,
        (Data::List(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Data::Map(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(&**key).is_some_and(|b| same(a, b)))
        }
        _ => false,
    }
}

/// Every value of `node` has a pointer that leads to it in `whole`, and its quote shows how it begins.
fn quotes_hold(node: Node, whole: &Json) {
    let found = whole.pointer(&node.pointer()).unwrap_or_else(|| panic!("{}", node.pointer()));
    assert!(same(node.value().unwrap(), found), "{}", node.pointer());
    let quote = node.quote();
    if let Some(text) = node.as_text() {
        let block = matches!(&node.value().unwrap().data, Data::Text(words) if words.block_first_line.is_some());
        let quote = if block { node.quote_line(0) } else { quote };
        let beginning: String = text.chars().take_while(|c| c.is_ascii_alphanumeric()).take(20).collect();
        assert!(quote.text.contains(&beginning), "{beginning} in {}", quote.text);
    }
    node.items().for_each(|item| quotes_hold(item, whole));
    node.entries().for_each(|(_, value)| quotes_hold(value, whole));
}

fn read_whole(body: &str, whole: &Json) {
    let section = Section::whole(Arc::new(Text::new("f", body.into())));
    let mut count = 0;
    let problems = read(&section, &crate::bundle::Budget::default(), &mut |_, node| {
        count += 1;
        quotes_hold(node, whole);
    });
    assert_eq!((count, problems), (1, vec![]), "{body}");
}

/// The YAML that kubectl would print for `value`: sorted keys, dashes below their key.
fn print(value: &Json, indent: usize, out: &mut String) {
    let pad = " ".repeat(indent);
    match value {
        Json::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 || out.ends_with('\n') { &pad } else { "" });
                out.push_str("- ");
                print(item, indent + 2, out);
            }
        }
        Json::Object(map) if !map.is_empty() => {
            for (index, (key, value)) in map.iter().enumerate() {
                out.push_str(if index > 0 || out.ends_with('\n') { &pad } else { "" });
                out.push_str(&scalar(key, None));
                out.push(':');
                let below = match value {
                    Json::Array(items) if !items.is_empty() => Some(indent),
                    Json::Object(map) if !map.is_empty() => Some(indent + 2),
                    _ => None,
                };
                out.push_str(if below.is_some() { "\n" } else { " " });
                print(value, below.unwrap_or(indent + 2), out);
            }
        }
        Json::String(text) => out.push_str(&(scalar(text, Some(indent)) + "\n")),
        other => out.push_str(&format!("{other}\n")),
    }
}

/// Plain, single or double quotes, or a literal block, by kubectl's preferences; long ones are folded.
fn scalar(text: &str, indent: Option<usize>) -> String {
    let special = |c: char| c.is_control() && c != '\n';
    let trailing = text.split('\n').any(|line| line.ends_with(' '));
    if text.contains('\n')
        && !text.contains(special)
        && !trailing
        && text.trim() != ""
        && let Some(indent) = indent
    {
        let head = if text.starts_with([' ', '\n']) { "2" } else { "" };
        let tail = match text.len() - text.trim_end_matches('\n').len() {
            0 => "-",
            1 => "",
            _ => "+",
        };
        let pad = " ".repeat(indent);
        let lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
        let lines: Vec<_> =
            lines.map(|line| if line.is_empty() { line.to_owned() } else { pad.clone() + line }).collect();
        return format!("|{head}{tail}\n{}", lines.join("\n"));
    }
    if text.contains('\n') || text.contains(special) {
        let mut json = serde_json::to_string(text).unwrap();
        if let (Some(indent), Some(at)) = (indent, json.find(" \\n")) {
            json.insert_str(at + 1, &format!("\\\n{}", " ".repeat(indent)));
        }
        return json;
    }
    let plain = text.starts_with(|c: char| c.is_ascii_lowercase())
        && !matches!(text, "true" | "false" | "null")
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #");
    let quoted = if plain { text.to_owned() } else { format!("'{}'", text.replace('\'', "''")) };
    match (indent, quoted.char_indices().skip(60).find(|(_, c)| *c == ' ')) {
        (Some(indent), Some((at, _))) if !quoted[at + 1..].starts_with(' ') && !quoted[..at].ends_with(' ') => {
            format!("{}\n{}{}", &quoted[..at], " ".repeat(indent), &quoted[at + 1..])
        }
        _ => quoted,
    }
}

/// Ours alone reads it, and reads what the library reads.
fn agrees(yaml: &str) {
    let library: Json = serde_yaml::from_str(yaml).unwrap_or_else(|error| panic!("{error}\n{yaml}"));
    let ours = yaml::own_reading(&Text::new("f", yaml.into())).unwrap_or_else(|fault| panic!("{}\n{yaml}", fault.what));
    assert!(same(&ours, &library), "{ours:?}\n{library}\n{yaml}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn json_pretty_and_compact(value in object(), extra in any::<String>()) {
        let mut value = value;
        value["extra"] = Json::from(extra);
        read_whole(&serde_json::to_string(&value).unwrap(), &value);
        read_whole(&serde_json::to_string_pretty(&value).unwrap(), &value);
    }

    #[test]
    fn yaml_as_kubectl_prints_it(value in object()) {
        let mut yaml = String::new();
        print(&value, 0, &mut yaml);
        agrees(&yaml);
        read_whole(&yaml, &value);
    }

    #[test]
    fn yaml_as_the_library_prints_it(value in object()) {
        let yaml = serde_yaml::to_string(&value).unwrap();
        agrees(&yaml);
    }

    #[test]
    fn what_ours_reads_at_all_the_library_reads_alike(yaml in "(a|b|- |  |\n|\n  |: |:|'|\"|#| #|\\||>|-|[{}\\[\\],]|1|~|\\\\|x y){0,24}") {
        let yaml = yaml + "\n";
        let text = Text::new("f", yaml.clone());
        if let (Ok(ours), Ok(library)) = (yaml::own_reading(&text), serde_yaml::from_str::<Json>(&yaml)) {
            assert!(same(&ours, &library), "{ours:?}\n{library}\n{yaml}");
        }
    }

    #[test]
    fn any_text_ends(body in "(\\PC|[ \n\t:\"'\\\\{}\\[\\],&*!|>%@`#?-]|items:\n|- |kind: |List|---\n){0,120}") {
        objects(&body);
    }

    #[test]
    fn any_cut_ends(value in object(), cut in 0..400usize) {
        let mut yaml = String::new();
        print(&serde_json::json!({ "apiVersion": "v1", "items": [value, value], "kind": "List" }), 0, &mut yaml);
        let json = serde_json::to_string_pretty(&value).unwrap();
        for body in [yaml, json] {
            objects(&body.chars().take(cut).collect::<String>());
        }
    }
}
