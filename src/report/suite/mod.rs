//! The results of a test suite: text tables, JSON and CSV.

mod json;
mod table;

use std::io::Write;

use serde::Serialize;

pub use json::{EachJson, SuiteJson, each, whole};
use session::Budget;
use studies::suite::Answers;
pub use table::{position, text};

/// A complete or partial run over a suite.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    /// The name of the file.
    pub suite: &'a str,
    /// The names of the columns.
    pub columns: &'a [String],
    pub budget: Budget,
    /// The number of threads of each column.
    pub threads: usize,
    pub seed: u64,
    /// In the suite's order.
    pub answers: &'a [Answers],
    /// The number of positions to be tried.
    pub wanted: usize,
    /// Positions without a task.
    pub untried: &'a [String],
}

impl Results<'_> {
    /// Whether the answers to all positions are present.
    pub fn is_whole(&self) -> bool {
        self.answers.len() >= self.wanted
    }
}

/// One line of the CSV.
#[derive(Serialize)]
struct Line<'a> {
    number: usize,
    title: &'a str,
    fen: &'a str,
    task: Option<&'static str>,
    column: &'a str,
    solved: Option<bool>,
    points: Option<u32>,
    possible: Option<u32>,
    best_uci: Option<&'a str>,
    best_san: Option<&'a str>,
    expected: Option<f32>,
    cp: Option<i16>,
    mate: Option<i16>,
    nodes: u64,
    cpu_ms: f64,
    depth: Option<u16>,
    kept_nodes: Option<u64>,
    kept_cpu_ms: Option<f64>,
    trouble: Option<&'a str>,
}

/// Writes one line per position and column, after a line with the titles.
///
/// # Errors
/// If `out` cannot be written to.
pub fn csv(results: &Results, out: impl Write) -> Result<(), csv::Error> {
    let mut writer = csv::Writer::from_writer(out);
    for answers in results.answers {
        for (outcome, column) in answers.columns.iter().zip(results.columns) {
            writer.serialize(Line {
                number: answers.number,
                title: &answers.title,
                fen: &answers.fen,
                task: answers.task.map(|t| t.opcode()),
                column,
                solved: outcome.solved,
                points: outcome.points,
                possible: answers.possible,
                best_uci: outcome.best.as_ref().map(|b| b.uci.as_str()),
                best_san: outcome.best.as_ref().map(|b| b.san.as_str()),
                expected: outcome.expected,
                cp: outcome.cp,
                mate: outcome.mate,
                nodes: outcome.nodes,
                cpu_ms: outcome.cpu_ms,
                depth: outcome.depth,
                kept_nodes: outcome.kept.map(|k| k.nodes),
                kept_cpu_ms: outcome.kept.map(|k| k.cpu_ms),
                trouble: outcome.trouble.as_deref(),
            })?;
        }
    }
    writer.flush()?;
    Ok(())
}
