//! How far two values are apart, beside how sure the columns are of them.
//!
//! A value's uncertainty is the standard deviation of the expected score:
//!
//! - of a proven result: 0;
//! - where the search keeps beliefs (`distress`, `prob-alpha-beta`): that of the node's belief;
//! - of any other value of a chess position: that of the belief which was fitted to alpha-beta's values by their depth
//!   ([`Searched`]). A value of `mcts` counts as one of the depth that its visits are worth, and is never surer than the
//!   spread of its replies' values. (That spread alone is too narrow: of 600 labelled positions, 15 to 23 % lay within its
//!   middle half.) An external engine's value counts by the depth it reports;
//! - of any other value in a toy tree: the spread of its replies' values, or 0 for a single value, which is exact there;
//! - of any other value in another game, for which no such belief was fitted: that of a leaf's belief with this value, and at least
//!   the spread of its replies' values. In a game without rules, only that spread.
//!
//! The joint uncertainty of two values is the root of the sum of their squares, as if their errors had nothing in common.

use super::merge::{Merged, MergedCell, MergedNode};
use belief::Grid;
use eval::fitted::{Features, Searched, SearchedFeatures};
use eval::{Evaluation, Evaluator, LeafShape};
use game::Game as _;
use search::{AnyEvaluator, AnyPosition};
use session::{NodeBelief, Reader, Source};
use tree::NodeView;

/// Two values of expected scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apart {
    /// How far they are apart, in [0, 2], as far as bounds show a distance.
    pub by: f32,
    /// Their joint uncertainty.
    pub joint: f32,
}

impl Apart {
    /// Returns the distance in units of the joint uncertainty; infinite if both values are certain.
    pub fn sigmas(self) -> f32 {
        if self.by <= 0.0 {
            0.0
        } else {
            self.by / self.joint
        }
    }
}

/// Tells how sure the columns are of the moves at one merged node.
pub(super) struct Sureness<'a> {
    /// What the width of a chess value depends on besides its depth.
    features: Option<Features>,
    grid: Grid,
    leaf: Option<&'a LeafWidth>,
}

/// How wide a game's own belief about a leaf is, by its value. In games other than chess it does not depend on the position.
#[derive(Clone, Debug)]
pub(super) struct LeafWidth {
    evaluator: AnyEvaluator,
    position: AnyPosition,
    state: <AnyEvaluator as Evaluator<AnyPosition>>::State,
    grid: Grid,
}

impl LeafWidth {
    /// Returns that of a game's position; `None` in chess, in a toy tree, and in a game without rules.
    pub fn of(position: &AnyPosition) -> Option<LeafWidth> {
        let is_other = position.as_chess().is_none() && position.as_toy().is_none();
        (is_other && position.has_rules()).then(|| {
            let evaluator = position.evaluator(Evaluation::default());
            LeafWidth {
                state: evaluator.start(position),
                evaluator,
                position: position.clone(),
                grid: Grid::of(position.scale().points()),
            }
        })
    }

    fn sd(&self, expected: f32) -> f32 {
        let value = self.position.scale().score(expected);
        let shape = LeafShape {
            width: eval::Width::Fitted,
            bias: 0.0,
        };
        let belief = self
            .evaluator
            .belief(&self.state, &self.position, value, &shape);
        belief.sd(&self.grid)
    }
}

impl<'a> Sureness<'a> {
    pub fn at(merged: &'a Merged, node: &MergedNode) -> Sureness<'a> {
        let chess = node.position.position.as_chess();
        Sureness {
            features: chess.map(Features::of),
            grid: Grid::sinh(),
            leaf: merged.leaf_width(),
        }
    }

    /// Returns the standard deviation of a cell's value.
    pub fn of(&self, merged: &Merged, column: usize, cell: &MergedCell) -> f32 {
        let Some(reader) = merged.reader(column) else {
            return 0.0;
        };
        if cell.verdict.score.is_some_and(|s| s.is_decided()) {
            return 0.0;
        }
        self.of_view(reader, &cell.view, cell.verdict.expected)
    }

    /// Returns the standard deviation of a node's value.
    pub fn of_view(&self, reader: &Reader, view: &NodeView, expected: Option<f32>) -> f32 {
        if view.proof.is_exact() {
            return 0.0;
        }
        let belief = (!view.id.is_none())
            .then(|| reader.belief(view.id))
            .flatten();
        let (keeps, spread) = belief.map_or((false, 0.0), |b| spread(&b));
        let searched = match (expected, self.features, self.leaf) {
            _ if keeps && spread > 0.0 => None,
            (Some(e), Some(features), _) => {
                Some(Searched::IN_USE.sd(&self.grid, depth(view), e, &features))
            }
            (Some(e), None, Some(leaf)) => Some(leaf.sd(e)),
            _ => None,
        };
        searched.map_or(spread, |sd| sd.max(spread))
    }
}

/// Returns whether a belief is one about the value, and its spread.
fn spread(belief: &NodeBelief) -> (bool, f32) {
    match belief.source {
        Source::Stored | Source::Calibrated => (true, belief.sd),
        Source::Visits => (false, belief.sd),
        // How games end is far more uncertain than the expected score.
        Source::Outcomes | Source::Point | Source::Interval => (false, 0.0),
    }
}

/// Returns the depth of an alpha-beta that is as sure as the search at this node.
fn depth(view: &NodeView) -> u8 {
    match view.window {
        Some(window) => window.depth.max(0).unsigned_abs(),
        None => SearchedFeatures::depth_of_visits(view.visits),
    }
}
