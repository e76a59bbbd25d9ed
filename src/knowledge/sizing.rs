//! The memory formulas and their bars (coredns/deployment `Scaling_CoreDNS.md`; the re-list factor from
//! kubernetes/kubernetes issue 139117). MB is 10^6 bytes, Mi is 2^20.

/// Resident memory over this share of the limit: investigate.
pub const INVESTIGATE_SHARE: f64 = 0.70;
/// Resident memory over this share of the limit: critical.
pub const CRITICAL_SHARE: f64 = 0.85;
/// Lower end of a re-list peak, in steady states.
pub const PEAK_LOW: f64 = 2.0;
/// Upper end of a re-list peak, in steady states.
pub const PEAK_HIGH: f64 = 3.0;
/// Limits are rounded up to a whole multiple of this: 10Mi.
const STEP: u64 = 10 << 20;

/// Which formula applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Services and endpoint addresses are watched.
    Default,
    /// Pods too (`autopath @kubernetes`, `pods verified`).
    Autopath,
}

impl Mode {
    /// `default`, `autopath`.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Default => "default",
            Mode::Autopath => "autopath",
        }
    }

    /// Objects per MB, and MB without any object.
    pub fn coefficients(self) -> (u64, u64) {
        match self {
            Mode::Default => (1000, 54),
            Mode::Autopath => (250, 56),
        }
    }
}

/// `objects / 1000 + 54` MB, with autopath `objects / 250 + 56` MB, in bytes.
pub fn need_bytes(mode: Mode, objects: u64) -> u64 {
    let (per, base) = mode.coefficients();
    objects.saturating_mul(1_000_000 / per).saturating_add(base * 1_000_000)
}

/// The part of the need that grows with the number of objects, in bytes.
fn growing_part(mode: Mode, objects: u64) -> u64 {
    need_bytes(mode, objects) - need_bytes(mode, 0)
}

/// The larger of three times the steady state and the formula's need plus its growing part again (both object sets
/// stand in memory during a re-list), rounded up to a whole 10Mi. `None` where neither is known.
pub fn recommended_limit(steady: Option<u64>, objects: Option<(Mode, u64)>) -> Option<u64> {
    let measured = steady.map(|bytes| (bytes as f64 * PEAK_HIGH) as u64);
    let computed = objects.map(|(mode, n)| need_bytes(mode, n).saturating_add(growing_part(mode, n)));
    let bytes = measured.max(computed)?;
    Some(bytes.div_ceil(STEP).saturating_mul(STEP))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formulas_of_the_scaling_document() {
        assert_eq!(need_bytes(Mode::Default, 150_000), 204_000_000);
        assert_eq!(need_bytes(Mode::Autopath, 15_000), 116_000_000);
        assert_eq!(need_bytes(Mode::Default, 0), 54_000_000);
    }

    #[test]
    fn the_record_of_5000_nodes() {
        // 82 MB steady: 170Mi died, 340Mi held.
        let limit = recommended_limit(Some(82_000_000), None).unwrap();
        assert!(limit > 170 << 20 && limit <= 340 << 20, "{limit}");
        assert_eq!(limit % STEP, 0);
    }

    #[test]
    fn nothing_known_nothing_said() {
        assert_eq!(recommended_limit(None, None), None);
        assert!(recommended_limit(Some(u64::MAX), Some((Mode::Autopath, u64::MAX))).is_some());
    }
}
