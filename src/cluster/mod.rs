//! The model: what is configured and what was observed, joined from all facts. Frozen once built.

mod build;
mod clock;
mod corefile;
mod coverage;
mod distribution;
mod dns;
mod endpoints;
mod merge;
mod observed;
mod pods;
mod workloads;

pub use corefile::{Fault, Forward, Listener};
pub use distribution::distribution;
pub use dns::{ConfiguredCorefile, Dns};
pub use endpoints::Backing;
pub use merge::{Merged, Sight};
pub use pods::ContainerView;

use jiff::Timestamp;

use crate::evidence::facts as f;
use crate::problem::Problem;
use crate::source::Seen;

/// A pod from all its sights.
pub type Pod = Merged<f::Pod>;
/// A node from all its sights.
pub type Node = Merged<f::Node>;
/// A Service from all its sights.
pub type Service = Merged<f::Service>;
/// An Endpoints object or slice from all its sights.
pub type Endpoints = Merged<f::Endpoints>;
/// A workload from all its sights; its name is `Kind/name`.
pub type Workload = Merged<f::Workload>;
/// A ConfigMap from all its sights.
pub type ConfigMap = Merged<f::ConfigMap>;

/// Everything that the bundle tells, joined.
#[derive(Debug, Default)]
pub struct Cluster {
    /// Sorted by namespace and name.
    pub pods: Vec<Pod>,
    /// Sorted by name.
    pub nodes: Vec<Node>,
    /// Sorted by namespace and name.
    pub services: Vec<Service>,
    /// Sorted by namespace and name.
    pub endpoints: Vec<Endpoints>,
    /// Sorted by namespace and name.
    pub workloads: Vec<Workload>,
    /// Sorted by namespace and name.
    pub config_maps: Vec<ConfigMap>,
    /// Corefiles that stand alone, in order of path.
    pub corefiles: Vec<f::TextBlock>,
    /// Disruption budgets.
    pub budgets: Vec<Merged<f::DisruptionBudget>>,
    /// Roles and ClusterRoles.
    pub roles: Vec<Merged<f::AccessRole>>,
    /// Their bindings.
    pub bindings: Vec<Merged<f::RoleBinding>>,
    /// Without duplicates, by time.
    pub events: Vec<f::Event>,
    /// Without duplicates, in order of path.
    pub logs: Vec<f::Log>,
    /// In order of path.
    pub metrics: Vec<f::Metrics>,
    /// In order of path.
    pub resolv_confs: Vec<f::ResolvConf>,
    /// In order of path.
    pub kubelets: Vec<f::KubeletConfig>,
    /// In order of path and line.
    pub kernel: Vec<f::KernelLine>,
    /// In order of path and line.
    pub lookups: Vec<f::Lookup>,
    /// In order of path and line.
    pub usages: Vec<f::Usage>,
    /// In order of path and line.
    pub counts: Vec<f::Count>,
    /// In order of path and line.
    pub gaps: Vec<f::Gap>,
    /// In order of path and line.
    pub node_lines: Vec<f::NodeLine>,
    /// When the bundle was collected: said somewhere, or the latest time that anything in it bears.
    pub collected_at: Option<Timestamp>,
    /// Whether something in the bundle says so.
    pub collected_at_said: bool,
    /// As the API server or a kubelet says.
    pub kubernetes_version: Option<Seen<String>>,
    /// The DNS part of it.
    pub dns: Dns,
    /// What was left out because there is too much of it.
    pub problems: Vec<Problem>,
    /// Indexes into `pods`, sorted by name.
    pods_by_name: Vec<usize>,
}

impl Cluster {
    /// The pod called `name`, in `namespace` where that is known.
    pub fn pod(&self, namespace: Option<&str>, name: &str) -> Option<&Pod> {
        let fits = |pod: &&Pod| namespace.is_none() || pod.namespace.is_none() || pod.namespace.as_deref() == namespace;
        self.pods_named(name).iter().filter_map(|index| self.pods.get(*index)).find(fits)
    }

    /// The indexes of the pods of one name, in whatever namespace.
    fn pods_named(&self, name: &str) -> &[usize] {
        let of = |index: &usize| self.pods.get(*index).map_or("", |pod| pod.name.as_str());
        let first = self.pods_by_name.partition_point(|index| of(index) < name);
        let rest = self.pods_by_name.get(first..).unwrap_or_default();
        rest.get(..rest.partition_point(|index| of(index) == name)).unwrap_or_default()
    }

    /// The node called `name`.
    pub fn node(&self, name: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.name == name)
    }

    /// Seconds before collection, for a moment that is known; never negative.
    pub fn seconds_ago(&self, moment: Timestamp) -> Option<i64> {
        self.collected_at.map(|now| crate::time::seconds_between(moment, now).max(0))
    }

    /// When an event last happened: absolute, or from its age.
    pub fn event_time(&self, event: &f::Event) -> Option<Timestamp> {
        event.last.or_else(|| self.ago(event.last_ago?.0))
    }

    /// The moment `seconds` before collection.
    pub fn ago(&self, seconds: i64) -> Option<Timestamp> {
        let now = self.collected_at?;
        Timestamp::from_second(now.as_second().checked_sub(seconds)?).ok()
    }
}
