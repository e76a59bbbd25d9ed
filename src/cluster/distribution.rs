//! Which distribution a cluster is, by its own names (manifests of each, domain facts of 2026-12).

use super::Cluster;

/// `kubeadm`, `k3s`, `openshift`, `eks`, `aks`, `gke`, `rke2`, `kops`, `kind`, `minikube`; `None` where nothing says so.
pub fn distribution(cluster: &Cluster) -> Option<String> {
    let kubelet = cluster.kubernetes_version.as_ref().map_or("", |seen| seen.value.as_str());
    let pod = |start: &str| cluster.pods.iter().any(|pod| pod.name.starts_with(start));
    let image = |part: &str| {
        cluster.dns_containers().any(|(_, view)| view.image().is_some_and(|seen| seen.value.contains(part)))
    };
    let label = |part: &str| {
        cluster.dns_pods().filter_map(|pod| pod.labels()).any(|seen| seen.value.keys().any(|key| key.contains(part)))
    };
    let node_label = |part: &str| {
        cluster.nodes.iter().flat_map(|node| &node.sights).any(|s| s.labels.keys().any(|key| key.contains(part)))
    };
    let rules: [(&str, bool); 10] = [
        ("openshift", cluster.dns.namespace == "openshift-dns"),
        ("rke2", pod("rke2-coredns") || kubelet.contains("+rke2") || image("hardened-coredns")),
        ("k3s", kubelet.contains("+k3s") || image("mirrored-coredns")),
        ("eks", kubelet.contains("-eks-") || image("eks/coredns") || label("eks.amazonaws.com") || pod("aws-node-")),
        ("aks", node_label("kubernetes.azure.com") || pod("azure-ip-masq-agent") || image("oss/kubernetes/coredns")),
        ("gke", kubelet.contains("-gke.") || pod("gke-metadata-server") || node_label("cloud.google.com/gke")),
        ("minikube", pod("kube-apiserver-minikube") || cluster.node("minikube").is_some()),
        ("kind", pod("kindnet-")),
        ("kops", node_label("kops.k8s.io") || pod("kops-controller")),
        ("kubeadm", pod("kube-apiserver-") && pod("etcd-")),
    ];
    rules.iter().find(|(_, holds)| *holds).map(|(name, _)| (*name).to_owned())
}
