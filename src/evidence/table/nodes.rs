//! `kubectl get nodes`.

use super::columns::{Heading, Row};
use super::{Context, cells};
use crate::evidence::facts::{Fact, Node, Rank};
use crate::source::Seen;

/// Whether a table lists nodes.
pub(super) fn matches(heading: &Heading) -> bool {
    heading.has_all(&["NAME", "STATUS"]) && (heading.has("ROLES") || heading.has("VERSION"))
}

/// A node's row: STATUS is `Ready`, `NotReady` or `Unknown`, then perhaps `,SchedulingDisabled`.
pub(super) fn read(row: &Row, context: &Context) -> Option<Fact> {
    let (_, name) = row.name()?;
    let status = row.value("STATUS")?;
    let ready = match status.split(',').next()? {
        "Ready" => Some(true),
        "NotReady" => Some(false),
        "Unknown" => None,
        _ => return None,
    };
    let quote = context.quote(row);
    let seen = |cell: &str| Seen::new(cell.to_owned(), quote.clone());
    let mut node = Node::new(name.to_owned(), Rank::Table, quote.clone());
    node.ready = ready.map(|value| Seen::new(value, quote.clone()));
    node.status_cell = Some(seen(status));
    node.cordoned = status.contains("SchedulingDisabled");
    node.kubelet = row.value("VERSION").map(|cell| seen(&cells::version(cell)));
    node.address = row.value("INTERNAL-IP").map(str::to_owned);
    node.os_image = row.value("OS-IMAGE").map(str::to_owned);
    node.kernel = row.value("KERNEL-VERSION").map(seen);
    node.runtime = row.value("CONTAINER-RUNTIME").map(seen);
    node.labels = row.cell("LABELS").map(cells::labels).unwrap_or_default();
    node.architecture = node.labels.get("kubernetes.io/arch").map(|value| seen(value));
    node.os = node.labels.get("kubernetes.io/os").cloned();
    Some(Fact::Node(Box::new(node)))
}
