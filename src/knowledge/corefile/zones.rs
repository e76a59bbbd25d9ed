//! Zones, ports and schemes of a server block's keys (core/dnsserver register.go, plugin/normalize.go).

use std::net::IpAddr;

use crate::knowledge::version::Version;

/// One zone and where it is served.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Zone {
    /// Lower case, with its final dot.
    pub name: String,
    /// The port: 53 unless the key or its scheme says another.
    pub port: u32,
    /// `dns`, `tls`, `quic`, `grpc`, `https` or `https3`.
    pub scheme: &'static str,
}

impl std::fmt::Display for Zone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}://{}:{}", self.scheme, self.name, self.port)
    }
}

/// Schemes and their ports, the longer before its prefix.
const SCHEMES: &[(&str, u32)] =
    &[("dns", 53), ("tls", 853), ("quic", 853), ("grpc", 443), ("https3", 443), ("https", 443), ("unix", 0)];

/// Splits `tls://host` into scheme and rest; without one it is `dns`.
pub fn scheme(text: &str) -> (&'static str, &str) {
    SCHEMES
        .iter()
        .find_map(|(name, _)| Some((*name, text.strip_prefix(name)?.strip_prefix("://")?)))
        .unwrap_or(("dns", text))
}

/// The port a scheme stands for.
pub fn default_port(scheme: &str) -> u32 {
    SCHEMES.iter().find(|(name, _)| *name == scheme).map_or(53, |(_, port)| *port)
}

/// The zones of one key. An error is CoreDNS's message without its prefix.
pub fn of_key(key: &str, version: Option<Version>) -> Result<Vec<Zone>, String> {
    let (scheme, rest) = scheme(key);
    let (names, port) = split_host_port(rest, version)?;
    let port = port.unwrap_or_else(|| default_port(scheme));
    Ok(names.into_iter().map(|name| Zone { name: normalize(&name), port, scheme }).collect())
}

/// Names without scheme and port, or nothing where the text is no name: several for a network off an octet's border.
pub fn names_of(text: &str, version: Option<Version>) -> Vec<String> {
    let names = split_host_port(scheme(text).1, version).map(|(names, _)| names).unwrap_or_default();
    names.iter().map(|name| normalize(name)).collect()
}

/// Lower case, with a final dot.
pub fn normalize(name: &str) -> String {
    let lower = name.to_lowercase();
    if lower.ends_with('.') { lower } else { lower + "." }
}

/// Whether `name` is `zone` or lies below it; both normalised.
pub fn is_within(name: &str, zone: &str) -> bool {
    zone == "." || name == zone || name.strip_suffix(zone).is_some_and(|above| above.ends_with('.'))
}

/// Whether a zone is for addresses.
pub fn is_reverse(zone: &str) -> bool {
    ["in-addr.arpa.", "ip6.arpa."].iter().any(|root| is_within(zone, root))
}

fn split_host_port(text: &str, version: Option<Version>) -> Result<(Vec<String>, Option<u32>), String> {
    let (mut name, mut port) = (text, None);
    if let Some((before, after)) = text.rsplit_once(':') {
        if after.is_empty() {
            return Err(format!("expecting data after last colon: {text:?}"));
        }
        if let Ok(number) = after.parse::<u32>() {
            (name, port) = (before, Some(number));
        }
    }
    if name.len() > 255 {
        return Err(format!("specified zone is too long: {} > 255", name.len()));
    }
    if !is_domain_name(name, version) {
        return Err(format!("zone is not a valid domain name: {name}"));
    }
    match name.split_once('/').and_then(|(address, bits)| network(address, bits)) {
        Some(names) => Ok((names, port)),
        None => Ok((vec![name.to_owned()], port)),
    }
}

/// miekg/dns IsDomainName: labels of 1 to 63 octets, 255 in all. A leading dot is an error from 1.1.49 on
/// (CoreDNS 1.9.3): before that `.:53{` starts and serves nothing of use.
pub fn is_domain_name(name: &str, version: Option<Version>) -> bool {
    let leading_dot_fails = version.is_none_or(|version| version >= Version::new(1, 9, 3));
    if name.is_empty() || name == "." {
        return !name.is_empty() || version.is_none_or(|version| version < Version::new(1, 9, 3)) || name == ".";
    }
    let (mut label, mut total) = (0usize, 0usize);
    let mut bytes = name.bytes().enumerate().peekable();
    while let Some((i, byte)) = bytes.next() {
        match byte {
            b'\\' => {
                let Some((_, next)) = bytes.next() else { return false };
                if next.is_ascii_digit() {
                    let digits = (0..2).filter_map(|_| bytes.next_if(|(_, b)| b.is_ascii_digit())).count();
                    if digits < 2 {
                        return false;
                    }
                }
                label += 1;
            }
            b'.' => {
                if label == 0 && (i > 0 || (leading_dot_fails && name.len() > 1)) {
                    return false;
                }
                total += label + 1;
                label = 0;
            }
            _ => label += 1,
        }
        if label > 63 {
            return false;
        }
    }
    total + label + usize::from(label > 0) <= 255
}

/// The reverse zones of a network, or nothing where the text is none.
fn network(address: &str, bits: &str) -> Option<Vec<String>> {
    let address: IpAddr = address.parse().ok()?;
    let bits: u32 = bits.parse().ok()?;
    match address {
        IpAddr::V4(v4) if bits <= 32 => {
            Some(reverse(v4.octets().iter().map(|b| u16::from(*b)), bits, 8, "in-addr.arpa."))
        }
        IpAddr::V6(v6) if bits <= 128 => {
            let nibbles = v6.octets();
            let nibbles = nibbles.iter().flat_map(|b| [u16::from(b >> 4), u16::from(b & 15)]);
            Some(reverse(nibbles, bits, 4, "ip6.arpa."))
        }
        _ => None,
    }
}

/// One zone for each value that the unfinished part can take.
fn reverse(parts: impl Iterator<Item = u16>, bits: u32, width: u32, root: &str) -> Vec<String> {
    let parts: Vec<u16> = parts.collect();
    let whole = (bits / width) as usize;
    let label = |part: &u16| if width == 4 { format!("{part:x}.") } else { format!("{part}.") };
    let above: String = parts.iter().take(whole).rev().map(label).collect();
    let left = bits % width;
    if left == 0 {
        return vec![format!("{above}{root}")];
    }
    let span = 1u16 << (width - left);
    let first = parts.get(whole).copied().unwrap_or(0) / span * span;
    (first..first + span).map(|part| format!("{}{above}{root}", label(&part))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zones(key: &str) -> String {
        match of_key(key, Some(Version::new(1, 11, 3))) {
            Ok(zones) => zones.iter().map(Zone::to_string).collect::<Vec<_>>().join(" "),
            Err(message) => message,
        }
    }

    #[test]
    fn keys_to_zones() {
        let cases = [
            (".", "dns://.:53"),
            (".:5353", "dns://.:5353"),
            ("Example.ORG", "dns://example.org.:53"),
            ("tls://example.org", "tls://example.org.:853"),
            ("10.0.0.0/24", "dns://0.0.10.in-addr.arpa.:53"),
            ("10.1.0.0/15:1053", "dns://0.10.in-addr.arpa.:1053 dns://1.10.in-addr.arpa.:1053"),
            ("2001:db8::/32", "dns://8.b.d.0.1.0.0.2.ip6.arpa.:53"),
            (".:53{", "zone is not a valid domain name: .:53{"),
            ("a:", "expecting data after last colon: \"a:\""),
            ("a..b", "zone is not a valid domain name: a..b"),
        ];
        for (key, expected) in cases {
            assert_eq!(zones(key), expected, "{key}");
        }
        assert!(of_key(".:53{", Some(Version::new(1, 8, 6))).is_ok());
    }

    #[test]
    fn below_means_whole_labels() {
        assert!(is_within("a.example.", "example."));
        assert!(is_within("example.", "example."));
        assert!(!is_within("badexample.", "example."));
        assert!(is_reverse("10.in-addr.arpa."));
    }
}
