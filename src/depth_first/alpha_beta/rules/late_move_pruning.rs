//! Late-move pruning.

use super::when::{self, When};
use super::{Effect, MoveInputs, NodeInputs, Rule, RuleInfo, Skip};
use crate::rule_formula::{self, AUTO, COUNT};
use search::{OptionSpec, Options, Range};
use tree::Fate;

/// Its row in the table of rules.
pub(super) const INFO: RuleInfo = RuleInfo {
    rule: Rule::LateMovePruning,
    effect: Effect::SkipsMove,
    summary: "a quiet move after so many others in vain",
    options: OPTIONS,
};

const MOVES: &str = "late-move-pruning-moves";
/// The deepest remaining depth at which the rule can be asked.
const DEEPEST: usize = 16;

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
        range: Range::Integer {
            min: 1,
            max: DEEPEST as i64,
        },
        summary: "deepest remaining depth at which moves are skipped",
    },
    OptionSpec {
        key: "late-move-pruning-when",
        default: when::AUTO,
        range: when::RANGE,
        summary: "where moves are skipped, by a condition; auto: by late-move-pruning-depth",
    },
    OptionSpec {
        key: "late-move-pruning-base",
        default: "4",
        range: Range::Integer { min: 0, max: 64 },
        summary: "moves searched: this + depth squared, half where not improving",
    },
    OptionSpec {
        key: MOVES,
        default: AUTO,
        range: Range::Formula(&COUNT),
        summary: "moves searched, at least 1, by a formula of the depth left and of improving (1 or 0); auto: by late-move-pruning-base",
    },
];

/// Late-move pruning: after a number of moves in vain, the remaining quiet ones are not expected to do better.
#[derive(Clone, Debug)]
pub struct LateMovePruning {
    pub enabled: bool,
    pub max_depth: i32,
    pub when: When,
    /// How many moves are searched, by depth; the first where the side to move is not improving.
    moves: [[i32; 2]; DEEPEST + 1],
}

impl LateMovePruning {
    pub(super) fn from_options(options: &Options) -> Self {
        let base = options.integer("late-move-pruning-base") as i32;
        let formula = rule_formula::of_option(options, MOVES, &COUNT);
        let moves = |depth: usize, improving: usize| match &formula {
            Some(formula) => {
                let numbers = [depth.max(1) as f64, improving as f64];
                rule_formula::value(formula, &numbers, 1000.0) as i32
            }
            // Half as many where the side to move is not improving.
            None => (base + (depth * depth) as i32) * (1 + improving as i32) / 2,
        };
        LateMovePruning {
            enabled: options.switch("late-move-pruning"),
            max_depth: options.integer("late-move-pruning-depth") as i32,
            when: When::of_option(options, "late-move-pruning-when"),
            moves: std::array::from_fn(|depth| [0, 1].map(|i| moves(depth, i).max(1))),
        }
    }

    /// After how many moves the rest is skipped.
    pub fn limit(&self, seen: &NodeInputs) -> Option<i32> {
        if !self.enabled
            || seen.alpha.is_decided()
            || !self.when.holds(seen, seen.depth <= self.max_depth)
        {
            return None;
        }
        Some(self.moves[seen.depth.clamp(0, DEEPEST as i32) as usize][usize::from(seen.improving)])
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alpha_beta;

    fn moves(text: &str) -> [[i32; 2]; DEEPEST + 1] {
        let mut options = alpha_beta::default_options();
        options.set(MOVES, text).expect(text);
        LateMovePruning::from_options(&options).moves
    }

    /// What is built in is the formula that it is shown as.
    #[test]
    fn auto_is_the_formula_that_it_stands_for() {
        let written = (COUNT.written)(AUTO).expect("a formula");
        assert_eq!(moves(&written)[1..], moves(AUTO)[1..]);
    }

    /// By hand: 4 + 3 * 3 = 13 at depth 3, and 6 where not improving; at least one move is searched.
    #[test]
    fn numbers_of_moves_by_hand() {
        assert_eq!(moves(AUTO)[3], [6, 13]);
        assert_eq!(moves("if(improving == 1, 20, 3*depth)")[3], [9, 20]);
        assert_eq!(moves("0")[1], [1, 1]);
    }
}
