//! The comparison as JSON.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Column, Position, value_apart};
use crate::difference::sentence;
use crate::event::{AnyFate, FateJson};
use crate::json::{SearchResult, VERSION, Version, bound_name};
use crate::schema::{BoundName, DifferenceName, FateName};
use game::MoveCode;
use session::Budget;
use studies::compare::{Apart, ColumnSpec, Face, MergedCell, MergedRow};

/// Several searches of one position.
#[derive(Serialize, JsonSchema, Debug)]
pub struct CompareJson<'a> {
    version: Version,
    /// The number of the position in its file, from 1.
    number: usize,
    /// Its title in its file; may be empty.
    title: &'a str,
    /// The position; null for a toy tree.
    fen: Option<&'a str>,
    budget: Budget,
    /// The searches, in the order of the command line.
    columns: Vec<ColumnJson<'a>>,
    /// Every legal move, by average rank.
    moves: Vec<RowJson<'a>>,
    /// Where the columns differ, the most at stake first.
    differences: Vec<DifferenceJson>,
}

/// One search.
#[derive(Serialize, JsonSchema, Debug)]
struct ColumnJson<'a> {
    /// The name of the column.
    name: &'a str,
    /// Its result, as of plyscope search --json.
    search: SearchResult,
    /// CPU time of all its threads, in milliseconds.
    #[schemars(range(min = 0))]
    cpu_ms: f64,
    /// The memory of its tree in bytes.
    memory_bytes: u64,
    /// Why an external engine failed; null if nothing did.
    trouble: Option<&'a str>,
}

/// One move in all columns.
#[derive(Serialize, JsonSchema, Debug)]
struct RowJson<'a> {
    /// The move in UCI notation; for a toy tree the name of the node.
    uci: &'a str,
    /// The move in standard algebraic notation; for a toy tree the name of the node.
    san: &'a str,
    /// The largest difference between the columns' expected scores, as far as bounds determine it.
    #[schemars(range(min = 0, max = 2))]
    disagreement: f32,
    /// Whether any difference about the move is larger than its uncertainty.
    flagged: bool,
    /// The distance of the values in units of their joint uncertainty; null if they hardly differ or are certain.
    #[schemars(range(min = 0))]
    sigmas: Option<f32>,
    /// What each column found; null for a column without results.
    columns: Vec<Option<CellJson>>,
}

/// One move in one column.
#[derive(Serialize, JsonSchema, Debug)]
struct CellJson {
    /// 1 is best; null if the column knows no value of the move.
    #[schemars(range(min = 1))]
    rank: Option<usize>,
    /// Expected score of the side that plays the move; null if unknown.
    #[schemars(range(min = -1, max = 1))]
    expected: Option<f32>,
    /// Whether `expected` is only a bound.
    #[schemars(with = "Option<BoundName>")]
    bound: Option<&'static str>,
    /// The standard deviation of its belief, in expected score; null without a distribution.
    #[schemars(range(min = 0))]
    sd: Option<f32>,
    /// The share of the column's work at the root; null if unknown.
    #[schemars(range(min = 0, max = 1))]
    share: Option<f32>,
    #[schemars(with = "FateName")]
    fate: &'static str,
    /// The fate with the numbers that decided it, as of plyscope search --json.
    #[schemars(with = "AnyFate")]
    decided: FateJson,
}

/// One way in which two columns differ.
#[derive(Serialize, JsonSchema, Debug)]
struct DifferenceJson {
    /// The moves from the root that lead to it, ending with the move in question.
    line: String,
    #[schemars(with = "DifferenceName")]
    kind: &'static str,
    /// The indices of the columns that differ, from 0.
    columns: (usize, usize),
    /// Whether the two values are further apart than their joint uncertainty.
    flagged: bool,
    /// The distance of the two values in expected score; null if there are none.
    #[schemars(range(min = 0))]
    apart: Option<f32>,
    /// Their joint uncertainty in expected score; null without values.
    #[schemars(range(min = 0))]
    uncertainty: Option<f32>,
    /// The distance in units of that uncertainty; null without values or if both are certain.
    #[schemars(range(min = 0))]
    sigmas: Option<f32>,
    /// How much a column's expected score at the root would change if it believed the other one here.
    #[schemars(range(min = 0))]
    stake: f32,
    /// The move (UCI) that the column would then play; null if it would play the same.
    instead: Option<String>,
    /// Orders what puts equally much at stake: severity times importance.
    #[schemars(range(min = 0))]
    weight: f32,
    /// The difference as a sentence.
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
        moves: position.rows.iter().map(|of| row(position, of)).collect(),
        differences: listed.collect(),
    }
}

fn column<'a>(position: &'a Position, i: usize) -> ColumnJson<'a> {
    let column = &position.columns[i];
    let reader = column.face.reader();
    let summary = &column.summary;
    let search = match (&position.comparison.columns()[i].spec, column.face) {
        (ColumnSpec::External(spec), Face::External(external) | Face::Traced(_, external)) => {
            SearchResult::of_program(summary, external.name(), &spec.options, &reader)
        }
        (ColumnSpec::External(spec), Face::Own(_)) => {
            SearchResult::of_program(summary, spec.name.clone(), &spec.options, &reader)
        }
        (ColumnSpec::Own(config), _) => SearchResult::new(summary, config, &reader),
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

fn row<'a>(position: &Position, row: &'a MergedRow) -> RowJson<'a> {
    let cell = |column: &Column, cell: &MergedCell| CellJson {
        rank: cell.rank,
        expected: cell.expected(),
        bound: cell.verdict.bound.and_then(bound_name),
        sd: cell.sd(),
        share: cell.share,
        fate: cell.view.fate.name(),
        decided: FateJson::of(&column.face.reader(), &cell.view),
    };
    RowJson {
        uci: &row.name.uci,
        san: &row.name.san,
        disagreement: row.disagreement,
        flagged: row.is_flagged(),
        sigmas: value_apart(row)
            .map(Apart::sigmas)
            .filter(|s| s.is_finite()),
        columns: (position.columns.iter().zip(&row.cells))
            .map(|(column, of)| of.as_ref().map(|of| cell(column, of)))
            .collect(),
    }
}
