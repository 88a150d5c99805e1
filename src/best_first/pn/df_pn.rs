//! Depth-first proof-number search: a node is searched on until its numbers reach a threshold, so that the descent stays
//! where it is as long as that costs nothing.
//!
//! Sources: Ayumu Nagai, *Df-pn Algorithm for Searching AND/OR Trees and Its Applications* (2002); Jakub Pawlewicz and
//! Łukasz Lew, *Improving depth-first PN-search: 1+ε trick* (2007).
//!
//! The program as published keeps numbers in a table and the thresholds on its stack. Here the tree has all numbers, and a
//! node on the stack is marked. A threshold depends only on the numbers of the siblings on the way, which do not change
//! while the search is below: so the marks alone tell where it stands, and a run can be taken up again on the tree.

use super::numbers::{self, NEVER, Numbers};
use super::{least, others};
use crate::driver;
use tree::{NodeId, Tree};

/// A node is left when its proof number or its disproof number is as large as this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Thresholds {
    pub proof: u32,
    pub disproof: u32,
}

impl Thresholds {
    const NONE: Thresholds = Thresholds {
        proof: NEVER,
        disproof: NEVER,
    };

    /// The thresholds of a child while its parent has these: it is left when a sibling promises more, or when the parent is
    /// to be left.
    fn below(self, tree: &Tree, parent: NodeId, child: NodeId, epsilon: f64) -> Thresholds {
        let proves = Numbers::of(tree.node(parent)).proves;
        let rest = Numbers::above(others(tree, parent, child), proves);
        let second = next(rest.of_mover(proves), epsilon);
        let left = |threshold: u32, number: u32| match threshold {
            NEVER => NEVER,
            _ => threshold.saturating_sub(number),
        };
        if proves {
            Thresholds {
                proof: self.proof.min(second),
                disproof: left(self.disproof, rest.disproof),
            }
        } else {
            Thresholds {
                proof: left(self.proof, rest.proof),
                disproof: self.disproof.min(second),
            }
        }
    }

    fn allow(self, numbers: Numbers) -> bool {
        numbers.proof < self.proof && numbers.disproof < self.disproof && numbers.answer().is_none()
    }
}

/// The threshold that a sibling's number sets: past it by at least one, and by the share ε.
fn next(number: u32, epsilon: f64) -> u32 {
    if number >= NEVER {
        return NEVER;
    }
    let wider = (f64::from(number) * (1.0 + epsilon)).ceil();
    (number + 1).max(wider.min(f64::from(NEVER)) as u32)
}

/// Where a descent leaves the way of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// The last node in which the search stays, and its thresholds.
    pub node: NodeId,
    pub thresholds: Thresholds,
}

/// Moves the marks to the way of the next descent. They lead from the root, whose children are in the tree, to a leaf.
pub(super) fn turn(tree: &Tree, epsilon: f64) -> Turn {
    let mut turn = Turn {
        node: Tree::ROOT,
        thresholds: Thresholds::NONE,
    };
    while let Some(child) = entered(tree, turn.node) {
        let thresholds = turn.thresholds.below(tree, turn.node, child, epsilon);
        let node = tree.node(child);
        let stays = driver::is_open(node) && thresholds.allow(Numbers::of(node));
        if !stays {
            leave(tree, child);
            break;
        }
        turn = Turn {
            node: child,
            thresholds,
        };
    }
    let mut at = turn.node;
    while tree.node(at).is_expanded()
        && let Some(child) = least(tree, at)
    {
        numbers::set_entered(tree.node(child), true);
        at = child;
    }
    turn
}

/// The child in which the search is.
pub(super) fn entered(tree: &Tree, id: NodeId) -> Option<NodeId> {
    tree.children(id)
        .find(|&c| numbers::is_entered(tree.node(c)))
}

/// Takes the marks from a node and from those below it.
fn leave(tree: &Tree, id: NodeId) {
    let mut at = Some(id);
    while let Some(id) = at {
        at = entered(tree, id);
        numbers::set_entered(tree.node(id), false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_threshold_is_past_the_sibling() {
        assert_eq!(next(0, 0.0), 1);
        assert_eq!(next(7, 0.0), 8);
        assert_eq!(next(7, 0.25), 9);
        assert_eq!(next(100, 0.25), 125);
        assert_eq!(next(NEVER, 0.25), NEVER);
        assert_eq!(next(NEVER - 1, 0.25), NEVER);
    }
}
