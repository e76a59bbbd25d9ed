//! `kubectl get endpoints` and `kubectl get endpointslices`.

use super::columns::{Heading, Row};
use super::{Context, cells};
use crate::evidence::facts::{EmptyCell, Endpoints, Fact, Rank};

/// The letters of a generated name's suffix (apimachinery, `rand.String`).
const SUFFIX_LETTERS: &str = "bcdfghjklmnpqrstvwxz2456789";

/// Whether a table lists EndpointSlices.
pub(super) fn is_slices(heading: &Heading) -> bool {
    heading.has_all(&["NAME", "ADDRESSTYPE", "ENDPOINTS"])
}

/// Whether a table lists Endpoints.
pub(super) fn is_endpoints(heading: &Heading) -> bool {
    heading.has_all(&["NAME", "ENDPOINTS"]) && !heading.has("ADDRESSTYPE")
}

/// A row of Endpoints: all addresses shown are ready (Kubernetes 1.32).
pub(super) fn endpoints(row: &Row, context: &Context) -> Option<Fact> {
    let (mut list, addresses) = base(row, context)?;
    list.ready = addresses;
    Some(Fact::Endpoints(Box::new(list)))
}

/// A row of an EndpointSlice: addresses are shown whether ready or not (Kubernetes 1.32).
pub(super) fn slice(row: &Row, context: &Context) -> Option<Fact> {
    row.value("ADDRESSTYPE").filter(|cell| matches!(*cell, "IPv4" | "IPv6" | "FQDN"))?;
    let (mut list, addresses) = base(row, context)?;
    list.slice = true;
    list.unknown = addresses;
    let label =
        row.cell("LABELS").map(cells::labels).and_then(|mut labels| labels.remove("kubernetes.io/service-name"));
    list.service = label.unwrap_or_else(|| service_of_slice(&list.id.name).to_owned());
    Some(Fact::Endpoints(Box::new(list)))
}

fn base(row: &Row, context: &Context) -> Option<(Endpoints, Vec<String>)> {
    let (_, name) = row.name()?;
    let cell = row.cell("ENDPOINTS")?;
    let (addresses, more) = cells::addresses(cell);
    if addresses.iter().any(|address| !is_address(address)) {
        return None;
    }
    let empty = match cell {
        "" => Some(EmptyCell::Blank),
        _ => (!cells::is_value(cell)).then_some(EmptyCell::None),
    };
    let list = Endpoints {
        id: context.id(row, name),
        rank: Rank::Table,
        slice: false,
        service: name.to_owned(),
        at: context.quote(row),
        ready: Vec::new(),
        not_ready: Vec::new(),
        unknown: Vec::new(),
        more,
        empty,
        not_ready_quote: None,
    };
    Some((list, addresses))
}

/// An IP address or a host name.
fn is_address(text: &str) -> bool {
    text.contains(['.', ':']) && !text.contains(char::is_whitespace)
}

/// The Service of a slice by the slice's name: `kube-dns-5lw8d` belongs to `kube-dns`.
pub(in crate::evidence) fn service_of_slice(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((service, suffix)) if suffix.len() == 5 && suffix.chars().all(|c| SUFFIX_LETTERS.contains(c)) => service,
        _ => name,
    }
}
