//! `detectors`: every failure that is looked for.

use std::fmt::Write;

use dnsmortem::detectors::REGISTRY;

use super::{Done, print};

/// Runs it.
pub fn run() -> Result<Done, String> {
    let mut out = String::new();
    for failure in REGISTRY {
        let hop = failure.hop.map_or("-", |hop| hop.name());
        let _ = writeln!(out, "{:<28} {:<10} {}", failure.id, hop, failure.title);
    }
    print(&out)?;
    Ok(Done::Fine)
}
