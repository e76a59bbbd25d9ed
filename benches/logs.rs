//! A bundle of CoreDNS logs of about 100 MiB compressed, against `gzip -dc` on the same file in the same run.
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
/// Each is run so often; the fastest counts.
const ROUNDS: usize = 5;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("logs.tar.gz");
    let plain = write_bundle(&bundle);
    let packed = std::fs::metadata(&bundle).unwrap().len();
    println!("bundle: {:.0} MiB compressed, {:.0} MiB of logs", mib(packed), mib(plain));
    let floor = fastest(|| run(Command::new("gzip").arg("-dc").arg(&bundle)).0);
    let mut peak = 0;
    let analyze = fastest(|| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dnsmortem"));
        let (time, memory) = run(command.arg("analyze").arg(&bundle).arg("--format").arg("json"));
        peak = peak.max(memory);
        time
    });
    println!("floor   gzip -dc: {:.2} s", floor.as_secs_f64());
    println!("analyze:          {:.2} s", analyze.as_secs_f64());
    println!("ratio:            {:.2} (at most 2 wanted)", analyze.as_secs_f64() / floor.as_secs_f64());
    println!("peak memory:      {:.0} MiB (under 200 wanted)", peak as f64 / 1024.0);
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

fn fastest(mut round: impl FnMut() -> Duration) -> Duration {
    (0..ROUNDS).map(|_| round()).min().unwrap()
}

/// Runs a command to its end: how long it took, and its highest resident memory in KiB where /proc tells.
fn run(command: &mut Command) -> (Duration, u64) {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let highest =
            text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(highest.unwrap_or(0));
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success());
            return (start.elapsed(), peak);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
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
