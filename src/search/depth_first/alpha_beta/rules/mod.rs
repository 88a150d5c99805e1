//! The rules of alpha-beta: what is cut, skipped, reduced and extended, each a small function of a few numbers.
//!
//! `cut` decides whole nodes before their moves, `skip` single moves, `depth` how deeply a move is searched. A rule sees
//! only what stands in [`Seen`] and answers with a fate or a number; how its answer is carried out is the search's
//! matter. Where a short mate is at stake no rule is asked ([`super::exact`]).

mod cut;
mod depth;
mod implied;
mod options;
mod skip;

pub use cut::{NullMove, ProbCut, Razoring, ReverseFutility};
pub use depth::{CheckExtension, InternalReduction, Late, LateMoveReduction, Singular};
pub use implied::implied_skip;
pub use options::{OPTIONS, without_rules};
pub use skip::{Futility, LateMoves, LosingMoves};

use crate::game::Score;
use crate::search::Options;

/// What a rule sees of a node that is not in check.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub alpha: Score,
    pub beta: Score,
    /// Plies left, at least 1.
    pub depth: i32,
    /// Side to move, corrected.
    pub static_value: Score,
    /// The static value is above the one two plies before.
    pub improving: bool,
}

impl Seen {
    /// How far the static value is above a bound, negative below.
    fn above(&self, bound: Score) -> i32 {
        i32::from(self.static_value.raw()) - i32::from(bound.raw())
    }
}

/// All rules with their parameters.
#[derive(Clone, Debug)]
pub struct Rules {
    pub internal_reduction: InternalReduction,
    pub razoring: Razoring,
    pub reverse_futility: ReverseFutility,
    pub null_move: NullMove,
    pub prob_cut: ProbCut,
    pub singular: Singular,
    pub check_extension: CheckExtension,
    pub futility: Futility,
    pub late_moves: LateMoves,
    pub losing_moves: LosingMoves,
    pub reduction: LateMoveReduction,
    /// Whether `improving` is asked at all; off: it is always true.
    pub improving: bool,
}

impl Rules {
    #[must_use]
    pub fn from_options(options: &Options) -> Self {
        Rules {
            internal_reduction: InternalReduction::from_options(options),
            razoring: Razoring::from_options(options),
            reverse_futility: ReverseFutility::from_options(options),
            null_move: NullMove::from_options(options),
            prob_cut: ProbCut::from_options(options),
            singular: Singular::from_options(options),
            check_extension: CheckExtension::from_options(options),
            futility: Futility::from_options(options),
            late_moves: LateMoves::from_options(options),
            losing_moves: LosingMoves::from_options(options),
            reduction: LateMoveReduction::from_options(options),
            improving: options.switch("improving"),
        }
    }

    /// Whether a search by these rules may miss something that a full one finds.
    #[cfg(test)]
    fn are_selective(&self) -> bool {
        self.internal_reduction.enabled
            || self.razoring.enabled
            || self.reverse_futility.enabled
            || self.null_move.enabled
            || self.prob_cut.enabled
            || self.singular.enabled
            || self.futility.enabled
            || self.late_moves.enabled
            || self.losing_moves.enabled
            || self.reduction.enabled
    }
}

#[cfg(test)]
mod tests;
