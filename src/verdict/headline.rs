//! One sentence for the first line of every rendering.

use super::Answer;

/// The root cause.
pub fn fault(root: &Answer) -> String {
    sentence(root)
}

/// Only a symptom is known: what would decide is asked for.
pub fn symptom(symptom: &Answer) -> String {
    let asked =
        symptom.assessment.missing.first().map_or(String::new(), |missing| {
            format!(" What caused it is not in the bundle; {} would tell.", missing.what)
        });
    format!("{}{asked}", sentence(symptom))
}

/// Nothing is broken yet.
pub fn risk(risk: &Answer) -> String {
    format!("Nothing is broken now. A risk stands: {}", sentence(risk))
}

fn sentence(answer: &Answer) -> String {
    let summary = answer.assessment.summary.trim();
    if summary.is_empty() { format!("{}.", answer.failure.title) } else { summary.to_owned() }
}
