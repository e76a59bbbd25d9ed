//! tar: POSIX, GNU and the old format, read in order and never unpacked.

use std::cell::Cell;
use std::io::{self, Read};

use ::tar::{Archive, Entry, EntryType};

use super::error::{Cut, plain};
use super::paths::{Name, Place};
use super::readers::{Exact, Metered, drain};
use super::walker::{Content, Walker};

/// What the archive's reader has read, shared with the loop over its members.
#[derive(Default)]
struct Position {
    at: Cell<u64>,
    /// Where reading must stop: behind the next header, so that a header cannot fill the memory.
    until: Cell<u64>,
    header: u64,
    ended: Cell<bool>,
}

struct Gate<'r, 'p> {
    inner: &'r mut dyn Read,
    position: &'p Position,
}

impl Read for Gate<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Position { at, until, header, ended } = self.position;
        let room = usize::try_from(until.get().saturating_sub(at.get())).unwrap_or(usize::MAX);
        if room == 0 && !buffer.is_empty() {
            return Err(Cut::TarHeader(*header).into());
        }
        let room = room.min(buffer.len());
        let count = self.inner.read(buffer.get_mut(..room).unwrap_or_default())?;
        at.set(at.get().saturating_add(count as u64));
        ended.set(count == 0 && !buffer.is_empty());
        Ok(count)
    }
}

/// Hands on every member of the tar at `place`.
pub(super) fn walk(walker: &mut Walker<'_>, place: &Place, reader: &mut dyn Read) {
    let position = Position { header: walker.budget.tar_header, ..Position::default() };
    let mut archive = Archive::new(Gate { inner: reader, position: &position });
    if let Err(error) = members(walker, place, &mut archive, &position) {
        return walker
            .problem(place.container(), format!("the rest of the tar archive is not read: {}", plain(&error)));
    }
    if walker.is_full() {
        return;
    }
    if position.ended.get() {
        let message = "the tar archive has no end mark: its last files may be missing".to_owned();
        return walker.problem(place.container(), message);
    }
    position.until.set(u64::MAX);
    let message = match drain(&mut archive.into_inner()) {
        Ok((_, true)) => return,
        Ok((count, false)) => format!("{count} bytes after the end of the tar archive are not read"),
        Err(error) => format!("it is damaged after the end of the tar archive: {}", plain(&error)),
    };
    walker.problem(place.container(), message);
}

/// Ends at the end mark, at the end of the data, at the first error (the library would repeat it for ever) or when
/// there are too many members.
fn members(
    walker: &mut Walker<'_>,
    place: &Place,
    archive: &mut Archive<Gate<'_, '_>>,
    position: &Position,
) -> io::Result<()> {
    let mut entries = archive.entries()?;
    let mut data_end = 0u64;
    loop {
        position.until.set(data_end.saturating_add(position.header));
        let Some(entry) = entries.next() else {
            return Ok(());
        };
        let mut entry = entry?;
        data_end = position.at.get().saturating_add(stored(&entry)?).saturating_add(511);
        position.until.set(data_end);
        if walker.is_full() {
            return Ok(());
        }
        member(walker, place, &mut entry)?;
    }
}

/// Bytes of the member in the archive; a sparse file is longer when read.
fn stored<R: Read>(entry: &Entry<'_, R>) -> io::Result<u64> {
    match entry.header().entry_type() {
        EntryType::GNUSparse => entry.header().entry_size(),
        _ => Ok(entry.size()),
    }
}

fn member<R: Read>(walker: &mut Walker<'_>, container: &Place, entry: &mut Entry<'_, R>) -> io::Result<()> {
    use EntryType as Type;
    let kind = entry.header().entry_type();
    let raw = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
    // Notes about other members, and folders; the old format marks a folder by the slash alone.
    if matches!(kind, Type::Directory | Type::XGlobalHeader | Type::XHeader) || raw.ends_with('/') {
        return Ok(());
    }
    let Some(place) = walker.admit(container, Name::of(&raw)) else {
        return Ok(());
    };
    let size = entry.size();
    match kind {
        Type::Symlink | Type::Link => {
            let target = entry.link_name_bytes().map(|name| String::from_utf8_lossy(&name).into_owned());
            walker.link(&place, target);
        }
        Type::Char | Type::Block | Type::Fifo => walker.special(&place),
        Type::GNUSparse => {
            // Its holes come from nowhere, so they count as if they were unpacked.
            let taken = std::rc::Rc::new(Cell::new(stored(entry)?));
            let mut content = Metered::unpacked(Exact::new(entry, size), walker.meter, taken, walker.budget);
            walker.file(&place, Some(size), Content::Stream(&mut content));
        }
        _ => walker.file(&place, Some(size), Content::Stream(&mut Exact::new(entry, size))),
    }
    Ok(())
}
