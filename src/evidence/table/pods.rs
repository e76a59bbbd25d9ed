//! `kubectl get pods`.

use super::columns::{Heading, Row};
use super::{Context, cells};
use crate::evidence::facts::{Fact, Pod, Rank};
use crate::source::Seen;
use crate::time;

/// Whether a table lists pods.
pub(super) fn matches(heading: &Heading) -> bool {
    heading.has_all(&["NAME", "READY", "STATUS"])
}

/// A pod's row: READY says `n/m`.
pub(super) fn read(row: &Row, context: &Context) -> Option<Fact> {
    let (_, name) = row.name()?;
    let (ready, all) = cells::ratio(row.cell("READY")?)?;
    let status = row.value("STATUS")?;
    let quote = context.quote(row);
    let text = |cell: &str| Seen::new(cell.to_owned(), quote.clone());
    let mut pod = Pod::new(context.id(row, name), Rank::Table, quote.clone());
    pod.ready = readiness(ready, all, status).map(|value| Seen::new(value, quote.clone()));
    pod.status_cell = Some(text(status));
    pod.reason = (status == "Evicted").then(|| text(status));
    pod.terminating = status == "Terminating";
    if let Some((count, ago)) = row.value("RESTARTS").and_then(cells::restarts) {
        pod.restarts = Some(Seen::new(count, quote.clone()));
        pod.last_restart_ago = ago;
    }
    pod.age = row.value("AGE").and_then(time::age).map(|age| age.0);
    pod.ip = row.value("IP").map(text);
    pod.node = row.value("NODE").map(text);
    pod.labels =
        row.cell("LABELS").filter(|cell| !cell.is_empty()).map(|cell| Seen::new(cells::labels(cell), quote.clone()));
    Some(Fact::Pod(Box::new(pod)))
}

/// The STATUS cell of a pod whose node is lost still says Running; READY then says 1/1 though the condition is False.
fn readiness(ready: u32, all: u32, status: &str) -> Option<bool> {
    if ready != all {
        return Some(false);
    }
    (status == "Running" && all > 0).then_some(true)
}
