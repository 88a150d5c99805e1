//! The rules of alpha-beta: what is cut, skipped, reduced and extended, each a small function of a few numbers.
//!
//! Each rule is one file with its options and its decision. The decision sees only the numbers in [`NodeInputs`] and
//! [`MoveInputs`] and returns a fate or a number; the search carries it out. A rule that prunes returns a fate of its
//! own name, by which it is counted and audited. Where a short mate is at stake no rule applies
//! ([`super::short_mates`]).
//!
//! To add a rule, write its file, its name in [`Rule`], its row in [`RULES`], the place below where it is asked, its fate
//! in the table of fates, and the sentence that describes the fate.

mod captures;
mod check_extension;
mod futility;
mod implied;
mod internal_reduction;
mod late_move_pruning;
mod late_move_reduction;
mod losing_moves;
mod multi_cut;
mod null_move;
mod options;
mod prob_cut;
mod razoring;
mod reverse_futility;
mod singular_extension;
mod when;

pub use implied::implied_skip;
pub use late_move_reduction::Late;
pub use options::{BELOW_ROOT, OPTIONS, without_rules};
pub use prob_cut::{Pair, Percentile, Probes};
pub use razoring::Razoring;
pub use singular_extension::SingularExtension;

use crate::margin_table;
use game::Score;
use search::{Effect, OptionSpec, Options, Range, Rule, RuleInfo};
use tree::Fate;

macro_rules! rules {
    (
        inner nodes { $($Rule:ident: $module:ident,)+ }
        quiescence { $($Capture:ident: $info:path,)+ }
    ) => {
        /// Whether quiescence applies the rule, rather than an inner node.
        pub fn is_in_quiescence(rule: Rule) -> bool {
            matches!(rule, $(Rule::$Capture)|+)
        }

        /// The table of rules, in the order of [`Rule`].
        pub static RULES: [RuleInfo; Rule::ALL.len()] =
            [$($module::INFO,)+ $($info),+];

        /// The rules of the inner nodes, with their parameters.
        #[derive(Clone, Debug)]
        pub struct Rules {
            $(pub $module: $module::$Rule,)+
            /// Whether `improving` is computed at all; if not, it is always true.
            pub improving: bool,
        }

        impl Rules {
            pub fn from_options(options: &Options) -> Self {
                Rules {
                    $($module: $module::$Rule::from_options(options),)+
                    improving: options.switch("improving"),
                }
            }
        }
    };
}

rules! {
    inner nodes {
        InternalReduction: internal_reduction,
        Razoring: razoring,
        ReverseFutility: reverse_futility,
        NullMove: null_move,
        ProbCut: prob_cut,
        SingularExtension: singular_extension,
        MultiCut: multi_cut,
        CheckExtension: check_extension,
        Futility: futility,
        LateMovePruning: late_move_pruning,
        LosingMoves: losing_moves,
        LateMoveReduction: late_move_reduction,
    }
    quiescence {
        DeltaPruning: captures::DELTA_PRUNING,
        LosingCaptures: captures::LOSING_CAPTURES,
    }
}

/// The options of the rules, in the order in which they are listed.
const OF_RULES: &[&[OptionSpec]] = &[
    futility::INFO.options,
    reverse_futility::INFO.options,
    razoring::INFO.options,
    null_move::INFO.options,
    prob_cut::INFO.options,
    late_move_pruning::INFO.options,
    losing_moves::INFO.options,
    late_move_reduction::INFO.options,
    internal_reduction::INFO.options,
    check_extension::INFO.options,
    singular_extension::INFO.options,
    multi_cut::INFO.options,
    options::WHOLE_TREE,
    captures::DELTA_PRUNING.options,
    captures::LOSING_CAPTURES.options,
];

/// What a rule sees of a node that is not in check.
#[derive(Clone, Copy, Debug)]
pub struct NodeInputs {
    pub alpha: Score,
    pub beta: Score,
    /// Plies remaining, at least 1.
    pub depth: i32,
    /// From the view of the side to move, corrected.
    pub static_value: Score,
    /// The static value is higher than the one two plies before.
    pub improving: bool,
}

impl NodeInputs {
    /// How far the static value is above a bound; negative if it is below.
    fn above(&self, bound: Score) -> i32 {
        i32::from(self.static_value.raw()) - i32::from(bound.raw())
    }
}

/// What a rule sees of a move that gives no check.
#[derive(Clone, Copy, Debug)]
pub struct MoveInputs {
    /// Neither a capture nor a promotion.
    pub quiet: bool,
    /// How many moves were searched before it.
    pub number: u8,
    /// A quiet move's history, within ± 3 · 2^14.
    pub history: i32,
    /// The node's window is a null window.
    pub null_window: bool,
}

/// A move that is skipped.
#[derive(Clone, Copy, Debug)]
pub struct Skip {
    pub fate: Fate,
    /// The most that the move is expected to reach, where the rule gives such a value: the node's value is no lower
    /// than this (fail-soft).
    pub ceiling: Option<Score>,
    /// All later quiet moves that give no check are skipped with it.
    pub rest: bool,
}

impl Skip {
    fn of(fate: Fate) -> Skip {
        Skip {
            fate,
            ceiling: None,
            rest: false,
        }
    }
}

impl Rules {
    /// How often a condition of somebody's had no value since this was asked last.
    pub fn take_undefined(&self) -> u64 {
        let conditions = [
            &self.razoring.when,
            &self.reverse_futility.when,
            &self.null_move.when,
            &self.futility.when,
            &self.late_move_pruning.when,
            &self.losing_moves.when,
        ];
        conditions.iter().map(|when| when.take_undefined()).sum()
    }

    /// Asks the rules that cut a node off by its numbers alone. Returns the value taken for the node, and the fate.
    #[inline]
    pub fn cut(&self, seen: &NodeInputs) -> Option<(Score, Fate)> {
        self.reverse_futility.cut(seen)
    }

    /// Asks the rules that skip single moves. `reaches` says whether the move's exchange yields at least the given
    /// number of centipawns.
    #[inline]
    pub fn skip(
        &self,
        seen: &NodeInputs,
        m: &MoveInputs,
        reaches: impl Fn(i32) -> bool,
    ) -> Option<Skip> {
        (self.futility.skip_one(seen, m))
            .or_else(|| self.late_move_pruning.skip(seen, m))
            .or_else(|| self.losing_moves.skip(seen, m, reaches))
    }
}

/// The values that an option for a margin takes.
const MARGIN: Range = Range::Formula(&margin_table::MARGIN);

#[cfg(test)]
mod tests;
