//! From assessments to one answer: cause, chain, the path of a query, the checklist, the timeline.

mod affected;
mod chain;
mod checklist;
mod headline;
mod health;
mod path;
mod timeline;

pub use affected::affected;
pub use checklist::checklist;
pub use path::path;
pub use timeline::timeline;

use std::collections::BTreeMap;

use crate::cluster::Cluster;
use crate::detectors::{Assessment, Class, Failure};
use crate::report::{Confidence, Outcome, Role, Verdict, When};

/// One failure and what its detector answered.
pub struct Answer {
    /// The failure.
    pub failure: &'static Failure,
    /// The answer.
    pub assessment: Assessment,
}

/// The verdict and the role that each found failure plays in it.
pub struct Decision {
    /// The answer.
    pub verdict: Verdict,
    /// By failure id; only those found or suspected.
    pub roles: BTreeMap<&'static str, Role>,
}

/// Decides from all answers.
pub fn decide(cluster: &Cluster, answers: &[Answer]) -> Decision {
    let chain = chain::Chain::of(cluster, answers);
    let roles = chain.roles();
    let not_dns = answers.iter().find(|answer| answer.failure.id == "not-dns" && answer.assessment.observed());
    let verdict = if let Some(root) = chain.root() {
        fault(&chain, root)
    } else if let Some(answer) = not_dns {
        beyond_dns(answer)
    } else if let Some(symptom) = chain.lone_symptom() {
        only_symptom(&chain, symptom)
    } else {
        let health = health::health(cluster);
        match chain.gravest_risk() {
            Some(risk) if health.works() || health.unknown() => risk_only(&chain, risk),
            _ => health.verdict(),
        }
    };
    Decision { verdict, roles }
}

fn fault(chain: &chain::Chain, root: &Answer) -> Verdict {
    Verdict {
        when: Some(if root.assessment.past { When::Past } else { When::Ongoing }),
        outcome: Outcome::FaultFound,
        root_cause: Some(root.failure.id.to_owned()),
        confidence: root.assessment.confidence.unwrap_or(Confidence::Possible),
        headline: headline::fault(root),
        chain: chain.from(root).into_iter().map(str::to_owned).collect(),
        others: chain.others(root).into_iter().map(str::to_owned).collect(),
    }
}

fn only_symptom(chain: &chain::Chain, symptom: &Answer) -> Verdict {
    Verdict {
        when: Some(if symptom.assessment.past { When::Past } else { When::Ongoing }),
        outcome: Outcome::FaultFound,
        root_cause: Some(symptom.failure.id.to_owned()),
        confidence: Confidence::Possible,
        headline: headline::symptom(symptom),
        chain: chain.from(symptom).into_iter().map(str::to_owned).collect(),
        others: Vec::new(),
    }
}

fn beyond_dns(answer: &Answer) -> Verdict {
    Verdict {
        when: Some(When::Ongoing),
        outcome: Outcome::NotDns,
        root_cause: None,
        confidence: answer.assessment.confidence.unwrap_or(Confidence::Likely),
        headline: answer.assessment.summary.clone(),
        chain: Vec::new(),
        others: Vec::new(),
    }
}

fn risk_only(chain: &chain::Chain, risk: &Answer) -> Verdict {
    Verdict {
        when: Some(When::Latent),
        outcome: Outcome::RiskOnly,
        root_cause: Some(risk.failure.id.to_owned()),
        confidence: risk.assessment.confidence.unwrap_or(Confidence::Possible),
        headline: headline::risk(risk),
        chain: vec![risk.failure.id.to_owned()],
        others: chain.other_risks(risk).into_iter().map(str::to_owned).collect(),
    }
}

impl Answer {
    /// It can stand at the head of a chain.
    fn is_cause(&self) -> bool {
        self.failure.class == Class::Cause && self.failure.id != "not-dns"
    }
}
