//! Kubernetes objects: what each kind's fields mean for DNS. The reader below it keeps the place of every value.

mod access;
mod common;
mod configmap;
mod endpoints;
mod event;
mod node;
mod periscope;
mod pod;
mod service;
mod workload;

use super::facts::{Count, Fact};
use super::objects::{self, Node};
use crate::bundle::Budget;
use crate::problem::Problem;
use crate::recognize::Hints;
use crate::source::Quote;
use crate::text::Section;

/// Reads every object of the section.
pub fn read(section: &Section, hints: &Hints, budget: &Budget, facts: &mut Vec<Fact>, problems: &mut Vec<Problem>) {
    let mut tally = Tally::default();
    let command = section.command.as_deref().unwrap_or("");
    let found = objects::read(section, budget, &mut |kind, node| {
        tally.count(kind, node);
        object(kind, node, hints, facts);
    });
    problems.extend(found);
    let everywhere = command.contains(" -A") || command.contains("--all-namespaces");
    facts.extend(tally.facts(everywhere));
}

fn object(kind: &str, node: Node, hints: &Hints, facts: &mut Vec<Fact>) {
    match kind {
        "Pod" => facts.push(Fact::Pod(Box::new(pod::read(node, hints)))),
        "Node" => facts.extend(node::read(node)),
        "Service" => facts.push(Fact::Service(Box::new(service::read(node, hints)))),
        "Endpoints" => facts.push(Fact::Endpoints(Box::new(endpoints::plain(node, hints)))),
        "EndpointSlice" => facts.push(Fact::Endpoints(Box::new(endpoints::slice(node, hints)))),
        "Deployment" | "DaemonSet" | "ReplicaSet" | "StatefulSet" => {
            facts.push(Fact::Workload(Box::new(workload::read(kind, node, hints))));
        }
        "ConfigMap" => facts.push(Fact::ConfigMap(Box::new(configmap::read(node, hints)))),
        "Event" => facts.push(Fact::Event(Box::new(event::read(node)))),
        "PodDisruptionBudget" => facts.push(Fact::Budget(Box::new(access::budget(node, hints)))),
        "ClusterRole" => facts.push(Fact::Role(Box::new(access::role(node, &Hints::default())))),
        "Role" => facts.push(Fact::Role(Box::new(access::role(node, hints)))),
        "ClusterRoleBinding" => facts.extend(access::binding(node, &Hints::default())),
        "RoleBinding" => facts.extend(access::binding(node, hints)),
        "KubeletConfiguration" => facts.push(Fact::Kubelet(Box::new(node::kubelet(node)))),
        // A support bundle's own shape of a ConfigMap has no kind.
        "" if node.get("configMapExists").exists() => {
            facts.push(Fact::ConfigMap(Box::new(configmap::of_support_bundle(node))));
        }
        // AKS Periscope writes a container's log as a string among its figures.
        "" if node.get("containerLog").exists() => facts.extend(periscope::logs(node, hints)),
        // A piece of a pod's spec that somebody cut out.
        "" if node.get("containers").at(0).get("image").exists() => {
            facts.push(Fact::Workload(Box::new(workload::fragment(node, hints))));
        }
        "" if node.get("serverVersion").exists() || node.get("gitVersion").exists() => {
            facts.extend(node::server_version(node));
        }
        _ => {}
    }
}

/// How many objects of each kind a section lists, and over how many namespaces.
#[derive(Default)]
struct Tally {
    kinds: std::collections::BTreeMap<&'static str, Counted>,
}

struct Counted {
    objects: u64,
    value: u64,
    first: Quote,
    namespaces: std::collections::BTreeSet<String>,
}

impl Tally {
    fn count(&mut self, kind: &str, node: Node) {
        let (what, value) = match kind {
            "Pod" => ("pods", 1),
            "Service" => ("services", 1),
            "Node" => ("nodes", 1),
            "EndpointSlice" => ("endpoint-addresses", endpoints::ready_count(node)),
            _ => return,
        };
        let counted = self.kinds.entry(what).or_insert_with(|| Counted {
            objects: 0,
            value: 0,
            first: node.get("metadata").get("name").quote(),
            namespaces: std::collections::BTreeSet::new(),
        });
        counted.objects += 1;
        counted.value += value;
        if counted.namespaces.len() < 2 {
            counted.namespaces.extend(node.path("metadata.namespace").as_str().map(str::to_owned));
        }
    }

    /// A list over several namespaces is taken for a list over all of them. One object alone counts nothing.
    fn facts(self, everywhere: bool) -> impl Iterator<Item = Fact> {
        let lists = self.kinds.into_iter().filter(|(_, counted)| counted.objects > 1);
        lists.map(move |(what, counted)| {
            let all_namespaces = everywhere || what == "nodes" || counted.namespaces.len() > 1;
            Fact::Count(Box::new(Count {
                what: what.to_owned(),
                value: counted.value,
                all_namespaces,
                quote: counted.first,
            }))
        })
    }
}
