//! Reads the answer to a question off the search, and compares the reader's answer with it.

use super::{Kind, Question, Row};
use game::MoveCode;
use search::Event;
use session::breakpoint::Still;
use tree::{NodeId, Tree};

/// The answer that the search gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A row: its parent's node and its move.
    Row {
        parent: NodeId,
        m: MoveCode,
    },
    Number {
        value: f64,
        tolerance: f64,
    },
    /// The index of the choice that is true.
    Choice(usize),
}

/// The reader's answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Guess {
    Row { parent: NodeId, m: MoveCode },
    Number(f64),
    Choice(usize),
}

/// The error if the search gives no answer, or more than one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found {found}, expected {expected}")]
pub struct NoAnswer {
    pub found: String,
    pub expected: String,
}

impl NoAnswer {
    fn new(found: impl Into<String>, expected: impl Into<String>) -> NoAnswer {
        NoAnswer {
            found: found.into(),
            expected: expected.into(),
        }
    }
}

impl Answer {
    /// Whether the guess is right. A number must be within the tolerance, plus some room for rounding.
    pub fn fits(&self, guess: &Guess) -> bool {
        match (self, guess) {
            (Answer::Row { parent, m }, Guess::Row { parent: p, m: n }) => (parent, m) == (p, n),
            (Answer::Number { value, tolerance }, Guess::Number(x)) => {
                (value - x).abs() <= tolerance + 1e-6 * (1.0 + value.abs())
            }
            (Answer::Choice(right), Guess::Choice(chosen)) => right == chosen,
            _ => false,
        }
    }

    /// The moves from the root to the row, by name; `None` if the answer is no row.
    pub fn row_name(&self, still: &Still) -> Option<String> {
        let Answer::Row { parent, m } = *self else {
            return None;
        };
        let line = still.reader.tree.path(parent);
        let names = line.iter().skip(1).map(|&id| {
            let node = still.reader.tree.node(id);
            still.reader.label(node.parent(), node.move_code())
        });
        let last = still.reader.label(parent, m);
        Some(names.chain([last]).collect::<Vec<_>>().join(" "))
    }
}

impl Question {
    /// Reads the answer off a search that has run as far as the question requires.
    ///
    /// # Errors
    /// If there is no answer, or more than one.
    pub fn answer(&self, still: &Still) -> Result<Answer, NoAnswer> {
        match &self.kind {
            Kind::Row(row) => row.answer(still),
            Kind::Number { measure, tolerance } => {
                let value = measure.of(still).filter(|v| v.is_finite());
                let missing = || NoAnswer::new("no number", format!("{:?}", measure.text()));
                Ok(Answer::Number {
                    value: value.ok_or_else(missing)?,
                    tolerance: *tolerance,
                })
            }
            Kind::Choice(choices) => {
                let claims = choices.iter().enumerate();
                let right: Vec<usize> = claims
                    .filter(|(_, c)| c.claim.holds(still))
                    .map(|(i, _)| i)
                    .collect();
                match right[..] {
                    [one] => Ok(Answer::Choice(one)),
                    [] => Err(NoAnswer::new("no choice that holds", "one")),
                    ref several => {
                        let texts: Vec<String> =
                            several.iter().map(|i| (i + 1).to_string()).collect();
                        Err(NoAnswer::new(
                            format!("several choices that hold ({})", texts.join(", ")),
                            "one",
                        ))
                    }
                }
            }
        }
    }
}

impl Row {
    fn answer(&self, still: &Still) -> Result<Answer, NoAnswer> {
        match self {
            Row::Next => {
                let row = still.event.as_ref();
                let row = row.and_then(|e| row_of(still.reader.tree, e));
                row.ok_or_else(|| NoAnswer::new("the root", "an event at a move"))
            }
            Row::Extreme {
                measure,
                among,
                greatest,
            } => {
                let tree = still.reader.tree;
                let parent = among
                    .node(tree)
                    .ok_or_else(|| NoAnswer::new("no node", format!("{:?}", among.text())))?;
                let sign = if *greatest { 1.0 } else { -1.0 };
                let of = |id| Some((sign * measure.at(still, id)?, id));
                let mut found: Vec<(f64, NodeId)> = tree.children(parent).filter_map(of).collect();
                found.sort_by(|a, b| b.0.total_cmp(&a.0));
                match found[..] {
                    [] => Err(NoAnswer::new(
                        "no such figure",
                        format!("{:?}", measure.text()),
                    )),
                    [(a, _), (b, _), ..] if a == b => {
                        Err(NoAnswer::new("two moves with the same figure", "one"))
                    }
                    [(_, id), ..] => Ok(Answer::Row {
                        parent,
                        m: tree.node(id).move_code(),
                    }),
                }
            }
        }
    }
}

fn row_of(tree: &Tree, event: &Event) -> Option<Answer> {
    match *event {
        Event::Prune { parent, m, .. } => return Some(Answer::Row { parent, m }),
        Event::Audit { node, m, .. } if m != MoveCode::NONE => {
            return Some(Answer::Row { parent: node, m });
        }
        _ => {}
    }
    let node = tree.node(event.node());
    (event.node() != Tree::ROOT).then(|| Answer::Row {
        parent: node.parent(),
        m: node.move_code(),
    })
}
