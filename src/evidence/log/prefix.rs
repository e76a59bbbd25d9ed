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
    /// The runtime cut the message here; it goes on in the next line of the stream.
    pub partial: bool,
}

impl Prefix<'_> {
    /// The time, read.
    pub fn at(&self) -> Option<Timestamp> {
        read_time(self.time?)
    }
}

/// Reads the time texts that [`strip`] finds; those without a year are in [`time::NO_YEAR`].
pub fn read_time(text: &str) -> Option<Timestamp> {
    if text.as_bytes().get(4) == Some(&b' ') || text.starts_with(|c: char| c.is_ascii_uppercase()) {
        return time::yearless(text);
    }
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
    let (rest, partial) = cri(rest);
    let (inner, message) = leading_time(rest);
    Prefix { message: Cow::Borrowed(message), time: outer.or(inner), partial }
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
    let partial = !wrapped.log.ends_with('\n');
    let message = wrapped.log.trim_end_matches(['\n', '\r']);
    let (_, message) = leading_time(message);
    Some(Prefix { message: Cow::Owned(message.to_owned()), time: wrapped.time, partial })
}

/// Takes `stdout F ` or `stderr P ` off, which stand behind a CRI time; true for `P`, a part of a message.
fn cri(rest: &str) -> (&str, bool) {
    for stream in ["stdout ", "stderr "] {
        if let Some(behind) = rest.strip_prefix(stream) {
            for (tag, partial) in [("F", false), ("P", true)] {
                if let Some(message) = behind.strip_prefix(tag)
                    && (message.is_empty() || message.starts_with(' '))
                {
                    return (message.strip_prefix(' ').unwrap_or(message), partial);
                }
            }
            return (behind, false);
        }
    }
    (rest, false)
}

/// `E0319 16:22:31.123456`: the time of klog's header. The header stays part of the message.
fn klog_time(line: &str) -> Option<&str> {
    let time = line.get(1..14)?;
    let digits =
        |range: std::ops::Range<usize>| time.as_bytes().get(range).is_some_and(|b| b.iter().all(u8::is_ascii_digit));
    let fits =
        digits(0..4) && time.as_bytes()[4] == b' ' && digits(5..7) && time.as_bytes()[7] == b':' && digits(8..10);
    (fits && line.starts_with(['I', 'W', 'E', 'F'])).then_some(time)
}

/// `Mar 19 16:22:31 host program[123]: message` of syslog and journalctl: the time and the message.
fn syslog(line: &str) -> Option<(&str, &str)> {
    let time = line.get(..15)?;
    time::month(time.get(..3)?)?;
    time::clock(time.get(7..)?)?;
    let (head, message) = line.get(15..)?.strip_prefix(' ')?.split_once(": ")?;
    (head.len() <= 300 && head.split(' ').count() == 2).then_some((time, message))
}

/// A time at the start of the line, and the rest.
fn leading_time(line: &str) -> (Option<&str>, &str) {
    let bytes = line.as_bytes();
    if bytes.len() < 20 || !bytes[0].is_ascii_digit() {
        if let Some((time, message)) = syslog(line) {
            return (Some(time), message);
        }
        return (klog_time(line), line);
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
    fn times_without_a_year_wait_for_it() {
        check("Mar 19 16:22:31 n1 kubelet[712]: E0319 x", "E0319 x", Some("1972-03-19T16:22:31Z"));
        let klog = "E0319 16:22:31.123456       1 reflector.go:138] x";
        check(klog, klog, Some("1972-03-19T16:22:31Z"));
        check("2026-03-19T16:22:31Z stdout F Mar 19", "Mar 19", Some("2026-03-19T16:22:31Z"));
        check("May I help you with this: no", "May I help you with this: no", None);
    }

    #[test]
    fn parts_of_messages_are_known() {
        for (line, partial) in [
            ("2026-01-02T03:04:05Z stdout P x", true),
            ("2026-01-02T03:04:05Z stdout F x", false),
            ("2026-01-02T03:04:05Z stderr P", true),
            ("2026-01-02T03:04:05Z stdout Plain", false),
            (r#"{"log":"x","stream":"stdout","time":"2026-01-02T03:04:05Z"}"#, true),
            (r#"{"log":"x\n","stream":"stdout","time":"2026-01-02T03:04:05Z"}"#, false),
        ] {
            assert_eq!(strip(line).partial, partial, "{line}");
        }
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
