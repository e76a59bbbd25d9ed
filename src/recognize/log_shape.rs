//! Shapes of log lines.

/// A line of a container's or a service's log, in the forms that loggers and collectors write.
pub fn is_log(line: &str) -> bool {
    let line = bare(line);
    is_klog(line)
        || starts_with_level(line)
        || starts_with_time(line)
        || is_json_record(line)
        || ["time=\"", "time=2", "ts=", "level=", "-- Logs begin", "-- Journal begin", "-- Boot "]
            .iter()
            .any(|start| line.starts_with(start))
        || is_coredns(line)
}

/// The line without the `[pod/NAME/CONTAINER] ` that `kubectl logs --prefix` puts in front.
fn bare(line: &str) -> &str {
    let prefix = line.strip_prefix("[pod/").and_then(|rest| rest.split_once("] "));
    prefix.map_or(line, |(_, rest)| rest)
}

/// What CoreDNS, the node cache and the container runtime print without level or time, from the first releases on:
/// the banner, errors of the Corefile's parser and of listeners, and crashes of Go.
fn is_coredns(line: &str) -> bool {
    const STARTS: &[&str] = &[
        ".:",
        "dns://",
        "tls://",
        "https://.:",
        "grpc://",
        "CoreDNS-",
        "linux/",
        "plugin/",
        "maxprocs: ",
        "Listen: ",
        "ListenPacket: ",
        "listen tcp",
        "listen udp",
        "loading Caddyfile",
        "cannot serve ",
        "standard_init_linux.go",
        "exec /",
        "exec user process",
        "exec format error",
        "panic: ",
        "goroutine ",
        "fatal error: ",
        "runtime: ",
        "signal: ",
        "Starting node-cache",
        "Forwarding loop detected",
        "Warning: Domain ",
        "Trace[",
        "Killed",
        "Segmentation fault",
    ];
    const PARTS: &[&str] = &[
        " - Error during parsing: ",
        "Syntax error: ",
        "not a TTL",
        "bind: address already in use",
        "bind: permission denied",
        "Unknown directive '",
        "No files matching import glob pattern",
        "oci runtime error",
        "OCI runtime ",
        "exec user process caused",
        "exec format error",
        "plugin/",
        "Unexpected EOF",
        "due to another plugin",
    ];
    STARTS.iter().any(|start| line.starts_with(start)) || PARTS.iter().any(|part| line.contains(part))
}

/// `E0503 09:40:27.971501 …`
fn is_klog(line: &str) -> bool {
    matches_form(line, "Xdddd dd:dd:dd") && line.starts_with(['I', 'W', 'E', 'F'])
}

/// `[INFO] …`, `INFO  …`, `ERROR: …`.
fn starts_with_level(line: &str) -> bool {
    const LEVELS: &[&str] =
        &["INFO", "WARN", "WARNING", "ERROR", "ERR", "FATAL", "DEBUG", "PANIC", "TRACE", "NOTICE", "CRITICAL"];
    let text = line.trim_start_matches('[');
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let known = LEVELS.iter().any(|level| word.eq_ignore_ascii_case(level));
    let bracketed = text.len() != line.len();
    known
        && (rest.starts_with(']') && bracketed
            || word.chars().all(|c| c.is_ascii_uppercase()) && rest.starts_with([' ', ':', '\t']))
}

/// A date with a time of day, as loggers write it, perhaps in brackets.
fn starts_with_time(line: &str) -> bool {
    const FORMS: &[&str] = &[
        "dddd-dd-ddTdd:dd:dd",
        "dddd-dd-dd dd:dd:dd",
        "dddd/dd/dd dd:dd:dd",
        "dddd.dd.dd dd:dd:dd",
        "dd-Xxx-dddd dd:dd:dd",
        "dd/Xxx/dddd:dd:dd:dd",
        "Xxx dd dd:dd:dd",
        "Xxx  d dd:dd:dd",
    ];
    let line = line.trim_start_matches(['[', '<', '"']);
    FORMS.iter().any(|form| matches_form(line, form))
}

/// Whether the line begins with a form: `d` digit, `X` capital, `x` small letter, anything else itself.
fn matches_form(line: &str, form: &str) -> bool {
    let bytes = line.as_bytes();
    bytes.len() >= form.len()
        && form.bytes().zip(bytes).all(|(sign, byte)| match sign {
            b'd' => byte.is_ascii_digit(),
            b'X' => byte.is_ascii_uppercase(),
            b'x' => byte.is_ascii_lowercase(),
            sign => sign == *byte,
        })
}

/// An object on one line with the keys of a log record: docker's json-file, or a program that logs JSON.
pub fn is_json_record(line: &str) -> bool {
    const KEYS: &[&str] = &[
        "\"log\"",
        "\"level\"",
        "\"severity\"",
        "\"msg\"",
        "\"message\"",
        "\"ts\"",
        "\"time\"",
        "\"timestamp\"",
        "\"@timestamp\"",
    ];
    let mut start = line.chars().take(400).collect::<String>();
    start.retain(|c| c != ' ');
    let is_object = start.contains("\"apiVersion\":") && start.contains("\"kind\":");
    start.starts_with("{\"") && !is_object && KEYS.iter().any(|key| start.contains(&format!("{key}:")))
}

/// A line of the kernel's ring buffer: `[ 12.345678] …`, `[Mon Mar  3 02:14:05 2025] …`, `kern  :info  : [ …`,
/// or the journal's `host kernel: …`.
pub fn is_kernel(line: &str) -> bool {
    let text = line.trim_start_matches(|c: char| c == '<' || c == '>' || c.is_ascii_digit());
    let text = match text.split_once(" : [") {
        Some((facility, _)) if facility.starts_with("kern") => &text[facility.len() + 3..],
        _ => text,
    };
    let stamp = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let is_seconds = |stamp: &str| {
        let stamp = stamp.trim_start();
        stamp.split_once('.').is_some_and(|(seconds, parts)| is_digits(seconds) && is_digits(parts) && parts.len() == 6)
    };
    let is_date = |stamp: &str| {
        matches_form(stamp, "Xxx Xxx") && stamp.len() == 24 && stamp.ends_with(|c: char| c.is_ascii_digit())
    };
    stamp.is_some_and(|(stamp, _)| is_seconds(stamp) || is_date(stamp))
        || (starts_with_time(line) && line.chars().take(120).collect::<String>().contains(" kernel: "))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_lines_of_every_age_are_known() {
        let lines = [
            ".:53",
            "dns://.:1053",
            "CoreDNS-1.11.3",
            "linux/amd64, go1.21.11, a6338e9",
            "2018/09/06 13:02:45 [INFO] CoreDNS-1.2.2",
            "2019-05-01T10:11:12.345Z [INFO] plugin/reload: x",
            "[INFO] plugin/reload: Running configuration MD5 = 1",
            "[pod/coredns-1/coredns] .:53",
            "2026-01-02T03:04:05.678Z stdout F .:53",
            "{\"log\":\".:53\\n\",\"stream\":\"stdout\",\"time\":\"2024-10-28T09:12:44.1Z\"}",
            "{\"level\": \"info\", \"ts\": 1}",
            "E0503 09:40:27.971501       1 reflector.go:126] x",
            "Jan  4 11:32:01 pi k3s[8133]: time=\"x\"",
            "time=\"2024-01-24T11:32:01Z\" level=info msg=x",
            "[2024-06-11 15:02:05.385][1][warning] x",
            "20-Feb-2023 13:58:11.220 client x",
            "/etc/coredns/Corefile:19 - Error during parsing: Unknown directive 'proxy'",
            "plugin/forward: not an IP address or file: \"x\"",
            "Listen: listen tcp :53: bind: address already in use",
            "standard_init_linux.go:211: exec user process caused \"exec format error\"",
            "panic: runtime error: invalid memory address",
        ];
        for line in lines {
            assert!(is_log(line), "{line}");
        }
        for line in [
            "09:24 rotation started",
            "2024-05-01 we upgraded",
            "Info about it",
            "NAME  READY",
            "apiVersion: v1",
            "nameserver 10.0.0.1",
        ] {
            assert!(!is_log(line), "{line}");
        }
    }

    #[test]
    fn kernel_lines_are_told_from_others() {
        assert!(is_kernel("[ 3464.124906] cni0: port 1"));
        assert!(is_kernel("[Tue Dec  1 03:46:42 2026] oom_reaper: x"));
        assert!(is_kernel("kern  :warn  : [   12.345678] x"));
        assert!(is_kernel("Jan 24 11:32:01 n1 kernel: nf_conntrack: table full"));
        assert!(!is_kernel("[INFO] 10.0.0.1:53 - 1"));
    }
}
