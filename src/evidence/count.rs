//! How many objects there are, as people write it: `svc: 412`, `wc -l` outputs, `~7700 Services / ~69k endpoints`.

use std::sync::LazyLock;

use regex::Regex;

use super::facts::{Count, Fact};
use crate::problem::Problem;
use crate::recognize::Hints;
use crate::text::Section;

/// Words for a kind of object, and the name of its count.
const WORDS: [(&str, &str); 11] = [
    ("services", "services"),
    ("service", "services"),
    ("svc", "services"),
    ("endpoints", "endpoint-addresses"),
    ("endpoint addresses", "endpoint-addresses"),
    ("addresses", "endpoint-addresses"),
    ("endpointslices", "endpoint-slices"), // not their addresses: up to 100 in each
    ("pods", "pods"),
    ("po", "pods"),
    ("nodes", "nodes"),
    ("namespaces", "namespaces"),
];

/// `~69k endpoints`, `7,700 Services`, `4500-node`.
static PROSE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:^|[\s~(/])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(k|m)?[\s-]+(services|endpoint addresses|endpoints|pods|nodes?|namespaces)\b").ok()
});

/// `svc: 412`
static LABELLED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)^(services|service|svc|pods|po|nodes|namespaces)\s*[:=]\s*(\d+)\s*$").ok());

/// Reads the counts of a section.
pub fn read(section: &Section, _: &Hints, facts: &mut Vec<Fact>, _: &mut Vec<Problem>) {
    let before = facts.len();
    for (number, line) in section.numbered().take(500) {
        for (what, value) in counts(line) {
            facts.push(Fact::Count(Box::new(Count {
                what,
                value,
                all_namespaces: true,
                quote: section.quote(number),
            })));
        }
    }
    if facts.len() == before {
        facts.extend(word_count(section));
    }
}

fn counts(line: &str) -> Vec<(String, u64)> {
    if let Some(captures) = LABELLED.as_ref().and_then(|regex| regex.captures(line.trim())) {
        return named(&captures[1]).zip(captures[2].parse().ok()).into_iter().collect();
    }
    let Some(prose) = PROSE.as_ref() else { return Vec::new() };
    prose
        .captures_iter(line)
        .filter_map(|found| named(&found[3]).zip(number(&found[1], found.get(2).map(|m| m.as_str()))))
        .collect()
}

fn named(word: &str) -> Option<String> {
    let word = word.to_lowercase();
    let word = if word == "node" { "nodes" } else { &word };
    WORDS.iter().find(|(known, _)| *known == word).map(|(_, name)| (*name).to_owned())
}

fn number(digits: &str, unit: Option<&str>) -> Option<u64> {
    let value: f64 = digits.replace(',', "").parse().ok()?;
    let times = match unit.map(str::to_ascii_lowercase).as_deref() {
        Some("k") => 1e3,
        Some("m") => 1e6,
        _ => 1.0,
    };
    let value = value * times;
    (value <= 1e9).then_some(value as u64)
}

/// `kubectl get pods -A --no-headers | wc -l` with one number as its answer.
fn word_count(section: &Section) -> Option<Fact> {
    let command = section.command.as_deref()?;
    if !command.contains("wc -l") || !command.contains(" get ") {
        return None;
    }
    let (number, line) = section.numbered().find(|(_, line)| !line.trim().is_empty())?;
    let value: u64 = line.trim().parse().ok()?;
    let resource = command.split(" get ").nth(1)?.split_whitespace().find(|word| !word.starts_with('-'))?;
    let value = if command.contains("--no-headers") { value } else { value.saturating_sub(1) };
    let all_namespaces = command.contains(" -A") || command.contains("--all-namespaces");
    let what = if resource == "endpoints" { return None } else { named(resource)? };
    Some(Fact::Count(Box::new(Count { what, value, all_namespaces, quote: section.quote(number) })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_write_numbers_in_many_ways() {
        for (line, expected) in [
            (
                "4500-node run, ~7700 Services / ~69k endpoints.",
                &[("nodes", 4500), ("services", 7700), ("endpoint-addresses", 69_000)][..],
            ),
            ("svc: 412", &[("services", 412)]),
            ("we have 1,250 pods here", &[("pods", 1250)]),
            ("1.5k services", &[("services", 1500)]),
            ("no numbers", &[]),
            ("12 monkeys", &[]),
        ] {
            let expected: Vec<_> = expected.iter().map(|(what, value)| ((*what).to_owned(), *value)).collect();
            assert_eq!(counts(line), expected, "{line}");
        }
    }
}
