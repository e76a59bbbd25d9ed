//! Budgets end a reading, say so, and let the rest through.

use super::*;

#[test]
fn a_bomb_is_cut_by_its_ratio() {
    // zlib reaches 1030:1 at best, so a stricter ratio stands in for the real one.
    let budget = Budget { ratio: 100, ratio_free: 1 << 20, ..Budget::default() };
    let bomb = gzip(&vec![0; 8 << 20]);
    let zeros = vec![0; 8 << 20];
    for (bytes, path) in [
        (tar(&[("bomb.gz", &bomb), ("after", b"ok")]), "bomb.gz!"),
        (zip(&[("bomb", &zeros), ("after", b"ok")]), "bomb"),
    ] {
        let seen = read_file_within(&bytes, &budget);
        seen.has_problem(path, "unpacks to more than 100 times its size");
        assert!(seen.walk().bytes < 8 << 20);
        assert_eq!(seen.text("after"), "ok");
    }
}

#[test]
fn archives_in_archives_are_cut_as_a_whole() {
    // Eight zips in a zip, three times over: 512 files of 1 MiB of zeros, each within its own limits.
    let mut bomb = zip(&[("zeros", &vec![0; 1 << 20])]);
    for _ in 0..3 {
        let names: Vec<String> = (0..8).map(|number| format!("{number}.zip")).collect();
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), bomb.as_slice())).collect();
        bomb = zip(&files);
    }
    let budget = Budget { ratio: 100, bundle_free: 64 << 20, ..Budget::default() };
    let folder = MemoryFolder::new().with("a.zip", bomb).with("b.log", "ok");
    let seen = read(Input::Folder { name: "x", folder: &folder }, &budget);
    assert!(seen.walk().bytes < 80 << 20, "{}", seen.walk().bytes);
    assert_eq!(seen.text("b.log"), "ok");
    assert!(
        seen.problems().iter().any(|problem| problem.contains("the bundle unpacks to more than 100 times its size"))
    );
}

#[test]
fn an_honest_log_is_no_bomb() {
    let log = "[INFO] 10.0.0.1:5353 - 1 \"A IN a. udp 40 false 512\" NOERROR\n".repeat(600_000);
    let seen = read_file(&gzip(log.as_bytes()));
    assert_eq!((seen.walk().bytes, seen.problems().len()), (log.len() as u64, 0));
}

#[test]
fn depth_is_limited() {
    let mut bytes = b"deep".to_vec();
    for _ in 0..6 {
        bytes = tar(&[("in.tar", &bytes), ("beside", b"ok")]);
    }
    let seen = read_file_within(&bytes, &Budget { depth: 4, ..Budget::default() });
    seen.has_problem("in.tar!/in.tar!/in.tar!/in.tar", "deeper than 4 containers");
    assert_eq!(seen.paths().len(), 4);
    assert_eq!(read_file(&bytes).paths().len(), 7);
    let mut gz = b"deep".to_vec();
    for _ in 0..100 {
        gz = gzip(&gz);
    }
    assert!(matches!(read_file(&gz).result, Err(Error::Unreadable { .. })));
}

#[test]
fn one_entry_is_cut_and_the_others_are_read() {
    let budget = Budget { entry_bytes: 1000, ..Budget::default() };
    let long = [b'x'; 3072];
    for bytes in [tar(&[("long", &long), ("b", b"ok")]), zip(&[("long", &long), ("b", b"ok")])] {
        let seen = read_file_within(&bytes, &budget);
        assert_eq!(seen.text("long").len(), 1000);
        assert_eq!(seen.text("b"), "ok");
        seen.has_problem(
            "long",
            "only the first 1000 bytes of 3 KiB could be read: the limit of 1000 bytes for one file",
        );
    }
}

#[test]
fn after_the_total_the_rest_is_listed() {
    let budget = Budget { total_bytes: 2000, ..Budget::default() };
    let kilo = [b'x'; 1500];
    let files: &Files<'_> = &[("a", &kilo), ("b", &kilo), ("c", b"1"), ("d", b"2")];
    let folder = files.iter().fold(MemoryFolder::new(), |folder, (path, content)| folder.with(path, *content));
    for seen in [read_file_within(&zip(files), &budget), read(Input::Folder { name: "x", folder: &folder }, &budget)] {
        assert_eq!((seen.text("a").len(), seen.text("b").len()), (1500, 500));
        seen.has_problem("b", "only the first 500 bytes of 1.5 KiB");
        seen.has_problem("c", "the limit of 2 KiB for the whole bundle is reached");
        seen.has_problem("d", "not read");
    }
    let seen = read_file_within(&gzip(&tar(files)), &budget);
    assert!(seen.text("a").len() > 1000);
    assert_eq!(seen.walk().sha256.as_deref().map(str::len), Some(64));
    seen.has_problem("", "the rest of the tar archive is not read");
}

#[test]
fn entries_paths_and_problems_are_limited() {
    let files: Vec<(String, Vec<u8>)> = (0..20).map(|n| (format!("f{n:02}"), b"x".to_vec())).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, content)| (path.as_str(), &content[..])).collect();
    let budget = Budget { entries: 5, ..Budget::default() };
    for bytes in [tar(&files), zip(&files), gzip(&tar(&files))] {
        let seen = read_file_within(&bytes, &budget);
        assert_eq!(seen.paths().len(), 5);
        assert_eq!(
            seen.problems(),
            ["f05: not read: the limit of 5 files is reached; the rest is not read either (--max-entries)"]
        );
    }
    let budget = Budget { path_bytes: 8, problems: 1, ..Budget::default() };
    let seen = read_file_within(&tar(&[("short", b""), ("much/too/long", b""), ("too/long/too", b"")]), &budget);
    assert_eq!(
        seen.problems(),
        [
            "much/too/long: not read: its path is longer than 8 bytes (--max-path-bytes)",
            ": 1 more problems are not listed (--max-problems)"
        ]
    );
}

#[test]
fn a_zip_in_a_file_is_not_held() {
    let budget = Budget { zip_held: 10, ..Budget::default() };
    let folder = MemoryFolder::new().with("b.zip", zip(LOGS));
    for seen in [read_file_within(&zip(LOGS), &budget), read(Input::Folder { name: "x", folder: &folder }, &budget)] {
        assert_eq!((seen.paths().len(), seen.problems().len()), (3, 0));
    }
}

#[test]
fn a_zip_too_large_to_hold_is_read_in_order() {
    let budget = Budget { zip_held: 200, ..Budget::default() };
    for inner in [zip(LOGS), zip_streamed(LOGS)] {
        assert!(inner.len() > 200);
        let seen = read_file_within(&tar(&[("in.zip", &inner)]), &budget);
        seen.has_problem("in.zip", "too large to be held in memory (limit 200 bytes, --max-zip-held)");
        assert_eq!(seen.problems().len(), 1);
        assert_eq!(seen.paths(), ["in.zip!/coredns/a.log", "in.zip!/empty.log", "in.zip!/z/b.txt"]);
        assert_eq!(seen.text("in.zip!/z/b.txt"), "ok\n");
    }
}

#[test]
fn a_tar_header_cannot_fill_the_memory() {
    let mut header = tar_header("././@LongLink", ::tar::EntryType::GNULongName);
    header.set_size(64 << 20);
    header.set_cksum();
    let mut bytes = tar(&[("first", b"ok")]);
    bytes.truncate(1024);
    bytes.extend(header.as_bytes());
    bytes.resize(bytes.len() + (64 << 20), b'a');
    let seen = read_file(&gzip(&bytes));
    seen.has_problem("", "a header is longer than 1 MiB");
    assert_eq!(seen.text("first"), "ok");
}

#[test]
fn the_holes_of_a_sparse_file_are_a_bomb_too() {
    let mut header = tar_header("sparse", ::tar::EntryType::GNUSparse);
    header.set_size(0);
    let gnu = header.as_gnu_mut().unwrap();
    let octal = |field: &mut [u8; 12], value: u64| field.copy_from_slice(format!("{value:011o}\0").as_bytes());
    octal(&mut gnu.realsize, 7 << 30);
    gnu.sparse[0].set_offset(7 << 30);
    gnu.sparse[0].set_length(0);
    header.set_cksum();
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend(tar(&[("after", b"ok")]));
    struct Count(u64);
    impl Visitor for Count {
        fn entry(&mut self, _: &Entry, content: &mut dyn Read) {
            self.0 += std::io::copy(content, &mut std::io::sink()).unwrap();
        }
    }
    let mut count = Count(0);
    let reader = Box::new(&bytes[..]);
    let walk = walk(Input::Stream { name: "-", reader }, &Budget::default(), &mut count).unwrap();
    assert_eq!(walk.entries, 2);
    assert!(count.0 < 17 << 20, "{}", count.0);
    assert_eq!(walk.problems.len(), 1);
}
