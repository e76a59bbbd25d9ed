//! `kubectl get services`.

use super::columns::{Heading, Row};
use super::{Context, cells};
use crate::evidence::facts::{Fact, Rank, Service, ServicePort};
use crate::source::{Quote, Seen};

/// Whether a table lists Services.
pub(super) fn matches(heading: &Heading) -> bool {
    heading.has_all(&["NAME", "CLUSTER-IP"])
}

/// A Service's row.
pub(super) fn read(row: &Row, context: &Context) -> Option<Fact> {
    let (_, name) = row.name()?;
    let address = row.cell("CLUSTER-IP")?;
    if !is_cluster_ip(address) {
        return None;
    }
    let quote = context.quote(row);
    let mut service = Service::new(context.id(row, name), Rank::Table, quote.clone());
    service.kind = row.value("TYPE").map(str::to_owned);
    service.cluster_ip = cells::is_value(address).then(|| Seen::new(address.to_owned(), quote.clone()));
    service.ports = row.value("PORT(S)").map(|cell| ports(cell, &quote)).unwrap_or_default();
    service.labels = row.cell("LABELS").map(cells::labels).unwrap_or_default();
    service.selector =
        row.cell("SELECTOR").filter(|cell| !cell.is_empty()).map(|cell| Seen::new(cells::labels(cell), quote.clone()));
    Some(Fact::Service(Box::new(service)))
}

fn is_cluster_ip(cell: &str) -> bool {
    // A Service with two address families shows the first only; ExternalName shows `<none>`.
    matches!(cell, "None" | "<none>") || cell.parse::<std::net::IpAddr>().is_ok()
}

/// `53/UDP,53:30053/TCP`: the number before the colon is the Service's port, the one behind it the node port.
fn ports(cell: &str, quote: &Quote) -> Vec<ServicePort> {
    let port = |text: &str| {
        let (number, protocol) = text.trim().split_once('/')?;
        let port = number.split(':').next()?.parse().ok()?;
        let (name, target) = (String::new(), String::new());
        Some(ServicePort {
            name,
            port,
            protocol: protocol.to_owned(),
            target,
            quote: quote.clone(),
            target_quote: None,
        })
    };
    cell.split(',').filter_map(port).collect()
}
