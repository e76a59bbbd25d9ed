//! tar archives.

use tar::EntryType;

use crate::Trap;

/// A header with the name as it is, however bad.
fn header(name: &[u8], kind: EntryType, size: u64) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    let field = &mut header.as_gnu_mut().unwrap().name;
    let length = name.len().min(field.len());
    field[..length].copy_from_slice(&name[..length]);
    header.set_entry_type(kind);
    header.set_mode(0o644);
    header.set_size(size);
    header.set_cksum();
    header
}

fn member(name: &[u8], content: &[u8]) -> Vec<u8> {
    let mut bytes = header(name, EntryType::Regular, content.len() as u64).as_bytes().to_vec();
    bytes.extend_from_slice(content);
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

fn special(name: &[u8], kind: EntryType, target: &str) -> Vec<u8> {
    let mut header = header(name, kind, 0);
    if !target.is_empty() {
        header.set_link_name(target).unwrap();
        header.set_cksum();
    }
    header.as_bytes().to_vec()
}

/// Members between an honest one and the end mark.
fn archive(members: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    let members: Vec<u8> = members.into_iter().flatten().collect();
    [member(b"first.txt", b"note\n"), members, vec![0; 1024]].concat()
}

/// A note (GNU long name, pax) of the given length before a member.
fn noted(kind: EntryType, length: usize) -> Vec<u8> {
    let mut bytes = header(b"././@LongLink", kind, length as u64).as_bytes().to_vec();
    bytes.resize(bytes.len() + length, b'n');
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    [bytes, member(b"after", b"x")].concat()
}

/// A sparse member that claims a petabyte of holes.
fn sparse() -> Vec<u8> {
    let mut header = header(b"holes.log", EntryType::GNUSparse, 512);
    let gnu = header.as_gnu_mut().unwrap();
    gnu.realsize.copy_from_slice(b"00000000000\0");
    gnu.realsize[0] = 0x80; // base 256
    gnu.realsize[5] = 4; // 2^50
    gnu.sparse[0].offset.copy_from_slice(b"00000000000\0");
    gnu.sparse[0].numbytes.copy_from_slice(b"00000001000\0");
    header.set_cksum();
    [header.as_bytes().to_vec(), vec![b'x'; 512]].concat()
}

/// A member whose size field, in base 256, is far more than there is.
fn huge() -> Vec<u8> {
    let mut header = header(b"huge.log", EntryType::Regular, 0);
    header.as_gnu_mut().unwrap().size.copy_from_slice(b"\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff");
    header.set_cksum();
    [header.as_bytes().to_vec(), vec![b'x'; 512]].concat()
}

fn empty_members(count: usize) -> impl Iterator<Item = Vec<u8>> {
    (0..count).map(|number| member(format!("d{}/f{number}", number / 1000).as_bytes(), b""))
}

fn deep_tar() -> Vec<u8> {
    (0..40).fold(b"deep\n".to_vec(), |inner, _| archive([member(b"in.tar", &inner)]))
}

pub fn traps() -> Vec<Trap> {
    vec![
        Trap::file("tar in tar, forty times", "n.tar", "--max-depth", deep_tar),
        Trap::file("a tar cut in a member", "c.tar", "the data ends too early", || {
            let mut bytes = archive([member(b"long.log", &[b'x'; 5000])]);
            bytes.truncate(4000);
            bytes
        }),
        Trap::file("a damaged header", "d.tar", "a header is damaged", || {
            let mut bytes = archive([member(b"a", b"1"), member(b"b", b"2")]);
            bytes[1024] ^= 1;
            bytes
        }),
        Trap::file("a name that leads out", "o.tar", "leads out of the bundle", || {
            archive([member(b"../../etc/passwd", b"root"), member(b"a/../../b", b"x")])
        }),
        Trap::file("an absolute name", "r.tar", "starts at the root", || archive([member(b"/etc/cron.d/x", b"x")])),
        Trap::file("a name with terminal sequences", "e.tar", "", || {
            archive([member(b"\x1b[2J\x1b]0;title\x07x.log", b"x"), member(b"line\nbreak\r.log", b"y")])
        }),
        Trap::file("a name that is no UTF-8", "u.tar", "", || archive([member(b"\xff\xfe\xfd.log", b"x")])),
        Trap::file("the same name twice", "t.tar", "a second file of this name", || {
            archive([member(b"a.log", b"1"), member(b"./a.log", b"2"), member(b"a//b/../a.log", b"3")])
        }),
        Trap::file("names that differ in case alone", "k.tar", "", || {
            archive([member(b"A.log", b"1"), member(b"a.log", b"2"), member(b"a.LOG", b"3")])
        }),
        Trap::file("links in circles and out", "l.tar", "", || {
            archive([
                special(b"a", EntryType::Symlink, "b"),
                special(b"b", EntryType::Symlink, "a"),
                special(b"out.log", EntryType::Symlink, "/etc/passwd"),
                special(b"hard.log", EntryType::Link, "/etc/shadow"),
            ])
        }),
        Trap::file("devices and pipes", "v.tar", "a device, a pipe or a socket", || {
            archive([
                special(b"null", EntryType::Char, ""),
                special(b"sda", EntryType::Block, ""),
                special(b"p", EntryType::Fifo, ""),
            ])
        }),
        Trap::file("a petabyte of holes", "s.tar", "sparse", || archive([sparse()])),
        Trap::file("a size beyond all bounds", "h.tar", "h.tar", || archive([huge()])),
        Trap::file("a long name of 8 MiB", "g.tar", "--max-tar-header", || {
            archive([noted(EntryType::GNULongName, 8 << 20)])
        }),
        Trap::file("a pax note of 8 MiB", "p.tar", "--max-tar-header", || {
            archive([noted(EntryType::XHeader, 8 << 20)])
        }),
        Trap::file("a path deeper than allowed", "q.tar", "--max-path-bytes", || {
            let mut builder = tar::Builder::new(Vec::new());
            let mut header = tar::Header::new_gnu();
            header.set_size(1);
            builder.append_data(&mut header, "d/".repeat(1500) + "x", &b"x"[..]).unwrap();
            builder.into_inner().unwrap()
        }),
        Trap::file("forty thousand empty files", "f.tar", "", || archive(empty_members(40_000))),
        Trap::stdin("more files than are read", "--max-entries", |out| {
            for one in empty_members(150_000) {
                if out.write_all(&one).is_err() {
                    return;
                }
            }
        }),
        Trap::file("an endless chain of notes", "x.tar", "x.tar", || {
            archive((0..3000).map(|_| header(b"././@LongLink", EntryType::GNULongName, 0).as_bytes().to_vec()))
        }),
    ]
}
