//! The flags of a node.

use std::sync::atomic::Ordering::Relaxed;

use super::{ABOVE_NARROWED, EXCLUDED, NARROWED, Node, PATH_DEPENDENT};

impl Node {
    /// Whether the proven bounds hold only on the path that led here, because a repetition or the fifty-move rule is
    /// among their reasons. Such bounds must never be used for the same position on another path.
    #[inline]
    pub fn is_path_dependent(&self) -> bool {
        self.move_and_children.load(Relaxed) & PATH_DEPENDENT != 0
    }

    /// Marks the proven bounds as holding only on this path.
    #[inline]
    pub fn set_path_dependent(&self) {
        self.move_and_children.fetch_or(PATH_DEPENDENT, Relaxed);
    }

    /// Clears that mark, before the proven bounds are recomputed.
    pub fn clear_path_dependent(&self) {
        self.set_flag(PATH_DEPENDENT, false);
    }

    /// Whether moves were excluded at this node.
    #[inline]
    pub fn is_narrowed(&self) -> bool {
        self.move_and_children.load(Relaxed) & NARROWED != 0
    }

    pub fn set_narrowed(&self, narrowed: bool) {
        self.set_flag(NARROWED, narrowed);
    }

    /// Whether moves were excluded at this node or below it, so that its value differs from the value of the position
    /// elsewhere.
    #[inline]
    pub fn rests_on_choices(&self) -> bool {
        self.move_and_children.load(Relaxed) & (NARROWED | ABOVE_NARROWED) != 0
    }

    pub fn set_above_narrowed(&self, above: bool) {
        self.set_flag(ABOVE_NARROWED, above);
    }

    /// Whether the move to this node was excluded.
    #[inline]
    pub fn is_excluded(&self) -> bool {
        self.move_and_children.load(Relaxed) & EXCLUDED != 0
    }

    pub fn set_excluded(&self, excluded: bool) {
        self.set_flag(EXCLUDED, excluded);
    }

    fn set_flag(&self, flag: u32, set: bool) {
        if set {
            self.move_and_children.fetch_or(flag, Relaxed);
        } else {
            self.move_and_children.fetch_and(!flag, Relaxed);
        }
    }
}
