//! A Service object.

use super::common::{id, map, place, seen_map};
use crate::evidence::facts::{Rank, Service, ServicePort};
use crate::evidence::objects::Node;
use crate::recognize::Hints;
use crate::source::Seen;

/// Reads a Service.
pub fn read(node: Node, hints: &Hints) -> Service {
    let spec = node.get("spec");
    let mut service = Service::new(id(node, hints), Rank::Object, place(node));
    service.labels = map(node.path("metadata.labels"));
    // A Service without a selector is told apart from one whose selector is not shown.
    service.selector =
        seen_map(spec.get("selector")).or_else(|| spec.exists().then(|| Seen::new(Default::default(), place(node))));
    service.cluster_ip = spec.get("clusterIP").str();
    service.kind = spec.get("type").as_str().map(str::to_owned);
    service.ports = spec.get("ports").items().filter_map(port).collect();
    service.publish_not_ready = spec.get("publishNotReadyAddresses").as_bool().unwrap_or(false);
    service.internal_traffic_policy = spec.get("internalTrafficPolicy").str();
    service
}

fn port(node: Node) -> Option<ServicePort> {
    Some(ServicePort {
        name: node.get("name").as_str().unwrap_or("").to_owned(),
        port: u16::try_from(node.get("port").as_u64()?).ok()?,
        protocol: node.get("protocol").as_str().unwrap_or("TCP").to_owned(),
        target: node.get("targetPort").as_text().unwrap_or("").to_owned(),
        quote: node.get("port").quote(),
        target_quote: node.get("targetPort").as_text().map(|_| node.get("targetPort").quote()),
    })
}
