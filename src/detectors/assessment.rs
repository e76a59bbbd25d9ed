//! What a detector answers, and how it is put together.

use jiff::Timestamp;

use crate::report::{Confidence, Fix, FixCheck, FixKind, Missing, Role, Severity, Status};
use crate::source::Quote;

/// The most quotes that one finding shows.
const PROOF_LIMIT: usize = 40;

/// One quoted line, for or against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The words and their place.
    pub quote: Quote,
    /// False: against the finding.
    pub supports: bool,
    /// What it shows.
    pub note: String,
}

/// One detector's answer about one failure.
#[derive(Debug, Clone)]
pub struct Assessment {
    /// How it ended.
    pub status: Status,
    /// How sure, if found or suspected.
    pub confidence: Option<Confidence>,
    /// Overrides the failure's usual severity.
    pub severity: Option<Severity>,
    /// True: nothing shows it yet, configuration alone predicts it.
    pub risk: bool,
    /// True: it was so, and is not any more.
    pub past: bool,
    /// When it was first seen.
    pub since: Option<Timestamp>,
    /// What happened here, or what was examined, or what is missing.
    pub summary: String,
    /// `kind/namespace/name`.
    pub subjects: Vec<String>,
    /// Quotes, the most telling first.
    pub proofs: Vec<Proof>,
    /// What would settle it.
    pub missing: Vec<Missing>,
    /// Remedies, the first to do first.
    pub fixes: Vec<Fix>,
}

impl Assessment {
    fn new(status: Status, summary: impl Into<String>) -> Self {
        Assessment {
            status,
            confidence: None,
            severity: None,
            risk: false,
            past: false,
            since: None,
            summary: summary.into(),
            subjects: Vec::new(),
            proofs: Vec::new(),
            missing: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// Found, with the line that proves it. `Possible` gives `suspected`.
    pub fn found(confidence: Confidence, summary: impl Into<String>, quote: &Quote, note: &str) -> Self {
        let status = if confidence == Confidence::Possible { Status::Suspected } else { Status::Found };
        let mut assessment = Self::new(status, summary);
        assessment.confidence = Some(confidence);
        assessment.proof(quote, note)
    }

    /// Predicted from configuration alone, with the line that predicts it.
    pub fn predicted(summary: impl Into<String>, quote: &Quote, note: &str) -> Self {
        let mut assessment = Self::found(Confidence::Likely, summary, quote, note);
        assessment.risk = true;
        assessment
    }

    /// One indirect fact speaks for it.
    pub fn suspected(summary: impl Into<String>, quote: &Quote, note: &str) -> Self {
        Self::found(Confidence::Possible, summary, quote, note)
    }

    /// Examined, and not so; the summary says what was examined and how many.
    pub fn ruled_out(summary: impl Into<String>) -> Self {
        Self::new(Status::RuledOut, summary)
    }

    /// The evidence is missing; at least one command that collects it.
    pub fn not_checked(summary: impl Into<String>, missing: Vec<Missing>) -> Self {
        let mut assessment = Self::new(Status::NotChecked, summary);
        assessment.missing = missing;
        assessment
    }

    /// This cluster has no such part.
    pub fn not_applicable(summary: impl Into<String>) -> Self {
        Self::new(Status::NotApplicable, summary)
    }

    /// The detector panicked: a defect of this program.
    pub fn crashed() -> Self {
        Self::new(Status::Crashed, "this check failed with a defect of dnsmortem; the others are not touched by it")
    }

    /// Adds a quote for the finding, unless the same words stand there already.
    pub fn proof(mut self, quote: &Quote, note: &str) -> Self {
        self.add(quote, true, note);
        self
    }

    /// Adds quotes for the finding.
    pub fn proofs<'a>(mut self, quotes: impl IntoIterator<Item = &'a Quote>, note: &str) -> Self {
        for quote in quotes {
            self.add(quote, true, note);
        }
        self
    }

    /// Adds a quote against the finding: what rules it out, or speaks for a rival.
    pub fn against(mut self, quote: &Quote, note: &str) -> Self {
        self.add(quote, false, note);
        self
    }

    fn add(&mut self, quote: &Quote, supports: bool, note: &str) {
        let same = |proof: &Proof| proof.quote.text.trim() == quote.text.trim() && proof.supports == supports;
        if quote.text.trim().is_empty() || self.proofs.len() >= PROOF_LIMIT || self.proofs.iter().any(same) {
            return;
        }
        self.proofs.push(Proof { quote: quote.clone(), supports, note: note.to_owned() });
    }

    /// Adds an object concerned.
    pub fn about(mut self, subject: impl Into<String>) -> Self {
        let subject = subject.into();
        if !self.subjects.contains(&subject) {
            self.subjects.push(subject);
        }
        self
    }

    /// Sets when it was first seen.
    pub fn since(mut self, moment: Option<Timestamp>) -> Self {
        self.since = moment;
        self
    }

    /// Marks it as over before collection.
    pub fn past(mut self, past: bool) -> Self {
        self.past = past;
        self
    }

    /// Overrides the usual severity.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = Some(severity);
        self
    }

    /// Adds evidence that would make it surer.
    pub fn wants(mut self, missing: Vec<Missing>) -> Self {
        self.missing.extend(missing);
        self
    }

    /// Adds a command to run.
    pub fn command(self, title: &str, body: impl Into<String>, risk: &str) -> Self {
        self.fix(FixKind::Command, title, body, risk)
    }

    /// Adds a diff or an object.
    pub fn patch(self, title: &str, body: impl Into<String>, risk: &str) -> Self {
        self.fix(FixKind::Patch, title, body, risk)
    }

    /// Adds advice for a person.
    pub fn manual(self, title: &str, body: impl Into<String>) -> Self {
        self.fix(FixKind::Manual, title, body, "")
    }

    fn fix(mut self, kind: FixKind, title: &str, body: impl Into<String>, risk: &str) -> Self {
        self.fixes.push(Fix {
            title: title.to_owned(),
            kind,
            body: body.into(),
            check: FixCheck::NotComputable,
            risk: risk.to_owned(),
        });
        self
    }

    /// The fix added last was tried: applied to the model and judged again, the failure is gone.
    pub fn verified(mut self, gone: bool) -> Self {
        if let (true, Some(fix)) = (gone, self.fixes.last_mut()) {
            fix.check = FixCheck::Verified;
        }
        self
    }

    /// Found or suspected.
    pub fn holds(&self) -> bool {
        matches!(self.status, Status::Found | Status::Suspected)
    }

    /// Found, and observed rather than predicted.
    pub fn observed(&self) -> bool {
        self.status == Status::Found && !self.risk
    }

    /// What it is in the chain before the verdict has looked at it.
    pub fn first_role(&self) -> Option<Role> {
        match (self.holds(), self.risk) {
            (true, true) => Some(Role::Risk),
            (true, false) => Some(Role::RootCause),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_are_quoted_once() {
        let quote = Quote::new(&"a".into(), 1, "x");
        let again = Quote::new(&"b".into(), 7, " x");
        let assessment =
            Assessment::found(Confidence::Confirmed, "s", &quote, "").proof(&again, "").against(&quote, "");
        assert_eq!(assessment.proofs.len(), 2);
    }

    #[test]
    fn possible_is_only_suspected() {
        let quote = Quote::new(&"a".into(), 1, "x");
        assert_eq!(Assessment::suspected("s", &quote, "").status, Status::Suspected);
        assert_eq!(Assessment::found(Confidence::Likely, "s", &quote, "").status, Status::Found);
    }
}
