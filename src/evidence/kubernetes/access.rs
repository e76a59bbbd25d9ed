//! Roles, bindings and disruption budgets.

use super::common::{count, id, map, place, strings};
use crate::evidence::facts::{AccessRole, AccessRule, DisruptionBudget, Fact, Rank, RoleBinding};
use crate::evidence::objects::Node;
use crate::recognize::Hints;

/// Reads a ClusterRole or Role.
pub fn role(node: Node, hints: &Hints) -> AccessRole {
    let rules = node.get("rules").items().map(|rule| AccessRule {
        groups: strings(rule.get("apiGroups")),
        resources: strings(rule.get("resources")),
        names: strings(rule.get("resourceNames")),
        verbs: strings(rule.get("verbs")),
    });
    AccessRole { id: id(node, hints), rank: Rank::Object, at: place(node), rules: rules.collect() }
}

/// Reads a ClusterRoleBinding or RoleBinding.
pub fn binding(node: Node, hints: &Hints) -> Option<Fact> {
    let id = id(node, hints);
    let accounts = node.get("subjects").items().filter(|item| item.get("kind").as_str() == Some("ServiceAccount"));
    let accounts = accounts.filter_map(|item| {
        let namespace = item.get("namespace").as_str().unwrap_or("").to_owned();
        Some(item.get("name").seen((namespace, item.get("name").as_str()?.to_owned())))
    });
    let binding = RoleBinding {
        rank: Rank::Object,
        at: place(node),
        role: node.path("roleRef.name").str()?,
        accounts: accounts.collect(),
        id,
    };
    Some(Fact::Binding(Box::new(binding)))
}

/// Reads a PodDisruptionBudget.
pub fn budget(node: Node, hints: &Hints) -> DisruptionBudget {
    let selector = node.path("spec.selector.matchLabels");
    DisruptionBudget {
        id: id(node, hints),
        rank: Rank::Object,
        at: place(node),
        selector: selector.exists().then(|| map(selector)),
        allowed: count(node.path("status.disruptionsAllowed")),
    }
}
