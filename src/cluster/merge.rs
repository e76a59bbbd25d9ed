//! One object from several sights: YAML, describe and a table of the same pod are one pod.

use std::borrow::Cow;

use crate::evidence::facts::Rank;
use crate::source::Source;

/// One source's view of an object.
pub trait Sight {
    /// The namespace of the object, where this source shows it.
    fn namespace(&self) -> Option<&str>;
    /// The name of the object.
    fn name(&self) -> Cow<'_, str>;
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
#[allow(clippy::vec_box)]
pub fn merge<T: Sight>(mut sights: Vec<Box<T>>) -> Vec<Merged<T>> {
    sights.sort_by(|a, b| (a.name(), a.namespace()).cmp(&(b.name(), b.namespace())));
    let mut merged: Vec<Merged<T>> = Vec::new();
    let mut group: Vec<Merged<T>> = Vec::new();
    for sight in sights {
        if group.first().is_some_and(|first| first.name != sight.name()) {
            merged.append(&mut placed(std::mem::take(&mut group)));
        }
        match group.last_mut() {
            Some(last) if last.namespace.as_deref() == sight.namespace() => last.sights.push(*sight),
            _ => group.push(Merged {
                namespace: sight.namespace().map(str::to_owned),
                name: sight.name().into_owned(),
                sights: vec![*sight],
            }),
        }
    }
    merged.append(&mut placed(group));
    for one in &mut merged {
        one.sights.sort_by(|a, b| b.rank().cmp(&a.rank()).then_with(|| a.place().cmp(b.place())));
    }
    merged.sort_by(|a, b| (&a.namespace, &a.name).cmp(&(&b.namespace, &b.name)));
    merged
}

/// All objects of one name: of two, the one whose namespace is not known is the other.
fn placed<T>(mut group: Vec<Merged<T>>) -> Vec<Merged<T>> {
    if group.len() == 2 && group.iter().filter(|one| one.namespace.is_none()).count() == 1 {
        let unplaced = group.remove(0).sights; // `None` is sorted before any name
        if let Some(one) = group.first_mut() {
            one.sights.extend(unplaced);
        }
    }
    group
}

macro_rules! sight {
    ($($kind:ty),*) => { $(
        impl Sight for $kind {
            fn namespace(&self) -> Option<&str> { self.id.namespace.as_deref() }
            fn name(&self) -> Cow<'_, str> { Cow::Borrowed(&self.id.name) }
            fn rank(&self) -> Rank { self.rank }
            fn place(&self) -> &Source { &self.at.source }
        }
    )* };
}

use crate::evidence::facts as f;
sight!(f::Pod, f::Service, f::Endpoints, f::ConfigMap, f::DisruptionBudget, f::AccessRole, f::RoleBinding);

impl Sight for f::Node {
    fn namespace(&self) -> Option<&str> {
        None
    }
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.name)
    }
    fn rank(&self) -> Rank {
        self.rank
    }
    fn place(&self) -> &Source {
        &self.at.source
    }
}

impl Sight for f::Workload {
    fn namespace(&self) -> Option<&str> {
        self.id.namespace.as_deref()
    }
    /// Two kinds may share a name, so the kind is part of it here.
    fn name(&self) -> Cow<'_, str> {
        Cow::Owned(format!("{}/{}", self.kind, self.id.name))
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
    use crate::evidence::facts::Id;
    use crate::source::Quote;

    fn pod(namespace: Option<&str>, rank: Rank, path: &str) -> Box<f::Pod> {
        let id = Id { namespace: namespace.map(str::to_owned), name: "a".into() };
        Box::new(f::Pod::new(id, rank, Quote::new(&path.into(), 1, "a")))
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
