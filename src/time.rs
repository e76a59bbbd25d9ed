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

/// A line that is nothing but a moment: what `date` prints in the C and en_US locales, Go's `time.Now()` (must-gather's
/// `timestamp`), RFC 3339. A zone that is only a name is known for UTC alone.
pub fn date(line: &str) -> Option<Timestamp> {
    let line = line.trim();
    if let Some(moment) = parse(line) {
        return Some(moment);
    }
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    match words.as_slice() {
        [day, clock, zone, ..] if day.len() == 10 => {
            let zone = if zone.len() == 5 { *zone } else { return None };
            parse(&format!("{day}T{clock}{}:{}", zone.get(..3)?, zone.get(3..)?))
        }
        // Tue Dec  1 09:13:30 [AM] UTC 2026; Tue  1 Dec 2026 09:13:30 [AM] UTC
        [_, a, b, rest @ ..] if (3..=4).contains(&rest.len()) => {
            let (name, day) = if month(a).is_some() { (a, b) } else { (b, a) };
            let (clock_text, rest, year) = match rest {
                [year, clock, rest @ ..] if year.len() == 4 => (*clock, rest, *year),
                [clock, rest @ .., year] => (*clock, rest, *year),
                _ => return None,
            };
            let (half, zone) = match rest {
                [zone] => (None, *zone),
                [half, zone] => (Some(*half), *zone),
                _ => return None,
            };
            let (hour, minute, second) = clock(clock_text)?;
            let hour = match half {
                Some("PM") if hour < 12 => hour + 12,
                Some("AM") if hour == 12 => 0,
                _ => hour,
            };
            let civil = DateTime::new(year.parse().ok()?, month(name)?, day.parse().ok()?, hour, minute, second, 0);
            zone_offset(zone)?.to_timestamp(civil.ok()?).ok()
        }
        _ => None,
    }
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

/// The year of moments whose source writes none, until the bundle gives it: a leap year that no bundle is of.
pub const NO_YEAR: i16 = 1972;

/// `0319 16:22:31.123456` of klog's header or `Mar 19 16:22:31` of syslog, in [`NO_YEAR`].
pub fn yearless(text: &str) -> Option<Timestamp> {
    let mut words = text.split_ascii_whitespace();
    let first = words.next()?;
    let (month, day) = match month(first) {
        Some(month) => (month, words.next()?.parse().ok()?),
        None => (first.get(..2)?.parse().ok()?, first.get(2..4)?.parse().ok()?),
    };
    let (hour, minute, second) = clock(words.next()?)?;
    let civil = DateTime::new(NO_YEAR, month, day, hour, minute, second, 0).ok()?;
    Offset::UTC.to_timestamp(civil).ok()
}

/// Gives a moment of [`NO_YEAR`] the year in which it lies before `now`, at most a day after it. Other moments stay.
pub fn with_year(moment: Timestamp, now: Option<Timestamp>) -> Option<Timestamp> {
    let civil = Offset::UTC.to_datetime(moment);
    if civil.year() != NO_YEAR {
        return Some(moment);
    }
    let now = now?;
    let latest = Timestamp::from_second(now.as_second().checked_add(86_400)?).ok()?;
    let year = Offset::UTC.to_datetime(now).year();
    [year, year.checked_sub(1)?].into_iter().find_map(|year| {
        let civil = DateTime::new(year, civil.month(), civil.day(), civil.hour(), civil.minute(), civil.second(), 0);
        Offset::UTC.to_timestamp(civil.ok()?).ok().filter(|moment| *moment <= latest)
    })
}

/// Whether the source of the moment wrote no year.
pub fn has_year(moment: &Timestamp) -> bool {
    Offset::UTC.to_datetime(*moment).year() != NO_YEAR
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
    fn the_bundle_gives_the_year() {
        let now = parse("2026-01-02T12:00:00Z");
        let full = |text: &str| with_year(yearless(text)?, now).map(|moment| moment.to_string());
        assert_eq!(full("0102 11:00:00.5").as_deref(), Some("2026-01-02T11:00:00Z"));
        assert_eq!(full("1231 23:00:00.123456").as_deref(), Some("2025-12-31T23:00:00Z"));
        assert_eq!(full("Jan  2 11:00:01").as_deref(), Some("2026-01-02T11:00:01Z"));
        assert_eq!((full("0229 11:00:00"), full("1332 25:00:00"), full("")), (None, None, None));
        assert_eq!(with_year(yearless("0102 11:00:00").unwrap(), None), None);
        assert_eq!(with_year(now.unwrap(), None), now);
    }

    #[test]
    fn what_date_prints_is_a_moment() {
        let moment = |text: &str| date(text).map(|moment| moment.to_string());
        for text in [
            "Tue Dec  1 09:13:30 UTC 2026",
            "Tue Dec  1 09:13:30 AM UTC 2026",
            "Tue 01 Dec 2026 09:13:30 AM UTC",
            "Tue  1 Dec 2026 09:13:30 UTC",
            "2026-12-01T09:13:30Z",
            "2026-12-01T10:13:30+01:00",
            "2026-12-01 10:13:30 +0100 CET m=+1.651641915",
        ] {
            assert_eq!(moment(text).as_deref(), Some("2026-12-01T09:13:30Z"), "{text}");
        }
        assert_eq!(moment("Tue Dec  1 09:13:30 PM UTC 2026").as_deref(), Some("2026-12-01T21:13:30Z"));
        for text in ["", "Tue Dec  1 09:13:30 CEST 2026", "a b c d e f", "2026-12-01 10:13:30 CET x"] {
            assert_eq!(moment(text), None, "{text}");
        }
    }

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
