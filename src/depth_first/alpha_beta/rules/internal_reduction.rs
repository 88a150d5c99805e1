//! Internal iterative reduction.

use super::{Effect, Rule, RuleInfo};
use search::{OptionSpec, Options, Range};

/// Its row in the table of rules.
pub(super) const INFO: RuleInfo = RuleInfo {
    rule: Rule::InternalReduction,
    effect: Effect::Reduces,
    summary: "a node without a table move is searched a ply less deeply: the next visit has one",
    options: OPTIONS,
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "internal-reduction",
        default: "on",
        range: Range::Switch,
        summary: "search a node without a table move a ply less deeply",
    },
    OptionSpec {
        key: "internal-reduction-depth",
        default: "4",
        range: Range::Integer { min: 2, max: 32 },
        summary: "least remaining depth at which that is done",
    },
];

/// Internal iterative reduction: without a table move the move order is poor, so the node is searched a ply less
/// deeply; the next visit will have a move (Schröder 2020).
#[derive(Clone, Copy, Debug)]
pub struct InternalReduction {
    pub enabled: bool,
    pub min_depth: i32,
}

impl InternalReduction {
    pub(super) fn from_options(options: &Options) -> Self {
        InternalReduction {
            enabled: options.switch("internal-reduction"),
            min_depth: options.integer("internal-reduction-depth") as i32,
        }
    }

    pub fn applies(&self, depth: i32, has_table_move: bool) -> bool {
        self.enabled && depth >= self.min_depth && !has_table_move
    }
}
