//! Times as the evidence writes them. There is one clock: the bundle's own.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

/// Reads a timestamp in any of the shapes that collectors and kubectl write:
/// RFC 3339 (`2026-03-19T07:41:02.123Z`, also with a blank for the `T`, or an offset) and
/// kubectl describe's `Thu, 19 Mar 2026 07:41:02 +0000`.
pub fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    rfc3339(text).or_else(|| describe(text))
}

fn rfc3339(text: &str) -> Option<Timestamp> {
    let bytes = text.as_bytes();
    if bytes.len() < 20 || bytes[4] != b'-' || !matches!(bytes[10], b'T' | b' ' | b't') {
        return None;
    }
    text.parse().ok()
}

/// `Thu, 19 Mar 2026 07:41:02 +0000`, as `kubectl describe` prints RFC 1123 times.
fn describe(text: &str) -> Option<Timestamp> {
    let rest = text.split_once(", ")?.1;
    let mut words = rest.split_ascii_whitespace();
    let day: i8 = words.next()?.parse().ok()?;
    let month = month(words.next()?)?;
    let year: i16 = words.next()?.parse().ok()?;
    let (hour, minute, second) = clock(words.next()?)?;
    let zone = words.next()?;
    let offset = zone_offset(zone)?;
    let civil = DateTime::new(year, month, day, hour, minute, second, 0).ok()?;
    offset.to_timestamp(civil).ok()
}

/// `Jan` is 1.
pub fn month(name: &str) -> Option<i8> {
    const NAMES: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    NAMES.iter().position(|known| *known == name).map(|index| index as i8 + 1)
}

/// `07:41:02`.
pub fn clock(text: &str) -> Option<(i8, i8, i8)> {
    let mut parts = text.splitn(3, ':');
    let hour = parts.next()?.parse().ok()?;
    let minute = parts.next()?.parse().ok()?;
    let second = parts.next()?.get(..2)?.parse().ok()?;
    Some((hour, minute, second))
}

fn zone_offset(text: &str) -> Option<Offset> {
    if matches!(text, "UTC" | "GMT" | "Z") {
        return Some(Offset::UTC);
    }
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let hours: i32 = text.get(1..3)?.parse().ok()?;
    let minutes: i32 = text.get(3..5)?.parse().ok()?;
    Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok()
}

/// A klog header's date and time, `0319 16:22:31.123456`, in the year that the bundle is of.
pub fn klog(month_day: &str, time: &str, year: i16) -> Option<Timestamp> {
    let month: i8 = month_day.get(..2)?.parse().ok()?;
    let day: i8 = month_day.get(2..4)?.parse().ok()?;
    let (hour, minute, second) = clock(time)?;
    let civil = DateTime::new(year, month, day, hour, minute, second, 0).ok()?;
    Offset::UTC.to_timestamp(civil).ok()
}

/// An age or duration as kubectl prints it: `45s`, `3m2s`, `7d2h`, `2y45d`, `<invalid>` is none.
/// Gives seconds and the size of its last unit in seconds, which is how far off it can be.
pub fn age(text: &str) -> Option<(i64, i64)> {
    let mut total: i64 = 0;
    let mut last = 0;
    let mut digits: i64 = 0;
    let mut any = false;
    for character in text.trim().chars() {
        if let Some(digit) = character.to_digit(10) {
            digits = digits.checked_mul(10)?.checked_add(i64::from(digit))?;
            any = true;
            continue;
        }
        let unit = match character {
            's' => 1,
            'm' => 60,
            'h' => 3600,
            'd' => 86_400,
            'y' => 365 * 86_400,
            _ => return None,
        };
        if !any {
            return None;
        }
        total = total.checked_add(digits.checked_mul(unit)?)?;
        (last, digits, any) = (unit, 0, false);
    }
    (last > 0 && !any).then_some((total, last))
}

/// Seconds from `earlier` to `later`; negative where it is the other way round.
pub fn seconds_between(earlier: Timestamp, later: Timestamp) -> i64 {
    later.as_second() - earlier.as_second()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_means_the_same_moment() {
        let moment: Timestamp = "2026-03-19T07:41:02Z".parse().unwrap();
        for text in [
            "2026-03-19T07:41:02Z",
            "2026-03-19T09:41:02+02:00",
            "Thu, 19 Mar 2026 09:41:02 +0200",
            " 2026-03-19T07:41:02Z ",
        ] {
            assert_eq!(parse(text), Some(moment), "{text}");
        }
        assert_eq!(klog("0319", "07:41:02.123456", 2026), Some(moment));
    }

    #[test]
    fn no_time_is_none() {
        for text in ["", "never", "Thu, 99 Mar 2026 09:41:02 +0200", "2026-03-19", "Thu, 19 Mar 2026", "Mon, ä"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn ages_as_kubectl_prints_them() {
        for (text, seconds, unit) in [("45s", 45, 1), ("3m2s", 182, 1), ("7d2h", 612_000, 3600), ("17m", 1020, 60)] {
            assert_eq!(age(text), Some((seconds, unit)), "{text}");
        }
        for text in ["", "5", "<invalid>", "m", "5x", "99999999999999999999d"] {
            assert_eq!(age(text), None, "{text}");
        }
    }
}
