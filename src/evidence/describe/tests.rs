use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::evidence::facts::{EmptyCell, Event, Node, Pod, StatePhase};
use crate::text::Text;

fn take(body: &str, hints: &Hints) -> (Vec<Fact>, Vec<Problem>) {
    let section = Section::whole(Arc::new(Text::new("d.txt", body.to_owned())));
    let (mut facts, mut problems) = (Vec::new(), Vec::new());
    read(&section, hints, &mut facts, &mut problems);
    (facts, problems)
}

fn first(body: &str) -> Fact {
    let (mut facts, problems) = take(body, &Hints::default());
    assert!(problems.is_empty(), "{problems:?}");
    facts.swap_remove(0)
}

fn pod(body: &str) -> Pod {
    if let Fact::Pod(pod) = first(body) { *pod } else { panic!("no pod") }
}

fn events(body: &str) -> Vec<Event> {
    let (facts, _) = take(body, &Hints::default());
    facts.into_iter().filter_map(|fact| if let Fact::Event(event) = fact { Some(*event) } else { None }).collect()
}

const POD: &str = "\
Name:                 resolver-7-aaaaa
Namespace:            dns
Priority:             2000000000
Priority Class Name:  system-cluster-critical
Service Account:      resolver
Node:                 node-a/10.0.0.1
Start Time:           Tue, 21 Nov 2023 15:25:28 +0200
Labels:               app=resolver
                      pod-template-hash=7
Annotations:          example.org/note: Status: odd
Status:               Running
IP:                   10.1.0.5
IPs:
  IP:           10.1.0.5
Controlled By:  ReplicaSet/resolver-7
Init Containers:
  prepare:
    Container ID:  containerd://aa
    Image:         prepare:1
    Restart Count:  40
Containers:
  resolver:
    Container ID:  containerd://bb
    Image:         registry.example/coredns:v1.10.1
    Ports:         53/UDP, 53/TCP, 9153/TCP
    Host Ports:    0/UDP, 5353/TCP, 0/TCP
    Args:
      -conf
      /etc/coredns/Corefile
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Message:      plugin/x: it broke
goroutine 1 [running]:
      Exit Code:    1
      Started:      Tue, 21 Nov 2023 16:03:49 +0200
      Finished:     Tue, 21 Nov 2023 16:03:50 +0200
    Ready:          False
    Restart Count:  12
    Limits:
      cpu:     500m
      memory:  170Mi
    Requests:
      memory:     70Mi
    Liveness:     http-get http://169.254.20.10:8080/health delay=60s timeout=5s period=10s #success=1 #failure=5
    Readiness:    exec [true] delay=0s timeout=1s period=10s #success=1 #failure=3
    Environment:
      GOGC:    50
      TOKEN:   <set to the key 't' in secret 's'>  Optional: false
  sidecar:
    Image:          sidecar:2
    State:          Running
      Started:      Tue, 21 Nov 2023 15:25:30 +0200
    Ready:          True
    Restart Count:  1
Conditions:
  Type              Status
  Initialized       True 
  Ready             False 
Volumes:
  config-volume:
    Type:      ConfigMap (a volume populated by a ConfigMap)
    Name:      resolver
    Optional:  true
  token:
    Type:                    Projected (a volume that contains injected data)
    ConfigMapName:           kube-root-ca.crt
QoS Class:                   Burstable
Events:
  Type     Reason   Age                  From     Message
  ----     ------   ----                 ----     -------
  Normal   Pulled   38m (x5 over 9h)     kubelet  Container image present
  Warning  BackOff  17s (x194 over 40m)  kubelet  Back-off restarting failed container resolver in pod resolver-7-aaaaa_dns(f22754d8-cab7-4c72-ae4c-de68ae09a6b9)
";

#[test]
fn a_pod() {
    let pod = pod(POD);
    assert_eq!(pod.id, Id { namespace: Some("dns".into()), name: "resolver-7-aaaaa".into() });
    assert_eq!(pod.labels.as_ref().unwrap().value.len(), 2);
    assert_eq!((pod.node.unwrap().value.as_str(), pod.ip.unwrap().value.as_str()), ("node-a", "10.1.0.5"));
    assert_eq!(pod.created.unwrap().value.to_string(), "2023-11-21T13:25:28Z");
    assert_eq!(
        pod.ready.as_ref().map(|seen| (seen.value, seen.quote.text.as_ref())),
        Some((false, "  Ready             False"))
    );
    assert_eq!(pod.restarts.unwrap().value, 13);
    assert_eq!(pod.host_network, None);
    assert_eq!(pod.uid.as_deref(), Some("f22754d8-cab7-4c72-ae4c-de68ae09a6b9"));
    let volumes: Vec<_> =
        pod.config_volumes.iter().map(|seen| (seen.value.name.as_str(), seen.value.optional)).collect();
    assert_eq!(volumes, [("resolver", true)]);
}

#[test]
fn its_containers() {
    let pod = pod(POD);
    assert_eq!(pod.containers.len(), 2);
    let container = &pod.containers[0];
    assert!(container.state.as_ref().unwrap().is("CrashLoopBackOff"));
    let last = container.last.as_ref().unwrap();
    assert_eq!((last.phase, last.exit(), last.lasted()), (StatePhase::Terminated, Some(1), Some(1)));
    assert_eq!(last.message.as_ref().unwrap().value, "plugin/x: it broke\ngoroutine 1 [running]:");
    assert_eq!(last.telling().text.as_ref(), "      Reason:       Error");
    let amounts = (&container.memory_limit, &container.memory_request, &container.cpu_limit);
    assert_eq!(amounts.0.as_ref().unwrap().value, 170 << 20);
    assert_eq!(amounts.1.as_ref().unwrap().value, 70 << 20);
    assert_eq!(amounts.2.as_ref().unwrap().value, 500);
    let probe = container.liveness.as_ref().unwrap();
    assert_eq!((probe.host.as_str(), probe.port.as_str(), probe.path.as_str()), ("169.254.20.10", "8080", "/health"));
    assert!(container.readiness.as_ref().unwrap().port.is_empty());
    let ports: Vec<_> = container.ports.iter().map(|port| (port.number, port.protocol.as_str(), port.host)).collect();
    assert_eq!(ports, [(53, "UDP", 0), (53, "TCP", 5353), (9153, "TCP", 0)]);
    assert_eq!(container.args, ["-conf", "/etc/coredns/Corefile"]);
    assert_eq!(container.env, [("GOGC".to_owned(), "50".to_owned())]);
    assert!(container.created && !pod.containers[1].created);
}

#[test]
fn its_events() {
    let events = events(POD);
    let seen: Vec<_> = events.iter().map(|e| (e.reason.as_str(), e.count, e.last_ago, e.first_ago)).collect();
    assert_eq!(
        seen,
        [("Pulled", 5, Some((2280, 60)), Some((32_400, 3600))), ("BackOff", 194, Some((17, 1)), Some((2400, 60)))]
    );
    assert_eq!((events[0].object_kind.as_str(), events[0].object.as_str()), ("Pod", "resolver-7-aaaaa"));
    assert_eq!(events[1].quote.source.line, POD.lines().count() as u32);
}

#[test]
fn an_evicted_pod() {
    let body = "Name:         web-0\nNamespace:    shop\nNode:         node-a/\nStatus:       Failed\nReason:       Evicted\nMessage:      The node was low on resource: memory.\nIP:           \nControlled By:  ReplicaSet/web\nContainers:\n  web:\n    Image:  web:1\nEvents:  <none>\n";
    let pod = pod(body);
    assert_eq!((pod.phase.unwrap().value.as_str(), pod.reason.unwrap().value.as_str()), ("Failed", "Evicted"));
    assert_eq!(pod.message.unwrap().value, "The node was low on resource: memory.");
    assert!(pod.ip.is_none());
}

#[test]
fn a_pod_on_its_nodes_network_has_its_address() {
    assert!(pod(&POD.replace("node-a/10.0.0.1", "node-a/10.1.0.5")).host_network.unwrap().value);
}

#[test]
fn several_objects_and_prompts() {
    let body = format!("$ kubectl describe pods\n{POD}\n\n{}\n$ kubectl get x\n", POD.replace("7-aaaaa", "7-bbbbb"));
    let (facts, problems) = take(&body, &Hints::default());
    let names: Vec<_> = facts
        .iter()
        .filter_map(|fact| if let Fact::Pod(pod) = fact { Some(pod.id.name.as_str()) } else { None })
        .collect();
    assert_eq!(names, ["resolver-7-aaaaa", "resolver-7-bbbbb"]);
    assert!(problems.is_empty());
}

#[test]
fn a_text_without_its_first_lines() {
    let cut = POD.split_once("Controlled By").unwrap().1;
    let cut = format!("Controlled By{cut}");
    assert_eq!(pod(&cut).id.name, "resolver-7-aaaaa", "told by the events");
    let silent = cut.split_once("Events:").unwrap().0;
    let (facts, problems) = take(silent, &Hints::default());
    assert!(facts.is_empty() && problems.len() == 1);
    let hints = Hints { pod: Some("web-0".into()), ..Hints::default() };
    assert_eq!(take(silent, &hints).0.len(), 1);
}

#[test]
fn a_node() {
    let body = "\
Name:               node-a
Roles:              worker
Labels:             kubernetes.io/arch=arm64
Taints:             node.kubernetes.io/disk-pressure:NoSchedule
                    dedicated=dns:NoExecute
Unschedulable:      true
Lease:
  HolderIdentity:  node-a
  RenewTime:       Tue, 01 Dec 2026 03:47:43 +0000
Conditions:
  Type             Status   LastHeartbeatTime                 LastTransitionTime                Reason              Message
  ----             ------   -----------------                 ------------------                ------              -------
  DiskPressure     True     Wed, 19 Nov 2025 05:19:55 +0000   Wed, 19 Nov 2025 04:58:31 +0000   KubeletHasPressure  kubelet has disk pressure
  Ready            Unknown  Wed, 19 Nov 2025 05:19:55 +0000   Wed, 19 Nov 2025 05:45:20 +0000   NodeStatusUnknown   Kubelet stopped posting node status.
Addresses:
  InternalIP:  10.0.0.1
Capacity:
  cpu:                2
  memory:             24683584Ki
System Info:
  Kernel Version:             6.1.0
  OS Image:                   Example Linux 12 (two words)
  Operating System:           linux
  Architecture:               arm64
  Container Runtime Version:  containerd://1.6.20
  Kubelet Version:            v1.32.13
Non-terminated Pods:          (1 in total)
  Namespace                   Name      CPU Requests  CPU Limits  Memory Requests  Memory Limits  Age
  ---------                   ----      ------------  ----------  ---------------  -------------  ---
  dns                         web-0     100m (5%)     0 (0%)      40Mi (0%)        40Mi (0%)      68s
Allocated resources:
  (Total limits may be over 100 percent, i.e., overcommitted.)
Events:              <none>
";
    let (facts, _) = take(body, &Hints::default());
    let [Fact::Node(node), Fact::Pod(pod)] = facts.as_slice() else { panic!("{facts:?}") };
    let node: &Node = node;
    assert!(!node.ready.as_ref().unwrap().value);
    assert!(node.cordoned);
    assert_eq!(
        node.taints.iter().map(|t| (t.value.as_str(), t.quote.source.line)).collect::<Vec<_>>(),
        [("node.kubernetes.io/disk-pressure:NoSchedule", 4), ("dedicated=dns:NoExecute", 5)]
    );
    assert_eq!((node.cpu, node.memory), (Some(2000), Some(24_683_584 << 10)));
    assert_eq!(node.conditions[1].message.as_deref(), Some("Kubelet stopped posting node status."));
    assert!(node.conditions[0].heartbeat.is_some() && node.renewed.is_some());
    assert_eq!(
        (node.os_image.as_deref(), node.kubelet.as_ref().unwrap().value.as_str()),
        (Some("Example Linux 12 (two words)"), "1.32.13")
    );
    assert_eq!((pod.id.name.as_str(), pod.node.as_ref().unwrap().value.as_str()), ("web-0", "node-a"));
}

#[test]
fn a_service() {
    let body = "\
Name:                     kube-dns
Namespace:                dns
Labels:                   <none>
Selector:                 app=a,tier=b
Type:                     ClusterIP
IP:                       None
Port:                     dns  53/UDP
TargetPort:               dns/UDP
Endpoints:                10.1.1.1:5353,10.1.1.2:5353 + 3 more...
Port:                     <unset>  80/TCP
TargetPort:               8080/TCP
Endpoints:                
Session Affinity:         None
Internal Traffic Policy:  Local
Events:                   <none>
";
    let Fact::Service(service) = first(body) else { panic!() };
    let ports: Vec<_> = service.ports.iter().map(|p| (p.name.as_str(), p.port, p.target.as_str())).collect();
    assert_eq!(ports, [("dns", 53, "dns"), ("", 80, "8080")]);
    let lists: Vec<_> =
        service.described_endpoints.iter().map(|seen| (seen.value.len(), seen.quote.source.line)).collect();
    assert_eq!(lists, [(2, 9), (0, 12)]);
    assert_eq!(service.cluster_ip.as_ref().unwrap().value, "None");
    assert_eq!(service.internal_traffic_policy.as_ref().unwrap().value, "Local");
}

#[test]
fn endpoints_and_slices() {
    let endpoints = "Name:         kube-dns\nNamespace:    dns\nLabels:       <none>\nSubsets:\n  Addresses:          <none>\n  NotReadyAddresses:  10.1.0.38,10.1.0.39\n  Ports:\n    Name     Port  Protocol\n    ----     ----  --------\n    dns      53    UDP\n";
    let slice = "Name:         kube-dns-c6gp9\nNamespace:    dns\nLabels:       kubernetes.io/service-name=resolver\nAddressType:  IPv4\nEndpoints:\n  - Addresses:  10.1.0.39\n    Conditions:\n      Ready:    false\n    Zone:       <unset>\n  - Addresses:  10.1.0.38\n    Conditions:\n      Ready:    true\nEvents:         <none>\n";
    let Fact::Endpoints(list) = first(endpoints) else { panic!() };
    assert_eq!((list.ready.len(), list.not_ready.len(), list.empty), (0, 2, Some(EmptyCell::Blank)));
    let Fact::Endpoints(list) = first(slice) else { panic!() };
    assert_eq!(
        (list.service.as_str(), list.ready, list.not_ready),
        ("resolver", vec!["10.1.0.38".to_owned()], vec!["10.1.0.39".to_owned()])
    );
}

#[test]
fn workloads() {
    let body = "\
Name:                   resolver
Namespace:              dns
Labels:                 app=resolver
Replicas:               2 desired | 2 updated | 2 total | 1 available | 1 unavailable
StrategyType:           RollingUpdate
Pod Template:
  Labels:           app=resolver
  Service Account:  resolver
  Containers:
   resolver:
    Image:       registry.example/coredns:v1.11.3
    Limits:
      memory:  40Mi
  Priority Class Name:  system-cluster-critical
Conditions:
  Type           Status  Reason
  ----           ------  ------
  Available      False   MinimumReplicasUnavailable
Events:          <none>
";
    let Fact::Workload(found) = first(body) else { panic!() };
    assert_eq!((found.desired.as_ref().unwrap().value, found.available.as_ref().unwrap().value), (2, 1));
    assert_eq!(found.containers[0].memory_limit.as_ref().unwrap().value, 40 << 20);
    assert_eq!(found.service_account.as_ref().unwrap().value, "resolver");
    assert_eq!(found.priority_class.as_ref().unwrap().value, "system-cluster-critical");
    assert_eq!(found.conditions[0].reason.as_deref(), Some("MinimumReplicasUnavailable"));
    let set = "Name:           a\nNamespace:      b\nReplicas:       1 current / 3 desired\nPod Template:\n  Labels:  app=a\nEvents:         <none>\n";
    let Fact::Workload(found) = first(set) else { panic!() };
    assert_eq!((found.kind.as_str(), found.desired.unwrap().value), ("ReplicaSet", 3));
}

#[test]
fn a_configmap_keeps_where_its_lines_stand() {
    let body = "\
Name:         resolver
Namespace:    dns
Labels:       <none>
Annotations:  <none>

Data
====
Corefile:
----
.:53 {
    errors
}
# kubectl rollout restart

Empty:
----


BinaryData
====

Events:  <none>
";
    let Fact::ConfigMap(map) = first(body) else { panic!() };
    let block = map.get("Corefile").unwrap();
    assert_eq!(block.body, ".:53 {\n    errors\n}\n# kubectl rollout restart\n");
    assert_eq!((block.first_line(), block.quote(2).source.line), (10, 11));
    assert_eq!(map.get("Empty").unwrap().body.trim(), "");
    let secret = body.replace("Annotations:", "Type:");
    assert!(take(&secret, &Hints::default()).0.is_empty());
}

#[test]
fn roles_bindings_and_budgets() {
    let role = "Name:         system:resolver\nLabels:       <none>\nPolicyRule:\n  Resources                        Non-Resource URLs  Resource Names  Verbs\n  ---------                        -----------------  --------------  -----\n  endpoints                        []                 []              [list watch]\n  deployments.apps/scale           []                 [one]           [get]\n                                   [/healthz]         []              [get]\n";
    let Fact::Role(role) = first(role) else { panic!() };
    let rules: Vec<_> =
        role.rules.iter().map(|rule| (rule.groups[0].as_str(), rule.resources[0].as_str(), rule.verbs.len())).collect();
    assert_eq!(rules, [("", "endpoints", 2), ("apps", "deployments/scale", 1)]);
    assert_eq!(role.rules[1].names, ["one"]);
    let binding = "Name:         b\nLabels:       <none>\nRole:\n  Kind:  ClusterRole\n  Name:  system:resolver\nSubjects:\n  Kind            Name      Namespace\n  ----            ----      ---------\n  User            somebody  \n  ServiceAccount  resolver  dns\n";
    let Fact::Binding(binding) = first(binding) else { panic!() };
    assert_eq!(binding.role.value, "system:resolver");
    assert_eq!(
        binding.accounts.iter().map(|seen| seen.value.clone()).collect::<Vec<_>>(),
        [("dns".to_owned(), "resolver".to_owned())]
    );
    let budget = "Name:             a\nNamespace:        dns\nMax unavailable:  1\nSelector:         app=a\nStatus:\n    Allowed disruptions:  0\n    Current:              2\nEvents:           <none>\n";
    let Fact::Budget(budget) = first(budget) else { panic!() };
    assert_eq!((budget.allowed.unwrap().value, budget.selector.unwrap().len()), (0, 1));
}

#[test]
fn a_lookup_is_no_object() {
    assert!(take("Name:\tweb.shop\nAddress: 10.0.0.1\n", &Hints::default()).0.is_empty());
}

proptest! {
    #[test]
    fn no_cut_makes_it_panic(from in 0usize..POD.len(), to in 0usize..POD.len()) {
        take(POD.get(from..to).unwrap_or(""), &Hints::default());
    }

    #[test]
    fn no_text_makes_it_panic(lines in proptest::collection::vec("( {0,8}(Name|Events|Containers|State|Labels|Data|Subsets|Ready|- Addresses|x):? {0,3}){0,2}\\PC{0,9}", 0..30)) {
        take(&lines.join("\n"), &Hints::default());
    }
}
