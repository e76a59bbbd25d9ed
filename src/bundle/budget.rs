//! How much work a bundle may cause. Budgets count work, never time: the same bundle always gives the same report.

use std::cell::Cell;
use std::io;

use super::error::Cut;

/// One mebibyte.
const MIB: u64 = 1 << 20;
/// One gibibyte.
const GIB: u64 = 1 << 30;

/// The limits of one walk. The defaults let 10 GB of logs and an object dump of 1 GB through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// Files and links of all containers together.
    pub entries: u64,
    /// Bytes read from one entry. It is streamed, so this bounds work and not memory.
    pub entry_bytes: u64,
    /// Bytes of one entry that whoever reads it may hold in memory.
    pub entry_held: u64,
    /// Bytes read from the input plus bytes that come out of every decompressor.
    pub total_bytes: u64,
    /// Bytes out of a decompressor for each byte into it.
    pub ratio: u64,
    /// Bytes out of a decompressor before `ratio` counts.
    pub ratio_free: u64,
    /// Layers around an entry: a folder, a tar, a gzip or a zip is one each.
    pub depth: u32,
    /// Bytes of zips held in memory at one time; a zip inside another archive cannot be read where it stands.
    pub zip_held: u64,
    /// Bytes of one tar header with its long names and sparse maps.
    pub tar_header: u64,
    /// Bytes of one path, the names of the containers around it included.
    pub path_bytes: usize,
    /// Problems that are listed one by one; those beyond are counted.
    pub problems: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            entries: 500_000,
            entry_bytes: 16 * GIB,
            entry_held: 2 * GIB,
            total_bytes: 64 * GIB,
            ratio: 1000,
            ratio_free: 16 * MIB,
            depth: 16,
            zip_held: 256 * MIB,
            tar_header: MIB,
            path_bytes: 2048,
            problems: 10_000,
        }
    }
}

/// What has been used of the budgets that all readers of one walk share.
#[derive(Debug)]
pub(super) struct Meter {
    total: u64,
    used: Cell<u64>,
    refused: Cell<bool>,
    zip_held: Cell<u64>,
}

impl Meter {
    pub(super) fn new(budget: &Budget) -> Self {
        Meter {
            total: budget.total_bytes,
            used: Cell::new(0),
            refused: Cell::new(false),
            zip_held: Cell::new(budget.zip_held),
        }
    }

    /// How many of `wanted` bytes may still be read; an error once there are none.
    pub(super) fn allow(&self, wanted: usize) -> io::Result<usize> {
        let left = self.total.saturating_sub(self.used.get());
        match usize::try_from(left).unwrap_or(usize::MAX).min(wanted) {
            0 if wanted > 0 => {
                self.refused.set(true);
                Err(Cut::Total(self.total).into())
            }
            allowed => Ok(allowed),
        }
    }

    /// Counts bytes that were read.
    pub(super) fn spend(&self, bytes: usize) {
        self.used.set(self.used.get().saturating_add(bytes as u64));
    }

    /// The cut, once the total did not suffice.
    pub(super) fn spent(&self) -> Option<Cut> {
        self.refused.get().then_some(Cut::Total(self.total))
    }

    /// How many bytes of zips may still be held.
    pub(super) fn zip_room(&self) -> u64 {
        self.zip_held.get()
    }

    /// Runs `work` while `bytes` of a zip are held.
    pub(super) fn holding(&self, bytes: u64, work: impl FnOnce()) {
        let room = self.zip_held.get();
        self.zip_held.set(room.saturating_sub(bytes));
        work();
        self.zip_held.set(room);
    }
}
