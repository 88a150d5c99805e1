//! The order of siblings.

use crate::engine::Reader;
use crate::tree::{Family, NodeId};

/// The available orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sort {
    /// The best move first, then by visits (best-first) or nodes (depth-first), most first: where the work went.
    #[default]
    Work,
    /// By share of the policy, or the prior, greatest first.
    Share,
    /// By expected score of the side that moves, best first.
    Score,
    /// As the search recorded them.
    Order,
    /// By name.
    Name,
}

impl Sort {
    pub const ALL: [Sort; 5] = [
        Sort::Work,
        Sort::Share,
        Sort::Score,
        Sort::Order,
        Sort::Name,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Sort::Work => "work",
            Sort::Share => "share",
            Sort::Score => "score",
            Sort::Order => "search order",
            Sort::Name => "move",
        }
    }

    pub fn summary(self) -> &'static str {
        match self {
            Sort::Work => "the move it would play, then most visits or nodes",
            Sort::Share => "greatest policy share or prior first",
            Sort::Score => "best expected score first",
            Sort::Order => "as the search looked at them",
            Sort::Name => "by the move's name",
        }
    }

    /// Returns a node's weight; greater weights come first, and nodes of which nothing is known come last.
    pub(super) fn weight(self, reader: Reader, node: NodeId) -> f64 {
        let n = reader.tree.node(node);
        match self {
            Sort::Work => match reader.tree.family() {
                Family::BestFirst => f64::from(n.visits()),
                Family::DepthFirst => n.nodes() as f64,
            },
            Sort::Share => match reader.tree.family() {
                Family::BestFirst => f64::from(n.policy()),
                Family::DepthFirst => n.nodes() as f64,
            },
            Sort::Score => {
                let view = reader.view(node);
                match (view.fate.is_skip(), view.expected) {
                    (false, Some(e)) => {
                        // Among certain results, the nearer mate comes first.
                        let mate = view.score.map_or(0, |s| s.raw());
                        -f64::from(e) - 1e-6 * f64::from(mate)
                    }
                    _ => -2.0,
                }
            }
            Sort::Order | Sort::Name => 0.0,
        }
    }
}
