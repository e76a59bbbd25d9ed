//! Shapes of single lines: what a line could be part of.

/// A heading of `kubectl get`, `top`, `events` or `auth can-i --list`: words in capitals, two blanks or more between.
pub fn is_table_heading(line: &str) -> bool {
    // A paste that squeezed the blanks: the well-known words still stand side by side.
    const SQUEEZED: [&str; 4] =
        ["NAME READY STATUS RESTARTS", "NAME STATUS ROLES AGE", "NAME TYPE CLUSTER-IP", "LAST SEEN TYPE REASON"];
    if SQUEEZED.iter().any(|words| line.strip_prefix("NAMESPACE ").unwrap_or(line).starts_with(words)) {
        return true;
    }
    const FIRST: &[&str] = &["NAMESPACE", "NAME", "LAST SEEN", "POD", "KIND", "CLUSTER"];
    let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).take(40).collect();
    let capital = |cell: &&str| {
        cell.starts_with(|c: char| c.is_ascii_uppercase())
            && !cell.contains(|c: char| c.is_ascii_lowercase() && !cell.contains('('))
    };
    let starts = |word: &&&str| {
        cells
            .first()
            .is_some_and(|first| first == *word || first.strip_prefix(**word).is_some_and(|rest| rest.starts_with(' ')))
    };
    let heading = FIRST.iter().find(starts).is_some() && cells.len() >= 2 && cells.iter().all(capital);
    heading || line.starts_with("Resources ") && line.contains("Non-Resource URLs")
}

/// The first line of a described object: `Name:` and a value.
pub fn is_describe_name(line: &str) -> bool {
    line.strip_prefix("Name:").is_some_and(|rest| rest.starts_with([' ', '\t']) && !rest.trim().is_empty())
}

/// The keys that stand below `Name:` in every described object.
pub fn is_describe_key(line: &str) -> bool {
    const KEYS: &[&str] = &[
        "Namespace:",
        "Labels:",
        "Annotations:",
        "Roles:",
        "Priority:",
        "API Version:",
        "Created on:",
        "CreationTimestamp:",
        "Created:",
        "Role:",
        "IsDefaultClass:",
        "AddressType:",
        "Spec:",
        "Min available:",
        "Subsets:",
    ];
    KEYS.iter().any(|key| line.starts_with(key))
}

/// A sample of Prometheus text: `name{label="value"} 1` or `long_name 1`.
pub fn is_metric(line: &str) -> bool {
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':')).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    let (labels, value) = match rest.strip_prefix('{') {
        Some(labels) => match labels.rsplit_once('}') {
            Some((_, value)) => (true, value),
            None => return false,
        },
        None => (false, rest),
    };
    let is_number = value.split_whitespace().next().is_some_and(|word| word.parse::<f64>().is_ok());
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && (labels || name.contains('_'))
        && value.starts_with(' ')
        && is_number
}

/// kubectl's and the collectors' own words where data should be.
pub fn is_gap(line: &str) -> bool {
    const STARTS: &[&str] = &[
        "Error from server",
        "error from server",
        "error: ",
        "No resources found",
        "No events found",
        "Unable to connect to the server",
        "The connection to the server ",
        "unable to retrieve container logs",
        "Error: ",
        "failed to ",
        "Failed to get",
        "Request log error",
        "curl: (",
        "Unable to retrieve",
        "the server could not find",
        "the server doesn't have a resource type",
        "command terminated with exit code",
        "Metrics API not available",
    ];
    STARTS.iter().any(|start| line.starts_with(start))
        || line.contains("previous terminated container") && line.contains("not found")
}

/// A line of resolv.conf that is no comment.
pub fn is_resolv_conf(line: &str) -> bool {
    let mut words = line.split_whitespace();
    matches!(words.next(), Some("nameserver" | "search" | "options" | "domain" | "sortlist"))
        && words.next().is_some()
        && !line.trim_end().ends_with(['{', '.', ';'])
}

/// The start of a server block, a snippet or an import of a Corefile.
pub fn is_server_block(line: &str) -> bool {
    if let Some(file) = line.strip_prefix("import ") {
        return !file.contains(' ') && !file.trim().is_empty();
    }
    let Some(keys) = line.trim_end().strip_suffix('{') else { return false };
    let keys = keys.trim_end();
    let is_key = |key: &str| {
        key.starts_with('(') && key.ends_with(')') || key.contains(['.', ':', '/']) || key == "$" || key.contains("{$")
    };
    !keys.is_empty()
        && !keys.starts_with([' ', '\t'])
        && keys.split([' ', ',', '\t']).filter(|key| !key.is_empty()).all(is_key)
}

/// A plugin's line inside a server block.
pub fn is_plugin(line: &str) -> bool {
    const PLUGINS: &[&str] = &[
        "acl",
        "any",
        "auto",
        "autopath",
        "azure",
        "bind",
        "bufsize",
        "cache",
        "cancel",
        "chaos",
        "clouddns",
        "debug",
        "dns64",
        "dnssec",
        "dnstap",
        "erratic",
        "errors",
        "etcd",
        "federation",
        "file",
        "forward",
        "geoip",
        "grpc",
        "header",
        "health",
        "hosts",
        "import",
        "k8s_external",
        "kubernetes",
        "loadbalance",
        "local",
        "log",
        "loop",
        "metadata",
        "minimal",
        "multisocket",
        "nsid",
        "pprof",
        "prometheus",
        "proxy",
        "ready",
        "reload",
        "reverse",
        "rewrite",
        "root",
        "route53",
        "secondary",
        "sign",
        "template",
        "timeouts",
        "tls",
        "trace",
        "transfer",
        "tsig",
        "upstream",
        "view",
        "whoami",
    ];
    line.split_whitespace().next().is_some_and(|word| PLUGINS.contains(&word.trim_end_matches('{')))
}

/// A mapping or a list item of block YAML.
pub fn is_yaml(line: &str) -> bool {
    let text = line.trim_start().trim_start_matches("- ");
    let is_key = text.split_once(':').is_some_and(|(key, value)| {
        let key = key.trim_matches('"');
        (value.is_empty() || value.starts_with(' '))
            && !key.is_empty()
            && key.chars().all(|c| c.is_ascii_alphanumeric() || "._-/$%".contains(c))
    });
    is_key || line.trim_start().starts_with("- ")
}

/// A sentence or a part of one: several words of letters.
pub fn is_prose(line: &str) -> bool {
    let words = line.split_whitespace().filter(|word| {
        let word = word.trim_matches(|c: char| c.is_ascii_punctuation());
        word.chars().count() > 1 && word.chars().all(|c| c.is_alphabetic() || "'’-".contains(c))
    });
    words.count() >= 3 && !line.trim_start().starts_with('<')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_shapes_are_told_apart() {
        assert!(is_table_heading("LAST SEEN   TYPE      REASON   OBJECT   MESSAGE"));
        assert!(is_table_heading("NAME       CPU(cores)   CPU(%)   MEMORY(bytes)"));
        assert!(is_table_heading("NAMESPACE NAME READY STATUS RESTARTS AGE"));
        assert!(!is_table_heading("Name:   coredns"));
        assert!(!is_table_heading("NAME is what it is"));
        assert!(is_metric("coredns_panics_total 0") && is_metric("up{a=\"b} c\"} 1.5e+06 1700000000"));
        assert!(!is_metric("nameserver 10") && !is_metric("net_x = 1"));
        assert!(
            is_server_block(".:53 {")
                && is_server_block("cluster.local:53 in-addr.arpa:53 {")
                && is_server_block("(snip) {")
        );
        assert!(!is_server_block("options {") && !is_server_block("func main() {"));
        assert!(is_yaml("kind: List") && is_yaml("  - name: x") && !is_yaml("10:12 we saw it"));
    }
}
