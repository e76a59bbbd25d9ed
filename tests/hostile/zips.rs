//! zip archives.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::Trap;

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(*name, SimpleFileOptions::default().compression_method(CompressionMethod::Deflated)).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A directory of `count` names that all point to one member: every name unpacks the same bytes.
fn overlapping(count: u32) -> Vec<u8> {
    let bytes = archive(&[("0000000", &vec![0; 8 << 20])]);
    let directory = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    let end = bytes.windows(4).position(|window| window == b"PK\x05\x06").unwrap();
    let (members, rest) = bytes.split_at(directory);
    let line = &rest[..end - directory];
    let mut out = members.to_vec();
    for number in 0..count {
        let mut line = line.to_vec();
        line[46..53].copy_from_slice(format!("{number:07}").as_bytes());
        out.extend_from_slice(&line);
    }
    let mut last = bytes[end..].to_vec();
    let entries = u16::try_from(count).unwrap().to_le_bytes();
    last[8..10].copy_from_slice(&entries);
    last[10..12].copy_from_slice(&entries);
    last[12..16].copy_from_slice(&(line.len() as u32 * count).to_le_bytes());
    [out, last].concat()
}

/// Zips in zips, ten in each: a hundred thousand files of 8 MiB of zeros.
fn branching() -> Vec<u8> {
    let mut bytes = archive(&[("zeros", &vec![0; 8 << 20])]);
    for _ in 0..5 {
        let names: Vec<String> = (0..10).map(|number| format!("{number}.zip")).collect();
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), bytes.as_slice())).collect();
        bytes = archive(&files);
    }
    bytes
}

/// Sets `value` in every header that starts with `mark`.
fn patched(mut bytes: Vec<u8>, mark: &[u8; 4], at: usize, value: &[u8]) -> Vec<u8> {
    let places: Vec<usize> = bytes.windows(4).enumerate().filter(|(_, w)| w == mark).map(|(place, _)| place).collect();
    for place in places {
        bytes[place + at..place + at + value.len()].copy_from_slice(value);
    }
    bytes
}

const LOCAL: &[u8; 4] = b"PK\x03\x04";
const CENTRAL: &[u8; 4] = b"PK\x01\x02";
const END: &[u8; 4] = b"PK\x05\x06";

fn honest() -> Vec<u8> {
    archive(&[("a.txt", b"some words of a person\n"), ("b.txt", &[b'x'; 3000])])
}

pub fn traps() -> Vec<Trap> {
    vec![
        Trap::file("one member under ten thousand names", "o.zip", "", || overlapping(10_000)),
        Trap::file("zips in zips, ten in each", "b.zip", "(--max-", branching),
        Trap::file("zip in zip, forty times", "n.zip", "--max-depth", || {
            (0..40).fold(b"deep".to_vec(), |inner, _| archive(&[("in.zip", &inner)]))
        }),
        Trap::file("one line in a zip", "z.zip", "more than 1000 times", || {
            archive(&[("a.log", &[b"[INFO] a\n[INFO] ".to_vec(), vec![b'x'; 64 << 20]].concat())])
        }),
        Trap::file("encrypted members", "e.zip", "it is encrypted", || {
            patched(patched(honest(), LOCAL, 6, &[1, 0]), CENTRAL, 8, &[1, 0])
        }),
        Trap::file("a method that nobody knows", "m.zip", "zip method 77", || {
            patched(patched(honest(), LOCAL, 8, &[77, 0]), CENTRAL, 10, &[77, 0])
        }),
        Trap::file("sizes that lie", "s.zip", "s.zip", || patched(honest(), CENTRAL, 24, &[0xfe, 0xff, 0xff, 0x7f])),
        Trap::file("offsets that lead nowhere", "w.zip", "w.zip", || {
            patched(honest(), CENTRAL, 42, &[0xf0, 0xff, 0xff, 0x7f])
        }),
        Trap::file("a directory that lies far behind the end", "f.zip", "directory is missing or damaged", || {
            patched(honest(), END, 16, &[0xff, 0xff, 0xff, 0x7f])
        }),
        Trap::file("a directory that claims 65,534 files", "c.zip", "c.zip", || {
            patched(honest(), END, 10, &[0xfe, 0xff])
        }),
        Trap::file("a zip without its end", "t.zip", "directory is missing or damaged", || {
            let bytes = honest();
            bytes[..bytes.len() - 30].to_vec()
        }),
        Trap::file("names that lead out", "r.zip", "leads out of the bundle", || {
            archive(&[("../../x", b"x"), ("..\\..\\y", b"y"), ("C:\\windows\\z", b"z")])
        }),
        Trap::file("wrong checksums", "k.zip", "checksum", || patched(honest(), CENTRAL, 16, &[1, 2, 3, 4])),
        Trap::file("thirty thousand small files", "l.zip", "", || {
            let names: Vec<String> = (0..30_000).map(|number| format!("n/{number}")).collect();
            let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"x\n"[..])).collect();
            archive(&files)
        }),
        Trap::stdin("a zip of noise on standard input", "", |out| {
            let noise: Vec<u8> = (0..1u32 << 20).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
            let _ = out.write_all(b"PK\x03\x04\x14\0\0\0\x08\0");
            for _ in 0..32 {
                let _ = out.write_all(&noise);
            }
        }),
    ]
}
