use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::evidence::facts::{EmptyCell, Endpoints, Event, Node, Pod, Service, Usage, Workload};
use crate::text::Text;

fn take(command: Option<&str>, body: &str) -> (Vec<Fact>, Vec<Problem>) {
    let mut section = Section::whole(Arc::new(Text::new("out.txt", body.to_owned())));
    section.command = command.map(str::to_owned);
    let (mut facts, mut problems) = (Vec::new(), Vec::new());
    read(&section, &Hints::default(), &mut facts, &mut problems);
    (facts, problems)
}

/// The facts of one kind.
macro_rules! only {
    ($kind:ident, $body:expr) => {
        only!($kind, None, $body)
    };
    ($kind:ident, $command:expr, $body:expr) => {{
        let (facts, problems) = take($command, $body);
        assert!(problems.is_empty(), "{problems:?}");
        let pick = |fact| if let Fact::$kind(inner) = fact { Some(*inner) } else { None };
        facts.into_iter().filter_map(pick).collect::<Vec<$kind>>()
    }};
}

const PODS: &str = "\
NAMESPACE     NAME              READY   STATUS             RESTARTS         AGE   IP           NODE     NOMINATED NODE   READINESS GATES
kube-system   resolver-7-aaaaa  0/1     CrashLoopBackOff   12 (2m50s ago)   41m   10.1.0.5     node-a   <none>           <none>
kube-system   resolver-7-bbbbb  1/1     Running            0                9h    10.1.0.6     node-b   <none>           <none>
web           shop-0            1/2     Terminating        1 (9h ago)       9h    <none>       node-a   <none>           <none>
web           shop-1            0/1     Evicted            0                2d    <none>       node-b   <none>           <none>
web           shop-2            0/1     Completed          0                2d    10.1.0.9     node-b   <none>           <none>
";

#[test]
fn pods_with_every_column() {
    let pods = only!(Pod, PODS);
    let first = &pods[0];
    assert_eq!(first.id, Id { namespace: Some("kube-system".into()), name: "resolver-7-aaaaa".into() });
    assert_eq!(first.status_cell.as_ref().unwrap().value, "CrashLoopBackOff");
    assert_eq!(
        (first.restarts.as_ref().unwrap().value, first.last_restart_ago, first.age),
        (12, Some(170), Some(2460))
    );
    assert_eq!((first.at.source.line, first.at.text.as_ref()), (2, PODS.lines().nth(1).unwrap()));
    let ready: Vec<_> = pods.iter().map(|pod| pod.ready.as_ref().map(|seen| seen.value)).collect();
    assert_eq!(ready, [Some(false), Some(true), Some(false), Some(false), Some(false)]);
    assert!(pods[2].terminating && pods[2].ip.is_none());
    assert_eq!(pods[3].reason.as_ref().unwrap().value, "Evicted");
    assert_eq!(pods[1].node.as_ref().unwrap().value, "node-b");
}

#[test]
fn the_namespace_comes_from_the_column_or_the_command() {
    let body = "NAME    READY   STATUS    RESTARTS   AGE\nweb-0   1/1     Running   0          9h\n";
    for (command, expected) in [(None, None), (Some("kubectl -n shop get po"), Some("shop"))] {
        assert_eq!(only!(Pod, command, body)[0].id.namespace.as_deref(), expected);
    }
    let prompted = format!("$ kubectl get po --namespace=dns\n{body}\n$ kubectl get po -n two\n{body}");
    let pods = only!(Pod, &prompted);
    assert_eq!(pods.iter().map(|pod| pod.id.namespace.as_deref()).collect::<Vec<_>>(), [Some("dns"), Some("two")]);
}

#[test]
fn several_kinds_in_one_output() {
    let body = "\
NAME                    READY   STATUS    RESTARTS   AGE
pod/resolver-7-aaaaa    1/1     Running   0          9h

NAME               TYPE        CLUSTER-IP   EXTERNAL-IP   PORT(S)                     AGE   SELECTOR
service/kube-dns   ClusterIP   10.96.0.10   <none>        53/UDP,53/TCP,80:30080/TCP  81d   app=a,tier=b
service/headless   ClusterIP   None         <none>        53/UDP                      81d   <none>

NAME                       READY   UP-TO-DATE   AVAILABLE   AGE
deployment.apps/resolver   1/2     2            1           9h

NAME                             DESIRED   CURRENT   READY   AGE
replicaset.apps/resolver-7       2         2         1       9h
";
    let (facts, problems) = take(None, body);
    assert!(problems.is_empty());
    let names: Vec<_> = facts.iter().filter_map(name_of).collect();
    assert_eq!(
        names,
        [
            "Pod resolver-7-aaaaa",
            "Service kube-dns",
            "Service headless",
            "Deployment resolver",
            "ReplicaSet resolver-7"
        ]
    );
    let services = only!(Service, body);
    assert_eq!(services[0].ports.iter().map(|port| port.port).collect::<Vec<_>>(), [53, 53, 80]);
    assert_eq!(services[0].selector.as_ref().unwrap().value.len(), 2);
    assert!(services[1].selector.as_ref().unwrap().value.is_empty());
    assert_eq!(services[1].cluster_ip.as_ref().unwrap().value, "None");
}

fn name_of(fact: &Fact) -> Option<String> {
    match fact {
        Fact::Pod(pod) => Some(format!("Pod {}", pod.id.name)),
        Fact::Service(service) => Some(format!("Service {}", service.id.name)),
        Fact::Workload(workload) => Some(format!("{} {}", workload.kind, workload.id.name)),
        _ => None,
    }
}

#[test]
fn grepped_pods_without_heading() {
    let body = "resolver-7-aaaaa   1/1   Running   0   40m   app=dns,pod-template-hash=7\nresolver-7-bbbbb   0/1   Init:0/1   0   40m   app=dns\n";
    let pods = only!(Pod, Some("kubectl -n dns get po --show-labels | grep dns"), body);
    assert_eq!(pods.len(), 2);
    assert_eq!(pods[0].labels.as_ref().unwrap().value["app"], "dns");
    assert_eq!(pods[1].status_cell.as_ref().unwrap().value, "Init:0/1");
    assert_eq!(pods[1].id.namespace.as_deref(), Some("dns"));
}

#[test]
fn endpoints_tell_which_kind_of_empty() {
    let body = "\
NAME        ENDPOINTS                                         AGE
all-ready   10.1.1.1:53,10.1.1.2:53,10.1.1.1:53 + 1 more...   12m
none-ready                                                    12m
no-subset   <none>                                            12m
";
    let lists = only!(Endpoints, body);
    assert_eq!((lists[0].ready.len(), lists[0].more, lists[0].empty), (2, 1, None));
    assert_eq!(lists[1].empty, Some(EmptyCell::Blank));
    assert_eq!(lists[2].empty, Some(EmptyCell::None));
}

#[test]
fn readiness_in_a_slice_is_unknown() {
    let body = "\
NAMESPACE   NAME             ADDRESSTYPE   PORTS     ENDPOINTS                        AGE
a           kube-dns-5lw8d   IPv4          9153,53   10.42.0.9,10.42.0.7 + 97 more... 81d
b           kubernetes       IPv4          6443      10.1.0.1                         81d
b           web-x7k2p        IPv4          <unset>   <unset>                          81d
";
    let lists = only!(Endpoints, body);
    let services: Vec<_> = lists.iter().map(|list| list.service.as_str()).collect();
    assert_eq!(services, ["kube-dns", "kubernetes", "web"]);
    assert_eq!((lists[0].unknown.len(), lists[0].ready.len(), lists[0].more), (2, 0, 97));
    assert_eq!(lists[2].empty, Some(EmptyCell::None));
    let counts = only!(Count, body);
    let counts: Vec<_> = counts.iter().map(|count| (count.what.as_str(), count.value, count.all_namespaces)).collect();
    assert_eq!(counts, [("endpointslices", 3, true), ("endpoint-addresses", 100, true)]);
}

#[test]
fn nodes() {
    let body = "\
NAME     STATUS                     ROLES           AGE   VERSION          INTERNAL-IP   EXTERNAL-IP   OS-IMAGE             KERNEL-VERSION      CONTAINER-RUNTIME
node-a   Ready,SchedulingDisabled   control-plane   41d   v1.30.4-eks-a7   10.0.0.1      <none>        Ubuntu 22.04.3 LTS   5.15.0-84-generic   containerd://1.6.24
node-b   NotReady                   <none>          41d   v1.29.1          10.0.0.2      <none>        Ubuntu 22.04.3 LTS   5.15.0-84-generic   containerd://1.6.24
";
    let nodes = only!(Node, body);
    assert_eq!(nodes[0].ready.as_ref().map(|seen| seen.value), Some(true));
    assert!(nodes[0].cordoned && !nodes[1].cordoned);
    assert_eq!(nodes[1].ready.as_ref().map(|seen| seen.value), Some(false));
    assert_eq!(nodes[0].kubelet.as_ref().unwrap().value, "1.30.4-eks-a7");
    assert_eq!(nodes[0].os_image.as_deref(), Some("Ubuntu 22.04.3 LTS"));
}

#[test]
fn lists_are_complete_only_without_a_sign_of_a_filter() {
    for (command, body, expected) in [
        (None, PODS.to_owned(), true),
        (Some("kubectl get pods -A -o wide | grep -v Completed"), PODS.to_owned(), false),
        (Some("kubectl get pods -A | head"), PODS.to_owned(), false),
        (None, format!("# 5 of 268, the rest is fine\n{PODS}"), false),
        (None, format!("{PODS}...\n"), false),
        (None, PODS.replace("kube-system", "zzz-systems"), false),
        (None, PODS.replace("node-b", "node-a"), false),
    ] {
        let counts = only!(Count, command, &body);
        assert_eq!(
            counts.iter().map(|count| (count.value, count.all_namespaces)).collect::<Vec<_>>(),
            [(5, expected)],
            "{command:?}"
        );
    }
}

#[test]
fn events_of_every_generation() {
    let plain = "\
LAST SEEN   TYPE      REASON      OBJECT             MESSAGE
<unknown>   Warning   BackOff     pod/web-0          Back-off restarting failed container
";
    let wide = "\
LAST SEEN   TYPE      REASON      OBJECT        SUBOBJECT             SOURCE          MESSAGE        FIRST SEEN   COUNT   NAME
43s         Warning   Unhealthy   pod/web-0     spec.containers{web}  kubelet, n-1    probe  failed  66s          2       web-0.18ed
44s         Normal    Scaled      deployment/w                        controller      Scaled up      67s          1       w.18ee
";
    let modern = "\
NAMESPACE   LAST SEEN           TYPE      REASON      OBJECT      MESSAGE
shop        44s (x2 over 67s)   Warning   Unhealthy   Pod/web-0   probe failed
default     5m                  Normal    NodeReady   Node/n-1    is ready
";
    let old = "\
LAST SEEN   FIRST SEEN   COUNT   NAME             KIND   SUBOBJECT   TYPE      REASON    SOURCE         MESSAGE
3m          9h           7       web-0.15a3c2f1   Pod                Warning   BackOff   kubelet, n-1   Back-off
";
    let event = |body: &str, index: usize| only!(Event, body).swap_remove(index);
    let facts = |event: &Event| {
        let object = format!("{}/{}", event.object_kind, event.object);
        (
            object,
            event.count,
            event.last_ago.map(|age| age.0),
            event.first_ago.map(|age| age.0),
            event.component.clone(),
        )
    };
    assert_eq!(facts(&event(plain, 0)), ("Pod/web-0".into(), 1, None, None, String::new()));
    assert_eq!(facts(&event(wide, 0)), ("Pod/web-0".into(), 2, Some(43), Some(66), "kubelet".into()));
    assert_eq!(event(wide, 0).message, "probe  failed");
    assert_eq!(facts(&event(wide, 1)), ("Deployment/w".into(), 1, Some(44), Some(67), "controller".into()));
    assert_eq!(facts(&event(modern, 0)), ("Pod/web-0".into(), 2, Some(44), Some(67), String::new()));
    assert_eq!(event(modern, 0).namespace.as_deref(), Some("shop"));
    assert_eq!(event(modern, 1).namespace, None);
    assert_eq!(facts(&event(old, 0)), ("Pod/web-0".into(), 7, Some(180), Some(32_400), "kubelet".into()));
}

#[test]
fn a_wrapped_message_is_joined() {
    let body = "LAST SEEN   TYPE     REASON   OBJECT      MESSAGE\n2m          Normal   Pulled   pod/web-0   Container image\n\"web:1\" present\n";
    assert_eq!(only!(Event, body)[0].message, "Container image \"web:1\" present");
}

#[test]
fn usage() {
    let pods = "POD     NAME   CPU(cores)   MEMORY(bytes)   \nweb-0   web    1961m        58Mi            \n";
    let nodes = "NAME   CPU(cores)   CPU%        MEMORY(bytes)   MEMORY%     \nn-1    2            99%         3011Mi          41%         \nn-2    <unknown>    <unknown>   <unknown>       <unknown>   \n";
    let pod = only!(Usage, pods).swap_remove(0);
    assert_eq!(
        (pod.id.name.as_str(), pod.container.as_deref(), pod.cpu, pod.memory),
        ("web-0", Some("web"), Some(1961), Some(58 << 20))
    );
    let nodes = only!(Usage, nodes);
    assert_eq!((nodes[0].kind.as_str(), nodes[0].cpu, nodes[1].cpu), ("Node", Some(2000), None));
}

#[test]
fn workloads_of_every_generation() {
    for (body, expected) in [
        (
            "NAME   READY   UP-TO-DATE   AVAILABLE   AGE\na      1/3     3            1           9h\n",
            ("Deployment", 3, Some(1), Some(1)),
        ),
        (
            "NAME   DESIRED   CURRENT   UP-TO-DATE   AVAILABLE   AGE\na      3         3         3            0           9h\n",
            ("Deployment", 3, None, Some(0)),
        ),
        (
            "NAME   DESIRED   CURRENT   READY   UP-TO-DATE   AVAILABLE   NODE SELECTOR   AGE\na      3         3         2       3            2           <none>          9h\n",
            ("DaemonSet", 3, Some(2), Some(2)),
        ),
        ("NAME   READY   AGE\na      2/3     9h\n", ("StatefulSet", 3, Some(2), None)),
    ] {
        let found = only!(Workload, body).swap_remove(0);
        let number = |seen: Option<crate::source::Seen<u32>>| seen.map(|seen| seen.value);
        let got = (found.kind.as_str(), number(found.desired).unwrap(), number(found.ready), number(found.available));
        assert_eq!(got, expected);
    }
}

#[test]
fn budgets() {
    let body = "NAMESPACE   NAME   MIN AVAILABLE   MAX UNAVAILABLE   ALLOWED DISRUPTIONS   AGE\ndns         a      N/A             1                 0                     12m\n";
    let (facts, _) = take(None, body);
    let Some(Fact::Budget(budget)) = facts.first() else { panic!("{facts:?}") };
    assert_eq!(budget.allowed.as_ref().unwrap().value, 0);
}

#[test]
fn rows_that_do_not_fit_are_one_problem() {
    let (facts, problems) = take(
        None,
        "NAME    READY   STATUS   RESTARTS   AGE\nx y z\nfoo\nError from server\nweb-0   0/1     Error    0          4m\n",
    );
    assert_eq!(facts.len(), 2);
    assert_eq!(problems.iter().map(|problem| problem.line).collect::<Vec<_>>(), [Some(2)]);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(lines in proptest::collection::vec("(NAME|READY|STATUS|LAST SEEN|TYPE|REASON|OBJECT|MESSAGE|ENDPOINTS|1/1|ä|[ \t]{1,4}|\\PC){0,20}", 0..12)) {
        take(None, &lines.join("\n"));
    }

    #[test]
    fn a_cut_text_keeps_its_rows(at in 0usize..PODS.len()) {
        let (facts, _) = take(None, &PODS[..at]);
        let pods = facts.iter().filter(|fact| matches!(fact, Fact::Pod(_))).count();
        let whole_rows = PODS[..at].matches('\n').count().saturating_sub(1);
        prop_assert!(pods == whole_rows || pods == whole_rows + 1);
    }
}
