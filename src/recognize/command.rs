//! What a command line says about its output: whose it is and of which kind.

use super::programs::{ALONE, COMMANDS, PROSE, VERBS};
use super::{Hints, Kind};

/// The first word of a command: without waiting, `sudo`, assignments and the path.
pub fn program(command: &str) -> &str {
    let mut words = command.split_whitespace().skip_while(|word| {
        matches!(*word, "sudo" | "time" | "watch" | "timeout" | "sleep" | "-n" | "-E" | "&&" | ";")
            || word.contains('=')
            || is_number(word)
    });
    let word = words.next().unwrap_or_default();
    word.rsplit('/').next().unwrap_or(word)
}

/// A number of seconds, as `watch`, `timeout` and `sleep` take it.
fn is_number(word: &str) -> bool {
    let digits = word.trim_end_matches([';', 's']);
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

/// Whether a text that could also be a comment or a heading in words is a command.
pub fn looks_like_one(text: &str) -> bool {
    let program = program(text);
    if !COMMANDS.iter().any(|(name, _)| *name == program) || text.ends_with(['.', ',']) {
        return false;
    }
    let arguments: Vec<&str> =
        text.split_whitespace().skip_while(|word| !word.ends_with(program)).skip(1).take(200).collect();
    let Some(first) = arguments.first() else { return ALONE.contains(&program) };
    let is_option = |word: &&str| word.starts_with(['-', '/', '+', '@', '|', '>', '~']);
    let is_value =
        |word: &&str| word.contains(['.', '/', '@', ':', '=']) || word.contains(|c: char| c.is_ascii_digit());
    let is_lookup = COMMANDS.contains(&(program, Some(Kind::Lookup))) && arguments.len() == 1;
    let has_argument =
        VERBS.contains(first) || arguments.iter().any(|word| is_option(word) || is_value(word)) || is_lookup;
    let quoted = text.contains(['\'', '"']);
    has_argument && (quoted || !arguments.iter().any(|word| PROSE.contains(word) && !VERBS.contains(word)))
}

/// Whether a line without any prompt is a command of kubectl: pasted with its output, it is short or has options.
pub fn is_bare(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().take(5).collect();
    let asks = |verb: &&str| {
        matches!(*verb, "get" | "describe" | "logs" | "top" | "events" | "version") || verb.starts_with('-')
    };
    (line.starts_with("kubectl ") || line.starts_with("oc "))
        && !line.ends_with([':', ')'])
        && words.get(1).is_some_and(asks)
        && (words.len() < 5 || line.contains(" -"))
        && looks_like_one(line)
}

/// The kind of output that the command has where its content does not say.
pub fn kind(command: &str) -> Option<Kind> {
    let simple = inner(command);
    let program = program(simple);
    let words: Vec<&str> = simple.split_whitespace().collect();
    if words.iter().any(|word| word.ends_with("resolv.conf")) && matches!(program, "cat" | "head" | "tail" | "grep") {
        return Some(Kind::ResolvConf);
    }
    match kubectl_verb(&words) {
        Some("logs" | "log") => Some(Kind::Log),
        Some("describe") => Some(Kind::Describe),
        Some("get" | "top" | "events") if !words.iter().any(|word| is_template(word)) => Some(Kind::Table),
        Some(_) => None,
        None if words.contains(&"logs") => Some(Kind::Log),
        None if program == "journalctl" && words.iter().any(|word| matches!(*word, "-k" | "--dmesg")) => {
            Some(Kind::KernelLog)
        }
        None if matches!(program, "cat" | "head" | "tail" | "zcat" | "grep") && simple.contains(".log") => {
            Some(Kind::Log)
        }
        None if program == "cat" && simple.contains("Corefile") => Some(Kind::Corefile),
        None if program == "cat" && ["/proc/", "/sys/", "/etc/"].iter().any(|place| simple.contains(place)) => {
            Some(Kind::NodeFile)
        }
        None => COMMANDS.iter().find(|(name, _)| *name == program).and_then(|(_, kind)| *kind),
    }
}

/// Options that make `kubectl get` print what the asker shaped.
fn is_template(word: &str) -> bool {
    ["jsonpath", "go-template", "--raw", "name", "-ojsonpath"]
        .iter()
        .any(|form| word.strip_prefix("-o").map(|rest| rest.trim_start_matches('=')).unwrap_or(word).starts_with(form))
}

/// The command that really prints: what `kubectl exec … --` or a loop's `do` runs.
fn inner(command: &str) -> &str {
    let run = ["exec", "run", "debug", "rsh"].iter().any(|verb| command.split_whitespace().any(|word| word == *verb));
    let after = command.split_once(" -- ").filter(|_| run).map_or(command, |(_, inner)| inner);
    let after = after.split_once("do ").filter(|_| after.starts_with("for ")).map_or(after, |(_, body)| body);
    let after = after.strip_prefix("sh -c ").or_else(|| after.strip_prefix("bash -c ")).unwrap_or(after);
    let after = after.trim_start_matches(['\'', '"']);
    after.split_once("do ").filter(|_| after.starts_with("for ")).map_or(after, |(_, body)| body)
}

fn is_kubectl(word: &str) -> bool {
    let word = word.rsplit('/').next().unwrap_or(word);
    matches!(word, "kubectl" | "oc" | "k" | "k8s" | "microk8s.kubectl")
}

/// The verb of a kubectl command.
fn kubectl_verb<'a>(words: &[&'a str]) -> Option<&'a str> {
    const KNOWN: &[&str] = &[
        "get",
        "describe",
        "logs",
        "log",
        "top",
        "exec",
        "events",
        "run",
        "debug",
        "version",
        "auth",
        "config",
        "rollout",
        "api-resources",
        "cluster-info",
    ];
    let start = words.iter().position(|word| is_kubectl(word))?;
    words.iter().skip(start + 1).find(|word| KNOWN.contains(word)).copied()
}

/// Whose output it is, as the options say.
pub fn hints(command: &str) -> Hints {
    let mut hints = Hints::default();
    let words: Vec<&str> = command.split_whitespace().take(200).collect();
    let Some(start) = words.iter().position(|word| is_kubectl(word)) else { return hints };
    let verb = kubectl_verb(&words);
    let is_log = matches!(verb, Some("logs" | "log"));
    let takes_pod = is_log || matches!(verb, Some("exec" | "describe" | "debug"));
    let mut names = Vec::new();
    let mut at = start + 1;
    while let Some(word) = words.get(at).copied() {
        at += 1;
        if matches!(word, "--" | "|" | ";" | "&&" | ">" | "2>&1") {
            break;
        }
        let (option, value) = match word.split_once('=') {
            Some((option, value)) if option.starts_with('-') => (option, Some(value)),
            _ => (word, None),
        };
        let mut value = || {
            let next = words.get(at).copied().filter(|_| value.is_none());
            at += usize::from(next.is_some());
            value.or(next).map(|value| value.trim_matches(['\'', '"', ';']).to_owned())
        };
        match option {
            "-n" | "--namespace" => hints.namespace = value(),
            "-c" | "--container" => hints.container = value(),
            "-p" | "--previous" if is_log => hints.previous = true,
            option if TAKES_VALUE.contains(&option) => drop(value()),
            option if option.starts_with('-') => {}
            name => names.push(name.trim_matches(['\'', '"', ';'])),
        }
    }
    let mut names = names.into_iter().skip_while(|name| Some(*name) != verb).skip(1);
    if takes_pod {
        hints.pod = pod_of(names.next(), names.next(), verb == Some("describe"));
    }
    hints
}

/// Options of kubectl whose value is the next word.
const TAKES_VALUE: &[&str] = &[
    "-l",
    "--selector",
    "-o",
    "--output",
    "--tail",
    "--since",
    "--since-time",
    "--context",
    "--kubeconfig",
    "--sort-by",
    "--field-selector",
    "--cluster",
    "--as",
    "--image",
];

/// The pod among the names: `POD`, `pod/POD`, or for `describe` also `pod POD`.
fn pod_of(first: Option<&str>, second: Option<&str>, typed: bool) -> Option<String> {
    let first = first?;
    let is_pod = |kind: &str| matches!(kind, "po" | "pod" | "pods");
    if let Some((kind, name)) = first.split_once('/') {
        return (is_pod(kind) && !name.is_empty()).then(|| name.to_owned());
    }
    if is_pod(first) {
        return second.map(str::to_owned);
    }
    (!typed).then(|| first.to_owned())
}

/// Whether the command opens a shell in a pod: what follows at other prompts belongs to that pod.
pub fn opens_shell(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    let last = words.last().map_or("", |word| word.rsplit('/').next().unwrap_or(word));
    matches!(kubectl_verb(&words), Some("exec" | "debug" | "run")) && matches!(last, "sh" | "bash" | "ash" | "zsh")
}

/// The command that a collector turned into a file name (`kubectl_get_-o_json_--namespace_x_pods` of sos: runs of
/// blanks became `_`, slashes became `.`).
pub fn from_file_name(name: &str) -> Option<String> {
    let plain = |ending: &&str| name.ends_with(*ending);
    let ending = [".txt", ".log", ".out", ".json", ".yaml", ".tailed"].iter().find(|ending| plain(ending));
    let name = ending.map_or(name, |ending| name.trim_end_matches(ending));
    let (program, _) = name.split_once('_')?;
    let known = matches!(program, "microk8s" | "k8s") || COMMANDS.iter().any(|(known, _)| *known == program);
    let command = name.replace('_', " ");
    (known && looks_like_one(&command)).then_some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_say_whose_output_it_is() {
        let cases = [
            ("kubectl -n kube-system logs coredns-1 -c coredns --previous", "kube-system coredns-1 coredns previous"),
            ("kubectl logs --namespace=dns -p pod/coredns-1 --tail 50 | grep x", "dns coredns-1 - previous"),
            ("sudo k3s kubectl logs --tail=5 coredns-1 -n kube-system", "kube-system coredns-1 - current"),
            ("kubectl exec -it -n shop web-0 -- cat /etc/resolv.conf", "shop web-0 - current"),
            ("kubectl -n shop exec deploy/web -- nslookup -p a", "shop - - current"),
            ("kubectl describe pod coredns-1 -n kube-system", "kube-system coredns-1 - current"),
            ("kubectl describe svc kube-dns", "- - - current"),
            ("kubectl logs -l k8s-app=kube-dns -n kube-system", "kube-system - - current"),
            ("dig -p 53 -c IN example.org", "- - - current"),
            ("kubectl --kubeconfig .etc.k --namespace a logs p -c c", "a p c current"),
        ];
        for (command, expected) in cases {
            let found = hints(command);
            let word = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".into());
            let run = if found.previous { "previous" } else { "current" };
            let found = [word(&found.namespace), word(&found.pod), word(&found.container), run.into()].join(" ");
            assert_eq!(found, expected, "{command}");
        }
    }

    #[test]
    fn the_command_says_the_kind() {
        let cases = [
            ("kubectl exec x -- cat /etc/resolv.conf", Some(Kind::ResolvConf)),
            ("kubectl -n a exec x -- sh -c 'for i in 1 2; do nslookup b; done'", Some(Kind::Lookup)),
            ("for i in $(seq 5); do dig +short a; done", Some(Kind::Lookup)),
            ("kubectl logs x", Some(Kind::Log)),
            ("crictl logs 1a2b", Some(Kind::Log)),
            ("crictl ps -a", Some(Kind::NodeFile)),
            ("sleep 60; conntrack -S | grep x", Some(Kind::NodeFile)),
            ("kubectl get pods --no-headers", Some(Kind::Table)),
            ("kubectl get nodes -o jsonpath={.items}", None),
            ("kubectl run -it --rm t --image=busybox -- nslookup a", Some(Kind::Lookup)),
            ("journalctl -k -b", Some(Kind::KernelLog)),
            ("sudo cat /etc/hosts", Some(Kind::NodeFile)),
        ];
        for (command, expected) in cases {
            assert_eq!(kind(command), expected, "{command}");
        }
    }

    #[test]
    fn a_command_without_prompt_is_told_from_a_sentence() {
        for line in
            ["kubectl get pods", "kubectl logs coredns-1 -n kube-system --previous", "oc -n openshift-dns get ds"]
        {
            assert!(is_bare(line), "{line}");
        }
        for line in [
            "kubectl get pods shows nothing",
            "kubectl logs are empty",
            "kubectl: not found",
            "  oc get --raw /x",
            "kubectl get svc -A (rows):",
        ] {
            assert!(!is_bare(line), "{line}");
        }
    }

    #[test]
    fn a_file_name_can_be_a_command() {
        let name = "kubectl_--kubeconfig_.etc.k_--namespace_kube-system_logs_coredns-1_-c_coredns";
        let command = from_file_name(name).unwrap();
        assert_eq!(hints(&command).pod.as_deref(), Some("coredns-1"));
        assert_eq!(from_file_name("get_pods_kube-system.txt"), None);
        assert_eq!(from_file_name("ip_addresses.txt"), None);
    }
}
