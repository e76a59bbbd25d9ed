//! Whatever is wrong with a bundle: never fatal while something can be read, never a panic, always an end.

use proptest::prelude::*;

use super::*;

#[test]
fn bad_names_are_refused_and_the_rest_is_read() {
    let files: &Files<'_> = &[("../etc/passwd", b"no"), ("a/../../b", b"no"), ("/var/log/x", b"abs"), ("good", b"ok")];
    let mut builder = ::tar::Builder::new(Vec::new());
    for (path, content) in files {
        tar_member(&mut builder, path, content);
    }
    for bytes in [builder.into_inner().unwrap(), zip(files)] {
        let seen = read_file(&bytes);
        assert_eq!(seen.paths(), ["var/log/x", "good"]);
        seen.has_problem("", "`../etc/passwd` is not read: its name leads out of the bundle");
        seen.has_problem("var/log/x", "root of a file system");
        assert_eq!(seen.problems().len(), 3);
    }
}

#[test]
fn names_from_windows_are_read() {
    assert_eq!(read_file(&zip(&[("logs\\dns.log", b"x")])).paths(), ["logs/dns.log"]);
}

#[test]
fn a_name_is_read_once() {
    let seen = read_file(&tar(&[("a", b"1"), ("./a", b"2"), ("b", b"3")]));
    assert_eq!(seen.paths(), ["a", "b"]);
    seen.has_problem("a", "second file of this name");
    // The zip writer refuses two equal names, so one is renamed in the finished bytes.
    let bytes = zip_with(&[("aa", b"1"), ("ab", b"2")], ::zip::CompressionMethod::Stored);
    let bytes: Vec<u8> = replaced(&bytes, b"ab", b"aa");
    let seen = read_file(&bytes);
    assert_eq!(seen.text("aa"), "1");
    seen.has_problem("aa", "second file of this name");
}

fn replaced(bytes: &[u8], from: &[u8; 2], to: &[u8; 2]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for at in 0..bytes.len() - 1 {
        if bytes[at..].starts_with(from) {
            bytes[at..at + 2].copy_from_slice(to);
        }
    }
    bytes
}

#[test]
fn links_are_listed_and_devices_are_problems() {
    use ::tar::EntryType;
    let mut builder = ::tar::Builder::new(Vec::new());
    for (path, kind) in [("soft", EntryType::Symlink), ("hard", EntryType::Link), ("dev", EntryType::Char)] {
        let mut header = tar_header(path, kind);
        header.set_link_name("cluster-resources/a.log").unwrap();
        header.set_cksum();
        builder.append(&header, &b""[..]).unwrap();
    }
    tar_member(&mut builder, "file", b"x");
    let seen = read_file(&builder.into_inner().unwrap());
    let target = Some("cluster-resources/a.log".to_owned());
    let links = ["soft", "hard"].map(|path| Link { path: path.into(), target: target.clone() });
    assert_eq!(seen.walk().links, links);
    assert_eq!(seen.problems(), ["dev: not read: it is a device, a pipe or a socket, not a file"]);

    let mut writer = ::zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = ::zip::write::SimpleFileOptions::default();
    writer.add_symlink("soft", "target", options).unwrap();
    writer.start_file("file", options).unwrap();
    let seen = read_file(&writer.finish().unwrap().into_inner());
    assert_eq!(seen.walk().links, [Link { path: "soft".into(), target: Some("target".into()) }]);
    assert_eq!(seen.paths(), ["file"]);

    let folder = MemoryFolder::new()
        .with("file", "x")
        .with_other("l", Kind::Link(None))
        .with_other("p", Kind::Other)
        .with_other("u", Kind::Unreadable("permission denied".into()));
    let seen = read_folder(&folder);
    assert_eq!((seen.walk().links.len(), seen.problems().len()), (1, 2));
    seen.has_problem("u", "not read: permission denied");
}

/// Sets the flag of encryption in the headers of these members.
fn encrypted(bytes: Vec<u8>, names: &[&str]) -> Vec<u8> {
    changed(bytes, names, |header| header[0] |= 1)
}

/// Changes both headers of the members of a zip with these names, from the flags on.
fn changed(mut bytes: Vec<u8>, names: &[&str], change: impl Fn(&mut [u8])) -> Vec<u8> {
    for at in 0..bytes.len().saturating_sub(46) {
        for (mark, flag, name) in [(b"PK\x03\x04", 6, 30), (b"PK\x01\x02", 8, 46)] {
            if bytes[at..].starts_with(mark) && names.iter().any(|n| bytes[at + name..].starts_with(n.as_bytes())) {
                change(&mut bytes[at + flag..]);
            }
        }
    }
    bytes
}

#[test]
fn encrypted_members_are_named() {
    let bytes = zip(&[("secret.log", b"x"), ("open.log", b"y")]);
    let some = encrypted(bytes.clone(), &["secret.log"]);
    for seen in [read_file(&some), read_file(&some[..some.len() - 30])] {
        assert_eq!(seen.paths(), ["open.log"]);
        seen.has_problem("secret.log", "it is encrypted");
    }
    let all = encrypted(bytes, &["secret.log", "open.log"]);
    assert_eq!(read_file(&all).result, Err(Error::Encrypted { name: "bundle".into() }));
}

#[test]
fn methods_that_are_not_read_are_named() {
    let bytes = zip_with(&[("a", b"x"), ("b", b"x"), ("c", b"ok")], ::zip::CompressionMethod::Stored);
    let bytes = changed(changed(bytes, &["a"], |header| header[2] = 12), &["b"], |header| header[2] = 77);
    for seen in [read_file(&bytes), read_file(&bytes[..bytes.len() - 30])] {
        assert_eq!(seen.paths(), ["c"]);
        seen.has_problem("a", "compressed with bzip2, which this version does not read");
        seen.has_problem("b", "compressed with zip method 77");
    }
}

#[test]
fn a_folder_that_cannot_be_read() {
    struct Closed(bool);
    impl Folder for Closed {
        fn list(&self) -> io::Result<Vec<Listed>> {
            if self.0 {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            let file = |path: &str| Listed { path: path.into(), size: 1, kind: Kind::File };
            Ok(vec![file("open"), file("closed")])
        }
        fn open<'a>(&'a self, path: &str) -> io::Result<Box<dyn ReadSeek + 'a>> {
            if path == "open" { Ok(Box::new(Cursor::new(b"x"))) } else { Err(io::ErrorKind::PermissionDenied.into()) }
        }
    }
    let seen = read(Input::Folder { name: "b", folder: &Closed(false) }, &Budget::default());
    assert_eq!((seen.paths(), seen.problems()), (vec!["open"], vec!["closed: not read: permission denied".to_owned()]));
    let why = "the folder cannot be read: permission denied".into();
    let closed = read(Input::Folder { name: "b", folder: &Closed(true) }, &Budget::default());
    assert_eq!(closed.result, Err(Error::Unreadable { name: "b".into(), why }));
}

#[test]
fn a_tar_cut_between_its_files_is_noticed() {
    let bytes = tar(&[("a", b"1"), ("b", b"2")]);
    let seen = read_file(&bytes[..1024]);
    assert_eq!(seen.paths(), ["a"]);
    seen.has_problem("", "no end mark: its last files may be missing");
}

#[test]
fn a_wrong_checksum_is_a_problem_and_the_content_stays() {
    let mut gz = gzip(b"some log");
    let crc = gz.len() - 8;
    gz[crc] ^= 1;
    let seen = read_file(&gz);
    assert_eq!(seen.text("bundle!"), "some log");
    seen.has_problem("bundle!", "the checksum does not match");

    let stored = zip_with(&[("a", b"some log"), ("b", b"ok")], ::zip::CompressionMethod::Stored);
    let wrong = replaced(&stored, b"me", b"mE");
    for seen in [read_file(&wrong), read_file(&wrong[..wrong.len() - 30])] {
        assert_eq!(seen.text("a"), "somE log");
        assert_eq!(seen.text("b"), "ok");
        seen.has_problem("a", "the checksum does not match");
    }
}

#[test]
fn what_follows_is_noticed() {
    let seen = read_file(&[gzip(b"log"), b"more garbage".to_vec()].concat());
    assert_eq!(seen.text("bundle!"), "log");
    seen.has_problem("bundle!", "what follows is not gzip");
    let seen = read_file(&[tar(&[("a", b"1")]), b"garbage".to_vec()].concat());
    seen.has_problem("", "519 bytes after the end of the tar archive are not read");
}

/// Text that does not compress to nothing.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 7u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b'a' + (state >> 27) as u8 % 26
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn cut_anywhere_it_ends_and_gives_what_there_was() {
    let (a, b) = (noise(3000), noise(5000));
    let files: &Files<'_> = &[("a", &a), ("b", &b), ("in.gz", &gzip(&b))];
    let whole = read_file(&tar(files)).entries;
    let stored = zip_with(files, ::zip::CompressionMethod::Stored);
    let nested = gzip(&tar(&[("n", &zip(files))]));
    for bytes in [tar(files), gzip(&tar(files)), zip(files), stored, zip_streamed(files), nested] {
        let complete = read_file(&bytes).entries;
        for end in (0..bytes.len()).step_by(64) {
            for seen in [read_file(&bytes[..end]), read_stream(&bytes[..end])] {
                let Ok(walk) = &seen.result else { continue };
                assert!(
                    !walk.problems.is_empty() || seen.entries == complete || end < 512,
                    "cut at {end} went unnoticed"
                );
                for (path, content) in &seen.entries {
                    if let Some((_, full)) = whole.iter().find(|(name, _)| name == path) {
                        assert!(full.starts_with(content), "{path} cut at {end}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_cut_archive_still_gives_its_first_files() {
    let (a, b) = (noise(3000), noise(90_000));
    let files: &Files<'_> = &[("a", &a), ("b", &b)];
    for bytes in [tar(files), gzip(&tar(files)), zip(files), zip_streamed(files)] {
        let seen = read_file(&bytes[..bytes.len() - 5000]);
        assert_eq!(seen.text("a").into_bytes(), a);
        assert!(seen.text("b").len() > 60_000);
        seen.has_problem("b", "the data ends too early");
    }
}

#[test]
fn nothing_readable_is_an_error() {
    let result = read_file(&gzip(&tar(LOGS))[..10]).result;
    let why = "bundle!: nothing of it could be read: the data ends too early".into();
    assert_eq!(result, Err(Error::Unreadable { name: "bundle".into(), why }));
}

fn small() -> Budget {
    Budget { total_bytes: 4 << 20, ratio_free: 1 << 16, zip_held: 1 << 16, ..Budget::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_bytes_end_in_a_result(bytes in proptest::collection::vec(any::<u8>(), 0..2000), mark in 0usize..5) {
        let marks: [&[u8]; 5] = [b"", b"\x1f\x8b\x08\x00", b"PK\x03\x04", b"PK\x05\x06", b"PK\x03\x04\x14\0\x08\0\x08\0"];
        let bytes = [marks[mark], &bytes].concat();
        read_file_within(&bytes, &small());
        read_stream(&bytes);
    }

    #[test]
    fn any_damage_ends_in_a_result(
        shape in 0usize..5,
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)
    ) {
        let files: &Files<'_> = &[("a", b"some log"), ("n.tar", &tar(LOGS)), ("n.zip", &zip(LOGS))];
        let mut bytes = vec![tar(files), gzip(&tar(files)), zip(files), zip_streamed(files), zip(&[])].swap_remove(shape);
        for (at, value) in damage {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        read_file_within(&bytes, &small());
        read_file_within(&bytes[..bytes.len() - 22], &small());
        read_stream(&bytes);
    }
}
