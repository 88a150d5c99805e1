//! A test suite's results: a table for people, JSON and CSV.

mod json;
mod table;

use std::io::Write;

use serde::Serialize;

use crate::engine::Budget;
use crate::engine::suite::Answers;
pub use json::{SuiteJson, each, whole};
pub use table::{position, text};

/// A run over a suite, whole or in part.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    /// What the file is called.
    pub suite: &'a str,
    /// Their names.
    pub columns: &'a [String],
    pub budget: Budget,
    /// Of each column.
    pub threads: usize,
    pub seed: u64,
    /// In the suite's order.
    pub answers: &'a [Answers],
    /// How many positions were to be tried.
    pub wanted: usize,
    /// Positions that ask for nothing.
    pub untried: &'a [String],
}

impl Results<'_> {
    /// Whether all positions are there.
    #[must_use]
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

/// A line per position and column, the columns' titles first.
///
/// # Errors
/// If it can't be written.
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
