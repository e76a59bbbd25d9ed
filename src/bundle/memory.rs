//! A folder in memory.

use std::collections::BTreeMap;
use std::io::{self, Cursor};

use super::{Folder, Kind, Listed, ReadSeek};

/// A folder whose files are byte strings; for tests and for a page in a browser.
#[derive(Debug, Clone, Default)]
pub struct MemoryFolder {
    files: BTreeMap<String, Vec<u8>>,
    others: Vec<Listed>,
}

impl MemoryFolder {
    /// An empty folder.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same folder with one more file.
    pub fn with(mut self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.to_owned(), content.into());
        self
    }

    /// The same folder with one more thing that is no file.
    pub fn with_other(mut self, path: &str, kind: Kind) -> Self {
        self.others.push(Listed { path: path.to_owned(), size: 0, kind });
        self
    }
}

impl Folder for MemoryFolder {
    fn list(&self) -> io::Result<Vec<Listed>> {
        let files = self.files.iter().map(|(path, content)| Listed {
            path: path.clone(),
            size: content.len() as u64,
            kind: Kind::File,
        });
        Ok(files.chain(self.others.iter().cloned()).collect())
    }

    fn open<'a>(&'a self, path: &str) -> io::Result<Box<dyn ReadSeek + 'a>> {
        match self.files.get(path) {
            Some(content) => Ok(Box::new(Cursor::new(content.as_slice()))),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}
