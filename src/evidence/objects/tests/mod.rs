//! Table tests in kubectl's shapes, and the properties: both readings agree, any text ends.

mod agree;
mod shapes;
mod traps;

use std::sync::Arc;

use super::*;
use crate::text::Text;

/// What `read` hands over, flattened: kind, pointer, name.
fn objects(body: &str) -> (Vec<String>, Vec<String>) {
    let section = Section::whole(Arc::new(Text::new("f", body.into())));
    let mut out = Vec::new();
    let problems = read(&section, &crate::bundle::Budget::default(), &mut |kind, node| {
        let name = node.path("metadata.name").as_text().unwrap_or("?");
        out.push(format!("{kind} {name} {}", node.pointer()).trim_end().to_owned());
    });
    let problems = problems.into_iter().map(|p| format!("{}: {}", p.line.unwrap_or(0), p.message)).collect();
    (out, problems)
}

/// Asks about the one object in `body`.
fn with<T>(body: &str, ask: impl Fn(Node) -> T) -> T {
    let section = Section::whole(Arc::new(Text::new("f", body.into())));
    let mut out = None;
    let problems = read(&section, &crate::bundle::Budget::default(), &mut |_, node| out = Some(ask(node)));
    assert_eq!(problems, [], "{body}");
    out.expect("one object")
}
