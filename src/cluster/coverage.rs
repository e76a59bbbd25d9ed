//! What the evidence does not cover, or says in two ways: not faults of the cluster, but the reader must know.

use std::fmt::Display;

use super::{Cluster, ConfigMap, Pod};
use crate::problem::Problem;
use crate::source::Seen;

/// How many objects that are shown in two ways are named.
const LIMIT: usize = 50;

/// Everything that limits what the evidence can say.
pub(super) fn limits(cluster: &Cluster) -> Vec<Problem> {
    let mut problems: Vec<Problem> = cluster.logs.iter().filter_map(capped).collect();
    problems.extend(events_begin(cluster));
    problems.extend(no_namespace(cluster));
    problems.extend(disagreements(cluster).take(LIMIT));
    problems
}

fn capped(log: &crate::evidence::facts::Log) -> Option<Problem> {
    log.capped.as_ref().map(|how| Problem::of(&log.path, format!("the log is cut: {how}")))
}

/// Events live one hour: what happened before is not in them, which is no sign that it did not happen.
fn events_begin(cluster: &Cluster) -> Option<Problem> {
    let begin = cluster.events.iter().filter_map(|event| event.first.or_else(|| cluster.event_time(event))).min()?;
    let died = cluster.dns_deaths().into_iter().filter_map(|(_, state)| Some(state.finished.as_ref()?.value)).min()?;
    let message = format!(
        "the events begin at {begin} (the API server keeps them one hour); DNS containers ended before that, from {died} on"
    );
    (died < begin).then(|| Problem::of("", message))
}

/// Pods of other namespaces are there, those of DNS are not.
fn no_namespace(cluster: &Cluster) -> Option<Problem> {
    let namespace = cluster.dns.namespace.as_str();
    let known = cluster.pods.iter().any(|pod| pod.namespace.is_some());
    let collected = cluster.pods.iter().any(|pod| pod.namespace.as_deref().is_none_or(|name| name == namespace));
    let message = format!("pods of other namespaces are in the bundle, none of {namespace}, where DNS runs");
    (known && !collected && cluster.dns.pods.is_empty()).then(|| Problem::of("", message))
}

/// What two sources say differently of the DNS objects.
fn disagreements(cluster: &Cluster) -> impl Iterator<Item = Problem> {
    let pods = cluster.dns_pods().flat_map(of_pod);
    let workload = cluster.dns.workload.and_then(|index| cluster.workloads.get(index));
    let replicas = workload.and_then(|workload| {
        let desired = workload.sights.iter().filter_map(|sight| sight.desired.as_ref());
        differing(&workload.reference(), "the wanted replicas are", desired)
    });
    let maps = cluster.config_maps.iter().filter_map(of_map);
    pods.chain(replicas).chain(maps)
}

fn of_pod(pod: &Pod) -> Vec<Problem> {
    let subject = pod.reference();
    let sights = || pod.sights.iter();
    let name = pod.main().map_or("", |view| view.name());
    let main = || sights().flat_map(|sight| &sight.containers).filter(|container| container.name == name);
    let found = [
        differing(&subject, "the restart count is", sights().filter_map(|sight| sight.restarts.as_ref())),
        differing(&subject, "the node is", sights().filter_map(|sight| sight.node.as_ref())),
        differing(&subject, "the address is", sights().filter_map(|sight| sight.ip.as_ref())),
        differing(&subject, "the image is", main().filter_map(|container| container.image.as_ref())),
        differing(
            &subject,
            "the memory limit in bytes is",
            main().filter_map(|container| container.memory_limit.as_ref()),
        ),
    ];
    found.into_iter().flatten().collect()
}

/// A ConfigMap whose Corefile is shown with different words.
fn of_map(map: &ConfigMap) -> Option<Problem> {
    let words = |body: &str| body.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let mut blocks =
        map.sights.iter().filter_map(|sight| sight.data.iter().find(|(key, _)| key.as_str() == "Corefile"));
    let (_, first) = blocks.next()?;
    let (_, other) = blocks.find(|(_, block)| words(&block.body) != words(&first.body))?;
    let (here, there) = (first.quote(1).source.clone(), other.quote(1).source.clone());
    let message = format!(
        "{}: the Corefile is not the same as in {} (line {}); this one is used",
        map.subject("configmap"),
        there.path,
        there.line
    );
    Some(Problem::at(&here.path, here.line, message))
}

/// The first two values that differ.
fn differing<'a, T: PartialEq + Display + 'a>(
    subject: &str,
    what: &str,
    mut seen: impl Iterator<Item = &'a Seen<T>>,
) -> Option<Problem> {
    let first = seen.next()?;
    let other = seen.find(|other| other.value != first.value)?;
    let (here, there) = (&first.quote.source, &other.quote.source);
    let message = format!(
        "{subject}: {what} {} here and {} in {} (line {}): they disagree, or are of different moments",
        first.value, other.value, there.path, there.line
    );
    Some(Problem::at(&here.path, here.line, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::{Input, MemoryFolder};

    const DESCRIBE: &str = "Name:         coredns-5d4dd4b4db-2xkqz\nNamespace:    kube-system\nNode:         n1/10.0.0.1\nLabels:       k8s-app=kube-dns\nStatus:       Running\nContainers:\n  coredns:\n    Image:          registry.k8s.io/coredns/coredns:v1.11.3\n    State:          Running\n    Restart Count:  4\n";

    fn told(files: &[(&str, &str)]) -> String {
        let folder = files.iter().fold(MemoryFolder::new(), |folder, (path, text)| folder.with(path, *text));
        let input = Input::Folder { name: "b", folder: &folder };
        let reading = crate::read(vec![("b".into(), input)], &crate::Settings::default()).unwrap();
        limits(&Cluster::build(reading.facts)).into_iter().map(|problem| problem.message + "\n").collect()
    }

    #[test]
    fn two_sources_that_disagree_are_shown() {
        let table = "NAMESPACE     NAME                       READY   STATUS    RESTARTS   AGE   IP           NODE\nkube-system   coredns-5d4dd4b4db-2xkqz   1/1     Running   7          1d    10.244.0.2   n2\n";
        let told = told(&[("describe.txt", DESCRIBE), ("pods.txt", table)]);
        assert!(told.contains("the restart count is 4 here and 7 in pods.txt (line 2)"), "{told}");
        assert!(told.contains("the node is n1 here and n2 in pods.txt"), "{told}");
    }

    #[test]
    fn agreement_is_silence() {
        let table = "NAMESPACE     NAME                       READY   STATUS    RESTARTS   AGE   IP           NODE\nkube-system   coredns-5d4dd4b4db-2xkqz   1/1     Running   4          1d    10.244.0.2   n1\n";
        assert_eq!(told(&[("describe.txt", DESCRIBE), ("pods.txt", table)]), "");
    }

    #[test]
    fn a_log_at_its_collectors_limit_is_said() {
        let log = "[INFO] plugin/reload: x\n".repeat(10_000);
        assert!(told(&[("coredns.log", &log)]).contains("exactly 10000 lines"));
    }

    #[test]
    fn a_namespace_that_was_not_collected_is_said() {
        let table = "NAMESPACE   NAME       READY   STATUS    RESTARTS   AGE\nshop        web-1234   1/1     Running   0          1d\n";
        assert!(told(&[("pods.txt", table)]).contains("none of kube-system"));
    }
}
