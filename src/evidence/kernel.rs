//! Kernel log lines that matter: kills for memory, a full connection table, bad checksums.

use std::sync::{Arc, LazyLock};

use aho_corasick::AhoCorasick;
use jiff::Timestamp;
use regex::Regex;

use super::facts::{Fact, KernelKind, KernelLine};
use crate::problem::Problem;
use crate::recognize::Hints;
use crate::source::Quote;
use crate::text::Section;

/// The most lines of one section; a node that dies of memory writes thousands.
const LIMIT: usize = 500;

/// A literal that must stand in the line, what it says, and the parts of it.
struct Shape {
    literal: &'static str,
    kind: KernelKind,
    regex: &'static str,
}

/// The special before the general (Linux 4 to 6).
const SHAPES: [Shape; 6] = [
    Shape {
        literal: "constraint=CONSTRAINT_MEMCG",
        kind: KernelKind::CgroupConstraint,
        regex: r"task_memcg=(?P<cgroup>[^,]*),task=(?P<task>[^,]*),pid=(?P<pid>\d+)",
    },
    Shape {
        literal: "constraint=CONSTRAINT_NONE",
        kind: KernelKind::NodeConstraint,
        regex: r"task_memcg=(?P<cgroup>[^,]*),task=(?P<task>[^,]*),pid=(?P<pid>\d+)",
    },
    Shape {
        literal: "Memory cgroup out of memory: Kill",
        kind: KernelKind::CgroupKill,
        regex: r"Kill(?:ed)? process (?P<pid>\d+) \((?P<task>[^)]*)\)(?:.*anon-rss:(?P<anon>\d+)kB)?",
    },
    Shape {
        literal: "Out of memory: Kill",
        kind: KernelKind::NodeKill,
        regex: r"Kill(?:ed)? process (?P<pid>\d+) \((?P<task>[^)]*)\)(?:.*anon-rss:(?P<anon>\d+)kB)?",
    },
    Shape { literal: "table full, dropping packet", kind: KernelKind::ConntrackFull, regex: "nf_conntrack" },
    Shape { literal: "bad checksum. From", kind: KernelKind::BadChecksum, regex: r"(?:UDP|TCP): bad checksum" },
];

static REGEXES: LazyLock<Vec<Option<Regex>>> =
    LazyLock::new(|| SHAPES.iter().map(|shape| Regex::new(shape.regex).ok()).collect());
/// The literals of all shapes at once.
static LITERALS: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::new(SHAPES.iter().map(|shape| shape.literal)).ok());
static POD_UID: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"pod([0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12})").ok());

/// Reads the kernel's lines of a section; lines of other programs are passed over.
pub fn read(section: &Section, _: &Hints, facts: &mut Vec<Fact>, problems: &mut Vec<Problem>) {
    let mut reader = Reader::new(section.text.path().clone());
    for (number, line) in section.numbered() {
        reader.line(number, line);
    }
    reader.finish(facts, problems);
}

/// Reads kernel lines one after the other and keeps those that matter.
pub struct Reader {
    path: Arc<str>,
    kept: Vec<KernelLine>,
    left: u64,
}

impl Reader {
    /// A reader for the file `path`.
    pub fn new(path: Arc<str>) -> Self {
        Reader { path, kept: Vec::new(), left: 0 }
    }

    /// Takes one line; `number` counts in the whole file.
    pub fn line(&mut self, number: u32, line: &str) {
        let Some(found) = kernel_line(&self.path, number, line) else { return };
        if self.kept.len() < LIMIT {
            self.kept.push(found);
        } else {
            self.left += 1;
        }
    }

    /// Hands over what was found.
    pub fn finish(self, facts: &mut Vec<Fact>, problems: &mut Vec<Problem>) {
        facts.extend(self.kept.into_iter().map(|line| Fact::Kernel(Box::new(line))));
        if self.left > 0 {
            let message = format!("{} more kernel lines like those before were not kept", self.left);
            problems.push(Problem::of(&self.path, message));
        }
    }
}

fn kernel_line(path: &Arc<str>, number: u32, line: &str) -> Option<KernelLine> {
    let literals = LITERALS.as_ref()?;
    let index = literals.find_iter(line).map(|found| found.pattern().as_usize()).min()?;
    let captures = REGEXES.get(index)?.as_ref()?.captures(line)?;
    let part = |name: &str| captures.name(name).map(|found| found.as_str());
    Some(KernelLine {
        kind: SHAPES[index].kind,
        task: part("task").unwrap_or("").to_owned(),
        pid: part("pid").and_then(|text| text.parse().ok()),
        pod_uid: part("cgroup").and_then(pod_uid),
        anon_rss: part("anon").and_then(|text| text.parse::<u64>().ok()?.checked_mul(1024)),
        at: wall_clock(line),
        quote: Quote::new(path, number, line),
    })
}

/// `/kubepods/burstable/podUID/…`, and `…-podUID_with_underscores.slice` under the systemd driver.
fn pod_uid(cgroup: &str) -> Option<String> {
    Some(POD_UID.as_ref()?.captures(cgroup)?.get(1)?.as_str().replace('_', "-"))
}

/// `[Thu Mar 19 16:22:40 2026]` of `dmesg -T`, or an RFC 3339 time in front. Seconds since boot are no wall clock.
fn wall_clock(line: &str) -> Option<Timestamp> {
    if let Some(inner) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
        let words: Vec<&str> = inner.split_whitespace().collect();
        let [_, month, day, clock, year] = words.as_slice() else { return None };
        let month = crate::time::month(month)?;
        return crate::time::parse(&format!("{year}-{month:02}-{:0>2}T{clock}Z", day));
    }
    crate::time::parse(line.split_whitespace().next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shape_is_told_apart() {
        let uid = "0a1b2c3d-1111-2222-3333-0123456789ab";
        let slice = uid.replace('-', "_");
        for (line, kind, task, anon) in [
            (
                format!("[Thu Mar 19 16:22:40 2026] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=a,mems_allowed=0,oom_memcg=/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{slice}.slice,task_memcg=/kubepods.slice/kubepods-burstable-pod{slice}.slice/cri-b.scope,task=coredns,pid=77,uid=0"),
                KernelKind::CgroupConstraint,
                "coredns",
                None,
            ),
            (
                "[12.5] Memory cgroup out of memory: Killed process 77 (coredns) total-vm:900000kB, anon-rss:170000kB, file-rss:10kB".into(),
                KernelKind::CgroupKill,
                "coredns",
                Some(170_000 * 1024),
            ),
            (
                "Memory cgroup out of memory: Kill process 77 (coredns) score 1900 or sacrifice child".into(),
                KernelKind::CgroupKill,
                "coredns",
                None,
            ),
            ("Out of memory: Killed process 9 (java) total-vm:1kB, anon-rss:5kB".into(), KernelKind::NodeKill, "java", Some(5120)),
            ("kernel: nf_conntrack: nf_conntrack: table full, dropping packet".into(), KernelKind::ConntrackFull, "", None),
            ("UDP: bad checksum. From 10.0.0.1:53 to 10.0.0.2:8472 ulen 75".into(), KernelKind::BadChecksum, "", None),
        ] {
            let found = kernel_line(&"k".into(), 1, &line).unwrap();
            assert_eq!((found.kind, found.task.as_str(), found.anon_rss), (kind, task, anon), "{line}");
            if kind == KernelKind::CgroupConstraint {
                assert_eq!(found.pod_uid.as_deref(), Some(uid));
                assert_eq!(found.at.unwrap().to_string(), "2026-03-19T16:22:40Z");
            }
        }
        assert!(kernel_line(&"k".into(), 1, "eth0: link up").is_none());
    }
}
