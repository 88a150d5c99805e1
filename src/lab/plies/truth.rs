//! What is taken as the truth about a node: the verdict of another search of the node's own position.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use game::Scale;
use game::load::{LoadError, labels};
use session::jobs::Worker;
use session::{Budget, Subject};
use studies::compare::ColumnSpec;
use studies::suite::ColumnRunner;

/// Where labels come from.
#[derive(Clone, Debug)]
pub enum Truth {
    /// A search of each node: one of plyscope's algorithms or an external engine.
    Search {
        column: Box<ColumnSpec>,
        length: Length,
    },
    /// A file; positions that are not in it have no label.
    File(Arc<Labels>),
    /// Nothing is labelled: only the spread is measured.
    Nothing,
}

/// How many nodes a label's search has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// As many times the nodes that the tree spent at and below the node.
    pub times: u64,
    /// At least as many.
    pub least: u64,
}

impl Length {
    fn budget(self, spent: u64) -> Budget {
        Budget::Nodes(self.least.max(self.times.saturating_mul(spent)))
    }
}

/// The labels of a file, by position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labels(HashMap<String, f64>);

/// Returns the part of a FEN that identifies a position in a file of labels: all but the counters of moves.
pub fn fen_key(fen: &str) -> &str {
    let end = fen
        .match_indices(' ')
        .nth(3)
        .map_or(fen.len(), |(at, _)| at);
    &fen[..end]
}

impl Labels {
    /// Reads a file of labels ([`labels::read`]). `refused` is told of each line that is not one.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(path: &Path, mut refused: impl FnMut(&LoadError)) -> Result<Labels, LoadError> {
        let mut found = HashMap::new();
        labels::read(path, |label| match label {
            Ok(label) => {
                if let Some(verdict) = label.verdict {
                    let fen = label.position.fen();
                    found.insert(fen_key(&fen).to_owned(), f64::from(verdict));
                }
            }
            Err(problem) => refused(&problem),
        })?;
        Ok(Labels(found))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Labels one node after another.
pub(super) enum Judge {
    Search {
        runner: ColumnRunner,
        length: Length,
        is_external: bool,
    },
    File(Arc<Labels>),
    Nothing,
}

impl Judge {
    pub fn new(truth: &Truth) -> Judge {
        match truth {
            Truth::Search { column, length } => {
                let columns = [small((**column).clone())];
                Judge::Search {
                    runner: ColumnRunner::new(&columns, length.budget(0)),
                    length: *length,
                    is_external: matches!(**column, ColumnSpec::External(_)),
                }
            }
            Truth::File(labels) => Judge::File(Arc::clone(labels)),
            Truth::Nothing => Judge::Nothing,
        }
    }

    /// Gives the labels that a record has.
    pub fn of_record(labels: &[(String, f64)]) -> Judge {
        Judge::File(Arc::new(Labels(labels.iter().cloned().collect())))
    }

    /// Returns the expected score for the side to move (±1 where a mate is found); the inner option is `None` if there
    /// is no label, the outer one if the search was stopped. `spent` are the nodes that the tree spent on it.
    pub fn truth(&mut self, subject: &Subject, spent: u64, worker: &Worker) -> Option<Option<f64>> {
        match self {
            Judge::Nothing => Some(None),
            Judge::File(labels) => {
                let fen = subject.position.fen().unwrap_or_default();
                Some(labels.0.get(fen_key(&fen)).copied())
            }
            Judge::Search {
                runner,
                length,
                is_external,
            } => {
                runner.set_budget(length.budget(spent));
                let halted = || worker.pool.is_stopped();
                let found = runner.search(subject, 0, halted, |face| face.summary().score);
                if halted() {
                    return None;
                }
                let score = found.ok();
                // An engine's own winning chances are on another scale than centipawns.
                let expected = match is_external {
                    true => score
                        .and_then(|s| s.score)
                        .map(|s| Scale::Logistic.expected(s)),
                    false => score.and_then(|s| s.expected),
                };
                Some(expected.map(f64::from))
            }
        }
    }
}

/// Returns a column with a small table and a tree of the root alone: labels are many and short searches.
fn small(column: ColumnSpec) -> ColumnSpec {
    match column {
        ColumnSpec::Own(mut config) => {
            config.threads = 1;
            config.table = config.table.min(16 << 20);
            config.record_plies = 1;
            ColumnSpec::Own(config)
        }
        external @ ColumnSpec::External(_) => external,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_do_not_matter() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        assert_eq!(fen_key(&format!("{start} 0 1")), start);
        assert_eq!(fen_key(start), start);
    }
}
