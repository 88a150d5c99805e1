//! An open node.

use super::super::codes::Way;
use super::super::reasons::Place;
use super::super::values::Sides;
use game::{MoveCode, Side};
use open_trace::MoveId;
use tree::{Bound, DepthChange, Node, NodeId, Treatment};

/// How one came to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Root,
    Move,
    /// The same position was entered again.
    Same,
    /// What a rule searches hangs below it; the program did not enter a node.
    Trial,
}

/// A node that was entered and not yet left. Values are in steps, from its own view.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub node: NodeId,
    pub kind: Kind,
    pub m: MoveId,
    pub code: MoveCode,
    /// The way from the root, for codes of moves.
    pub way: Way,
    /// Plies from the root.
    pub ply: u16,
    /// The same with trials and repeated positions, which are nodes of the tree too.
    pub tree_ply: u16,
    pub side: Side,
    parent_side: Option<Side>,
    /// `None`: open.
    pub alpha: Option<f64>,
    pub beta: Option<f64>,
    /// Whether the program told the window.
    pub windowed: bool,
    pub depth: i16,
    pub static_value: Option<game::Score>,
    pub stand: Option<f64>,
    pub why: Option<tree::Fate>,
    /// Moves searched.
    pub searched: u32,
    pub skipped: u32,
    /// Legal moves.
    pub moves: Option<u32>,
    /// The child that was entered or pruned last.
    pub last_child: NodeId,
    /// Where its moves begin among the worths of all.
    pub worths_from: usize,
    /// The worker's nodes when it was entered.
    pub nodes_before: u64,
    /// Nodes below it that were not sent.
    pub left_out: u64,
    /// By how many nodes the program counts more in it, or fewer, than were entered.
    pub miscounted: i64,
}

/// What a move is worth by its last search, from the view of the node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worth {
    pub m: MoveId,
    pub code: MoveCode,
    pub own: f64,
}

impl Frame {
    pub fn root(side: Side, way: Way) -> Frame {
        Frame {
            node: tree::Tree::ROOT,
            kind: Kind::Root,
            m: MoveId::NONE,
            code: MoveCode::NONE,
            way,
            ply: 0,
            tree_ply: 0,
            side,
            parent_side: None,
            alpha: None,
            beta: None,
            windowed: false,
            depth: 0,
            static_value: None,
            stand: None,
            why: None,
            searched: 0,
            skipped: 0,
            moves: None,
            last_child: NodeId::NONE,
            worths_from: 0,
            nodes_before: 0,
            left_out: 0,
            miscounted: 0,
        }
    }

    /// A node below `from`, still without its place in the tree.
    pub fn below(from: &Frame, kind: Kind, m: MoveId, code: MoveCode, side: Option<Side>) -> Frame {
        let moved = kind == Kind::Move;
        let usual = if moved { from.side.other() } else { from.side };
        Frame {
            node: NodeId::NONE,
            kind,
            m,
            code,
            way: if moved { from.way.on(code) } else { from.way },
            ply: from.ply + u16::from(moved),
            tree_ply: from.tree_ply + 1,
            side: side.unwrap_or(usual),
            // The position has the parent that it had before.
            parent_side: if moved {
                Some(from.side)
            } else {
                from.parent_side
            },
            ..Frame::root(from.side, from.way)
        }
    }

    pub fn place(&self) -> Place {
        Place {
            sides: Sides {
                node: self.side,
                parent: self.parent_side,
            },
            ply: self.ply,
        }
    }

    /// The depth as the tree keeps it.
    pub fn plies(&self) -> i8 {
        self.depth.clamp(i16::from(i8::MIN), i16::from(i8::MAX)) as i8
    }

    /// What static value and moves make of the node; `None` where there is nothing of the kind.
    pub fn gives(&self, worths: &[Worth]) -> Option<f64> {
        let moves = worths[self.worths_from..].iter().map(|worth| worth.own);
        moves.chain(self.stand).reduce(f64::max)
    }

    /// What the value says by the window; without a window it is exact.
    pub fn bound_of(&self, own: f64) -> Bound {
        if self.beta.is_some_and(|beta| own >= beta) {
            Bound::Lower
        } else if self.alpha.is_some_and(|alpha| own <= alpha) {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// The value within the window, as a fail-hard search returns it.
    pub fn clamped(&self, own: f64) -> f64 {
        let own = self.beta.map_or(own, |beta| own.min(beta));
        self.alpha.map_or(own, |alpha| own.max(alpha))
    }

    /// Notes how the depth was changed, and that a reduced move is now searched in full if it is searched `again`.
    pub fn note_change(&self, node: &Node, change: DepthChange, again: bool) {
        let before = node.treatment();
        let depth = match (before.depth, change) {
            (DepthChange::Reduced { plies, number, .. }, DepthChange::None) if again => {
                DepthChange::Reduced {
                    plies,
                    number,
                    again: true,
                }
            }
            (_, change) => change,
        };
        if depth != before.depth {
            node.set_treatment(Treatment {
                depth,
                audit: before.audit,
            });
        }
    }
}
