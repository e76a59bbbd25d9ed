//! How far the reading is, on standard error: only on a terminal, and only where it takes over half a second.

use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::size;

/// How long nothing is shown, and how often it is renewed after that.
const PATIENCE: Duration = Duration::from_millis(500);
const STEP: Duration = Duration::from_millis(200);

/// Bytes read so far, of how many.
#[derive(Clone, Default)]
pub struct Count {
    read: Arc<AtomicU64>,
    total: Arc<AtomicU64>,
}

impl Count {
    /// Bytes that are to be read.
    pub fn expect(&self, bytes: u64) {
        self.total.fetch_add(bytes, Ordering::Relaxed);
    }

    /// A reader whose bytes are counted.
    pub fn over<R>(&self, inner: R) -> Counted<R> {
        Counted { inner, count: self.clone() }
    }

    fn shown(&self) -> String {
        let (read, total) = (self.read.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        if total == 0 {
            return format!("reading: {}", size(read));
        }
        // A zip is read twice, once for its hash.
        let read = read.min(total);
        format!("reading: {} of {} ({} %)", size(read), size(total), read.saturating_mul(100) / total)
    }
}

/// Counts what is read through it.
pub struct Counted<R> {
    inner: R,
    count: Count,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl<R: Seek> Seek for Counted<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

/// The line on the terminal; gone when dropped.
pub struct Line {
    done: Arc<AtomicBool>,
    writer: Option<JoinHandle<()>>,
}

impl Line {
    /// Shows `count` if standard error is a terminal.
    pub fn of(count: &Count) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let (count, ended) = (count.clone(), done.clone());
        let writer = io::stderr().is_terminal().then(|| thread::spawn(move || show(&count, &ended)));
        Line { done, writer }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(writer) = self.writer.take() {
            writer.thread().unpark();
            let _ = writer.join();
        }
    }
}

fn show(count: &Count, done: &AtomicBool) {
    thread::park_timeout(PATIENCE);
    let mut shown = false;
    while !done.load(Ordering::Relaxed) {
        let _ = write!(io::stderr().lock(), "\r\x1b[K{}", count.shown());
        shown = true;
        thread::park_timeout(STEP);
    }
    if shown {
        let _ = write!(io::stderr().lock(), "\r\x1b[K");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_counted_and_never_beyond_the_whole() {
        let count = Count::default();
        assert_eq!(count.shown(), "reading: 0 bytes");
        count.expect(2048);
        io::copy(&mut count.over(&[0u8; 1024][..]), &mut io::sink()).unwrap();
        assert_eq!(count.shown(), "reading: 1 KiB of 2 KiB (50 %)");
        io::copy(&mut count.over(&[0u8; 4096][..]), &mut io::sink()).unwrap();
        assert_eq!(count.shown(), "reading: 2 KiB of 2 KiB (100 %)");
    }
}
