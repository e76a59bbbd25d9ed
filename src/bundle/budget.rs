//! How much work a bundle may cause. Budgets count work, never time: the same bundle always gives the same report.

use std::cell::Cell;
use std::io;

use super::error::Cut;

/// One mebibyte.
const MIB: u64 = 1 << 20;
/// One gibibyte.
const GIB: u64 = 1 << 30;

/// What a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Things.
    Count,
    /// Bytes.
    Bytes,
}

/// One limit of a [`Budget`], for the command line and the documentation.
pub struct Limit {
    /// The option that sets it, `max-NAME`; a problem names it where it was reached.
    pub option: &'static str,
    /// What it limits.
    pub what: &'static str,
    /// What it counts.
    pub unit: Unit,
    /// Its value in a budget.
    pub get: fn(&Budget) -> u64,
    /// Sets it in a budget.
    pub set: fn(&mut Budget, u64),
}

/// Declares the struct, its defaults and the table of its limits from one list.
macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $field:ident $name:literal $unit:ident = $default:expr;)+) => {
        /// The limits of one analysis. The defaults let 10 GB of logs and an object dump of 1 GB through.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Budget {
            $($(#[doc = $doc])+ pub $field: u64,)+
        }

        impl Default for Budget {
            fn default() -> Self {
                Budget { $($field: $default,)+ }
            }
        }

        /// Every limit, in the order of the struct.
        pub const LIMITS: &[Limit] = &[$(Limit {
            option: concat!("max-", $name),
            what: concat!($($doc),+).trim_ascii_start(),
            unit: Unit::$unit,
            get: |budget| budget.$field,
            set: |budget, value| budget.$field = value,
        },)+];
    };
}

limits! {
    /// Files and links of all containers together.
    entries "entries" Count = 500_000;
    /// Bytes read from one entry. It is streamed, so this bounds work and not memory.
    entry_bytes "entry-bytes" Bytes = 16 * GIB;
    /// Bytes of one entry of objects or tables that are held in memory. Logs are streamed.
    entry_held "entry-held" Bytes = 2 * GIB;
    /// Bytes held of one entry of other known texts: rules of a firewall, connections, lookups.
    text_held "text-held" Bytes = 32 * MIB;
    /// Bytes held of one entry that no reader knows.
    unknown_held "unknown-held" Bytes = 4 * MIB;
    /// Bytes read from the input plus bytes that come out of every decompressor.
    total_bytes "total-bytes" Bytes = 64 * GIB;
    /// Bytes out of a decompressor for each byte into it.
    ratio "ratio" Count = 1000;
    /// Bytes out of a decompressor before the ratio counts.
    ratio_free "ratio-free" Bytes = 16 * MIB;
    /// Bytes that a decompressor may look back, and so hold: what `xz -9` needs.
    window "window" Bytes = 64 * MIB;
    /// Layers around an entry: a folder, a tar, a gzip or a zip is one each.
    depth "depth" Count = 16;
    /// Folders in each other, in a folder on disk.
    folder_depth "folder-depth" Count = 64;
    /// Bytes of zips held in memory at one time. A zip inside another archive cannot be read where it stands.
    zip_held "zip-held" Bytes = 256 * MIB;
    /// Bytes of one tar header with its long names and sparse maps.
    tar_header "tar-header" Bytes = MIB;
    /// Bytes of one path, the names of the containers around it included.
    path_bytes "path-bytes" Bytes = 2048;
    /// Bytes of one line of a streamed log.
    line_bytes "line-bytes" Bytes = MIB;
    /// Values in one Kubernetes object, JSON or YAML.
    object_values "object-values" Count = 1_000_000;
    /// Problems that are listed one by one. Those beyond are counted.
    problems "problems" Count = 10_000;
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
