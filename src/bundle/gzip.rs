//! gzip: one file or tar, in one member or several after each other.

use std::io::{BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use super::paths::Place;
use super::readers::{CHUNK, Counted, Metered};
use super::walker::{Content, Walker};

/// Hands on what comes out of the gzip at `place`.
pub(super) fn walk(walker: &mut Walker<'_>, place: &Place, reader: &mut dyn Read) {
    let (counted, taken) = Counted::new(reader);
    let decoder = MultiGzDecoder::new(BufReader::with_capacity(CHUNK, counted));
    let unpacked = Metered::unpacked(decoder, walker.meter, taken, walker.budget);
    // Tar asks for its headers in small pieces; large reads go past this buffer.
    let mut buffered = BufReader::with_capacity(CHUNK, unpacked);
    walker.file(&place.unpacked(), None, Content::Stream(&mut buffered));
}
