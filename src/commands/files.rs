//! The file system, as the library wants it: listings and readers.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use dnsmortem::bundle::{Folder, Input, Kind, Listed, ReadSeek};

/// How deep folders may nest.
const DEPTH: usize = 64;

/// One bundle as the command line names it.
pub struct Given {
    name: String,
    what: What,
}

enum What {
    Folder(DiskFolder),
    File(PathBuf),
    Stdin,
}

/// Looks what each path is. `-` is standard input.
pub fn given(paths: &[PathBuf]) -> Result<Vec<Given>, String> {
    paths.iter().map(|path| one(path)).collect()
}

fn one(path: &Path) -> Result<Given, String> {
    if path.as_os_str() == "-" {
        return Ok(Given { name: "standard input".to_owned(), what: What::Stdin });
    }
    let shown = path.display();
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("{shown}: no such file or folder; check the path"),
        io::ErrorKind::PermissionDenied => format!("{shown}: not permitted to read it"),
        _ => format!("{shown}: {error}"),
    })?;
    let name = path.canonicalize().ok().and_then(|full| full.file_name().map(|n| n.to_string_lossy().into_owned()));
    let name = name.unwrap_or_else(|| shown.to_string());
    let what = if metadata.is_dir() {
        What::Folder(DiskFolder { root: path.to_owned() })
    } else {
        What::File(path.to_owned())
    };
    Ok(Given { name, what })
}

/// The readers for the library.
pub fn inputs(given: &[Given]) -> Result<Vec<(String, Input<'_>)>, String> {
    given.iter().map(|given| Ok((given.name.clone(), input(given)?))).collect()
}

fn input(given: &Given) -> Result<Input<'_>, String> {
    let name = given.name.as_str();
    Ok(match &given.what {
        What::Folder(folder) => Input::Folder { name, folder },
        What::Stdin => Input::Stream { name, reader: Box::new(io::stdin().lock()) },
        What::File(path) => {
            let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
            let regular = file.metadata().is_ok_and(|metadata| metadata.is_file());
            if regular {
                Input::File { name, file: Box::new(file) }
            } else {
                Input::Stream { name, reader: Box::new(file) as Box<dyn Read> }
            }
        }
    })
}

/// A folder on disk. Links in it are listed and not followed.
struct DiskFolder {
    root: PathBuf,
}

impl Folder for DiskFolder {
    fn list(&self) -> io::Result<Vec<Listed>> {
        let mut listed = Vec::new();
        let mut waiting = vec![(self.root.clone(), String::new(), 0)];
        while let Some((folder, prefix, depth)) = waiting.pop() {
            let entries = match std::fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) if prefix.is_empty() => return Err(error),
                Err(error) => {
                    listed.push(Listed { path: prefix, size: 0, kind: Kind::Unreadable(error.to_string()) });
                    continue;
                }
            };
            for entry in entries.flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
                match look(&entry) {
                    None if depth < DEPTH => waiting.push((entry.path(), path, depth + 1)),
                    None => {
                        let kind = Kind::Unreadable(format!("folders nest deeper than {DEPTH}"));
                        listed.push(Listed { path, size: 0, kind });
                    }
                    Some((size, kind)) => listed.push(Listed { path, size, kind }),
                }
            }
        }
        Ok(listed)
    }

    fn open<'a>(&'a self, path: &str) -> io::Result<Box<dyn ReadSeek + 'a>> {
        Ok(Box::new(File::open(self.root.join(path))?))
    }
}

/// What an entry of a folder is; `None` for a folder.
fn look(entry: &std::fs::DirEntry) -> Option<(u64, Kind)> {
    match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => None,
        Ok(metadata) if metadata.is_file() => Some((metadata.len(), Kind::File)),
        Ok(metadata) if metadata.is_symlink() => {
            let target = std::fs::read_link(entry.path()).ok().map(|target| target.to_string_lossy().into_owned());
            Some((0, Kind::Link(target)))
        }
        Ok(_) => Some((0, Kind::Other)),
        Err(error) => Some((0, Kind::Unreadable(error.to_string()))),
    }
}

/// Writes a finished text to a file.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text)
        .map_err(|error| format!("{}: cannot be written: {error}; give another place with -o", path.display()))
}
