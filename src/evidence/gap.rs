//! kubectl's own words instead of data: what the collector tried and did not get.

use super::facts::{Fact, Gap, GapKind};
use crate::problem::Problem;
use crate::recognize::Hints;
use crate::text::Section;

/// Literals and what they mean; the first that matches decides (kubectl 1.20 to 1.32).
const SHAPES: [(&str, GapKind); 17] = [
    ("No resources found", GapKind::NoneFound),
    ("Error from server (NotFound)", GapKind::NotFound),
    ("previous terminated container", GapKind::NotFound),
    ("Error from server (Forbidden)", GapKind::Forbidden),
    ("error: You must be logged in", GapKind::Forbidden),
    ("Unable to connect to the server", GapKind::Unreachable),
    ("The connection to the server", GapKind::Unreachable),
    (":10250: connect: ", GapKind::Unreachable),
    (":10250: i/o timeout", GapKind::Unreachable),
    ("Error from server (ServiceUnavailable)", GapKind::Unreachable),
    ("Error from server (Timeout)", GapKind::Unreachable),
    ("Error from server (BadRequest)", GapKind::Failed),
    ("Error from server (InternalError)", GapKind::Failed),
    ("Error from server:", GapKind::Failed),
    ("error: metrics not available yet", GapKind::Failed),
    ("error: Metrics API not available", GapKind::Failed),
    ("error: ", GapKind::Failed),
];

/// kubectl's words stand in the first lines of a file; a log may hold anything later on.
const LINES: usize = 20;

/// Reads the gaps of a section.
pub fn read(section: &Section, _: &Hints, facts: &mut Vec<Fact>, problems: &mut Vec<Problem>) {
    for (number, line) in section.numbered().take(LINES) {
        let Some((_, kind)) = SHAPES.iter().find(|(literal, _)| starts(line, literal)) else { continue };
        if *kind != GapKind::NoneFound {
            let asked = section.command.as_deref().map_or(String::new(), |command| format!(" ({command})"));
            problems.push(Problem::at(
                section.text.path(),
                number,
                format!("this was not collected{asked}: {}", crate::source::cut(line, 0)),
            ));
        }
        facts.push(Fact::Gap(Box::new(Gap {
            quote: section.quote(number),
            kind: *kind,
            command: section.command.clone(),
        })));
    }
}

/// The literal begins the line, but for the kubelet's address, which stands within.
fn starts(line: &str, literal: &str) -> bool {
    if literal.starts_with(':') {
        return line.starts_with("Error from server") && line.contains(literal)
            || line.starts_with("Get \"https://") && line.contains(literal);
    }
    line.starts_with(literal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;

    #[test]
    fn kubectls_words_are_told_apart() {
        for (line, kind) in [
            ("No resources found in kube-system namespace.", Some(GapKind::NoneFound)),
            ("Error from server (NotFound): pods \"x\" not found", Some(GapKind::NotFound)),
            (
                "Error from server (BadRequest): previous terminated container \"c\" in pod \"p\" not found",
                Some(GapKind::Failed),
            ),
            ("Error from server (Forbidden): pods is forbidden", Some(GapKind::Forbidden)),
            ("Unable to connect to the server: dial tcp 10.0.0.1:6443: i/o timeout", Some(GapKind::Unreachable)),
            (
                "Error from server: Get \"https://10.0.0.1:10250/x\": dial tcp 10.0.0.1:10250: connect: connection refused",
                Some(GapKind::Unreachable),
            ),
            ("[ERROR] plugin/errors: 2 a. A: error: x", None),
        ] {
            let section = Section::whole(std::sync::Arc::new(Text::new("x", line.into())));
            let (mut facts, mut problems) = (Vec::new(), Vec::new());
            read(&section, &Hints::default(), &mut facts, &mut problems);
            let found = facts.first().map(|fact| match fact {
                Fact::Gap(gap) => gap.kind,
                other => panic!("{other:?}"),
            });
            assert_eq!(found, kind, "{line}");
        }
    }
}
