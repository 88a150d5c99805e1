//! The switches of certainty propagation.

/// Which parts of certainty propagation are enabled (Videodr0me, *Porting certainty propagation to new codebase* (lc0,
/// GitHub issue, 2018)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Solver {
    /// Bounds are propagated from the children; without it, only the game's own ends are certain.
    pub propagation: bool,
    /// A new node's children are checked for ends of the game.
    pub look_ahead: bool,
    /// A single reply is followed at once.
    pub single_reply: bool,
    /// A position that occurred before within the tree counts as a draw, but not as a proven one.
    pub two_fold: bool,
    /// A position that occurred before in the game also counts as a draw.
    pub two_fold_draws: bool,
    /// The root is never made certain.
    pub open_root: bool,
}

impl Solver {
    pub const ALL: Solver = Solver {
        propagation: true,
        look_ahead: true,
        single_reply: true,
        two_fold: true,
        two_fold_draws: false,
        open_root: false,
    };
}
