//! What the renderings for people share: the same first lines, the same groups, the same lists.

use std::collections::{BTreeMap, BTreeSet};

use super::model::*;
use super::words::{Place, Word, place, utc};

/// A report, sorted for reading.
pub(super) struct View<'a> {
    pub report: &'a Report,
    pub lead: Lead<'a>,
    pub groups: Groups<'a>,
    pub gaps: Vec<Gap<'a>>,
    pub actions: Vec<Action<'a>>,
    pub index: Vec<Cited<'a>>,
}

impl<'a> View<'a> {
    pub fn new(report: &'a Report) -> Self {
        let groups = Groups::new(report);
        let gaps = gaps(report);
        let lead = Lead::new(report, &groups, &gaps);
        View { report, lead, actions: actions(report, &groups), index: index(report), groups, gaps }
    }

    /// At most `limit` moments around the first sign, and how many come before and after them.
    pub fn moments(&self, limit: usize) -> Window<'a> {
        let all = &self.report.timeline;
        let first = self.lead.began.unwrap_or(0).saturating_sub(limit / 4).min(all.len().saturating_sub(limit));
        let last = (first + limit).min(all.len());
        Window { rows: all.get(first..last).unwrap_or_default(), before: first, after: all.len() - last }
    }

    /// The title of a finding, or nothing for an id that is not in the report.
    pub fn title(&self, id: &str) -> &'a str {
        self.report.findings.iter().find(|f| f.id == id).map_or("", |f| f.title.as_str())
    }
}

/// A part of the timeline.
pub(super) struct Window<'a> {
    pub rows: &'a [Moment],
    pub before: usize,
    pub after: usize,
}

/// The findings by how a reader takes them in, each group from grave to slight.
#[derive(Default)]
pub(super) struct Groups<'a> {
    pub root: Option<&'a Finding>,
    /// Independent causes and what made it possible or worse.
    pub causes: Vec<&'a Finding>,
    pub symptoms: Vec<&'a Finding>,
    pub suspected: Vec<&'a Finding>,
    pub risks: Vec<&'a Finding>,
    pub crashed: Vec<&'a Finding>,
    pub ruled_out: Vec<&'a Finding>,
    pub not_checked: Vec<&'a Finding>,
    pub not_applicable: Vec<&'a Finding>,
}

impl<'a> Groups<'a> {
    fn new(report: &'a Report) -> Self {
        let mut groups = Groups::default();
        let mut findings: Vec<&Finding> = report.findings.iter().collect();
        findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
        for finding in findings {
            let open = matches!(finding.status, Status::Found | Status::Suspected);
            if open && groups.root.is_none() && report.verdict.root_cause.as_ref() == Some(&finding.id) {
                groups.root = Some(finding);
                continue;
            }
            let group = match (finding.status, finding.role) {
                (Status::Found, Some(Role::Risk)) => &mut groups.risks,
                (Status::Found, Some(Role::Symptom)) => &mut groups.symptoms,
                (Status::Found, _) => &mut groups.causes,
                (Status::Suspected, _) => &mut groups.suspected,
                (Status::Crashed, _) => &mut groups.crashed,
                (Status::RuledOut, _) => &mut groups.ruled_out,
                (Status::NotChecked, _) => &mut groups.not_checked,
                (Status::NotApplicable, _) => &mut groups.not_applicable,
            };
            group.push(finding);
        }
        groups
    }

    /// All that is found, the root first.
    pub fn found(&self) -> Vec<&'a Finding> {
        self.root.iter().chain(&self.causes).chain(&self.symptoms).copied().collect()
    }
}

/// What the first screen answers: what broke, since when, how sure, what to do next.
pub(super) struct Lead<'a> {
    /// `broken`, `was broken` …
    pub state: &'static str,
    pub what: &'a str,
    pub since: String,
    pub sure: String,
    /// The line that proves it best.
    pub proof: Option<&'a Evidence>,
    pub next: String,
    /// What to type or apply; nothing where it is for a person to do.
    pub command: Option<&'a str>,
    /// Where in the timeline it begins.
    began: Option<usize>,
}

impl<'a> Lead<'a> {
    fn new(report: &'a Report, groups: &Groups<'a>, gaps: &[Gap<'a>]) -> Self {
        let verdict = &report.verdict;
        let began = groups.root.and_then(|root| first_sign(report, root));
        let (next, command) = next_step(report, groups, gaps);
        Lead {
            state: match (verdict.outcome, verdict.when) {
                (Outcome::FaultFound, Some(When::Past)) => "was broken",
                (Outcome::FaultFound, Some(When::Latent)) | (Outcome::RiskOnly, _) => "at risk",
                (Outcome::FaultFound, _) => "broken",
                (Outcome::Healthy, _) => "healthy",
                (Outcome::NotDns, _) => "not DNS",
                (Outcome::Inconclusive, _) => "undecided",
            },
            what: &verdict.headline,
            since: since(report, began),
            sure: match verdict.outcome {
                Outcome::Inconclusive => "not: the evidence does not decide".to_owned(),
                Outcome::Healthy => format!("{}: several kinds of evidence agree", verdict.confidence.word()),
                _ => format!("{}: {}", verdict.confidence.word(), verdict.confidence.because()),
            },
            proof: groups.root.and_then(|root| root.evidence.iter().find(|e| e.supports)),
            next,
            command,
            began,
        }
    }
}

fn since(report: &Report, began: Option<usize>) -> String {
    let tail = match (report.verdict.when, report.verdict.outcome) {
        (Some(when), _) => when.word(),
        (None, Outcome::Inconclusive) => "unknown: the bundle does not show that anything broke",
        (None, _) => "nothing broken was found",
    };
    let root = report.findings.iter().find(|finding| Some(&finding.id) == report.verdict.root_cause.as_ref());
    let said = root.and_then(|finding| finding.since.as_deref());
    match (began.and_then(|i| report.timeline.get(i)), report.verdict.when) {
        (_, Some(When::Latent) | None) => tail.to_owned(),
        _ if said.is_some() => format!("{} UTC, {tail}", utc(said.unwrap_or_default())),
        (Some(moment), _) if moment.precision == "exact" => format!("{} UTC, {tail}", utc(&moment.at)),
        (Some(moment), _) => format!("{} UTC (to within {}), {tail}", utc(&moment.at), moment.precision),
        (None, _) => format!("the bundle does not say when it began; {tail}"),
    }
}

/// The first moment that the root cause, or what it led to, quotes; else the first about one of its objects.
fn first_sign(report: &Report, root: &Finding) -> Option<usize> {
    let chain = report.findings.iter().filter(|f| f.id == root.id || report.verdict.chain.contains(&f.id));
    let quoted: BTreeSet<(&str, u32)> =
        chain.flat_map(|f| &f.evidence).filter(|e| e.supports).map(|e| (e.path.as_str(), e.line)).collect();
    let position = |test: &dyn Fn(&Moment) -> bool| report.timeline.iter().position(test);
    position(&|m| quoted.contains(&(m.path.as_str(), m.line)))
        .or_else(|| position(&|m| !m.about.is_empty() && root.subjects.contains(&m.about)))
}

fn next_step<'a>(report: &'a Report, groups: &Groups<'a>, gaps: &[Gap<'a>]) -> (String, Option<&'a str>) {
    let typed = |fix: &'a Fix| (fix.kind != FixKind::Manual).then_some(fix.body.as_str());
    if let Some(fix) = groups.root.and_then(|root| root.fixes.first()) {
        return (fix.title.clone(), typed(fix));
    }
    match (report.verdict.outcome, gaps.first()) {
        (Outcome::Healthy, _) => ("nothing to mend; see what was not checked".to_owned(), None),
        (Outcome::NotDns, _) => {
            ("look at what comes after the lookup: the address, the port, the server".to_owned(), None)
        }
        (_, Some(gap)) => (format!("collect what is missing: {}", gap.whats.join("; ")), Some(gap.command)),
        (_, None) => ("no fix is known to this program; read the evidence below".to_owned(), None),
    }
}

/// One command that would settle something.
pub(super) struct Gap<'a> {
    pub command: &'a str,
    pub whats: Vec<&'a str>,
    /// The failure ids that wait for it.
    pub ids: Vec<&'a str>,
}

/// Everything that is missing, by command, the one that settles most first.
fn gaps(report: &Report) -> Vec<Gap<'_>> {
    let of_findings = report.findings.iter().flat_map(|f| f.missing.iter().map(move |m| (f.id.as_str(), m)));
    let of_sizing = report.sizing.missing.iter().map(|m| ("sizing", m));
    let mut gaps: Vec<Gap> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for (id, missing) in of_findings.chain(of_sizing) {
        let at = *known.entry(&missing.command).or_insert(gaps.len());
        if at == gaps.len() {
            gaps.push(Gap { command: &missing.command, whats: Vec::new(), ids: Vec::new() });
        }
        if let Some(gap) = gaps.get_mut(at) {
            push_new(&mut gap.whats, &missing.what);
            push_new(&mut gap.ids, id);
        }
    }
    gaps.sort_by_key(|gap| std::cmp::Reverse(gap.ids.len()));
    gaps
}

fn push_new<'a>(list: &mut Vec<&'a str>, text: &'a str) {
    if !list.contains(&text) {
        list.push(text);
    }
}

/// Something to do after the incident.
pub(super) struct Action<'a> {
    /// `mitigate`, `prevent` or `detect`.
    pub aim: &'static str,
    pub title: &'a str,
    /// The failure or checklist id that it is for.
    pub id: &'a str,
    /// Whether it was tried on the model; nothing for a checklist item.
    pub check: &'static str,
}

/// A fix of what is broken mitigates, a fix of what may break prevents; an open question of the checklist prevents, but
/// `monitored` detects.
fn actions<'a>(report: &'a Report, groups: &Groups<'a>) -> Vec<Action<'a>> {
    let ongoing = report.verdict.when == Some(When::Ongoing);
    let mut actions = Vec::new();
    let mut add = |findings: &[&'a Finding], aim| {
        for finding in findings {
            actions.extend(finding.fixes.iter().map(|fix| Action {
                aim,
                title: fix.title.as_str(),
                id: finding.id.as_str(),
                check: fix.check.word(),
            }));
        }
    };
    add(&groups.found(), if ongoing { "mitigate" } else { "prevent" });
    add(&groups.risks, "prevent");
    actions.extend(report.checklist.iter().filter(|c| c.state == CheckState::Fail).map(|c| Action {
        aim: if c.id == "monitored" { "detect" } else { "prevent" },
        title: c.item.as_str(),
        id: c.id.as_str(),
        check: "",
    }));
    actions
}

/// A line of the bundle and who quotes it.
pub(super) struct Cited<'a> {
    pub path: &'a str,
    pub line: u32,
    pub ids: Vec<&'a str>,
}

impl Place for Cited<'_> {
    fn place(&self) -> String {
        place(self.path, Some(self.line))
    }
}

/// Every quoted line, by path and line.
fn index(report: &Report) -> Vec<Cited<'_>> {
    let of_findings = report.findings.iter().map(|f| (f.id.as_str(), &f.evidence));
    let of_checklist = report.checklist.iter().map(|c| (c.id.as_str(), &c.evidence));
    let mut lines: BTreeMap<(&str, u32), BTreeSet<&str>> = BTreeMap::new();
    for (id, evidence) in of_findings.chain(of_checklist) {
        for quote in evidence {
            lines.entry((&quote.path, quote.line)).or_default().insert(id);
        }
    }
    lines.into_iter().map(|((path, line), ids)| Cited { path, line, ids: ids.into_iter().collect() }).collect()
}

/// The beginning of a list, and how much is left.
pub(super) trait Shown<T> {
    /// At most the first `n`.
    fn first_few(&self, n: &usize) -> &[T];
    /// How many come after the first `n`.
    fn beyond(&self, n: &usize) -> usize;
}

impl<T> Shown<T> for [T] {
    fn first_few(&self, n: &usize) -> &[T] {
        self.get(..*n).unwrap_or(self)
    }

    fn beyond(&self, n: &usize) -> usize {
        self.len().saturating_sub(*n)
    }
}
