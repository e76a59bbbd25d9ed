//! What one reader took from one section: facts, each with its source. Nothing is joined or judged here.

mod configmap;
mod endpoints;
mod event;
mod gap;
mod kernel;
mod log;
mod lookup;
mod metrics;
mod node;
mod node_files;
mod pod;
mod policy;
mod service;
mod workload;

pub use configmap::*;
pub use endpoints::*;
pub use event::*;
pub use gap::*;
pub use kernel::*;
pub use log::*;
pub use lookup::*;
pub use metrics::*;
pub use node::*;
pub use node_files::*;
pub use pod::*;
pub use policy::*;
pub use service::*;
pub use workload::*;

/// How an object was seen. The later wins where two sights differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// A row of `kubectl get`.
    Table,
    /// A block of `kubectl describe`.
    Describe,
    /// The object itself, YAML or JSON.
    Object,
}

/// Which object: namespace where known, and name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id {
    /// `None` where the section does not say (a table without `-A` and without a command).
    pub namespace: Option<String>,
    /// `metadata.name`.
    pub name: String,
}

/// One fact.
#[derive(Debug, Clone)]
pub enum Fact {
    /// A pod.
    Pod(Box<Pod>),
    /// A node.
    Node(Box<Node>),
    /// A Service.
    Service(Box<Service>),
    /// An Endpoints object or an EndpointSlice.
    Endpoints(Box<Endpoints>),
    /// A Deployment, DaemonSet or ReplicaSet.
    Workload(Box<Workload>),
    /// A ConfigMap.
    ConfigMap(Box<ConfigMap>),
    /// A Corefile that stands alone, or in a tool's debug file.
    Corefile(Box<TextBlock>),
    /// A PodDisruptionBudget.
    Budget(Box<DisruptionBudget>),
    /// A ClusterRole or Role.
    Role(Box<AccessRole>),
    /// A ClusterRoleBinding or RoleBinding.
    Binding(Box<RoleBinding>),
    /// An event.
    Event(Box<Event>),
    /// A log, whole.
    Log(Box<Log>),
    /// One dump of a metrics endpoint.
    Metrics(Box<Metrics>),
    /// A resolv.conf.
    ResolvConf(Box<ResolvConf>),
    /// A kubelet's settings for DNS.
    Kubelet(Box<KubeletConfig>),
    /// A kernel line that matters.
    Kernel(Box<KernelLine>),
    /// A lookup that somebody made.
    Lookup(Box<Lookup>),
    /// A row of `kubectl top`.
    Usage(Box<Usage>),
    /// How many objects of a kind there are.
    Count(Box<Count>),
    /// A collection that failed, or came back empty.
    Gap(Box<Gap>),
    /// The moment at which the bundle, or a part of it, was collected.
    Collected(crate::source::Seen<jiff::Timestamp>),
    /// The Kubernetes version that the API server or a node says.
    KubernetesVersion(crate::source::Seen<String>),
    /// A line of a node file that tells who holds a port, a firewall rule, a setting: kept for quoting.
    NodeLine(Box<NodeLine>),
}
