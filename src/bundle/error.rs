//! The few errors that end the walk, and plain words for what a reader says.

use std::fmt;
use std::io;

/// Why there is nothing to analyse at all. Everything less is a [`Problem`](crate::problem::Problem).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// There is no file in it.
    Empty {
        /// The bundle as given.
        name: String,
    },
    /// Every file in it needs a password.
    Encrypted {
        /// The bundle as given.
        name: String,
    },
    /// It is packed in a format that this version does not read.
    Unsupported {
        /// The bundle as given.
        name: String,
        /// The format, for example `xz`.
        format: &'static str,
    },
    /// Nothing in it could be read.
    Unreadable {
        /// The bundle as given.
        name: String,
        /// The first thing that went wrong, one line.
        why: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Empty { name } => write!(out, "{name}: there is no file in it; collect the bundle again"),
            Error::Encrypted { name } => {
                write!(out, "{name}: every file in it is encrypted; unpack it with its password and give the folder")
            }
            Error::Unsupported { name, format } => write!(out, "{name}: {}", unread_format(format)),
            Error::Unreadable { name, why } => {
                write!(out, "{name}: nothing in it could be read: {why}; check that the file is complete")
            }
        }
    }
}

impl std::error::Error for Error {}

/// What to say of a format that is known and not read.
pub(super) fn unread_format(format: &str) -> String {
    format!("compressed with {format}, which this version does not read; unpack it first")
}

/// A budget that ended a reading; travels inside an [`io::Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// All bytes of the walk are used up.
    Total(u64),
    /// More came out of a decompressor than its input justifies.
    Ratio(u64),
    /// All that comes out of the bundle is more than the bundle justifies.
    Bundle(u64),
    /// One entry is longer than may be read.
    Entry(u64),
    /// A tar header is longer than any real one.
    TarHeader(u64),
    /// A decompressor wants to look back further.
    Window(u64),
}

impl fmt::Display for Cut {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, name) = match self {
            Cut::Total(limit) => {
                (format!("the limit of {} for the whole bundle is reached", size(*limit)), "total-bytes")
            }
            Cut::Ratio(limit) => (format!("it unpacks to more than {limit} times its size"), "ratio"),
            Cut::Bundle(limit) => (format!("the bundle unpacks to more than {limit} times its size"), "bundle-free"),
            Cut::Entry(limit) => (format!("the limit of {} for one file is reached", size(*limit)), "entry-bytes"),
            Cut::TarHeader(limit) => (format!("a header is longer than {}", size(*limit)), "tar-header"),
            Cut::Window(limit) => (format!("it needs more than {} of memory to unpack", size(*limit)), "window"),
        };
        write!(out, "{what} ({})", flag(name))
    }
}

/// How a limit of [`super::Budget`] is called where it was reached.
pub(super) fn flag(name: &str) -> String {
    format!("--max-{name}")
}

impl std::error::Error for Cut {}

impl From<Cut> for io::Error {
    fn from(cut: Cut) -> Self {
        io::Error::other(cut)
    }
}

/// The words of the libraries below, and ours for them.
const WORDS: &[(&str, &str)] = &[
    ("Invalid checksum", "the checksum does not match"),
    ("deflate stream", "the compressed data is damaged"),
    ("checksum mismatch", "a header is damaged"),
    ("unexpected EOF", "the data ends too early"),
    ("entire block", "the data ends too early"),
    ("no future member", "the data ends too early"),
];

/// Plain words for an error of a reader.
pub(super) fn plain(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return "the data ends too early".to_owned();
    }
    let text = error.to_string();
    match WORDS.iter().find(|(theirs, _)| text.contains(theirs)) {
        Some((_, ours)) => (*ours).to_owned(),
        None => text.lines().next().unwrap_or("it cannot be read").to_owned(),
    }
}

/// `1.5 GiB`; whole bytes below one KiB.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = UNITS[0];
    for next in &UNITS[1..] {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    let text = format!("{value:.1}");
    format!("{} {unit}", text.strip_suffix(".0").unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_like_sizes() {
        let table = [(0, "0 bytes"), (1023, "1023 bytes"), (1024, "1 KiB"), (1536, "1.5 KiB"), (64 << 30, "64 GiB")];
        for (bytes, text) in table {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn errors_say_what_where_and_what_to_do() {
        let name = || "b.zip".to_owned();
        for error in [
            Error::Empty { name: name() },
            Error::Encrypted { name: name() },
            Error::Unsupported { name: name(), format: "xz" },
            Error::Unreadable { name: name(), why: "the data ends too early".into() },
        ] {
            let text = error.to_string();
            assert!(text.starts_with("b.zip: ") && text.contains("; ") && !text.contains('\n'), "{text}");
        }
    }
}
