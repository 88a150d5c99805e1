//! Several searches of one position side by side: tables, JSON and CSV.

mod csv;
mod json;
mod table;

use std::time::Duration;

use super::number;
use game::Scale;
use session::Budget;
use session::{Status, Summary};
use studies::compare::{
    Apart, Comparison, Face, Kind, KindSet, Listed, MergedRow, Order, differences, sort,
};

pub use csv::CsvWriter;
pub use json::{CompareJson, json};
pub use table::text;

/// The maximum number of nodes of the merged tree that are examined for differences: about 0.1 s.
const LOOKS: usize = 2_000;

/// The results of all columns for one position, read when they have finished.
#[derive(Debug)]
pub struct Position<'a> {
    /// The number of the position, from 1.
    pub number: usize,
    pub title: String,
    pub comparison: &'a Comparison,
    /// The headings of the columns.
    pub names: &'a [String],
    columns: Vec<Column<'a>>,
    /// The root moves, by average rank.
    rows: Vec<MergedRow>,
    /// The differences anywhere in the trees that matter most at the root, in their rank.
    listed: Vec<Listed>,
}

#[derive(Debug)]
struct Column<'a> {
    face: Face<'a>,
    summary: Summary,
    trouble: Option<String>,
}

impl<'a> Position<'a> {
    /// Reads everything, including at most `differences` differences.
    pub fn read(
        number: usize,
        title: String,
        comparison: &'a Comparison,
        names: &'a [String],
        differences: usize,
    ) -> Position<'a> {
        let faces = comparison.faces(None);
        let columns = faces.into_iter().flatten().map(|face| Column {
            face,
            summary: face.summary(),
            trouble: face.trouble().map(|t| t.message),
        });
        let merged = comparison.merged(None);
        let mut rows = merged.rows(&[]);
        sort(&mut rows, Order::AverageRank);
        Position {
            number,
            title,
            comparison,
            names,
            columns: columns.collect(),
            rows,
            listed: self::differences(&merged, KindSet::ALL, differences, LOOKS).listed,
        }
    }

    /// Returns what prevented columns from answering, as (name, message).
    pub fn troubles(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.names.iter().zip(&self.columns);
        pairs.filter_map(|(name, column)| Some((name.as_str(), column.trouble.as_deref()?)))
    }

    fn fen(&self) -> Option<&str> {
        self.columns.iter().find_map(|c| c.summary.fen.as_deref())
    }

    fn scale(&self) -> Scale {
        self.comparison.merged(None).scale()
    }

    /// Returns the number of root moves with a flagged difference.
    fn flagged(&self) -> usize {
        self.rows.iter().filter(|row| row.is_flagged()).count()
    }
}

/// Returns how far the values of a move are apart, if they differ enough for a note.
fn value_apart(row: &MergedRow) -> Option<Apart> {
    let mut values = row.differences.iter().filter(|f| f.kind() == Kind::Value);
    values.next()?.apart
}

/// Returns the nodes per second of CPU time, which is the speed of one thread, or `None` if no time was measured.
fn speed(status: &Status) -> Option<f64> {
    (status.cpu > Duration::ZERO).then(|| status.totals.nodes as f64 / status.cpu.as_secs_f64())
}

/// Returns a budget in words.
pub fn budget(budget: Budget) -> String {
    match budget {
        Budget::Nodes(n) => format!("{} nodes", number::count(n)),
        Budget::Cpu(time) => format!("{} CPU", number::time(time.as_secs_f64() * 1e3)),
        Budget::Depth(depth) => format!("depth {depth}"),
        Budget::Unlimited => "no limit".into(),
    }
}
