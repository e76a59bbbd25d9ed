//! Described RBAC objects and disruption budgets.

use super::outline::Outline;
use super::{Object, table};
use crate::evidence::facts::{AccessRole, AccessRule, DisruptionBudget, Fact, Rank, RoleBinding};
use crate::evidence::table::cells;
use crate::source::Seen;

/// Takes a ClusterRole: its PolicyRule table has one resource a row.
pub(super) fn role(object: &Object, facts: &mut Vec<Fact>) {
    let outline = object.outline;
    let mut rules = Vec::new();
    if let Some((heading, rows)) = outline.get("PolicyRule").and_then(|entry| table(outline, entry)) {
        for (number, line) in rows {
            let row = heading.row(number, line);
            let Some(resource) = row.value("RESOURCES") else { continue };
            let (resource, group) = split_resource(resource);
            let names = row.cell("RESOURCE NAMES").map(bracketed).unwrap_or_default();
            let verbs = row.cell("VERBS").map(bracketed).unwrap_or_default();
            rules.push(AccessRule { groups: vec![group], resources: vec![resource], names, verbs });
        }
    }
    let (id, at) = (object.id.clone(), object.at.clone());
    facts.push(Fact::Role(Box::new(AccessRole { id, rank: Rank::Describe, at, rules })));
}

/// `deployments.apps/scale` is `deployments/scale` of the group `apps`.
fn split_resource(text: &str) -> (String, String) {
    let (kind, part) = text.split_once('/').map_or((text, None), |(kind, part)| (kind, Some(part)));
    let (resource, group) = kind.split_once('.').unwrap_or((kind, ""));
    let resource = part.map_or_else(|| resource.to_owned(), |part| format!("{resource}/{part}"));
    (resource, group.to_owned())
}

/// `[list watch]`.
fn bracketed(cell: &str) -> Vec<String> {
    let inner = cell.trim().trim_start_matches('[').trim_end_matches(']');
    inner.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Takes a ClusterRoleBinding with the ServiceAccounts among its subjects.
pub(super) fn binding(object: &Object, facts: &mut Vec<Fact>) {
    let outline = object.outline;
    let Some(role) = outline.get("Role").and_then(|entry| outline.child_value(entry, "Name")) else { return };
    let mut accounts = Vec::new();
    if let Some((heading, rows)) = outline.get("Subjects").and_then(|entry| table(outline, entry)) {
        for (number, line) in rows {
            let row = heading.row(number, line);
            let Some(name) = row.value("NAME").filter(|_| row.value("KIND") == Some("ServiceAccount")) else {
                continue;
            };
            let namespace = row.value("NAMESPACE").unwrap_or("");
            accounts.push(Seen::new((namespace.to_owned(), name.to_owned()), outline.quote(number)));
        }
    }
    facts.push(Fact::Binding(Box::new(RoleBinding {
        id: object.id.clone(),
        rank: Rank::Describe,
        at: object.at.clone(),
        role: role.map(str::to_owned),
        accounts,
    })));
}

/// Whether an outline is a disruption budget's.
pub(super) fn is_budget(outline: &Outline) -> bool {
    outline.has("Min available") || outline.has("Max unavailable")
}

/// Takes a PodDisruptionBudget.
pub(super) fn budget(object: &Object, facts: &mut Vec<Fact>) {
    let outline = object.outline;
    let allowed = outline.get("Status").and_then(|status| outline.child_value(status, "Allowed disruptions"));
    facts.push(Fact::Budget(Box::new(DisruptionBudget {
        id: object.id.clone(),
        rank: Rank::Describe,
        at: object.at.clone(),
        selector: outline.value("Selector").map(|seen| cells::labels(seen.value)),
        allowed: allowed.and_then(|seen| Some(Seen::new(seen.value.parse().ok()?, seen.quote))),
    })));
}
