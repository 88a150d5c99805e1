//! The comparison as JSON.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::{Position, value_apart};
use crate::difference::sentence;
use crate::json::{SearchResult, VERSION, bound_name};
use game::MoveCode;
use session::Budget;
use studies::compare::{Apart, ColumnSpec, Face, MergedCell, MergedRow};

/// All columns for one position.
#[derive(Serialize, Debug)]
pub struct CompareJson<'a> {
    version: u32,
    /// The number of the position, from 1.
    number: usize,
    title: &'a str,
    /// `null` for a toy tree.
    fen: Option<&'a str>,
    #[serde(serialize_with = "budget_json")]
    budget: Budget,
    columns: Vec<ColumnJson<'a>>,
    /// Every legal move, by average rank.
    moves: Vec<RowJson<'a>>,
    differences: Vec<DifferenceJson>,
}

#[derive(Serialize, Debug)]
struct ColumnJson<'a> {
    name: &'a str,
    /// In the form of `plyscope search --json`.
    search: SearchResult,
    cpu_ms: f64,
    memory_bytes: u64,
    trouble: Option<&'a str>,
}

#[derive(Serialize, Debug)]
struct RowJson<'a> {
    uci: &'a str,
    san: &'a str,
    /// The largest difference between the columns' expected scores, as far as bounds determine it.
    disagreement: f32,
    /// Whether any difference about the move is flagged.
    flagged: bool,
    /// The distance of the values in units of their joint uncertainty, where they differ enough for a note.
    sigmas: Option<f32>,
    /// `null` for a column without results.
    columns: Vec<Option<CellJson>>,
}

#[derive(Serialize, Debug)]
struct CellJson {
    /// 1 is best; `null` if the column knows no value of the move.
    rank: Option<usize>,
    /// From the view of the side that plays the move.
    expected: Option<f32>,
    /// Whether `expected` is only a bound.
    bound: Option<&'static str>,
    sd: Option<f32>,
    /// The share of the column's work at the root.
    share: Option<f32>,
    fate: &'static str,
}

#[derive(Serialize, Debug)]
struct DifferenceJson {
    /// The moves that lead to the difference, ending with the move in question.
    line: String,
    kind: &'static str,
    /// The columns that differ, from 0.
    columns: (usize, usize),
    /// Whether the two values are further apart than their joint uncertainty.
    flagged: bool,
    /// The distance of the two values that the difference is judged by; `null` if there are none.
    apart: Option<f32>,
    /// Their joint uncertainty.
    uncertainty: Option<f32>,
    /// The distance in units of the joint uncertainty; `null` also if both values are certain.
    sigmas: Option<f32>,
    /// How much the expected score of a column at the root would change if it believed the other one here.
    stake: f32,
    /// The move (UCI) that the column would then play instead of its choice; `null` if it would play the same.
    instead: Option<String>,
    weight: f32,
    /// As a sentence.
    text: String,
}

/// Returns the object for one position.
pub fn json<'a>(position: &'a Position) -> CompareJson<'a> {
    let merged = position.comparison.merged(None);
    let listed = position.listed.iter().map(|l| DifferenceJson {
        line: merged.line(&l.path),
        kind: l.found.kind().name(),
        columns: l.found.difference.columns(),
        flagged: l.found.flagged,
        apart: l.found.apart.map(|a| a.by),
        uncertainty: l.found.apart.map(|a| a.joint),
        sigmas: l.found.apart.map(Apart::sigmas).filter(|s| s.is_finite()),
        stake: l.stake.size(),
        instead: l.stake.instead.and_then(|code| uci(position, code)),
        weight: l.weight,
        text: sentence(&merged, &l.path, &l.found, position.names),
    });
    CompareJson {
        version: VERSION,
        number: position.number,
        title: &position.title,
        fen: position.fen(),
        budget: position.comparison.budget(),
        columns: (0..position.columns.len())
            .map(|i| column(position, i))
            .collect(),
        moves: position.rows.iter().map(row).collect(),
        differences: listed.collect(),
    }
}

fn column<'a>(position: &'a Position, i: usize) -> ColumnJson<'a> {
    let column = &position.columns[i];
    let reader = column.face.reader();
    let (summary, scale, grid) = (&column.summary, reader.scale(), reader.tree.grid());
    let search = match (&position.comparison.columns()[i].spec, column.face) {
        (ColumnSpec::External(spec), Face::External(external)) => {
            SearchResult::of_program(summary, external.name(), &spec.options, scale, grid)
        }
        (ColumnSpec::External(spec), Face::Own(_)) => {
            SearchResult::of_program(summary, spec.name.clone(), &spec.options, scale, grid)
        }
        (ColumnSpec::Own(config), _) => SearchResult::new(summary, config, scale, grid),
    };
    ColumnJson {
        name: &position.names[i],
        search,
        cpu_ms: summary.status.cpu.as_micros() as f64 / 1e3,
        memory_bytes: summary.status.tree_bytes,
        trouble: column.trouble.as_deref(),
    }
}

fn uci(position: &Position, code: MoveCode) -> Option<String> {
    let row = position.rows.iter().find(|row| row.name.code == code)?;
    Some(row.name.uci.clone())
}

fn row(row: &MergedRow) -> RowJson<'_> {
    let cell = |cell: &MergedCell| CellJson {
        rank: cell.rank,
        expected: cell.expected(),
        bound: cell.verdict.bound.and_then(bound_name),
        sd: cell.sd(),
        share: cell.share,
        fate: cell.view.fate.name(),
    };
    RowJson {
        uci: &row.name.uci,
        san: &row.name.san,
        disagreement: row.disagreement,
        flagged: row.is_flagged(),
        sigmas: value_apart(row)
            .map(Apart::sigmas)
            .filter(|s| s.is_finite()),
        columns: row.cells.iter().map(|c| c.as_ref().map(cell)).collect(),
    }
}

/// Serialises a budget as `{"nodes": 30000}`, `{"cpu_ms": 500}` or `{"depth": 8}`.
pub fn budget_json<S: Serializer>(budget: &Budget, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    match budget {
        Budget::Nodes(nodes) => map.serialize_entry("nodes", nodes)?,
        Budget::Cpu(time) => map.serialize_entry("cpu_ms", &(time.as_secs_f64() * 1e3))?,
        Budget::Depth(depth) => map.serialize_entry("depth", depth)?,
        Budget::Unlimited => {}
    }
    map.end()
}
