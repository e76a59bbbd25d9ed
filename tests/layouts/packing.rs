//! Files into archives of every kind.

use std::io::{Cursor, Write};

use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

use crate::shapes::Files;

pub fn tar(files: &Files) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, path.trim_start_matches("./"), content.as_slice()).unwrap();
    }
    builder.into_inner().unwrap()
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Two members, cut anywhere.
pub fn gzip_twice(bytes: &[u8]) -> Vec<u8> {
    let (first, second) = bytes.split_at(bytes.len() / 3);
    [gzip(first), gzip(second)].concat()
}

pub fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(0)).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

fn zipped<W: Write + std::io::Seek>(mut writer: zip::ZipWriter<W>, files: &Files, options: SimpleFileOptions) -> W {
    for (path, content) in files {
        writer.start_file(path.as_str(), options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap()
}

pub fn zip(files: &Files) -> Vec<u8> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    zipped(zip::ZipWriter::new(Cursor::new(Vec::new())), files, options).into_inner()
}

pub fn zip_stored(files: &Files) -> Vec<u8> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    zipped(zip::ZipWriter::new(Cursor::new(Vec::new())), files, options).into_inner()
}

/// With the fields for sizes beyond 4 GiB.
pub fn zip64(files: &Files) -> Vec<u8> {
    let options = SimpleFileOptions::default().large_file(true);
    zipped(zip::ZipWriter::new(Cursor::new(Vec::new())), files, options).into_inner()
}

/// Sizes behind the content, as programs write that cannot go back.
pub fn zip_streamed(files: &Files) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new_stream(Vec::new());
    for (path, content) in files {
        writer.start_file(path.as_str(), SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Every log compressed on its own.
pub fn logs_packed(files: &Files) -> Files {
    let is_log = |path: &str| path.ends_with(".log");
    files
        .iter()
        .map(|(path, content)| match is_log(path) {
            true => (format!("{path}.gz"), gzip(content)),
            false => (path.clone(), content.clone()),
        })
        .collect()
}
