//! The evaluation of toy trees: the values in the file, and a plain average where the file gives none.

use super::{Evaluator, LeafShape, Width};
use belief::{Cdf, Density, Grid};
use game::{Game, Scale, Score, Side, ToyPosition};

/// A node with a value of its own is worth that value; any other node is worth the mean of all leaves, like an
/// evaluation that knows nothing about the position.
#[derive(Clone, Debug, Default)]
pub struct ToyEvaluator;

/// The leaf width at which a toy tree's spreads are used exactly as the file gives them.
const UNCHANGED: f32 = 0.3;

impl Evaluator<ToyPosition> for ToyEvaluator {
    type State = ();

    fn start(&self, _: &ToyPosition) {}

    fn after(&self, &(): &(), _: &ToyPosition, _: u16) {}

    fn value(&self, &(): &(), position: &ToyPosition) -> Score {
        position.score_of(position.node().value.unwrap_or(position.tree().leaf_mean))
    }

    /// The value without rounding to an integer score.
    fn expected(&self, &(): &(), position: &ToyPosition) -> Option<f32> {
        let Scale::Linear(axis) = position.scale() else {
            return None;
        };
        let value = position.node().value.unwrap_or(position.tree().leaf_mean);
        let own = match position.turn() {
            Side::White => value,
            Side::Black => -value,
        };
        Some((own / axis.range()).clamp(-1.0, 1.0))
    }

    /// Returns the standard deviation in the expected score: the file's own at a leaf (0 for an exact value) and
    /// wherever it gives one, otherwise that of all leaves, since the static value of an inner node is never exact.
    fn spread(&self, &(): &(), position: &ToyPosition, _: Score) -> f32 {
        let node = position.node();
        let sd = if node.children.is_empty() || node.spread > 0.0 {
            node.spread
        } else {
            position.tree().leaf_sd
        };
        match position.scale() {
            Scale::Linear(axis) => sd / axis.range(),
            Scale::Logistic => sd,
        }
    }

    /// A normal distribution in the expected score around `value`, or an atom in its bin if the value is exact. The
    /// bias of the shape was measured in chess and is not applied.
    fn belief(&self, &(): &(), position: &ToyPosition, value: Score, shape: &LeafShape) -> Cdf {
        let factor = match shape.width {
            Width::Fixed(width) => width / UNCHANGED,
            Width::Fitted => 1.0,
        };
        let sd = if value.is_decided() {
            0.0
        } else {
            self.spread(&(), position, value) * factor
        };
        let expected = position.scale().expected(value);
        let grid = Grid::of(position.scale().points());
        if sd > 0.0 {
            Density::normal(&grid, expected, sd).cdf()
        } else {
            Cdf::atom(grid.bin_of(expected))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::toy::{ToyNode, ToyTree};
    use std::sync::Arc;

    fn node(value: Option<f32>, spread: f32, children: &[u32]) -> ToyNode {
        ToyNode {
            name: String::new(),
            value,
            spread,
            children: children.to_vec(),
            parent: None,
        }
    }

    /// A Max root over an exact leaf 1, a leaf 2 ± 0.5 and an inner node without a value over a leaf 3.
    fn tree() -> ToyPosition {
        ToyPosition::root(Arc::new(ToyTree {
            nodes: vec![
                node(None, 0.0, &[1, 2, 3]),
                node(Some(1.0), 0.0, &[]),
                node(Some(2.0), 0.5, &[]),
                node(None, 0.0, &[4]),
                node(Some(3.0), 0.0, &[]),
            ],
            root_side: Side::White,
            scale: Scale::linear(1000.0, 4.0),
            height: 2,
            leaf_mean: 2.0,
            leaf_sd: 0.8,
        }))
    }

    fn child(m: u16) -> ToyPosition {
        let mut position = tree();
        position.play(m);
        position
    }

    const PLAIN: LeafShape = LeafShape {
        width: Width::Fitted,
        bias: 0.0,
    };

    #[test]
    fn leaves_have_their_own_values_and_inner_nodes_the_mean() {
        let eval = ToyEvaluator;
        assert_eq!(eval.value(&(), &tree()), Score::new(2000));
        // Min moves below the root, so the value changes its sign.
        assert_eq!(eval.value(&(), &child(0)), Score::new(-1000));
        assert_eq!(eval.value(&(), &child(1)), Score::new(-2000));
        assert_eq!(eval.value(&(), &child(2)), Score::new(-2000));
        let spreads: Vec<f32> = (0..3)
            .map(|m| eval.spread(&(), &child(m), Score::DRAW))
            .collect();
        assert_eq!(spreads, [0.0, 0.125, 0.2]);
    }

    #[test]
    fn exact_values_are_atoms_and_others_have_their_spread() {
        let eval = ToyEvaluator;
        let grid = Grid::of(tree().scale().points());
        let belief = |m, shape: &LeafShape| {
            let at = child(m);
            eval.belief(&(), &at, eval.value(&(), &at), shape)
        };
        assert_eq!(belief(0, &PLAIN).is_atom(), Some(grid.bin_of(-0.25)));
        let wide = belief(1, &PLAIN);
        assert!((wide.mean(&grid) + 0.5).abs() < 1e-3);
        // The finite width of a bin adds a twelfth of its square to the variance.
        assert!((wide.sd(&grid) - 0.125).abs() < 2e-3);
        let half = LeafShape {
            width: Width::Fixed(0.15),
            bias: 0.5,
        };
        assert!((belief(1, &half).sd(&grid) - 0.0625).abs() < 2e-3);
        assert_eq!(belief(0, &half), belief(0, &PLAIN));
    }
}
