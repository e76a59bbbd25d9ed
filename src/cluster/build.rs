//! Facts sorted into the model.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::merge::merge;
use super::{Cluster, clock, coverage, dns};
use crate::evidence::facts::{self as f, Fact};
use crate::source::{Quote, Seen};

/// Facts by kind, not joined yet. They stay in their boxes, so that sorting a hundred thousand pods moves pointers.
#[allow(clippy::vec_box)]
#[derive(Default)]
struct Heap {
    pods: Vec<Box<f::Pod>>,
    nodes: Vec<Box<f::Node>>,
    services: Vec<Box<f::Service>>,
    endpoints: Vec<Box<f::Endpoints>>,
    workloads: Vec<Box<f::Workload>>,
    config_maps: Vec<Box<f::ConfigMap>>,
    budgets: Vec<Box<f::DisruptionBudget>>,
    roles: Vec<Box<f::AccessRole>>,
    bindings: Vec<Box<f::RoleBinding>>,
    collected: Vec<Seen<jiff::Timestamp>>,
    versions: Vec<Seen<String>>,
}

impl Cluster {
    /// Joins all facts of a bundle. The order in which they come does not matter.
    pub fn build(facts: Vec<Fact>) -> Cluster {
        let mut heap = Heap::default();
        let mut cluster = Cluster::default();
        for fact in facts {
            sort(fact, &mut heap, &mut cluster);
        }
        cluster.pods = merge(heap.pods);
        cluster.pods_by_name = (0..cluster.pods.len()).collect();
        cluster.pods_by_name.sort_by_key(|index| &cluster.pods[*index].name);
        cluster.nodes = merge(heap.nodes);
        heap.services.extend(services_behind(&heap.services, &heap.endpoints));
        cluster.services = merge(heap.services);
        cluster.endpoints = merge(heap.endpoints);
        cluster.workloads = merge(heap.workloads);
        cluster.config_maps = merge(heap.config_maps);
        cluster.budgets = merge(heap.budgets);
        cluster.roles = merge(heap.roles);
        cluster.bindings = merge(heap.bindings);
        order(&mut cluster);
        heap.versions.sort_by(|a, b| a.quote.cmp(&b.quote));
        cluster.kubernetes_version = heap.versions.into_iter().next().or_else(|| kubelet_version(&cluster));
        clock::set(&mut cluster, heap.collected);
        cluster.dns = dns::find(&cluster);
        dns::choose_events(&mut cluster);
        let limits = coverage::limits(&cluster);
        cluster.problems.extend(limits);
        cluster
    }
}

fn sort(fact: Fact, heap: &mut Heap, cluster: &mut Cluster) {
    match fact {
        Fact::Pod(pod) => heap.pods.push(pod),
        Fact::Node(node) => heap.nodes.push(node),
        Fact::Service(service) => heap.services.push(service),
        Fact::Endpoints(endpoints) => heap.endpoints.push(endpoints),
        Fact::Workload(workload) => heap.workloads.push(workload),
        Fact::ConfigMap(map) => heap.config_maps.push(map),
        Fact::Budget(budget) => heap.budgets.push(budget),
        Fact::Role(role) => heap.roles.push(role),
        Fact::Binding(binding) => heap.bindings.push(binding),
        Fact::Collected(moment) => heap.collected.push(moment),
        Fact::KubernetesVersion(version) => heap.versions.push(version),
        Fact::Corefile(corefile) => cluster.corefiles.push(*corefile),
        Fact::Event(event) => cluster.events.push(*event),
        Fact::Log(log) => cluster.logs.push(*log),
        Fact::Metrics(metrics) => cluster.metrics.push(*metrics),
        Fact::ResolvConf(conf) => cluster.resolv_confs.push(*conf),
        Fact::Kubelet(kubelet) => cluster.kubelets.push(*kubelet),
        Fact::Kernel(line) => cluster.kernel.push(*line),
        Fact::Lookup(lookup) => cluster.lookups.push(*lookup),
        Fact::Usage(usage) => cluster.usages.push(*usage),
        Fact::Count(count) => cluster.counts.push(*count),
        Fact::Gap(gap) => cluster.gaps.push(*gap),
        Fact::NodeLine(line) => cluster.node_lines.push(*line),
    }
}

/// Endpoints imply their Service: where nobody collected it, its name is known all the same.
#[allow(clippy::vec_box)]
fn services_behind(services: &[Box<f::Service>], endpoints: &[Box<f::Endpoints>]) -> Vec<Box<f::Service>> {
    let mut known: BTreeSet<&str> = services.iter().map(|service| service.id.name.as_str()).collect();
    let mut implied = Vec::new();
    for sight in endpoints.iter().filter(|sight| known.insert(&sight.service)) {
        let id = f::Id { namespace: sight.id.namespace.clone(), name: sight.service.clone() };
        implied.push(Box::new(f::Service::new(id, f::Rank::Table, sight.at.clone())));
    }
    implied
}

/// Puts every list into an order that does not depend on the order of the files, and drops duplicates.
fn order(cluster: &mut Cluster) {
    cluster.corefiles.sort_by(|a, b| (&a.path, a.first_line()).cmp(&(&b.path, b.first_line())));
    cluster.metrics.sort_by(|a, b| a.path.cmp(&b.path));
    cluster.resolv_confs.sort_by(|a, b| a.path.cmp(&b.path));
    cluster.kubelets.sort_by(|a, b| a.path.cmp(&b.path));
    by_quote(&mut cluster.kernel, |line| &line.quote);
    by_quote(&mut cluster.lookups, |lookup| &lookup.quote);
    by_quote(&mut cluster.usages, |usage| &usage.quote);
    by_quote(&mut cluster.counts, |count| &count.quote);
    by_quote(&mut cluster.gaps, |gap| &gap.quote);
    by_quote(&mut cluster.node_lines, |line| &line.quote);
    cluster.kernel = once(std::mem::take(&mut cluster.kernel), |line| line.quote.text.clone());
    cluster.logs.sort_by(|a, b| (&a.path, a.first_line).cmp(&(&b.path, b.first_line)));
    cluster.logs = distinct_logs(std::mem::take(&mut cluster.logs));
    mark_previous(&mut cluster.logs);
    cluster.events.sort_by(|a, b| {
        (a.last, b.last_ago, &a.quote.source).cmp(&(b.last, a.last_ago, &b.quote.source)).then(b.rank.cmp(&a.rank))
    });
    cluster.events = once(std::mem::take(&mut cluster.events), |event| {
        let said = (event.reason.clone(), event.object.clone(), event.message.clone());
        (event.last, event.last_ago, event.count, said)
    });
}

fn by_quote<T>(list: &mut [T], quote: impl Fn(&T) -> &Quote) {
    list.sort_by(|a, b| quote(a).source.cmp(&quote(b).source));
}

/// Keeps the first of those that have the same key; its hash, for there may be a hundred thousand.
fn once<T, K: Hash>(list: Vec<T>, key: impl Fn(&T) -> K) -> Vec<T> {
    let mut seen = BTreeSet::new();
    let hash = |item: &T| {
        let mut hasher = DefaultHasher::new();
        key(item).hash(&mut hasher);
        hasher.finish()
    };
    list.into_iter().filter(|item| seen.insert(hash(item))).collect()
}

/// The same log collected twice is one log: the copy that tells its pod stays.
fn distinct_logs(logs: Vec<f::Log>) -> Vec<f::Log> {
    let mut kept: Vec<f::Log> = Vec::new();
    for log in logs {
        let same = |other: &&mut f::Log| {
            other.digest == log.digest && other.owner.previous == log.owner.previous && !other.owner.differs(&log.owner)
        };
        match kept.iter_mut().find(same) {
            Some(other) if other.owner.pod.is_none() && log.owner.pod.is_some() => *other = log,
            Some(_) => {}
            None => kept.push(log),
        }
    }
    kept
}

/// Of the numbered runs of one container all but the highest are over.
fn mark_previous(logs: &mut [f::Log]) {
    let container = |owner: &f::LogOwner| (owner.namespace.clone(), owner.pod.clone(), owner.container.clone());
    let mut newest = BTreeMap::new();
    for owner in logs.iter().map(|log| &log.owner) {
        if let Some(run) = owner.run {
            let highest = newest.entry(container(owner)).or_insert(run);
            *highest = run.max(*highest);
        }
    }
    for owner in logs.iter_mut().map(|log| &mut log.owner) {
        let highest = newest.get(&container(owner));
        owner.previous |= owner.run.zip(highest).is_some_and(|(run, highest)| run < *highest);
    }
}

impl f::LogOwner {
    /// Both are known and not the same pod.
    fn differs(&self, other: &f::LogOwner) -> bool {
        matches!((&self.pod, &other.pod), (Some(a), Some(b)) if a != b)
    }
}

fn kubelet_version(cluster: &Cluster) -> Option<Seen<String>> {
    cluster.nodes.iter().find_map(|node| node.best(|sight| sight.kubelet.as_ref())).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::log::Scanner;

    fn log(run: u32, words: &str) -> Fact {
        let owner = f::LogOwner { pod: Some("a".into()), run: Some(run), ..f::LogOwner::default() };
        let mut scanner = Scanner::new(format!("pods/a/coredns/{run}.log").into(), 1, owner);
        scanner.line(1, words.as_bytes());
        Fact::Log(Box::new(scanner.finish()))
    }

    #[test]
    fn the_highest_run_is_the_present_one() {
        let cluster = Cluster::build(vec![log(10, "CoreDNS-1.11.3"), log(9, "CoreDNS-1.11.1")]);
        let previous: Vec<_> = cluster.logs.iter().map(|log| (log.owner.run, log.owner.previous)).collect();
        assert_eq!(previous, [(Some(10), false), (Some(9), true)]);
    }
}
