//! An open node.

use super::super::codes::Way;
use super::super::reasons::Place;
use super::super::values::Sides;
use game::{MoveCode, Score, Side};
use open_trace::MoveId;
use tree::{Bound, DepthChange, Node, NodeId, Treatment, Window};

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
#[derive(Debug)]
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
    /// Infinite where the window is open.
    pub alpha: f64,
    pub beta: f64,
    /// The window as the tree keeps it.
    pub window: (Score, Score),
    pub depth: i16,
    pub static_value: Option<Score>,
    /// `f64::NEG_INFINITY`: none.
    stand: f64,
    pub why: Option<tree::Fate>,
    /// Moves searched.
    pub searched: u32,
    /// A bit for each of them, chosen by its number, so that most moves are known as new at once.
    seen: u32,
    /// Legal moves.
    pub moves: Option<u32>,
    /// The child that was entered or pruned last.
    pub last_child: NodeId,
    /// Where its moves begin among the worths of all.
    pub worths_from: u32,
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
    #[inline]
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
            alpha: f64::NEG_INFINITY,
            beta: f64::INFINITY,
            window: (Score::MIN, Score::MAX),
            depth: i16::from(Window::UNTOLD),
            static_value: None,
            stand: f64::NEG_INFINITY,
            why: None,
            searched: 0,
            seen: 0,
            moves: None,
            last_child: NodeId::NONE,
            worths_from: 0,
            nodes_before: 0,
            left_out: 0,
            miscounted: 0,
        }
    }

    /// A node below `from`, still without its place in the tree.
    #[inline]
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

    #[inline]
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

    /// Whether a move may be among those that were searched.
    #[inline]
    pub fn may_have_searched(&self, m: MoveId) -> bool {
        self.seen & Self::bit(m) != 0
    }

    /// Notes that a move was searched that was not searched before.
    #[inline]
    pub fn note_searched(&mut self, m: MoveId) {
        self.searched += 1;
        self.seen |= Self::bit(m);
    }

    #[inline]
    fn bit(m: MoveId) -> u32 {
        1 << (m.0 & 31)
    }

    /// Its moves among the worths of all.
    #[inline]
    pub fn worths<'w>(&self, worths: &'w [Worth]) -> &'w [Worth] {
        &worths[self.worths_from as usize..]
    }

    /// The static value, where it competes with the moves.
    #[inline]
    pub fn stand(&self) -> Option<f64> {
        Some(self.stand).filter(|stand| *stand > f64::NEG_INFINITY)
    }

    pub fn set_stand(&mut self, own: f64) {
        self.stand = own;
    }

    /// What static value and moves make of the node; `None` where there is nothing of the kind.
    #[inline]
    pub fn gives(&self, worths: &[Worth]) -> Option<f64> {
        let moves = self.worths(worths).iter().map(|worth| worth.own);
        let most = moves.fold(self.stand, f64::max);
        (most > f64::NEG_INFINITY).then_some(most)
    }

    /// What the value says by the window; without a window it is exact.
    #[inline]
    pub fn bound_of(&self, own: f64) -> Bound {
        if own >= self.beta {
            Bound::Lower
        } else if own <= self.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// The value within the window, as a fail-hard search returns it.
    pub fn clamped(&self, own: f64) -> f64 {
        own.min(self.beta).max(self.alpha)
    }

    /// Notes how the depth was changed, and that a reduced move is now searched in full if it is searched `again`.
    #[inline]
    pub fn note_change(&self, node: &Node, change: DepthChange, again: impl FnOnce() -> bool) {
        let before = node.treatment();
        let depth = match (before.depth, change) {
            (DepthChange::Reduced { plies, number, .. }, DepthChange::None) if again() => {
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

/// So that it is kept and dropped without a call.
const _: () = assert!(size_of::<Frame>() <= 128);
