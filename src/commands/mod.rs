//! One file for each command. A command does, prints through [`print`], and says how it went; `main` decides the status.

mod analyze;
mod detectors;
mod explain;
mod files;
mod inspect;
mod limits;
mod progress;

use std::io::{self, Write};

use dnsmortem::bundle::size;

/// All commands.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Reads a bundle and writes the post-mortem.
    Analyze(analyze::Arguments),
    /// Shows what each file of a bundle was taken for, and what nobody could read.
    Inspect(inspect::Arguments),
    /// Says what a failure is, how it is recognised and how it is fixed.
    Explain(explain::Arguments),
    /// Lists every failure that is looked for.
    Detectors,
}

/// How a command went.
pub enum Done {
    /// It did what it should.
    Fine,
    /// It did, and a finding reached the level of `--fail-on`.
    Reached,
}

/// Runs a command. The error is one clear line: what, where, what to do.
pub fn run(command: Command) -> Result<Done, String> {
    match command {
        Command::Analyze(arguments) => analyze::run(&arguments),
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Detectors => detectors::run(),
    }
}

/// Prints a text to standard output.
fn print(text: &str) -> Result<(), String> {
    print_with(|out| out.write_all(text.as_bytes()))
}

/// Prints to standard output. A reader that closed it early (`head`) is no error.
fn print_with(work: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    match work(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(()),
    }
}

/// Prints the one line of a failed command to standard error. File names come from outside, so control characters are
/// made visible.
pub fn complain(message: &str) {
    let shown: String = message.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    let _ = writeln!(io::stderr().lock(), "dnsmortem: {shown}");
}
