//! A line of the query log in its default format, any version (plugin `log`).

/// The parts that are tallied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryLine<'a> {
    /// For example `NOERROR`; `-` where the query got no answer.
    pub rcode: &'a str,
    /// The name asked for, with its final dot.
    pub name: &'a str,
    /// For example `A`.
    pub kind: &'a str,
}

/// Reads `10.0.0.1:5123 - 42 "A IN name. udp 53 false 512" NOERROR qr,aa,rd 146 0.0002s`, with or without `[INFO] `.
pub fn read(line: &[u8]) -> Option<QueryLine<'_>> {
    if line.last() != Some(&b's') {
        return None;
    }
    let open = memchr::memchr(b'"', line)?;
    let inner = &line[open + 1..];
    let close = memchr::memchr(b'"', inner)?;
    let mut asked = inner[..close].split(|b| *b == b' ');
    let kind = asked.next()?;
    if asked.next()? != b"IN" && !inner[..close].contains(&b' ') {
        return None;
    }
    let name = asked.next()?;
    let rest = inner.get(close + 2..)?;
    let end = memchr::memchr(b' ', rest)?;
    let rcode = &rest[..end];
    if rcode.is_empty() || !rcode.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'-') {
        return None;
    }
    Some(QueryLine {
        rcode: std::str::from_utf8(rcode).ok()?,
        name: std::str::from_utf8(name).ok()?,
        kind: std::str::from_utf8(kind).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_format_is_read() {
        let line = br#"[INFO] 10.0.0.1:5123 - 42 "AAAA IN a.example. udp 53 false 512" NXDOMAIN qr,aa,rd 146 0.0002s"#;
        assert_eq!(read(line), Some(QueryLine { rcode: "NXDOMAIN", name: "a.example.", kind: "AAAA" }));
        let dropped = br#"10.0.0.1:5123 - 42 "A IN a.example. udp 53 false 512" - - 0 6.001s"#;
        assert_eq!(read(dropped).map(|q| q.rcode), Some("-"));
    }

    #[test]
    fn other_lines_are_not_queries() {
        for line in [
            &b""[..],
            b"[INFO] plugin/ready: Still waiting on: \"kubernetes\"",
            b"\"s",
            b"say \"hello\" to services",
            b"\"\" s",
            b"\"a b c\"s",
        ] {
            assert_eq!(read(line), None, "{}", String::from_utf8_lossy(line));
        }
    }
}
