//! Rows that lost their heading (`kubectl get pods | grep dns`): the cells' own shapes tell the table.

use super::cells::ratio;
use super::columns::{Heading, pieces};
use crate::time;

const SERVICE_TYPES: &[&str] = &["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"];
const POD: &[&str] = &["NAME", "READY", "STATUS", "RESTARTS", "AGE"];
const POD_WIDE: &[&str] = &["IP", "NODE", "NOMINATED NODE", "READINESS GATES"];
const SERVICE: &[&str] = &["NAME", "TYPE", "CLUSTER-IP", "EXTERNAL-IP", "PORT(S)", "AGE", "SELECTOR"];
const NODE: &[&str] = &["NAME", "STATUS", "ROLES", "AGE", "VERSION"];
const NODE_WIDE: &[&str] = &["INTERNAL-IP", "EXTERNAL-IP", "OS-IMAGE", "KERNEL-VERSION", "CONTAINER-RUNTIME"];
const DEPLOYMENT: &[&str] = &["NAME", "READY", "UP-TO-DATE", "AVAILABLE", "AGE"];
const EVENT: &[&str] = &["LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"];

/// The columns that a row without heading seems to have; `None` where no table has such rows.
pub(super) fn heading(line: &str) -> Option<Heading> {
    let found = pieces(line);
    let cells: Vec<&str> = found.iter().take(16).map(|(_, text)| *text).collect();
    if cells.iter().take(2).any(|cell| cell.ends_with(':')) {
        return None;
    }
    let (namespaced, names) = match columns(&cells) {
        Some(names) => (false, names),
        None => (true, columns(cells.get(1..)?)?),
    };
    let mut all = if namespaced { vec!["NAMESPACE"] } else { Vec::new() };
    all.extend(names);
    Some(Heading::named(&all, line))
}

fn columns(cells: &[&str]) -> Option<Vec<&'static str>> {
    let cell = |index: usize| cells.get(index).copied().unwrap_or("");
    let name = !cell(0).is_empty() && !cell(0).contains(' ');
    if name && ratio(cell(1)).is_some() {
        return pod_or_deployment(cells);
    }
    if name && SERVICE_TYPES.contains(&cell(1)) && cells.len() >= 5 {
        return Some(SERVICE.iter().copied().take(cells.len()).collect());
    }
    let node = matches!(cell(1).split(',').next(), Some("Ready" | "NotReady")) && cell(4).starts_with('v');
    if name && node && time::age(cell(3)).is_some() {
        return Some(wide(NODE, NODE_WIDE, &cells[5..]));
    }
    let event = matches!(cell(1), "Normal" | "Warning") && cell(3).contains('/');
    (event && cells.len() >= 5).then(|| EVENT.to_vec())
}

fn pod_or_deployment(cells: &[&str]) -> Option<Vec<&'static str>> {
    let cell = |index: usize| cells.get(index).copied().unwrap_or("");
    let number = |index: usize| cell(index).bytes().all(|byte| byte.is_ascii_digit()) && !cell(index).is_empty();
    if number(2) && number(3) && time::age(cell(4)).is_some() {
        return Some(DEPLOYMENT.to_vec());
    }
    let restarts = cell(3).split(' ').next().is_some_and(|word| word.parse::<u32>().is_ok());
    let status = cell(2).starts_with(|c: char| c.is_ascii_alphabetic());
    (status && restarts && cells.len() >= 5).then(|| wide(POD, POD_WIDE, &cells[5..]))
}

/// The columns of the wide table, if the row has them, and of its trailing labels.
fn wide(base: &[&'static str], more: &[&'static str], rest: &[&str]) -> Vec<&'static str> {
    let labels = rest.last().is_some_and(|cell| cell.contains('=') && !cell.contains(' '));
    let plain = rest.len() - usize::from(labels);
    let mut names: Vec<&str> = base.iter().chain(more.iter().take(plain)).copied().collect();
    if labels {
        names.push("LABELS");
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(line: &str, name: &str) -> Option<String> {
        let heading = heading(line)?;
        heading.row(1, line).cell(name).map(str::to_owned)
    }

    #[test]
    fn rows_without_heading() {
        for (line, column, expected) in [
            ("web-0   1/1   Running   3 (2m ago)   40m   app=web,tier=a", "LABELS", "app=web,tier=a"),
            ("web-0   1/1   Running   3 (2m ago)   40m   10.0.0.9   node-1   <none>   <none>", "NODE", "node-1"),
            ("shop   web-0   0/1   Error   3   40m", "NAMESPACE", "shop"),
            ("shop   web   ClusterIP   10.96.0.7   <none>   80/TCP   4d", "CLUSTER-IP", "10.96.0.7"),
            ("node-1   Ready   <none>   4d   v1.30.1", "VERSION", "v1.30.1"),
            ("web   2/2   2   2   4d", "AVAILABLE", "2"),
            ("12s   Warning   BackOff   pod/web-0   Back-off  restarting", "MESSAGE", "Back-off  restarting"),
        ] {
            assert_eq!(cell(line, column).as_deref(), Some(expected), "{line}");
        }
    }

    #[test]
    fn other_text_has_no_shape() {
        for line in ["", "we saw 1/2 of them", "Name:   1/1   Running   0   4d", "a  b  c", "coredns   1/1", "x  Ready"]
        {
            assert!(heading(line).is_none(), "{line}");
        }
    }
}
