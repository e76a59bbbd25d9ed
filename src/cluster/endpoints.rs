//! Which addresses stand behind a Service, from Endpoints, slices, describe and tables.

use super::{Cluster, Service};
use crate::evidence::facts::{EmptyCell, Rank};
use crate::source::Quote;

/// What is known of the addresses behind one Service.
#[derive(Debug, Clone, Default)]
pub struct Backing {
    /// Ready addresses, sorted, each once.
    pub ready: Vec<String>,
    /// Addresses that are not ready, sorted, each once.
    pub not_ready: Vec<String>,
    /// Addresses whose readiness is not shown (a table of slices).
    pub unknown: Vec<String>,
    /// Where it is read: the best source first.
    pub quotes: Vec<Quote>,
    /// Where the not-ready addresses stand.
    pub not_ready_quote: Option<Quote>,
    /// What an empty cell says.
    pub empty: Option<EmptyCell>,
}

impl Backing {
    /// Known to have no ready address.
    pub fn is_empty(&self) -> bool {
        self.ready.is_empty() && self.unknown.is_empty() && !self.quotes.is_empty()
    }
}

impl Cluster {
    /// The addresses behind a Service; `None` where nothing in the bundle shows them.
    ///
    /// Sources are taken by rank: objects win over describe, describe over tables. Within one rank all slices of the
    /// Service count together. A slice's table does not tell readiness, so it is used only where nothing else is.
    pub fn backing(&self, service: &Service) -> Option<Backing> {
        let mut best: Option<(Rank, bool, Backing)> = None;
        for rank in [Rank::Object, Rank::Describe, Rank::Table] {
            for slices in [false, true] {
                let Some(backing) = self.backing_of(service, rank, slices) else { continue };
                let telling = backing.unknown.is_empty();
                if best.as_ref().is_none_or(|(_, was_telling, _)| telling && !was_telling) {
                    best = Some((rank, telling, backing));
                }
            }
            if rank == Rank::Describe
                && best.as_ref().is_none_or(|(_, telling, _)| !telling)
                && let Some(backing) = described(service)
            {
                best = Some((rank, true, backing));
            }
        }
        best.map(|(_, _, backing)| backing)
    }

    /// Every line that shows the addresses behind a Service, whatever its rank.
    pub fn backing_quotes(&self, service: &Service) -> Vec<Quote> {
        let objects = self.endpoints.iter().flat_map(|merged| &merged.sights).filter(|sight| belongs(sight, service));
        let described = service.sights.iter().flat_map(|sight| &sight.described_endpoints).map(|seen| &seen.quote);
        objects.map(|sight| &sight.at).chain(described).cloned().collect()
    }

    fn backing_of(&self, service: &Service, rank: Rank, slices: bool) -> Option<Backing> {
        let mut backing = Backing::default();
        let sights = self.endpoints.iter().flat_map(|merged| &merged.sights);
        let sights = sights.filter(|s| s.rank == rank && s.slice == slices && belongs(s, service));
        for sight in sights {
            backing.ready.extend(sight.ready.iter().cloned());
            backing.not_ready.extend(sight.not_ready.iter().cloned());
            backing.unknown.extend(sight.unknown.iter().cloned());
            backing.quotes.push(sight.at.clone());
            backing.empty = backing.empty.or(sight.empty);
            if backing.not_ready_quote.is_none() {
                backing.not_ready_quote.clone_from(&sight.not_ready_quote);
            }
        }
        tidy(&mut backing);
        (!backing.quotes.is_empty()).then_some(backing)
    }
}

fn belongs(sight: &crate::evidence::facts::Endpoints, service: &Service) -> bool {
    let near = sight.id.namespace.is_none() || service.namespace.is_none() || sight.id.namespace == service.namespace;
    near && sight.service == service.name
}

/// describe's own `Endpoints:` lines.
fn described(service: &Service) -> Option<Backing> {
    let sight = service.sights.iter().find(|sight| !sight.described_endpoints.is_empty())?;
    let mut backing = Backing::default();
    for seen in &sight.described_endpoints {
        backing.ready.extend(seen.value.iter().map(|address| host(address).to_owned()));
        backing.quotes.push(seen.quote.clone());
    }
    tidy(&mut backing);
    Some(backing)
}

fn tidy(backing: &mut Backing) {
    for list in [&mut backing.ready, &mut backing.not_ready, &mut backing.unknown] {
        list.sort();
        list.dedup();
    }
}

/// `10.0.0.1:53` without its port.
pub(super) fn host(address: &str) -> &str {
    match address.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => address,
    }
}
