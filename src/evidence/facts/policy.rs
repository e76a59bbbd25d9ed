//! RBAC objects and disruption budgets as one source shows them.

use std::collections::BTreeMap;

use super::{Id, Rank};
use crate::source::{Quote, Seen};

/// A ClusterRole or Role.
#[derive(Debug, Clone)]
pub struct AccessRole {
    /// Name; namespace is `None` for a ClusterRole.
    pub id: Id,
    /// Which kind of source.
    pub rank: Rank,
    /// The line that names it.
    pub at: Quote,
    /// `rules`.
    pub rules: Vec<AccessRule>,
}

/// One rule of a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessRule {
    /// `apiGroups`; the core group is the empty text.
    pub groups: Vec<String>,
    /// `resources`.
    pub resources: Vec<String>,
    /// `resourceNames`; empty: all.
    pub names: Vec<String>,
    /// `verbs`.
    pub verbs: Vec<String>,
}

/// A ClusterRoleBinding or RoleBinding.
#[derive(Debug, Clone)]
pub struct RoleBinding {
    /// Name; namespace is `None` for a ClusterRoleBinding.
    pub id: Id,
    /// Which kind of source.
    pub rank: Rank,
    /// The line that names it.
    pub at: Quote,
    /// `roleRef.name`.
    pub role: Seen<String>,
    /// ServiceAccounts: namespace and name.
    pub accounts: Vec<Seen<(String, String)>>,
}

/// A PodDisruptionBudget.
#[derive(Debug, Clone)]
pub struct DisruptionBudget {
    /// Which one.
    pub id: Id,
    /// Which kind of source.
    pub rank: Rank,
    /// The line that names it.
    pub at: Quote,
    /// `spec.selector.matchLabels`; `None` where the source does not show it.
    pub selector: Option<BTreeMap<String, String>>,
    /// `status.disruptionsAllowed`.
    pub allowed: Option<Seen<u32>>,
}
