//! Links in a bundle: none is followed, so one that leads to nothing in the bundle is evidence that is missing.

use std::collections::BTreeSet;

use crate::bundle::Link;
use crate::problem::Problem;

/// The links whose targets are not among the paths of the entries.
pub fn dangling<'a>(links: &[Link], paths: impl Iterator<Item = &'a str>) -> Vec<Problem> {
    let paths: BTreeSet<&str> = paths.collect();
    let is_there = |target: &str| {
        let below = format!("{target}/");
        paths.contains(target) || paths.range(&*below..).next().is_some_and(|path| path.starts_with(&below))
    };
    let lost = links.iter().filter(|link| {
        let target = link.target.as_deref().unwrap_or("");
        // A hard link of a tar names its target from the archive's root.
        !targets(&link.path, target).iter().flatten().any(|target| target.is_empty() || is_there(target))
    });
    lost.map(|link| {
        let target = link.target.as_deref().unwrap_or("a place that is not said");
        Problem::of(&link.path, format!("a link to {target}, which is not in the bundle; collect the file itself"))
    })
    .collect()
}

/// Where a link can lead inside the bundle: from its own folder, and from the root of its archive.
fn targets(link: &str, target: &str) -> [Option<String>; 2] {
    let archive = link.rfind("!/").map_or("", |at| link.get(..at + 2).unwrap_or_default());
    let folder = link.rfind('/').map_or("", |at| link.get(..=at).unwrap_or_default());
    [resolved(folder, target), resolved(archive, target)]
}

/// `target` from `folder` on, or nothing where it leads out of the bundle or is absolute.
fn resolved(folder: &str, target: &str) -> Option<String> {
    if target.starts_with('/') || target.is_empty() {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_into_the_bundle_are_no_loss() {
        let paths = ["b/logs/kube-system/coredns.log", "in.tar.gz!/var/a.log"];
        let lost = |path: &str, target: Option<&str>| {
            let link = Link { path: path.into(), target: target.map(str::to_owned) };
            !dangling(&[link], paths.into_iter()).is_empty()
        };
        assert!(!lost("b/coredns/coredns.log", Some("../logs/kube-system/coredns.log")));
        assert!(!lost("b/coredns", Some("logs/kube-system")));
        assert!(!lost("in.tar.gz!/containers/a.log", Some("var/a.log")), "a hard link");
        assert!(!lost("in.tar.gz!/containers/a.log", Some("../var/a.log")));
        assert!(!lost("b/here", Some("../.")), "the bundle itself");
        for target in [Some("/var/log/pods/x.log"), Some("../../x"), Some("nothing.log"), Some(""), None] {
            assert!(lost("b/a.log", target), "{target:?}");
        }
    }
}
