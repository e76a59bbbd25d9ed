//! `inspect`: what each file was taken for, and what nobody could read.

use std::fmt::Write;
use std::path::PathBuf;

use dnsmortem::Settings;
use dnsmortem::report::escape;

use super::{Done, files, print};

/// Arguments of `inspect`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder, archive or text file; `-` is standard input.
    #[arg(required = true, value_name = "BUNDLE")]
    bundles: Vec<PathBuf>,
}

/// Runs it.
pub fn run(arguments: &Arguments) -> Result<Done, String> {
    let given = files::given(&arguments.bundles)?;
    let reading = dnsmortem::read(files::inputs(&given)?, &Settings::default()).map_err(|error| error.to_string())?;
    let mut out = String::new();
    let files = &reading.bundle.files;
    let width = files.iter().map(|file| file.path.chars().count()).max().unwrap_or(0).min(80);
    for file in files {
        let note = if file.note.is_empty() { String::new() } else { format!("  ({})", file.note) };
        let line =
            format!("{:width$}  {:>9} bytes  {:>7} lines  {}{note}", file.path, file.bytes, file.lines, file.kind);
        let _ = writeln!(out, "{}", escape::visible(&line));
    }
    let _ = writeln!(
        out,
        "\n{} files, {} facts, {} problems",
        files.len(),
        reading.facts.len(),
        reading.bundle.problems.len()
    );
    for problem in &reading.bundle.problems {
        let place = if problem.path.is_empty() { &reading.bundle.name } else { &problem.path };
        let _ = writeln!(out, "  {}: {}", escape::visible(place), escape::visible(&problem.message));
    }
    print(&out)?;
    Ok(Done::Fine)
}
