//! The plugins of the official CoreDNS image: which version has which, and the options of those that cluster Corefiles use.
//! Source: `plugin.cfg` and the READMEs of the releases 1.0.0 to 1.15.0. A vendor's image may hold others.

use super::version::Version;

/// A plugin and the releases that have it.
pub struct Plugin {
    /// As it stands in a Corefile.
    pub name: &'static str,
    /// First release that has it.
    pub added: Version,
    /// First release that does not have it any more.
    pub removed: Option<Version>,
    /// Its options, in the newest release that has it; empty where they are not listed here.
    pub options: &'static [&'static str],
}

const fn v(minor: u16, patch: u16) -> Version {
    Version::new(1, minor, patch)
}

const fn since(name: &'static str, minor: u16, patch: u16) -> Plugin {
    Plugin { name, added: v(minor, patch), removed: None, options: &[] }
}

const fn until(name: &'static str, minor: u16, patch: u16) -> Plugin {
    Plugin { name, added: v(0, 0), removed: Some(v(minor, patch)), options: &[] }
}

const fn with(name: &'static str, minor: u16, patch: u16, options: &'static [&'static str]) -> Plugin {
    Plugin { name, added: v(minor, patch), removed: None, options }
}

/// All of them, by name.
pub const PLUGINS: &[Plugin] = &[
    since("acl", 6, 4),
    since("any", 5, 1),
    since("auto", 0, 0),
    since("autopath", 0, 0),
    since("azure", 6, 2),
    since("bind", 0, 0),
    since("bufsize", 6, 6),
    with(
        "cache",
        0,
        0,
        &["success", "denial", "prefetch", "serve_stale", "servfail", "disable", "keepttl", "serve_stale_policy"],
    ),
    since("cancel", 5, 0),
    since("chaos", 0, 0),
    since("clouddns", 6, 3),
    since("debug", 0, 0),
    since("dns64", 7, 0),
    since("dnssec", 0, 0),
    since("dnstap", 0, 0),
    since("erratic", 0, 0),
    with("errors", 0, 0, &["consolidate", "stacktrace", "show_first"]),
    since("etcd", 0, 0),
    until("federation", 7, 0),
    since("file", 0, 0),
    with(
        "forward",
        0,
        6,
        &[
            "except",
            "force_tcp",
            "prefer_udp",
            "expire",
            "max_fails",
            "tls",
            "tls_servername",
            "policy",
            "health_check",
            "max_concurrent",
            "next",
            "failfast_all_unhealthy_upstreams",
            "failover",
            "max_connect_attempts",
            "max_idle_conns",
            "max_age",
            "next_on_nodata",
            "resolver",
            "read_timeout",
            "doh_method",
            "source_address",
        ],
    ),
    since("geoip", 8, 5),
    since("grpc", 5, 0),
    since("grpc_server", 14, 0),
    since("header", 8, 5),
    with("health", 0, 0, &["lameduck"]),
    with("hosts", 0, 0, &["ttl", "no_reverse", "reload", "fallthrough", "fallthrough_unsupported"]),
    since("https", 14, 0),
    since("https3", 14, 0),
    since("k8s_external", 3, 0),
    with(
        "kubernetes",
        0,
        0,
        &[
            "endpoint",
            "tls",
            "kubeconfig",
            "namespaces",
            "labels",
            "namespace_labels",
            "pods",
            "endpoint_pod_names",
            "ttl",
            "noendpoints",
            "ignore",
            "fallthrough",
            "multicluster",
            "startup_timeout",
            "apiserver_qps",
            "apiserver_burst",
            "apiserver_max_inflight",
            "zonal",
        ],
    ),
    since("loadbalance", 0, 0),
    since("local", 8, 1),
    since("log", 0, 0),
    since("loop", 2, 1),
    since("metadata", 2, 0),
    since("minimal", 8, 4),
    since("multisocket", 12, 0),
    since("nomad", 13, 0),
    since("nsid", 0, 1),
    since("on", 0, 6),
    since("pprof", 0, 0),
    since("prometheus", 0, 0),
    until("proxy", 5, 0),
    since("proxyproto", 14, 3),
    since("quic", 12, 2),
    with("ready", 5, 0, &["monitor"]),
    since("reload", 1, 0),
    until("reverse", 2, 0),
    since("rewrite", 0, 0),
    since("root", 0, 0),
    since("route53", 0, 5),
    since("secondary", 0, 0),
    since("shed", 14, 7),
    until("shutdown", 1, 1),
    since("sign", 6, 3),
    until("startup", 1, 1),
    since("template", 0, 3),
    since("timeouts", 10, 1),
    since("tls", 0, 0),
    since("trace", 0, 0),
    since("transfer", 6, 5),
    since("tsig", 9, 4),
    since("view", 10, 0),
    since("whoami", 0, 0),
];

/// What a version says about a plugin's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// The version has it.
    Yes,
    /// It came later.
    NotYet(Version),
    /// It is gone.
    NoMore(Version),
    /// No official release has a plugin of that name: a typing error, or a vendor's plugin.
    Never,
}

/// Whether the official image of `version` has the plugin.
pub fn known(name: &str, version: Version) -> Known {
    match PLUGINS.iter().find(|plugin| plugin.name == name) {
        None => Known::Never,
        Some(plugin) if version < plugin.added => Known::NotYet(plugin.added),
        Some(Plugin { removed: Some(gone), .. }) if version >= *gone => Known::NoMore(*gone),
        Some(_) => Known::Yes,
    }
}

/// The plugin or option that `word` was probably meant to be: one or two letters apart.
pub fn nearest(word: &str) -> Option<&'static str> {
    let names = PLUGINS.iter().flat_map(|plugin| std::iter::once(&plugin.name).chain(plugin.options));
    let near = names.map(|name| (distance(word, name), *name)).filter(|(letters, _)| (1..=2).contains(letters));
    near.min().map(|(_, name)| name)
}

/// How many letters to change, add or drop (Levenshtein); words of over 40 letters are never near.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.to_lowercase().chars().take(41).collect(), b.chars().collect());
    if a.len() > 40 || a.len().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugins_come_and_go() {
        assert_eq!(known("proxy", v(4, 0)), Known::Yes);
        assert_eq!(known("proxy", v(5, 0)), Known::NoMore(v(5, 0)));
        assert_eq!(known("ready", v(4, 0)), Known::NotYet(v(5, 0)));
        assert_eq!(known("forwrad", v(11, 3)), Known::Never);
    }

    #[test]
    fn typing_errors_find_their_word() {
        for (word, meant) in
            [("max_concurent", "max_concurrent"), ("forwrad", "forward"), ("heath", "health"), ("succes", "success")]
        {
            assert_eq!(nearest(word), Some(meant), "{word}");
        }
        assert_eq!(nearest("unrelated_word"), None);
        assert_eq!(nearest("forward"), None);
    }

    #[test]
    fn the_table_is_sorted_and_without_doubles() {
        assert!(PLUGINS.windows(2).all(|pair| pair[0].name < pair[1].name));
    }
}
