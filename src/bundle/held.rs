//! Bytes held in memory, to be read at any place: in pieces, so that growing never holds them twice.

use std::io::{self, Read, Seek, SeekFrom};

use super::readers::CHUNK;

/// Everything that a reader gave.
#[derive(Default)]
pub(super) struct Held {
    /// Each of [`CHUNK`] bytes but the last.
    pieces: Vec<Vec<u8>>,
    length: u64,
    at: u64,
}

impl Held {
    /// Reads to the end, or to the first error, which comes along.
    pub(super) fn of(reader: &mut dyn Read) -> (Self, Option<io::Error>) {
        let mut held = Held::default();
        loop {
            let mut piece = Vec::new();
            let result = (&mut *reader).take(CHUNK as u64).read_to_end(&mut piece);
            piece.shrink_to_fit();
            held.length += piece.len() as u64;
            let is_last = piece.len() < CHUNK;
            held.pieces.push(piece);
            if is_last || result.is_err() {
                return (held, result.err());
            }
        }
    }

    /// How many bytes.
    pub(super) fn length(&self) -> u64 {
        self.length
    }
}

impl Read for Held {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let at = usize::try_from(self.at).unwrap_or(usize::MAX);
        let rest = self.pieces.get(at / CHUNK).and_then(|piece| piece.get(at % CHUNK..)).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Held {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (base, offset) = match to {
            SeekFrom::Start(at) => (at, 0),
            SeekFrom::End(offset) => (self.length, offset),
            SeekFrom::Current(offset) => (self.at, offset),
        };
        self.at = base.checked_add_signed(offset).ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_reads_like_the_source() {
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK] {
            let bytes: Vec<u8> = (0..length).map(|n| n as u8).collect();
            let (mut held, error) = Held::of(&mut bytes.as_slice());
            assert!(error.is_none() && held.length() == length as u64);
            let mut all = Vec::new();
            held.read_to_end(&mut all).unwrap();
            assert_eq!(all, bytes, "{length}");
            if length > 10 {
                held.seek(SeekFrom::End(-10)).unwrap();
                let mut end = Vec::new();
                held.read_to_end(&mut end).unwrap();
                assert_eq!(end, bytes[length - 10..]);
            }
        }
        let (mut held, _) = Held::of(&mut &b"abc"[..]);
        assert!(held.seek(SeekFrom::Current(-1)).is_err());
        held.seek(SeekFrom::Start(u64::MAX)).unwrap();
        assert_eq!(held.read(&mut [0; 4]).unwrap(), 0);
    }
}
