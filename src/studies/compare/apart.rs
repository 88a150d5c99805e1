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
//! - of any other value in a toy tree: the spread of its replies' values, or 0 for a single value, which is exact there.
//!
//! The joint uncertainty of two values is the root of the sum of their squares, as if their errors had nothing in common.

use super::merge::{Merged, MergedCell, MergedNode};
use belief::Grid;
use eval::fitted::{Features, Searched, SearchedFeatures};
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
pub(super) struct Sureness {
    /// What the width of a chess value depends on besides its depth; `None` in a toy tree.
    features: Option<Features>,
    grid: Grid,
}

impl Sureness {
    pub fn at(node: &MergedNode) -> Sureness {
        let chess = node.position.position.as_chess();
        Sureness {
            features: chess.map(Features::of),
            grid: Grid::sinh(),
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
        match (self.features, expected) {
            (Some(features), Some(e)) if !(keeps && spread > 0.0) => Searched::IN_USE
                .sd(&self.grid, depth(view), e, &features)
                .max(spread),
            _ => spread,
        }
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
