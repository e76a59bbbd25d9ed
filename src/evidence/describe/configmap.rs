//! A described ConfigMap.

use super::Object;
use super::outline::Outline;
use crate::evidence::facts::{ConfigMap, Fact, Places, Rank, TextBlock};

/// Whether an outline is a ConfigMap's: a line `Data` and its ruler. A Secret has a type as well.
pub(super) fn matches(outline: &Outline) -> bool {
    !outline.has("Type") && data_line(outline).is_some()
}

/// Takes the ConfigMap with the texts of its Data section.
pub(super) fn read(object: &Object, facts: &mut Vec<Fact>) {
    let outline = object.outline;
    let data = data_line(outline).map(|start| texts(outline, start)).unwrap_or_default();
    facts.push(Fact::ConfigMap(Box::new(ConfigMap {
        id: object.id.clone(),
        rank: Rank::Describe,
        at: object.at.clone(),
        data,
        created: None,
        edited: None,
    })));
}

/// The first line below `Data` and its ruler.
fn data_line(outline: &Outline) -> Option<u32> {
    let mut before = "";
    for (number, line) in outline.all_lines() {
        if before == "Data" && line.starts_with("====") {
            return Some(number + 1);
        }
        before = line.trim_end();
    }
    None
}

/// `KEY:`, `----`, then the text up to the next key, `BinaryData` or `Events:`.
fn texts(outline: &Outline, start: u32) -> Vec<(String, TextBlock)> {
    let lines: Vec<(u32, &str)> = outline.all_lines().skip_while(|(number, _)| *number < start).collect();
    let mut found: Vec<(String, TextBlock)> = Vec::new();
    let mut index = 0;
    while let Some(&(number, line)) = lines.get(index) {
        let next = lines.get(index + 1).map_or("", |(_, line)| line.trim_end());
        let key = line.trim_end().strip_suffix(':').filter(|key| next == "----" && !key.contains(' '));
        if let Some(key) = key {
            let block = TextBlock {
                path: outline.path().clone(),
                body: String::new(),
                places: Places::From(number.saturating_add(2)),
            };
            found.push((key.to_owned(), block));
            index += 2;
            continue;
        }
        if line.starts_with("Events:") || (line.trim_end() == "BinaryData" && next.starts_with("====")) {
            break;
        }
        if let Some((_, block)) = found.last_mut() {
            block.body.push_str(line);
            block.body.push('\n');
        }
        index += 1;
    }
    for (_, block) in &mut found {
        // describe puts blank lines behind each text.
        let end = block.body.trim_end().len();
        block.body.truncate(end);
        block.body.push('\n');
    }
    found
}
