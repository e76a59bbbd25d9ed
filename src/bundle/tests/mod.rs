//! The walk as a whole: archives are built in memory, and what the visitor sees is compared.

mod budgets;
mod damage;
mod packed;
mod shapes;

use std::io::{Cursor, Read, Write};

use super::*;

/// Path and content of everything delivered, in order.
#[derive(Default)]
struct Reader {
    entries: Vec<(String, Vec<u8>)>,
}

impl Visitor for Reader {
    fn entry(&mut self, entry: &Entry, content: &mut dyn Read) {
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes).expect("the visitor sees a clean end");
        self.entries.push((entry.path.to_string(), bytes));
    }
}

/// What came out of a walk.
struct Seen {
    entries: Vec<(String, Vec<u8>)>,
    result: Result<Walk, Error>,
}

impl Seen {
    fn paths(&self) -> Vec<&str> {
        self.entries.iter().map(|(path, _)| path.as_str()).collect()
    }

    fn text(&self, path: &str) -> String {
        let found = self.entries.iter().find(|(name, _)| name == path);
        String::from_utf8_lossy(&found.unwrap_or_else(|| panic!("no {path} in {:?}", self.paths())).1).into_owned()
    }

    fn walk(&self) -> &Walk {
        self.result.as_ref().expect("something was read")
    }

    /// `path: message` of each problem.
    fn problems(&self) -> Vec<String> {
        self.walk().problems.iter().map(|problem| format!("{}: {}", problem.path, problem.message)).collect()
    }

    #[track_caller]
    fn has_problem(&self, path: &str, words: &str) {
        let found =
            self.walk().problems.iter().any(|problem| &*problem.path == path && problem.message.contains(words));
        assert!(found, "no `{path}: {words}` in {:#?}", self.problems());
    }
}

fn read(input: Input<'_>, budget: &Budget) -> Seen {
    let mut reader = Reader::default();
    let result = walk(input, budget, &mut reader);
    Seen { entries: reader.entries, result }
}

fn read_file(bytes: &[u8]) -> Seen {
    read_file_within(bytes, &Budget::default())
}

fn read_file_within(bytes: &[u8], budget: &Budget) -> Seen {
    read(Input::File { name: "bundle", file: Box::new(Cursor::new(bytes)) }, budget)
}

fn read_stream(bytes: &[u8]) -> Seen {
    read(Input::Stream { name: "-", reader: Box::new(bytes) }, &Budget::default())
}

fn read_folder(folder: &MemoryFolder) -> Seen {
    read(Input::Folder { name: "bundle", folder }, &Budget::default())
}

type Files<'a> = [(&'a str, &'a [u8])];

fn tar(files: &Files<'_>) -> Vec<u8> {
    let mut builder = ::tar::Builder::new(Vec::new());
    for (path, content) in files {
        tar_member(&mut builder, path, content);
    }
    builder.into_inner().unwrap()
}

/// Writes the name as it is, however bad.
fn tar_member(builder: &mut ::tar::Builder<Vec<u8>>, path: &str, content: &[u8]) {
    let mut header = tar_header(path, ::tar::EntryType::Regular);
    header.set_size(content.len() as u64);
    header.set_cksum();
    builder.append(&header, content).unwrap();
}

fn tar_header(path: &str, kind: ::tar::EntryType) -> ::tar::Header {
    let mut header = ::tar::Header::new_gnu();
    let name = &mut header.as_gnu_mut().unwrap().name;
    name[..path.len()].copy_from_slice(path.as_bytes());
    header.set_entry_type(kind);
    header.set_mode(0o644);
    header.set_size(0);
    header.set_cksum();
    header
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(content: &[u8]) -> Vec<u8> {
    let mut encoder = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn xz(content: &[u8]) -> Vec<u8> {
    xz_with(content, 1 << 16)
}

fn xz_with(content: &[u8], window: u32) -> Vec<u8> {
    let mut options = lzma_rust2::XzOptions::with_preset(1);
    options.lzma_options.dict_size = window;
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn zstd(content: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(content, ruzstd::encoding::CompressionLevel::Fastest)
}

type Packer = fn(&[u8]) -> Vec<u8>;

/// Every way to compress one file, by the name of its tool.
const PACKERS: [(&str, Packer); 4] = [("gzip", gzip), ("bzip2", bzip2), ("xz", xz), ("zstd", zstd)];

fn zip_with(files: &Files<'_>, method: ::zip::CompressionMethod) -> Vec<u8> {
    let options = ::zip::write::SimpleFileOptions::default().compression_method(method);
    let mut writer = ::zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, content) in files {
        writer.start_file(*path, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn zip(files: &Files<'_>) -> Vec<u8> {
    zip_with(files, ::zip::CompressionMethod::Deflated)
}

/// As Go's and Java's tools write it: sizes behind the content.
fn zip_streamed(files: &Files<'_>) -> Vec<u8> {
    let options = ::zip::write::SimpleFileOptions::default().compression_method(::zip::CompressionMethod::Deflated);
    let mut writer = ::zip::ZipWriter::new_stream(Vec::new());
    for (path, content) in files {
        writer.start_file(*path, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

const LOGS: &Files<'static> =
    &[("coredns/a.log", b"[INFO] plugin/reload: Running configuration\n"), ("empty.log", b""), ("z/b.txt", b"ok\n")];
