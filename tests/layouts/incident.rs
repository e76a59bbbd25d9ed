//! One incident: CoreDNS forwards to the node's resolver, which forwards back, so the `loop` plugin ends it.

use serde_json::{Value, json};

/// The DNS pods.
pub const PODS: [&str; 2] = ["coredns-6f6b679f8f-9xkqz", "coredns-6f6b679f8f-tw2lm"];
/// Their namespace.
pub const NAMESPACE: &str = "kube-system";
/// The node of both.
pub const NODE: &str = "worker-1";

/// What each line of a log begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Plain,
    /// `kubectl logs --timestamps`.
    Timestamps,
    /// The runtime's files on the node.
    Cri,
}

/// The log of a run of the pod; 0 is the present one.
pub fn log(pod: &str, run: usize, form: Form) -> String {
    let number = PODS.iter().position(|name| *name == pod).unwrap();
    let lines = [
        ".:53".to_owned(),
        "[INFO] plugin/reload: Running configuration SHA512 = 591cf328cccc12bc490481273e738df59329c62c0b729d94e8b61db9961c2fa5f046dd37f1cf888b953814040d180f52594972691cd6ff41be96639138a43908".to_owned(),
        "CoreDNS-1.11.3".to_owned(),
        "linux/amd64, go1.21.11, a6338e9".to_owned(),
        format!("[FATAL] plugin/loop: Loop (127.0.0.1:{} -> :53) detected for zone \".\", see https://coredns.io/plugins/loop#troubleshooting. Query: \"HINFO {number}547991504243258144.368864889531509353{run}.\"", 40_000 + 7 * number + run),
    ];
    lines
        .into_iter()
        .enumerate()
        .map(|(second, line)| {
            let at = format!("2026-03-19T07:{:02}:{second:02}.{:09}Z", 40 - 5 * run, 1 + number);
            match form {
                Form::Plain => format!("{line}\n"),
                Form::Timestamps => format!("{at} {line}\n"),
                Form::Cri => format!("{at} stdout F {line}\n"),
            }
        })
        .collect()
}

const COREFILE: &str = ".:53 {\n    errors\n    health {\n       lameduck 5s\n    }\n    ready\n    kubernetes cluster.local in-addr.arpa ip6.arpa {\n       pods insecure\n       fallthrough in-addr.arpa ip6.arpa\n       ttl 30\n    }\n    prometheus :9153\n    forward . /etc/resolv.conf {\n       max_concurrent 1000\n    }\n    cache 30\n    loop\n    reload\n    loadbalance\n}\n";

pub fn config_map() -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "coredns", "namespace": NAMESPACE}, "data": {"Corefile": COREFILE}})
}

/// The text under the ConfigMap's one key.
pub fn corefile() -> &'static str {
    COREFILE
}

pub fn pod(name: &str) -> Value {
    let waiting = json!({"waiting": {"reason": "CrashLoopBackOff", "message": format!("back-off 5m0s restarting failed container=coredns pod={name}_kube-system")}});
    let ended = json!({"terminated": {"exitCode": 1, "reason": "Error", "startedAt": "2026-03-19T07:40:00Z", "finishedAt": "2026-03-19T07:40:05Z"}});
    json!({"apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": name, "namespace": NAMESPACE, "uid": format!("0000{}-1111", name.len()), "creationTimestamp": "2026-03-19T07:00:00Z",
            "labels": {"k8s-app": "kube-dns", "pod-template-hash": "6f6b679f8f"}},
        "spec": {"nodeName": NODE, "dnsPolicy": "Default", "containers": [{"name": "coredns", "image": "registry.k8s.io/coredns/coredns:v1.11.3",
            "resources": {"limits": {"memory": "170Mi"}, "requests": {"cpu": "100m", "memory": "70Mi"}}}]},
        "status": {"phase": "Running", "podIP": "10.244.1.7", "startTime": "2026-03-19T07:00:01Z",
            "conditions": [{"type": "Ready", "status": "False"}, {"type": "PodScheduled", "status": "True"}],
            "containerStatuses": [{"name": "coredns", "ready": false, "restartCount": 12, "image": "registry.k8s.io/coredns/coredns:v1.11.3",
                "containerID": "containerd://ab12", "state": waiting, "lastState": ended}]}})
}

pub fn pods() -> Vec<Value> {
    PODS.iter().map(|name| pod(name)).collect()
}

pub fn service() -> Value {
    json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "kube-dns", "namespace": NAMESPACE, "labels": {"k8s-app": "kube-dns"}},
        "spec": {"clusterIP": "10.96.0.10", "selector": {"k8s-app": "kube-dns"}, "ports": [
            {"name": "dns", "port": 53, "protocol": "UDP", "targetPort": 53}, {"name": "dns-tcp", "port": 53, "protocol": "TCP", "targetPort": 53}]}})
}

pub fn deployment() -> Value {
    json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "coredns", "namespace": NAMESPACE, "labels": {"k8s-app": "kube-dns"}},
        "spec": {"replicas": 2, "selector": {"matchLabels": {"k8s-app": "kube-dns"}}, "template": {"metadata": {"labels": {"k8s-app": "kube-dns"}},
            "spec": {"containers": [{"name": "coredns", "image": "registry.k8s.io/coredns/coredns:v1.11.3", "resources": {"limits": {"memory": "170Mi"}}}]}}},
        "status": {"replicas": 2, "unavailableReplicas": 2}})
}

pub fn events() -> Vec<Value> {
    let event = |name: &str| {
        json!({"apiVersion": "v1", "kind": "Event", "metadata": {"name": format!("{name}.1"), "namespace": NAMESPACE},
            "involvedObject": {"kind": "Pod", "name": name, "namespace": NAMESPACE}, "reason": "BackOff", "type": "Warning",
            "message": format!("Back-off restarting failed container coredns in pod {name}_kube-system(0000)"), "count": 60,
            "firstTimestamp": "2026-03-19T07:05:00Z", "lastTimestamp": "2026-03-19T07:44:00Z", "source": {"component": "kubelet"}})
    };
    PODS.iter().map(|name| event(name)).collect()
}

pub fn node() -> Value {
    json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": NODE},
        "status": {"conditions": [{"type": "Ready", "status": "True", "lastHeartbeatTime": "2026-03-19T07:44:30Z"}],
            "allocatable": {"cpu": "4", "memory": "16Gi"}, "nodeInfo": {"kubeletVersion": "v1.31.2", "architecture": "amd64"}}})
}

/// The node's resolver file: systemd-resolved's stub.
pub const RESOLV_CONF: &str = "nameserver 127.0.0.53\noptions edns0 trust-ad\nsearch corp.example\n";
