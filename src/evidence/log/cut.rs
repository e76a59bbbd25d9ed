//! Logs that are not whole: what their collector kept, by its limits.

/// A log of exactly so many lines was cut by its collector (the limit of support bundles).
const CAPPED_LINES: u64 = 10_000;
/// A log of about so many bytes was cut by its collector (the limit of support bundles).
const CAPPED_BYTES: std::ops::RangeInclusive<u64> = 4_990_000..=5_000_500;

/// How one knows that the log was cut.
pub(super) fn capped(path: &str, lines: u64, bytes: u64) -> Option<String> {
    if path.contains("last-100-lines") || lines == 100 && path.contains("podscontainerlogs/") {
        return Some("only the last 100 lines, as its collector keeps them".to_owned());
    }
    if path.ends_with(".tailed") {
        return Some("only the end of a longer file, as its collector keeps it".to_owned());
    }
    if lines == CAPPED_LINES {
        Some(format!("exactly {CAPPED_LINES} lines: its collector's limit, earlier lines are missing"))
    } else if CAPPED_BYTES.contains(&bytes) {
        Some("about 5,000,000 bytes: its collector's limit, earlier lines are missing".to_owned())
    } else {
        None
    }
}
