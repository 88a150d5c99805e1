//! The order of siblings.

use game::MoveCode;
use session::{Policy, Reader};
use tree::{Family, NodeId};

/// The available orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sort {
    /// The best move first: by the chance to be best, by visits where a search chooses by them, and otherwise as the search
    /// ranks its moves.
    #[default]
    Best,
    /// By visits (best-first) or nodes (depth-first), most first: where the work went.
    Work,
    /// By expected score of the side that moves, best first.
    Score,
    /// As the search recorded them.
    Order,
    /// By name.
    Name,
}

impl Sort {
    pub const ALL: [Sort; 5] = [Sort::Best, Sort::Work, Sort::Score, Sort::Order, Sort::Name];

    pub fn name(self) -> &'static str {
        match self {
            Sort::Best => "best first",
            Sort::Work => "work",
            Sort::Score => "value",
            Sort::Order => "search order",
            Sort::Name => "move",
        }
    }

    pub fn summary(self) -> &'static str {
        match self {
            Sort::Best => "the move it would play, then those that are most likely to be better",
            Sort::Work => "most visits or nodes first: where the work went",
            Sort::Score => "best value first",
            Sort::Order => "as the search looked at them",
            Sort::Name => "by the move's name",
        }
    }

    /// Whether the first of two weights is so much greater that the rows change places at once while the search runs.
    pub(super) fn is_clear(self, weight: f64, other: f64) -> bool {
        /// A quarter more work or share.
        const RATIO: f64 = 1.25;
        /// Of the expected score.
        const DIFFERENCE: f64 = 0.05;
        if other == f64::NEG_INFINITY {
            return weight > other;
        }
        match self {
            // The best move's weight is infinite, and the best move may change back. Ranks are below 0.
            Sort::Best | Sort::Work => weight.is_finite() && weight > RATIO * other,
            Sort::Score => weight > other + DIFFERENCE,
            Sort::Order | Sort::Name => true,
        }
    }

    /// Returns the move at a node that comes first whatever its weight: the best one, however little work its proof
    /// took.
    pub(super) fn leader(self, reader: Reader, parent: NodeId) -> Option<MoveCode> {
        match self {
            Sort::Best => reader.best_move(parent),
            _ => None,
        }
    }

    /// Whether the order is the search's own ranking, which has no weights.
    pub(super) fn is_ranking(self, reader: Reader) -> bool {
        self == Sort::Best && reader.tree.family() == Family::DepthFirst
    }

    /// Returns a node's weight among the children of its parent, where `leader` comes first.
    pub(super) fn weight_of(self, reader: Reader, leader: Option<MoveCode>, node: NodeId) -> f64 {
        match leader == Some(reader.tree.node(node).move_code()) {
            true => f64::INFINITY,
            false => self.weight(reader, node),
        }
    }

    /// Returns a node's weight; greater weights come first, and nodes of which nothing is known come last.
    fn weight(self, reader: Reader, node: NodeId) -> f64 {
        let n = reader.tree.node(node);
        match self {
            Sort::Best if reader.policy() == Some(Policy::Best) => f64::from(n.policy()),
            // Above 0, as the other weights are.
            Sort::Best if chooses_by_value(reader) => 2.0 + Sort::Score.weight(reader, node),
            Sort::Best | Sort::Work => match reader.tree.family() {
                Family::BestFirst => f64::from(n.visits()),
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

/// Whether a best-first search chooses its move by value.
fn chooses_by_value(reader: Reader) -> bool {
    reader.is_best_first() && reader.searcher.algorithm().is_some() && !reader.averages_visits()
}
