//! The readers between a container and whoever reads an entry. Each ends for good at its first error.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use sha2::{Digest, Sha256};

use super::budget::{Budget, Meter};
use super::error::Cut;

/// How much is moved at once.
pub(super) const CHUNK: usize = 128 << 10;

/// A stream whose bytes count against the total, and against the ratio if it comes out of a decompressor.
pub(super) struct Metered<'w, R> {
    inner: R,
    meter: &'w Meter,
    packed: Option<Packed>,
    given: u64,
    failed: Option<io::Error>,
}

/// What goes into a decompressor, and what may come out of it.
struct Packed {
    taken: Rc<Cell<u64>>,
    ratio: u64,
    free: u64,
}

impl<'w, R: Read> Metered<'w, R> {
    /// Bytes as they are given.
    pub(super) fn raw(inner: R, meter: &'w Meter) -> Self {
        Metered { inner, meter, packed: None, given: 0, failed: None }
    }

    /// Bytes out of a decompressor that has read `taken` bytes so far.
    pub(super) fn unpacked(inner: R, meter: &'w Meter, taken: Rc<Cell<u64>>, budget: &Budget) -> Self {
        let packed = Packed { taken, ratio: budget.ratio, free: budget.ratio_free };
        Metered { packed: Some(packed), ..Metered::raw(inner, meter) }
    }

    fn step(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let allowed = match self.packed {
            None => self.meter.allow(buffer.len())?,
            Some(_) => self.meter.allow_unpacked(buffer.len())?,
        };
        let count = self.inner.read(buffer.get_mut(..allowed).unwrap_or_default())?;
        self.meter.spend(count);
        if self.packed.is_none() {
            self.meter.input(count as u64);
        }
        self.given = self.given.saturating_add(count as u64);
        match &self.packed {
            Some(packed) if self.given > packed.limit(self.meter) => Err(Cut::Ratio(packed.ratio).into()),
            _ => Ok(count),
        }
    }
}

impl Packed {
    fn limit(&self, meter: &Meter) -> u64 {
        self.taken.get().saturating_mul(self.ratio).min(meter.one_share()).max(self.free)
    }
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = &self.failed {
            return Err(copy_of(error));
        }
        let result = self.step(buffer);
        if let Err(error) = &result
            && error.kind() != io::ErrorKind::Interrupted
        {
            self.failed = Some(copy_of(error));
        }
        result
    }
}

/// The budget that an error speaks of, if it does.
fn cut_in(error: &io::Error) -> Option<Cut> {
    error.get_ref()?.downcast_ref::<Cut>().copied()
}

/// The same error once more; a budget that it speaks of is kept.
pub(super) fn copy_of(error: &io::Error) -> io::Error {
    match cut_in(error) {
        Some(cut) => cut.into(),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

/// Counts what is read through it.
pub(super) struct Counted<R> {
    inner: R,
    count: Rc<Cell<u64>>,
}

impl<R> Counted<R> {
    /// The reader, and the count that it keeps.
    pub(super) fn new(inner: R) -> (Self, Rc<Cell<u64>>) {
        let count = Rc::new(Cell::new(0));
        (Counted { inner, count: count.clone() }, count)
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count.set(self.count.get().saturating_add(count as u64));
        Ok(count)
    }
}

/// A member whose size the container states: ending before it is an error.
pub(super) struct Exact<R> {
    inner: R,
    left: u64,
}

impl<R> Exact<R> {
    pub(super) fn new(inner: R, size: u64) -> Self {
        Exact { inner, left: size }
    }
}

impl<R: Read> Read for Exact<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        if count == 0 && self.left > 0 && !buffer.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left = self.left.saturating_sub(count as u64);
        Ok(count)
    }
}

/// What a visitor reads: any error is a clean end, kept for the walk to report.
pub(super) struct Leaf<'r> {
    inner: &'r mut dyn Read,
    limit: u64,
    /// Bytes given so far.
    pub(super) given: u64,
    /// Why it ended early.
    pub(super) error: Option<io::Error>,
}

impl<'r> Leaf<'r> {
    pub(super) fn new(inner: &'r mut dyn Read, limit: u64) -> Self {
        Leaf { inner, limit, given: 0, error: None }
    }

    /// At the limit: an end that fits, or more than may be read.
    fn at_limit(&mut self) -> io::Result<usize> {
        match self.inner.read(&mut [0]) {
            Ok(0) => Ok(0),
            Ok(_) => Err(Cut::Entry(self.limit).into()),
            Err(error) => Err(error),
        }
    }
}

impl Read for Leaf<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.error.is_some() || buffer.is_empty() {
            return Ok(0);
        }
        let room = usize::try_from(self.limit - self.given).unwrap_or(usize::MAX).min(buffer.len());
        let result = match buffer.get_mut(..room) {
            Some(part) if room > 0 => self.inner.read(part),
            _ => self.at_limit(),
        };
        match result {
            Ok(count) => {
                self.given += count as u64;
                Ok(count)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                self.error = Some(error);
                Ok(0)
            }
        }
    }
}

/// Hashes what is read through it.
pub(super) struct Hashed<R> {
    inner: R,
    hash: Sha256,
}

impl<R: Read> Hashed<R> {
    pub(super) fn new(inner: R) -> Self {
        Hashed { inner, hash: Sha256::new() }
    }

    /// Reads at most `limit` more bytes to the end; the hash as `sha256sum` prints it if the end was reached.
    pub(super) fn finish(mut self, limit: u64) -> Option<String> {
        drain(&mut (&mut self).take(limit)).ok()?;
        let at_end = matches!(self.inner.read(&mut [0]), Ok(0));
        at_end.then(|| self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hash.update(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}

/// Reads to the end and says how many bytes there were and whether all were zero.
pub(super) fn drain(reader: &mut dyn Read) -> io::Result<(u64, bool)> {
    let mut buffer = [0; 8 << 10];
    let (mut total, mut zero) = (0u64, true);
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok((total, zero)),
            Ok(count) => {
                total = total.saturating_add(count as u64);
                zero = zero && buffer.iter().take(count).all(|byte| *byte == 0);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The first `wanted` bytes, fewer at the end of the data or at an error, which comes along.
pub(super) fn head(reader: &mut dyn Read, wanted: usize) -> (Vec<u8>, Option<io::Error>) {
    let mut bytes = Vec::new();
    let result = reader.take(wanted as u64).read_to_end(&mut bytes);
    (bytes, result.err())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_ends_cleanly_at_its_limit() {
        for (length, cut) in [(9, false), (10, false), (11, true)] {
            let data = vec![b'x'; length];
            let mut source = &data[..];
            let mut leaf = Leaf::new(&mut source, 10);
            let mut out = Vec::new();
            leaf.read_to_end(&mut out).unwrap();
            assert_eq!(out.len(), length.min(10));
            assert_eq!(leaf.error.is_some(), cut, "{length}");
        }
    }

    #[test]
    fn the_ratio_counts_after_the_free_part() {
        let budget = Budget { ratio: 10, ratio_free: 100, ..Budget::default() };
        let meter = Meter::new(&budget);
        let read = |given: u64, taken: u64| {
            let source = io::repeat(b'x').take(given);
            io::copy(&mut Metered::unpacked(source, &meter, Rc::new(Cell::new(taken)), &budget), &mut io::sink())
                .is_ok()
        };
        assert!(read(100, 1) && read(500, 50));
        assert!(!read(101, 1) && !read(501, 50));
    }

    #[test]
    fn an_error_is_repeated_and_not_read_over() {
        let budget = Budget { total_bytes: 4, ..Budget::default() };
        let meter = Meter::new(&budget);
        let mut reader = Metered::raw(&b"abcdef"[..], &meter);
        let mut buffer = [0; 6];
        assert_eq!(reader.read(&mut buffer).unwrap(), 4);
        for _ in 0..2 {
            let error = reader.read(&mut buffer).unwrap_err();
            assert_eq!(cut_in(&error), Some(Cut::Total(4)));
        }
    }

    #[test]
    fn the_hash_is_that_of_sha256sum() {
        let hash = Hashed::new(&b"abc"[..]).finish(10).unwrap();
        assert_eq!(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(Hashed::new(&b"abc"[..]).finish(2), None);
    }
}
