//! What a child's score is made of, where an option replaces the mean or the constant of PUCT.

use super::settings::Settings;
use super::{implicit_minimax, uncertainty, variance_scaled};
use tree::Node;

/// The terms of a child's score: q + c P / (1 + n).
pub(super) trait Scoring {
    /// Whether a child's score changes only by its own visits, and by the node's exploration, which grows.
    const STEADY: bool = false;

    /// c, of a node whose children compete.
    fn exploration(&self, node: &Node) -> f32;

    /// What a visited child is worth to the side that chooses.
    fn worth(&self, child: &Node) -> f32;

    /// What the node itself is worth, for children that were not visited.
    fn own(&self, node: &Node) -> f32;

    /// What a child's visits count, of which there are `visits`.
    #[inline(always)]
    fn count(&self, _child: &Node, visits: u32) -> u32 {
        visits
    }

    /// n + 1 of a visited child.
    #[inline(always)]
    fn share_out(&self, _child: &Node, visits: u32) -> f32 {
        (1 + visits) as f32
    }
}

/// PUCT as it is.
pub(super) struct Plain<'s>(pub &'s Settings);

impl Scoring for Plain<'_> {
    const STEADY: bool = true;

    #[inline(always)]
    fn exploration(&self, node: &Node) -> f32 {
        self.0.exploration * (node.visits() as f32).sqrt()
    }

    #[inline(always)]
    fn worth(&self, child: &Node) -> f32 {
        -child.expected()
    }

    #[inline(always)]
    fn own(&self, node: &Node) -> f32 {
        node.expected()
    }
}

/// PUCT with implicit minimax values.
pub(super) struct Implicit<'s>(pub &'s Settings);

impl Scoring for Implicit<'_> {
    fn exploration(&self, node: &Node) -> f32 {
        Plain(self.0).exploration(node)
    }

    fn worth(&self, child: &Node) -> f32 {
        let share = self.0.implicit_minimax;
        implicit_minimax::mixed(share, -child.expected(), -child.second())
    }

    fn own(&self, node: &Node) -> f32 {
        let share = self.0.implicit_minimax;
        implicit_minimax::mixed(share, node.expected(), node.second())
    }
}

/// PUCT with a constant that follows the spread of the node's values.
pub(super) struct Scaled<'s>(pub &'s Settings);

impl Scoring for Scaled<'_> {
    fn exploration(&self, node: &Node) -> f32 {
        let Settings {
            exploration,
            variance_scaled,
            ..
        } = *self.0;
        variance_scaled::terms(exploration, variance_scaled, node).c
    }

    fn worth(&self, child: &Node) -> f32 {
        -child.expected()
    }

    fn own(&self, node: &Node) -> f32 {
        node.expected()
    }
}

/// PUCT over weights in place of visits.
pub(super) struct Weighted<'s>(pub &'s Settings);

impl Scoring for Weighted<'_> {
    fn exploration(&self, node: &Node) -> f32 {
        self.0.exploration * uncertainty::of_visits(node).sqrt()
    }

    fn worth(&self, child: &Node) -> f32 {
        -child.expected()
    }

    fn own(&self, node: &Node) -> f32 {
        node.expected()
    }

    fn count(&self, child: &Node, _: u32) -> u32 {
        // At least 1, so that what was visited is a candidate.
        1.max(uncertainty::of_visits(child) as u32)
    }

    fn share_out(&self, child: &Node, _: u32) -> f32 {
        1.0 + uncertainty::of_visits(child)
    }
}
