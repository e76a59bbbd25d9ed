//! # The image cannot be pulled
//!
//! ## What it is
//! The node cannot get the image of the DNS pod: the registry does not have it, refuses it or is not reached. A roll-out
//! stops there; pods that already run go on.
//!
//! ## How it is recognised
//! By the waiting reason `ErrImagePull`, `ImagePullBackOff` or `InvalidImageName` and by the kubelet's `Failed to pull
//! image`. The text behind it tells which kind it is: not found, unauthorized, too many requests, x509, a name that does
//! not resolve, or no image for this platform.
//!
//! ## What it is not
//! `CreateContainerConfigError` is a missing ConfigMap or Secret (`volume-mount`). `exec format error` comes after a good
//! pull (`exec-failed`). A pod whose container ran with this image has pulled it.
//!
//! ## Fix
//! Set an image that exists. Since Kubernetes 1.21 the path has one level more: `coredns/coredns:vX`, before it was
//! `coredns:X`; mirrors often lack the new one. Else mend the pull secret or load the image on the node. Keep the pods that
//! still run.
//!
//! ## Prevent
//! Pull the image on every kind of node before a roll-out; mirror both paths; let the node's resolver not depend on the
//! cluster's DNS.

use super::starting::{FEW, between, clause, created, held, otherwise, row, since, standing, with_proofs};
use super::{Assessment, Class, Failure, Need, causes};
use crate::cluster::Cluster;
use crate::evidence::facts::NodeLineKind;
use crate::report::{Confidence, Hop, Severity};

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "image-pull",
    title: "The image cannot be pulled",
    hop: Some(Hop::Server),
    severity: Severity::Critical,
    class: Class::Cause,
    causes: &[causes("service-no-endpoints")],
    examine,
    source: include_str!("image_pull.rs"),
};

const REASONS: [&str; 6] = [
    "ErrImagePull",
    "ImagePullBackOff",
    "InvalidImageName",
    "ErrImageNeverPull",
    "RegistryUnavailable",
    "ImageInspectError",
];

/// What the text tells, and what to do first; the special before the general.
const KINDS: [(&str, Kind); 13] = [
    ("no match for platform", Kind::Platform),
    ("no matching manifest", Kind::Platform),
    ("toomanyrequests", Kind::Limit),
    ("too many requests", Kind::Limit),
    ("x509", Kind::Certificate),
    ("unauthorized", Kind::Refused),
    ("authorization failed", Kind::Refused),
    ("denied", Kind::Refused),
    ("dial tcp: lookup", Kind::Name),
    ("not found", Kind::Absent),
    ("manifest unknown", Kind::Absent),
    ("invalid reference format", Kind::Spelling),
    ("dial tcp", Kind::Unreached),
];

#[derive(Clone, Copy)]
enum Kind {
    Platform,
    Limit,
    Certificate,
    Refused,
    Name,
    Absent,
    Spelling,
    Unreached,
    Unknown,
}

impl Kind {
    /// Why, and what to do, in words.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Kind::Platform => (
                "the registry has no image for this node's platform",
                "Use a tag that has the node's architecture, or build it for it.",
            ),
            Kind::Limit => (
                "the registry refuses further pulls for now (toomanyrequests)",
                "Pull with credentials or from a mirror, or wait until the registry's limit is over.",
            ),
            Kind::Certificate => (
                "the node does not trust the registry's certificate (x509)",
                "Give the container runtime on each node the registry's CA, or mend the certificate.",
            ),
            Kind::Refused => (
                "the registry refuses access (unauthorized)",
                "Check the path first, private registries answer the same for a wrong one; then the pull secret of the DNS \
                 ServiceAccount.",
            ),
            Kind::Name => (
                "the node cannot resolve the registry's name",
                "The node must not need the cluster's DNS for this: give it a resolver outside the cluster, or load the \
                 image on the node (`ctr -n k8s.io images import`).",
            ),
            Kind::Absent => (
                "the registry has no such image (not found)",
                "Compare path and tag with what the registry holds: since Kubernetes 1.21 kubeadm asks for \
                 `coredns/coredns:vX`, before for `coredns:X`. Copy the image to the path that is asked for, or set the path \
                 that exists.",
            ),
            Kind::Spelling => ("the image's name is not valid", "Correct the spelling of the image in the workload."),
            Kind::Unreached => (
                "the node does not reach the registry",
                "Open the way from the nodes to the registry (proxy, firewall), or load the image on the node.",
            ),
            Kind::Unknown => ("the kubelet could not pull it", "Read the kubelet's text about the pull."),
        }
    }
}

fn examine(cluster: &Cluster) -> Assessment {
    let held = held(cluster, &REASONS);
    let about_image = |event: &crate::evidence::facts::Event| {
        let text = event.message.as_str();
        match event.reason.as_str() {
            "Failed" => text.contains("pull image") || REASONS.iter().any(|reason| text.contains(reason)),
            "BackOff" => text.contains("pulling image"),
            "InspectFailed" | "ErrImageNeverPull" => true,
            _ => false,
        }
    };
    let mut events = standing(cluster, about_image, created, &["Pulled", "Started"]);
    events.sort_by_key(|event| row(&KINDS, &event.message).is_none());
    let first = events.first().map(|event| &event.quote).or(held.first().and_then(|item| item.quotes.first().copied()));
    let Some(first) = first else {
        let passed = "their containers were created, so the image was pulled";
        return otherwise(cluster, created, passed, "a failed pull", &[Need::Describe, Need::Events]);
    };
    let texts = events.iter().map(|event| event.message.as_str()).chain(held.iter().map(|item| item.message));
    let texts: Vec<&str> = texts.collect();
    let telling = texts.iter().find_map(|text| row(&KINDS, text).copied());
    let invalid = held.iter().any(|item| item.quotes.iter().any(|quote| quote.text.contains("InvalidImageName")));
    let kind = telling.unwrap_or(if invalid { Kind::Spelling } else { Kind::Unknown });
    let image =
        texts.iter().find_map(|text| between(text, "image \"", "\"").or_else(|| between(text, "image \\\"", "\\")));
    let image =
        image.map(str::to_owned).or_else(|| held.iter().find_map(|item| Some(item.pod.main()?.image()?.value.clone())));
    let (why, advice) = kind.words();
    let pods: std::collections::BTreeSet<&str> = held
        .iter()
        .map(|item| item.pod.name.as_str())
        .chain(events.iter().map(|event| event.object.as_str()))
        .collect();
    let name = image.as_ref().map_or_else(|| "its image".to_owned(), |image| format!("the image {}", clause(image)));
    let pods: Vec<&str> = pods.into_iter().take(FEW).collect();
    let summary = format!("{} cannot start because {name} is not on the node and {why}.", pods.join(", "));
    let mut found = Assessment::found(Confidence::Confirmed, summary, first, "the kubelet's own words")
        .since(since(cluster, &events));
    found = with_proofs(found, cluster, &held, &events);
    let registry = cluster.node_lines.iter().filter(|line| line.kind == NodeLineKind::Registry).take(FEW);
    found = found.proofs(registry.map(|line| &line.quote), "what the registry has");
    for item in held.iter().take(FEW) {
        found =
            found.proofs(item.pod.main().and_then(|view| view.image()).map(|seen| &seen.quote), "the image asked for");
    }
    let namespace = &cluster.dns.namespace;
    let body = format!(
        "kubectl -n {namespace} set image {} {}={}\nkubectl -n {namespace} rollout status {}",
        cluster.dns.workload_reference,
        cluster.dns.container,
        suggestion(image.as_deref()),
        cluster.dns.workload_reference
    );
    found.manual("Mend what the registry says", advice).command(
        "Set an image that exists",
        body,
        "keep the old pods until the new ones are ready",
    )
}

/// The other path of the same image: kubeadm's changed with Kubernetes 1.21.
fn suggestion(image: Option<&str>) -> String {
    let other = image.and_then(|image| {
        let (registry, last) = image.rsplit_once('/')?;
        let (name, tag) = last.split_once(':')?;
        let nested = registry.ends_with("/coredns");
        (name == "coredns" && !nested).then(|| format!("{registry}/coredns/coredns:v{}", tag.trim_start_matches('v')))
    });
    other.unwrap_or_else(|| "<registry>/coredns/coredns:v<version>   # a path and tag that the registry has".to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::report::Status;

    const PULL: &str = "Failed to pull image \"r.example/coredns:v1.9.3\": rpc error: code = NotFound desc = r.example/coredns:v1.9.3: not found";

    #[test]
    fn each_text_names_its_kind() {
        for (text, words) in [
            ("rpc error: manifest for x not found: manifest unknown", "not found"),
            ("pull access denied, repository does not exist or may require authorization", "unauthorized"),
            ("toomanyrequests: You have reached your pull rate limit", "toomanyrequests"),
            ("tls: failed to verify certificate: x509: certificate signed by unknown authority", "x509"),
            ("dial tcp: lookup r.example on 10.0.0.2:53: no such host", "resolve"),
            ("no match for platform in manifest", "platform"),
        ] {
            let message = format!("Failed to pull image \"r.example/a/coredns:v1\": {text}");
            let answer = examine(&cluster(vec![fact(event("Failed", "coredns-a", &message))]));
            assert_eq!(answer.status, Status::Found, "{text}");
            assert!(answer.summary.contains(words), "{} lacks {words}", answer.summary);
            assert!(answer.summary.contains("r.example/a/coredns:v1"));
        }
    }

    #[test]
    fn the_state_alone_is_enough() {
        let answer =
            examine(&cluster(vec![fact(waiting("coredns-a", "ImagePullBackOff", "Back-off pulling image \"x\""))]));
        assert_eq!(answer.confidence, Some(Confidence::Confirmed));
        let answer = examine(&cluster(vec![fact(pod_row("coredns-a", false, "ErrImagePull", 0, None))]));
        assert_eq!(answer.status, Status::Found);
    }

    #[test]
    fn the_fix_has_the_new_path() {
        let answer = examine(&cluster(vec![fact(event("Failed", "coredns-a", PULL))]));
        assert!(answer.fixes[1].body.contains("set image deploy/coredns coredns=r.example/coredns/coredns:v1.9.3"));
    }

    #[test]
    fn not_of_other_pods_and_not_of_old_events() {
        let other = examine(&cluster(vec![fact(event("Failed", "web-1", PULL)), fact(ready(pod("coredns-a")))]));
        assert_eq!(other.status, Status::RuledOut);
        let old = examine(&cluster(vec![fact(event("Failed", "coredns-a", PULL)), fact(ready(pod("coredns-a")))]));
        assert_eq!(old.status, Status::RuledOut);
        let none = examine(&cluster(Vec::new()));
        assert_eq!(none.status, Status::NotChecked);
        assert!(!none.missing.is_empty());
    }
}
