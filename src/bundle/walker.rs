//! The walk: looks at the first bytes of a file and hands it to its container's reader, or to the visitor.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Cursor, Read, SeekFrom};

use super::budget::{Budget, Meter};
use super::error::{Error, flag, plain, size, unread_format};
use super::magic::{HEAD, Magic};
use super::paths::{Name, Place, short};
use super::readers::{Hashed, Leaf, Metered, head};
use super::{Entry, Folder, Kind, Link, Listed, ReadSeek, Visitor, Walk, packed, tar, zip};
use crate::problem::Problem;

/// How the bytes of a file can be had.
pub(super) enum Content<'r> {
    /// Once, in order.
    Stream(&'r mut dyn Read),
    /// At any place.
    File(&'r mut dyn ReadSeek),
}

/// The state of one walk.
pub(super) struct Walker<'w> {
    pub(super) budget: &'w Budget,
    pub(super) meter: &'w Meter,
    visitor: &'w mut dyn Visitor,
    walk: Walk,
    /// Hashes of the paths that are taken: of hundreds of thousands two are the same once in a billion bundles, and
    /// then a file is named as not read.
    seen: HashSet<u64>,
    members: u64,
    /// How many members may be met before the container that is open is full.
    most: u64,
    encrypted: u64,
    unlisted: u64,
    /// The format of the bundle as a whole, if it is one that is not read.
    unread: Option<&'static str>,
}

impl<'w> Walker<'w> {
    pub(super) fn new(budget: &'w Budget, meter: &'w Meter, visitor: &'w mut dyn Visitor) -> Self {
        Walker {
            budget,
            meter,
            visitor,
            walk: Walk::default(),
            seen: HashSet::new(),
            members: 0,
            most: budget.entries,
            encrypted: 0,
            unlisted: 0,
            unread: None,
        }
    }

    /// A folder, sorted by path.
    pub(super) fn folder(&mut self, folder: &dyn Folder) {
        let mut listed = match folder.list() {
            Ok(listed) => listed,
            Err(error) => return self.problem("", format!("the folder cannot be read: {}", plain(&error))),
        };
        listed.sort_by(|a, b| a.path.cmp(&b.path));
        let bundle = Place::bundle("");
        for one in &listed {
            if self.is_full() {
                break;
            }
            if let Some(place) = self.admit(&bundle, Name::of(&one.path)) {
                self.listed(folder, one, &place);
            }
        }
    }

    fn listed(&mut self, folder: &dyn Folder, one: &Listed, place: &Place) {
        match &one.kind {
            Kind::Link(target) => self.link(place, target.clone()),
            Kind::Other => self.special(place),
            Kind::Unreadable(why) => self.problem(&place.path, format!("not read: {why}")),
            Kind::File => match folder.open(&one.path) {
                Ok(mut file) => self.file(place, Some(one.size), Content::File(&mut *file)),
                Err(error) => self.problem(&place.path, format!("not read: {}", plain(&error))),
            },
        }
    }

    /// A bundle that can be read once; its hash if it was read to the end.
    pub(super) fn stream(&mut self, name: &str, reader: &mut dyn Read) -> Option<String> {
        let mut hashed = Hashed::new(reader);
        let mut metered = Metered::raw(&mut hashed, self.meter);
        self.file(&Place::bundle(name), None, Content::Stream(&mut metered));
        hashed.finish(self.budget.total_bytes)
    }

    /// A bundle that is a file. A zip is hashed before it is read, anything else on the way.
    pub(super) fn seekable(&mut self, name: &str, file: &mut dyn ReadSeek) -> Option<String> {
        let magic = match sniff(file) {
            Ok(magic) => magic,
            Err(error) => {
                self.problem("", format!("not read: {}", plain(&error)));
                return None;
            }
        };
        if magic != Magic::Zip {
            return self.stream(name, file);
        }
        let sha256 = Hashed::new(&mut *file).finish(self.budget.total_bytes);
        self.file(&Place::bundle(name), None, Content::File(file));
        sha256
    }

    /// One file, whatever it is. A container is opened, anything else goes to the visitor.
    pub(super) fn file(&mut self, place: &Place, size_hint: Option<u64>, content: Content<'_>) {
        match content {
            Content::Stream(reader) => self.stream_of(place, size_hint, reader),
            Content::File(file) => match sniff(file) {
                Err(error) => self.problem(&place.path, format!("not read: {}", plain(&error))),
                Ok(Magic::Zip) if self.may_open(place) => {
                    self.meter.input(file.seek(SeekFrom::End(0)).unwrap_or(0));
                    self.inside(place, |walker| zip::walk(walker, place, file));
                }
                Ok(Magic::Zip) => {}
                Ok(_) => self.stream_of(place, size_hint, &mut Metered::raw(file, self.meter)),
            },
        }
    }

    fn stream_of(&mut self, place: &Place, size_hint: Option<u64>, reader: &mut dyn Read) {
        let (first, error) = head(reader, HEAD);
        match error {
            None if first.is_empty() && place.is_bundle() => {}
            Some(error) if first.is_empty() => {
                self.problem(&place.path, format!("nothing of it could be read: {}", plain(&error)));
            }
            // A reader repeats its error, so whoever reads on meets it.
            _ => self.sniffed(Magic::of(&first), place, size_hint, &mut Cursor::new(first).chain(reader)),
        }
    }

    fn sniffed(&mut self, magic: Magic, place: &Place, size_hint: Option<u64>, reader: &mut dyn Read) {
        match magic {
            Magic::Plain => self.leaf(place, size_hint, None, reader),
            Magic::Binary(what) => self.leaf(place, size_hint, Some(what), reader),
            Magic::Unread(format) => {
                if place.is_bundle() {
                    self.unread = Some(format);
                }
                self.problem(place.container(), unread_format(format));
            }
            _ if !self.may_open(place) => {}
            Magic::Packed(codec) => packed::walk(self, place, codec, reader),
            Magic::Tar => self.inside(place, |walker| tar::walk(walker, place, reader)),
            Magic::Zip => self.inside(place, |walker| zip::walk_stream(walker, place, reader)),
        }
    }

    /// Opens a container. One inside the bundle leaves a quarter of the files that may still come to those behind it.
    fn inside(&mut self, place: &Place, work: impl FnOnce(&mut Self)) {
        let most = self.most;
        if !place.is_bundle() {
            self.most = self.members + most.saturating_sub(self.members) / 4 * 3;
        }
        work(self);
        self.most = most;
    }

    fn may_open(&mut self, place: &Place) -> bool {
        let fits = u64::from(place.depth) < self.budget.depth;
        if !fits {
            let limit = self.budget.depth;
            let message =
                format!("not opened: it lies deeper than {limit} containers in each other ({})", flag("depth"));
            self.problem(&place.path, message);
        }
        fits
    }

    fn leaf(&mut self, place: &Place, size_hint: Option<u64>, binary: Option<&'static str>, reader: &mut dyn Read) {
        let entry = Entry { path: place.path.clone(), size_hint, binary };
        let mut leaf = Leaf::new(reader, self.budget.entry_bytes);
        self.visitor.entry(&entry, &mut leaf);
        let Leaf { given, error, .. } = leaf;
        self.walk.entries += 1;
        self.walk.bytes = self.walk.bytes.saturating_add(given);
        if let Some(error) = error {
            let of = size_hint.filter(|all| *all > given).map(|all| format!(" of {}", size(all))).unwrap_or_default();
            self.problem(&place.path, format!("only the first {}{of} could be read: {}", size(given), plain(&error)));
        }
    }

    /// Takes a member's name into the bundle, unless it is refused, taken or beyond a budget.
    pub(super) fn admit(&mut self, container: &Place, name: Name) -> Option<Place> {
        self.members += 1;
        let (name, was_absolute) = match name {
            Name::Itself => return None,
            Name::Good(name) => (name, false),
            Name::WasAbsolute(name) => (name, true),
            Name::Refused { shown, why } => {
                self.problem(container.container(), format!("`{shown}` is not read: {why}"));
                return None;
            }
        };
        let place = container.member(&name);
        let refusal = if self.is_full() {
            let limit = self.most;
            format!(
                "not read: the limit of {limit} files is reached; the rest is not read either ({})",
                flag("entries")
            )
        } else if place.path.len() as u64 > self.budget.path_bytes {
            format!("not read: its path is longer than {} bytes ({})", self.budget.path_bytes, flag("path-bytes"))
        } else if let Some(cut) = self.meter.spent() {
            format!("not read: {cut}")
        } else if !self.seen.insert(hash(&place.path)) {
            "a second file of this name is not read".to_owned()
        } else {
            if was_absolute {
                self.problem(&place.path, "its name starts at the root of a file system; read under this name".into());
            }
            return Some(place);
        };
        self.problem(&short(&place.path), refusal);
        None
    }

    /// Whether there are more members than may be read.
    pub(super) fn is_full(&self) -> bool {
        self.members > self.most
    }

    /// Notes a problem, or counts it where there are too many.
    pub(super) fn problem(&mut self, path: &str, message: String) {
        if (self.walk.problems.len() as u64) < self.budget.problems {
            self.walk.problems.push(Problem::of(path, message));
        } else {
            self.unlisted += 1;
        }
    }

    /// Notes a link.
    pub(super) fn link(&mut self, place: &Place, target: Option<String>) {
        self.walk.links.push(Link { path: place.path.clone(), target: target.map(|target| short(&target)) });
    }

    /// Notes a device, pipe or socket.
    pub(super) fn special(&mut self, place: &Place) {
        self.problem(&place.path, "not read: it is a device, a pipe or a socket, not a file".into());
    }

    /// Notes an encrypted member.
    pub(super) fn encrypted(&mut self, place: &Place) {
        self.encrypted += 1;
        self.problem(&place.path, "not read: it is encrypted; unpack the archive with its password first".into());
    }

    /// The result, or why there is none.
    pub(super) fn finish(mut self, name: &str, sha256: Option<String>) -> Result<Walk, Error> {
        if self.unlisted > 0 {
            let message = format!("{} more problems are not listed ({})", self.unlisted, flag("problems"));
            self.walk.problems.push(Problem::of("", message));
        }
        self.walk.sha256 = sha256;
        if self.walk.entries > 0 {
            return Ok(self.walk);
        }
        let name = name.to_owned();
        Err(match (self.unread, self.walk.problems.first()) {
            (Some(format), _) => Error::Unsupported { name, format },
            (None, _) if self.encrypted > 0 => Error::Encrypted { name },
            (None, Some(problem)) => Error::Unreadable { name, why: in_one_line(problem) },
            (None, None) => Error::Empty { name },
        })
    }
}

fn hash(path: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    hasher.finish()
}

/// Looks at the first bytes and goes back to them.
fn sniff(file: &mut dyn ReadSeek) -> io::Result<Magic> {
    file.rewind()?;
    let (first, _) = head(file, HEAD);
    file.rewind()?;
    Ok(Magic::of(&first))
}

fn in_one_line(problem: &Problem) -> String {
    match &*problem.path {
        "" => problem.message.clone(),
        path => format!("{path}: {}", problem.message),
    }
}
