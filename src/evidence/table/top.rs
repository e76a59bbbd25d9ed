//! `kubectl top pod` and `kubectl top node`.

use super::Context;
use super::columns::{Heading, Row};
use crate::evidence::facts::{Fact, Id, Usage};
use crate::evidence::quantity;

/// Whether a table shows usage.
pub(super) fn matches(heading: &Heading) -> bool {
    heading.has_all(&["NAME", "CPU(CORES)", "MEMORY(BYTES)"])
}

/// A row of usage; with `--containers` POD is the pod and NAME the container.
pub(super) fn read(row: &Row, context: &Context) -> Option<Fact> {
    let (_, name) = row.name()?;
    let cpu = row.value("CPU(CORES)").and_then(quantity::millicores);
    let memory = row.value("MEMORY(BYTES)").and_then(quantity::bytes);
    // A node that does not answer has `<unknown>` in every cell.
    if cpu.is_none() && memory.is_none() && row.cell("CPU(CORES)") != Some("<unknown>") {
        return None;
    }
    let pod = row.value("POD");
    let node = ["CPU%", "CPU(%)", "MEMORY%", "MEMORY(%)"].iter().any(|column| row.heading.has(column));
    let id = if node { Id { namespace: None, name: name.to_owned() } } else { context.id(row, pod.unwrap_or(name)) };
    Some(Fact::Usage(Box::new(Usage {
        id,
        kind: if node { "Node" } else { "Pod" }.to_owned(),
        container: pod.map(|_| name.to_owned()),
        cpu,
        memory,
        quote: context.quote(row),
    })))
}
