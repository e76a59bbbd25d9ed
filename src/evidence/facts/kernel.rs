//! Kernel log lines that matter.

use jiff::Timestamp;

use crate::source::Quote;

/// A kernel line.
#[derive(Debug, Clone)]
pub struct KernelLine {
    /// What it says.
    pub kind: KernelKind,
    /// The process named, for kills.
    pub task: String,
    /// Its process id, for kills.
    pub pid: Option<u32>,
    /// UID of the pod whose cgroup it names, with `-` (the kernel writes `_` under the systemd driver).
    pub pod_uid: Option<String>,
    /// Anonymous memory at death, bytes.
    pub anon_rss: Option<u64>,
    /// When, where the line has a wall-clock time.
    pub at: Option<Timestamp>,
    /// Where it stands.
    pub quote: Quote,
}

/// What a kernel line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum KernelKind {
    /// `Memory cgroup out of memory: Killed process N (x)`, or `Kill process N (x) score S or sacrifice child` before 5.x.
    CgroupKill,
    /// `oom-kill:constraint=CONSTRAINT_MEMCG,…,task=x,pid=N`.
    CgroupConstraint,
    /// `Out of memory: Killed process N (x)`: the node ran out.
    NodeKill,
    /// `oom-kill:constraint=CONSTRAINT_NONE,…`.
    NodeConstraint,
    /// `nf_conntrack: table full, dropping packet`.
    ConntrackFull,
    /// `UDP: bad checksum. From …`.
    BadChecksum,
}
