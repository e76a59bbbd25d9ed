//! One object from several sights: YAML, describe and a table of the same pod are one pod.

use std::collections::BTreeMap;

use crate::evidence::facts::{Id, Rank};
use crate::source::Source;

/// One source's view of an object.
pub trait Sight {
    /// Which object it is of.
    fn id(&self) -> Id;
    /// Which kind of source.
    fn rank(&self) -> Rank;
    /// Where it stands.
    fn place(&self) -> &Source;
}

/// All sights of one object, the best source first.
#[derive(Debug, Clone)]
pub struct Merged<T> {
    /// Namespace, where any sight knows it.
    pub namespace: Option<String>,
    /// Name.
    pub name: String,
    /// Never empty; the best source first, then in order of path.
    pub sights: Vec<T>,
}

impl<T: Sight> Merged<T> {
    /// The best source's value of a field, among the sights that have it.
    pub fn best<'a, U: ?Sized>(&'a self, field: impl Fn(&'a T) -> Option<&'a U>) -> Option<&'a U> {
        self.sights.iter().find_map(field)
    }

    /// `kind/namespace/name`, with `?` for an unknown namespace.
    pub fn subject(&self, kind: &str) -> String {
        format!("{kind}/{}/{}", self.namespace.as_deref().unwrap_or("?"), self.name)
    }
}

/// Joins sights of the same object. A sight without namespace joins the only object of its name; where several
/// namespaces have that name it stands alone.
pub fn merge<T: Sight>(sights: Vec<T>) -> Vec<Merged<T>> {
    let mut named: BTreeMap<String, BTreeMap<Option<String>, Vec<T>>> = BTreeMap::new();
    for sight in sights {
        let id = sight.id();
        named.entry(id.name).or_default().entry(id.namespace).or_default().push(sight);
    }
    let mut merged = Vec::new();
    for (name, mut by_namespace) in named {
        if by_namespace.len() == 2
            && let Some(unplaced) = by_namespace.remove(&None)
            && let Some(group) = by_namespace.values_mut().next()
        {
            group.extend(unplaced);
        }
        for (namespace, mut sights) in by_namespace {
            sights.sort_by(|a, b| b.rank().cmp(&a.rank()).then_with(|| a.place().cmp(b.place())));
            merged.push(Merged { namespace, name: name.clone(), sights });
        }
    }
    merged.sort_by(|a, b| (&a.namespace, &a.name).cmp(&(&b.namespace, &b.name)));
    merged
}

macro_rules! sight {
    ($($kind:ty),*) => { $(
        impl Sight for $kind {
            fn id(&self) -> Id { self.id.clone() }
            fn rank(&self) -> Rank { self.rank }
            fn place(&self) -> &Source { &self.at.source }
        }
    )* };
}

use crate::evidence::facts as f;
sight!(f::Pod, f::Service, f::Endpoints, f::ConfigMap, f::DisruptionBudget, f::AccessRole, f::RoleBinding);

impl Sight for f::Node {
    fn id(&self) -> Id {
        Id { namespace: None, name: self.name.clone() }
    }
    fn rank(&self) -> Rank {
        self.rank
    }
    fn place(&self) -> &Source {
        &self.at.source
    }
}

impl Sight for f::Workload {
    /// Two kinds may share a name, so the kind is part of it here.
    fn id(&self) -> Id {
        Id { namespace: self.id.namespace.clone(), name: format!("{}/{}", self.kind, self.id.name) }
    }
    fn rank(&self) -> Rank {
        self.rank
    }
    fn place(&self) -> &Source {
        &self.at.source
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Quote;

    fn pod(namespace: Option<&str>, rank: Rank, path: &str) -> f::Pod {
        let id = Id { namespace: namespace.map(str::to_owned), name: "a".into() };
        f::Pod::new(id, rank, Quote::new(&path.into(), 1, "a"))
    }

    #[test]
    fn one_pod_seen_three_ways_is_one_pod() {
        let merged = merge(vec![
            pod(None, Rank::Table, "t"),
            pod(Some("x"), Rank::Describe, "d"),
            pod(Some("x"), Rank::Object, "o"),
        ]);
        assert_eq!(merged.len(), 1);
        let ranks: Vec<Rank> = merged[0].sights.iter().map(|s| s.rank).collect();
        assert_eq!(ranks, [Rank::Object, Rank::Describe, Rank::Table]);
    }

    #[test]
    fn an_ambiguous_name_stands_alone() {
        let merged = merge(vec![
            pod(None, Rank::Table, "t"),
            pod(Some("x"), Rank::Describe, "d"),
            pod(Some("y"), Rank::Describe, "e"),
        ]);
        assert_eq!(merged.len(), 3);
    }

    #[test]
    fn the_order_of_sights_does_not_matter() {
        let all = [pod(None, Rank::Table, "t"), pod(Some("x"), Rank::Table, "s"), pod(Some("x"), Rank::Object, "o")];
        let forward = merge(all.to_vec());
        let backward = merge(all.into_iter().rev().collect());
        let paths = |m: &[Merged<f::Pod>]| m[0].sights.iter().map(|s| s.at.source.path.to_string()).collect::<Vec<_>>();
        assert_eq!(paths(&forward), paths(&backward));
    }
}
