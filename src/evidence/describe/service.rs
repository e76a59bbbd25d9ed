//! A described Service.

use super::{Object, labels};
use crate::evidence::facts::{Fact, Rank, Service, ServicePort};
use crate::evidence::table::cells;
use crate::source::{Quote, Seen};

/// Takes the Service. Its ports come as lines `Port`, `TargetPort`, perhaps `NodePort`, `Endpoints`, in that order.
pub(super) fn read(object: &Object, facts: &mut Vec<Fact>) {
    let outline = object.outline;
    let mut service = Service::new(object.id.clone(), Rank::Describe, object.at.clone());
    service.labels = labels(outline, "Labels");
    for entry in outline.top() {
        let quote = outline.quote(entry.line);
        match entry.key {
            "Selector" => service.selector = Some(Seen::new(cells::labels(entry.value), quote)),
            "Type" => service.kind = Some(entry.value.to_owned()),
            "IP" if !entry.value.is_empty() => service.cluster_ip = Some(Seen::new(entry.value.to_owned(), quote)),
            "Internal Traffic Policy" => {
                service.internal_traffic_policy = Some(Seen::new(entry.value.to_owned(), quote));
            }
            "Port" => service.ports.extend(port(entry.value, quote)),
            "TargetPort" => {
                if let Some(port) = service.ports.last_mut() {
                    entry.value.split('/').next().unwrap_or("").clone_into(&mut port.target);
                    port.target_quote = Some(quote);
                }
            }
            "Endpoints" => service.described_endpoints.push(Seen::new(cells::addresses(entry.value).0, quote)),
            _ => {}
        }
    }
    facts.push(Fact::Service(Box::new(service)));
}

/// `dns  53/UDP`, `<unset>  80/TCP`.
fn port(text: &str, quote: Quote) -> Option<ServicePort> {
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or(("", text));
    let (number, protocol) = rest.trim().split_once('/')?;
    let name = if cells::is_value(name) { name.to_owned() } else { String::new() };
    Some(ServicePort {
        name,
        port: number.parse().ok()?,
        protocol: protocol.to_owned(),
        target: String::new(),
        quote,
        target_quote: None,
    })
}
