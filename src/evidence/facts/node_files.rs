//! Files of a node: resolv.conf, kubelet settings, and lines worth quoting.

use std::sync::Arc;

use crate::source::{Quote, Seen};

/// A resolv.conf.
#[derive(Debug, Clone)]
pub struct ResolvConf {
    /// Path of the file in the bundle.
    pub path: Arc<str>,
    /// A pod's (search list of a cluster, a nameserver in the Service range) or a node's.
    pub of_pod: bool,
    /// `nameserver` lines.
    pub nameservers: Vec<Seen<String>>,
    /// Domains of the last `search` (or `domain`) line.
    pub search: Option<Seen<Vec<String>>>,
    /// `options` words.
    pub options: Option<Seen<Vec<String>>>,
}

/// A kubelet's settings for DNS, from its configuration file or its flags.
#[derive(Debug, Clone, Default)]
pub struct KubeletConfig {
    /// Path of the file in the bundle.
    pub path: Option<Arc<str>>,
    /// `resolvConf`.
    pub resolv_conf: Option<Seen<String>>,
    /// `clusterDNS`.
    pub cluster_dns: Vec<Seen<String>>,
    /// `clusterDomain`.
    pub cluster_domain: Option<Seen<String>>,
}

/// A line of a node's file kept for quoting.
#[derive(Debug, Clone)]
pub struct NodeLine {
    /// What it is about.
    pub kind: NodeLineKind,
    /// Named part: port of a listener, key of a sysctl, address of a rule.
    pub key: String,
    /// Named part: owner of a listener, value of a sysctl.
    pub value: String,
    /// Where it stands.
    pub quote: Quote,
}

/// What a node line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeLineKind {
    /// `ss -lunpt`, `netstat -tulpn`: who listens. Key `address:port`, value the process.
    Listener,
    /// A sysctl. Key and value.
    Sysctl,
    /// A firewalld or iptables rule that names a port of the API server or DNS. Key the port.
    Firewall,
    /// A container runtime's version line. Value the version.
    Runtime,
    /// A registry's answer or catalogue line about an image.
    Registry,
    /// A machine's or an image's architecture, alone on a line. Value.
    Architecture,
    /// A person's note in a text file: `16:22:31 kube-apiserver restarted on purpose`.
    Note,
}
