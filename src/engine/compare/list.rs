//! The differences of whole trees, the most important first.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::difference::{Difference, KindSet};
use super::merge::{Merged, MergedRow, Path, Want};

/// The greatest [`Difference::severity`].
const WORST: f32 = 4.0;

/// A difference and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// The moves from the root; the difference is about the last one.
    pub path: Path,
    pub difference: Difference,
    /// Severity times importance. Importance is the share of the root's work that at least two columns spent on the
    /// node before the move, times the largest share that a column spent on the move there (all of it if a column
    /// considers it best).
    pub weight: f32,
}

/// Returns the differences of the requested kinds that weigh most, at most `most`, heaviest first. Examines nodes in
/// the order of their importance, and at most `budget` of them (about 50 microseconds each).
pub fn differences(merged: &Merged, kinds: KindSet, most: usize, budget: usize) -> Vec<Listed> {
    let mut found: Vec<Listed> = Vec::new();
    let mut open = BinaryHeap::from([Node {
        importance: 1.0,
        path: Path::new(),
    }]);
    for _ in 0..budget {
        let Some(node) = open.pop() else {
            break;
        };
        // None of the remaining nodes can weigh more.
        let lightest = found.get(most.saturating_sub(1)).map_or(0.0, |l| l.weight);
        if most == 0 || node.importance * WORST <= lightest {
            break;
        }
        let Some(merged_node) = merged.merged_node(&node.path) else {
            continue;
        };
        let mut rows = merged.read(&merged_node);
        let want = Want {
            differences: kinds,
            ..Want::FIGURES
        };
        merged.complete(&merged_node, &mut rows, want);
        for row in &rows {
            let mut path = node.path.clone();
            path.push(row.name.code);
            let weight = node.importance * weight(row);
            found.extend(row.differences.iter().map(|difference| Listed {
                path: path.clone(),
                difference: *difference,
                weight: difference.severity() * weight,
            }));
            let importance = merged.row_importance(row);
            if importance > 0.0 && merged.is_common(row, 0.0) {
                open.push(Node { importance, path });
            }
        }
        found.sort_by(heaviest_first);
        found.truncate(most);
    }
    found
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

fn heaviest_first(a: &Listed, b: &Listed) -> Ordering {
    let by_weight = b.weight.total_cmp(&a.weight);
    by_weight.then_with(|| a.path.cmp(&b.path))
}

/// A merged node that is still to be examined. The most important comes first, and the earlier one among equals.
#[derive(Debug)]
struct Node {
    importance: f32,
    path: Path,
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
