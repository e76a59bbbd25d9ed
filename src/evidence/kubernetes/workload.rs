//! Deployment, DaemonSet, ReplicaSet and StatefulSet objects.

use super::common::{conditions, containers, count, id, map, place, seen_map};
use crate::evidence::facts::{Id, Rank, Workload};
use crate::evidence::objects::Node;
use crate::recognize::Hints;

/// Reads a workload of that kind.
pub fn read(kind: &str, node: Node, hints: &Hints) -> Workload {
    let (spec, status) = (node.get("spec"), node.get("status"));
    let template = spec.path("template.spec");
    let mut workload = Workload::new(kind, id(node, hints), Rank::Object, place(node));
    workload.labels = map(node.path("metadata.labels"));
    workload.template_labels = seen_map(spec.path("template.metadata.labels"));
    let daemon = kind == "DaemonSet";
    workload.desired = count(if daemon { status.get("desiredNumberScheduled") } else { spec.get("replicas") });
    workload.ready = count(if daemon { status.get("numberReady") } else { status.get("readyReplicas") });
    workload.available = count(if daemon { status.get("numberAvailable") } else { status.get("availableReplicas") });
    workload.containers = containers(template.get("containers"));
    workload.service_account = template.get("serviceAccountName").str();
    workload.priority_class = template.get("priorityClassName").str();
    workload.host_network = template.get("hostNetwork").bool();
    workload.conditions = conditions(status.get("conditions"));
    workload
}

/// A pod's spec without its object: a `PodTemplate` called like its first container.
pub fn fragment(spec: Node, hints: &Hints) -> Workload {
    let name = spec.get("containers").at(0).get("name");
    let id = Id { namespace: hints.namespace.clone(), name: name.as_str().unwrap_or("").to_owned() };
    let mut workload = Workload::new("PodTemplate", id, Rank::Object, name.quote());
    workload.containers = containers(spec.get("containers"));
    workload.service_account = spec.get("serviceAccountName").str();
    workload.priority_class = spec.get("priorityClassName").str();
    workload.host_network = spec.get("hostNetwork").bool();
    workload
}
