//! The file system, as the library wants it: listings and readers.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use dnsmortem::Settings;
use dnsmortem::bundle::{self, Folder, Input, Kind, Listed, ReadSeek};

use super::progress::{Count, Line};

/// One bundle as the command line names it.
struct Given {
    name: String,
    what: What,
}

enum What {
    Folder(DiskFolder),
    File(PathBuf),
    Stdin,
}

/// Opens the bundles and lets `work` read them, with its progress on the terminal.
pub fn reading<T>(
    bundles: &[PathBuf],
    settings: &Settings,
    work: impl FnOnce(Vec<(String, Input<'_>)>) -> Result<T, bundle::Error>,
) -> Result<T, String> {
    let count = Count::default();
    let given = given(bundles, settings.budget.folder_depth, &count)?;
    let _line = Line::of(&count);
    work(inputs(&given, &count)?).map_err(|error| error.to_string())
}

/// Looks what each path is. `-` is standard input. Folders are read up to `depth` in each other.
fn given(paths: &[PathBuf], depth: u64, count: &Count) -> Result<Vec<Given>, String> {
    if paths.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
        return Err("-: standard input can be read only once; give it once".to_owned());
    }
    paths.iter().map(|path| one(path, depth, count)).collect()
}

fn one(path: &Path, depth: u64, count: &Count) -> Result<Given, String> {
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
        What::Folder(DiskFolder { root: path.to_owned(), depth, count: count.clone() })
    } else {
        What::File(path.to_owned())
    };
    Ok(Given { name, what })
}

/// The readers for the library.
fn inputs<'a>(given: &'a [Given], count: &Count) -> Result<Vec<(String, Input<'a>)>, String> {
    given.iter().map(|given| Ok((given.name.clone(), input(given, count)?))).collect()
}

fn input<'a>(given: &'a Given, count: &Count) -> Result<Input<'a>, String> {
    let name = given.name.as_str();
    Ok(match &given.what {
        What::Folder(folder) => Input::Folder { name, folder },
        What::Stdin => Input::Stream { name, reader: Box::new(count.over(io::stdin().lock())) },
        What::File(path) => {
            let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
            let regular = file.metadata().ok().filter(std::fs::Metadata::is_file);
            count.expect(regular.as_ref().map_or(0, std::fs::Metadata::len));
            let file = count.over(file);
            if regular.is_some() {
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
    depth: u64,
    count: Count,
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
                    None if depth < self.depth => waiting.push((entry.path(), path, depth + 1)),
                    None => {
                        let kind =
                            Kind::Unreadable(format!("folders nest deeper than {} (--max-folder-depth)", self.depth));
                        listed.push(Listed { path, size: 0, kind });
                    }
                    Some((size, kind)) => {
                        self.count.expect(size);
                        listed.push(Listed { path, size, kind });
                    }
                }
            }
        }
        Ok(listed)
    }

    fn open<'a>(&'a self, path: &str) -> io::Result<Box<dyn ReadSeek + 'a>> {
        Ok(Box::new(self.count.over(File::open(self.root.join(path))?)))
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

/// Writes a file.
pub fn write(path: &Path, work: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let written = File::create(path).and_then(|file| {
        let mut out = io::BufWriter::new(file);
        work(&mut out)?;
        out.flush()
    });
    written.map_err(|error| format!("{}: cannot be written: {error}; give another place with -o", path.display()))
}
