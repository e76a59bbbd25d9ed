//! `--max-…`: the limits of an analysis, one option for each.

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use dnsmortem::bundle::{Budget, LIMITS, Limit, Unit};

/// The limits as given on the command line.
#[derive(Default)]
pub struct Limits(pub Budget);

impl Args for Limits {
    fn augment_args(command: Command) -> Command {
        LIMITS.iter().fold(command, |command, limit| command.arg(argument(limit)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Limits {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut limits = Limits::default();
        limits.update_from_arg_matches(matches)?;
        Ok(limits)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for limit in LIMITS {
            if let Some(value) = matches.get_one::<u64>(limit.option) {
                (limit.set)(&mut self.0, *value);
            }
        }
        Ok(())
    }
}

fn argument(limit: &'static Limit) -> Arg {
    let value = (limit.get)(&Budget::default());
    let argument = Arg::new(limit.option).long(limit.option).help_heading("Limits").hide_short_help(true);
    match limit.unit {
        Unit::Count => argument
            .value_name("NUMBER")
            .value_parser(|text: &str| text.parse::<u64>().map_err(|_| "give a whole number".to_owned()))
            .help(format!("{} [default: {value}]", limit.what)),
        Unit::Bytes => {
            argument.value_name("SIZE").value_parser(bytes).help(format!("{} [default: {}]", limit.what, shown(value)))
        }
    }
}

/// Factors of 1024 and of 1000, as people write them.
const UNITS: &[(&str, u64)] = &[
    ("", 1),
    ("k", 1000),
    ("m", 1_000_000),
    ("g", 1_000_000_000),
    ("t", 1_000_000_000_000),
    ("ki", 1 << 10),
    ("mi", 1 << 20),
    ("gi", 1 << 30),
    ("ti", 1 << 40),
];

/// `64MiB`, `2G`, `1048576`.
fn bytes(text: &str) -> Result<u64, String> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let unit = unit.trim().to_ascii_lowercase();
    let unit = unit.strip_suffix('b').unwrap_or(&unit);
    let factor = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor);
    let number: Option<u64> = digits.parse().ok();
    number
        .zip(factor)
        .and_then(|(number, factor)| number.checked_mul(factor))
        .ok_or_else(|| "give a size like 64MiB, 2GiB or 1048576".to_owned())
}

/// The size in the largest unit that divides it.
fn shown(bytes: u64) -> String {
    let units = [("GiB", 1u64 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    let unit = units.into_iter().find(|(_, factor)| bytes >= *factor && bytes.is_multiple_of(*factor));
    unit.map_or(bytes.to_string(), |(name, factor)| format!("{}{name}", bytes / factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        let cases = [
            ("0", Ok(0)),
            ("64MiB", Ok(64 << 20)),
            ("64Mi", Ok(64 << 20)),
            ("2G", Ok(2_000_000_000)),
            ("10 kB", Ok(10_000)),
            ("1TiB", Ok(1 << 40)),
        ];
        for (text, value) in cases {
            assert_eq!(bytes(text), value, "{text}");
        }
        for text in ["", "MiB", "1.5GiB", "-1", "1XB", "99999999TiB"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_default_reads_back() {
        for limit in LIMITS.iter().filter(|limit| limit.unit == Unit::Bytes) {
            let value = (limit.get)(&Budget::default());
            assert_eq!(bytes(&shown(value)), Ok(value), "{}", limit.option);
        }
    }
}
