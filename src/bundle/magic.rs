//! What a file is, by its first bytes. The name is never asked.

use super::packed::Codec;

/// How many bytes [`Magic::of`] wants: one tar block.
pub(super) const HEAD: usize = 512;

/// What the first bytes say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Magic {
    /// Text, or anything without a mark of its own.
    Plain,
    /// A compressed file.
    Packed(Codec),
    /// A zip, an empty one included.
    Zip,
    /// A tar: POSIX, GNU or the old kind without a mark.
    Tar,
    /// Packed in a format that is known and not read.
    Unread(&'static str),
    /// Known to hold no text.
    Binary(&'static str),
}

/// Marks at the start of a file.
const MARKS: &[(&[u8], Magic)] = &[
    (b"\x1f\x8b\x08", Magic::Packed(Codec::Gzip)),
    (b"PK\x03\x04", Magic::Zip),
    (b"PK\x05\x06", Magic::Zip),
    (b"PK\x07\x08PK\x03\x04", Magic::Zip),
    (b"\xfd7zXZ\x00", Magic::Packed(Codec::Xz)),
    (b"\x28\xb5\x2f\xfd", Magic::Packed(Codec::Zstd)),
    (b"7z\xbc\xaf\x27\x1c", Magic::Unread("7-Zip")),
    (b"Rar!\x1a\x07", Magic::Unread("RAR")),
    (b"\x04\x22\x4d\x18", Magic::Unread("lz4")),
    (b"LZIP\x01", Magic::Unread("lzip")),
    (b"\x1f\x9d", Magic::Unread("compress (.Z)")),
    (b"\x7fELF", Magic::Binary("a program")),
    (b"\x89PNG\r\n\x1a\n", Magic::Binary("a picture")),
    (b"\xff\xd8\xff", Magic::Binary("a picture")),
    (b"GIF87a", Magic::Binary("a picture")),
    (b"GIF89a", Magic::Binary("a picture")),
    (b"%PDF-", Magic::Binary("a PDF document")),
    (b"SQLite format 3\x00", Magic::Binary("a database")),
    (b"LPKSHHRH", Magic::Binary("a systemd journal")),
    (b"\xd4\xc3\xb2\xa1", Magic::Binary("a packet capture")),
    (b"\xa1\xb2\xc3\xd4", Magic::Binary("a packet capture")),
    (b"\x0a\x0d\x0d\x0a", Magic::Binary("a packet capture")),
];

impl Magic {
    /// Says what a file is whose first [`HEAD`] bytes, or fewer in a shorter file, are `head`.
    pub(super) fn of(head: &[u8]) -> Self {
        if let Some((_, magic)) = MARKS.iter().find(|(mark, _)| head.starts_with(mark)) {
            return *magic;
        }
        if head.starts_with(b"BZh") && matches!(head.get(4..10), Some(b"1AY&SY" | b"\x17\x72\x45\x38\x50\x90")) {
            return Magic::Packed(Codec::Bzip2);
        }
        if head.len() == HEAD && head.iter().all(|byte| *byte == 0) {
            return Magic::Binary("nothing but zeros: an empty tar, or a file that was never written");
        }
        if is_tar(head) { Magic::Tar } else { Magic::Plain }
    }
}

/// A POSIX or GNU mark (no text has its zero byte), or the checksum that the old format also has.
fn is_tar(head: &[u8]) -> bool {
    matches!(head.get(257..263), Some(b"ustar\0"))
        || matches!(head.get(257..265), Some(b"ustar  \0"))
        || has_checksum(head)
}

/// Whether the block's sum is the octal number in bytes 148 to 155, which count as spaces themselves.
fn has_checksum(head: &[u8]) -> bool {
    let (Some(block), Some(field)) = (head.get(..512), head.get(148..156)) else {
        return false;
    };
    let digits: Vec<u8> =
        field.iter().copied().skip_while(|b| *b == b' ').take_while(|b| (b'0'..=b'7').contains(b)).collect();
    if digits.is_empty() || block.first() == Some(&0) {
        return false;
    }
    let stated = digits.iter().fold(0u32, |sum, digit| sum * 8 + u32::from(digit - b'0'));
    let sum: u32 = block.iter().map(|b| u32::from(*b)).sum();
    let of_field: u32 = field.iter().map(|b| u32::from(*b)).sum();
    sum - of_field + 8 * u32::from(b' ') == stated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_decide() {
        let table: &[(&[u8], Magic)] = &[
            (b"", Magic::Plain),
            (b"PK", Magic::Plain),
            (b"[ERROR] plugin/errors: 2 a. A: timeout", Magic::Plain),
            (b"BZh is how it starts", Magic::Plain),
            (b"BZh91AY&SY\0", Magic::Packed(Codec::Bzip2)),
            (b"\xfd7zXZ\x00\x00", Magic::Packed(Codec::Xz)),
            (b"PK\x05\x06\0\0", Magic::Zip),
            (b"\x1f\x8b\x08\x00", Magic::Packed(Codec::Gzip)),
            (b"\x7fELF\x02", Magic::Binary("a program")),
        ];
        for (head, magic) in table {
            assert_eq!(Magic::of(head), *magic, "{head:?}");
        }
    }

    #[test]
    fn the_old_tar_is_known_by_its_checksum() {
        let mut header = ::tar::Header::new_old();
        header.set_path("coredns.log").unwrap();
        header.set_size(3);
        header.set_cksum();
        assert_eq!(Magic::of(header.as_bytes()), Magic::Tar);
        let mut other = *header.as_bytes();
        other[0] ^= 1;
        assert_eq!(Magic::of(&other), Magic::Plain);
        assert_eq!(Magic::of(&header.as_bytes()[..511]), Magic::Plain);
        assert!(matches!(Magic::of(&[0; 512]), Magic::Binary(what) if what.contains("zeros")));
    }

    #[test]
    fn a_text_with_ustar_in_it_is_no_tar() {
        let mut text = vec![b'x'; 512];
        text[257..262].copy_from_slice(b"ustar");
        assert_eq!(Magic::of(&text), Magic::Plain);
    }
}
