//! # The ServiceAccount may not read what the kubernetes plugin needs
//!
//! ## What it is
//! CoreDNS lists and watches Services, EndpointSlices (Endpoints to 1.8.0) and Namespaces, and pods where the Corefile asks
//! for it. Without the right it cannot answer names of the cluster: SERVFAIL before the first sync.
//!
//! ## How it is recognised
//! By `… is forbidden: User …` in the log, in the shape of the version; by `code="403"` among its API requests (1.11.0 on);
//! or computed from the roles and bindings in the bundle for that account and version.
//!
//! ## What it is not
//! `Unauthorized` and `x509` are `apiserver-tls`, refused and time-out are `apiserver-unreachable`. CoreDNS 1.12.4 to 1.13.1
//! does not print the reason. Where readiness asks /health, Ready says nothing about it.
//!
//! ## Fix
//! Let the ClusterRole list and watch `services`, `namespaces`, `endpoints`, `pods` and, from 1.8.1 on, `endpointslices` of
//! `discovery.k8s.io`; bind it to the account.
//!
//! ## Prevent
//! Roll role and image together; alert on any `code="403"`.

use super::{Assessment, Class, Failure, Need, api, missing};
use crate::cluster::Cluster;
use crate::knowledge::messages::Signal;
use crate::knowledge::version::Version;
use crate::report::{Confidence, Hop, Severity};

/// The failure.
pub const FAILURE: Failure = Failure {
    id: "rbac-forbidden",
    title: "The ServiceAccount may not read what the kubernetes plugin needs",
    hop: Some(Hop::Api),
    severity: Severity::Critical,
    class: Class::Cause,
    causes: &api::EFFECTS,
    examine,
    source: include_str!("rbac_forbidden.rs"),
};

const ROLE: &str = "kubectl apply -f - <<'EOF'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: system:coredns
rules:
- apiGroups: [\"\"]
  resources: [endpoints, services, pods, namespaces]
  verbs: [list, watch]
- apiGroups: [discovery.k8s.io]
  resources: [endpointslices]
  verbs: [list, watch]
EOF";

fn examine(cluster: &Cluster) -> Assessment {
    if let Some((_, tally)) = cluster.signals(Signal::ApiForbidden).next() {
        let mut resources: Vec<&str> = tally.samples.iter().map(|sample| sample.field("resource")).collect();
        resources.sort_unstable();
        resources.dedup();
        let user = tally.samples.first().map_or("", |sample| sample.field("user"));
        let past = api::recovered(cluster, Signal::ApiForbidden);
        let summary = format!("The Kubernetes API forbids {user} to list or watch {}.", resources.join(", "));
        let mut found = Assessment::found(Confidence::Confirmed, summary, &tally.first, "the API server's own answer")
            .past(past)
            .since(cluster.first_at(Signal::ApiForbidden));
        for sample in &tally.samples {
            found = found.proof(&sample.quote, "the API server's own answer");
        }
        return with_fixes(api::with_context(found, cluster), cluster);
    }
    if let Some(quote) = api::request_code(cluster, "403") {
        let found = Assessment::found(
            Confidence::Confirmed,
            "The Kubernetes API answers CoreDNS with 403 Forbidden.",
            quote,
            "requests of CoreDNS that were forbidden",
        );
        return with_fixes(api::with_context(found, cluster), cluster);
    }
    match lacking(cluster) {
        Some((quote, resource)) => {
            let summary = format!("No role of CoreDNS's account in the bundle lets it list {resource}.");
            let found = match cluster.says(Signal::ApiUnsynced).or_else(|| cluster.says(Signal::NotReady)) {
                Some(unsynced) => Assessment::found(Confidence::Likely, summary, &quote, "the role")
                    .proof(unsynced, "CoreDNS waits for the API"),
                None => Assessment::predicted(summary, &quote, "the role"),
            };
            with_fixes(found, cluster)
        }
        None => not_found(cluster),
    }
}

/// A resource that this version needs and that the role bound to CoreDNS does not give.
fn lacking(cluster: &Cluster) -> Option<(crate::source::Quote, &'static str)> {
    let role = cluster
        .roles
        .iter()
        .find(|role| role.namespace.is_none() && (role.name == "system:coredns" || role.name.ends_with("coredns")))?;
    let rules = &role.sights.first()?.rules;
    if rules.is_empty() {
        return None;
    }
    let slices = Version::parse(&cluster.dns.version.as_ref()?.value)? >= Version::new(1, 8, 1);
    let needed: [(&str, &str, bool); 3] =
        [("", "services", true), ("", "namespaces", true), ("discovery.k8s.io", "endpointslices", slices)];
    let given = |group: &str, resource: &str| {
        let holds = |list: &[String], word: &str| list.iter().any(|item| item == word || item == "*");
        rules.iter().any(|rule| {
            holds(&rule.groups, group)
                && holds(&rule.resources, resource)
                && holds(&rule.verbs, "list")
                && holds(&rule.verbs, "watch")
        })
    };
    let (_, resource, _) = needed.into_iter().find(|(group, resource, needed)| *needed && !given(group, resource))?;
    Some((role.sights.first()?.at.clone(), resource))
}

fn not_found(cluster: &Cluster) -> Assessment {
    if cluster.says(Signal::ApiFailedSilently).is_some() {
        return Assessment::not_checked(
            "CoreDNS could not watch the API, and this version does not print why.",
            missing(cluster, &[Need::Metrics, Need::Roles]),
        );
    }
    api::synced(cluster).unwrap_or_else(|| {
        Assessment::not_checked(
            "Neither a log of CoreDNS after its start nor its roles are in the bundle.",
            missing(cluster, &[Need::Logs, Need::Roles]),
        )
    })
}

fn with_fixes(found: Assessment, cluster: &Cluster) -> Assessment {
    let ns = &cluster.dns.namespace;
    let account = cluster.dns_pods().find_map(|pod| pod.best(|sight| sight.service_account.as_ref()));
    let account = account.map_or("coredns", |seen| seen.value.as_str());
    found
        .command("Give the role list and watch on what this version needs", ROLE, "replaces the rules of that ClusterRole")
        .command(
            "Bind it to the account and check",
            format!(
                "kubectl create clusterrolebinding system:coredns --clusterrole=system:coredns --serviceaccount={ns}:{account}\nkubectl auth can-i list endpointslices.discovery.k8s.io --as=system:serviceaccount:{ns}:{account} -A"
            ),
            "",
        )
}
