//! CoreDNS logs: a bundle of about 100 MiB compressed against `gzip -dc`, and a folder of 2 GiB against `cat`, each on
//! the same files in the same run.
//!
//! `cargo bench --bench logs` prints the times, their ratio and the peak memory; nothing is asserted.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark, not the library"
)]

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;

/// How large the compressed bundle should be.
const TARGET: u64 = 100 << 20;
/// How much is in the folder.
const FOLDER: u64 = 2 << 30;
/// Each is run so often; the fastest counts.
const ROUNDS: usize = 3;

#[path = "../tests/support/measure.rs"]
mod measure;

use measure::measure;

fn main() {
    archive();
    folder();
}

fn archive() {
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("logs.tar.gz");
    let plain = write_bundle(&bundle);
    let packed = std::fs::metadata(&bundle).unwrap().len();
    println!("bundle: {:.0} MiB compressed, {:.0} MiB of logs", mib(packed), mib(plain));
    let floor = fastest(|| run(Command::new("gzip").arg("-dc").arg(&bundle)));
    against("gzip -dc", floor, &bundle, "at most 2", 200);
}

/// A folder as collectors leave it: a large log for each pod, and many small ones.
fn folder() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&mut Noise(7));
    let (mut plain, mut files) = (0u64, Vec::new());
    while plain < FOLDER {
        // From half a MiB to 64 MiB, each file twice as long as the one before.
        let length = (1 << 19 << (files.len() % 8)).min(log.len());
        let path = folder.path().join(format!("coredns-{}.log", files.len()));
        std::fs::write(&path, &log[..length]).unwrap();
        plain += length as u64;
        files.push(path);
    }
    println!("\nfolder: {:.0} MiB of logs in {} files", mib(plain), files.len());
    let floor = fastest(|| run(Command::new("cat").args(&files)));
    against("cat", floor, folder.path(), "about the time of a scan", 150);
}

/// Prints how the analysis of `bundle` compares with the floor.
fn against(name: &str, floor: Duration, bundle: &Path, ratio: &str, memory: u64) {
    let mut peak = 0;
    let analyze = fastest(|| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dnsmortem"));
        let run = measure(command.arg("analyze").arg(bundle).arg("--format").arg("json"), None);
        assert!(run.output.status.success());
        peak = peak.max(run.peak);
        run.time
    });
    println!("floor, {name}: {:.2} s", floor.as_secs_f64());
    println!("analyze: {:.2} s", analyze.as_secs_f64());
    println!("ratio: {:.2} ({ratio} wanted)", analyze.as_secs_f64() / floor.as_secs_f64());
    println!("peak memory: {:.0} MiB (under {memory} wanted)", mib(peak));
}

/// How long a command takes whose output nobody reads.
fn run(command: &mut Command) -> Duration {
    let start = Instant::now();
    assert!(command.stdout(Stdio::null()).status().unwrap().success());
    start.elapsed()
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

fn fastest(mut round: impl FnMut() -> Duration) -> Duration {
    (0..ROUNDS).map(|_| round()).min().unwrap()
}

/// Writes logs of several pods until the archive is large enough; gives their size.
fn write_bundle(path: &Path) -> u64 {
    let mut noise = Noise(42);
    let encoder = GzEncoder::new(BufWriter::new(File::create(path).unwrap()), Compression::new(6));
    let mut archive = tar::Builder::new(encoder);
    let mut plain = 0;
    for pod in 0.. {
        let log = log(&mut noise);
        let mut header = tar::Header::new_gnu();
        header.set_size(log.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append_data(&mut header, format!("logs/coredns-{pod}.log"), log.as_slice()).unwrap();
        plain += log.len() as u64;
        archive.get_mut().flush().unwrap();
        if std::fs::metadata(path).unwrap().len() >= TARGET {
            break;
        }
    }
    archive.into_inner().unwrap().finish().unwrap();
    plain
}

/// 64 MiB of one pod's log: a start, then mostly queries, some upstream errors, a few warnings.
fn log(noise: &mut Noise) -> Vec<u8> {
    let mut log = Vec::with_capacity(65 << 20);
    log.extend_from_slice(b"2026-03-19T00:00:00Z .:53\n2026-03-19T00:00:00Z CoreDNS-1.11.3\n");
    while log.len() < 64 << 20 {
        let (client, port, id) = (noise.below(4000), 30_000 + noise.below(30_000), noise.below(65_536));
        let (second, fraction) = (noise.below(86_400), noise.below(1_000_000_000));
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(log, "2026-03-19T{hour:02}:{minute:02}:{second:02}.{fraction:09}Z ").unwrap();
        let client = format!("10.244.{}.{}:{port}", client / 250, client % 250 + 2);
        match noise.below(100) {
            0..93 => {
                let suffix = ["", "default.svc.cluster.local.", "svc.cluster.local."][noise.below(3) as usize];
                let (name, kind) = (noise.below(3000), ["A", "AAAA"][noise.below(2) as usize]);
                let rcode = if suffix.is_empty() { "NOERROR qr,rd,ra" } else { "NXDOMAIN qr,aa,rd" };
                let duration = noise.below(1_000_000_000);
                writeln!(log, "[INFO] {client} - {id} \"{kind} IN host{name}.example.com.{suffix} udp 53 false 512\" {rcode} 146 0.{duration:09}s").unwrap();
            }
            93..99 => {
                let (name, upstream) = (noise.below(3000), 2 + noise.below(2));
                writeln!(log, "[ERROR] plugin/errors: 2 host{name}.example.com. A: read udp {client}->192.0.2.{upstream}:53: i/o timeout").unwrap();
            }
            _ => {
                writeln!(log, "[WARNING] No files matching import glob pattern: /etc/coredns/custom/*.server").unwrap()
            }
        }
    }
    log
}

/// Numbers that look random and are the same every time (xorshift).
struct Noise(u64);

impl Noise {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}
