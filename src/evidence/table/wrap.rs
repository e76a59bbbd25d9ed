//! Tables that were copied from a narrow terminal: every row is broken at its width.

use std::borrow::Cow;

use super::columns::Heading;
use crate::text::Section;

/// Pieces that one heading may be broken into.
const PIECE_LIMIT: usize = 8;
/// No terminal is narrower, in characters.
const NARROWEST: usize = 40;

/// The section's lines, those of broken tables joined again; a joined line has the number of its first piece.
///
/// Only a table whose heading is broken is taken for one: a heading is followed by more words in capital letters. Its
/// rows then have as many pieces as the heading.
pub(super) fn lines(section: &Section) -> Vec<(u32, Cow<'_, str>)> {
    let all: Vec<(u32, &str)> = section.numbered().collect();
    let mut joined = Vec::with_capacity(all.len());
    let (mut at, mut pieces, mut width) = (0, 1, 0);
    while let Some(&(number, line)) = all.get(at) {
        if Heading::of_get(line).is_some() {
            pieces = 1 + all[at + 1..].iter().take(PIECE_LIMIT).take_while(|(_, next)| continues_heading(next)).count();
            let table = all[at..].iter().take_while(|(_, line)| !line.trim().is_empty());
            width = if pieces > 1 { table.map(|(_, line)| line.chars().count()).max().unwrap_or(0) } else { 0 };
            pieces = if width < NARROWEST { 1 } else { pieces };
        } else if line.trim().is_empty() || super::command::prompted(line).is_some() {
            pieces = 1;
        }
        let end = (at + pieces).min(all.len());
        joined.push((number, if end > at + 1 { Cow::Owned(join(&all[at..end], width)) } else { Cow::Borrowed(line) }));
        at = end;
    }
    joined
}

/// Only capital letters, and no heading by itself.
fn continues_heading(line: &str) -> bool {
    let letters = line.chars().any(|c| c.is_ascii_uppercase());
    let plain = line.chars().all(|c| c.is_ascii_uppercase() || " -()%".contains(c));
    letters && plain && Heading::of_get(line).is_none()
}

/// Trailing blanks may be lost at each break, so all pieces but the last are filled up again.
fn join(pieces: &[(u32, &str)], width: usize) -> String {
    let mut row = String::new();
    for (index, (_, piece)) in pieces.iter().enumerate() {
        row.push_str(piece);
        if index + 1 < pieces.len() {
            row.extend(std::iter::repeat_n(' ', width.saturating_sub(piece.chars().count())));
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::text::Text;

    const TABLE: &[&str] = &[
        "NAME                READY   STATUS             RESTARTS        AGE   IP           NODE           NOMINATED NODE",
        "resolver-7-aaaaa    1/1     Running            0               41m   10.1.0.5     worker-one-a   <none>",
        "resolver-7-bbbbb    0/1     CrashLoopBackOff   12 (2m50s ago)  41m   10.1.0.6     worker-two-b   <none>",
    ];

    fn broken(width: usize) -> String {
        let row = |row: &&str| {
            row.as_bytes()
                .chunks(width)
                .map(|piece| String::from_utf8_lossy(piece).trim_end().to_owned())
                .collect::<Vec<_>>()
        };
        TABLE.iter().flat_map(row).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn broken_rows_are_joined() {
        for width in [60, 70, 80, 90] {
            let section = Section::whole(Arc::new(Text::new("a", broken(width) + "\n\n$ kubectl get x\n")));
            let lines: Vec<(u32, String)> =
                lines(&section).into_iter().map(|(number, line)| (number, line.into_owned())).collect();
            let squeezed = |line: &str| line.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
            let rows: Vec<String> = lines.iter().map(|(_, line)| squeezed(line)).collect();
            assert_eq!(rows[..3], TABLE.iter().map(|row| squeezed(row)).collect::<Vec<_>>(), "{width}");
            assert_eq!((lines[1].0, rows[3].as_str(), rows[4].as_str()), (3, "", "$ kubectl get x"), "{width}");
        }
    }

    #[test]
    fn whole_tables_stay_as_they_are() {
        let section = Section::whole(Arc::new(Text::new("a", TABLE.join("\n"))));
        assert!(lines(&section).iter().zip(TABLE).all(|((_, line), row)| line == row));
    }
}
