//! A heading and the cells below it.
//!
//! kubectl pads every cell to its column's width and puts at least two blanks between columns, so a cell is found by
//! the offset of its heading, blank ones too. Tables that people pasted, cut or printed with `-w` are not aligned:
//! their cells are split at two or more blanks instead.

/// More columns than any kubectl table has; a longer "heading" is none.
const COLUMN_LIMIT: usize = 40;

/// Headings of several words, for tables whose runs of blanks were squeezed to one.
const WORD_PAIRS: &[&str] = &[
    "LAST SEEN",
    "FIRST SEEN",
    "NOMINATED NODE",
    "READINESS GATES",
    "NODE SELECTOR",
    "MIN AVAILABLE",
    "MAX UNAVAILABLE",
    "ALLOWED DISRUPTIONS",
];

/// The first column of every table that kubectl prints about the kinds read here.
const FIRST: &[&str] = &["NAME", "NAMESPACE", "LAST SEEN", "FIRST SEEN", "LASTSEEN", "FIRSTSEEN", "POD"];

/// The columns of a table.
#[derive(Debug, Clone)]
pub(in crate::evidence) struct Heading {
    columns: Vec<Column>,
    /// Columns are one blank apart.
    tight: bool,
}

#[derive(Debug, Clone)]
struct Column {
    /// In capital letters.
    name: String,
    /// In characters.
    start: usize,
}

impl Heading {
    /// The heading of a `kubectl get`, `top` or `events` table; `None` for any other line.
    pub fn of_get(line: &str) -> Option<Self> {
        let found = pieces(line);
        let heading = if found.len() > 1 { Self::from_pieces(&found) } else { Self::squeezed(line) };
        let known = |column: &Column| FIRST.contains(&column.name.as_str());
        let shaped = found.iter().all(|(_, name)| is_heading_word(name));
        let enough = (2..=COLUMN_LIMIT).contains(&heading.columns.len());
        (enough && shaped && heading.columns.first().is_some_and(known)).then_some(heading)
    }

    /// The heading of a table inside `kubectl describe`, whatever its words.
    pub fn of_describe(line: &str) -> Option<Self> {
        let found = pieces(line);
        (2..=COLUMN_LIMIT).contains(&found.len()).then(|| Self::from_pieces(&found))
    }

    /// Names for the cells of a row that lost its heading.
    pub fn named(names: &[&'static str], line: &str) -> Self {
        let starts = pieces(line);
        let start = |index: usize| starts.get(index).map_or(usize::MAX, |(start, _)| *start);
        let column = |(index, name): (usize, &&str)| Column { name: (*name).to_owned(), start: start(index) };
        Heading { columns: names.iter().enumerate().map(column).collect(), tight: false }
    }

    /// Whether there is a column of that name.
    pub fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name == name)
    }

    /// Whether there are all of these columns.
    pub fn has_all(&self, names: &[&str]) -> bool {
        names.iter().all(|name| self.has(name))
    }

    /// The cells of a row.
    pub fn row<'a>(&'a self, number: u32, line: &'a str) -> Row<'a> {
        let cells = if self.tight { self.by_words(line) } else { self.by_offset(line) };
        Row { number, heading: self, cells: cells.unwrap_or_else(|| self.by_pieces(line)) }
    }

    fn from_pieces(found: &[(usize, &str)]) -> Self {
        let column = |(start, name): &(usize, &str)| Column { name: name.to_ascii_uppercase(), start: *start };
        Heading { columns: found.iter().map(column).collect(), tight: false }
    }

    fn squeezed(line: &str) -> Self {
        let mut columns: Vec<Column> = Vec::new();
        for word in line.split_ascii_whitespace().take(2 * COLUMN_LIMIT) {
            let pair = columns.last().map(|last| format!("{} {word}", last.name));
            match (columns.last_mut(), pair) {
                (Some(last), Some(pair)) if WORD_PAIRS.contains(&pair.as_str()) => last.name = pair,
                _ => columns.push(Column { name: word.to_owned(), start: 0 }),
            }
        }
        Heading { columns, tight: true }
    }

    /// Cuts at the headings' offsets; `None` where a cell crosses one.
    fn by_offset<'a>(&self, line: &'a str) -> Option<Vec<&'a str>> {
        if line.contains('\t') {
            return None;
        }
        let cuts: Vec<usize> = self.columns.iter().map(|column| byte_of(line, column.start)).collect();
        let mut cells = Vec::with_capacity(cuts.len());
        for (index, &from) in cuts.iter().enumerate() {
            let to = cuts.get(index + 1).copied().unwrap_or(line.len());
            let clear = from == 0 || line[..from].ends_with("  ") || from == line.len();
            let cell = line.get(from..to)?.trim();
            let free_text = index + 1 == cuts.len() || self.columns[index].name == "MESSAGE";
            if !clear || (cell.contains("  ") && !free_text) {
                return None;
            }
            cells.push(cell);
        }
        let before = line.get(..*cuts.first()?)?;
        before.trim().is_empty().then_some(cells)
    }

    /// One word a cell; `12 (3m ago)` and the like are one cell, the last column takes the rest.
    fn by_words<'a>(&self, line: &'a str) -> Option<Vec<&'a str>> {
        let mut cells = Vec::with_capacity(self.columns.len());
        let mut rest = line.trim();
        while !rest.is_empty() && cells.len() + 1 < self.columns.len() {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let opens = rest[end..].trim_start().starts_with('(');
            let end = if opens { rest.find(')').map_or(end, |at| at + 1) } else { end };
            cells.push(&rest[..end]);
            rest = rest[end..].trim_start();
        }
        cells.push(rest);
        cells.resize(self.columns.len(), "");
        Some(cells)
    }

    /// Splits at two or more blanks; where cells are missing, each goes to the nearest heading that is left.
    fn by_pieces<'a>(&self, line: &'a str) -> Vec<&'a str> {
        let found = pieces(line);
        let mut cells = vec![""; self.columns.len()];
        let spare = self.columns.len().saturating_sub(found.len());
        let mut column = 0;
        for (index, &(start, text)) in found.iter().enumerate() {
            while column < index + spare && self.nearer(column + 1, column, start) {
                column += 1;
            }
            let Some(cell) = cells.get_mut(column) else { break };
            let last = column + 1 == self.columns.len() && index + 1 < found.len();
            *cell = if last { line.get(byte_of(line, start)..).unwrap_or(text).trim() } else { text };
            column += 1;
        }
        cells
    }

    fn nearer(&self, this: usize, other: usize, start: usize) -> bool {
        let distance = |index: usize| self.columns.get(index).map_or(usize::MAX, |c| c.start.abs_diff(start));
        distance(this) < distance(other)
    }
}

/// One row of a table.
#[derive(Debug)]
pub(in crate::evidence) struct Row<'a> {
    /// Its line.
    pub number: u32,
    /// Its table's columns.
    pub heading: &'a Heading,
    cells: Vec<&'a str>,
}

impl<'a> Row<'a> {
    /// The cell below `name`, empty where blank; `None` without such a column.
    pub fn cell(&self, name: &str) -> Option<&'a str> {
        let index = self.heading.columns.iter().position(|column| column.name == name)?;
        self.cells.get(index).copied()
    }

    /// The cell below `name`; `None` too where it is blank, `<none>`, `<unknown>` or `<unset>`.
    pub fn value(&self, name: &str) -> Option<&'a str> {
        self.cell(name).filter(|cell| super::cells::is_value(cell))
    }

    /// The object's kind where the row says `kind/name`, and its name.
    pub fn name(&self) -> Option<(Option<&'a str>, &'a str)> {
        let cell = self.value("NAME").filter(|cell| !cell.contains(char::is_whitespace))?;
        Some(match cell.split_once('/') {
            Some((kind, name)) => (Some(kind), name),
            None => (None, cell),
        })
    }
}

/// The pieces of a line between runs of two or more blanks (or between tabs), with their offset in characters.
pub(in crate::evidence) fn pieces(line: &str) -> Vec<(usize, &str)> {
    let separator = if line.contains('\t') { "\t" } else { "  " };
    let (mut found, mut offset) = (Vec::new(), 0);
    for part in line.split(separator) {
        let text = part.trim_start();
        let lead = part.len() - text.len();
        if !text.trim().is_empty() || (separator == "\t" && !found.is_empty()) {
            found.push((offset + lead, text.trim_end()));
        }
        offset += part.chars().count() + separator.len();
    }
    while found.last().is_some_and(|(_, text)| text.is_empty()) {
        found.pop();
    }
    found
}

/// The byte at which character `at` starts; the line's length beyond its end.
fn byte_of(line: &str, at: usize) -> usize {
    if line.is_ascii() {
        return at.min(line.len());
    }
    line.char_indices().nth(at).map_or(line.len(), |(byte, _)| byte)
}

/// `READY`, `CPU(cores)`, `PORT(S)`, `MEMORY%`; the small letters of a custom column make it none.
fn is_heading_word(word: &str) -> bool {
    let name = word.split('(').next().unwrap_or(word);
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && !name.contains(|c: char| c.is_lowercase() || c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(heading: &str, row: &str, names: &[&str]) -> Vec<String> {
        let heading = Heading::of_get(heading).unwrap();
        let row = heading.row(1, row);
        names.iter().map(|name| row.cell(name).unwrap().to_owned()).collect()
    }

    #[test]
    fn cells_stand_below_their_headings() {
        let heading = "NAME        ENDPOINTS        AGE";
        for (row, expected) in [
            ("kube-dns    10.0.0.1:53      12m", ["kube-dns", "10.0.0.1:53", "12m"]),
            ("kube-dns                     12m", ["kube-dns", "", "12m"]),
            ("kube-dns    <none>", ["kube-dns", "<none>", ""]),
            ("a-name-wider-than-it   10.0.0.1:53   12m", ["a-name-wider-than-it", "10.0.0.1:53", "12m"]),
            ("kube-dns\t10.0.0.1:53\t12m", ["kube-dns", "10.0.0.1:53", "12m"]),
            ("kube-dns\t\t12m", ["kube-dns", "", "12m"]),
        ] {
            assert_eq!(cells(heading, row, &["NAME", "ENDPOINTS", "AGE"]), expected, "{row}");
        }
    }

    #[test]
    fn a_message_keeps_its_runs_of_blanks() {
        let heading = "LAST SEEN   TYPE      MESSAGE     COUNT";
        let row = "12s         Warning   a  b  c     4";
        assert_eq!(cells(heading, row, &["MESSAGE", "COUNT"]), ["a  b  c", "4"]);
    }

    #[test]
    fn squeezed_tables_are_split_at_words() {
        let heading = "NAME READY STATUS RESTARTS AGE NOMINATED NODE";
        let row = "web-1 0/1 Error 12 (2m50s ago) 41m <none>";
        assert_eq!(cells(heading, row, &["RESTARTS", "AGE", "NOMINATED NODE"]), ["12 (2m50s ago)", "41m", "<none>"]);
    }

    #[test]
    fn other_lines_are_no_heading() {
        for line in ["", "Name:   x", "NAME", "name  ready", "coredns   1/1   Running", "NAME is what  it is", "ä  ö"]
        {
            assert!(Heading::of_get(line).is_none(), "{line}");
        }
    }

    #[test]
    fn pieces_know_their_offset() {
        assert_eq!(pieces("  a b   c"), [(2, "a b"), (8, "c")]);
        assert_eq!(pieces("ä  b"), [(0, "ä"), (3, "b")]);
        assert!(pieces("   ").is_empty());
    }
}
