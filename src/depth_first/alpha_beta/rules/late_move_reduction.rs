//! Late-move reduction.

use super::{Effect, Rule, RuleInfo};
use crate::rule_formula::{self, AUTO, REDUCTION};
use search::{OptionSpec, Options, Range};

/// Its row in the table of rules.
pub(super) const INFO: RuleInfo = RuleInfo {
    rule: Rule::LateMoveReduction,
    effect: Effect::Reduces,
    summary: "a late move is searched less deeply, and again in full if it beats alpha",
    options: OPTIONS,
};

const PLIES: &str = "late-move-reduction-plies";

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "late-move-reduction",
        default: "on",
        range: Range::Switch,
        summary: "search late moves less deeply at first",
    },
    OptionSpec {
        key: "late-move-reduction-depth",
        default: "2",
        range: Range::Integer { min: 2, max: 32 },
        summary: "least remaining depth at which moves are reduced",
    },
    OptionSpec {
        key: "late-move-reduction-base",
        default: "0.75",
        range: Range::Number { min: 0.0, max: 4.0 },
        summary: "plies: base + ln(depth) ln(number) / divisor, less by history",
    },
    OptionSpec {
        key: "late-move-reduction-divisor",
        default: "1.95",
        range: Range::Number {
            min: 0.5,
            max: 16.0,
        },
        summary: "see late-move-reduction-base",
    },
    OptionSpec {
        key: PLIES,
        default: AUTO,
        range: Range::Formula(&REDUCTION),
        summary: "plies by a formula of the depth left and the number of moves searched before; auto: by late-move-reduction-base",
    },
];

/// The inputs of late-move reduction.
#[derive(Clone, Copy, Debug)]
pub struct Late {
    /// Plies remaining at the parent.
    pub depth: i32,
    /// How many moves were searched before this one.
    pub number: u8,
    /// The parent's window is open.
    pub open_window: bool,
    pub improving: bool,
    pub quiet: bool,
    /// The quiet move's history, within ± 3 · 2^14.
    pub history: i32,
    pub gives_check: bool,
}

/// Late-move reduction: the later a move comes in the order, the less deeply it is searched at first; if it still beats
/// alpha, it is searched to full depth.
#[derive(Clone, Debug)]
pub struct LateMoveReduction {
    pub enabled: bool,
    pub min_depth: i32,
    /// `[depth][number]` in 1024ths of a ply: base + ln(depth) ln(number) / divisor, or by a formula.
    table: Box<[[u16; 64]; 64]>,
}

impl LateMoveReduction {
    /// The history that is worth one ply.
    const HISTORY_A_PLY: i32 = 8_192;
    const PLY: i32 = 1024;

    pub(super) fn from_options(options: &Options) -> Self {
        let base = options.number("late-move-reduction-base");
        let divisor = options.number("late-move-reduction-divisor");
        let formula = rule_formula::of_option(options, PLIES, &REDUCTION);
        let counted = |n: usize| n.max(1) as f64;
        let logs: [f64; 64] = std::array::from_fn(|n| counted(n).ln());
        let plies = |depth: usize, number: usize| match &formula {
            Some(formula) => rule_formula::value(formula, &[counted(depth), counted(number)], 60.0),
            None => base + logs[depth] * logs[number] / divisor,
        };
        let row = |depth| std::array::from_fn(|number| (plies(depth, number) * 1024.0) as u16);
        LateMoveReduction {
            enabled: options.switch("late-move-reduction"),
            min_depth: options.integer("late-move-reduction-depth") as i32,
            table: Box::new(std::array::from_fn(row)),
        }
    }

    /// By how many plies the move is searched less deeply at first; at least one ply remains.
    #[inline]
    pub fn plies(&self, late: &Late) -> i32 {
        let first = if late.open_window { 2 } else { 1 };
        if !self.enabled || late.depth < self.min_depth || late.number < first {
            return 0;
        }
        let mut parts =
            i32::from(self.table[late.depth.min(63) as usize][usize::from(late.number).min(63)]);
        if late.quiet {
            parts -= late.history * Self::PLY / Self::HISTORY_A_PLY;
        } else {
            parts /= 2;
        }
        if late.open_window {
            parts -= Self::PLY;
        }
        if !late.improving {
            parts += Self::PLY / 2;
        }
        if late.gives_check {
            parts -= Self::PLY;
        }
        (parts / Self::PLY).clamp(0, late.depth - 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alpha_beta;

    fn reduction(text: &str) -> LateMoveReduction {
        let mut options = alpha_beta::default_options();
        options.set(PLIES, text).expect(text);
        LateMoveReduction::from_options(&options)
    }

    /// What is built in is the formula that it is shown as.
    #[test]
    fn auto_is_the_formula_that_it_stands_for() {
        let written = (REDUCTION.written)(AUTO).expect("a formula");
        assert_eq!(reduction(&written).table, reduction(AUTO).table);
    }

    /// By hand: 1/2 + 4/8 = 1 ply at depth 4 after 8 moves, 8 eighths more at depth 12.
    #[test]
    fn a_formula_gives_plies() {
        let plies = reduction("1/2 + depth/8");
        assert_eq!((plies.table[4][8], plies.table[12][8]), (1024, 2048));
        let most = reduction("1000*number");
        assert_eq!(most.table[5][5], 60 * 1024);
    }
}
