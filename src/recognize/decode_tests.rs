use encoding_rs::WINDOWS_1252;
use proptest::prelude::*;

use super::*;

fn body(bytes: &[u8]) -> String {
    match decode(bytes.to_vec()) {
        Decoded::Text { body, .. } => body,
        Decoded::Binary => panic!("taken for binary: {bytes:?}"),
    }
}

fn notes(bytes: &[u8]) -> String {
    match decode(bytes.to_vec()) {
        Decoded::Text { notes, .. } => notes.join("; "),
        Decoded::Binary => "binary".into(),
    }
}

fn lines_of(bytes: &[u8], chunk: usize, limit: usize) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    let mut decoder = LineDecoder::new(limit);
    let mut each = |number: u32, line: &str| found.push((number, line.to_owned()));
    for piece in bytes.chunks(chunk) {
        decoder.push(piece, &mut each);
    }
    decoder.finish(&mut each);
    found
}

/// The lines as a reader that holds everything would count them.
fn plain_lines(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.strip_suffix('\n').unwrap_or(&text);
    if text.is_empty() { Vec::new() } else { text.split('\n').map(str::to_owned).collect() }
}

#[test]
fn a_pasted_table_has_blanks() {
    let pasted = "NAME\u{a0}\u{a0}\u{a0}READY\nforward .\u{a0}10.0.0.1\n\u{a0}\u{a0}log\n";
    assert_eq!(body(pasted.as_bytes()), "NAME   READY\nforward .\u{a0}10.0.0.1\n\u{a0}\u{a0}log\n");
    assert!(notes(pasted.as_bytes()).contains("(lines: 1)"));
}

#[test]
fn every_kind_of_bytes_becomes_plain_lines() {
    let cases: [(&[u8], &str); 16] = [
        (b"", ""),
        (b"one", "one"),
        (b"one\ntwo\n", "one\ntwo\n"),
        (b"one\r\ntwo\r\n", "one\ntwo\n"),
        (b"one\rtwo\r\rfour", "one\ntwo\n\nfour\n"),
        (b"one\r\r\ntwo", "one\n\ntwo\n"),
        (b"\xef\xbb\xbfone\n", "one\n"),
        (b"\xff\xfeo\0n\0e\0\r\0\n\0", "one\n"),
        (b"\xfe\xff\0o\0n\0e", "one\n"),
        (b"o\0n\0e\0\n\0", "one\n"),
        (b"\0o\0n\0e\0\n", "one\n"),
        ("Größe\n".as_bytes(), "Größe\n"),
        (b"Gr\xf6\xdfe \x80\n", "Größe €\n"),
        (b"\x1b[1;31mred\x1b[0m\x1b(B \x1b]0;title\x07x\n", "red x\n"),
        (b"50%\r\x1b[K\ndone\n", "50%\ndone\n"),
        (b"open \x1b]0;no end\nnext \x1b[12\n", "open \u{1b}]0;no end\nnext \u{1b}[12\n"),
    ];
    for (bytes, expected) in cases {
        assert_eq!(body(bytes), expected, "{bytes:?}");
    }
}

#[test]
fn what_was_unusual_is_noted() {
    assert_eq!(notes(b"plain\n"), "");
    assert_eq!(notes(b"\xff\xfea\0\r\0\n\0"), "UTF-16, little-endian; CRLF line ends");
    assert_eq!(notes(b"\xef\xbb\xbfa\n"), "UTF-8 with byte order mark");
    assert_eq!(notes(b"a\n\xe4\nb\n"), "not UTF-8, read as CP1252 (lines: 1)");
    assert_eq!(notes(b"\x1b[0ma\rb\n"), "lone CR taken as a line end; terminal sequences removed");
}

#[test]
fn what_is_no_text_is_binary() {
    assert_eq!(decode(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0".to_vec()), Decoded::Binary);
    assert_eq!(decode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0".to_vec()), Decoded::Binary);
    assert_eq!(decode(vec![0; 100]), Decoded::Binary);
    assert_eq!(body(b"a few \x01 control characters stay\n"), "a few \u{1} control characters stay\n");
}

#[test]
fn one_line_that_is_no_utf8_does_not_spoil_the_others() {
    assert_eq!(body("näme\n".bytes().chain(*b"n\xe4me\n").collect::<Vec<_>>().as_slice()), "näme\nnäme\n");
}

#[test]
fn an_over_long_line_is_cut_and_counted() {
    let mut decoder = LineDecoder::new(4);
    let mut found = Vec::new();
    for piece in ["abcdef", "ghi", "jklmnop\nxy\nabcä\nabcde\n"] {
        decoder.push(piece.as_bytes(), &mut |number, line| found.push((number, line.to_owned())));
    }
    decoder.finish(&mut |number, line| found.push((number, line.to_owned())));
    let expected = [(1, "abcd"), (2, "xy"), (3, "abc"), (4, "abcd")];
    assert_eq!(found, expected.map(|(number, line)| (number, line.to_owned())));
    assert_eq!(decoder.dropped(), 12 + 2 + 1);
}

proptest! {
    #[test]
    fn the_cut_into_chunks_does_not_matter(
        bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(0x1b), Just(b'['), Just(b'm'),
            Just(0u8), any::<u8>()], 0..3000),
        chunk in 1usize..1200,
        limit in 1usize..50,
    ) {
        prop_assert_eq!(lines_of(&bytes, chunk, limit), lines_of(&bytes, usize::MAX, limit));
    }

    #[test]
    fn the_stream_gives_the_lines_of_the_whole(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        if let Decoded::Text { body, .. } = decode(bytes.clone()) {
            let whole = crate::text::Text::new("a", body.clone());
            let streamed = lines_of(&bytes, 7, usize::MAX);
            let held = whole.line_count() - u32::from(body.is_empty());
            prop_assert_eq!(streamed.len() as u32, held);
            for (number, line) in streamed {
                prop_assert_eq!(whole.line(number), line);
            }
        }
    }

    #[test]
    fn every_encoding_of_a_text_gives_the_same_lines(text in "([ -~äöü]{0,12}(\n|\r\n|\r)){0,9}[ -~äöü]{1,9}") {
        let expected = plain_lines(&text);
        let wide = |order: fn(u16) -> [u8; 2], mark: bool| -> Vec<u8> {
            let mark = mark.then_some(0xfeff);
            mark.into_iter().chain(text.encode_utf16()).flat_map(order).collect()
        };
        let crlf = plain_lines(&text).join("\r\n");
        for bytes in [
            text.clone().into_bytes(),
            WINDOWS_1252.encode(&text).0.into_owned(),
            wide(u16::to_le_bytes, true),
            wide(u16::to_be_bytes, true),
            crlf.into_bytes(),
        ] {
            let found: Vec<String> = lines_of(&bytes, 5, usize::MAX).into_iter().map(|(_, line)| line).collect();
            prop_assert_eq!(&found, &expected);
        }
    }
}
