//! Null-move pruning.

use super::{Effect, NodeInputs, Rule, RuleInfo};
use search::{OptionSpec, Options, Range};

/// Its row in the table of rules.
pub(super) const INFO: RuleInfo = RuleInfo {
    rule: Rule::NullMove,
    effect: Effect::CutsNode,
    summary: "even passing reaches beta in a shallower search",
    options: OPTIONS,
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "null-move",
        default: "on",
        range: Range::Switch,
        summary: "cut a node off where even passing reaches beta (Donninger 1993)",
    },
    OptionSpec {
        key: "null-move-depth",
        default: "3",
        range: Range::Integer { min: 1, max: 32 },
        summary: "least remaining depth at which passing is tried",
    },
    OptionSpec {
        key: "null-move-reduction",
        default: "3",
        range: Range::Integer { min: 1, max: 8 },
        summary: "plies the search after passing is shallower",
    },
    OptionSpec {
        key: "null-move-divisor",
        default: "3",
        range: Range::Integer { min: 1, max: 32 },
        summary: "one ply shallower still for each so many plies of depth",
    },
    OptionSpec {
        key: "null-move-verification",
        default: "10",
        range: Range::Integer { min: 1, max: 100 },
        summary: "from this remaining depth on a search without null moves verifies the cut",
    },
];

/// Null move: if even passing reaches beta, some move will (Donninger 1993). This is wrong in zugzwang, so it is not
/// tried with king and pawns alone, and where much depth is at stake it is verified by a search without null moves
/// (Tabibi & Netanyahu 2002).
#[derive(Clone, Copy, Debug)]
pub struct NullMove {
    pub enabled: bool,
    pub min_depth: i32,
    /// By how many plies the search after the pass is shallower; one more is added for each `divisor` plies of depth.
    pub reduction: i32,
    pub divisor: i32,
    /// A cutoff is verified from this depth on.
    pub verification: i32,
}

impl NullMove {
    /// This many centipawns above beta reduce the search by one more ply, three at most.
    const CENTIPAWNS_A_PLY: i32 = 150;

    pub(super) fn from_options(options: &Options) -> Self {
        NullMove {
            enabled: options.switch("null-move"),
            min_depth: options.integer("null-move-depth") as i32,
            reduction: options.integer("null-move-reduction") as i32,
            divisor: options.integer("null-move-divisor") as i32,
            verification: options.integer("null-move-verification") as i32,
        }
    }

    /// By how many plies the search after the pass is shallower; `None` if no pass is tried.
    pub fn reduction(&self, seen: &NodeInputs) -> Option<i32> {
        let above = seen.above(seen.beta);
        let tries =
            self.enabled && seen.depth >= self.min_depth && above >= 0 && !seen.beta.is_decided();
        tries.then(|| {
            self.reduction + seen.depth / self.divisor + (above / Self::CENTIPAWNS_A_PLY).min(3)
        })
    }

    pub fn needs_verification(&self, depth: i32) -> bool {
        depth >= self.verification
    }
}
