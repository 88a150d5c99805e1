//! Late-move pruning.

use super::{Effect, MoveInputs, NodeInputs, Rule, RuleInfo, Skip};
use search::{OptionSpec, Options, Range};
use tree::Fate;

/// Its row in the table of rules.
pub(super) const INFO: RuleInfo = RuleInfo {
    rule: Rule::LateMovePruning,
    effect: Effect::SkipsMove,
    summary: "a quiet move after so many others in vain",
    options: OPTIONS,
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "late-move-pruning",
        default: "on",
        range: Range::Switch,
        summary: "skip quiet moves after so many moves in vain",
    },
    OptionSpec {
        key: "late-move-pruning-depth",
        default: "8",
        range: Range::Integer { min: 1, max: 16 },
        summary: "deepest remaining depth at which moves are skipped",
    },
    OptionSpec {
        key: "late-move-pruning-base",
        default: "4",
        range: Range::Integer { min: 0, max: 64 },
        summary: "moves searched: this + depth squared, half where not improving",
    },
];

/// Late-move pruning: after a number of moves in vain, the remaining quiet ones are not expected to do better.
#[derive(Clone, Copy, Debug)]
pub struct LateMovePruning {
    pub enabled: bool,
    pub max_depth: i32,
    /// The smallest number of moves to search; the square of the depth is added.
    pub base: i32,
}

impl LateMovePruning {
    pub(super) fn from_options(options: &Options) -> Self {
        LateMovePruning {
            enabled: options.switch("late-move-pruning"),
            max_depth: options.integer("late-move-pruning-depth") as i32,
            base: options.integer("late-move-pruning-base") as i32,
        }
    }

    /// After how many moves the rest is skipped: half as many where the side to move is not improving.
    pub fn limit(&self, seen: &NodeInputs) -> Option<i32> {
        if !self.enabled || seen.depth > self.max_depth || seen.alpha.is_decided() {
            return None;
        }
        let limit = self.base + seen.depth * seen.depth;
        Some(if seen.improving { limit } else { limit / 2 }.max(1))
    }

    /// Whether the move is skipped. In a null window alpha does not change, so the verdict on one quiet move is the
    /// verdict on all that come after it.
    #[inline]
    pub fn skip(&self, seen: &NodeInputs, m: &MoveInputs) -> Option<Skip> {
        let limit = (m.quiet && m.null_window)
            .then(|| self.limit(seen))
            .flatten()
            .filter(|&limit| i32::from(m.number) >= limit)?;
        Some(Skip {
            rest: true,
            ..Skip::of(Self::fate(limit, seen.depth))
        })
    }

    /// The fate of a quiet move that comes after the limit.
    pub fn fate(limit: i32, depth: i32) -> Fate {
        Fate::LateMovePruning {
            searched: limit.min(255) as u8,
            depth: depth as u8,
        }
    }
}
