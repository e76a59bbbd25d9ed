//! Who is hurt, as far as the findings tell.

use super::Answer;
use crate::cluster::Cluster;
use crate::report::{Affected, Hop, Scope, Status};

/// The scope that follows from what was found. Only what the evidence carries is claimed.
pub fn affected(cluster: &Cluster, answers: &[Answer], root: Option<&str>) -> Affected {
    let found =
        |id: &str| answers.iter().any(|answer| answer.failure.id == id && answer.assessment.status == Status::Found);
    let unknown =
        || Affected { scope: Scope::Unknown, members: Vec::new(), why: "the bundle does not tell".to_owned() };
    let Some(root) = root.and_then(|id| answers.iter().find(|answer| answer.failure.id == id)) else {
        return unknown();
    };
    if root.assessment.risk {
        return Affected { scope: Scope::Unknown, members: Vec::new(), why: "nothing is broken yet".to_owned() };
    }
    if found("service-no-endpoints") {
        return all("the DNS Service has no ready address, so nobody gets an answer");
    }
    let pods: Vec<bool> =
        cluster.dns_pods().filter(|pod| !pod.gone()).filter_map(|p| p.ready()).map(|s| s.value).collect();
    if !pods.is_empty() && pods.iter().all(|ready| !ready) {
        return all("no DNS pod in the bundle is ready");
    }
    match root.failure.hop {
        Some(Hop::Upstream) => Affected {
            scope: Scope::ExternalNames,
            members: Vec::new(),
            why: "only forwarded names need the upstreams".to_owned(),
        },
        Some(Hop::Api) => Affected {
            scope: Scope::ClusterNames,
            members: Vec::new(),
            why: "names of the cluster come from the Kubernetes API; forwarded names do not".to_owned(),
        },
        _ => unknown(),
    }
}

fn all(why: &str) -> Affected {
    Affected { scope: Scope::AllClients, members: Vec::new(), why: why.to_owned() }
}
