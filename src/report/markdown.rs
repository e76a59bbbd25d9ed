//! The post-mortem as a ticket: CommonMark with tables, as GitHub, GitLab and Jira read it.

use askama::Template;

use super::chart::{Bar, bars};
use super::facts::{Facts, cluster_facts, memory_needs, settings};
use super::model::*;
use super::view::{Shown, View, Window};
use super::words::{Place, Word};
use super::{RenderError, filters};

/// What fits in a ticket (the usual limit of a body is 65,536 characters); the JSON report has all.
const CAPS: Caps = Caps { quotes: 4, moments: 60, rows: 40, files: 100, index: 100, gaps: 25 };

struct Caps {
    quotes: usize,
    moments: usize,
    rows: usize,
    files: usize,
    index: usize,
    gaps: usize,
}

#[derive(Template)]
#[template(path = "report.md", config = "templates/askama.toml")]
struct Page<'a> {
    view: View<'a>,
    moments: Window<'a>,
    bars: Vec<Bar>,
    needs: Facts,
    facts: Facts,
    settings: Facts,
    caps: Caps,
}

/// The whole report as Markdown. Fails only on a defect of the template.
pub fn render(report: &Report) -> Result<String, RenderError> {
    let view = View::new(report);
    let page = Page {
        moments: view.moments(CAPS.moments),
        bars: bars(&report.sizing),
        needs: memory_needs(report),
        facts: cluster_facts(report),
        settings: settings(report),
        caps: CAPS,
        view,
    };
    let mut text = page.render()?;
    text.truncate(text.trim_end().len());
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::super::escape::is_hidden;
    use super::super::sample::{empty, hostile, rich};
    use super::*;

    #[test]
    fn the_rich_report_reads_well() {
        insta::assert_snapshot!("markdown", render(&rich()).unwrap());
    }

    #[test]
    fn a_report_of_nothing_reads_well() {
        insta::assert_snapshot!("markdown_empty", render(&empty()).unwrap());
    }

    /// The text outside fenced blocks; panics where a fence is left open.
    fn outside_fences(text: &str) -> String {
        let (mut out, mut fence) = (String::new(), None);
        for line in text.lines() {
            let ticks = line.chars().take_while(|c| *c == '`').count();
            match fence {
                None if ticks >= 3 && !line[ticks..].contains('`') => fence = Some(ticks),
                None => out.extend([line, "\n"]),
                Some(open) if ticks >= open && line.len() == ticks => fence = None,
                Some(_) => {}
            }
        }
        assert_eq!(fence, None, "a fence is left open");
        out
    }

    #[test]
    fn nothing_in_the_bundle_is_markup() {
        let text = render(&hostile()).unwrap();
        assert!(!text.chars().any(|c| c != '\n' && is_hidden(c)));
        let outside = outside_fences(&text);
        assert!(outside.contains("alert(1)"), "the text itself is shown");
        for line in outside.lines() {
            let shown = without_spans(line);
            for bad in ["<script", "<img", "@all", "](http", "{{", "https://", "http://", "**b"] {
                assert!(!shown.contains(bad), "{bad} in {line}");
            }
        }
    }

    /// A line without its code spans and escaped characters, as CommonMark pairs backticks.
    fn without_spans(line: &str) -> String {
        let mut out = String::new();
        let mut rest = line;
        while let Some(at) = rest.find(['`', '\\']) {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            if rest.starts_with('\\') {
                let end = rest.chars().take(2).map(char::len_utf8).sum();
                rest = &rest[end..];
                continue;
            }
            let ticks = rest.chars().take_while(|c| *c == '`').count();
            let body = &rest[ticks..];
            let end = body.split_inclusive('`').scan((0, 0), |(at, run), part| {
                *run = if part == "`" { *run + 1 } else { 1 };
                *at += part.len();
                Some((*at, *run, body[*at..].starts_with('`')))
            });
            let close = end.filter(|(_, run, more)| *run == ticks && !more).map(|(at, _, _)| at).next();
            assert!(close.is_some(), "a code span is left open: {line}");
            rest = &body[close.unwrap_or(0)..];
        }
        out + rest
    }

    #[test]
    fn tables_keep_their_columns() {
        for text in [render(&rich()).unwrap(), render(&hostile()).unwrap()] {
            let mut columns = None;
            for line in outside_fences(&text).lines() {
                let cells = line.replace("\\\\", "").replace("\\|", "").matches('|').count();
                match columns {
                    Some(wanted) if line.starts_with('|') => assert_eq!(cells, wanted, "{line}"),
                    _ => columns = line.starts_with('|').then_some(cells),
                }
            }
        }
    }

    #[test]
    fn every_section_is_there() {
        let text = render(&rich()).unwrap();
        for heading in [
            "Summary",
            "Impact",
            "Path of a query",
            "Timeline (UTC)",
            "Trigger and causal chain",
            "Findings",
            "Ruled out: 2",
            "Not checked: 1",
            "Contributing factors",
            "Action items",
            "Sizing",
            "Checklist",
            "Evidence index",
            "Inventory and gaps",
        ] {
            assert_eq!(text.matches(&format!("\n## {heading}\n")).count(), 1, "{heading}");
        }
    }
}
