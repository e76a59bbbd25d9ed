//! One dump of a metrics endpoint.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::LogOwner;
use crate::source::{Quote, Seen};

/// One dump.
#[derive(Debug, Clone)]
pub struct Metrics {
    /// Path of the file.
    pub path: Arc<str>,
    /// Whose metrics, as far as the path or command tells.
    pub owner: LogOwner,
    /// When it was taken, where the file says.
    pub at: Option<Timestamp>,
    /// `coredns_build_info`'s version.
    pub version: Option<Seen<String>>,
    /// Samples that some detector reads (see `metrics.rs` for which names), in order of the file.
    pub samples: Vec<MetricSample>,
    /// Samples in the whole dump.
    pub total: u64,
}

/// One sample.
#[derive(Debug, Clone)]
pub struct MetricSample {
    /// Name.
    pub name: String,
    /// Labels.
    pub labels: BTreeMap<String, String>,
    /// Value.
    pub value: f64,
    /// Where it stands.
    pub quote: Quote,
}

impl Metrics {
    /// All samples of `name`.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a MetricSample> {
        self.samples.iter().filter(move |sample| sample.name == name)
    }

    /// The first sample of `name`.
    pub fn get(&self, name: &str) -> Option<&MetricSample> {
        self.samples.iter().find(|sample| sample.name == name)
    }

    /// Sum of all samples of any of `names`; `None` where there is none.
    pub fn sum(&self, names: &[&str]) -> Option<f64> {
        let mut values = self.samples.iter().filter(|sample| names.contains(&sample.name.as_str())).map(|s| s.value);
        let first = values.next()?;
        Some(values.fold(first, |sum, value| sum + value))
    }
}
