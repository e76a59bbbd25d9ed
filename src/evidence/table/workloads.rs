//! `kubectl get deployments`, `daemonsets`, `replicasets`, `statefulsets`.

use super::columns::{Heading, Row};
use super::{Context, cells};
use crate::evidence::facts::{Container, Fact, Rank, Workload};
use crate::source::{Quote, Seen};

/// Whether a table lists workloads.
pub(super) fn matches(heading: &Heading) -> bool {
    heading.has("NAME") && kind_by_columns(heading).is_some()
}

/// A workload's row. READY is `n/m`; older kubectl (before 1.13) and sets without it print DESIRED.
pub(super) fn read(row: &Row, context: &Context) -> Option<Fact> {
    let (prefix, name) = row.name()?;
    let kind = prefix.map(cells::kind_name).or_else(|| kind_by_columns(row.heading).map(str::to_owned))?;
    let quote = context.quote(row);
    let number = |column: &str| row.cell(column)?.parse::<u32>().ok();
    let ratio = row.cell("READY").and_then(cells::ratio);
    let desired = ratio.map(|(_, all)| all).or_else(|| number("DESIRED"))?;
    let seen = |value: u32| Seen::new(value, quote.clone());
    let mut workload = Workload::new(&kind, context.id(row, name), Rank::Table, quote.clone());
    workload.desired = Some(seen(desired));
    workload.ready = ratio.map(|(ready, _)| ready).or_else(|| number("READY")).map(seen);
    workload.available = number("AVAILABLE").map(seen);
    workload.labels = row.cell("LABELS").map(cells::labels).unwrap_or_default();
    workload.containers = containers(row, &quote);
    Some(Fact::Workload(Box::new(workload)))
}

fn kind_by_columns(heading: &Heading) -> Option<&'static str> {
    if heading.has_all(&["DESIRED", "READY", "UP-TO-DATE"]) {
        return Some("DaemonSet");
    }
    if heading.has("UP-TO-DATE") {
        return Some("Deployment");
    }
    if heading.has_all(&["DESIRED", "CURRENT"]) {
        return Some(if heading.has("READY") { "ReplicaSet" } else { "StatefulSet" });
    }
    (heading.has_all(&["READY", "AGE"]) && !heading.has("STATUS")).then_some("StatefulSet")
}

/// `-o wide` adds CONTAINERS and IMAGES, two lists of the same order.
fn containers(row: &Row, quote: &Quote) -> Vec<Container> {
    let (Some(names), Some(images)) = (row.value("CONTAINERS"), row.value("IMAGES")) else {
        return Vec::new();
    };
    let container = |(name, image): (&str, &str)| Container {
        name: name.to_owned(),
        image: Some(Seen::new(image.to_owned(), quote.clone())),
        ..Container::default()
    };
    names.split(',').zip(images.split(',')).map(container).collect()
}
