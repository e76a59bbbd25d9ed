//! Is it healthy? Only evidence says so; silence does not.

use crate::cluster::Cluster;
use crate::evidence::facts::{KernelKind, Log, Lookup, LookupResult, Tally};
use crate::knowledge::messages::Signal;
use crate::report::{Confidence, Outcome, Verdict};

/// What speaks for and against DNS working.
pub struct Health {
    /// All DNS pods are ready and none restarted within the hour.
    pods: Option<bool>,
    /// CoreDNS's logs are there, it started, and they hold no fault.
    logs: Option<bool>,
    /// Ready endpoints, answers in lookups, in the query log or in the metrics.
    answers: Option<bool>,
    /// Lookups that failed.
    complaints: usize,
}

/// The signals that make a log unclean.
const FAULTS: [Signal; 22] = [
    Signal::StartFailed,
    Signal::CorefileMissing,
    Signal::NotInCluster,
    Signal::BadFlag,
    Signal::Loop,
    Signal::PortInUse,
    Signal::PortDenied,
    Signal::AddressMissing,
    Signal::ReloadFailed,
    Signal::ApiForbidden,
    Signal::ApiUnauthorized,
    Signal::ApiTls,
    Signal::ApiUnreachable,
    Signal::ApiUnhealthy,
    Signal::ApiResourceUnknown,
    Signal::ApiUnsynced,
    Signal::HealthFailed,
    Signal::UpstreamError,
    Signal::MaxConcurrent,
    Signal::PanicRecovered,
    Signal::PanicFatal,
    Signal::ExecFormat,
];

/// What applications say when names do not lead them where they should.
const COMPLAINTS: [Signal; 3] = [Signal::AppLookupFailed, Signal::AppNoSuchName, Signal::AppTlsFailed];

/// Weighs the evidence.
pub fn health(cluster: &Cluster) -> Health {
    let pods = cluster
        .dns_all_ready()
        .map(|ready| ready && cluster.dns_pods().filter(|pod| !pod.gone()).all(|pod| !cluster.restarted_lately(pod)));
    let current = || cluster.dns_logs().filter(|log| !log.owner.previous);
    let started = current().any(|log| log.has(Signal::Banner) || log.queries.total > 0);
    let clean = current().all(|log| FAULTS.iter().all(|fault| !log.has(*fault)));
    let complaints = cluster.lookups.iter().filter(|lookup| is_complaint(cluster, lookup)).count()
        + cluster.kernel.iter().filter(|line| NETWORK.contains(&line.kind)).count()
        + cluster.logs.iter().filter(|log| COMPLAINTS.iter().any(|said| lately(cluster, log, *said))).count();
    Health { pods, logs: started.then_some(clean), answers: answers(cluster), complaints }
}

/// Half an hour: what an application said longer ago, while the cluster came up say, is over.
const LATELY: i64 = 1800;

fn lately(cluster: &Cluster, log: &Log, complaint: Signal) -> bool {
    let ago = |tally: &Tally| tally.last_at.and_then(|at| cluster.seconds_ago(at));
    log.tally(complaint).is_some_and(|tally| ago(tally).is_none_or(|ago| ago <= LATELY))
}

/// Kernel lines that say that packets were lost.
const NETWORK: [KernelKind; 2] = [KernelKind::ConntrackFull, KernelKind::BadChecksum];

/// A try that failed. That a name does not exist is an answer, unless it is a name of the cluster, or the same name was
/// answered another time.
fn is_complaint(cluster: &Cluster, lookup: &Lookup) -> bool {
    match lookup.result {
        LookupResult::Answered => false,
        LookupResult::NoSuchName => {
            let name = lookup.name.trim_end_matches('.');
            let of_cluster = name.contains(".svc") || name.matches('.').count() < 2;
            let answered =
                |other: &Lookup| other.result == LookupResult::Answered && other.name.trim_end_matches('.') == name;
            !name.is_empty() && (of_cluster || cluster.lookups.iter().any(answered))
        }
        _ => true,
    }
}

fn answers(cluster: &Cluster) -> Option<bool> {
    let backed = cluster.dns_services().filter_map(|service| cluster.backing(service)).next();
    if let Some(backing) = backed {
        return Some(!backing.is_empty());
    }
    if cluster.lookups.iter().any(|lookup| lookup.result == LookupResult::Answered) {
        return Some(true);
    }
    let responses = |rcode: &str| {
        let names = ["coredns_dns_responses_total", "coredns_dns_response_rcode_count_total"];
        let samples = cluster.metrics.iter().flat_map(|metrics| &metrics.samples);
        samples
            .filter(|s| names.contains(&s.name.as_str()) && s.labels.get("rcode").is_some_and(|r| r == rcode))
            .map(|s| s.value)
            .sum::<f64>()
    };
    let (good, bad) = (responses("NOERROR") + responses("NXDOMAIN"), responses("SERVFAIL") + responses("REFUSED"));
    (good + bad > 0.0).then_some(bad <= 0.01 * (good + bad))
}

impl Health {
    /// Two kinds of evidence show it working, and nothing speaks against it.
    pub fn works(&self) -> bool {
        let signs = [self.pods, self.logs, self.answers];
        let good = signs.iter().filter(|sign| **sign == Some(true)).count();
        let served = self.pods == Some(true) || self.answers == Some(true);
        good >= 2 && served && !signs.contains(&Some(false)) && self.complaints == 0
    }

    /// Nothing speaks against it, and too little for it.
    pub fn unknown(&self) -> bool {
        self.complaints == 0 && ![self.pods, self.logs, self.answers].contains(&Some(false))
    }

    /// Healthy, or honestly undecided.
    pub fn verdict(&self) -> Verdict {
        let (outcome, headline) = if self.works() {
            (Outcome::Healthy, self.healthy_headline())
        } else {
            (Outcome::Inconclusive, self.undecided_headline())
        };
        let full = [self.pods, self.logs, self.answers].iter().all(|sign| *sign == Some(true));
        let confidence = match outcome {
            Outcome::Healthy if full => Confidence::Confirmed,
            Outcome::Healthy => Confidence::Likely,
            _ => Confidence::Possible,
        };
        Verdict { when: None, outcome, root_cause: None, confidence, headline, chain: Vec::new(), others: Vec::new() }
    }

    fn healthy_headline(&self) -> String {
        let mut signs = Vec::new();
        if self.pods == Some(true) {
            signs.push("every DNS pod is ready and none restarted lately");
        }
        if self.logs == Some(true) {
            signs.push("CoreDNS's logs hold no fault");
        }
        if self.answers == Some(true) {
            signs.push("queries are answered");
        }
        format!("DNS works in this evidence: {}.", signs.join(", "))
    }

    fn undecided_headline(&self) -> String {
        if self.complaints > 0 {
            return "Lookups failed or packets were lost, and the bundle does not show why; the list of what was not checked says what to \
                    collect next."
                .to_owned();
        }
        if self.pods.is_none() && self.logs.is_none() && self.answers.is_none() {
            return "Nothing in the bundle shows the DNS pods, their logs or their endpoints, so nothing can be said \
                    about DNS."
                .to_owned();
        }
        "No failure was found, but the evidence does not show DNS working either.".to_owned()
    }
}
