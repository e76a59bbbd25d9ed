//! The report as one page: it loads nothing, and its policy lets the browser load nothing.

use askama::Template;
use sha2::{Digest, Sha256};

use super::chart::{Bar, Chart, bars, charts};
use super::facts::{Facts, cluster_facts, memory_needs, settings};
use super::model::*;
use super::view::{Shown, View, Window};
use super::words::{Place, Word};
use super::{RenderError, filters};

const STYLE: &str = include_str!("../../templates/asset/report.css");
const SCRIPT: &str = include_str!("../../templates/asset/report.js");

/// What keeps the page small enough to open; the JSON report has all.
const CAPS: Caps = Caps { quotes: 20, moments: 200, rows: 500, files: 2000 };

struct Caps {
    quotes: usize,
    moments: usize,
    rows: usize,
    files: usize,
}

#[derive(Template)]
#[template(path = "report.html", config = "templates/askama.toml")]
struct Page<'a> {
    view: View<'a>,
    moments: Window<'a>,
    bars: Vec<Bar>,
    charts: Vec<Chart<'a>>,
    needs: Facts,
    facts: Facts,
    settings: Facts,
    caps: Caps,
    policy: String,
    style: &'static str,
    script: &'static str,
}

/// The whole report as one HTML file. Fails only on a defect of the template.
pub fn render(report: &Report) -> Result<String, RenderError> {
    let view = View::new(report);
    let page = Page {
        moments: view.moments(CAPS.moments),
        bars: bars(&report.sizing),
        charts: charts(report),
        needs: memory_needs(report),
        facts: cluster_facts(report),
        settings: settings(report),
        caps: CAPS,
        policy: policy(),
        style: STYLE,
        script: SCRIPT,
        view,
    };
    Ok(page.render()? + "\n")
}

/// Nothing but our own style and script, known by their SHA-256.
fn policy() -> String {
    let hash = |text: &str| base64(&Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

/// Base64 with padding (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0u32, |group, byte| group << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let digit = char::from(DIGITS[(group >> (18 - 6 * i) & 63) as usize]);
            out.push(if i <= chunk.len() { digit } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::escape::is_hidden;
    use super::super::sample::{empty, hostile, rich};
    use super::*;

    #[test]
    fn base64_is_rfc_4648() {
        for (given, wanted) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(given.as_bytes()), wanted);
        }
    }

    /// Names of the tags in order; panics where they do not close as they open.
    fn tags(html: &str) -> Vec<String> {
        let html = html.replacen(STYLE, "", 1).replacen(SCRIPT, "", 1);
        let (mut open, mut all) = (Vec::new(), Vec::new());
        for part in html.split('<').skip(1) {
            let (tag, _) = part.split_once('>').expect("a tag ends");
            let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default().to_owned();
            let alone = tag.ends_with('/') || ["meta", "!doctype"].contains(&name.as_str());
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name), "{tag}");
                continue;
            }
            all.push(name.clone());
            if !alone {
                open.push(name);
            }
        }
        assert!(open.is_empty(), "left open: {open:?}");
        all
    }

    #[test]
    fn nothing_in_the_bundle_is_markup() {
        let (plain, hostile) = (render(&rich()).unwrap(), render(&hostile()).unwrap());
        assert!(!hostile.contains("<script>alert") && hostile.contains("&lt;script&gt;alert(1)"));
        let (known, found) = (tags(&plain), tags(&hostile));
        for name in ["script", "style", "meta", "svg", "title"] {
            let count = |tags: &[String]| tags.iter().filter(|tag| *tag == name).count();
            assert_eq!(count(&found), count(&known), "{name}");
        }
        assert!(found.iter().all(|name| known.contains(name)), "no tag that is not ours");
        let body = hostile.replacen(SCRIPT, "", 1);
        assert!(!body.chars().any(|c| !matches!(c, '\n' | '\t') && is_hidden(c)));
        for (tag, _) in body.split('<').filter_map(|part| part.split_once('>')) {
            let names: String = tag.split('"').step_by(2).collect();
            assert!(!names.contains("onerror"), "{tag}");
        }
    }

    #[test]
    fn the_page_loads_nothing() {
        for html in [render(&rich()).unwrap(), render(&hostile()).unwrap()] {
            for bad in ["src=\"", "<link", "<iframe", "@import", "url(", " style=\"", "href=\"http", "href=\"java"] {
                assert!(!html.contains(bad), "{bad}");
            }
            assert!(html.split("href=\"").skip(1).all(|link| link.starts_with('#')));
        }
    }

    #[test]
    fn the_policy_names_what_the_page_holds() {
        let html = render(&rich()).unwrap();
        assert!(html.contains(&format!("<style>{STYLE}</style>")));
        assert!(html.contains(&format!("<script>{SCRIPT}</script>")));
        assert!(html.contains("content=\"default-src &#39;none&#39;; style-src &#39;sha256-"));
    }

    #[test]
    fn only_our_own_files_go_in_unescaped() {
        for template in [include_str!("../../templates/report.html"), include_str!("../../templates/report.md")] {
            let rest = template.replace("{{ style|safe }}", "").replace("{{ script|safe }}", "");
            assert!(!rest.contains("safe"));
        }
    }

    #[test]
    fn every_answer_is_there_and_links_lead_somewhere() {
        let html = render(&rich()).unwrap();
        for section in [
            "path",
            "found",
            "suspected",
            "risks",
            "crashed",
            "checklist",
            "timeline",
            "sizing",
            "series",
            "ruled-out",
            "not-checked",
            "not-applicable",
            "problems",
            "files",
            "options",
        ] {
            assert_eq!(html.matches(&format!("id=\"s-{section}\"")).count(), 1, "{section}");
        }
        for link in html.split("href=\"#").skip(1).filter_map(|rest| rest.split_once('"')) {
            assert_eq!(html.matches(&format!("id=\"{}\"", link.0)).count(), 1, "{}", link.0);
        }
        for text in ["coredns.log:12", "plugin/loop: Loop", "conntrack -S", "2026-03-04 08:12:03", "photo.png"] {
            assert!(html.contains(text), "{text}");
        }
        assert!(render(&empty()).unwrap().contains("Nothing was found."));
    }

    #[test]
    fn a_huge_bundle_gives_a_small_page() {
        let mut report = rich();
        let (file, moment) = (report.bundle.files[0].clone(), report.timeline[0].clone());
        report.bundle.files = vec![file; 50_000];
        report.timeline = vec![moment; 50_000];
        let quote = report.findings[0].evidence[0].clone();
        report.findings[0].evidence = vec![quote; 50_000];
        let html = render(&report).unwrap();
        assert!(html.len() < 1_000_000, "{}", html.len());
        assert!(html.contains("and 48000 more") && html.contains("and 49980 more") && html.contains("49800 later"));
        assert!(super::super::markdown::render(&report).unwrap().len() < 60_000);
    }
}
