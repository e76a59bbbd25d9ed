//! The incident in the layout of every collector.

use serde_json::{Value, json};

use crate::incident::{self as i, Form, NAMESPACE, NODE, PODS};

/// Files by path.
pub type Files = Vec<(String, Vec<u8>)>;

/// Which facts of the incident a layout holds.
#[derive(Clone, Copy)]
pub struct Facts {
    /// Pods, events, Service, Deployment, nodes.
    pub objects: bool,
    pub config_map: bool,
    pub current: bool,
    pub previous: bool,
    pub resolv_conf: bool,
    pub form: Form,
}

/// Everything that a cluster's collector has.
pub const ALL: Facts =
    Facts { objects: true, config_map: true, current: true, previous: true, resolv_conf: false, form: Form::Plain };

/// A collector's layout.
pub struct Layout {
    pub name: &'static str,
    pub facts: Facts,
    pub files: fn(Facts) -> Files,
}

pub const LAYOUTS: &[Layout] = &[
    Layout { name: "troubleshoot", facts: ALL, files: troubleshoot },
    Layout { name: "troubleshoot, old", facts: ALL, files: old_troubleshoot },
    Layout { name: "must-gather", facts: Facts { form: Form::Timestamps, ..ALL }, files: must_gather },
    Layout { name: "insights", facts: Facts { previous: false, ..ALL }, files: insights },
    Layout { name: "rancher", facts: Facts { form: Form::Timestamps, resolv_conf: true, ..ALL }, files: rancher },
    Layout { name: "cluster-info dump", facts: Facts { config_map: false, previous: false, ..ALL }, files: dump },
    Layout {
        name: "cluster-info dump, one stream",
        facts: Facts { config_map: false, previous: false, ..ALL },
        files: dumped,
    },
    Layout {
        name: "eks",
        facts: Facts { objects: false, config_map: false, resolv_conf: true, form: Form::Cri, ..ALL },
        files: eks,
    },
    Layout {
        name: "aks-periscope",
        facts: Facts { objects: false, config_map: false, previous: false, ..ALL },
        files: periscope,
    },
    Layout { name: "sos", facts: Facts { previous: false, resolv_conf: true, ..ALL }, files: sos },
    Layout { name: "kind", facts: Facts { objects: false, config_map: false, form: Form::Cri, ..ALL }, files: kind },
    Layout { name: "kubectl-gather", facts: ALL, files: gather },
    Layout {
        name: "rke2 and k3s, on the node",
        facts: Facts { objects: false, config_map: false, form: Form::Cri, resolv_conf: true, ..ALL },
        files: node_folder,
    },
    Layout { name: "hand-made", facts: Facts { resolv_conf: true, ..ALL }, files: pile },
    Layout { name: "a transcript", facts: Facts { resolv_conf: true, ..ALL }, files: transcript },
    Layout { name: "a traced script", facts: Facts { resolv_conf: true, ..ALL }, files: traced },
    Layout { name: "an issue in Markdown", facts: Facts { resolv_conf: true, ..ALL }, files: markdown },
    Layout { name: "from PowerShell", facts: ALL, files: power_shell },
];

/// The lists of objects, by the names that collectors give them.
fn lists() -> [(&'static str, Vec<Value>); 4] {
    [
        ("pods", i::pods()),
        ("events", i::events()),
        ("services", vec![i::service()]),
        ("deployments", vec![i::deployment()]),
    ]
}

fn list(items: &[Value]) -> Value {
    json!({"apiVersion": "v1", "items": items, "kind": "List"})
}

fn pretty(value: &Value) -> Vec<u8> {
    serde_json::to_vec_pretty(value).unwrap()
}

fn yaml(value: &Value) -> Vec<u8> {
    format!("---\n{}", serde_yaml::to_string(value).unwrap()).into_bytes()
}

/// Files while they are gathered.
struct Gathered {
    files: Files,
    facts: Facts,
}

impl Gathered {
    fn new(facts: Facts) -> Self {
        Gathered { files: Vec::new(), facts }
    }

    fn add(&mut self, path: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.files.push((path.into(), content.into()));
    }

    /// The logs of both pods, each where `path` says for a pod and a run (1 is the one before).
    fn logs(&mut self, path: impl Fn(&str, usize) -> String) {
        let runs = [(0, self.facts.current), (1, self.facts.previous)];
        for (run, _) in runs.into_iter().filter(|(_, wanted)| *wanted) {
            for pod in PODS {
                self.add(path(pod, run), i::log(pod, run, self.facts.form));
            }
        }
    }
}

/// The layout that the others are compared with, for any facts.
pub fn troubleshoot(facts: Facts) -> Files {
    let mut out = Gathered::new(facts);
    let root = "support-bundle-2026-03-19T07_45_00/cluster-resources";
    if facts.objects {
        for (name, items) in lists() {
            out.add(format!("{root}/{name}/{NAMESPACE}.json"), pretty(&list(&items)));
        }
        out.add(format!("{root}/nodes.json"), pretty(&list(&[i::node()])));
    }
    if facts.config_map {
        out.add(format!("{root}/configmaps/{NAMESPACE}.json"), pretty(&list(&[i::config_map()])));
    }
    let ending = |run| if run == 0 { "" } else { "-previous" };
    out.logs(|pod, run| format!("{root}/pods/logs/{NAMESPACE}/{pod}/coredns{}.log", ending(run)));
    if facts.resolv_conf {
        out.add(format!("nodes/{NODE}.zip!/etc/resolv.conf").replace(".zip!", ".tar.gz"), i::RESOLV_CONF);
    }
    out.files
}

fn old_troubleshoot(facts: Facts) -> Files {
    let ending = |run| if run == 0 { "" } else { "-previous" };
    let mut out = Gathered { files: troubleshoot(Facts { current: false, previous: false, ..facts }), facts };
    out.logs(|pod, run| format!("support-bundle/coredns-logs/{pod}/coredns{}.log", ending(run)));
    out.files
}

fn must_gather(facts: Facts) -> Files {
    let mut out = Gathered::new(facts);
    let root = format!("quay-io-release-sha256-1a2b/namespaces/{NAMESPACE}");
    for (name, items) in lists() {
        let group = if name == "deployments" { "apps" } else { "core" };
        out.add(format!("{root}/{group}/{name}.yaml"), yaml(&list(&items)));
    }
    out.add("quay-io-release-sha256-1a2b/cluster-scoped-resources/core/nodes.yaml", yaml(&list(&[i::node()])));
    out.add(format!("{root}/core/configmaps.yaml"), yaml(&list(&[i::config_map()])));
    let name = |run| if run == 0 { "current" } else { "previous" };
    out.logs(|pod, run| format!("{root}/pods/{pod}/coredns/coredns/logs/{}.log", name(run)));
    out.files
}

fn insights(facts: Facts) -> Files {
    let mut out = Gathered::new(facts);
    for pod in i::pods() {
        out.add(format!("config/pod/{NAMESPACE}/{}.json", pod["metadata"]["name"].as_str().unwrap()), pretty(&pod));
    }
    out.add(format!("events/{NAMESPACE}.json"), pretty(&list(&i::events())));
    out.add(format!("config/service/{NAMESPACE}.json"), pretty(&list(&[i::service()])));
    out.add(format!("config/deployment/{NAMESPACE}.json"), pretty(&list(&[i::deployment()])));
    out.add(format!("config/node/{NODE}.json"), pretty(&i::node()));
    out.add(format!("config/configmaps/{NAMESPACE}/coredns/Corefile"), i::corefile());
    out.logs(|pod, _| format!("config/pod/{NAMESPACE}/logs/{pod}/containers/coredns/logs/last-100-lines.log"));
    out.files
}

fn rancher(facts: Facts) -> Files {
    let mut out = Gathered::new(facts);
    let root = "supportbundle_0d1e2f3a_2026-03-19T07-45-00Z";
    for (name, items) in lists() {
        let group = if name == "deployments" { "apps/v1" } else { "v1" };
        out.add(format!("{root}/yamls/namespaced/{NAMESPACE}/{group}/{name}.yaml"), yaml(&list(&items)));
    }
    out.add(format!("{root}/yamls/namespaced/{NAMESPACE}/v1/configmaps.yaml"), yaml(&list(&[i::config_map()])));
    out.add(format!("{root}/yamls/cluster/v1/nodes.yaml"), yaml(&list(&[i::node()])));
    let ending = |run| if run == 0 { "" } else { ".1" };
    out.logs(|pod, run| format!("{root}/logs/{NAMESPACE}/{pod}/coredns.log{}", ending(run)));
    let node = crate::packing::zip(&vec![("etc/resolv.conf".to_owned(), i::RESOLV_CONF.into())]);
    out.add(format!("{root}/nodes/{NODE}.zip"), node);
    out.files
}

/// A log between the marks of `kubectl cluster-info dump`.
fn marked(pod: &str) -> String {
    let log = i::log(pod, 0, Form::Plain);
    format!(
        "==== START logs for container coredns of pod {NAMESPACE}/{pod} ====\n{log}==== END logs for container coredns of pod {NAMESPACE}/{pod} ====\n"
    )
}

fn dump(facts: Facts) -> Files {
    let mut out = Gathered::new(facts);
    for (name, items) in lists() {
        out.add(format!("{NAMESPACE}/{name}.json"), pretty(&list(&items)));
    }
    out.add("nodes.json", pretty(&list(&[i::node()])));
    for pod in PODS {
        out.add(format!("{NAMESPACE}/{pod}/logs.txt"), marked(pod));
    }
    out.files
}

fn dumped(facts: Facts) -> Files {
    let mut text = Vec::new();
    for (path, content) in dump(facts) {
        text.extend(content);
        text.extend(if path.ends_with(".json") { &b"\n"[..] } else { b"" });
    }
    vec![("cluster-info.txt".to_owned(), text)]
}

/// kubelet's folders below a root; the run is counted in the name.
fn kubelet_logs(out: &mut Gathered, root: &str) {
    let runs = |run: usize| 12 - run;
    out.logs(|pod, run| {
        format!("{root}/{NAMESPACE}_{pod}_0a1b2c3d-0000-4000-8000-000000000000/coredns/{}.log", runs(run))
    });
}

fn eks(facts: Facts) -> Files {
    let mut out = Gathered::new(facts);
    kubelet_logs(&mut out, "./var_log");
    out.add("./networking/resolv.conf", i::RESOLV_CONF);
    out.files
}

fn kind(facts: Facts) -> Files {
    let mut out = Gathered::new(facts);
    kubelet_logs(&mut out, "kind-worker/pods");
    out.files
}

fn node_folder(facts: Facts) -> Files {
    let mut out = Gathered::new(facts);
    kubelet_logs(&mut out, "var/log/pods");
    out.add("etc/resolv.conf", i::RESOLV_CONF);
    out.files
}

fn periscope(facts: Facts) -> Files {
    let mut out = Gathered::new(facts);
    for pod in PODS {
        let content = json!({"name": pod, "ready": "0/1", "status": "Running", "restart": 12, "age": 2_700_000_000_000u64,
            "containerName": "coredns", "containerLog": i::log(pod, 0, facts.form)});
        out.add(format!("podscontainerlogs/{pod}-coredns"), serde_json::to_vec(&content).unwrap());
    }
    out.files
}

fn sos(facts: Facts) -> Files {
    let mut out = Gathered::new(facts);
    let root = "sosreport-worker-1/sos_commands/kubernetes/cluster-info";
    for (name, items) in lists() {
        out.add(
            format!("{root}/{NAMESPACE}/kubectl_get_-o_json_--namespace_{NAMESPACE}_{name}"),
            pretty(&list(&items)),
        );
    }
    out.add(
        format!("{root}/{NAMESPACE}/kubectl_get_-o_json_--namespace_{NAMESPACE}_configmaps"),
        pretty(&list(&[i::config_map()])),
    );
    out.add(format!("{root}/kubectl_get_-o_json_nodes"), pretty(&list(&[i::node()])));
    out.logs(|pod, _| {
        format!("{root}/{NAMESPACE}/podlogs/{pod}/kubectl_--namespace_{NAMESPACE}_logs_{pod}_-c_coredns")
    });
    out.add("sosreport-worker-1/etc/resolv.conf", i::RESOLV_CONF);
    out.files
}

fn gather(facts: Facts) -> Files {
    let mut out = Gathered::new(facts);
    let one = |folder: &str, object: &Value| {
        (
            format!("c1/namespaces/{NAMESPACE}/{folder}/{}.yaml", object["metadata"]["name"].as_str().unwrap()),
            yaml(object),
        )
    };
    for (name, items) in lists() {
        let folder = if name == "deployments" { "deployments.apps" } else { name };
        for item in items {
            let (path, content) = one(folder, &item);
            out.add(path, content);
        }
    }
    let (path, content) = one("configmaps", &i::config_map());
    out.add(path, content);
    out.add(format!("c1/cluster/nodes/{NODE}.yaml"), yaml(&i::node()));
    let name = |run| if run == 0 { "current" } else { "previous" };
    out.logs(|pod, run| format!("c1/namespaces/{NAMESPACE}/pods/{pod}/coredns/{}.log", name(run)));
    out.files
}

fn pile(facts: Facts) -> Files {
    let mut out = Gathered::new(facts);
    for (name, items) in lists() {
        out.add(format!("{name}.json"), pretty(&list(&items)));
    }
    out.add("the nodes.json", pretty(&list(&[i::node()])));
    out.add("cm.yaml", serde_yaml::to_string(&i::config_map()).unwrap());
    let ending = |run| if run == 0 { "" } else { ".previous" };
    out.logs(|pod, run| format!("logs {NAMESPACE} {pod}{}.txt", ending(run)));
    out.add("resolv.conf from the node", i::RESOLV_CONF);
    out.files
}

/// What somebody typed, and what came out.
fn commands(facts: Facts) -> Vec<(String, Vec<u8>)> {
    let mut said: Vec<(String, Vec<u8>)> = Vec::new();
    for (name, items) in lists() {
        said.push((format!("kubectl get {name} -n {NAMESPACE} -o json"), pretty(&list(&items))));
    }
    said.push(("kubectl get nodes -o json".to_owned(), pretty(&list(&[i::node()]))));
    said.push((
        format!("kubectl get cm coredns -n {NAMESPACE} -o yaml"),
        serde_yaml::to_string(&i::config_map()).unwrap().into_bytes(),
    ));
    for (run, option) in [(0, ""), (1, " --previous")] {
        for pod in PODS {
            said.push((
                format!("kubectl logs -n {NAMESPACE} {pod} -c coredns{option}"),
                i::log(pod, run, facts.form).into_bytes(),
            ));
        }
    }
    said.push(("cat /etc/resolv.conf".to_owned(), i::RESOLV_CONF.into()));
    said
}

fn one_text(facts: Facts, name: &str, write: impl Fn(&str, &str) -> String) -> Files {
    let text: String = commands(facts)
        .iter()
        .map(|(command, output)| write(command, String::from_utf8_lossy(output).trim_end()))
        .collect();
    vec![(name.to_owned(), text.into_bytes())]
}

fn transcript(facts: Facts) -> Files {
    one_text(facts, "session.txt", |command, output| format!("root@{NODE}:~# {command}\n{output}\n"))
}

fn traced(facts: Facts) -> Files {
    one_text(facts, "collect.out", |command, output| format!("+ {command}\n{output}\n"))
}

fn markdown(facts: Facts) -> Files {
    one_text(facts, "issue.md", |command, output| format!("Then I ran `{command}`:\n\n```\n{output}\n```\n\n"))
}

fn power_shell(facts: Facts) -> Files {
    let utf16 = |content: &[u8]| -> Vec<u8> {
        let text = String::from_utf8_lossy(content).replace('\n', "\r\n");
        [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
    };
    let mut files = pile(Facts { resolv_conf: false, ..facts });
    files.retain(|(path, _)| !path.starts_with("resolv.conf"));
    files.into_iter().map(|(path, content)| (path, utf16(&content))).collect()
}
