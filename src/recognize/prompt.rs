//! Shell prompts, traces and headings: lines that say which command printed what follows.

use super::command;

/// A line that opens a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opener<'a> {
    /// The command, or nothing for an empty prompt and for a heading in words.
    pub command: Option<&'a str>,
    /// The machine that the prompt names: a node or a pod.
    pub host: Option<&'a str>,
    /// What sort of line it is.
    pub style: Style,
}

/// How a line says what follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `$ cmd`, `PS C:\> cmd`: the shell of the person who collects.
    Own,
    /// `user@host:~$ cmd`, `/app # cmd`, `bash-5.1$ cmd`: a shell on a node or in a container.
    Inside,
    /// `# cmd`: a root prompt or a heading, and in some files a comment.
    Hash,
    /// `### cmd`, `--- cmd ---`, `=== words`, `+ cmd`.
    Heading,
}

/// Reads a line as a step of a shell's trace (`+ cmd`), where earlier steps were seen.
pub fn trace(line: &str) -> Option<Opener<'_>> {
    let command = line.trim_end().strip_prefix("+ ")?;
    let starts = command.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
    starts.then_some(Opener { command: Some(command), host: None, style: Style::Heading })
}

/// Reads a line as a prompt or heading.
pub fn opener(line: &str) -> Option<Opener<'_>> {
    let line = line.trim_end();
    match line.as_bytes().first()? {
        b'$' => own(line.strip_prefix('$')?),
        b'#' => hash(line),
        b'+' | b'-' | b'=' | b'*' | b'>' => heading(line),
        b'%' => weak(line.strip_prefix("% ")?, Style::Own),
        b'[' => bracketed(line),
        b'/' | b'~' => path_prompt(line),
        _ if command::is_bare(line) => Some(Opener { command: Some(line), host: None, style: Style::Heading }),
        0x80.. => decorated(line),
        _ => windows(line).or_else(|| user_host(line)).or_else(|| named_shell(line)),
    }
}

/// What stands behind a prompt's sign: nothing, or a blank and the command.
fn behind(rest: &str) -> Option<Option<&str>> {
    if rest.is_empty() {
        return Some(None);
    }
    let command = rest.strip_prefix(' ')?.trim();
    Some((!command.is_empty()).then_some(command))
}

fn own(rest: &str) -> Option<Opener<'_>> {
    let command = behind(rest)?;
    // `$ 5` or `$ = …` is no command.
    let starts = |command: &str| command.starts_with(|c: char| c.is_ascii_alphabetic() || "./~(_[{\"'".contains(c));
    command.is_none_or(starts).then_some(Opener { command, host: None, style: Style::Own })
}

fn inside<'a>(rest: &'a str, host: Option<&'a str>) -> Option<Opener<'a>> {
    Some(Opener { command: behind(rest)?, host, style: Style::Inside })
}

fn weak(text: &str, style: Style) -> Option<Opener<'_>> {
    command::looks_like_one(text).then_some(Opener { command: Some(text.trim()), host: None, style })
}

/// `# cmd`, `## cmd`, `### cmd ###`.
fn hash(line: &str) -> Option<Opener<'_>> {
    let text = line.trim_start_matches('#');
    let style = if line.len() - text.len() == 1 { Style::Hash } else { Style::Heading };
    let text = if style == Style::Heading { text.trim_end_matches([':', '#', ' ']) } else { text };
    weak(text.strip_prefix(' ')?.trim_start_matches("$ "), style)
}

/// `+ cmd`, `--- cmd ---`, `=== words`, `>>> cmd`.
fn heading(line: &str) -> Option<Opener<'_>> {
    let sign = line.chars().next()?;
    let text = line.trim_start_matches(sign);
    let signs = line.len() - text.len();
    let text = text.trim().trim_end_matches([sign, ':', ' ']).trim_start_matches("$ ").trim();
    let rule_of_words = sign == '=' && signs >= 3 && text.contains(char::is_alphabetic);
    if let Some(opener) = weak(text, Style::Heading).filter(|_| signs >= 2 || sign == '+') {
        return Some(opener);
    }
    rule_of_words.then_some(Opener { command: None, host: None, style: Style::Heading })
}

/// `[root@host ~]# cmd`.
fn bracketed(line: &str) -> Option<Opener<'_>> {
    let (place, rest) = line.strip_prefix('[')?.split_once(']')?;
    let rest = rest.strip_prefix(['#', '$', '%'])?;
    let (user, at) = place.split_once('@')?;
    let host = at.split(' ').next()?;
    (is_name(user) && is_name(host)).then(|| inside(rest, Some(host)))?
}

/// `➜  ~ cmd`, `❯ cmd`, `λ app git:(main) cmd`: a sign, perhaps words of a theme, and a command that is known.
fn decorated(line: &str) -> Option<Opener<'_>> {
    let sign = line.chars().next()?;
    let rest = line.strip_prefix(sign)?;
    if sign.is_alphabetic() && sign != 'λ' || !rest.starts_with(' ') {
        return None;
    }
    let starts = rest.match_indices(' ').map(|(at, _)| rest.get(at + 1..).unwrap_or_default());
    starts.filter(|rest| !rest.starts_with(' ')).take(5).find_map(|rest| weak(rest, Style::Own))
}

/// `user@host:~$ cmd`, `root@pod:/# cmd`, `user@host dir % cmd`, fish's `user@host ~> cmd`.
fn user_host(line: &str) -> Option<Opener<'_>> {
    let (user, at) = line.split_once('@')?;
    let length = at.find(|c: char| !is_name_part(c))?;
    let (host, place) = at.split_at(length);
    if !is_name(user) || host.is_empty() {
        return None;
    }
    let sign = place.find(['#', '$', '%', '>'])?;
    let (place, rest) = place.split_at(sign);
    if let Some(command) = rest.strip_prefix('>') {
        return weak(command.strip_prefix(' ')?, Style::Own);
    }
    // zsh puts the folder behind a blank; elsewhere a blank comes only before a path.
    let folder = place.strip_prefix([':', ' ']).unwrap_or(place).trim();
    let known = place.starts_with(':') || folder.is_empty() || folder.starts_with(['/', '~']) || rest.starts_with('%');
    (known && !folder.contains(' ') && place.len() < 200).then(|| inside(rest.get(1..)?, Some(host)))?
}

/// `/ # cmd`, `/app $ cmd`, `~ # cmd`: busybox and others without a name.
fn path_prompt(line: &str) -> Option<Opener<'_>> {
    let (_, rest) = line.split_once(' ')?;
    inside(rest.strip_prefix(['#', '$'])?, None)
}

/// `bash-5.1$ cmd`, `sh-4.4# cmd`, `pod:/app# cmd`, `dnstools# cmd`, zsh's `host% cmd`.
fn named_shell(line: &str) -> Option<Opener<'_>> {
    let sign = line.find(['#', '$', '%'])?;
    let (name, rest) = line.split_at(sign);
    let rest = rest.get(1..)?;
    if name.contains(|c: char| c.is_whitespace() || "\"'={(".contains(c)) {
        return None;
    }
    let shell = name.split_once('-').filter(|(shell, _)| matches!(*shell, "bash" | "sh" | "ash" | "zsh"));
    if shell.is_some_and(|(_, version)| version.chars().all(|c| c.is_ascii_digit() || c == '.')) {
        return inside(rest, None);
    }
    if let Some((host, path)) = name.split_once(':') {
        return (is_name(host) && path.starts_with(['/', '~'])).then(|| inside(rest, Some(host)))?;
    }
    is_name(name).then(|| weak(rest.strip_prefix(' ')?, Style::Inside))?
}

/// `PS C:\> cmd`, `C:\temp>cmd`.
fn windows(line: &str) -> Option<Opener<'_>> {
    let shell = line.strip_prefix("PS ");
    let place = shell.unwrap_or(line);
    let drive = place.as_bytes().first()?.is_ascii_alphabetic() && place.get(1..3) == Some(":\\");
    let folder = shell.is_some() && place.starts_with(['/', '~']);
    if !(drive || folder) {
        return None;
    }
    let (_, command) = place.split_once('>')?;
    let command = command.trim();
    Some(Opener { command: (!command.is_empty()).then_some(command), host: None, style: Style::Own })
}

fn is_name_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || "._-".contains(c)
}

fn is_name(text: &str) -> bool {
    (1..=253).contains(&text.len()) && text.chars().all(is_name_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_of_common_shells_are_known() {
        let cases = [
            ("$ kubectl get pods", Some("kubectl get pods"), None),
            ("me@laptop ~> kubectl get po -A", Some("kubectl get po -A"), None),
            ("me@laptop ~/work> kubectl get po -A", Some("kubectl get po -A"), None),
            ("laptop% kubectl get po -A", Some("kubectl get po -A"), None),
            ("➜  ~ kubectl get po -A", Some("kubectl get po -A"), None),
            ("➜  app git:(main) ✗ kubectl logs -n a b", Some("kubectl logs -n a b"), None),
            ("❯ dig @10.96.0.10 a.example", Some("dig @10.96.0.10 a.example"), None),
            ("$", None, None),
            ("# cat /etc/resolv.conf", Some("cat /etc/resolv.conf"), None),
            ("root@node-1:~# ss -lnp", Some("ss -lnp"), Some("node-1")),
            ("me@laptop:~/x$ kubectl version", Some("kubectl version"), Some("laptop")),
            ("[root@n1 ~]# uname -r", Some("uname -r"), Some("n1")),
            ("[ec2-user@ip-10-0-0-1 ~]$ dig a.b", Some("dig a.b"), Some("ip-10-0-0-1")),
            ("root@pod-0:/# ", None, Some("pod-0")),
            ("me@mac work % dig a.b", Some("dig a.b"), Some("mac")),
            ("/ # nslookup a", Some("nslookup a"), None),
            ("/app $ wget -qO- http://a", Some("wget -qO- http://a"), None),
            ("PS C:\\Users\\me> kubectl get po", Some("kubectl get po"), None),
            ("C:\\>ipconfig /all", Some("ipconfig /all"), None),
            ("% dig +short a.b", Some("dig +short a.b"), None),
            ("bash-5.1$ id", Some("id"), None),
            ("sh-4.4# cat /etc/hosts", Some("cat /etc/hosts"), None),
            ("dnstools# host kubernetes.default", Some("host kubernetes.default"), None),
            ("web-0:/app# env", Some("env"), Some("web-0")),
            ("+ kubectl get nodes -o wide", Some("kubectl get nodes -o wide"), None),
            ("### kubectl describe pod x", Some("kubectl describe pod x"), None),
            ("## kubectl get svc -A ##", Some("kubectl get svc -A"), None),
            ("--- dmesg -T ---", Some("dmesg -T"), None),
            ("=== dig kubernetes ===", Some("dig kubernetes"), None),
            ("=== CoreDNS config:", None, None),
        ];
        for (line, command, host) in cases {
            let found = opener(line).unwrap_or_else(|| panic!("no prompt: {line}"));
            assert_eq!((found.command, found.host), (command, host), "{line}");
        }
    }

    #[test]
    fn comments_and_data_are_no_prompts() {
        let lines = [
            "# Generated by NetworkManager",
            "# See man:systemd-resolved.service(8) for details",
            "# ip address of the upstream",
            "# cat and dog",
            "# host file managed by puppet, do not edit",
            "# HELP go_info Information",
            "# kubectl apply would overwrite this",
            "# forward . 10.0.0.1",
            "#",
            "---",
            "- name: coredns",
            "-A KUBE-SERVICES -d 10.0.0.1/32 -j X",
            "--- a/Corefile",
            "+++ b/Corefile",
            "+    forward . 10.0.0.1",
            "=====",
            "* text",
            "> quoted words",
            "[INFO] plugin/reload: x",
            "[pod/coredns-1/coredns] .:53",
            "[Tue Dec  1 03:46:42 2026] a",
            "/etc/coredns/Corefile:19 - Error during parsing: Unknown directive 'proxy'",
            "/dev/vda2        40G   37G  3.3G  92% /",
            "a@b.example wrote: # not this",
            "$ORIGIN example.org.",
            "",
        ];
        for line in lines {
            assert_eq!(opener(line), None, "{line}");
        }
    }
}
