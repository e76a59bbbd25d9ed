//! Reports made by hand for the tests of the renderings.

use super::model::*;

/// What a hostile bundle puts into every string.
pub(super) const HOSTILE: &str = "<script>alert(1)</script></style>\"><img src=x onerror=alert(1)>'javascript:alert(1)\
    \u{1b}[31m\u{9b}31m`````|a|\n# head\n\n- {{7*7}} {% raw %} \u{202e}txt\u{200b} --> ]]> @all #1 [x](https://x.invalid) \u{7}\
    ![y](http://y.invalid) {code}*b*_i_\r\n";

/// A report with something in every field; `s` makes its strings.
pub(super) fn sample(s: impl Fn(&str) -> String) -> Report {
    let some = |text: &str| Some(s(text));
    Report {
        schema: s(SCHEMA),
        tool: Tool { name: s("dnsmortem"), version: s("0.1.0") },
        bundle: bundle(&s),
        cluster: Cluster {
            kubernetes_version: some("1.32.1"),
            coredns_version: some("1.11.3"),
            distribution: some("kubeadm"),
            nodes: Some(3),
            pods: Some(412),
            services: Some(88),
            dns_service_ip: some("10.96.0.10"),
            replicas: Replicas { desired: Some(2), ready: Some(0) },
        },
        verdict: Verdict {
            when: Some(When::Ongoing),
            outcome: Outcome::FaultFound,
            root_cause: some("corefile-loop"),
            confidence: Confidence::Confirmed,
            headline: s(
                "CoreDNS forwards to itself: the node's resolv.conf names 127.0.0.53, and the loop plugin stops it.",
            ),
            chain: vec![s("corefile-loop"), s("crash-loop"), s("endpoints-empty")],
            others: vec![s("default-deny")],
        },
        path: path(&s),
        findings: findings(&s),
        sizing: sizing(&s),
        checklist: checklist(&s),
        affected: Affected {
            scope: Scope::AllClients,
            members: vec![s("node-a"), s("node-b")],
            why: s("No DNS pod is ready."),
        },
        series: vec![Series {
            name: s("rss"),
            unit: s("bytes"),
            subject: s("pod/kube-system/coredns-5d78c9869d-x7k2p"),
            points: [("2026-03-04T08:00:00Z", 60e6), ("2026-03-04T08:10:00Z", 82e6), ("2026-03-04T08:20:00Z", 78e6)]
                .into_iter()
                .map(|(at, value)| Point { at: at.to_owned(), value })
                .collect(),
            source: s("metrics-1.txt to metrics-3.txt"),
            lines: vec![ReferenceLine { name: s("limit"), value: 178_257_920.0 }],
        }],
        access: vec![Access {
            namespace: s("shop"),
            pods: s("app=cart"),
            udp: s("blocked"),
            tcp: s("depends"),
            policies: vec![s("shop/default-deny")],
            why: s("No egress rule names port 53."),
        }],
        lookups: vec![Lookup {
            name: s("api.example.com"),
            resolver: s("glibc"),
            queries: vec![s("api.example.com.shop.svc.cluster.local A"), s("api.example.com A")],
            wasted: 1,
            seen: 1204,
        }],
        timeline: timeline(&s),
        options: Options {
            thresholds: vec![Threshold { name: s("memory-investigate-share"), value: 0.7 }],
            suppressions: vec![s("ndots-amplification")],
            user_rules: vec![s("local.yaml")],
            redactions: vec![s("ips")],
        },
    }
}

/// A report as a real incident would give it.
pub(super) fn rich() -> Report {
    sample(str::to_owned)
}

/// The same with [`HOSTILE`] in every string.
pub(super) fn hostile() -> Report {
    sample(|_| HOSTILE.to_owned())
}

fn bundle(s: &impl Fn(&str) -> String) -> Bundle {
    let file =
        |path, lines, kind, note| File { path: s(path), bytes: lines * 80, lines, kind: s(kind).into(), note: s(note) };
    Bundle {
        name: s("incident.tar.gz"),
        sha256: Some(s("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")),
        collected_at: Some(s("2026-03-04T09:00:00Z")),
        files: vec![
            file("cm.yaml", 31, "Kubernetes objects", ""),
            file("coredns.log", 212, "CoreDNS log", "wrapped by the container runtime"),
            file("photo.png", 0, "not recognised", ""),
        ],
        problems: vec![BundleProblem { path: s("coredns.log"), message: s("the last line is cut") }],
    }
}

fn path(s: &impl Fn(&str) -> String) -> Vec<PathHop> {
    use HopState::*;
    let states = [
        (Ok, "The pods' resolv.conf names 10.96.0.10.", ""),
        (Degraded, "Pods of namespace shop may not send to port 53.", "default-deny"),
        (Ok, "The Service has the address that pods use.", ""),
        (Broken, "No ready address.", "endpoints-empty"),
        (Broken, "CoreDNS exits at start.", "corefile-loop"),
        (Unknown, "No log or metric tells.", ""),
        (Unknown, "No query reaches it.", ""),
    ];
    Hop::ALL
        .into_iter()
        .zip(states)
        .map(|(hop, (state, why, id))| PathHop {
            hop,
            state,
            why: s(why),
            findings: if id.is_empty() { vec![] } else { vec![s(id)] },
        })
        .collect()
}

fn quote(s: &impl Fn(&str) -> String, path: &str, line: u32, quote: &str, supports: bool, note: &str) -> Evidence {
    Evidence {
        path: s(path),
        line,
        column: Some(3),
        pointer: Some(s("/data/Corefile")),
        quote: s(quote),
        supports,
        note: s(note),
    }
}

fn findings(s: &impl Fn(&str) -> String) -> Vec<Finding> {
    use Status::*;
    let finding = |id: &str, title: &str, status, severity, role: Option<Role>, summary: &str| Finding {
        id: s(id),
        title: s(title),
        hop: Some(Hop::Server),
        status,
        confidence: role.map(|_| Confidence::Likely),
        severity,
        role,
        summary: s(summary),
        subjects: vec![],
        evidence: vec![],
        missing: vec![],
        fixes: vec![],
        since: None,
        docs: s("docs/failures/example.md"),
    };
    let missing = |what: &str, command: &str| Missing { what: s(what), command: s(command) };
    let logs = "kubectl -n kube-system logs -l k8s-app=kube-dns --previous --timestamps > coredns.previous.log";
    vec![
        Finding {
            confidence: Some(Confidence::Confirmed),
            subjects: vec![s("pod/kube-system/coredns-5d78c9869d-x7k2p")],
            evidence: vec![
                quote(
                    s,
                    "coredns.log",
                    12,
                    "[FATAL] plugin/loop: Loop (127.0.0.1:55953 -> :53) detected for zone \".\"",
                    true,
                    "CoreDNS says it itself",
                ),
                quote(s, "cm.yaml", 18, "        forward . /etc/resolv.conf", true, ""),
                quote(
                    s,
                    "describe.txt",
                    40,
                    "    Last State: Terminated, Exit Code: 1",
                    false,
                    "an out-of-memory kill would say 137",
                ),
            ],
            fixes: vec![
                Fix {
                    title: s("Let CoreDNS forward to the real resolvers"),
                    kind: FixKind::Command,
                    body: s(
                        "kubectl -n kube-system get configmap coredns -o yaml \\\n  | sed 's|/etc/resolv.conf|192.0.2.53|' \\\n  | kubectl apply -f -",
                    ),
                    check: FixCheck::Verified,
                    risk: s("Names that only the node's stub knew stop resolving."),
                },
                Fix {
                    title: s("Or point the kubelet at the file without the stub"),
                    kind: FixKind::Patch,
                    body: s("-resolvConf: /etc/resolv.conf\n+resolvConf: /run/systemd/resolve/resolv.conf"),
                    check: FixCheck::NotComputable,
                    risk: s(""),
                },
            ],
            ..finding(
                "corefile-loop",
                "CoreDNS forwards to itself",
                Found,
                Severity::Critical,
                Some(Role::RootCause),
                "Both pods exit 1 at start, 34 times since 08:12, because the loop plugin saw its own query come back.",
            )
        },
        Finding {
            evidence: vec![quote(s, "pods.txt", 2, "coredns-5d78c9869d-x7k2p   0/1   CrashLoopBackOff   34", true, "")],
            ..finding("crash-loop", "DNS pods crash-loop", Found, Severity::High, Some(Role::Symptom), "2 of 2 pods.")
        },
        finding(
            "endpoints-empty",
            "The DNS Service has no endpoint",
            Found,
            Severity::Critical,
            Some(Role::Symptom),
            "0 ready addresses.",
        ),
        Finding {
            fixes: vec![Fix {
                title: s("Allow egress to port 53"),
                kind: FixKind::Manual,
                body: s("Add a rule for UDP and TCP 53 to the policy."),
                check: FixCheck::Verified,
                risk: s(""),
            }],
            ..finding(
                "default-deny",
                "A NetworkPolicy blocks DNS",
                Found,
                Severity::High,
                Some(Role::RootCause),
                "Namespace shop.",
            )
        },
        finding(
            "memory-limit-low",
            "The memory limit is too low",
            Found,
            Severity::High,
            Some(Role::Risk),
            "170Mi is under twice 82Mi.",
        ),
        Finding {
            missing: vec![missing("the log of the earlier container", logs)],
            ..finding(
                "upstream-refuses",
                "The upstream refuses",
                Suspected,
                Severity::Medium,
                Some(Role::Contributing),
                "One REFUSED.",
            )
        },
        finding(
            "rbac-missing",
            "CoreDNS may not list",
            RuledOut,
            Severity::High,
            None,
            "ClusterRole system:coredns allows all 4 resources.",
        ),
        finding(
            "oom-killed",
            "CoreDNS was killed for memory",
            RuledOut,
            Severity::High,
            None,
            "34 of 34 exits have code 1.",
        ),
        Finding {
            missing: vec![
                missing("conntrack counters of the nodes", "conntrack -S"),
                missing("the log of the earlier container", logs),
            ],
            ..finding(
                "conntrack-full",
                "The conntrack table is full",
                NotChecked,
                Severity::High,
                None,
                "No node file in the bundle.",
            )
        },
        finding("nodelocal-down", "NodeLocal DNSCache is down", NotApplicable, Severity::High, None, "Not deployed."),
        finding("slow-upstream", "The upstream is slow", Crashed, Severity::Medium, None, "index out of bounds"),
    ]
}

fn sizing(s: &impl Fn(&str) -> String) -> Sizing {
    Sizing {
        inputs: vec![SizingInput {
            name: s("pods"),
            value: 412.0,
            unit: s("objects"),
            lower_bound: true,
            from: s("kubectl get pods -A"),
            path: Some(s("pods.txt")),
            line: Some(1),
        }],
        need_default_mb: Some(54.5),
        need_autopath_mb: Some(58.0),
        mode: Some(s("default")),
        measured_rss_bytes: Some(85_983_232),
        measured_working_set_bytes: None,
        limit_bytes: Some(178_257_920),
        peak_low_bytes: Some(171_966_464),
        peak_high_bytes: Some(257_949_696),
        recommended_limit_bytes: Some(262_144_000),
        arithmetic: vec![
            s("(412 pods + 88 services) / 1000 + 54 = 54.5 MB"),
            s("3 × 82Mi = 246Mi, rounded up to 250Mi"),
        ],
        runway: Some(s("At this rate the limit is met in 9 days.")),
        missing: vec![Missing { what: s("memory over time"), command: s("kubectl -n kube-system top pod") }],
    }
}

fn checklist(s: &impl Fn(&str) -> String) -> Vec<CheckItem> {
    use CheckState::*;
    [
        ("pods-running", "CoreDNS pods run and stay up", Fail, "0 of 2 are ready."),
        ("endpoints-non-empty", "The DNS Service has ready endpoints", Fail, "No ready address."),
        ("pdb-exists", "A PodDisruptionBudget covers DNS", Pass, "kube-system/coredns leaves room for one."),
        ("monitored", "Response codes and latency are watched", Unknown, "No rule in the bundle."),
    ]
    .into_iter()
    .map(|(id, item, state, why)| CheckItem {
        id: s(id),
        item: s(item),
        state,
        why: s(why),
        evidence: vec![quote(s, "pods.txt", 2, "coredns-5d78c9869d-x7k2p   0/1   CrashLoopBackOff   34", true, "")],
    })
    .collect()
}

fn timeline(s: &impl Fn(&str) -> String) -> Vec<Moment> {
    [
        ("2026-03-04T08:05:00Z", "minutes", "Node node-a rebooted", "events.txt", 3, "node//node-a"),
        (
            "2026-03-04T08:12:03Z",
            "exact",
            "CoreDNS stopped: loop detected",
            "coredns.log",
            12,
            "pod/kube-system/coredns-5d78c9869d-x7k2p",
        ),
        ("2026-03-04T09:00:00Z", "seconds", "The bundle was collected", "incident.tar.gz", 1, ""),
    ]
    .into_iter()
    .map(|(at, precision, what, path, line, about)| Moment {
        at: s(at),
        precision: s(precision),
        what: s(what),
        path: s(path),
        line,
        about: s(about),
    })
    .collect()
}

/// A report of a bundle that told nothing.
pub(super) fn empty() -> Report {
    let mut report = rich();
    report.verdict = Verdict {
        when: None,
        outcome: Outcome::Inconclusive,
        root_cause: None,
        confidence: Confidence::Possible,
        headline: "The bundle does not show whether DNS works.".to_owned(),
        chain: vec![],
        others: vec![],
    };
    for hop in &mut report.path {
        hop.state = HopState::Unknown;
        hop.why = "Nothing tells.".to_owned();
        hop.findings.clear();
    }
    report.findings.retain(|f| f.status == Status::NotChecked);
    report.bundle =
        Bundle { name: "empty".to_owned(), sha256: None, collected_at: None, files: vec![], problems: vec![] };
    report.cluster = Cluster::default();
    report.sizing = Sizing::default();
    report.affected = Affected { scope: Scope::Unknown, members: vec![], why: String::new() };
    report.checklist.clear();
    report.series.clear();
    report.access.clear();
    report.lookups.clear();
    report.timeline.clear();
    report.options = Options::default();
    report
}
