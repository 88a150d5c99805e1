//! Razoring.

use super::when::{self, When};
use super::{Effect, MARGIN, NodeInputs, Rule, RuleInfo};
use crate::margin_table::MarginTable;
use game::Score;
use search::{OptionSpec, Options, Range};
use tree::Fate;

/// Its row in the table of rules.
pub(super) const INFO: RuleInfo = RuleInfo {
    rule: Rule::Razoring,
    effect: Effect::CutsNode,
    summary: "static value + margin is not above alpha, nor is quiescence",
    options: OPTIONS,
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "razoring",
        default: "on",
        range: Range::Switch,
        summary: "cut a node off where static value + margin is not above alpha and quiescence agrees",
    },
    OptionSpec {
        key: "razoring-depth",
        default: "3",
        range: Range::Integer { min: 1, max: 16 },
        summary: "deepest remaining depth at which nodes are cut so",
    },
    OptionSpec {
        key: "razoring-when",
        default: when::AUTO,
        range: when::RANGE,
        summary: "where nodes are cut so, by a condition; auto: by razoring-depth",
    },
    OptionSpec {
        key: "razoring-margin",
        default: "linear:500",
        range: MARGIN,
        summary: "margin by the plies left",
    },
];

/// Razoring: the position is so far below alpha that only a capture could help, and quiescence says that none does.
#[derive(Clone, Debug)]
pub struct Razoring {
    pub enabled: bool,
    pub max_depth: i32,
    pub when: When,
    pub margin: MarginTable,
}

impl Razoring {
    pub(super) fn from_options(options: &Options) -> Self {
        Razoring {
            enabled: options.switch("razoring"),
            max_depth: options.integer("razoring-depth") as i32,
            when: When::of_option(options, "razoring-when"),
            margin: MarginTable::of_option(options, "razoring-margin"),
        }
    }

    /// The margin, where static value + margin is not above alpha; quiescence then decides.
    pub fn suspects(&self, seen: &NodeInputs) -> Option<i32> {
        let margin = self.margin.at(seen.depth);
        (self.enabled
            && !seen.alpha.is_decided()
            && self.when.holds(seen, seen.depth <= self.max_depth)
            && seen.above(seen.alpha) + margin <= 0)
            .then_some(margin)
    }

    /// The fate after quiescence returned `value`.
    pub fn cut(seen: &NodeInputs, margin: i32, value: Score) -> Option<Fate> {
        (value <= seen.alpha).then_some(Fate::Razoring {
            static_value: seen.static_value,
            margin: margin as i16,
            value,
            depth: seen.depth as u8,
        })
    }
}
