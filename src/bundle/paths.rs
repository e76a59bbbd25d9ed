//! Names of members, and the path that the report calls them by.

use std::sync::Arc;

/// A member's name as it may be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Name {
    /// Relative, without `.`, `..`, empty parts or a slash at its end.
    Good(String),
    /// The same from a name that starts at the root of a file system.
    WasAbsolute(String),
    /// The container itself (`./`).
    Itself,
    /// Not usable, with the reason. It is shown in one line.
    Refused {
        /// The name as written, escaped and cut.
        shown: String,
        /// Why.
        why: &'static str,
    },
}

impl Name {
    /// Reads the name as written; only `/` parts it.
    pub(super) fn of(raw: &str) -> Self {
        let refused = |why| Name::Refused { shown: short(raw).escape_debug().to_string(), why };
        if raw.contains('\0') {
            return refused("its name holds a zero byte");
        }
        let mut parts = Vec::new();
        for part in raw.split('/') {
            match part {
                "" | "." => {}
                ".." => return refused("its name leads out of the bundle"),
                part => parts.push(part),
            }
        }
        match parts.is_empty() {
            true => Name::Itself,
            false if raw.starts_with('/') => Name::WasAbsolute(parts.join("/")),
            false => Name::Good(parts.join("/")),
        }
    }

    /// Reads a name from a zip, where Windows tools write `\` for `/` and drive letters.
    pub(super) fn in_zip(raw: &str) -> Self {
        let name = raw.replace('\\', "/");
        match name.as_bytes() {
            [drive, b':', b'/', ..] if drive.is_ascii_alphabetic() => Name::of(name.get(2..).unwrap_or_default()),
            _ => Name::of(&name),
        }
    }
}

/// Where a file stands: what it is called, and what the names inside it start with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The entry's path in the report.
    pub(super) path: Arc<str>,
    /// What the paths of its members start with; empty for the bundle itself.
    inside: String,
    /// Layers around it.
    pub(super) depth: u32,
}

impl Place {
    /// The bundle as given.
    pub(super) fn bundle(name: &str) -> Self {
        Place { path: name.into(), inside: String::new(), depth: 0 }
    }

    /// What a problem with the container is filed under: its path, empty for the bundle as a whole.
    pub(super) fn container(&self) -> &str {
        if self.is_bundle() { "" } else { &self.path }
    }

    /// Whether this is what was given, or what came out of it by decompression alone.
    pub(super) fn is_bundle(&self) -> bool {
        self.inside.is_empty()
    }

    /// A member of this container: `outer.tar.gz!/inner/file`, or `inner/file` in the bundle itself.
    pub(super) fn member(&self, name: &str) -> Self {
        let path = format!("{}{name}", self.inside);
        Place { inside: format!("{path}!/"), path: path.into(), depth: self.depth.saturating_add(1) }
    }

    /// What comes out of a compressed file: `file.log.gz!`.
    pub(super) fn unpacked(&self) -> Self {
        let path = if self.path.ends_with('!') { self.path.clone() } else { format!("{}!", self.path).into() };
        Place { path, inside: self.inside.clone(), depth: self.depth.saturating_add(1) }
    }
}

/// The path, cut where it is too long to repeat.
pub(super) fn short(path: &str) -> String {
    const LIMIT: usize = 200;
    match path.char_indices().nth(LIMIT) {
        Some((at, _)) => format!("{}…", path.get(..at).unwrap_or_default()),
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_normalised() {
        let good = |name: &str| Name::Good(name.into());
        let refused = |name| matches!(Name::of(name), Name::Refused { .. });
        assert_eq!(Name::of("./x"), good("x"));
        assert_eq!(Name::of("a//b/./c/"), good("a/b/c"));
        assert_eq!(Name::of("a\\b"), good("a\\b"));
        assert_eq!(Name::of("..a/b.."), good("..a/b.."));
        assert_eq!(Name::of("./"), Name::Itself);
        assert_eq!(Name::of(""), Name::Itself);
        assert_eq!(Name::of("/var/log/x"), Name::WasAbsolute("var/log/x".into()));
        assert!(refused("../x") && refused("a/../b") && refused("/..") && refused("a\0b"));
    }

    #[test]
    fn names_in_a_zip_know_windows() {
        assert_eq!(Name::in_zip("a\\b.log"), Name::Good("a/b.log".into()));
        assert_eq!(Name::in_zip("C:\\logs\\x"), Name::WasAbsolute("logs/x".into()));
        assert_eq!(Name::in_zip("a:b"), Name::Good("a:b".into()));
        assert!(matches!(Name::in_zip("..\\x"), Name::Refused { .. }));
    }

    #[test]
    fn paths_show_the_way_in() {
        let bundle = Place::bundle("b.tar.gz");
        let inner = bundle.unpacked().member("node.tar.gz");
        assert_eq!(&*inner.path, "node.tar.gz");
        assert_eq!(&*inner.unpacked().member("logs/a.log.gz").unpacked().path, "node.tar.gz!/logs/a.log.gz!");
        assert_eq!(&*bundle.unpacked().path, "b.tar.gz!");
        assert_eq!((bundle.unpacked().container(), inner.container()), ("", "node.tar.gz"));
        assert_eq!(inner.unpacked().member("x").depth, 4);
    }
}
