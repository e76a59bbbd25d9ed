//! What an entry's path hints at, from the layouts of the collectors and from the names that people give.

use std::sync::LazyLock;

use super::{Hints, command};

/// Layouts with the end of the path they match; `{x}` takes a part of one segment, `**` any segments behind,
/// `{generated}` a pod's name with a generated end.
/// The first that matches wins; what it leaves open the next tables fill.
/// Sources: the collectors' own code (troubleshoot, must-gather, insights-operator, support-bundle-kit, kubectl,
/// eks-log-collector, aks-periscope, kind, kubectl-gather), December 2026.
const LOGS: &[&str] = &[
    // troubleshoot
    "pods/logs/{ns}/{pod}/{c}-previous.log",
    "pods/logs/{ns}/{pod}/{c}-logs-errors.log",
    "pods/logs/{ns}/{pod}/{c}.log",
    "pods/logs/{ns}/{pod}-previous.log",
    "pods/logs/{ns}/{pod}.log",
    // must-gather and kubectl-gather
    "namespaces/{ns}/pods/{pod}/{c}/{_}/logs/rotated/{_}",
    "namespaces/{ns}/pods/{pod}/{c}/{_}/logs/{_}.log",
    "namespaces/{ns}/pods/{pod}/{c}/{_}.log",
    "namespaces/{ns}/pods/{pod}/{_}.yaml",
    // insights operator
    "config/pod/{ns}/logs/{pod}/containers/{c}/logs/{_}",
    "config/pod/{ns}/logs/{pod}/{_}.log",
    "config/pod/{ns}/{pod}.json",
    // kubelet's folders: EKS collector, kind, /var/log/pods in a sosreport
    "log/pods/{ns}_{pod}_{_}/{c}/{run}.log",
    "log/pods/{ns}_{pod}_{_}/{c}/{run}.log.{_}",
    "var_log/{ns}_{pod}_{_}/{c}/{run}.log",
    "var_log/{ns}_{pod}_{_}/{c}/{run}.log.{_}",
    "{node}/pods/{ns}_{pod}_{_}/{c}/{run}.log",
    "{node}/pods/{ns}_{pod}_{_}/{c}/{run}.log.{_}",
    "{ns}_{pod}_{_}/{c}/{run}.log",
    "log/containers/{pod}_{ns}_{c}-{id}.log",
    "var_log/{pod}_{ns}_{c}-{id}.log",
    "{node}/containers/{pod}_{ns}_{c}-{id}.log",
    "{pod}_{ns}_{c}-{id}.log",
    // rancher support-bundle-kit: `.log.1` is the run before, not a rotated file
    "logs/{ns}/{pod}/{c}.log.1",
    "logs/{ns}/{pod}/{c}.log",
    // kubectl cluster-info dump
    "{ns}/{pod}/logs.txt",
    // aks-periscope
    "podscontainerlogs/{pod}",
    // troubleshoot, under the collector's name
    "{_}/{generated}/{c}-previous.log",
    "{_}/{generated}/{c}.log",
];

/// Layouts that say whose objects these are.
const NAMESPACES: &[&str] = &[
    "namespaces/{ns}/**",
    "cluster-resources/{_}/{ns}.json",
    "cluster-resources/{_}/{ns}.yaml",
    "cluster-resources/custom-resources/{_}/{ns}.json",
    "cluster-resources/custom-resources/{_}/{ns}.yaml",
    "yamls/namespaced/{ns}/**",
    "configmaps/{ns}/**",
    "cluster-info/{ns}/**",
    "config/pod/{ns}/**",
    "events/{ns}.json",
    "kubeobjects/{ns}_{_}",
    "{ns}/pods.json",
    "{ns}/events.json",
    "{ns}/services.json",
    "{ns}/deployments.json",
    "{ns}/replicasets.json",
    "{ns}/daemonsets.json",
];

/// Layouts that say which node the files are from.
const NODES: &[&str] = &[
    "nodes/{node}.zip/**",
    "nodes/{node}.tar.gz/**",
    "node-metrics/{node}.json",
    "sysctl/{node}",
    "{node}/kubelet.log",
    "{node}/journal.log",
    "{node}/containerd.log",
    "{node}/kubernetes-version.txt",
];

/// Folders that are not a node, a namespace or a pod, although they stand where one would.
const NO_NAMES: &[&str] =
    &["", ".", "bundle", "kubelet", "log", "logs", "node", "nodes", "pods", "var", "var_log", "files"];

/// Words in front of a pod's name in names that people give.
const LEADING: &[&str] =
    &["log", "logs", "metrics", "describe", "desc", "get", "pod", "pods", "po", "previous", "prev", "kubectl", "yaml"];

/// Namespaces in which cluster DNS lives; people put them into names.
const DNS_NAMESPACES: &[&str] = &["kube-system", "openshift-dns-operator", "openshift-dns"];

/// The tables above, taken apart once.
static LAYOUTS: LazyLock<Layouts> = LazyLock::new(|| {
    let all = |table: &[&'static str]| table.iter().map(|layout| Layout::of(layout)).collect();
    Layouts { logs: all(LOGS), namespaces: all(NAMESPACES), nodes: all(NODES) }
});

struct Layouts {
    logs: Vec<Layout>,
    namespaces: Vec<Layout>,
    nodes: Vec<Layout>,
}

fn first(table: &[Layout], segments: &[&str]) -> Hints {
    table.iter().find_map(|layout| layout.read(segments)).unwrap_or_default()
}

/// Reads the hints of a path. Members of nested containers are written `outer.zip!/inner`.
pub fn hints(path: &str) -> Hints {
    let whole = path.replace("!/", "/").replace('\\', "/");
    let segments: Vec<&str> = whole.split('/').filter(|segment| !segment.is_empty() && *segment != ".").collect();
    let name = segments.last().copied().unwrap_or_default();
    let mut hints = command::from_file_name(name).map(|text| command::hints(&text)).unwrap_or_default();
    if hints == Hints::default() {
        hints = first(&LAYOUTS.logs, &segments);
    }
    for table in [&LAYOUTS.namespaces, &LAYOUTS.nodes] {
        hints = hints.or(&first(table, &segments));
    }
    hints = hints.or(&hand_made(name));
    let is_rancher = segments.len() >= 4 && name.ends_with(".log.1") && segments[segments.len() - 4] == "logs";
    let folder = segments.len().checked_sub(2).and_then(|at| segments.get(at)).copied().unwrap_or_default();
    hints.previous |= is_rancher || is_previous(name) || is_previous_folder(folder);
    hints
}

/// A layout taken apart.
struct Layout {
    /// Each segment's pieces.
    segments: Vec<Vec<Piece>>,
    /// Whether further segments follow (`**`).
    open: bool,
}

/// A piece of a segment: literal text, or a field that ends where the next literal begins.
enum Piece {
    Literal(&'static str),
    Field(&'static str),
}

impl Layout {
    fn of(layout: &'static str) -> Self {
        let (layout, open) = layout.strip_suffix("/**").map_or((layout, false), |layout| (layout, true));
        Layout { segments: layout.split('/').map(pieces).collect(), open }
    }

    /// What the path says if it has this layout.
    fn read(&self, segments: &[&str]) -> Option<Hints> {
        let length = self.segments.len();
        if self.open {
            return segments.windows(length).rev().skip(1).find_map(|window| self.read_all(window));
        }
        self.read_all(segments.get(segments.len().checked_sub(length)?..)?)
    }

    fn read_all(&self, segments: &[&str]) -> Option<Hints> {
        let mut hints = Hints::default();
        // From the end: names of files tell layouts apart best.
        for (pieces, segment) in self.segments.iter().zip(segments).rev() {
            read_segment(pieces, segment, &mut hints)?;
        }
        Some(hints)
    }
}

fn pieces(mut part: &'static str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    while let Some((literal, rest)) = part.split_once('{') {
        let (field, after) = rest.split_once('}').unwrap_or((rest, ""));
        pieces.extend([Piece::Literal(literal), Piece::Field(field)]);
        part = after;
    }
    pieces.push(Piece::Literal(part));
    pieces
}

/// Matches one segment, for example `{ns}_{pod}_{_}`: each field ends where the next literal text begins.
fn read_segment(pieces: &[Piece], mut segment: &str, hints: &mut Hints) -> Option<()> {
    for (index, piece) in pieces.iter().enumerate() {
        let field = match piece {
            Piece::Literal(literal) => {
                segment = segment.strip_prefix(literal)?;
                continue;
            }
            Piece::Field(field) => field,
        };
        let Some(Piece::Literal(literal)) = pieces.get(index + 1) else { return None };
        let is_last = index + 2 == pieces.len();
        let end = match literal.is_empty() {
            true => segment.len(),
            // The last literal is the end of the segment; a container's id is behind the last `-`.
            false if is_last => segment.strip_suffix(literal)?.len(),
            false if *literal == "-" => segment.rfind(literal)?,
            false => segment.find(literal)?,
        };
        let (value, rest) = segment.split_at(end);
        set(field, value, hints)?;
        segment = rest;
    }
    segment.is_empty().then_some(())
}

fn set(field: &str, value: &str, hints: &mut Hints) -> Option<()> {
    if value.is_empty() {
        return None;
    }
    match field {
        "run" => hints.run = Some(value.parse().ok()?),
        "id" if value.len() < 12 || !value.chars().all(|c| c.is_ascii_hexdigit()) => return None,
        "id" | "_" => {}
        _ if NO_NAMES.contains(&value) || !is_name(value) => return None,
        "ns" => hints.namespace = Some(value.to_owned()),
        "pod" if !is_pod(value) => return None,
        "generated" if value.rsplit('-').next().is_none_or(|end| end == value || !is_suffix(end)) => return None,
        "pod" | "generated" => hints.pod = Some(value.to_owned()),
        "c" => hints.container = Some(value.to_owned()),
        "node" => hints.node = Some(value.to_owned()),
        _ => return None,
    }
    Some(())
}

/// What Kubernetes allows in names.
fn is_name(text: &str) -> bool {
    text.len() <= 253 && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c))
}

/// Whether it can be a pod's name: those that a controller or kubelet makes have a `-`.
fn is_pod(text: &str) -> bool {
    text.contains('-')
}

/// Whether a part of a name was generated by Kubernetes: five characters of its alphabet without vowels.
fn is_suffix(part: &str) -> bool {
    part.len() == 5 && part.chars().all(|c| "bcdfghjklmnpqrstvwxz2456789".contains(c))
}

fn is_hash(part: &str) -> bool {
    (7..=10).contains(&part.len())
        && part.chars().all(|c| "bcdfghjklmnpqrstvwxz2456789".contains(c) || c.is_ascii_hexdigit())
}

/// A name that a person gave: a pod's name or the end of one, a namespace.
fn hand_made(name: &str) -> Hints {
    let namespace = DNS_NAMESPACES.iter().find(|namespace| name.contains(**namespace));
    let name = namespace.map_or(name.to_owned(), |namespace| name.replace(namespace, ""));
    let stems = name.split(['.', '_', ' ', '(', ')']);
    Hints {
        namespace: namespace.map(|name| (*name).to_owned()),
        pod: stems.into_iter().find_map(pod_in),
        ..Hints::default()
    }
}

/// The pod's name in `logs-coredns-845757d86-sw6sv-previous` or `describe-h2w8f`.
fn pod_in(stem: &str) -> Option<String> {
    let parts: Vec<&str> = stem.split('-').collect();
    let end = parts.iter().rposition(|part| is_suffix(part))?;
    let hashed = end.checked_sub(1).and_then(|before| parts.get(before)).is_some_and(|part| is_hash(part));
    // Without a hash before it, five letters could be a word; with a digit among them they are none.
    if !hashed && !parts[end].contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let start = parts.iter().position(|part| !LEADING.contains(part)).unwrap_or(end).min(end);
    let name = parts[start..=end].join("-");
    is_name(&name).then_some(name)
}

/// `coredns-prev.log`, `coredns.previous.log`, `logs-p.txt`, `previous.insecure.log`.
fn is_previous(name: &str) -> bool {
    let mut words = name.split(['-', '_', '.', ' ', '(', ')']).map(str::to_ascii_lowercase);
    let stem = name.split('.').next().unwrap_or_default();
    words.any(|word| matches!(word.as_str(), "prev" | "previous" | "--previous"))
        || ["-p", "_p", " -p"].iter().any(|ending| stem.ends_with(ending))
}

fn is_previous_folder(folder: &str) -> bool {
    let mut words = folder.split(['-', '_', '.', ' ']);
    words.any(|word| word.eq_ignore_ascii_case("prev") || word.eq_ignore_ascii_case("previous"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0f3c7a1b9d2e4f506172839405a6b7c8d9e0f1a2b3c4d5e6f708192a3b4c5d6e";

    /// Namespace, pod, container, node, run, previous.
    fn found(path: &str) -> String {
        let hints = hints(&path.replace("ID", ID));
        let word = |value: Option<String>| value.unwrap_or_else(|| "-".into());
        let run = hints.run.map_or("-".into(), |run| run.to_string());
        let previous = if hints.previous { "previous" } else { "" };
        let words = [word(hints.namespace), word(hints.pod), word(hints.container), word(hints.node), run];
        format!("{} {previous}", words.join(" ")).trim_end().to_owned()
    }

    #[test]
    fn layouts_of_collectors_are_known() {
        let cases = [
            ("b/cluster-resources/pods/logs/dns/coredns-1/coredns.log", "dns coredns-1 coredns - -"),
            ("b/cluster-resources/pods/logs/dns/coredns-1/coredns-previous.log", "dns coredns-1 coredns - - previous"),
            ("b/cluster-resources/pods/kube-system.json", "kube-system - - - -"),
            ("b/configmaps/kube-system/coredns.json", "kube-system - - - -"),
            ("b/node-metrics/worker-1.json", "- - - worker-1 -"),
            ("b/dns-logs/coredns-6b8d6d7b8c-89lz4/coredns.log", "- coredns-6b8d6d7b8c-89lz4 coredns - -"),
            (
                "q-sha256-1/namespaces/openshift-dns/pods/dns-default-x/dns/dns/logs/current.log",
                "openshift-dns dns-default-x dns - -",
            ),
            (
                "q/namespaces/openshift-dns/pods/dns-default-x/dns/dns/logs/previous.insecure.log",
                "openshift-dns dns-default-x dns - - previous",
            ),
            ("q/namespaces/openshift-dns/core/configmaps.yaml", "openshift-dns - - - -"),
            ("q/namespaces/openshift-dns/pods/dns-default-x/dns-default-x.yaml", "openshift-dns dns-default-x - - -"),
            (
                "c1/namespaces/kube-system/pods/coredns-1/coredns/previous.log",
                "kube-system coredns-1 coredns - - previous",
            ),
            (
                "config/pod/openshift-dns/logs/dns-default-x/containers/dns/logs/last-100-lines.log",
                "openshift-dns dns-default-x dns - -",
            ),
            ("sb/logs/kube-system/coredns-1/coredns.log", "kube-system coredns-1 coredns - -"),
            ("sb/logs/kube-system/coredns-1/coredns.log.1", "kube-system coredns-1 coredns - - previous"),
            ("sb/yamls/namespaced/kube-system/v1/configmaps.yaml", "kube-system - - - -"),
            ("sb/nodes/w-1.zip!/logs/kubelet.log", "- - - w-1 -"),
            ("kube-system/coredns-1/logs.txt", "kube-system coredns-1 - - -"),
            ("dump/kube-system/pods.json", "kube-system - - - -"),
            ("./var_log/coredns-1_kube-system_coredns-ID.log", "kube-system coredns-1 coredns - -"),
            ("var_log/kube-system_coredns-1_ab-cd/coredns/3.log", "kube-system coredns-1 coredns - 3"),
            (
                "kind-worker/pods/kube-system_coredns-1_ab-cd/coredns/0.log",
                "kube-system coredns-1 coredns kind-worker 0",
            ),
            (
                "kind-worker/containers/coredns-1_kube-system_coredns-ID.log",
                "kube-system coredns-1 coredns kind-worker -",
            ),
            ("kind-worker/kubelet.log", "- - - kind-worker -"),
            (
                "s.tar.xz!/sos_commands/kubernetes/cluster-info/dns/podlogs/c-1/kubectl_--namespace_dns_logs_c-1_-c_coredns",
                "dns c-1 coredns - -",
            ),
            ("sos_commands/kubernetes/cluster-info/dns/kubectl_get_-o_json_--namespace_dns_pods", "dns - - - -"),
            ("kubeobjects/kube-system_pod_coredns-1", "kube-system - - - -"),
        ];
        for (path, expected) in cases {
            assert_eq!(found(path), expected, "{path}");
        }
    }

    #[test]
    fn names_that_people_give_are_read() {
        let cases = [
            ("logs-coredns-845757d86-sw6sv-previous.txt", "- coredns-845757d86-sw6sv - - - previous"),
            ("coredns-668d6bf9bc-h5zb4.previous.log", "- coredns-668d6bf9bc-h5zb4 - - - previous"),
            ("describe-h2w8f.txt", "- h2w8f - - -"),
            ("node-local-dns-2msql.log", "- node-local-dns-2msql - - -"),
            ("coredns-abc-prev.log", "- - - - - previous"),
            ("coredns-p.log", "- - - - - previous"),
            ("previous/coredns.log", "- - - - - previous"),
            ("get_pods_kube-system.txt", "kube-system - - - -"),
            ("kube-proxy.log", "- - - - -"),
            ("coredns.log", "- - - - -"),
            ("coredns.log.1", "- - - - -"),
            ("pods-dns.json", "- - - - -"),
        ];
        for (path, expected) in cases {
            assert_eq!(found(path), expected, "{path}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_path_is_read(path in ".{0,80}", tail in "[a-z{}_./!-]{0,60}") {
            hints(&path);
            hints(&format!("{path}/{tail}"));
        }
    }
}
