//! Runs a program and watches its time and memory.

use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// How a run went.
pub struct Measured {
    /// Status and what it printed.
    pub output: Output,
    /// From start to end.
    pub time: Duration,
    /// Its highest resident memory in bytes, where /proc tells; looked at every two milliseconds.
    pub peak: u64,
}

/// Runs a command to its end. `feed` writes its standard input.
pub fn measure(command: &mut Command, feed: Option<Feed>) -> Measured {
    let stdin = if feed.is_some() { Stdio::piped() } else { Stdio::null() };
    let start = Instant::now();
    let mut child = command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let writer = feed.zip(child.stdin.take()).map(|(feed, mut to)| std::thread::spawn(move || feed(&mut to)));
    let (stdout, stderr) = (drain(child.stdout.take()), drain(child.stderr.take()));
    let (status, peak) = watch(&mut child, &status);
    let time = start.elapsed();
    if let Some(writer) = writer {
        writer.join().unwrap();
    }
    let output = Output { status, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() };
    Measured { output, time, peak }
}

/// Writes what a program reads; a pipe that the program closes early is no error.
pub type Feed = Box<dyn FnOnce(&mut dyn std::io::Write) + Send>;

fn drain(pipe: Option<impl std::io::Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut bytes).unwrap();
        }
        bytes
    })
}

fn watch(child: &mut Child, status: &str) -> (std::process::ExitStatus, u64) {
    let mut peak = 0u64;
    loop {
        let text = std::fs::read_to_string(status).unwrap_or_default();
        let highest: Option<u64> =
            text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(highest.unwrap_or(0) * 1024);
        if let Some(status) = child.try_wait().unwrap() {
            return (status, peak);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
