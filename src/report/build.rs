//! The model and the verdict put into one [`Report`].

use super::{
    Bundle, Cluster as ClusterFacts, Evidence, Finding, Options, Replicas, Report, Role, SCHEMA, Sizing, Threshold,
    Tool,
};
use crate::cluster::Cluster;
use crate::detectors::Proof;
use crate::knowledge::sizing as bars;
use crate::source::Quote;
use crate::verdict::{self, Answer, Decision};

impl Evidence {
    /// A quote as the report shows it.
    pub fn of(quote: &Quote, supports: bool, note: &str) -> Evidence {
        Evidence {
            path: quote.source.path.to_string(),
            line: quote.source.line,
            column: quote.source.column,
            pointer: quote.source.pointer.as_deref().map(str::to_owned),
            quote: quote.text.to_string(),
            supports,
            note: note.to_owned(),
        }
    }
}

/// Puts everything together.
pub fn build(
    bundle: Bundle,
    cluster: &Cluster,
    answers: &[Answer],
    sizing: Sizing,
    options: &crate::Settings,
) -> Report {
    let Decision { verdict, roles } = verdict::decide(cluster, answers);
    let findings = answers.iter().map(|answer| finding(answer, roles.get(answer.failure.id).copied())).collect();
    Report {
        schema: SCHEMA.to_owned(),
        tool: Tool { name: env!("CARGO_PKG_NAME").to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        bundle,
        cluster: known(cluster),
        path: verdict::path(cluster, answers),
        findings,
        checklist: verdict::checklist(cluster, answers, &sizing),
        affected: verdict::affected(cluster, answers, verdict.root_cause.as_deref()),
        verdict,
        sizing,
        series: Vec::new(),
        access: Vec::new(),
        lookups: Vec::new(),
        timeline: verdict::timeline(cluster),
        options: options.in_force(),
    }
}

fn finding(answer: &Answer, role: Option<Role>) -> Finding {
    let (failure, assessment) = (answer.failure, &answer.assessment);
    Finding {
        id: failure.id.to_owned(),
        title: failure.title.to_owned(),
        hop: failure.hop,
        status: assessment.status,
        confidence: assessment.confidence,
        severity: assessment.severity.unwrap_or(failure.severity),
        role: assessment.first_role().map(|first| role.unwrap_or(first)),
        since: assessment.since.map(|moment| moment.to_string()),
        summary: assessment.summary.clone(),
        subjects: assessment.subjects.clone(),
        evidence: assessment.proofs.iter().map(evidence).collect(),
        missing: assessment.missing.clone(),
        fixes: assessment.fixes.clone(),
        docs: format!("docs/failures/{}.md", failure.id),
    }
}

fn evidence(proof: &Proof) -> Evidence {
    Evidence::of(&proof.quote, proof.supports, &proof.note)
}

fn known(cluster: &Cluster) -> ClusterFacts {
    let count = |what: &str| {
        cluster.counts.iter().filter(|count| count.what == what && count.all_namespaces).map(|count| count.value).max()
    };
    let listed = |length: usize| (length > 0).then_some(length as u64);
    let workload = cluster.dns_workload();
    let pods: Vec<bool> = cluster.dns_pods().filter(|p| !p.gone()).filter_map(|p| p.ready()).map(|s| s.value).collect();
    let ready = pods.iter().filter(|ready| **ready).count() as u64;
    ClusterFacts {
        kubernetes_version: cluster.kubernetes_version.as_ref().map(|seen| seen.value.clone()),
        coredns_version: cluster.dns.version.as_ref().map(|seen| seen.value.clone()),
        distribution: crate::cluster::distribution(cluster),
        nodes: count("nodes").or(listed(cluster.nodes.len())),
        pods: count("pods"),
        services: count("services"),
        dns_service_ip: cluster
            .dns_services()
            .find_map(|service| service.best(|sight| sight.cluster_ip.as_ref()))
            .map(|seen| seen.value.clone()),
        replicas: Replicas {
            desired: workload.and_then(|w| w.desired()).map(|seen| u64::from(seen.value)),
            ready: workload
                .and_then(|w| w.ready())
                .map(|seen| u64::from(seen.value))
                .or((!pods.is_empty()).then_some(ready)),
        },
    }
}

impl crate::Settings {
    /// The bars in force, for the report.
    fn in_force(&self) -> Options {
        let threshold = |name: &str, value: f64| Threshold { name: name.to_owned(), value };
        Options {
            thresholds: vec![
                threshold("memory-investigate-share", bars::INVESTIGATE_SHARE),
                threshold("memory-critical-share", bars::CRITICAL_SHARE),
                threshold("relist-peak-low-factor", bars::PEAK_LOW),
                threshold("relist-peak-high-factor", bars::PEAK_HIGH),
            ],
            ..Options::default()
        }
    }
}
