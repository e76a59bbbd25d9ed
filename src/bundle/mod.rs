//! The containers: takes a folder, an archive, a file or a stream and gives its entries, one after the other.
//!
//! Containers nest, content decides what is one, and nothing is unpacked to disk. An entry is streamed, so a log of
//! many gigabytes costs no memory. Whatever is wrong inside the bundle is a [`Problem`]; an [`Error`] means that
//! there is nothing to analyse.

mod budget;
mod error;
mod held;
mod magic;
mod memory;
mod packed;
mod paths;
mod readers;
mod tar;
#[cfg(test)]
mod tests;
mod walker;
mod zip;
mod zip_stream;
mod zstd;

use std::io::{self, Read, Seek};
use std::sync::Arc;

use crate::problem::Problem;

pub use budget::{Budget, LIMITS, Limit, Unit};
pub use error::{Error, size};
pub use memory::MemoryFolder;

/// A file that can be read at any place.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek + ?Sized> ReadSeek for T {}

/// A folder with all that is below it.
pub trait Folder {
    /// Everything in it but the folders themselves, in any order. An error says that the folder cannot be read at all.
    fn list(&self) -> io::Result<Vec<Listed>>;

    /// Opens a file by its listed path, never through a link.
    fn open<'a>(&'a self, path: &str) -> io::Result<Box<dyn ReadSeek + 'a>>;
}

/// One thing in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Relative to the folder, parts joined by `/`.
    pub path: String,
    /// Size in bytes, 0 for what is no file.
    pub size: u64,
    /// What it is.
    pub kind: Kind,
}

/// What a thing in a folder is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A link, with its target as written where that could be read. Not followed.
    Link(Option<String>),
    /// A device, pipe or socket. Not read.
    Other,
    /// A folder or file that the system does not let us look at, with its words.
    Unreadable(String),
}

/// What is analysed.
pub enum Input<'a> {
    /// A folder.
    Folder {
        /// Its name without its parents.
        name: &'a str,
        /// The folder.
        folder: &'a dyn Folder,
    },
    /// A file: an archive, a compressed file or a text.
    File {
        /// Its name without its parents.
        name: &'a str,
        /// The file, at its start.
        file: Box<dyn ReadSeek + 'a>,
    },
    /// The same, but it can be read only once: standard input.
    Stream {
        /// What to call it.
        name: &'a str,
        /// The stream.
        reader: Box<dyn Read + 'a>,
    },
}

/// An entry as its visitor sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Relative to the bundle; a member of an archive inside it is `outer.tar.gz!/inner/file`, and what comes out of
    /// a compressed file is `file.log.gz!`.
    pub path: Arc<str>,
    /// Size in bytes as its container states it; the content may differ.
    pub size_hint: Option<u64>,
    /// What it is if its first bytes say that it is no text: `a picture`.
    pub binary: Option<&'static str>,
}

/// Whoever reads the entries.
pub trait Visitor {
    /// Takes one entry. The content ends cleanly where reading failed, and need not be read to its end.
    fn entry(&mut self, entry: &Entry, content: &mut dyn Read);
}

/// A link in the bundle. Support bundles hold many of them to their own logs, so they are no problem.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    /// The link.
    pub path: Arc<str>,
    /// Its target as written, where it could be read.
    pub target: Option<String>,
}

/// What became of a bundle.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    /// Entries that the visitor was given.
    pub entries: u64,
    /// Bytes that the visitor read.
    pub bytes: u64,
    /// Everything that was cut, refused or unreadable, in the order in which it was met.
    pub problems: Vec<Problem>,
    /// The links, none of them followed.
    pub links: Vec<Link>,
    /// SHA-256 as `sha256sum` prints it; `None` for a folder and for what was not read to its end.
    pub sha256: Option<String>,
}

/// Gives `visitor` every entry of `input`: a folder sorted by path, an archive in its own order.
pub fn walk(input: Input<'_>, budget: &Budget, visitor: &mut dyn Visitor) -> Result<Walk, Error> {
    let meter = budget::Meter::new(budget);
    let mut walker = walker::Walker::new(budget, &meter, visitor);
    match input {
        Input::Folder { name, folder } => {
            walker.folder(folder);
            walker.finish(name, None)
        }
        Input::File { name, mut file } => {
            let sha256 = walker.seekable(name, &mut *file);
            walker.finish(name, sha256)
        }
        Input::Stream { name, mut reader } => {
            let sha256 = walker.stream(name, &mut *reader);
            walker.finish(name, sha256)
        }
    }
}
