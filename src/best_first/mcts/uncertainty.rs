//! Playouts weighted by how sure their evaluation is: one with a wide belief counts less, in the means and where PUCT
//! and the move played go by visits.
//!
//! Source: Wu, *Other Methods Implemented in KataGo* (project documentation).

use super::Mcts;
use super::settings::Settings;
use crate::leaf_belief::LeafBelief;
use eval::{Evaluator, Valued};
use game::{Game, Score};
use search::Probe;
use search::explanation::{Fact, Reading, Unit, phrase};
use search::{OptionSpec, Range};
use tree::{Node, NodeId};

pub(super) const OPTION: OptionSpec = OptionSpec {
    key: "uncertainty-weighting",
    default: "off",
    range: Range::Switch,
    summary: "a leaf whose belief has the standard deviation e counts 0.25/(e + 0.25/8) in means and wherever visits count, one that is certain 8 (KataGo; a playout of leaf=playouts counts 1; not together with implicit-minimax, variance-scaled-c or softmax-backup)",
};

/// The error at which a leaf counts about 1.
const USUAL: f64 = 0.25;
/// What a leaf without error counts.
const MOST: f64 = 8.0;

/// What a leaf counts whose expected score, in [-1, 1], is off by `error`: the standard deviation of its belief.
pub(super) fn weight(error: f32) -> f64 {
    USUAL / (f64::from(error) + USUAL / MOST)
}

/// Whether playouts are weighted: a node has room for the number of one such option.
pub(super) fn is_on(on: bool, settings: &Settings) -> bool {
    let others = settings.implicit_minimax > 0.0 || settings.variance_scaled > 0.0;
    on && !others && settings.softmax.is_none()
}

/// The weight of all that came through a node.
pub(super) fn of_visits(node: &Node) -> f32 {
    node.visits() as f32 * node.second()
}

/// Adds the weighted values of new visits to what a node keeps: the mean weight of a visit, and its visits times its
/// mean. Returns the change of the latter. `visits`: with the new ones; `new`: their number, weight and weighted sum.
pub(super) fn back_up(node: &Node, visits: u32, new: (u32, f64, f64)) -> f64 {
    let (number, weight, sum) = new;
    let (before, total) = (f64::from(node.second()), node.total());
    let share = f64::from(number) / f64::from(visits.max(1));
    // The weighted mean must not change by what the stored weight loses in rounding.
    let mean_weight = (before + (weight / f64::from(number) - before) * share) as f32;
    node.set_second(mean_weight);
    (total * before + sum) / f64::from(mean_weight) - total
}

impl<G: Game, E: Evaluator<G>, P: Probe, const SOLO: bool> Mcts<'_, G, E, P, SOLO> {
    /// What one more visit to a node counts that ends there: its own weight, or that of something certain.
    #[inline]
    pub(super) fn weight_at(&self, node: &Node) -> f64 {
        if !self.settings.uncertainty_weighting {
            1.0
        } else if node.proof().is_exact() || node.second() == 0.0 {
            MOST
        } else {
            node.second().into()
        }
    }

    /// How far the evaluation of a leaf is probably off, in the expected score; `None` where nobody asks.
    #[inline]
    pub(super) fn error_of_leaf(&self, ply: usize, value: Score, expected: f32) -> Option<f32> {
        let is_wanted = self.settings.uncertainty_weighting || self.settings.keeps_spreads;
        if !is_wanted || self.player.is_some() {
            return None;
        }
        let line = &self.thread.line;
        let place = (line.state(ply), line.position(ply));
        let valued = Valued { value, depth: 0 };
        let belief = LeafBelief::of(self.thread.job.evaluator, place, &valued, expected);
        Some(belief.sd().unwrap_or(0.0))
    }
}

/// What a visit to a node counts.
pub(super) fn explain(reading: &Reading, id: NodeId) -> Option<Fact> {
    let node = reading.tree.node(id);
    if !is_on(
        reading.options.switch(OPTION.key),
        &Settings::new(reading.options),
    ) || node.visits() == 0
    {
        return None;
    }
    Some(Fact {
        name: "weight",
        value: phrase![
            (of_visits(node), Unit::Fraction),
            format!(" of {} visits, a visit counts ", node.visits()),
            (node.second(), Unit::Fraction),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_counts_as_published() {
        for (error, counts) in [
            (0.0, 8.0),
            (0.05, 3.076923),
            (0.25, 0.888889),
            (1.0, 0.242424),
        ] {
            assert!((weight(error) - counts).abs() < 1e-6, "{error}");
        }
    }

    #[test]
    fn a_nodes_mean_is_the_weighted_one() {
        let node = Node::default();
        let leaves = [(0.5, 0.05), (-0.25, 1.0), (0.75, 0.25), (1.0, 0.0)];
        for (i, (value, error)) in leaves.iter().enumerate() {
            let w = weight(*error as f32);
            let change = back_up(&node, i as u32 + 1, (1, w, w * value));
            node.set_visits(i as u32 + 1);
            node.set_total(node.total() + change);
        }
        let weights = leaves.iter().map(|(_, e)| weight(*e as f32)).sum::<f64>();
        let mean = leaves
            .iter()
            .map(|(v, e)| weight(*e as f32) * v)
            .sum::<f64>()
            / weights;
        assert!((node.total() / 4.0 - mean).abs() < 1e-6);
        assert!((f64::from(of_visits(&node)) - weights).abs() < 1e-5);
    }
}
