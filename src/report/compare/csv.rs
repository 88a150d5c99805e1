//! The comparison as comma-separated values.

use std::io::Write;

use serde::Serialize;

use super::{Position, speed};
use crate::text;
use game::Score;
use search::StopReason;

/// One line per position and column.
#[derive(Serialize)]
struct Line<'a> {
    number: usize,
    title: &'a str,
    fen: Option<&'a str>,
    column: &'a str,
    best_uci: Option<&'a str>,
    best_san: Option<&'a str>,
    expected: Option<f32>,
    sd: Option<f32>,
    cp: Option<i16>,
    mate: Option<i16>,
    nodes: u64,
    cpu_ms: f64,
    nodes_per_second: Option<f64>,
    depth: Option<u16>,
    memory_bytes: u64,
    stopped_by: Option<StopReason>,
    line: String,
    trouble: Option<&'a str>,
}

/// Writes positions as they arrive, after a line with the titles.
///
/// # Errors
/// If the output cannot be written to.
#[derive(Debug)]
pub struct CsvWriter<W: Write>(csv::Writer<W>);

impl<W: Write> CsvWriter<W> {
    pub fn new(out: W) -> Self {
        CsvWriter(csv::Writer::from_writer(out))
    }

    /// Writes one line for each column of a position.
    ///
    /// # Errors
    /// If the output cannot be written to.
    pub fn write(&mut self, position: &Position) -> Result<(), csv::Error> {
        for (column, name) in position.columns.iter().zip(position.names) {
            let (summary, status) = (&column.summary, &column.summary.status);
            let best = summary.best.as_ref();
            let belief = summary.belief.as_ref().filter(|b| b.is_distribution());
            let ordinary = summary.score.score.filter(|s| !s.is_decided());
            let chess = summary.fen.is_some();
            self.0.serialize(Line {
                number: position.number,
                title: &position.title,
                fen: summary.fen.as_deref(),
                column: name,
                best_uci: best.map(|b| b.uci.as_str()),
                best_san: best.map(|b| b.san.as_str()),
                expected: summary.score.expected,
                sd: belief.map(|b| b.sd),
                cp: ordinary.filter(|_| chess).map(Score::raw),
                mate: summary.score.mate(),
                nodes: status.totals.nodes,
                cpu_ms: status.cpu.as_micros() as f64 / 1e3,
                nodes_per_second: speed(status).map(f64::round),
                depth: (status.totals.depth > 0).then_some(status.totals.depth),
                memory_bytes: status.tree_bytes,
                stopped_by: summary.stopped_by(),
                line: text::line(&summary.pv, usize::MAX),
                trouble: column.trouble.as_deref(),
            })?;
        }
        self.0.flush()?;
        Ok(())
    }
}
