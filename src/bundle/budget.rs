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
    entries "entries" Count = 120_000;
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
    /// Bytes out of all decompressors before the ratio counts for the bundle as a whole.
    bundle_free "bundle-free" Bytes = GIB;
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
    object_values "object-values" Count = 250_000;
    /// Problems that are listed one by one. Those beyond are counted.
    problems "problems" Count = 10_000;
}

/// What has been used of the budgets that all readers of one walk share.
#[derive(Debug)]
pub(super) struct Meter {
    total: u64,
    ratio: u64,
    bundle_free: u64,
    /// Bytes read from the input or out of a decompressor.
    used: Cell<u64>,
    /// Bytes read from the input.
    raw: Cell<u64>,
    spent: Cell<bool>,
    zip_held: Cell<u64>,
}

impl Meter {
    pub(super) fn new(budget: &Budget) -> Self {
        Meter {
            total: budget.total_bytes,
            ratio: budget.ratio,
            bundle_free: budget.bundle_free,
            used: Cell::new(0),
            raw: Cell::new(0),
            spent: Cell::new(false),
            zip_held: Cell::new(budget.zip_held),
        }
    }

    /// How many of `wanted` bytes of the input may still be read; an error once there are none.
    pub(super) fn allow(&self, wanted: usize) -> io::Result<usize> {
        match self.room(self.total, wanted) {
            0 if wanted > 0 => {
                self.spent.set(true);
                Err(Cut::Total(self.total).into())
            }
            allowed => Ok(allowed),
        }
    }

    /// The same for bytes that come out of a decompressor.
    pub(super) fn allow_unpacked(&self, wanted: usize) -> io::Result<usize> {
        match self.room(self.unfolded(), self.allow(wanted)?) {
            0 if wanted > 0 => Err(Cut::Bundle(self.ratio).into()),
            allowed => Ok(allowed),
        }
    }

    fn room(&self, limit: u64, wanted: usize) -> usize {
        usize::try_from(limit.saturating_sub(self.used.get())).unwrap_or(usize::MAX).min(wanted)
    }

    /// How many bytes the input may become: archives in archives multiply what each of them may unpack to.
    fn unfolded(&self) -> u64 {
        self.raw.get().saturating_mul(self.ratio).saturating_add(self.bundle_free)
    }

    /// Whether nothing more may come out of any decompressor until more of the input is read.
    pub(super) fn exhausted(&self) -> Option<Cut> {
        (self.used.get() >= self.unfolded()).then_some(Cut::Bundle(self.ratio))
    }

    /// How many bytes one decompressor may give whose own input would justify more: a bomb inside an archive leaves
    /// something for its neighbours.
    pub(super) fn one_share(&self) -> u64 {
        self.raw.get().saturating_mul(self.ratio).saturating_add(self.bundle_free / 4)
    }

    /// Counts bytes that were read.
    pub(super) fn spend(&self, bytes: usize) {
        self.used.set(self.used.get().saturating_add(bytes as u64));
    }

    /// Counts bytes of the input.
    pub(super) fn input(&self, bytes: u64) {
        self.raw.set(self.raw.get().saturating_add(bytes));
    }

    /// The cut, once the total did not suffice.
    pub(super) fn spent(&self) -> Option<Cut> {
        self.spent.get().then_some(Cut::Total(self.total))
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
