//! What a difference matters: how far the choice at the root depends on it.
//!
//! Each of the two columns in turn is made to believe the other about the move: its own value of the move is replaced by
//! the nearest one that the other considers possible, or, if it did not search the move, by the other's value. Then the
//! best value at the node changes or not; if it changes, the move that leads there changes by as much at the node above,
//! and so on up to the root, each side choosing its best move by that column's values. What is left of the change at the
//! root is at stake. Most differences come to nothing on the way: a move that both hold worse than another one may be as
//! bad as it likes.
//!
//! Where a column knows only a bound of a rival move, the rival counts with the other column's value, as far as the bound
//! allows.

use std::sync::Arc;

use super::difference::Difference;
use super::interval::Interval;
use super::merge::{Merged, MergedCell, MergedRow};
use game::MoveCode;
use tree::Fate;

/// What one difference puts at stake at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stake {
    /// The column whose score at the root changes most.
    pub column: usize,
    /// By how much it changes, from the view of the root's side to move.
    pub change: f32,
    /// The move that the column would then play instead of its present choice, if that changes.
    pub instead: Option<MoveCode>,
}

impl Stake {
    /// Nothing is at stake.
    pub(super) const NONE: Stake = Stake {
        column: 0,
        change: 0.0,
        instead: None,
    };

    /// Returns how much the expected score at the root changes, in [0, 2].
    pub fn size(&self) -> f32 {
        self.change.abs()
    }
}

/// All moves at a merged node with what the columns know about them, and the same of the nodes above.
#[derive(Debug)]
pub(super) struct Level {
    rows: Vec<(MoveCode, Vec<Option<Known>>)>,
    above: Option<(Arc<Level>, MoveCode)>,
}

/// What a column knows about a move, for the side that plays it.
#[derive(Clone, Copy, Debug)]
struct Known {
    value: f32,
    interval: Interval,
}

impl Known {
    fn of(cell: &MergedCell) -> Option<Known> {
        let interval = Interval::of(cell)?;
        let value = match interval.low == interval.high {
            true => interval.low,
            false => cell.verdict.expected?,
        };
        Some(Known { value, interval })
    }

    fn is_exact(&self) -> bool {
        self.interval.low == self.interval.high
    }
}

impl Level {
    pub fn new(rows: &[MergedRow], above: Option<(Arc<Level>, MoveCode)>) -> Arc<Level> {
        let known = |row: &MergedRow| {
            let cells = row.cells.iter();
            let known = cells.map(|cell| Known::of(cell.as_ref()?));
            (row.name.code, known.collect())
        };
        Arc::new(Level {
            rows: rows.iter().map(known).collect(),
            above,
        })
    }

    /// Returns what a difference at one of the moves puts at stake.
    pub fn stake(&self, code: MoveCode, difference: &Difference) -> Stake {
        let (one, other) = difference.columns();
        // That a move was cut off with its siblings says nothing about it.
        let mute = match difference {
            Difference::PrunedHereBestThere {
                here,
                fate: Fate::SiblingCutoff { .. } | Fate::SiblingProbabilisticCutoff { .. },
                ..
            } => Some(*here),
            _ => None,
        };
        [(one, other), (other, one)]
            .into_iter()
            .filter(|(_, told_by)| mute != Some(*told_by))
            .map(|(column, told_by)| self.if_believed(code, column, told_by))
            .fold(Stake::NONE, |most, next| {
                if next.size() > most.size() {
                    next
                } else {
                    most
                }
            })
    }

    /// Returns what changes at the root if a column believes another one about a move.
    fn if_believed(&self, code: MoveCode, column: usize, told_by: usize) -> Stake {
        let none = Stake {
            column,
            ..Stake::NONE
        };
        let (mut level, mut code) = (self, code);
        let mut before = self.held(code, column, told_by);
        let mut after = match (before, self.known(code, told_by)) {
            (Some(own), Some(told)) => Some(own.clamp(told.interval.low, told.interval.high)),
            // Only that it is at most so much says nothing.
            (None, Some(told)) => Some(told.value).filter(|_| told.interval.low > -1.0),
            (_, None) => None,
        };
        loop {
            let rest = level.rest(code, column, told_by);
            let (old, new) = (best(before, rest), best(after, rest));
            let Some((old, new)) = old.zip(new).filter(|(old, new)| old.0 != new.0) else {
                return none;
            };
            let change = new.0 - old.0;
            match &level.above {
                None => {
                    let plays = |of: Option<MoveCode>| of.unwrap_or(code);
                    let instead = plays(new.1);
                    return Stake {
                        column,
                        change,
                        instead: (instead != plays(old.1)).then_some(instead),
                    };
                }
                Some((above, to_here)) => {
                    let Some(value) = above.held(*to_here, column, told_by) else {
                        return none;
                    };
                    before = Some(value);
                    after = Some((value - change).clamp(-1.0, 1.0));
                    code = *to_here;
                    level = above;
                }
            }
        }
    }

    fn known(&self, code: MoveCode, column: usize) -> Option<Known> {
        let (_, known) = self.rows.iter().find(|(other, _)| *other == code)?;
        known.get(column).copied().flatten()
    }

    /// Returns a column's value of a move: where it knows only a bound, that of the other column as far as the bound allows.
    fn held(&self, code: MoveCode, column: usize, told_by: usize) -> Option<f32> {
        let own = self.known(code, column)?;
        let told = self.known(code, told_by).filter(Known::is_exact);
        Some(match told.filter(|_| !own.is_exact()) {
            Some(told) => told.value.clamp(own.interval.low, own.interval.high),
            None => own.value,
        })
    }

    /// Returns the best of the other moves by a column's values.
    fn rest(&self, code: MoveCode, column: usize, told_by: usize) -> Option<(f32, MoveCode)> {
        let others = self.rows.iter().filter(|(other, _)| *other != code);
        let values =
            others.filter_map(|(other, _)| Some((self.held(*other, column, told_by)?, *other)));
        values.max_by(|a, b| a.0.total_cmp(&b.0))
    }
}

/// Returns the better of a move and the best of the others, which is named; the move itself is not.
fn best(own: Option<f32>, rest: Option<(f32, MoveCode)>) -> Option<(f32, Option<MoveCode>)> {
    match (own, rest) {
        (Some(own), Some((value, code))) if value > own => Some((value, Some(code))),
        (Some(own), _) => Some((own, None)),
        (None, rest) => rest.map(|(value, code)| (value, Some(code))),
    }
}

impl Merged<'_> {
    /// Returns what a difference at the last move of a path puts at stake at the root.
    pub fn stake(&self, path: &[MoveCode], difference: &Difference) -> Stake {
        let Some((code, before)) = path.split_last() else {
            return Stake::NONE;
        };
        let mut level: Option<Arc<Level>> = None;
        for plies in 0..=before.len() {
            let Some(node) = self.merged_node(&before[..plies]) else {
                return Stake::NONE;
            };
            let above = level.zip(plies.checked_sub(1).map(|last| before[last]));
            level = Some(Level::new(&self.read(&node), above));
        }
        level.map_or(Stake::NONE, |level| level.stake(*code, difference))
    }
}
