//! `analyze`: the main job.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use dnsmortem::Settings;
use dnsmortem::report::{self, Report, Severity, Status, terminal::Look};

use super::{Done, files, limits::Limits, print, print_with};

/// Arguments of `analyze`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder, archive or text file (tar, zip, gzip, bzip2, xz, zstd); several are parts of one incident; `-` is standard input.
    #[arg(required = true, value_name = "BUNDLE")]
    bundles: Vec<PathBuf>,
    /// Writes the report here; the format follows the extension (.html, .md, .json, .txt). May be given several times.
    #[arg(short, long = "output", value_name = "FILE")]
    output: Vec<PathBuf>,
    /// Format of what is printed, or of files whose extension does not say.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Ends with status 1 if a finding of this level or a graver one was found.
    #[arg(long, value_enum, value_name = "LEVEL")]
    fail_on: Option<Level>,
    #[command(flatten)]
    limits: Limits,
}

/// Renderings.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Terminal,
    Json,
    Markdown,
    Html,
}

/// Levels for `--fail-on`.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Level {
    Low,
    Medium,
    High,
    Critical,
}

/// Runs it.
pub fn run(arguments: &Arguments) -> Result<Done, String> {
    let formats =
        arguments.output.iter().map(|file| format_of(file, arguments.format)).collect::<Result<Vec<_>, _>>()?;
    let settings = Settings { budget: arguments.limits.0.clone() };
    let report = files::reading(&arguments.bundles, &settings, |inputs| dnsmortem::analyze(inputs, &settings))?;
    for (file, format) in arguments.output.iter().zip(formats) {
        files::write(file, |out| render(&report, format, &plain(), out))?;
    }
    if arguments.output.is_empty() {
        let format = arguments.format.unwrap_or(Format::Terminal);
        print_with(|out| render(&report, format, &look(), out))?;
    } else {
        print(&format!("{}\n", report.verdict.headline))?;
    }
    Ok(reached(&report, arguments.fail_on))
}

fn format_of(file: &Path, asked: Option<Format>) -> Result<Format, String> {
    let extension = file.extension().and_then(|text| text.to_str()).unwrap_or("").to_ascii_lowercase();
    match extension.as_str() {
        "html" | "htm" => Ok(Format::Html),
        "md" | "markdown" => Ok(Format::Markdown),
        "json" => Ok(Format::Json),
        "txt" => Ok(Format::Terminal),
        _ => asked.ok_or_else(|| {
            format!(
                "{}: the extension names no format; use .html, .md, .json or .txt, or give --format",
                file.display()
            )
        }),
    }
}

fn render(report: &Report, format: Format, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let text = match format {
        Format::Json => return report::json::write(report, out),
        Format::Terminal => report::terminal::render(report, look),
        Format::Markdown => report::markdown::render(report).map_err(io::Error::other)?,
        Format::Html => report::html::render(report).map_err(io::Error::other)?,
    };
    out.write_all(text.as_bytes())
}

/// For a file: no colours, a fixed width.
fn plain() -> Look {
    Look { width: 100, colour: false, unicode: true }
}

/// For the terminal as it is. `NO_COLOR` and `CLICOLOR_FORCE` are heard.
fn look() -> Look {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    let tty = std::io::stdout().is_terminal();
    let width = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
    let unicode = locale.is_none_or(|locale| locale.to_ascii_uppercase().contains("UTF"));
    Look { width, colour: set("CLICOLOR_FORCE") || (tty && !set("NO_COLOR")), unicode }
}

fn reached(report: &Report, level: Option<Level>) -> Done {
    let Some(level) = level else { return Done::Fine };
    let bar = match level {
        Level::Low => Severity::Low,
        Level::Medium => Severity::Medium,
        Level::High => Severity::High,
        Level::Critical => Severity::Critical,
    };
    let found = |finding: &report::Finding| finding.status == Status::Found && finding.severity >= bar;
    if report.findings.iter().any(found) { Done::Reached } else { Done::Fine }
}
