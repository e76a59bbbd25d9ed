//! The command line: arguments, files and the exit status. Everything else is the library.
#![allow(clippy::disallowed_methods, reason = "the binary is where files, arguments and the terminal are touched")]

mod commands;

use std::process::ExitCode;

use clap::Parser;

/// Thousands of decompressors come and go between small lasting pieces: the system's allocator may keep a hole for each.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Reads an incident bundle of a Kubernetes cluster whose DNS failed, and writes the post-mortem. Offline.
#[derive(Parser)]
#[command(name = "dnsmortem", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            if !error.use_stderr() {
                let _ = error.print(); // help and version
                return ExitCode::SUCCESS;
            }
            commands::complain(&usage(&error.to_string()));
            return ExitCode::from(2);
        }
    };
    match commands::run(arguments.command) {
        Ok(commands::Done::Fine) => ExitCode::SUCCESS,
        Ok(commands::Done::Reached) => ExitCode::from(1),
        Err(failure) => {
            commands::complain(&failure);
            ExitCode::from(2)
        }
    }
}

/// A wrong call in one line: what clap says is wrong, up to its first empty line, and where to look.
fn usage(message: &str) -> String {
    let told: Vec<&str> = message.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    format!("{}; see `dnsmortem --help`", told.join(" ").trim_start_matches("error: "))
}
