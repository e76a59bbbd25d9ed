//! `explain`: the page of a failure.

use dnsmortem::detectors;

use super::{Done, print};

/// Arguments of `explain`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A failure id, as `detectors` lists them.
    #[arg(value_name = "ID")]
    id: String,
}

/// Runs it.
pub fn run(arguments: &Arguments) -> Result<Done, String> {
    let failure = detectors::find(&arguments.id)
        .ok_or_else(|| format!("{}: no failure has this id; `dnsmortem detectors` lists them all", arguments.id))?;
    print(&failure.page())?;
    Ok(Done::Fine)
}
