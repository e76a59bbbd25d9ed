//! Compressed files: one file or tar, in one stream or several after each other.

use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;

use super::error::Cut;
use super::paths::Place;
use super::readers::{CHUNK, Counted, Metered, copy_of};
use super::walker::{Content, Walker};
use super::zstd;

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Codec {
    /// RFC 1952.
    Gzip,
    /// As bzip2 1.0 writes it.
    Bzip2,
    /// The .xz format 1.2.1: LZMA2 with its filters.
    Xz,
    /// RFC 8878, without dictionaries.
    Zstd,
}

/// What an xz decoder needs beside its window, in KiB.
const XZ_TABLES: u64 = 1024;

impl Codec {
    /// What comes out of `reader`. A stream that wants to look back more than `window` bytes is an error.
    fn decoder<'r>(self, reader: impl BufRead + 'r, window: u64) -> Box<dyn Read + 'r> {
        match self {
            Codec::Gzip => Box::new(MultiGzDecoder::new(reader)),
            Codec::Bzip2 => Box::new(MultiBzDecoder::new(reader)),
            Codec::Xz => {
                let limit = u32::try_from(window / 1024 + XZ_TABLES).unwrap_or(u32::MAX);
                Box::new(XzReader::new_mem_limit(reader, true, limit))
            }
            Codec::Zstd => Box::new(zstd::Frames::new(reader, window)),
        }
    }
}

/// Hands on what comes out of the compressed file at `place`.
pub(super) fn walk(walker: &mut Walker<'_>, place: &Place, codec: Codec, reader: &mut dyn Read) {
    let (counted, taken) = Counted::new(reader);
    let failed = Rc::new(RefCell::new(None));
    let source = Remembering { inner: counted, failed: failed.clone() };
    let window = walker.budget.window;
    let decoder = codec.decoder(BufReader::with_capacity(CHUNK, source), window);
    let told = Told { inner: decoder, failed, window };
    let unpacked = Metered::unpacked(told, walker.meter, taken, walker.budget);
    // Tar asks for its headers in small pieces; large reads go past this buffer.
    let mut buffered = BufReader::with_capacity(CHUNK, unpacked);
    walker.file(&place.unpacked(), None, Content::Stream(&mut buffered));
}

/// Keeps the error of what is read through it: decoders wrap it beyond recognition.
struct Remembering<R> {
    inner: R,
    failed: Rc<RefCell<Option<io::Error>>>,
}

impl<R: Read> Read for Remembering<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).inspect_err(|error| *self.failed.borrow_mut() = Some(copy_of(error)))
    }
}

/// A decoder whose errors are in our words.
struct Told<R> {
    inner: R,
    failed: Rc<RefCell<Option<io::Error>>>,
    window: u64,
}

impl<R: Read> Read for Told<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).map_err(|error| match self.failed.borrow_mut().take() {
            Some(source) => source,
            None if error.kind() == io::ErrorKind::Interrupted => error,
            None => told(&error, self.window),
        })
    }
}

/// What the decoders say, and what we say. The first that fits is taken.
const WORDS: &[(&str, &str)] = &[
    ("invalid gzip header", "what follows is not gzip"),
    ("wrong magic number", "what follows is not zstd"),
    ("checksum", "the checksum does not match"),
];

/// Plain words for what a decoder said.
fn told(error: &io::Error, window: u64) -> io::Error {
    let text = error.to_string();
    let says = |part: &str| text.contains(part);
    if error.kind() == io::ErrorKind::UnexpectedEof || ["UnexpectedEof", "failed to fill"].iter().any(|p| says(p)) {
        return io::ErrorKind::UnexpectedEof.into();
    }
    if says("needed memory too big") || says("window_size") {
        return Cut::Window(window).into();
    }
    let ours = WORDS.iter().find(|(theirs, _)| says(theirs)).map(|(_, ours)| *ours);
    io::Error::other(ours.unwrap_or("the compressed data is damaged"))
}
