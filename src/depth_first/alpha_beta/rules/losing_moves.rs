//! Moves that lose material.

use super::when::{self, When};
use super::{Effect, MoveInputs, NodeInputs, Rule, RuleInfo, Skip};
use search::{OptionSpec, Options, Range};
use tree::Fate;

/// Its row in the table of rules.
pub(super) const INFO: RuleInfo = RuleInfo {
    rule: Rule::LosingMoves,
    effect: Effect::SkipsMove,
    summary: "a move that by static exchange loses more than the depth allows",
    options: OPTIONS,
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "losing-moves",
        default: "on",
        range: Range::Switch,
        summary: "skip moves that lose more by static exchange than the depth allows",
    },
    OptionSpec {
        key: "losing-moves-depth",
        default: "8",
        range: Range::Integer { min: 1, max: 16 },
        summary: "deepest remaining depth at which moves are skipped",
    },
    OptionSpec {
        key: "losing-moves-when",
        default: when::AUTO,
        range: when::RANGE,
        summary: "where moves are skipped, by a condition; auto: by losing-moves-depth",
    },
    OptionSpec {
        key: "losing-moves-quiet",
        default: "60",
        range: Range::Integer { min: 0, max: 1000 },
        summary: "centipawns a ply that a quiet move may lose",
    },
    OptionSpec {
        key: "losing-moves-noisy",
        default: "100",
        range: Range::Integer { min: 0, max: 1000 },
        summary: "centipawns a ply that a capture may lose",
    },
];

/// Skips moves that lose more material by static exchange than the remaining depth could make up for.
#[derive(Clone, Debug)]
pub struct LosingMoves {
    pub enabled: bool,
    pub max_depth: i32,
    pub when: When,
    /// How many centipawns a quiet move may lose per ply of depth.
    pub quiet: i32,
    /// The same for captures and promotions.
    pub noisy: i32,
}

impl LosingMoves {
    pub(super) fn from_options(options: &Options) -> Self {
        LosingMoves {
            enabled: options.switch("losing-moves"),
            max_depth: options.integer("losing-moves-depth") as i32,
            when: When::of_option(options, "losing-moves-when"),
            quiet: options.integer("losing-moves-quiet") as i32,
            noisy: options.integer("losing-moves-noisy") as i32,
        }
    }

    /// Skips the move if its exchange does not yield at least a threshold, which is negative; `reaches` says whether it
    /// does.
    #[inline]
    pub fn skip(
        &self,
        seen: &NodeInputs,
        m: &MoveInputs,
        reaches: impl Fn(i32) -> bool,
    ) -> Option<Skip> {
        if !self.enabled
            || seen.alpha.is_decided()
            || !self.when.holds(seen, seen.depth <= self.max_depth)
        {
            return None;
        }
        let threshold = -seen.depth * if m.quiet { self.quiet } else { self.noisy };
        let fate = Fate::LosingMoves {
            threshold: threshold as i16,
            depth: seen.depth as u8,
        };
        (!reaches(threshold)).then_some(Skip::of(fate))
    }
}
