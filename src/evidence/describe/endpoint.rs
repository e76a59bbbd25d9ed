//! Described Endpoints and EndpointSlices.

use super::{Object, labels};
use crate::evidence::facts::{EmptyCell, Endpoints, Fact, Rank};
use crate::evidence::table::cells;
use crate::source::Quote;

/// The label by which a slice names its Service.
const SERVICE_LABEL: &str = "kubernetes.io/service-name";

/// Takes Endpoints: per subset a list of ready addresses and one of those that are not.
pub(super) fn endpoints(object: &Object, facts: &mut Vec<Fact>) {
    let outline = object.outline;
    let mut list = empty(object);
    let Some(subsets) = outline.get("Subsets") else { return };
    for entry in outline.children(subsets) {
        let (found, more) = cells::addresses(entry.value);
        match entry.key {
            "Addresses" => {
                list.at = outline.quote(entry.line);
                list.ready.extend(found);
            }
            "NotReadyAddresses" if !found.is_empty() => {
                list.not_ready_quote.get_or_insert_with(|| outline.quote(entry.line));
                list.not_ready.extend(found);
            }
            _ => continue,
        }
        list.more = list.more.saturating_add(more);
    }
    finish(list, facts);
}

/// Takes an EndpointSlice: each endpoint has its addresses and a Ready condition.
pub(super) fn slice(object: &Object, facts: &mut Vec<Fact>) {
    let outline = object.outline;
    let mut list = empty(object);
    list.slice = true;
    let by_name = || crate::evidence::table::service_of_slice(&object.id.name).to_owned();
    list.service = labels(outline, "Labels").remove(SERVICE_LABEL).unwrap_or_else(by_name);
    let Some(section) = outline.get("Endpoints") else { return finish(list, facts) };
    list.at = outline.quote(section.line);
    let mut addresses: Option<(Vec<String>, Quote)> = None;
    for entry in outline.children(section) {
        match entry.key {
            "Addresses" => {
                list.unknown.extend(addresses.take().map(|(found, _)| found).unwrap_or_default());
                addresses = Some((cells::addresses(entry.value).0, outline.quote(entry.line)));
            }
            "Conditions" => {
                let ready = outline.child_value(entry, "Ready").map(|seen| seen.value == "true");
                let Some((found, quote)) = addresses.take() else { continue };
                file(&mut list, found, ready, quote);
            }
            _ => {}
        }
    }
    list.unknown.extend(addresses.map(|(found, _)| found).unwrap_or_default());
    finish(list, facts);
}

/// Puts a slice's addresses where their condition says.
fn file(list: &mut Endpoints, found: Vec<String>, ready: Option<bool>, quote: Quote) {
    match ready {
        Some(true) => {
            if list.ready.is_empty() {
                list.at = quote;
            }
            list.ready.extend(found);
        }
        Some(false) => {
            list.not_ready_quote.get_or_insert(quote);
            list.not_ready.extend(found);
        }
        None => list.unknown.extend(found),
    }
}

fn empty(object: &Object) -> Endpoints {
    Endpoints {
        id: object.id.clone(),
        rank: Rank::Describe,
        slice: false,
        service: object.id.name.clone(),
        at: object.at.clone(),
        ready: Vec::new(),
        not_ready: Vec::new(),
        unknown: Vec::new(),
        more: 0,
        empty: None,
        not_ready_quote: None,
    }
}

fn finish(mut list: Endpoints, facts: &mut Vec<Fact>) {
    if list.ready.is_empty() && list.unknown.is_empty() {
        if let Some(quote) = list.not_ready_quote.as_ref().filter(|_| list.slice) {
            list.at = quote.clone();
        }
        list.empty = Some(if list.not_ready.is_empty() { EmptyCell::None } else { EmptyCell::Blank });
    }
    facts.push(Fact::Endpoints(Box::new(list)));
}
