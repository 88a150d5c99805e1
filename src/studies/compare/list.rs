//! The differences of whole trees, ranked by what they matter for the choice at the root.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::difference::{Found, KindSet};
use super::merge::{Merged, MergedRow, Path, Want};
use super::stake::{Level, Stake};
use game::MoveCode;

/// A difference and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// The moves from the root; the difference is about the last one.
    pub path: Path,
    pub found: Found,
    pub stake: Stake,
    /// Orders what puts equally much at stake: severity times importance. Importance is the share of the root's work that
    /// at least two columns spent on the node before the move, times the largest share that a column spent on the move
    /// there (all of it if a column considers it best).
    pub weight: f32,
}

/// The differences found so far.
#[derive(Clone, Debug, Default)]
pub struct Ranked {
    /// The flagged ones first; among these, those that put most at stake at the root.
    pub listed: Vec<Listed>,
    /// Whether every node that the columns have in common was examined.
    pub complete: bool,
}

/// Returns the differences of the requested kinds that matter most, at most `most`, in their rank. Examines nodes in the
/// order of their importance, and at most `budget` of them (about 50 microseconds each).
pub fn differences(merged: &Merged, kinds: KindSet, most: usize, budget: usize) -> Ranked {
    let mut listed: Vec<Listed> = Vec::new();
    let mut open = BinaryHeap::from([Node {
        importance: 1.0,
        path: Path::new(),
        above: None,
    }]);
    for _ in 0..budget {
        let Some(node) = open.pop() else {
            break;
        };
        let Some(merged_node) = merged.merged_node(&node.path) else {
            continue;
        };
        let mut rows = merged.read(&merged_node);
        let want = Want {
            differences: kinds,
            ..Want::FIGURES
        };
        merged.complete(&merged_node, &mut rows, want);
        let level = Level::new(&rows, node.above);
        for row in &rows {
            let code = row.name.code;
            let mut path = node.path.clone();
            path.push(code);
            let weight = node.importance * weight(row);
            listed.extend(row.differences.iter().map(|found| Listed {
                path: path.clone(),
                found: *found,
                stake: level.stake(code, &found.difference),
                weight: found.difference.severity() * weight,
            }));
            let importance = merged.row_importance(row);
            if importance > 0.0 && merged.is_common(row, 0.0) {
                open.push(Node {
                    importance,
                    path,
                    above: Some((Arc::clone(&level), code)),
                });
            }
        }
        if listed.len() > most.saturating_mul(2) {
            listed.sort_by(by_rank);
            listed.truncate(most);
        }
    }
    listed.sort_by(by_rank);
    listed.truncate(most);
    Ranked {
        listed,
        complete: open.is_empty(),
    }
}

/// Returns how much the columns care about a move.
fn weight(row: &MergedRow) -> f32 {
    let cells = row.cells.iter().flatten();
    let shares = cells.map(|cell| {
        if cell.is_best {
            1.0
        } else {
            cell.share.unwrap_or(0.0)
        }
    });
    shares.fold(0.0, f32::max)
}

fn by_rank(a: &Listed, b: &Listed) -> Ordering {
    // Rounding keeps numbers that differ by an error of arithmetic together.
    let stake = |l: &Listed| (l.stake.size() * 1e4).round();
    let flagged = b.found.flagged.cmp(&a.found.flagged);
    flagged
        .then_with(|| stake(b).total_cmp(&stake(a)))
        .then_with(|| b.weight.total_cmp(&a.weight))
        .then_with(|| a.path.cmp(&b.path))
}

/// A merged node that is still to be examined. The most important comes first, and the earlier one among equals.
#[derive(Debug)]
struct Node {
    importance: f32,
    path: Path,
    above: Option<(Arc<Level>, MoveCode)>,
}

impl Ord for Node {
    fn cmp(&self, other: &Node) -> Ordering {
        let by_importance = self.importance.total_cmp(&other.importance);
        by_importance.then_with(|| other.path.cmp(&self.path))
    }
}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Node) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Node {}
