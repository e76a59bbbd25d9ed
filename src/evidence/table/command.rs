//! What a kubectl command line says about its output.

/// Options of kubectl that take a value in the next word.
const WITH_VALUE: &[&str] = &[
    "-n",
    "--namespace",
    "-o",
    "--output",
    "-l",
    "--selector",
    "--field-selector",
    "--context",
    "--kubeconfig",
    "--sort-by",
    "-L",
    "--cluster",
    "--user",
];

/// Filters that leave every row in place.
const HARMLESS: &[&str] = &["tee", "cat", "column", "sort", "less", "more"];

/// A kubectl command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::evidence) struct Command {
    /// `-n`.
    pub namespace: Option<String>,
    /// `-A`.
    pub all_namespaces: bool,
    /// The output is only a part of what there is: names, selectors, grep, head.
    pub partial: bool,
}

impl Command {
    /// Reads a command line; a line that is no kubectl command says nothing.
    pub fn parse(line: &str) -> Self {
        let mut parts = line.split(" | ").flat_map(|part| part.split('|'));
        let mut command = Self::words(parts.next().unwrap_or(""));
        let harmless = |part: &str| part.split_ascii_whitespace().next().is_none_or(|word| HARMLESS.contains(&word));
        command.partial |= !parts.all(harmless);
        command
    }

    fn words(line: &str) -> Self {
        let mut command = Command::default();
        let mut words = line.split_ascii_whitespace();
        let mut plain = 0usize;
        while let Some(word) = words.next() {
            let (name, mut value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
            if value.is_none() && WITH_VALUE.contains(&name) {
                value = words.next();
            }
            match name {
                "-n" | "--namespace" => command.namespace = value.map(unquoted),
                "-A" | "--all-namespaces" => command.all_namespaces = value != Some("false"),
                "-l" | "--selector" | "--field-selector" => command.partial = true,
                _ if name.starts_with("-n") && !name.starts_with("--") => {
                    command.namespace = name.get(2..).map(unquoted)
                }
                _ if name.starts_with("-l") => command.partial = true,
                // What follows is the shell's.
                ">" | ">>" | "2>" | ";" | "&&" => break,
                _ if name.starts_with('-') || name.starts_with('>') || name.starts_with("2>") => {}
                // Plain words are the program, the verb and the kinds; all others are names of objects.
                "kubectl" | "oc" | "k" | "get" | "top" | "events" | "sudo" | "k3s" | "microk8s" => {}
                _ => {
                    plain += 1;
                    command.partial |= plain > 1 || word.contains('/');
                }
            }
        }
        command
    }
}

fn unquoted(text: &str) -> String {
    text.trim_matches(['"', '\'']).to_owned()
}

/// The command after a shell prompt: `$ kubectl get pods`, `root@cp1:~# kubectl …`, `PS C:\> kubectl …`.
pub(in crate::evidence) fn prompted(line: &str) -> Option<&str> {
    let at = ["kubectl ", "oc ", "k3s kubectl "].iter().filter_map(|name| line.find(name)).min()?;
    let before = line.get(..at)?.trim_end();
    let before = before.strip_suffix("sudo").unwrap_or(before).trim_end();
    let prompt = before.is_empty() || before.ends_with(['$', '#', '>', '%', '+']);
    (prompt && before.len() < 120).then(|| line.get(at..).unwrap_or("").trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespaces_and_filters() {
        for (line, namespace, all, partial) in [
            ("kubectl get pods", None, false, false),
            ("kubectl -n kube-system get po -o wide", Some("kube-system"), false, false),
            ("kubectl get po --namespace=dns", Some("dns"), false, false),
            ("kubectl get po -ndns", Some("dns"), false, false),
            ("kubectl get po --namespace dns -l k8s-app=kube-dns", Some("dns"), false, true),
            ("kubectl get pods -A -o wide", None, true, false),
            ("kubectl get pods -A | grep dns", None, true, true),
            ("kubectl get pods -A | tee all.txt", None, true, false),
            ("kubectl get pods -A|head -5", None, true, true),
            ("kubectl get node worker-1", None, false, true),
            ("kubectl get pods,svc", None, false, false),
            ("kubectl get pod/x", None, false, true),
            ("kubectl get svc --all-namespaces > svc.txt", None, true, false),
            ("", None, false, false),
        ] {
            let command = Command::parse(line);
            let expected = (namespace.map(str::to_owned), all, partial);
            assert_eq!((command.namespace, command.all_namespaces, command.partial), expected, "{line}");
        }
    }

    #[test]
    fn prompts() {
        assert_eq!(prompted("$ kubectl get po"), Some("kubectl get po"));
        assert_eq!(prompted("root@cp1:~# kubectl get po"), Some("kubectl get po"));
        assert_eq!(prompted("PS C:\\> kubectl get po"), Some("kubectl get po"));
        assert_eq!(prompted("I ran kubectl get po"), None);
        assert_eq!(prompted("kubectl-proxy   1/1"), None);
    }
}
