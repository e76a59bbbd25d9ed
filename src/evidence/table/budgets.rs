//! `kubectl get poddisruptionbudgets`.

use super::Context;
use super::columns::{Heading, Row};
use crate::evidence::facts::{DisruptionBudget, Fact, Rank};
use crate::source::Seen;

const ALLOWED: [&str; 2] = ["ALLOWED DISRUPTIONS", "ALLOWED-DISRUPTIONS"];

/// Whether a table lists disruption budgets.
pub(super) fn matches(heading: &Heading) -> bool {
    heading.has("NAME") && ALLOWED.iter().any(|name| heading.has(name))
}

/// A budget's row.
pub(super) fn read(row: &Row, context: &Context) -> Option<Fact> {
    let (_, name) = row.name()?;
    let allowed: u32 = ALLOWED.iter().find_map(|column| row.cell(column))?.parse().ok()?;
    let at = context.quote(row);
    Some(Fact::Budget(Box::new(DisruptionBudget {
        id: context.id(row, name),
        rank: Rank::Table,
        selector: None,
        allowed: Some(Seen::new(allowed, at.clone())),
        at,
    })))
}
