//! The table of alpha-beta's options: those of the rules, and those that belong to no rule.

use super::super::driver::OPTIONS as DRIVERS;
use super::{OF_RULES, RULES};
use crate::lines::LINES;
use crate::options as shared;
use search::endgame::{KNOWN_DRAWS, TABLE_MEN};
use search::options::EVAL;
use search::{OptionSpec, Options, Range};

const COUNT: usize = {
    let (mut count, mut i) = (OTHERS.len(), 0);
    while i < OF_RULES.len() {
        count += OF_RULES[i].len();
        i += 1;
    }
    count
};

/// The options of alpha-beta.
pub const OPTIONS: &[OptionSpec] = &{
    let mut all = [LINES; COUNT + DRIVERS.len() + 1];
    let mut i = 0;
    while i < all.len() {
        if i < COUNT {
            all[i] = BELOW_ROOT[i];
        } else if i < COUNT + DRIVERS.len() {
            all[i] = DRIVERS[i - COUNT];
        }
        i += 1;
    }
    all
};

/// The options without those that say how the root is searched.
pub const BELOW_ROOT: &[OptionSpec] = &{
    let mut all = [TABLE_MEN; COUNT];
    let mut at = 0;
    let mut i = 0;
    while i <= OF_RULES.len() {
        let part = if i < OF_RULES.len() {
            OF_RULES[i]
        } else {
            OTHERS
        };
        let mut j = 0;
        while j < part.len() {
            all[at] = part[j];
            at += 1;
            j += 1;
        }
        i += 1;
    }
    all
};

/// The options that shape the search as a whole.
pub(super) const WHOLE_TREE: &[OptionSpec] = &[
    OptionSpec {
        key: "improving",
        default: "on",
        range: Range::Switch,
        summary: "prune and reduce more where the side to move is not getting better; off: as if it always were",
    },
    OptionSpec {
        key: "correction-history",
        default: "on",
        range: Range::Switch,
        summary: "correct the static value by what searches of positions with the same pawns found",
    },
    OptionSpec {
        key: "cutoffs",
        default: "on",
        range: Range::Switch,
        summary: "cut off by alpha and beta; off: minimax, every move with an open window and no rule asked (quiescence still cuts)",
    },
];

const OTHERS: &[OptionSpec] = &[
    OptionSpec {
        key: "quiescence",
        default: "on",
        range: Range::Switch,
        summary: "search captures on at the horizon; off: what stands there is worth its static value",
    },
    OptionSpec {
        key: "quiescence-checks",
        default: "on",
        range: Range::Switch,
        summary: "quiescence begins with checks by quiet moves, too",
    },
    shared::TABLE,
    shared::KILLERS,
    shared::COUNTER_MOVES,
    shared::HISTORY,
    shared::CONTINUATION_HISTORY,
    OptionSpec {
        key: "audit",
        default: "0",
        range: Range::Integer {
            min: 0,
            max: 1000000,
        },
        summary: "search one in so many pruned moves and nodes all the same, outside the score; 0: none",
    },
    TABLE_MEN,
    KNOWN_DRAWS,
    EVAL,
];

/// Switches other than the rules that make the search more than plain alpha-beta.
const MORE: [&str; 2] = ["correction-history", "quiescence-checks"];

/// The same options with every rule of the inner nodes off: principal variation search with transposition table,
/// quiescence and move ordering.
pub fn without_rules(options: &Options) -> Options {
    let rules = RULES
        .iter()
        .filter(|row| !super::is_in_quiescence(row.rule));
    let mut plain = options.clone();
    for key in rules.map(|row| row.name()).chain(MORE) {
        plain.set(key, "off").expect("a switch of the table");
    }
    plain
}
