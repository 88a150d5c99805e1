//! The conspiracy numbers of a node, for some twenty values at once.

use super::Target;
use game::Scale;
use tree::Node;

/// The largest number that is told from larger ones.
pub(super) const MOST: u32 = 6;

/// Bits of one number: `MOST + 1` stands for anything larger, and for what can't be reached at all.
const BITS: usize = 3;
const MASK: u64 = (1 << BITS) - 1;

/// The levels for which a node keeps a number: the other bit of its word says whose turn it is.
const LEVELS: usize = 21;
const ROOTS_SIDE: u64 = 1 << 63;

/// Values closer than this are the same.
pub(super) const SAME: f32 = 1e-6;

/// Pawns of the levels in chess, on either side of 0.
const PAWNS: [f32; 9] = [0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 9.0];

/// The values for which numbers are kept, ascending, as expected scores of the side to move at the root: the first and the
/// last are infinite.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Levels(Vec<f32>);

impl Levels {
    /// In a toy tree all that its file has, as far as there is room; in a game that is no finite tree some fixed values.
    pub fn of(values: Vec<f32>) -> Levels {
        let finite = match values.is_empty() {
            true => {
                let e = |pawns: f32| (pawns * 100.0 / Scale::CENTIPAWNS).tanh();
                let above = PAWNS.iter().map(|&pawns| e(pawns));
                let below = PAWNS.iter().rev().map(|&pawns| -e(pawns));
                below.chain([0.0]).chain(above).collect()
            }
            false => thinned(values, LEVELS - 2),
        };
        let ends = [f32::NEG_INFINITY, f32::INFINITY].map(|end| vec![end]);
        let [first, last] = ends;
        Levels([first, finite, last].concat())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn at(&self, level: usize) -> f32 {
        self.0[level]
    }

    /// The first level above a value.
    pub fn above(&self, value: f32) -> usize {
        self.0.partition_point(|&l| l <= value + SAME)
    }
}

/// The different values, at most so many, the extreme ones among them.
fn thinned(mut values: Vec<f32>, most: usize) -> Vec<f32> {
    values.sort_by(f32::total_cmp);
    values.dedup_by(|a, b| (*a - *b).abs() <= SAME);
    if values.len() <= most {
        return values;
    }
    let last = values.len() - 1;
    let place = |i: usize| (i * last + (most - 1) / 2) / (most - 1);
    (0..most).map(|i| values[place(i)]).collect()
}

/// For each level above a node's value the fewest leaves that must change for the value to reach it from below, and for
/// each level below it from above; with whether the side to move at the root is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers(u64);

impl Numbers {
    pub fn of(node: &Node) -> Numbers {
        Numbers(node.word())
    }

    pub fn store(self, node: &Node) {
        node.set_word(self.0);
    }

    pub fn is_roots_side(self) -> bool {
        self.0 & ROOTS_SIDE != 0
    }

    pub fn get(self, level: usize) -> u32 {
        (self.0 >> (level * BITS) & MASK) as u32
    }

    /// Whether a value, from the root's side's view, is that of the level.
    pub fn is_reached(self, levels: &Levels, value: f32, level: usize) -> bool {
        (levels.at(level) - value).abs() <= SAME
    }

    /// A value of a node's side to move, as the side to move at the root sees it.
    fn seen(roots_side: bool, own: f32) -> f32 {
        if roots_side { own } else { -own }
    }

    fn build(levels: &Levels, roots_side: bool, number: impl Fn(usize) -> u32) -> Numbers {
        let bits = (0..levels.len()).map(|j| u64::from(number(j).min(MOST + 1)) << (j * BITS));
        let side = if roots_side { ROOTS_SIDE } else { 0 };
        Numbers(bits.fold(side, |word, bits| word | bits))
    }

    /// Of a leaf: `alone` for every value but its own.
    pub fn leaf(levels: &Levels, node: &Node, roots_side: bool, alone: u32) -> Numbers {
        let value = Self::seen(roots_side, node.expected());
        Self::build(levels, roots_side, |j| {
            match (levels.at(j) - value).abs() <= SAME {
                true => 0,
                false => alone,
            }
        })
    }

    /// Of a node whose side to move has `value`, by its children: one child is enough for what that side hopes for, and
    /// what it fears needs all of them.
    pub fn inner<'a>(
        levels: &Levels,
        roots_side: bool,
        value: f32,
        children: impl Iterator<Item = &'a Node> + Clone,
    ) -> Numbers {
        let value = Self::seen(roots_side, value);
        Self::build(levels, roots_side, |level| {
            let raise = levels.at(level) > value;
            let target = Target { raise, level };
            let numbers = children.clone().map(|c| Self::to_reach(levels, c, target));
            match (levels.at(level) - value).abs() <= SAME {
                true => 0,
                false if raise == roots_side => numbers.min().unwrap_or(MOST + 1),
                false => numbers.sum(),
            }
        })
    }

    /// The fewest leaves below a node that must change for its value to get to the target or beyond.
    pub fn to_reach(levels: &Levels, node: &Node, target: Target) -> u32 {
        let numbers = Numbers::of(node);
        let value = Self::seen(numbers.is_roots_side(), node.expected());
        let level = levels.at(target.level);
        let there = match target.raise {
            true => value >= level - SAME,
            false => value <= level + SAME,
        };
        if there { 0 } else { numbers.get(target.level) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_hold_the_extremes_and_are_symmetrical_in_chess() {
        let chess = Levels::of(Vec::new());
        assert_eq!(chess.len(), LEVELS);
        for j in 0..LEVELS {
            assert_eq!(chess.at(j), -chess.at(LEVELS - 1 - j));
        }
        let many: Vec<f32> = (0..100).rev().map(|i| i as f32 / 100.0).collect();
        let thinned = Levels::of(many);
        assert_eq!((thinned.at(1), thinned.at(LEVELS - 2)), (0.0, 0.99));
        assert_eq!(thinned.above(0.0), 2);
        let few = Levels::of(vec![0.2, 0.1, 0.2]);
        assert_eq!((few.len(), few.at(1), few.at(2)), (4, 0.1, 0.2));
    }

    #[test]
    fn a_leaf_conspires_alone() {
        let levels = Levels::of(Vec::new());
        let node = Node::default();
        node.set_expected(0.1);
        for (alone, roots_side) in [(1, true), (1, false), (MOST + 1, true)] {
            Numbers::leaf(&levels, &node, roots_side, alone).store(&node);
            assert_eq!(Numbers::of(&node).is_roots_side(), roots_side);
            for level in 0..levels.len() {
                assert_eq!(Numbers::of(&node).get(level), alone);
                let value = if roots_side { 0.1 } else { -0.1 };
                let raise = Target { raise: true, level };
                let needed = Numbers::to_reach(&levels, &node, raise);
                assert_eq!(needed, if levels.at(level) <= value { 0 } else { alone });
            }
        }
    }
}
