//! Which program wrote a log.

use std::collections::BTreeMap;

use crate::evidence::facts::{LogOwner, Program, Queries, Tally};
use crate::knowledge::messages::Signal;

/// Which program wrote it: its own words first, then the names around it.
pub(super) fn program(owner: &LogOwner, path: &str, tallies: &BTreeMap<Signal, Tally>, queries: &Queries) -> Program {
    let named = |word: &str| {
        [owner.pod.as_deref(), owner.container.as_deref(), Some(path.rsplit('/').next().unwrap_or(path))]
            .into_iter()
            .flatten()
            .any(|name| name.contains(word))
    };
    if tallies.contains_key(&Signal::NodeCacheStart) || named("node-cache") || named("node-local-dns") {
        return Program::NodeCache;
    }
    if named("kube-proxy") {
        return Program::KubeProxy;
    }
    if named("kubelet") || named("k3s") || named("rke2-server") {
        return Program::Kubelet;
    }
    let own_words = [
        Signal::Banner,
        Signal::Loop,
        Signal::ReloadFailed,
        Signal::ConfigHash,
        Signal::ApiUnsynced,
        Signal::ApiWaiting,
        Signal::NotReady,
        Signal::StartFailed,
        Signal::UpstreamError,
        Signal::UpstreamProbeError,
        Signal::MaxConcurrent,
        Signal::HealthSlow,
        Signal::Lameduck,
        Signal::GlobEmpty,
        Signal::CorefileMissing,
        Signal::ApiFailedSilently,
        Signal::PanicRecovered,
    ];
    let says = own_words.iter().any(|signal| tallies.contains_key(signal));
    let wants_53 = [Signal::PortInUse, Signal::PortDenied]
        .iter()
        .filter_map(|signal| tallies.get(signal))
        .any(|tally| tally.samples.iter().any(|sample| sample.field("port") == "53"));
    if says || wants_53 || queries.total > 0 || (named("coredns") && !named("autoscaler")) || named("dns-default") {
        Program::CoreDns
    } else {
        Program::Other
    }
}
