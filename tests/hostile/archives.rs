//! Compressed files.

use std::io::Write;

use crate::Trap;

pub fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// A log with a line of so many MiB, compressed as it is made. It is a log, so that it is read to its end.
fn lines<W: Write>(mut encoder: W, mib: usize) -> W {
    encoder.write_all(b"[INFO] plugin/reload: Running configuration\n[INFO] ").unwrap();
    let line = vec![b'x'; 1 << 20];
    for _ in 0..mib {
        encoder.write_all(&line).unwrap();
    }
    encoder
}

fn gzip_bomb() -> Vec<u8> {
    lines(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best()), 64).finish().unwrap()
}

fn bzip2_bomb() -> Vec<u8> {
    lines(bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best()), 24).finish().unwrap()
}

fn xz(content: &[u8], window: u32) -> Vec<u8> {
    let mut options = lzma_rust2::XzOptions::with_preset(0);
    options.lzma_options.dict_size = window;
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn xz_bomb() -> Vec<u8> {
    let mut options = lzma_rust2::XzOptions::with_preset(0);
    options.lzma_options.dict_size = 1 << 16;
    lines(lzma_rust2::XzWriter::new(Vec::new(), options).unwrap(), 24).finish().unwrap()
}

/// A frame of a log line and of blocks that each say "128 KiB of one byte" (RFC 8878, section 3.1.1.2.2).
fn zstd_bomb() -> Vec<u8> {
    let mut bytes = b"\x28\xb5\x2f\xfd\x00\x38".to_vec(); // a window of 128 KiB
    let line = b"[INFO] plugin/reload: Running configuration\n[INFO] ";
    bytes.extend_from_slice(&((line.len() as u32) << 3).to_le_bytes()[..3]);
    bytes.extend_from_slice(line);
    let (size, repeated) = (128u32 << 10, 1u32);
    for block in 0..100_000u32 {
        let last = u32::from(block == 99_999);
        let header = size << 3 | repeated << 1 | last;
        bytes.extend_from_slice(&header.to_le_bytes()[..3]);
        bytes.push(b'x');
    }
    bytes
}

fn nested(mut bytes: Vec<u8>, times: usize, pack: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    for _ in 0..times {
        bytes = pack(&bytes);
    }
    bytes
}

fn damaged(mut bytes: Vec<u8>) -> Vec<u8> {
    let middle = bytes.len() / 2;
    bytes[middle..].iter_mut().take(40).for_each(|byte| *byte ^= 0x55);
    bytes
}

fn text() -> Vec<u8> {
    (0..20_000u64)
        .flat_map(|n| format!("line {n} {:x}\n", n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).into_bytes())
        .collect()
}

fn cut(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() * 2 / 3);
    bytes
}

pub fn traps() -> Vec<Trap> {
    vec![
        Trap::file("gzip of one line", "z.gz", "more than 1000 times", gzip_bomb),
        Trap::file("bzip2 of one line", "z.bz2", "more than 1000 times", bzip2_bomb),
        Trap::file("xz of one line", "z.xz", "more than 1000 times", xz_bomb),
        Trap::file("zstd of one line", "z.zst", "more than 1000 times", zstd_bomb),
        Trap::file("gzip in gzip, a hundred times", "n.gz", "--max-depth", || nested(text(), 100, gzip)),
        Trap::file("a bomb in a gzip", "b.gz", "(--max-", || gzip(&gzip_bomb())),
        Trap::file("xz in xz, forty times", "n.xz", "--max-depth", || nested(text(), 40, |bytes| xz(bytes, 1 << 16))),
        Trap::file("an xz that wants 1 GiB to look back", "w.xz", "--max-window", || xz(b"kubelet", 1 << 30)),
        Trap::file("a zstd that wants 1 GiB to look back", "w.zst", "--max-window", || {
            b"\x28\xb5\x2f\xfd\x00\xa0\x19\0\0abc".to_vec()
        }),
        Trap::file("a damaged gzip", "d.log.gz", "d.log.gz", || damaged(gzip(&text()))),
        Trap::file("a cut gzip", "c.log.gz", "the data ends too early", || cut(gzip(&text()))),
        Trap::file("a damaged xz", "d.log.xz", "damaged", || damaged(xz(&text(), 1 << 16))),
        Trap::file("a cut xz", "c.log.xz", "the data ends too early", || cut(xz(&text(), 1 << 16))),
        Trap::file("an xz header and nothing behind", "h.xz", "h.xz", || {
            b"\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4\x46".to_vec()
        }),
        Trap::file("a bzip2 header and noise", "h.bz2", "h.bz2", || b"BZh91AY&SYnoisenoisenoisenoise".to_vec()),
        Trap::file("a zstd header and noise", "h.zst", "h.zst", || {
            b"\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff\xff".to_vec()
        }),
        Trap::file("ten thousand gzip members", "m.gz", "", || gzip(b"x").repeat(10_000)),
        Trap::file("noise behind a gzip", "t.gz", "what follows is not gzip", || {
            [gzip(b"text\n"), vec![7; 5000]].concat()
        }),
        Trap::file("a format that is not read", "s.7z", "compressed with 7-Zip", || {
            b"7z\xbc\xaf\x27\x1c\0\0\0".to_vec()
        }),
    ]
}
