//! What a search kept of its tree when the game moved on.

use std::fmt;

use text::thousands;
use tree::NodeId;

/// What was kept when the game moved on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reuse {
    /// Moves made.
    pub moves: usize,
    /// The node that became the root.
    pub place: NodeId,
    /// The visits of the old root and of the new one.
    pub visits_before: u32,
    pub visits: u32,
    /// Two-fold draws taken back, because their first occurrence is now in the game's past.
    pub taken_back: usize,
}

impl fmt::Display for Reuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "tree kept: {} of {} visits",
            thousands(self.visits.into()),
            thousands(self.visits_before.into())
        )?;
        match self.taken_back {
            0 => Ok(()),
            1 => f.write_str(", 1 two-fold draw taken back"),
            n => write!(f, ", {} two-fold draws taken back", thousands(n as u64)),
        }
    }
}
