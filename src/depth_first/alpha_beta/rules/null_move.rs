//! Null-move pruning.

use super::when::{self, When};
use super::{Effect, NodeInputs, Rule, RuleInfo};
use crate::rule_formula::{self, AUTO, DEEPEST, PASS};
use search::{OptionSpec, Options, Range};

/// Its row in the table of rules.
pub(super) const INFO: RuleInfo = RuleInfo {
    rule: Rule::NullMove,
    effect: Effect::CutsNode,
    summary: "even passing reaches beta in a shallower search",
    options: OPTIONS,
};

const PLIES: &str = "null-move-plies";

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
        key: "null-move-when",
        default: when::AUTO,
        range: when::RANGE,
        summary: "where passing is tried, by a condition; auto: by null-move-depth",
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
        key: PLIES,
        default: AUTO,
        range: Range::Formula(&PASS),
        summary: "plies the search after passing is shallower, by a formula of the depth left; auto: by null-move-reduction and null-move-divisor",
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
#[derive(Clone, Debug)]
pub struct NullMove {
    pub enabled: bool,
    pub min_depth: i32,
    pub when: When,
    /// By how many plies the search after the pass is shallower, by depth.
    plies: [u8; DEEPEST + 1],
    /// A cutoff is verified from this depth on.
    pub verification: i32,
}

impl NullMove {
    /// This many centipawns above beta reduce the search by one more ply, three at most.
    const CENTIPAWNS_A_PLY: i32 = 150;

    pub(super) fn from_options(options: &Options) -> Self {
        let reduction = options.integer("null-move-reduction") as usize;
        let divisor = options.integer("null-move-divisor") as usize;
        let formula = rule_formula::of_option(options, PLIES, &PASS);
        let plies = |depth: usize| match &formula {
            Some(formula) => rule_formula::value(formula, &[depth.max(1) as f64], 200.0) as u8,
            None => (reduction + depth / divisor) as u8,
        };
        NullMove {
            enabled: options.switch("null-move"),
            min_depth: options.integer("null-move-depth") as i32,
            when: When::of_option(options, "null-move-when"),
            plies: std::array::from_fn(plies),
            verification: options.integer("null-move-verification") as i32,
        }
    }

    /// By how many plies the search after the pass is shallower; `None` if no pass is tried.
    pub fn reduction(&self, seen: &NodeInputs) -> Option<i32> {
        let above = seen.above(seen.beta);
        let tries = self.enabled
            && above >= 0
            && !seen.beta.is_decided()
            && self.when.holds(seen, seen.depth >= self.min_depth);
        tries.then(|| {
            let plies = self.plies[(seen.depth as usize).min(DEEPEST)];
            i32::from(plies) + (above / Self::CENTIPAWNS_A_PLY).min(3)
        })
    }

    pub fn needs_verification(&self, depth: i32) -> bool {
        depth >= self.verification
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alpha_beta;

    fn plies(text: &str) -> [u8; DEEPEST + 1] {
        let mut options = alpha_beta::default_options();
        options.set(PLIES, text).expect(text);
        NullMove::from_options(&options).plies
    }

    /// What is built in is the formula that it is shown as.
    #[test]
    fn auto_is_the_formula_that_it_stands_for() {
        let written = (PASS.written)(AUTO).expect("a formula");
        assert_eq!(plies(&written)[1..], plies(AUTO)[1..]);
        assert_eq!(plies("2 + depth/2")[5], 4);
    }

    #[test]
    fn what_gives_no_plies_is_refused() {
        for (text, said) in [
            ("3 - depth", "found -1.00 at depth 4, expected 0 or more"),
            ("1/(depth - 2)", "found -1.00 at depth 1"),
            ("number", "column 1: found \"number\""),
            ("none", "a number"),
        ] {
            let mut options = alpha_beta::default_options();
            let error = options.set(PLIES, text).expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
