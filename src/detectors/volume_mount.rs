//! # A volume, a ConfigMap or a key of it is missing
//!
//! ## What it is
//! The pod asks for a ConfigMap, a Secret or a key that does not exist. The container is never created and the pod stays at
//! `ContainerCreating`; or it starts and finds no Corefile.
//!
//! ## How it is recognised
//! By `FailedMount` with `configmap "…" not found` or `references non-existent config key`, by
//! `CreateContainerConfigError`, or by CoreDNS's `open …: no such file or directory` for its Corefile.
//!
//! ## What it is not
//! One `failed to sync configmap cache: timed out waiting for the condition` belongs to a healthy start.
//! `FailedCreatePodSandBox` is `sandbox-cni`.
//!
//! ## Fix
//! Create the ConfigMap or the key that the event names. k3s writes `NodeHosts` itself when its service starts. Do not make
//! the volume optional: an empty Corefile starts a server that answers nothing useful.
//!
//! ## Prevent
//! Ship ConfigMap and workload together, and check before that each key that is asked for exists.

use super::starting::{Held, between, clause, created, held, otherwise, since, standing, with_proofs};
use super::{Assessment, Class, Failure, Need, causes, causes_when};
use crate::cluster::{Cluster, Pod};
use crate::evidence::facts::{ConfigVolume, Event, Rank};
use crate::knowledge::messages::Signal;
use crate::report::{Confidence, Hop, Severity};
use crate::source::Quote;

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "volume-mount",
    title: "A volume, a ConfigMap or a key of it is missing",
    hop: Some(Hop::Server),
    severity: Severity::Critical,
    class: Class::Cause,
    causes: &[
        causes("service-no-endpoints"),
        causes_when("crash-loop", |cluster| cluster.says(Signal::CorefileMissing).is_some()),
    ],
    examine,
    source: include_str!("volume_mount.rs"),
};

/// Texts of a healthy start: the kubelet's caches were not filled yet.
const NOISE: [&str; 2] = ["timed out waiting for the condition", "not registered"];
/// From so many repetitions on a cache that does not fill is no start any more.
const MANY: u32 = 6;

/// What is missing.
struct Lack {
    kind: &'static str,
    name: String,
    key: Option<String>,
}

fn examine(cluster: &Cluster) -> Assessment {
    let held: Vec<Held> = held(cluster, &["CreateContainerConfigError", "RunContainerError", "StartError"])
        .into_iter()
        .filter(|item| lack(cluster, item.message).is_some() || item.message.contains("mounting"))
        .collect();
    let about = |event: &Event| {
        let mount = event.reason == "FailedMount" || event.reason == "FailedAttachVolume";
        let noise = NOISE.iter().any(|noise| event.message.contains(noise)) && event.count < MANY;
        (mount && !noise) || (event.reason == "Failed" && lack(cluster, &event.message).is_some())
    };
    let mut events = standing(cluster, about, created, &["Started", "Created"]);
    events.sort_by_key(|event| lack(cluster, &event.message).is_none());
    let missing_file = cluster
        .signals(Signal::CorefileMissing)
        .find(|(log, tally)| !log.started_after(tally.last.source.line))
        .map(|(_, tally)| &tally.last);
    let first = events.first().map(|event| (&event.quote, event.message.as_str()));
    let first = first.or_else(|| held.first().and_then(|item| Some((*item.quotes.first()?, item.message))));
    match (first, missing_file) {
        (Some((quote, text)), _) => by_kubelet(cluster, quote, text, &held, &events),
        (None, Some(line)) => by_server(cluster, line),
        (None, None) => by_comparison(cluster).unwrap_or_else(|| {
            let passed = "their containers were created, so their volumes were mounted";
            otherwise(cluster, created, passed, "a failed mount", &[Need::Describe, Need::Events, Need::Corefile])
        }),
    }
}

/// What a text of the kubelet says is missing.
fn lack(cluster: &Cluster, text: &str) -> Option<Lack> {
    let of = |kind, name: &str, key: Option<&str>| {
        Some(Lack { kind, name: name.to_owned(), key: key.map(|key| key.trim_end_matches(['.', ',']).to_owned()) })
    };
    if let Some((_, key)) = text.split_once("references non-existent config key: ") {
        return of("configmap", &mounted_map(cluster), key.split_ascii_whitespace().next());
    }
    if let Some((_, key)) = text.split_once("references non-existent secret key: ") {
        return of("secret", "<secret>", key.split_ascii_whitespace().next());
    }
    if let Some((_, rest)) = text.split_once("couldn't find key ") {
        let kind = if rest.contains("in Secret ") { "secret" } else { "configmap" };
        let name = rest.rsplit('/').next().unwrap_or(rest);
        return of(kind, name, rest.split_ascii_whitespace().next());
    }
    for kind in ["configmap", "secret"] {
        let name = between(text, &format!("{kind} \""), "\"").or_else(|| between(text, &format!("{kind}s \""), "\""));
        if let (Some(name), true) = (name, text.contains("not found")) {
            return of(kind, name.rsplit('/').next().unwrap_or(name), None);
        }
    }
    None
}

/// The ConfigMap that the DNS pods mount, by name.
fn mounted_map(cluster: &Cluster) -> String {
    let volumes = cluster.dns_pods().flat_map(|pod| &pod.sights).flat_map(|sight| &sight.config_volumes);
    let mounted = volumes.map(|volume| volume.value.name.clone()).find(|name| name.contains("dns"));
    let known = || Some(cluster.dns.corefile.as_ref()?.config_map.as_ref()?.rsplit('/').next()?.to_owned());
    mounted.or_else(known).unwrap_or_else(|| "coredns".to_owned())
}

fn by_kubelet(cluster: &Cluster, quote: &Quote, text: &str, held: &[Held], events: &[&Event]) -> Assessment {
    let lack = lack(cluster, text);
    let namespace = &cluster.dns.namespace;
    let summary = match &lack {
        Some(Lack { kind, name, key: Some(key) }) => {
            format!("The DNS pods wait for the key {key} of the {kind} {namespace}/{name}, which does not exist.")
        }
        Some(Lack { kind, name, key: None }) => {
            format!("The DNS pods wait for the {kind} {namespace}/{name}, which does not exist.")
        }
        None => format!("The kubelet cannot mount a volume of the DNS pods: {}.", clause(text)),
    };
    // A cache that does not fill is the kubelet's trouble with the API server: an indirect sign.
    let unsure = lack.is_none() && NOISE.iter().any(|noise| text.contains(noise));
    let confidence = if unsure { Confidence::Possible } else { Confidence::Confirmed };
    let found = Assessment::found(confidence, summary, quote, "the kubelet's own words").since(since(cluster, events));
    let found = with_proofs(found, cluster, held, events);
    with_fixes(with_maps(found, cluster), cluster, lack.as_ref())
}

fn by_server(cluster: &Cluster, line: &Quote) -> Assessment {
    let summary = format!("CoreDNS finds no Corefile where it looks for it: {}.", clause(&line.text));
    let mut found = Assessment::found(Confidence::Confirmed, summary, line, "CoreDNS's own last line")
        .since(cluster.first_at(Signal::CorefileMissing));
    for pod in cluster.dns_pods().filter(|pod| !pod.gone()) {
        found = found.about(pod.reference());
    }
    let lack = Lack { kind: "configmap", name: mounted_map(cluster), key: Some("Corefile".to_owned()) };
    with_fixes(with_maps(found, cluster), cluster, Some(&lack))
}

/// No words of the kubelet: a pod that waits, and a volume whose ConfigMap or key is not among those in the bundle.
fn by_comparison(cluster: &Cluster) -> Option<Assessment> {
    for pod in cluster.dns_pods().filter(|pod| !pod.gone() && !created(pod)) {
        let waits = pod.is("ContainerCreating").or_else(|| pod.main()?.state().map(|state| state.telling()))?;
        for volume in pod.sights.iter().flat_map(|sight| &sight.config_volumes).filter(|v| !v.value.optional) {
            let Some(lack) = absent(cluster, pod, &volume.value) else { continue };
            let what = lack.key.as_ref().map_or(String::new(), |key| format!("the key {key} of "));
            let summary = format!(
                "{} waits to be created and mounts {what}the configmap {}, which is not among those of the bundle.",
                pod.name, lack.name
            );
            let found = Assessment::found(Confidence::Likely, summary, waits, "the pod waits")
                .proof(&volume.quote, "the volume asks for it")
                .about(pod.reference());
            return Some(with_fixes(with_maps(found, cluster), cluster, Some(&lack)));
        }
    }
    None
}

/// What this volume asks for and the collected ConfigMaps of its namespace do not hold.
fn absent(cluster: &Cluster, pod: &Pod, volume: &ConfigVolume) -> Option<Lack> {
    let near = |map: &&crate::cluster::ConfigMap| map.namespace.is_some() && map.namespace == pod.namespace;
    let objects =
        cluster.config_maps.iter().filter(near).filter(|map| map.sights.iter().any(|s| s.rank == Rank::Object));
    let objects: Vec<_> = objects.collect();
    let lack = |key: Option<&String>| Some(Lack { kind: "configmap", name: volume.name.clone(), key: key.cloned() });
    match objects.iter().find(|map| map.name == volume.name) {
        Some(map) => {
            let has = |key: &String| map.sights.iter().any(|sight| sight.data.is_empty() || sight.get(key).is_some());
            volume.keys.iter().find(|key| !has(key)).and_then(|key| lack(Some(key)))
        }
        // Two others show that the whole namespace was listed.
        None if objects.len() >= 2 => lack(None),
        None => None,
    }
}

/// What the pods ask for and what the ConfigMap holds.
fn with_maps(mut found: Assessment, cluster: &Cluster) -> Assessment {
    for volume in cluster.dns_pods().flat_map(|pod| &pod.sights).flat_map(|sight| &sight.config_volumes).take(2) {
        found = found.proof(&volume.quote, "the volume asks for it");
    }
    let name = mounted_map(cluster);
    let maps = cluster.config_maps.iter().filter(|map| map.name == name);
    for map in maps.take(1) {
        found = found.proofs(map.sights.first().map(|sight| &sight.at), "the ConfigMap as it is");
    }
    found
}

fn with_fixes(found: Assessment, cluster: &Cluster, lack: Option<&Lack>) -> Assessment {
    let namespace = &cluster.dns.namespace;
    let check = "the container starts by itself within two minutes; deleting the pod makes it quicker";
    match lack {
        Some(Lack { kind, name, key: Some(key) }) => found
            .command(
                "Add the key that is missing",
                format!("kubectl -n {namespace} get {kind} {name} -o yaml\nkubectl -n {namespace} edit {kind} {name}   # add the key {key}"),
                check,
            )
            .manual(
                &format!("Let its owner write {key}"),
                format!("Where the distribution writes {key} itself, restart that service on the server node (k3s: `systemctl restart k3s` writes `NodeHosts`) or apply its manifest again."),
            ),
        Some(Lack { kind, name, key: None }) => found.command(
            &format!("Create the {kind} {name}"),
            format!("kubectl -n {namespace} get {kind}\nkubectl -n {namespace} apply -f {name}-{kind}.yaml   # from version control; kubeadm: kubeadm init phase addon coredns"),
            check,
        ),
        None => found.command(
            "See which volume it is",
            format!("kubectl -n {namespace} describe pod -l {}", cluster.dns.selector),
            "reads only",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::report::Status;

    fn mount(message: &str) -> Event {
        event("FailedMount", "coredns-a", &format!("MountVolume.SetUp failed for volume \"config-volume\" : {message}"))
    }

    #[test]
    fn the_fix_names_what_is_missing() {
        for (message, wants) in [
            ("configmap \"coredns\" not found", "configmap coredns"),
            ("configmap references non-existent config key: NodeHosts", "key NodeHosts"),
            ("secret \"dns-tls\" not found", "secret dns-tls"),
        ] {
            let answer =
                examine(&cluster(vec![fact(mount(message)), fact(waiting("coredns-a", "ContainerCreating", ""))]));
            assert_eq!(answer.confidence, Some(Confidence::Confirmed), "{message}");
            let fixes: String = answer.fixes.iter().map(|fix| format!("{} {}", fix.title, fix.body)).collect();
            assert!(fixes.contains(wants), "{fixes} lacks {wants}");
        }
    }

    #[test]
    fn a_slow_cache_is_noise() {
        let noise = mount("failed to sync configmap cache: timed out waiting for the condition");
        assert_eq!(examine(&cluster(vec![fact(noise.clone())])).status, Status::RuledOut);
        let often = Event { count: 30, ..noise };
        assert_eq!(examine(&cluster(vec![fact(often)])).status, Status::Suspected);
    }

    #[test]
    fn the_server_says_it_itself() {
        let line = "loading Caddyfile via flag: open /etc/coredns/Corefile: no such file or directory";
        let answer = examine(&cluster(vec![fact(log(false, line))]));
        assert_eq!(answer.status, Status::Found);
        let healed = format!("{line}\n.:53\nCoreDNS-1.11.1\n");
        assert_eq!(examine(&cluster(vec![fact(log(false, &healed))])).status, Status::RuledOut);
    }

    #[test]
    fn an_environment_key_counts() {
        let text = "couldn't find key ZONE in ConfigMap kube-system/coredns-env";
        let answer = examine(&cluster(vec![fact(waiting("coredns-a", "CreateContainerConfigError", text))]));
        assert!(answer.summary.contains("key ZONE of the configmap kube-system/coredns-env"), "{}", answer.summary);
    }

    #[test]
    fn a_user_that_is_refused_is_no_volume() {
        let text =
            "container has runAsNonRoot and image has non-numeric user (nonroot), cannot verify user is non-root";
        let answer = examine(&cluster(vec![fact(waiting("coredns-a", "CreateContainerConfigError", text))]));
        assert!(!answer.holds());
    }
}
