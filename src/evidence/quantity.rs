//! Kubernetes quantities: `170Mi`, `100m`, `1e3`, `128974848`.

/// A quantity times `scale`, rounded up as Kubernetes rounds; `None` for what is no quantity, is negative or does not fit.
/// At most 12 digits before and after the point and an exponent of at most 18 are read: more is no honest quantity.
fn scaled(text: &str, scale: u128) -> Option<u64> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, suffix) = text.split_at(digits);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if (whole.is_empty() && fraction.is_empty()) || whole.len() > 20 || fraction.len() > 12 {
        return None;
    }
    let (times, divided) = factor(suffix)?;
    let denominator = 10u128.pow(fraction.len() as u32).checked_mul(divided)?;
    let digits: u128 = format!("0{whole}{fraction}").parse().ok()?;
    let numerator = digits.checked_mul(times)?.checked_mul(scale)?;
    u64::try_from(numerator.div_ceil(denominator)).ok()
}

/// What a suffix multiplies and divides by.
fn factor(suffix: &str) -> Option<(u128, u128)> {
    const KILO: u128 = 1024;
    let factor = match suffix {
        "" => (1, 1),
        "n" => (1, 1_000_000_000),
        "u" => (1, 1_000_000),
        "m" => (1, 1_000),
        "k" => (1_000, 1),
        "M" => (1_000_000, 1),
        "G" => (1_000_000_000, 1),
        "T" => (1_000_000_000_000, 1),
        "P" => (1_000_000_000_000_000, 1),
        "Ki" => (KILO, 1),
        "Mi" => (KILO.pow(2), 1),
        "Gi" => (KILO.pow(3), 1),
        "Ti" => (KILO.pow(4), 1),
        "Pi" => (KILO.pow(5), 1),
        _ => return exponent(suffix),
    };
    Some(factor)
}

fn exponent(suffix: &str) -> Option<(u128, u128)> {
    let power: i32 = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
    match power {
        0..=18 => Some((10u128.pow(power.unsigned_abs()), 1)),
        -18..=-1 => Some((1, 10u128.pow(power.unsigned_abs()))),
        _ => None,
    }
}

/// Memory in bytes.
pub fn bytes(text: &str) -> Option<u64> {
    scaled(text, 1)
}

/// CPU in thousandths of a core.
pub fn millicores(text: &str) -> Option<u64> {
    scaled(text, 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_in_every_notation() {
        for (text, value) in [
            ("170Mi", 178_257_920),
            ("128974848", 128_974_848),
            ("129e6", 129_000_000),
            ("1.5Gi", 1_610_612_736),
            ("64M", 64_000_000),
            ("1e3", 1000),
            ("0.5", 1),
            ("128974848000m", 128_974_848),
            ("0", 0),
        ] {
            assert_eq!(bytes(text), Some(value), "{text}");
        }
    }

    #[test]
    fn cpu_in_thousandths() {
        for (text, value) in [("100m", 100), ("2", 2000), ("0.1", 100), ("1.5", 1500)] {
            assert_eq!(millicores(text), Some(value), "{text}");
        }
    }

    #[test]
    fn what_is_no_quantity_is_none() {
        for text in
            ["", "Mi", "-1", "1e999999999", "1e-999999999", "99999999999999999999999Pi", "1 Mi", "1.2.3", "0x10", "1e"]
        {
            assert_eq!(bytes(text), None, "{text}");
        }
    }
}
