//! CoreDNS versions, and which one comes with what.

use std::fmt;

/// An upstream CoreDNS version. A vendor's build number is not part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The first number.
    pub major: u16,
    /// The second number.
    pub minor: u16,
    /// The third number.
    pub patch: u16,
}

/// A version as an image tag or a start banner says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tagged {
    /// The upstream version.
    pub version: Version,
    /// What the vendor added, such as `eksbuild.1` or `build20241018`: fixes may be backported.
    pub vendor: Option<String>,
}

impl Version {
    /// A version from its three numbers.
    pub const fn new(major: u16, minor: u16, patch: u16) -> Self {
        Version { major, minor, patch }
    }

    /// Reads a plain `1.11.3` or `v1.11.3`, and nothing else.
    pub fn parse(text: &str) -> Option<Self> {
        Tagged::parse(text).filter(|tagged| tagged.vendor.is_none()).map(|tagged| tagged.version)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl Tagged {
    /// Reads a tag (`v1.8.4-eksbuild.1`), an image (`registry:5000/coredns:v1.10.1@sha256:…`) or a banner (`CoreDNS-1.10.1`).
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let image = text.split('@').next().unwrap_or_default();
        let name = image.rsplit('/').next().unwrap_or_default();
        let tag = name.rsplit(':').next().unwrap_or_default();
        let tag = tag.strip_prefix("CoreDNS-").unwrap_or(tag);
        let tag = tag.strip_prefix('v').unwrap_or(tag);
        let end = tag.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(tag.len());
        let (numbers, rest) = tag.split_at(end);
        let mut parts = numbers.split('.').map(|part| part.parse::<u16>().ok());
        let version = Version::new(parts.next()??, parts.next()??, parts.next()??);
        if parts.next().is_some() || !(rest.is_empty() || rest.starts_with(['-', '_', '+'])) {
            return None;
        }
        let vendor = rest.get(1..).filter(|vendor| !vendor.is_empty()).map(str::to_owned);
        Some(Tagged { version, vendor })
    }
}

/// The CoreDNS that kubeadm installs with Kubernetes 1.`minor` (kubeadm's addon manifests per release).
pub fn of_kubeadm(minor: u16) -> Option<Version> {
    KUBEADM.iter().find(|(minors, _)| minors.contains(&minor)).map(|(_, version)| *version)
}

/// The CoreDNS inside a node-cache release (go.mod of kubernetes/dns per tag).
pub fn of_node_cache(node_cache: Version) -> Option<Version> {
    NODE_CACHE.iter().find(|(first, last, _)| (*first..=*last).contains(&node_cache)).map(|(_, _, version)| *version)
}

const fn v(minor: u16, patch: u16) -> Version {
    Version::new(1, minor, patch)
}

const KUBEADM: &[(std::ops::RangeInclusive<u16>, Version)] = &[
    (9..=9, v(0, 1)),
    (10..=10, v(0, 6)),
    (11..=11, v(1, 3)),
    (12..=12, v(2, 2)),
    (13..=13, v(2, 6)),
    (14..=15, v(3, 1)),
    (16..=16, v(6, 2)),
    (17..=17, v(6, 5)),
    (18..=18, v(6, 7)),
    (19..=20, v(7, 0)),
    (21..=21, v(8, 0)),
    (22..=22, v(8, 4)),
    (23..=24, v(8, 6)),
    (25..=26, v(9, 3)),
    (27..=28, v(10, 1)),
    (29..=30, v(11, 1)),
    (31..=32, v(11, 3)),
    (33..=33, v(12, 0)),
    (34..=34, v(12, 1)),
    (35..=35, v(13, 1)),
    (36..=36, v(14, 2)),
];

const NODE_CACHE: &[(Version, Version, Version)] = &[
    (v(17, 0), v(22, 13), v(7, 0)),
    (v(22, 20), v(23, 1), v(10, 0)),
    (v(24, 0), v(26, 4), v(11, 3)),
    (v(26, 5), v(26, 5), v(12, 2)),
    (v(26, 6), v(26, 7), v(13, 1)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_images_and_banners() {
        let cases = [
            ("v1.8.4-eksbuild.1", "1.8.4", Some("eksbuild.1")),
            ("1.11.3", "1.11.3", None),
            ("coredns:v1.10.1@sha256:0123", "1.10.1", None),
            ("registry.k8s.io/coredns/coredns:v1.9.3", "1.9.3", None),
            ("registry:5000/coredns:1.2.6", "1.2.6", None),
            ("rancher/mirrored-coredns-coredns:1.12.3", "1.12.3", None),
            ("rancher/hardened-coredns:v1.11.3-build20241018", "1.11.3", Some("build20241018")),
            ("CoreDNS-1.10.1", "1.10.1", None),
        ];
        for (text, version, vendor) in cases {
            let tagged = Tagged::parse(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((tagged.version.to_string().as_str(), tagged.vendor.as_deref()), (version, vendor), "{text}");
        }
        for text in ["", "latest", "1.2", "coredns:5000", "1.2.3.4", "1.2.99999999", "sha256:abc", "1.2.3rc1"] {
            assert_eq!(Tagged::parse(text), None, "{text}");
        }
    }

    #[test]
    fn versions_are_ordered_by_number() {
        assert!(Version::parse("1.9.4") < Version::parse("1.10.0"));
    }

    #[test]
    fn what_comes_with_what() {
        assert_eq!(of_kubeadm(18), Some(v(6, 7)));
        assert_eq!(of_kubeadm(24), Some(v(8, 6)));
        assert_eq!(of_kubeadm(99), None);
        assert_eq!(of_node_cache(v(22, 28)), Some(v(10, 0)));
        assert_eq!(of_node_cache(v(26, 6)), Some(v(13, 1)));
    }
}
