//! Reads an incident bundle of a Kubernetes cluster whose DNS failed, and writes the post-mortem.
//!
//! Data flows one way, and each step is a folder that knows only the ones before it:
//!
//! ```text
//! bundle/ ─► recognize/ ─► evidence/ ─► cluster/ ─► detectors/ ─► verdict/ ─► report/
//! bytes      what is it     facts        the model   assessments   cause       renderings
//! ```
//!
//! The library opens no file, reads no clock and no environment, and needs no threads. The same input gives the same
//! bytes of report. Whatever is wrong inside the bundle is a [`problem::Problem`], and the analysis goes on.

pub mod bundle;
pub mod cluster;
pub mod detectors;
pub mod evidence;
mod intake;
pub mod inventory;
pub mod knowledge;
mod links;
pub mod problem;
pub mod recognize;
pub mod report;
pub mod sizing;
pub mod source;
pub mod text;
pub mod time;
pub mod verdict;

use std::sync::Arc;

use bundle::{Budget, Input};
use cluster::Cluster;
use problem::Problem;
use report::Report;
use verdict::Answer;

/// What an analysis may use up.
#[derive(Debug, Default)]
pub struct Settings {
    /// Limits of work, so that the same bundle always gives the same report.
    pub budget: Budget,
}

/// Reads one incident, given as one or several bundles, and reports it.
///
/// # Errors
/// Only where there is nothing to analyse: an empty bundle, one that is encrypted throughout, or one that cannot be
/// read at all.
pub fn analyze(inputs: Vec<(String, Input<'_>)>, settings: &Settings) -> Result<Report, bundle::Error> {
    let Reading { mut bundle, items, facts, .. } = read(inputs, settings)?;
    bundle.files = items.into_iter().map(inventory::Item::file).collect();
    let cluster = Cluster::build(facts);
    if bundle.collected_at.is_none() {
        bundle.collected_at = cluster.collected_at.map(|moment| moment.to_string());
    }
    bundle.add(&cluster.problems);
    let answers = examine(&cluster);
    let sizing = sizing::size(&cluster);
    Ok(report::build(bundle, &cluster, &answers, sizing, settings))
}

/// A bundle read but not judged.
pub struct Reading {
    /// Name and problems; the files are `items`.
    pub bundle: report::Bundle,
    /// Every entry part by part, sorted by path.
    pub items: Vec<inventory::Item>,
    /// The links in it, none of them followed.
    pub links: Vec<bundle::Link>,
    /// Everything that was taken from it.
    pub facts: Vec<evidence::facts::Fact>,
}

/// Reads the bundles: what each file is, and the facts in it.
///
/// # Errors
/// As [`analyze`].
pub fn read(inputs: Vec<(String, Input<'_>)>, settings: &Settings) -> Result<Reading, bundle::Error> {
    let several = inputs.len() > 1;
    let mut all = intake::Intake::default();
    let (mut names, mut sha256, mut links) = (Vec::new(), None, Vec::new());
    for (name, input) in inputs {
        let name = distinct(name, &names);
        let prefix = if several { name.as_str() } else { "" };
        let mut reader = intake::Reader::new(&settings.budget, prefix);
        let walk = bundle::walk(input, &settings.budget, &mut reader)?;
        let taken = reader.finish();
        all.facts.extend(taken.facts);
        all.items.extend(taken.items);
        all.problems.extend(taken.problems);
        all.problems.extend(walk.problems.into_iter().map(|problem| placed(problem, prefix)));
        links.extend(walk.links.into_iter().map(|link| bundle::Link { path: under(&link.path, prefix), ..link }));
        sha256 = walk.sha256;
        names.push(name);
    }
    let sha256 = if several { None } else { sha256 };
    let mut items = all.items;
    items.sort_by(|a, b| a.path.cmp(&b.path));
    let name = names.join(" + ");
    let mut bundle = report::Bundle { name, sha256, collected_at: None, files: Vec::new(), problems: Vec::new() };
    bundle.add(&all.problems);
    bundle.add(&links::dangling(&links, items.iter().map(|item| item.path.as_str())));
    Ok(Reading { bundle, items, links, facts: all.facts })
}

/// Two bundles of one name keep their paths apart.
fn distinct(name: String, taken: &[String]) -> String {
    let free = |candidate: &String| !taken.contains(candidate);
    let numbered = (2..).map(|number| format!("{name} ({number})"));
    std::iter::once(name.clone()).chain(numbered).find(free).unwrap_or(name)
}

fn placed(problem: Problem, prefix: &str) -> Problem {
    let path = if problem.path.is_empty() { problem.path } else { under(&problem.path, prefix) };
    Problem { path, ..problem }
}

/// The path below the name of its bundle, where there are several.
fn under(path: &Arc<str>, prefix: &str) -> Arc<str> {
    if prefix.is_empty() { path.clone() } else { format!("{prefix}/{path}").into() }
}

/// Every detector's answer, in the order of the registry.
pub fn examine(cluster: &Cluster) -> Vec<Answer> {
    let run = |failure: &'static detectors::Failure| Answer { failure, assessment: failure.run(cluster) };
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        detectors::REGISTRY.par_iter().map(run).collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        detectors::REGISTRY.iter().map(run).collect()
    }
}
