//! Figures as plain data: a [`Sheet`] of tables, made once for each experiment. The printers of text and CSV are here, that
//! of the screen is in `tui::views::table`, and none of them knows where the figures come from.

use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use super::lab::verdict::Verdict;
use super::number;
use super::text::{Style, wrap};

/// The results of an experiment in the two forms in which they are printed.
pub trait Report {
    /// Returns what the experiment asks.
    fn question(&self) -> &'static str;

    /// Returns what its figures answer.
    fn verdict(&self) -> Verdict;

    /// Returns the figures for a reader.
    fn sheet(&self) -> Sheet;

    /// Returns the figures for a program, as one object.
    fn json(&self) -> Value;

    /// Returns the width of the verdict in the text.
    fn width(&self) -> usize {
        WIDTH
    }

    /// Returns the results as text: the question, the verdict, then the figures.
    fn text(&self, style: Style) -> String {
        let verdict = self.verdict();
        let words: Vec<&str> = verdict.sentence().split(' ').collect();
        let opening = format!(
            "{}\n{}",
            self.question(),
            wrap(&words, "", 0, Some(self.width()))
        );
        style.apply(opening) + "\n" + &self.sheet().text(style)
    }

    /// Returns the results as one object: the figures, with the question and the verdict.
    fn object(&self) -> Value {
        let verdict = self.verdict();
        let mut object = self.json();
        object["question"] = self.question().into();
        object["verdict"] = verdict.sentence().into();
        object["decided"] = verdict.is_known().into();
        object
    }
}

/// The usual width of the verdict in a text.
const WIDTH: usize = 100;

/// What a cell says beside its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    Word,
    /// A number, which stands at the right of its column.
    Number,
    /// A number that is not as it should be.
    Off,
}

/// One cell of a table; empty if nothing is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    pub text: String,
    /// What follows where there is room: a standard error, an interval.
    pub more: String,
    pub kind: Kind,
}

impl Cell {
    pub fn word(text: String) -> Cell {
        Cell {
            text,
            ..Cell::default()
        }
    }

    pub fn number(text: String) -> Cell {
        Cell {
            kind: Kind::Number,
            ..Cell::word(text)
        }
    }

    /// Returns the whole text.
    pub fn whole(&self) -> String {
        format!("{}{}", self.text, self.more)
    }
}

impl<C: Into<Cell>> From<Option<C>> for Cell {
    fn from(known: Option<C>) -> Cell {
        known.map_or_else(Cell::default, C::into)
    }
}

macro_rules! cells {
    ($make:expr => $($of:ty),*) => {$(
        impl From<$of> for Cell {
            fn from(x: $of) -> Cell {
                ($make)(x.to_string())
            }
        }
    )*};
}
cells!(Cell::word => &str, &String, String, char);
cells!(Cell::number => u8, u16, u32, u64, usize, i32, f32, f64);

/// Returns the letter that stands for a column or a row where there is no room for its name: A, B, ...
pub fn letter(place: usize) -> char {
    char::from(b'A' + (place % 26) as u8)
}

/// Returns a number with so many decimals.
pub fn fixed(x: f64, decimals: usize) -> Cell {
    Cell::number(number::rounded(x, decimals))
}

/// Returns a number with its sign and so many decimals.
pub fn signed(x: f64, decimals: usize) -> Cell {
    Cell::number(number::minus(&format!("{x:+.decimals$}")))
}

/// Returns a factor: `×1.25`.
pub fn factor(x: f64, decimals: usize) -> Cell {
    Cell::number(format!("×{x:.decimals$}"))
}

/// Returns a count with an SI prefix.
pub fn count(n: u64) -> Cell {
    Cell::number(number::count(n))
}

/// Returns a share in per cent.
pub fn percent(share: f64) -> Cell {
    Cell::number(number::minus(&number::percent(share as f32)))
}

/// Returns a share that may be far below one per cent.
pub fn rare(share: f64) -> Cell {
    Cell::number(number::rare(share))
}

/// Returns the interval of such a share.
pub fn rare_between((low, high): (f64, f64)) -> Cell {
    Cell::number(number::rare_between(low, high))
}

impl Cell {
    /// Adds the standard error of the number, if it is known.
    pub fn or_error(mut self, error: Option<f64>, decimals: usize) -> Cell {
        if let Some(error) = error {
            self.more = format!("±{error:.decimals$}");
        }
        self
    }

    /// Adds the interval of a rare share, if it is known.
    pub fn among(mut self, interval: Option<(f64, f64)>) -> Cell {
        if let Some((low, high)) = interval {
            self.more = format!(" ({})", number::rare_between(low, high));
        }
        self
    }

    /// Adds the interval of the number, if it is known, as `write` writes its ends.
    pub fn within(mut self, interval: Option<(f64, f64)>, write: impl Fn(f64) -> Cell) -> Cell {
        if let Some((low, high)) = interval {
            self.more = format!(" [{}, {}]", write(low).text, write(high).text);
        }
        self
    }
}

/// A column with its heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    pub head: String,
    pub cells: Vec<Cell>,
    /// Whether it may be missing where there is no room for all.
    pub is_minor: bool,
}

impl Column {
    /// Whether its cells stand at the right.
    pub fn is_right(&self) -> bool {
        self.cells.iter().any(|cell| cell.kind != Kind::Word)
    }
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub columns: Vec<Column>,
}

impl Table {
    /// Begins a table with one row for each of these; the columns follow.
    pub fn of<T>(rows: &[T]) -> Rows<'_, T> {
        let table = Table::default();
        Rows { rows, table }
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }

    /// Returns the table as text, each column as wide as its widest cell. Columns that are empty apart from their heading are
    /// left out.
    pub fn text(&self, style: Style) -> String {
        // The style comes first, because some characters are wider in ASCII.
        let styled = self.columns.iter().map(|column| {
            let cells = column.cells.iter().map(|cell| style.apply(cell.whole()));
            let cells: Vec<String> = cells.collect();
            let widest = cells.iter().map(|cell| cell.width()).max().unwrap_or(0);
            let head = style.apply(column.head.clone());
            let width = widest.max(head.width());
            (widest > 0).then_some((column.is_right(), width, head, cells))
        });
        let styled: Vec<_> = styled.flatten().collect();
        if styled.is_empty() {
            return String::new();
        }
        let line = |read: &dyn Fn(usize) -> String| {
            let padded = styled.iter().enumerate().map(|(i, (is_right, width, ..))| {
                let text = read(i);
                let pad = " ".repeat(width - text.width());
                match is_right {
                    true => pad + &text,
                    false => text + &pad,
                }
            });
            format!("{}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
        };
        let rows = (0..self.height()).map(|row| line(&|i| styled[i].3[row].clone()));
        line(&|i| styled[i].2.clone()) + &rows.collect::<String>()
    }

    /// Returns the table as comma-separated values, after a line with the headings.
    pub fn csv(&self) -> String {
        let quoted = |text: &String| match text.contains([',', '"', '\n']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.clone(),
        };
        let line = |read: &dyn Fn(&Column) -> String| {
            let values: Vec<String> = self.columns.iter().map(read).collect();
            values.join(",") + "\n"
        };
        let rows = (0..self.height()).map(|row| line(&|column| quoted(&column.cells[row].whole())));
        line(&|column| quoted(&column.head)) + &rows.collect::<String>()
    }
}

/// A table that is being made: its rows are known, and its columns are added from left to right.
#[derive(Debug)]
pub struct Rows<'a, T> {
    rows: &'a [T],
    table: Table,
}

impl<'a, T> Rows<'a, T> {
    /// Adds a column.
    pub fn column<C: Into<Cell>>(
        mut self,
        head: impl Into<String>,
        cell: impl Fn(&'a T) -> C,
    ) -> Self {
        self.table.columns.push(Column {
            head: head.into(),
            cells: self.rows.iter().map(|row| cell(row).into()).collect(),
            is_minor: false,
        });
        self
    }

    /// Lets the last few columns be missing where there is no room for all.
    pub fn minor(mut self, columns: usize) -> Self {
        let last = self.table.columns.iter_mut().rev().take(columns);
        last.for_each(|column| column.is_minor = true);
        self
    }

    /// Adds a column for each of several things.
    pub fn columns<K: Copy, H: Into<String>, C: Into<Cell>>(
        self,
        keys: impl IntoIterator<Item = K>,
        head: impl Fn(K) -> H,
        cell: impl Fn(&'a T, K) -> C,
    ) -> Self {
        let keys = keys.into_iter();
        keys.fold(self, |rows, key| {
            rows.column(head(key), |row| cell(row, key))
        })
    }
}

impl<T> From<Rows<'_, T>> for Table {
    fn from(rows: Rows<'_, T>) -> Table {
        rows.table
    }
}

/// A table with a title above it and notes below it, each of which may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub title: String,
    pub table: Table,
    pub notes: Vec<String>,
}

/// What is known of an experiment, block by block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    pub blocks: Vec<Block>,
}

impl Sheet {
    /// Begins a sheet with a line that says what it is about.
    pub fn new(title: impl Into<String>) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.table(title, Table::default());
        sheet
    }

    /// Adds a block.
    pub fn table(&mut self, title: impl Into<String>, table: impl Into<Table>) {
        self.blocks.push(Block {
            title: title.into(),
            table: table.into(),
            notes: Vec::new(),
        });
    }

    /// Adds a line below the last block.
    pub fn note(&mut self, words: impl Into<String>) {
        if let Some(block) = self.blocks.last_mut() {
            block.notes.push(words.into());
        }
    }

    /// Returns the sheet as text, with a blank line between blocks.
    pub fn text(&self, style: Style) -> String {
        let line = |line: &String| style.apply(format!("{line}\n"));
        let block = |block: &Block| -> String {
            let title = Some(&block.title).filter(|title| !title.is_empty());
            let title: String = title.into_iter().map(line).collect();
            let notes: String = block.notes.iter().map(line).collect();
            title + &block.table.text(style) + &notes
        };
        let blocks: Vec<String> = self.blocks.iter().map(block).collect();
        blocks.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let rows = [("one", Some(1.25)), ("another", None)];
        let table = Table::of(&rows)
            .column("word", |row| row.0)
            .column("nothing", |_| None::<usize>)
            .columns(
                [1, 2],
                |k| format!("x{k}"),
                |row, k| row.1.map(|x| fixed(-x, k)),
            );
        let mut sheet = Sheet::new("title · more");
        sheet.table("", table);
        sheet.note("note");
        sheet
    }

    #[test]
    fn a_sheet_is_printed_as_text() {
        let text = sheet().text(Style::default());
        let expected =
            "title · more\n\nword       x1     x2\none      −1.2  −1.25\nanother\nnote\n";
        assert_eq!(text, expected);
        assert!(sheet().text(Style { ascii: true }).is_ascii());
    }

    #[test]
    fn a_table_is_printed_as_values() {
        let rows = ["a, b", "say \"c\""];
        let table = Table::of(&rows)
            .column("text", |row| *row)
            .column("n", |row| row.len());
        let expected = "text,n\n\"a, b\",4\n\"say \"\"c\"\"\",7\n";
        assert_eq!(Table::from(table).csv(), expected);
    }
}
