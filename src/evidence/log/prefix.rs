//! What collectors and runtimes put before a message: CRI, docker-json, RFC 3339, `[pod/x/c]`, old CoreDNS times.

use std::borrow::Cow;

use jiff::Timestamp;

use crate::time;

/// A line taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix<'a> {
    /// The message as the program wrote it.
    pub message: Cow<'a, str>,
    /// Its time as text, if the prefix has one.
    pub time: Option<&'a str>,
}

impl Prefix<'_> {
    /// The time, read.
    pub fn at(&self) -> Option<Timestamp> {
        read_time(self.time?)
    }
}

/// Reads the time texts that [`strip`] finds.
pub fn read_time(text: &str) -> Option<Timestamp> {
    if text.as_bytes().get(4) == Some(&b'/') {
        // CoreDNS to 1.2.5: 2018/09/06 13:02:45
        let iso = format!("{}Z", text.replacen('/', "-", 2).replacen(' ', "T", 1));
        return time::parse(&iso);
    }
    time::parse(text)
}

/// Takes the prefixes off a line. `[pod/x/c] ` is left to the splitter.
pub fn strip(line: &str) -> Prefix<'_> {
    if line.starts_with("{\"log\":")
        && let Some(prefix) = docker_json(line)
    {
        return prefix;
    }
    let (outer, rest) = leading_time(line);
    let rest = cri(rest);
    let (inner, message) = leading_time(rest);
    Prefix { message: Cow::Borrowed(message), time: outer.or(inner) }
}

/// `{"log":"[INFO] …\n","stream":"stdout","time":"2026-01-02T03:04:05.678Z"}`
fn docker_json(line: &str) -> Option<Prefix<'_>> {
    #[derive(serde::Deserialize)]
    struct Wrapped<'a> {
        #[serde(borrow)]
        log: Cow<'a, str>,
        #[serde(borrow, default)]
        time: Option<&'a str>,
    }
    let wrapped: Wrapped = serde_json::from_str(line).ok()?;
    let message = wrapped.log.trim_end_matches(['\n', '\r']);
    let (inner, message) = leading_time(message);
    Some(Prefix { message: Cow::Owned(message.to_owned()), time: wrapped.time.or_else(|| inner.and(None)) })
}

/// `stdout F `, `stderr P ` behind a CRI time.
fn cri(rest: &str) -> &str {
    for stream in ["stdout ", "stderr "] {
        if let Some(behind) = rest.strip_prefix(stream) {
            let behind = behind.strip_prefix("F ").or_else(|| behind.strip_prefix("P ")).unwrap_or(behind);
            return if behind == "F" || behind == "P" { "" } else { behind };
        }
    }
    rest
}

/// A time at the start of the line, and the rest.
fn leading_time(line: &str) -> (Option<&str>, &str) {
    let bytes = line.as_bytes();
    if bytes.len() < 20 || !bytes[0].is_ascii_digit() {
        return (None, line);
    }
    match bytes[4] {
        b'-' if matches!(bytes[10], b'T') => {
            let end = memchr::memchr(b' ', bytes).unwrap_or(bytes.len());
            if end > 40 || !line.is_char_boundary(end) {
                return (None, line);
            }
            (Some(&line[..end]), line[end..].trim_start_matches(' '))
        }
        // CoreDNS to 1.2.5
        b'/' if bytes[7] == b'/' && bytes[10] == b' ' && line.is_char_boundary(19) => {
            (Some(&line[..19]), line[19..].trim_start_matches(' '))
        }
        _ => (None, line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, message: &str, at: Option<&str>) {
        let prefix = strip(line);
        assert_eq!(prefix.message, message, "{line}");
        assert_eq!(prefix.at().map(|t| t.to_string()).as_deref(), at, "{line}");
    }

    #[test]
    fn every_wrapping_gives_the_message() {
        let plain = "[INFO] plugin/reload: x";
        check(plain, plain, None);
        check(&format!("2026-01-02T03:04:05.5Z {plain}"), plain, Some("2026-01-02T03:04:05.5Z"));
        check(&format!("2026-01-02T03:04:05Z stdout F {plain}"), plain, Some("2026-01-02T03:04:05Z"));
        check(&format!("2026-01-02T05:04:05+02:00 stderr P {plain}"), plain, Some("2026-01-02T03:04:05Z"));
        check("2026-01-02T03:04:05Z stdout F", "", Some("2026-01-02T03:04:05Z"));
        check(&format!("2018/09/06 13:02:45 {plain}"), plain, Some("2018-09-06T13:02:45Z"));
        check(&format!("2026-01-02T03:04:05Z 2019-05-01T10:11:12.345Z {plain}"), plain, Some("2026-01-02T03:04:05Z"));
    }

    #[test]
    fn docker_json_is_unescaped() {
        check(
            r#"{"log":"[ERROR] plugin/errors: 2 a. A: read udp 10.0.0.1:1-\u003e10.0.0.2:53: i/o timeout\n","stream":"stdout","time":"2026-01-02T03:04:05Z"}"#,
            "[ERROR] plugin/errors: 2 a. A: read udp 10.0.0.1:1->10.0.0.2:53: i/o timeout",
            Some("2026-01-02T03:04:05Z"),
        );
    }

    #[test]
    fn broken_prefixes_are_left_alone() {
        for line in ["2026-01-02T", "{\"log\":", "2026-99-99T99:99:99Z", "", "2018/09/06ä13:02:45ääää"] {
            let _ = strip(line).at();
        }
    }
}
