//! The options of probabilistic alpha-beta.

use super::lines::LINES;
use super::options as shared;
use super::prob_leaf::is_width;
use super::prob_node::Refuted;
use search::endgame::{KNOWN_DRAWS, TABLE_MEN};
use search::options::{BINS, EVAL, GRID};
use search::{OptionSpec, Range};

/// The options of probabilistic alpha-beta.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "confidence",
        default: "0.9",
        range: Range::Number {
            min: 0.05,
            max: 0.999,
        },
        summary: "cut when P(max >= beta) reaches this; raise alpha to where P(max >= alpha) does",
    },
    OptionSpec {
        key: "refuted",
        default: "bounded",
        range: Range::Choice(&Refuted::WORDS),
        summary: "a child cut off counts: not against beta (bounded), as at most alpha (truncated), or as it was (literal)",
    },
    OptionSpec {
        key: "width",
        default: "20",
        range: Range::Word {
            check: is_width,
            expects: "fitted, searched, or centipawns from 0 (plain alpha-beta) to 1000",
        },
        summary: "standard deviation of a leaf's belief around its quiet value; fitted: the network's own belief; searched: how far a quiet value is off the truth; toy trees bring their own",
    },
    OptionSpec {
        key: "aspiration",
        default: "on",
        range: Range::Switch,
        summary: "start an iteration between the quantiles of the belief of the one before",
    },
    OptionSpec {
        key: "fail-low",
        default: "always",
        range: Range::Choice(&["always", "doubtful"]),
        summary: "after a root below its window search again: always, or only if P(max >= alpha) > 1 - confidence",
    },
    OptionSpec {
        key: "calibrated",
        default: "on",
        range: Range::Switch,
        summary: "the root's belief is reported with a width fitted to how far searches are off; off: as the search has it",
    },
    LINES,
    OptionSpec {
        key: "audit",
        default: "0",
        range: Range::Integer {
            min: 0,
            max: 1_000_000,
        },
        summary: "ask a deeper alpha-beta about one in so many cuts in doubt, outside the score; 0: none",
    },
    OptionSpec {
        key: "audit-plies",
        default: "2",
        range: Range::Integer { min: 0, max: 20 },
        summary: "how many plies deeper than the node that was cut off audits search",
    },
    shared::DELTA_PRUNING,
    shared::DELTA_MARGIN,
    shared::DELTA_FORMULA,
    shared::LOSING_CAPTURES,
    shared::TABLE,
    shared::KILLERS,
    shared::COUNTER_MOVES,
    shared::HISTORY,
    shared::CONTINUATION_HISTORY,
    BINS,
    GRID,
    TABLE_MEN,
    KNOWN_DRAWS,
    EVAL,
];
