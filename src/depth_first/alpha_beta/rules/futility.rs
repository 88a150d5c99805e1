//! Futility pruning.

use super::when::{self, When};
use super::{Effect, MARGIN, MoveInputs, NodeInputs, Rule, RuleInfo, Skip};
use crate::margin_table::MarginTable;
use game::Score;
use search::{OptionSpec, Options, Range};
use tree::Fate;

/// Its row in the table of rules.
pub(super) const INFO: RuleInfo = RuleInfo {
    rule: Rule::Futility,
    effect: Effect::SkipsMove,
    summary: "a quiet move where static value + margin is not above alpha",
    options: OPTIONS,
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "futility",
        default: "on",
        range: Range::Switch,
        summary: "skip quiet moves where static value + margin is not above alpha",
    },
    OptionSpec {
        key: "futility-depth",
        default: "6",
        range: Range::Integer { min: 1, max: 16 },
        summary: "deepest remaining depth, in plies, at which moves are skipped",
    },
    OptionSpec {
        key: "futility-when",
        default: when::AUTO,
        range: when::RANGE,
        summary: "where moves are skipped, by a condition; auto: by futility-depth",
    },
    OptionSpec {
        key: "futility-margin",
        default: "linear:130",
        range: MARGIN,
        summary: "futility margin by the plies left",
    },
];

/// Futility: a quiet move that gives no check is not expected to raise the static value by more than a margin
/// (Schaeffer 1986, Heinz 1998; how the margin should grow with depth is the question of Qhapaq, *Futility
/// marginがdepthの線形でいい理由*).
#[derive(Clone, Debug)]
pub struct Futility {
    pub enabled: bool,
    /// The largest remaining depth at which moves are skipped.
    pub max_depth: i32,
    pub when: When,
    pub margin: MarginTable,
}

impl Futility {
    pub(super) fn from_options(options: &Options) -> Self {
        Futility {
            enabled: options.switch("futility"),
            max_depth: options.integer("futility-depth") as i32,
            when: When::of_option(options, "futility-when"),
            margin: MarginTable::of_option(options, "futility-margin"),
        }
    }

    /// Whether the quiet moves that give no check are skipped; one verdict holds for all of them.
    #[inline]
    pub fn skip(&self, seen: &NodeInputs) -> Option<Fate> {
        if !self.enabled
            || seen.alpha.is_decided()
            || !self.when.holds(seen, seen.depth <= self.max_depth)
        {
            return None;
        }
        let margin = self.margin.at(seen.depth);
        (seen.above(seen.alpha) + margin <= 0).then_some(Fate::Futility {
            static_value: seen.static_value,
            margin: margin as i16,
            alpha: seen.alpha,
            depth: seen.depth as u8,
        })
    }

    /// The same for a single move, where the window is open and alpha may rise from one move to the next.
    #[inline]
    pub fn skip_one(&self, seen: &NodeInputs, m: &MoveInputs) -> Option<Skip> {
        let fate = (m.quiet && !m.null_window)
            .then(|| self.skip(seen))
            .flatten()?;
        Some(Skip {
            ceiling: Some(self.ceiling(seen)),
            ..Skip::of(fate)
        })
    }

    /// The most that a skipped move is expected to reach: static value + margin.
    pub fn ceiling(&self, seen: &NodeInputs) -> Score {
        Score::new(i32::from(seen.static_value.raw()) + self.margin.at(seen.depth))
    }
}
