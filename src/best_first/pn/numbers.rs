//! A node's proof and disproof number.

use tree::Node;

/// Bits of a number.
const BITS: u32 = 24;

/// Stands for "never": the disproof number of what is proved, and the proof number of what is disproved.
pub(super) const NEVER: u32 = (1 << BITS) - 1;

/// Bits of the value of the node's own position, after those of the two numbers.
const VALUE_BITS: u32 = 14;
const VALUE_AT: u32 = 2 * BITS;
const VALUE: u64 = ((1 << VALUE_BITS) - 1) << VALUE_AT;
const STEPS: f32 = ((1 << (VALUE_BITS - 1)) - 1) as f32;

const PROVES: u64 = 1 << 62;
const ENTERED: u64 = 1 << 63;

/// How many leaves must be proved for the node to be proved, and disproved for it to be disproved, at the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub proof: u32,
    pub disproof: u32,
    /// The side that wants to reach the goal is to move.
    pub proves: bool,
}

impl Numbers {
    pub fn of(node: &Node) -> Numbers {
        let word = node.word();
        Numbers {
            proof: word as u32 & NEVER,
            disproof: (word >> BITS) as u32 & NEVER,
            proves: word & PROVES != 0,
        }
    }

    pub fn leaf(proves: bool) -> Numbers {
        Numbers {
            proof: 1,
            disproof: 1,
            proves,
        }
    }

    /// The numbers of a leaf whose side to move has so many moves.
    pub fn of_moves(moves: usize, proves: bool) -> Numbers {
        let moves = (moves as u32).clamp(1, NEVER - 1);
        let (proof, disproof) = if proves { (1, moves) } else { (moves, 1) };
        Numbers {
            proof,
            disproof,
            proves,
        }
    }

    pub fn solved(proved: bool, proves: bool) -> Numbers {
        let (proof, disproof) = if proved { (0, NEVER) } else { (NEVER, 0) };
        Numbers {
            proof,
            disproof,
            proves,
        }
    }

    /// A leaf that can neither be searched nor judged.
    pub fn stuck(proves: bool) -> Numbers {
        Numbers {
            proof: NEVER,
            disproof: NEVER,
            proves,
        }
    }

    /// A node's numbers from its children's: one move is enough for the side to move, and all of them for the other side.
    pub fn above(children: impl Iterator<Item = Numbers>, proves: bool) -> Numbers {
        let (mut one, mut all) = (NEVER, 0u32);
        for child in children {
            one = one.min(child.of_mover(proves));
            all = all.saturating_add(child.of_mover(!proves)).min(NEVER);
        }
        let (proof, disproof) = if proves { (one, all) } else { (all, one) };
        Numbers {
            proof,
            disproof,
            proves,
        }
    }

    /// The number that a side hopes to bring down: the proof number for the side that proves.
    pub fn of_mover(self, proves: bool) -> u32 {
        if proves { self.proof } else { self.disproof }
    }

    /// `Some(true)` where the node is proved, `Some(false)` where it is disproved.
    pub fn answer(self) -> Option<bool> {
        match (self.proof, self.disproof) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }

    /// Writes the numbers to a node, and leaves the rest of its word as it is.
    pub fn store(self, node: &Node) {
        let rest = node.word() & (ENTERED | VALUE);
        let proves = if self.proves { PROVES } else { 0 };
        let numbers = u64::from(self.proof) | u64::from(self.disproof) << BITS;
        node.set_word(numbers | proves | rest);
    }
}

/// Whether a depth-first descent is inside this node.
pub(super) fn is_entered(node: &Node) -> bool {
    node.word() & ENTERED != 0
}

pub(super) fn set_entered(node: &Node, entered: bool) {
    let word = node.word() & !ENTERED;
    node.set_word(if entered { word | ENTERED } else { word });
}

/// The expected score of the node's own position, as it was evaluated before it had children.
pub(super) fn own_value(node: &Node) -> f32 {
    let steps = (node.word() & VALUE) >> VALUE_AT;
    (steps as f32 - STEPS) / STEPS
}

pub(super) fn set_own_value(node: &Node, value: f32) {
    let steps = (value.clamp(-1.0, 1.0) * STEPS + STEPS).round() as u64;
    node.set_word(node.word() & !VALUE | steps << VALUE_AT);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(proof: u32, disproof: u32) -> Numbers {
        Numbers {
            proof,
            disproof,
            proves: false,
        }
    }

    #[test]
    fn one_move_is_enough_for_the_mover_and_all_count_for_the_other_side() {
        let children = [numbers(3, 5), numbers(2, 7), numbers(NEVER, 0)];
        let prover = Numbers::above(children.into_iter(), true);
        assert_eq!((prover.proof, prover.disproof), (2, 12));
        let other = Numbers::above(children.into_iter(), false);
        assert_eq!((other.proof, other.disproof), (NEVER, 0));
        assert_eq!(other.answer(), Some(false));
    }

    #[test]
    fn sums_stop_at_never() {
        let children = [numbers(NEVER - 1, 1), numbers(NEVER - 1, 1)];
        let all = Numbers::above(children.into_iter(), false);
        assert_eq!((all.proof, all.disproof), (NEVER, 1));
    }
}
