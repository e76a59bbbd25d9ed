//! Every kind of container, alone and in each other.

use proptest::prelude::*;

use super::*;

fn owned(files: &Files<'_>) -> Vec<(String, Vec<u8>)> {
    files.iter().map(|(path, content)| ((*path).to_owned(), content.to_vec())).collect()
}

#[test]
fn every_archive_gives_the_same_entries() {
    let stored = zip_with(LOGS, ::zip::CompressionMethod::Stored);
    let shapes =
        [tar(LOGS), gzip(&tar(LOGS)), gzip(&gzip(&tar(LOGS))), zip(LOGS), stored, zip_streamed(LOGS), gzip(&zip(LOGS))];
    for (number, bytes) in shapes.iter().enumerate() {
        for seen in [read_file(bytes), read_stream(bytes)] {
            assert_eq!(seen.entries, owned(LOGS), "shape {number}");
            assert_eq!(seen.problems(), [""; 0], "shape {number}");
            assert_eq!((seen.walk().entries, seen.walk().bytes), (3, 47), "shape {number}");
        }
    }
}

#[test]
fn a_folder_is_sorted() {
    let folder = MemoryFolder::new().with("b/x", "2").with("a.log", "1").with("b.log", "3");
    assert_eq!(read_folder(&folder).paths(), ["a.log", "b.log", "b/x"]);
}

#[test]
fn a_text_is_its_own_entry() {
    assert_eq!(read_file(b"Corefile").entries, [("bundle".to_owned(), b"Corefile".to_vec())]);
    assert_eq!(read_stream(b"x").paths(), ["-"]);
    assert_eq!(read_file(&gzip(b"log")).paths(), ["bundle!"]);
}

#[test]
fn containers_nest() {
    let node = zip(&[("logs/kubelet.log.gz", &gzip(b"kubelet")), ("logs/plain.log", b"plain")]);
    let nodes = zip(&[("nodes/n1.zip", &node)]);
    let bundle = gzip(&tar(&[("./sub/bundle.zip", &nodes), ("inner.tar.gz", &gzip(&tar(&[("x", b"y")])))]));
    let seen = read_file(&bundle);
    assert_eq!(
        seen.paths(),
        [
            "sub/bundle.zip!/nodes/n1.zip!/logs/kubelet.log.gz!",
            "sub/bundle.zip!/nodes/n1.zip!/logs/plain.log",
            "inner.tar.gz!/x"
        ]
    );
    assert_eq!(seen.text("sub/bundle.zip!/nodes/n1.zip!/logs/kubelet.log.gz!"), "kubelet");
    assert_eq!(seen.problems(), [""; 0]);
    let folder = MemoryFolder::new().with("a.tar", tar(&[("x", b"1")])).with("b.zip", nodes).with("c", gzip(b"2"));
    let seen = read_folder(&folder);
    assert_eq!(seen.text("a.tar!/x") + &seen.text("c!"), "12");
    assert_eq!(seen.paths().len(), 4);
}

#[test]
fn the_name_is_not_asked() {
    let folder = MemoryFolder::new().with("a.txt", gzip(b"packed")).with("b.gz", "plain").with("c.zip", "");
    let seen = read_folder(&folder);
    assert_eq!(seen.paths(), ["a.txt!", "b.gz", "c.zip"]);
    assert_eq!(seen.problems(), [""; 0]);
}

#[test]
fn gzip_members_follow_each_other() {
    let both = [gzip(b"one\n"), gzip(b"two\n")].concat();
    assert_eq!(read_file(&both).text("bundle!"), "one\ntwo\n");
}

#[test]
fn long_names_are_whole() {
    let name = format!("{}/coredns.log", "sos_commands".repeat(20));
    let mut builder = ::tar::Builder::new(Vec::new());
    let mut header = tar_header("", ::tar::EntryType::Regular);
    header.set_size(1);
    builder.append_data(&mut header, &name, &b"x"[..]).unwrap();
    builder.append_pax_extensions([("path", "pax/ü.log".as_bytes())]).unwrap();
    tar_member(&mut builder, "short", b"y");
    assert_eq!(read_file(&builder.into_inner().unwrap()).paths(), [&name, "pax/ü.log"]);
}

#[test]
fn formats_that_are_not_read_are_named() {
    let folder = MemoryFolder::new().with("a.7z", b"7z\xbc\xaf\x27\x1crest").with("b", "text");
    let seen = read_folder(&folder);
    assert_eq!(seen.problems(), ["a.7z: compressed with 7-Zip, which this version does not read; unpack it first"]);
    assert_eq!(seen.paths(), ["b"]);
    let seen = read_file(&gzip(b"Rar!\x1a\x07...."));
    assert_eq!(seen.result, Err(Error::Unsupported { name: "bundle".into(), format: "RAR" }));
}

#[test]
fn the_hash_is_of_the_file_as_given() {
    let expected = |bytes: &[u8]| super::super::readers::Hashed::new(bytes).finish(u64::MAX);
    for bytes in [zip(LOGS), gzip(&tar(LOGS)), tar(LOGS), b"text".to_vec()] {
        assert_eq!(read_file(&bytes).walk().sha256, expected(&bytes));
        assert_eq!(read_stream(&bytes).walk().sha256, expected(&bytes));
    }
    assert_eq!(read_folder(&MemoryFolder::new().with("a", "b")).walk().sha256, None);
}

#[test]
fn an_empty_bundle_is_an_error() {
    let empty = Err(Error::Empty { name: "bundle".into() });
    let folder = ::tar::EntryType::Directory;
    let mut only_folders = ::tar::Builder::new(Vec::new());
    only_folders.append(&tar_header("a/", folder), &b""[..]).unwrap();
    for bytes in [vec![], gzip(b""), zip(&[]), only_folders.into_inner().unwrap()] {
        assert_eq!(read_file(&bytes).result, empty);
    }
    assert_eq!(read_folder(&MemoryFolder::new()).result, empty);
}

#[test]
fn a_visitor_may_stop_early() {
    struct Lazy(Vec<String>);
    impl Visitor for Lazy {
        fn entry(&mut self, entry: &Entry, content: &mut dyn Read) {
            self.0.push(entry.path.to_string());
            content.read_exact(&mut [0; 3]).unwrap();
        }
    }
    let long = vec![b'x'; 3_000_000];
    let files: &Files<'_> = &[("a", &long), ("b.gz", &gzip(&long)), ("c", b"end")];
    for bytes in [tar(files), gzip(&tar(files)), zip(files)] {
        let mut lazy = Lazy(Vec::new());
        let file = Box::new(Cursor::new(&bytes));
        let walk = walk(Input::File { name: "bundle", file }, &Budget::default(), &mut lazy).unwrap();
        assert_eq!(lazy.0, ["a", "b.gz!", "c"]);
        assert_eq!((walk.bytes, walk.problems), (9, vec![]));
    }
}

#[test]
fn binaries_are_marked() {
    struct Kinds(Vec<Option<&'static str>>);
    impl Visitor for Kinds {
        fn entry(&mut self, entry: &Entry, _: &mut dyn Read) {
            self.0.push(entry.binary);
        }
    }
    let folder = MemoryFolder::new().with("a", b"\x7fELF\x02").with("b", "text");
    let mut kinds = Kinds(Vec::new());
    walk(Input::Folder { name: "x", folder: &folder }, &Budget::default(), &mut kinds).unwrap();
    assert_eq!(kinds.0, [Some("a program"), None]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_container_does_not_matter(
        files in proptest::collection::btree_map("[a-z]{1,4}(/[a-zäö ]{1,4}\\.log)", "[ -~\n]{0,700}", 1..6)
    ) {
        let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
        let mut folder = MemoryFolder::new();
        for (path, content) in &files {
            folder = folder.with(path, *content);
        }
        let expected = read_folder(&folder).entries;
        let nested: Vec<_> = expected.iter().map(|(path, text)| (format!("n.zip!/{path}"), text.clone())).collect();
        prop_assert_eq!(&read_file(&tar(&files)).entries, &expected);
        prop_assert_eq!(&read_stream(&gzip(&tar(&files))).entries, &expected);
        prop_assert_eq!(&read_stream(&zip(&files)).entries, &expected);
        prop_assert_eq!(&read_file(&gzip(&tar(&[("n.zip", &zip_streamed(&files))]))).entries, &nested);
    }
}
