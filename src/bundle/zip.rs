//! zip, read by its directory, which stands at its end.

use std::cell::Cell;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::rc::Rc;

use ::zip::read::{Config, ZipFileEntry};
// `ZipArchive` keeps one of two members of the same name, and all of the directory in memory.
use ::zip::unstable::read::ZipIterable;
use ::zip::{CompressionMethod, ZipReadOptions};

use super::error::{flag, plain, size, unread_format};
use super::held::Held;
use super::paths::{Name, Place};
use super::readers::Metered;
use super::walker::{Content, Walker};
use super::{ReadSeek, zip_stream};

/// Small, because the library seeks for every line of the directory, which empties it.
const BUFFER: usize = 4096;

/// The longest target of a link that is kept, in bytes.
const TARGET: u64 = 1024;

/// Methods that zip tools offer and this version does not read, by their number in APPNOTE 6.3.10, section 4.4.5.
const METHODS: &[(u16, &str)] =
    &[(9, "Deflate64"), (12, "bzip2"), (14, "LZMA"), (93, "zstd"), (95, "xz"), (98, "PPMd"), (99, "AES")];

/// What to say of a member that is compressed with method `number`.
pub(super) fn unread_method(number: u16) -> String {
    match METHODS.iter().find(|(method, _)| *method == number) {
        Some((_, name)) => unread_format(name),
        None => unread_format(&format!("zip method {number}")),
    }
}

/// Hands on every member of the zip at `place`. Without its directory the members are read one after the other.
pub(super) fn walk(walker: &mut Walker<'_>, place: &Place, file: &mut dyn ReadSeek) {
    let length = file.seek(SeekFrom::End(0)).unwrap_or(0);
    let error = match ZipIterable::try_new(BufReader::with_capacity(BUFFER, &mut *file), Config::default()) {
        Ok(mut archive) => return directory(walker, place, length, &mut archive),
        Err(error) => plain(&error.into()),
    };
    if let Err(error) = file.rewind() {
        return walker.problem(place.container(), format!("not read: {}", plain(&error)));
    }
    let message = format!(
        "the zip's directory is missing or damaged, as in a file that was cut short ({error}); \
         its files are read one after the other, the last ones may be missing"
    );
    walker.problem(place.container(), message);
    zip_stream::walk(walker, place, &mut Metered::raw(file, walker.meter));
}

/// The same for a zip that cannot be read at any place: it is held in memory if there is room.
pub(super) fn walk_stream(walker: &mut Walker<'_>, place: &Place, reader: &mut dyn Read) {
    let room = walker.meter.zip_room();
    let (mut held, error) = Held::of(&mut reader.take(room.saturating_add(1)));
    let bytes = held.length();
    if bytes <= room {
        if let Some(error) = error {
            let message = format!("only the first {} of the zip could be read: {}", size(bytes), plain(&error));
            walker.problem(place.container(), message);
        }
        let meter = walker.meter;
        return meter.holding(bytes, || walk(walker, place, &mut held));
    }
    let message = format!(
        "the zip is too large to be held in memory (limit {}, {}); its files are read one after the other",
        size(walker.budget.zip_held),
        flag("zip-held")
    );
    walker.problem(place.container(), message);
    zip_stream::walk(walker, place, &mut held.chain(reader));
}

fn directory<R: Read + Seek>(walker: &mut Walker<'_>, place: &Place, length: u64, archive: &mut ZipIterable<R>) {
    let unreadable = |error: io::Error| format!("the rest of the zip's directory is not read: {}", plain(&error));
    let files = match archive.files() {
        Ok(files) => files,
        Err(error) => return walker.problem(place.container(), unreadable(error.into())),
    };
    while let Some(next) = files.next() {
        if walker.is_full() {
            return;
        }
        if let Some(cut) = walker.meter.exhausted() {
            return walker.problem(place.container(), format!("the rest of the zip is not read: {cut}"));
        }
        match next {
            Ok(entry) => member(walker, place, length, entry, files.reader_mut()),
            Err(error) => return walker.problem(place.container(), unreadable(error.into())),
        }
    }
}

/// What the type bits of a Unix mode say.
const TYPE: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;

fn member<R: Read + Seek>(
    walker: &mut Walker<'_>,
    container: &Place,
    length: u64,
    entry: ZipFileEntry<'_>,
    file: &mut R,
) {
    let raw = match entry.name() {
        Ok(name) => name.into_owned(),
        Err(_) => String::from_utf8_lossy(entry.name_raw()).into_owned(),
    };
    if entry.is_dir() || raw.ends_with('\\') {
        return;
    }
    let Some(place) = walker.admit(container, Name::in_zip(&raw)) else {
        return;
    };
    if entry.encrypted() {
        return walker.encrypted(&place);
    }
    #[allow(deprecated)] // the only way to the number of a method
    if let CompressionMethod::Unsupported(number) = entry.compression() {
        return walker.problem(&place.path, unread_method(number));
    }
    let (stated, packed, is_link) = (entry.size(), entry.compressed_size().min(length), entry.is_symlink());
    let kind = entry.unix_mode().unwrap_or(0) & TYPE;
    let mut content = match entry.with_reader(file, ZipReadOptions::new()) {
        Ok(content) => content,
        Err(error) => return walker.problem(&place.path, format!("not read: {}", plain(&error.into()))),
    };
    if is_link {
        let mut target = Vec::new();
        let read = content.take(TARGET).read_to_end(&mut target);
        walker.link(&place, read.is_ok().then(|| String::from_utf8_lossy(&target).into_owned()));
    } else if kind != 0 && kind != REGULAR {
        walker.special(&place);
    } else {
        let mut content = Metered::unpacked(&mut content, walker.meter, Rc::new(Cell::new(packed)), walker.budget);
        walker.file(&place, Some(stated), Content::Stream(&mut content));
    }
}
