//! The fuzz targets with the ordinary toolchain: over pieces of the cases, and over the corpora that fuzzing left.
//!
//! With `DNSMORTEM_SEEDS=1` the pieces are written to `fuzz/corpus/`, for `cargo fuzz` to start from.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::expect_used, reason = "a test, not the library")]

#[path = "../fuzz/targets.rs"]
mod targets;

mod support;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use dnsmortem::recognize::{self, Kind};

/// Pieces are cut to this, so that a fuzzer turns them over quickly.
const PIECE: usize = 4 << 10;

/// The targets that read texts of this kind.
fn target_of(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Yaml | Kind::Json => &["objects"],
        Kind::Table => &["table"],
        Kind::Describe => &["describe"],
        Kind::Log => &["log"],
        Kind::KernelLog => &["kernel"],
        Kind::Metrics => &["metrics"],
        Kind::Corefile => &["corefile"],
        Kind::Lookup => &["lookup"],
        Kind::ResolvConf | Kind::NodeFile | Kind::Gap | Kind::Note | Kind::Unknown | Kind::Clock | Kind::Output => {
            &["node_files"]
        }
        Kind::Empty | Kind::Binary => &[],
    }
}

fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut waiting = vec![support::root().join("tests/cases"), support::root().join("samples")];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { waiting.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

fn cut(bytes: &[u8]) -> &[u8] {
    bytes.get(..PIECE).unwrap_or(bytes)
}

/// Pieces of the cases for each target.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let mut seeds = Vec::new();
    for path in files() {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let named = [format!("{name}\n").as_bytes(), cut(&bytes)].concat();
        seeds.push(("recognise", named.clone()));
        seeds.push(("analysis", named));
        seeds.push(("lines", cut(&bytes).to_vec()));
        seeds.push(("container", cut(&bytes).to_vec()));
        for recognize::Part { section, kind, .. } in recognize::recognize(&name, bytes).parts {
            let command = section.command.as_ref().map(|command| format!("$ {command}\n")).unwrap_or_default();
            for target in target_of(kind) {
                seeds.push((target, [command.as_bytes(), cut(section.body().as_bytes())].concat()));
            }
        }
    }
    seeds.extend(containers().into_iter().map(|bytes| ("container", bytes)));
    seeds
}

/// A small tar in every wrapping.
fn containers() -> Vec<Vec<u8>> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, content) in [("./kube-system/coredns.log", "[FATAL] plugin/loop: Loop\n"), ("empty", "")] {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        tar.append_data(&mut header, name, content.as_bytes()).unwrap();
    }
    let tar = tar.into_inner().unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&tar).unwrap();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(&tar).unwrap();
    let mut options = lzma_rust2::XzOptions::with_preset(0);
    options.lzma_options.dict_size = 1 << 16;
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    xz.write_all(&tar).unwrap();
    let zstd = ruzstd::encoding::compress_to_vec(tar.as_slice(), ruzstd::encoding::CompressionLevel::Fastest);
    let zip = |mut writer: zip::ZipWriter<std::io::Cursor<Vec<u8>>>| {
        writer.start_file("node/kubelet.tar", zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(&tar).unwrap();
        writer.finish().unwrap().into_inner()
    };
    let mut streamed = zip::ZipWriter::new_stream(Vec::new());
    streamed.start_file("a.log", zip::write::SimpleFileOptions::default()).unwrap();
    streamed.write_all(b"log").unwrap();
    vec![
        gzip.finish().unwrap(),
        bzip2.finish().unwrap(),
        xz.finish().unwrap(),
        zstd,
        zip(zip::ZipWriter::new(std::io::Cursor::new(Vec::new()))),
        streamed.finish().unwrap().into_inner(),
        tar,
    ]
}

#[test]
fn every_target_takes_every_piece_of_the_cases() {
    let known: BTreeMap<&str, targets::Target> = targets::TARGETS.iter().copied().collect();
    let write = std::env::var_os("DNSMORTEM_SEEDS").is_some();
    for (number, (target, bytes)) in seeds().into_iter().enumerate() {
        known[target](&bytes);
        if write {
            let folder = corpus().join(target);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(format!("case-{number}")), bytes).unwrap();
        }
    }
}

fn corpus() -> PathBuf {
    support::root().join("fuzz/corpus")
}

#[test]
fn every_target_takes_what_fuzzing_kept() {
    for (name, target) in targets::TARGETS {
        let folder = support::root().join("fuzz/kept").join(name);
        let kept: Vec<PathBuf> = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .map(|entry| entry.unwrap().path())
            .collect();
        assert!(!kept.is_empty(), "nothing is kept for {name}");
        for path in kept {
            replay(*target, &path);
        }
    }
}

fn replay(target: targets::Target, path: &Path) {
    let bytes = std::fs::read(path).unwrap();
    let result = std::panic::catch_unwind(|| target(&bytes));
    assert!(result.is_ok(), "{}", path.display());
}

#[test]
fn every_target_has_its_fuzzer() {
    let manifest = std::fs::read_to_string(support::root().join("fuzz/Cargo.toml")).unwrap();
    for (name, _) in targets::TARGETS {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
    }
}
