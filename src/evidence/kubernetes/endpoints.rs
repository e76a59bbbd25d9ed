//! Endpoints and EndpointSlice objects.

use super::common::{id, place};
use crate::evidence::facts::{EmptyCell, Endpoints, Rank};
use crate::evidence::objects::Node;
use crate::recognize::Hints;
use crate::source::Quote;

/// Reads an Endpoints object.
pub fn plain(node: Node, hints: &Hints) -> Endpoints {
    let subsets = node.get("subsets");
    let of = |key: &'static str| {
        subsets.items().flat_map(move |subset| {
            subset.get(key).items().filter_map(|item| {
                let ip = item.get("ip");
                ip.written().map(|text| ip.seen(text.to_owned()))
            })
        })
    };
    let ready: Vec<_> = of("addresses").collect();
    let not_ready: Vec<_> = of("notReadyAddresses").collect();
    let none = subsets.items().next().is_none();
    let id = id(node, hints);
    Endpoints {
        service: id.name.clone(),
        id,
        rank: Rank::Object,
        slice: false,
        at: ready.first().map_or_else(|| place(node), |seen| seen.quote.clone()),
        not_ready_quote: not_ready.first().map(|seen| seen.quote.clone()),
        empty: ready.is_empty().then_some(if none { EmptyCell::None } else { EmptyCell::Blank }),
        ready: ready.into_iter().map(|seen| seen.value).collect(),
        not_ready: not_ready.into_iter().map(|seen| seen.value).collect(),
        unknown: Vec::new(),
        more: 0,
    }
}

/// Reads an EndpointSlice. A missing `ready` means ready (API documentation of `discovery.k8s.io/v1`).
pub fn slice(node: Node, hints: &Hints) -> Endpoints {
    let id = id(node, hints);
    let labelled = node.path("metadata.labels").get("kubernetes.io/service-name").as_str();
    let (mut ready, mut not_ready) = (Vec::new(), Vec::new());
    let mut quotes: (Option<Quote>, Option<Quote>) = (None, None);
    for endpoint in node.get("endpoints").items() {
        let addresses = endpoint.get("addresses");
        let state = endpoint.get("conditions").get("ready");
        let is_ready = state.as_bool().unwrap_or(true);
        let (list, quote) = if is_ready { (&mut ready, &mut quotes.0) } else { (&mut not_ready, &mut quotes.1) };
        list.extend(addresses.items().filter_map(|item| item.written().map(str::to_owned)));
        if quote.is_none() {
            *quote = Some(if is_ready { addresses.at(0).quote() } else { state.quote() });
        }
    }
    Endpoints {
        service: labelled.map_or_else(|| id.name.clone(), str::to_owned),
        id,
        rank: Rank::Object,
        slice: true,
        at: quotes.0.clone().unwrap_or_else(|| place(node)),
        empty: ready.is_empty().then_some(if not_ready.is_empty() { EmptyCell::None } else { EmptyCell::Blank }),
        not_ready_quote: quotes.1,
        ready,
        not_ready,
        unknown: Vec::new(),
        more: 0,
    }
}

/// How many ready addresses a slice holds.
pub fn ready_count(node: Node) -> u64 {
    let ready = |endpoint: &Node| endpoint.get("conditions").get("ready").as_bool().unwrap_or(true);
    let endpoints = node.get("endpoints").items().filter(ready);
    endpoints.map(|endpoint| endpoint.get("addresses").items().count() as u64).sum()
}
