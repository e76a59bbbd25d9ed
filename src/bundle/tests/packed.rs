//! gzip, bzip2, xz and zstd: alone, after each other, cut and damaged.

use super::*;

#[test]
fn every_packer_gives_the_same_entries() {
    for (name, pack) in PACKERS {
        for seen in [read_file(&pack(&tar(LOGS))), read_stream(&pack(&tar(LOGS)))] {
            assert_eq!(seen.paths(), ["coredns/a.log", "empty.log", "z/b.txt"], "{name}");
            assert_eq!(seen.problems(), [""; 0], "{name}");
        }
        let seen = read_file(&tar(&[("kubelet.log", &pack(b"kubelet")), ("deep.tar", &pack(&pack(&tar(LOGS))))]));
        assert_eq!(seen.text("kubelet.log!"), "kubelet", "{name}");
        assert_eq!(seen.text("deep.tar!/z/b.txt"), "ok\n", "{name}");
    }
}

#[test]
fn parts_after_each_other_are_one_file() {
    for (name, pack) in PACKERS {
        let bytes = [pack(b"first, "), pack(b""), pack(b"second")].concat();
        let seen = read_file(&bytes);
        assert_eq!((seen.text("bundle!").as_str(), seen.problems().len()), ("first, second", 0), "{name}");
    }
}

#[test]
fn notes_between_zstd_frames_are_passed_over() {
    let note = b"\x50\x2a\x4d\x18\x03\0\0\0abc";
    let seen = read_file(&[&zstd(b"first, "), &note[..], &zstd(b"second")].concat());
    assert_eq!((seen.text("bundle!").as_str(), seen.problems().len()), ("first, second", 0));
}

#[test]
fn what_was_cut_is_read_up_to_there() {
    let lines: String =
        (0..60_000).map(|n: u64| format!("line {n} {:x}\n", n.wrapping_mul(0x9e37_79b9_7f4a))).collect();
    for (name, pack) in PACKERS {
        let bytes = pack(lines.as_bytes());
        let seen = read_file(&bytes[..bytes.len() - bytes.len() / 4]);
        assert!(seen.text("bundle!").len() > 100_000, "{name}");
        seen.has_problem("bundle!", "the data ends too early");
    }
}

#[test]
fn damage_is_said_in_plain_words() {
    let lines: String =
        (0..60_000).map(|n: u64| format!("line {n} {:x}\n", n.wrapping_mul(0x9e37_79b9_7f4a))).collect();
    for (name, pack) in PACKERS {
        let mut bytes = pack(lines.as_bytes());
        let middle = bytes.len() / 2;
        for byte in &mut bytes[middle..middle + 64] {
            *byte ^= 0x5a;
        }
        let seen = read(
            Input::File { name: "b.log", file: Box::new(Cursor::new(tar(&[("x.log", &bytes), ("after", b"ok")]))) },
            &Budget::default(),
        );
        assert_eq!(seen.text("after"), "ok", "{name}");
        let told = seen.problems().join("\n");
        assert!(told.contains("the compressed data is damaged") || told.contains("the checksum"), "{name}: {told}");
    }
}

#[test]
fn a_window_beyond_the_limit_is_refused_by_name() {
    let budget = Budget { window: 1 << 20, ..Budget::default() };
    let wide = xz_with(b"kubelet", 64 << 20);
    let seen = read_file_within(&tar(&[("wide.log", &wide), ("after", b"ok")]), &budget);
    assert_eq!(seen.text("after"), "ok");
    seen.has_problem("wide.log!", "--max-window");
    // A frame of one raw block whose window descriptor (RFC 8878, section 3.1.1.1.2) says 1 GiB.
    let frame = [&b"\x28\xb5\x2f\xfd\x00\xa0\x19\0\0"[..], b"abc"].concat();
    let seen = read_file_within(&tar(&[("wide.log", &frame), ("after", b"ok")]), &budget);
    seen.has_problem("wide.log!", "--max-window");
}
