//! Multi-cut.

use super::{Effect, Rule, RuleInfo};
use game::Score;
use search::{OptionSpec, Options, Range};
use tree::Fate;

/// Its row in the table of rules.
pub(super) const INFO: RuleInfo = RuleInfo {
    rule: Rule::MultiCut,
    effect: Effect::CutsNode,
    summary: "without the table's move, and shallower, beta is reached too",
    options: OPTIONS,
};

const OPTIONS: &[OptionSpec] = &[OptionSpec {
    key: "multi-cut",
    default: "on",
    range: Range::Switch,
    summary: "cut a node off where the singular test finds other moves that reach beta",
}];

/// Multi-cut: the singular test, made without the table's move and to a smaller depth, reaches beta, so more than one
/// move does (Björnsson & Marsland 2001, "Multi-cut alpha-beta-pruning in game-tree search").
#[derive(Clone, Copy, Debug)]
pub struct MultiCut {
    pub enabled: bool,
}

impl MultiCut {
    pub(super) fn from_options(options: &Options) -> Self {
        MultiCut {
            enabled: options.switch("multi-cut"),
        }
    }

    /// The fate after the singular test against `bound`, a search of `depth` plies, returned `value`.
    pub fn cut(&self, beta: Score, bound: Score, value: Score, depth: i32) -> Option<Fate> {
        let reached = value >= bound && bound >= beta && !value.is_decided();
        (self.enabled && reached).then_some(Fate::MultiCut {
            value,
            beta,
            depth: depth as u8,
        })
    }
}
