//! The table of alpha-beta's options.

use crate::search::depth_first::margin::{EXPECTS, Margin};
use crate::search::depth_first::options as shared;
use crate::search::endgame::TABLE_MEN;
use crate::search::{OptionSpec, Options, Range};

const MARGIN: Range = Range::Word {
    check: Margin::is_word,
    expects: EXPECTS,
};

/// The options of alpha-beta.
pub const OPTIONS: &[OptionSpec] = &[
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
        key: "futility-margin",
        default: "linear:130",
        range: MARGIN,
        summary: "margin by the plies left (the futility-margin post asks how it should grow)",
    },
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
        key: "reverse-futility-margin",
        default: "linear:75",
        range: MARGIN,
        summary: "margin by the plies left, one fewer where the side to move is improving",
    },
    OptionSpec {
        key: "razoring",
        default: "on",
        range: Range::Switch,
        summary: "cut a node off where static value + margin is not above alpha and quiescence agrees",
    },
    OptionSpec {
        key: "razoring-depth",
        default: "3",
        range: Range::Integer { min: 1, max: 16 },
        summary: "deepest remaining depth at which nodes are cut so",
    },
    OptionSpec {
        key: "razoring-margin",
        default: "linear:500",
        range: MARGIN,
        summary: "margin by the plies left",
    },
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
        key: "null-move-verification",
        default: "10",
        range: Range::Integer { min: 1, max: 100 },
        summary: "from this remaining depth on a search without null moves verifies the cut",
    },
    OptionSpec {
        key: "prob-cut",
        default: "on",
        range: Range::Switch,
        summary: "cut a node off where a capture is far above beta in a shallow search (Buro 1995)",
    },
    OptionSpec {
        key: "prob-cut-depth",
        default: "5",
        range: Range::Integer { min: 2, max: 32 },
        summary: "least remaining depth at which it is tried",
    },
    OptionSpec {
        key: "prob-cut-margin",
        default: "180",
        range: Range::Integer { min: 0, max: 2000 },
        summary: "centipawns above beta that the capture has to reach",
    },
    OptionSpec {
        key: "prob-cut-reduction",
        default: "4",
        range: Range::Integer { min: 1, max: 16 },
        summary: "plies the shallow search is shallower",
    },
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
        default: "2.25",
        range: Range::Number {
            min: 0.5,
            max: 16.0,
        },
        summary: "see late-move-reduction-base",
    },
    OptionSpec {
        key: "internal-reduction",
        default: "on",
        range: Range::Switch,
        summary: "search a node without a table move a ply less deeply",
    },
    OptionSpec {
        key: "internal-reduction-depth",
        default: "4",
        range: Range::Integer { min: 2, max: 32 },
        summary: "least remaining depth at which that is done",
    },
    OptionSpec {
        key: "check-extension",
        default: "on",
        range: Range::Switch,
        summary: "search checks that lose nothing a ply deeper",
    },
    OptionSpec {
        key: "singular-extension",
        default: "on",
        range: Range::Switch,
        summary: "search the table's move deeper where no other comes near its value",
    },
    OptionSpec {
        key: "singular-extension-depth",
        default: "7",
        range: Range::Integer { min: 4, max: 32 },
        summary: "least remaining depth at which that is tested",
    },
    OptionSpec {
        key: "singular-extension-margin",
        default: "3",
        range: Range::Integer { min: 0, max: 64 },
        summary: "centipawns a ply of depth that the others have to stay below",
    },
    OptionSpec {
        key: "multi-cut",
        default: "on",
        range: Range::Switch,
        summary: "cut a node off where the singular test finds other moves that reach beta",
    },
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
    OptionSpec {
        key: "aspiration",
        default: "on",
        range: Range::Switch,
        summary: "search between bounds around the value of the iteration before",
    },
    OptionSpec {
        key: "aspiration-window",
        default: "18",
        range: Range::Integer { min: 1, max: 1000 },
        summary: "centipawns on either side, doubled where the value falls outside",
    },
    shared::DELTA_PRUNING,
    shared::DELTA_MARGIN,
    shared::LOSING_CAPTURES,
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
];

/// The switches that make the search more than plain alpha-beta with a table, quiescence and move ordering.
const RULES: [&str; 14] = [
    "futility",
    "reverse-futility",
    "razoring",
    "null-move",
    "prob-cut",
    "late-move-pruning",
    "losing-moves",
    "late-move-reduction",
    "internal-reduction",
    "check-extension",
    "singular-extension",
    "multi-cut",
    "correction-history",
    "quiescence-checks",
];

/// The same options with every rule of the inner nodes off: principal variation search with table, quiescence and move
/// ordering.
#[must_use]
pub fn without_rules(options: &Options) -> Options {
    let mut plain = options.clone();
    for key in RULES {
        plain.set(key, "off").expect("a switch of the table");
    }
    plain
}
