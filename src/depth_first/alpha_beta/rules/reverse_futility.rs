//! Reverse futility.

use super::when::{self, When};
use super::{Effect, MARGIN, NodeInputs, Rule, RuleInfo};
use crate::margin_table::MarginTable;
use game::Score;
use search::{OptionSpec, Options, Range};
use tree::Fate;

/// Its row in the table of rules.
pub(super) const INFO: RuleInfo = RuleInfo {
    rule: Rule::ReverseFutility,
    effect: Effect::CutsNode,
    summary: "static value - margin reaches beta",
    options: OPTIONS,
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "reverse-futility",
        default: "on",
        range: Range::Switch,
        summary: "cut a node off where static value - margin reaches beta",
    },
    OptionSpec {
        key: "reverse-futility-depth",
        default: "8",
        range: Range::Integer { min: 1, max: 16 },
        summary: "deepest remaining depth at which nodes are cut so",
    },
    OptionSpec {
        key: "reverse-futility-when",
        default: when::AUTO,
        range: when::RANGE,
        summary: "where nodes are cut so, by a condition; auto: by reverse-futility-depth",
    },
    OptionSpec {
        key: "reverse-futility-margin",
        default: "linear:75",
        range: MARGIN,
        summary: "margin by the plies left, one fewer where the side to move is improving",
    },
];

/// Reverse futility: the position is so far above beta that the opponent is not expected to make up for it (Heinz calls
/// it static null-move pruning).
#[derive(Clone, Debug)]
pub struct ReverseFutility {
    pub enabled: bool,
    pub max_depth: i32,
    pub when: When,
    pub margin: MarginTable,
}

impl ReverseFutility {
    pub(super) fn from_options(options: &Options) -> Self {
        ReverseFutility {
            enabled: options.switch("reverse-futility"),
            max_depth: options.integer("reverse-futility-depth") as i32,
            when: When::of_option(options, "reverse-futility-when"),
            margin: MarginTable::of_option(options, "reverse-futility-margin"),
        }
    }

    /// Cuts the node off where static value − margin reaches beta: the value is at least that. The margin is one ply
    /// smaller where the side to move is improving.
    pub fn cut(&self, seen: &NodeInputs) -> Option<(Score, Fate)> {
        if !self.enabled
            || seen.beta.is_decided()
            || !self.when.holds(seen, seen.depth <= self.max_depth)
        {
            return None;
        }
        let margin = self.margin.at(seen.depth - i32::from(seen.improving));
        let least = Score::new(i32::from(seen.static_value.raw()) - margin);
        let fate = Fate::ReverseFutility {
            static_value: seen.static_value,
            margin: margin as i16,
            beta: seen.beta,
            depth: seen.depth as u8,
        };
        (least >= seen.beta).then_some((least, fate))
    }
}
