//! The command line: arguments, files and the exit status. Everything else is the library.
#![allow(clippy::disallowed_methods, reason = "the binary is where files, arguments and the terminal are touched")]

mod commands;

use std::process::ExitCode;

use clap::Parser;

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
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
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
