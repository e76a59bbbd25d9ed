//! Which found failure explains which: a graph whose edges are declared beside each failure.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::Answer;
use crate::cluster::Cluster;
use crate::detectors::Class;
use crate::report::{Confidence, Role, Severity, Status};

/// How much later than its effect a cause may be first seen, in seconds: clocks and ages are that unsure.
const SLACK: i64 = 300;

/// Found failures and the edges that count among them.
pub struct Chain<'a> {
    found: Vec<&'a Answer>,
    /// From cause to effects, by id.
    effects: BTreeMap<&'static str, BTreeSet<&'static str>>,
}

impl<'a> Chain<'a> {
    /// Takes the found among all answers and links them.
    pub fn of(cluster: &Cluster, answers: &'a [Answer]) -> Self {
        let found: Vec<&Answer> = answers.iter().filter(|answer| answer.assessment.status == Status::Found).collect();
        let mut effects: BTreeMap<&'static str, BTreeSet<&'static str>> = BTreeMap::new();
        for cause in &found {
            for edge in cause.failure.causes {
                let Some(effect) = found.iter().find(|answer| answer.failure.id == edge.to) else { continue };
                let conditional = edge.when.is_some_and(|when| when(cluster));
                let counts = if cause.assessment.risk { conditional } else { edge.when.is_none() || conditional };
                if counts && !effect.assessment.risk && in_time(cause, effect) {
                    effects.entry(cause.failure.id).or_default().insert(effect.failure.id);
                }
            }
        }
        Chain { found, effects }
    }

    /// All that follows from `id`, nearest first, each once.
    fn reach(&self, id: &'static str) -> Vec<&'static str> {
        let mut seen = vec![id];
        let mut next = 0;
        while let Some(at) = seen.get(next).copied() {
            next += 1;
            for effect in self.effects.get(at).into_iter().flatten() {
                if !seen.contains(effect) {
                    seen.push(effect);
                }
            }
        }
        seen.split_off(1)
    }

    /// Observed causes that no other observed cause explains, the best first.
    fn roots(&self) -> Vec<&'a Answer> {
        let causes: Vec<&Answer> =
            self.found.iter().copied().filter(|answer| answer.is_cause() && !answer.assessment.risk).collect();
        let explained = |answer: &&Answer| {
            causes.iter().any(|other| {
                let follows = self.reach(other.failure.id).contains(&answer.failure.id);
                // In a circle the one declared first stands first.
                let circle = self.reach(answer.failure.id).contains(&other.failure.id);
                let before = self.place(other) < self.place(answer);
                other.failure.id != answer.failure.id && follows && (!circle || before)
            })
        };
        let mut roots: Vec<&Answer> = causes.iter().copied().filter(|answer| !explained(answer)).collect();
        roots.sort_by_key(|answer| self.weight(answer));
        roots
    }

    fn place(&self, answer: &Answer) -> usize {
        self.found.iter().position(|other| other.failure.id == answer.failure.id).unwrap_or(usize::MAX)
    }

    /// What heads the verdict: an ongoing fault before a healed one, the surer, the graver, the one that explains more.
    fn weight(&self, answer: &Answer) -> (bool, Reverse<Confidence>, Reverse<Severity>, Reverse<usize>, usize) {
        (
            answer.assessment.past,
            Reverse(answer.assessment.confidence.unwrap_or(Confidence::Possible)),
            Reverse(severity(answer)),
            Reverse(self.reach(answer.failure.id).len()),
            self.place(answer),
        )
    }

    /// The root cause.
    pub fn root(&self) -> Option<&'a Answer> {
        self.roots().into_iter().next()
    }

    /// Ids from `head` to what people saw.
    pub fn from(&self, head: &Answer) -> Vec<&'static str> {
        std::iter::once(head.failure.id).chain(self.reach(head.failure.id)).collect()
    }

    /// Ids of the further independent root causes.
    pub fn others(&self, root: &Answer) -> Vec<&'static str> {
        self.roots().iter().map(|answer| answer.failure.id).filter(|id| *id != root.failure.id).collect()
    }

    /// The gravest symptom that nothing found explains.
    pub fn lone_symptom(&self) -> Option<&'a Answer> {
        let symptoms = self.found.iter().copied().filter(|a| a.failure.class == Class::Symptom && !a.assessment.risk);
        let explained = |id: &str| self.found.iter().any(|other| self.reach(other.failure.id).contains(&id));
        symptoms.filter(|answer| !explained(answer.failure.id)).min_by_key(|answer| self.weight(answer))
    }

    /// The gravest thing that is only predicted, or a condition that stands alone.
    pub fn gravest_risk(&self) -> Option<&'a Answer> {
        self.risks().into_iter().next()
    }

    /// Ids of the further risks.
    pub fn other_risks(&self, risk: &Answer) -> Vec<&'static str> {
        self.risks().iter().map(|answer| answer.failure.id).filter(|id| *id != risk.failure.id).collect()
    }

    fn risks(&self) -> Vec<&'a Answer> {
        let is_risk = |answer: &&Answer| {
            answer.failure.id != "not-dns" && (answer.assessment.risk || answer.failure.class == Class::Condition)
        };
        let mut risks: Vec<&Answer> = self.found.iter().copied().filter(is_risk).collect();
        risks.sort_by_key(|answer| (Reverse(severity(answer)), self.weight(answer)));
        risks
    }

    /// The role of each found failure.
    pub fn roles(&self) -> BTreeMap<&'static str, Role> {
        let roots: Vec<&str> = self.roots().iter().map(|answer| answer.failure.id).collect();
        let role = |answer: &Answer| {
            if answer.assessment.risk {
                Role::Risk
            } else if roots.contains(&answer.failure.id) {
                Role::RootCause
            } else {
                match answer.failure.class {
                    Class::Condition => Role::Contributing,
                    _ => Role::Symptom,
                }
            }
        };
        self.found.iter().map(|answer| (answer.failure.id, role(answer))).collect()
    }
}

fn severity(answer: &Answer) -> Severity {
    answer.assessment.severity.unwrap_or(answer.failure.severity)
}

/// An effect that was there long before its cause is not its effect.
fn in_time(cause: &Answer, effect: &Answer) -> bool {
    match (cause.assessment.since, effect.assessment.since) {
        (Some(cause), Some(effect)) => cause.as_second() - effect.as_second() <= SLACK,
        _ => true,
    }
}
