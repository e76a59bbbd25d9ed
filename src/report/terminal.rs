//! The report for an engineer in the middle of an incident.

use super::model::*;
pub use super::page::Look;
use super::page::{Ink, Page, Piece};
use super::view::{Shown, View};
use super::words::{Word, count, mebibytes, number, quantity, utc};

/// How much is shown; the rest is counted, and the JSON report has it.
const QUOTES: usize = 5;
const COMMANDS: usize = 8;
const ROWS: usize = 12;

/// The whole report as lines of at most `look.width` columns; only commands and single words are longer.
pub fn render(report: &Report, look: &Look) -> String {
    let view = View::new(report);
    let mut page = Page::new(look);
    lead(&mut page, &view);
    path(&mut page, report);
    clients(&mut page, report);
    found(&mut page, &view);
    open_points(&mut page, &view);
    ruled_out(&mut page, &view);
    not_checked(&mut page, &view);
    checklist(&mut page, report);
    sizing(&mut page, &report.sizing);
    timeline(&mut page, &view);
    bundle(&mut page, report);
    page.finish()
}

/// At most five lines on a wide terminal: what broke, since when, how sure, what to do next.
fn lead(page: &mut Page, view: &View) {
    let lead = &view.lead;
    let state = lead.state.to_uppercase();
    page.pieces(0, 7, &[(ink_of(view.report.verdict.outcome), &state), (Ink::Bold, lead.what)]);
    page.pieces(0, 7, &[(Ink::Dim, "since "), (Ink::Plain, &lead.since)]);
    let place = lead.proof.map(place).map(|place| format!("({place})")).unwrap_or_default();
    page.pieces(0, 7, &[(Ink::Dim, "sure  "), (Ink::Plain, &lead.sure), (Ink::Plain, &place)]);
    page.pieces(0, 7, &[(Ink::Dim, "next  "), (Ink::Plain, &lead.next)]);
    if let Some(command) = lead.command {
        page.verbatim(7, command);
    }
}

fn ink_of(outcome: Outcome) -> Ink {
    match outcome {
        Outcome::FaultFound => Ink::Bad,
        Outcome::RiskOnly | Outcome::Inconclusive => Ink::Warn,
        Outcome::Healthy | Outcome::NotDns => Ink::Good,
    }
}

fn path(page: &mut Page, report: &Report) {
    page.heading("Path of a query");
    let arrow = if page.unicode() { " →" } else { " ->" };
    let last = report.path.len().saturating_sub(1);
    let hops: Vec<(Ink, String)> = (report.path.iter().enumerate())
        .map(|(i, hop)| {
            let (ink, symbol) = mark(hop.state, page.unicode());
            let tail = if i == last { "" } else { arrow };
            (ink, format!("{} {symbol} {}{tail}", hop.hop.name(), hop.state.word()))
        })
        .collect();
    page.units(2, 2, &hops);
    for hop in report.path.iter().filter(|h| matches!(h.state, HopState::Broken | HopState::Degraded)) {
        page.text(2, 4, &format!("{}: {}", hop.hop.name(), hop.why));
    }
    if report.affected.scope != Scope::Unknown {
        let (scope, members) = (report.affected.scope.word(), limited(&report.affected.members, ROWS));
        let members = if members.is_empty() { members } else { format!(" ({members})") };
        page.text(2, 4, &format!("hurt: {scope}{members}. {}", report.affected.why));
    }
}

/// Clients that a policy keeps from DNS, and lookups that cost too much.
fn clients(page: &mut Page, report: &Report) {
    let kept: Vec<&Access> = report.access.iter().filter(|a| a.udp != "allowed" || a.tcp != "allowed").collect();
    for row in kept.first_few(&COMMANDS) {
        page.text(2, 4, &format!("{} {}: UDP {}, TCP {}. {}", row.namespace, row.pods, row.udp, row.tcp, row.why));
    }
    more(page, 2, kept.beyond(&COMMANDS), "client", "clients");
    for lookup in report.lookups.first_few(&QUOTES) {
        let (queries, wasted) = (lookup.queries.len(), lookup.wasted);
        let cost = format!("{queries} queries, {wasted} wasted; seen {} times", lookup.seen);
        page.text(2, 4, &format!("lookup of {} by {}: {cost}", lookup.name, lookup.resolver));
    }
    more(page, 2, report.lookups.beyond(&QUOTES), "lookup", "lookups");
}

fn mark(state: HopState, unicode: bool) -> (Ink, &'static str) {
    match (state, unicode) {
        (HopState::Ok, true) => (Ink::Good, "✓"),
        (HopState::Ok, false) => (Ink::Good, "+"),
        (HopState::Degraded, _) => (Ink::Warn, "!"),
        (HopState::Broken, true) => (Ink::Bad, "✗"),
        (HopState::Broken, false) => (Ink::Bad, "x"),
        (HopState::Unknown, _) => (Ink::Dim, "?"),
    }
}

fn found(page: &mut Page, view: &View) {
    if let Some(root) = view.groups.root {
        page.heading("Root cause");
        finding(page, root);
    }
    if view.report.verdict.chain.len() > 1 {
        page.heading("How it led to what people saw");
        for (i, id) in view.report.verdict.chain.iter().enumerate() {
            page.text(2, 5, &format!("{}. {id}: {}", i + 1, view.title(id)));
        }
    }
    for (title, group) in
        [("Further causes", &view.groups.causes), ("Suspected", &view.groups.suspected), ("Risks", &view.groups.risks)]
    {
        if !group.is_empty() {
            page.heading(title);
            group.iter().for_each(|f| finding(page, f));
        }
    }
}

/// A finding with its quotes and fixes.
fn finding(page: &mut Page, finding: &Finding) {
    let sure = finding.confidence.map_or("", |c| c.word());
    let tags = format!("[{}{}{sure}]", finding.severity.word(), if sure.is_empty() { "" } else { ", " });
    page.pieces(2, 4, &[(Ink::Bold, &finding.id), (Ink::Plain, &finding.title), (Ink::Dim, &tags)]);
    page.text(4, 4, &finding.summary);
    for evidence in finding.evidence.first_few(&QUOTES) {
        quote(page, evidence);
    }
    more(page, 4, finding.evidence.beyond(&QUOTES), "quote", "quotes");
    for fix in &finding.fixes {
        page.pieces(
            4,
            6,
            &[(Ink::Good, "fix:"), (Ink::Plain, &fix.title), (Ink::Dim, &format!("({})", fix.check.word()))],
        );
        match fix.kind {
            FixKind::Manual => page.text(6, 6, &fix.body),
            FixKind::Command | FixKind::Patch => page.verbatim(6, &fix.body),
        }
        if !fix.risk.is_empty() {
            page.text(6, 6, &format!("risk: {}", fix.risk));
        }
    }
}

fn quote(page: &mut Page, evidence: &Evidence) {
    let sign = if evidence.supports { "" } else { "against:" };
    let place = place(evidence);
    page.pieces(4, 6, &[(Ink::Warn, sign), (Ink::Dim, &place), (Ink::Plain, &evidence.note)]);
    let bar = if page.unicode() { "│" } else { "|" };
    page.pieces(6, 8, &[(Ink::Dim, bar), (Ink::Plain, evidence.quote.trim())]);
}

/// What explains nothing by itself: symptoms and crashed detectors, one line each.
fn open_points(page: &mut Page, view: &View) {
    short(page, "Symptoms", Ink::Plain, &view.groups.symptoms);
    short(page, "Crashed detectors: defects of this program, please report them", Ink::Bad, &view.groups.crashed);
}

fn ruled_out(page: &mut Page, view: &View) {
    let title = format!("Ruled out: {}", view.groups.ruled_out.len());
    short(page, &title, Ink::Plain, &view.groups.ruled_out);
    if !view.groups.not_applicable.is_empty() {
        let ids: Vec<&str> = view.groups.not_applicable.iter().map(|f| f.id.as_str()).collect();
        page.text(2, 4, &format!("no such part in this cluster: {}", ids.join(", ")));
    }
}

fn short(page: &mut Page, title: &str, ink: Ink, group: &[&Finding]) {
    if group.is_empty() {
        return;
    }
    page.heading(title);
    for finding in group {
        page.pieces(2, 4, &[(ink, &finding.id), (Ink::Dim, &finding.summary)]);
        if let Some(evidence) = finding.evidence.first() {
            quote(page, evidence);
        }
    }
}

fn not_checked(page: &mut Page, view: &View) {
    let group = &view.groups.not_checked;
    if group.is_empty() && view.gaps.is_empty() {
        return;
    }
    page.heading(&format!("Not checked: {}. What would settle most, first", group.len()));
    for gap in view.gaps.first_few(&COMMANDS) {
        let ids: Vec<String> = gap.ids.iter().map(|id| (*id).to_owned()).collect();
        page.text(2, 4, &format!("{} (for {})", gap.whats.join("; "), limited(&ids, 4)));
        page.verbatim(4, gap.command);
    }
    more(page, 2, view.gaps.beyond(&COMMANDS), "command", "commands");
    let lone: Vec<&str> = group.iter().filter(|f| f.missing.is_empty()).map(|f| f.id.as_str()).collect();
    if !lone.is_empty() {
        page.text(2, 4, &format!("without a command: {}", lone.join(", ")));
    }
}

fn checklist(page: &mut Page, report: &Report) {
    if report.checklist.is_empty() {
        return;
    }
    page.heading("Checklist");
    for item in &report.checklist {
        let (ink, word) = match item.state {
            CheckState::Pass => (Ink::Good, "pass   "),
            CheckState::Fail => (Ink::Bad, "FAIL   "),
            CheckState::Unknown => (Ink::Dim, "unknown"),
        };
        page.pieces(2, 10, &[(ink, word), (Ink::Plain, &item.item), (Ink::Dim, &format!("({})", item.why))]);
    }
}

fn sizing(page: &mut Page, sizing: &Sizing) {
    let bytes = [
        ("measured", sizing.measured_rss_bytes.or(sizing.measured_working_set_bytes)),
        ("limit", sizing.limit_bytes),
        ("recommended", sizing.recommended_limit_bytes),
    ];
    let known: Vec<String> =
        bytes.iter().filter_map(|(name, bytes)| Some(format!("{name} {}", mebibytes((*bytes)?)))).collect();
    page.heading("Memory");
    page.text(2, 4, &if known.is_empty() { "nothing measured".to_owned() } else { known.join(", ") });
    for line in sizing.arithmetic.first_few(&ROWS).iter().chain(&sizing.runway) {
        page.text(2, 4, line);
    }
    for input in sizing.inputs.first_few(&ROWS).iter().filter(|input| input.path.is_some()) {
        let least = if input.lower_bound { "at least " } else { "" };
        let place = format!("({}:{})", input.path.as_deref().unwrap_or_default(), input.line.unwrap_or(0));
        page.pieces(
            2,
            4,
            &[
                (Ink::Dim, &input.name),
                (Ink::Plain, &format!("{least}{}", quantity(input.value, &input.unit))),
                (Ink::Dim, &place),
            ],
        );
    }
}

fn timeline(page: &mut Page, view: &View) {
    let window = view.moments(ROWS);
    if window.rows.is_empty() {
        return;
    }
    page.heading("Timeline (UTC)");
    more(page, 2, window.before, "earlier moment", "earlier moments");
    for moment in window.rows {
        let (at, place) = (utc(&moment.at), format!("({}:{})", moment.path, moment.line));
        let words: [Piece; 3] = [(Ink::Dim, &at), (Ink::Plain, &moment.what), (Ink::Dim, &place)];
        page.pieces(2, 4, &words);
    }
    more(page, 2, window.after, "later moment", "later moments");
}

fn bundle(page: &mut Page, report: &Report) {
    let bundle = &report.bundle;
    page.heading("Bundle");
    let collected =
        bundle.collected_at.as_deref().map_or("at an unknown time".to_owned(), |at| format!("{} UTC", utc(at)));
    page.text(2, 4, &format!("{}, collected {collected}", bundle.name));
    page.pieces(
        2,
        4,
        &[(Ink::Plain, &count(bundle.files.len(), "file", "files")), (Ink::Plain, &kinds(&bundle.files))],
    );
    if !bundle.problems.is_empty() {
        page.text(2, 4, &format!("{} with what was given:", count(bundle.problems.len(), "problem", "problems")));
        for problem in bundle.problems.first_few(&COMMANDS) {
            page.text(4, 6, &format!("{} {}", problem.path, problem.message));
        }
        more(page, 4, bundle.problems.beyond(&COMMANDS), "problem", "problems");
    }
    let bars: Vec<String> =
        report.options.thresholds.iter().map(|t| format!("{}={}", t.name, number(t.value))).collect();
    if !report.options.suppressions.is_empty() {
        page.text(2, 4, &format!("silenced: {}", limited(&report.options.suppressions, ROWS)));
    }
    page.pieces(2, 4, &[(Ink::Dim, &format!("{} {} {}", report.tool.name, report.tool.version, limited(&bars, 3)))]);
    page.text(2, 4, "All evidence: dnsmortem analyze BUNDLE -o report.html -o report.md -o report.json");
    page.text(2, 4, "About one failure: dnsmortem explain ID");
}

/// What the files were taken for, and how many of each.
fn kinds(files: &[File]) -> String {
    if files.is_empty() {
        return String::new();
    }
    let mut counts = std::collections::BTreeMap::new();
    for file in files {
        *counts.entry(&*file.kind).or_insert(0usize) += 1;
    }
    format!("({})", limited(&counts.iter().map(|(kind, n)| format!("{n} {kind}")).collect::<Vec<_>>(), ROWS))
}

fn limited(list: &[String], n: usize) -> String {
    let shown = list.first_few(&n).join(", ");
    match list.beyond(&n) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn more(page: &mut Page, indent: usize, n: usize, one: &str, many: &str) {
    if n > 0 {
        page.pieces(indent, indent, &[(Ink::Dim, &format!("and {} more, see the JSON report", count(n, one, many)))]);
    }
}

fn place(evidence: &Evidence) -> String {
    format!("{}:{}", evidence.path, evidence.line)
}

#[cfg(test)]
mod tests {
    use super::super::escape::is_hidden;
    use super::super::sample::{hostile, rich};
    use super::*;

    const LOOK: Look = Look { width: 100, colour: false, unicode: true };

    #[test]
    fn the_rich_report_reads_well() {
        insta::assert_snapshot!("terminal", render(&rich(), &LOOK));
    }

    #[test]
    fn a_report_of_nothing_reads_well() {
        insta::assert_snapshot!("terminal_empty", render(&super::super::sample::empty(), &LOOK));
    }

    #[test]
    fn the_first_lines_answer() {
        let mut report = rich();
        report.findings[0].fixes[0].body = "kubectl get pods".into();
        let text = render(&report, &Look { width: 120, ..LOOK });
        let lead: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
        assert!(lead.len() <= 5, "{lead:?}");
        assert!(lead[1].contains("2026-03-04 08:12:03 UTC"));
        assert!(lead[2].contains("coredns.log:12"));
        assert!(lead[4].contains("kubectl get pods"));
    }

    #[test]
    fn nothing_in_the_bundle_steers_the_terminal() {
        for unicode in [true, false] {
            let text = render(&hostile(), &Look { unicode, ..LOOK });
            assert!(!text.chars().any(|c| c != '\n' && is_hidden(c)));
            assert!(unicode || text.is_ascii());
        }
        let coloured = render(&hostile(), &Look { colour: true, ..LOOK });
        let own = ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[33m", "\x1b[1;31m"];
        let left = own.iter().fold(coloured, |text, sequence| text.replace(sequence, ""));
        assert!(!left.contains('\x1b'));
        assert!(left == render(&hostile(), &LOOK), "colours change nothing else");
    }

    #[test]
    fn lines_keep_to_the_width_and_commands_stay_whole() {
        for width in [40, 60, 80, 200] {
            let report = rich();
            let text = render(&report, &Look { width, ..LOOK });
            let bodies: String = report.findings.iter().flat_map(|f| &f.fixes).map(|f| f.body.as_str()).collect();
            let commands: String =
                report.findings.iter().flat_map(|f| &f.missing).map(|m| m.command.as_str()).collect();
            for line in text.lines().filter(|line| line.chars().count() > width) {
                let content = line.trim();
                let copied = bodies.contains(content) || commands.contains(content);
                assert!(copied || !content.contains(' '), "{width}: {line}");
            }
        }
    }
}
