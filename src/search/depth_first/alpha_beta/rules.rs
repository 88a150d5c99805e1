//! Alpha-beta's options, and the skips they imply.

use crate::game::Game;
use crate::search::depth_first::quiescence::CaptureRules;
use crate::search::{OptionSpec, Options, Range};
use crate::tree::{Fate, NodeView};

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
        default: "3",
        range: Range::Integer { min: 1, max: 8 },
        summary: "deepest remaining depth, in plies, at which moves are skipped",
    },
    OptionSpec {
        key: "futility-margin",
        default: "130",
        range: Range::Integer { min: 0, max: 2000 },
        summary: "margin in centipawns a ply: linear in depth, as seed 5 (futility margin) argues",
    },
    OptionSpec {
        key: "delta-margin",
        default: "180",
        range: Range::Integer { min: 0, max: 2000 },
        summary: "quiescence skips a capture if static value + gain + this is not above alpha (centipawns)",
    },
    OptionSpec {
        key: "see",
        default: "on",
        range: Range::Switch,
        summary: "quiescence skips captures that lose material by static exchange",
    },
    OptionSpec {
        key: "table",
        default: "on",
        range: Range::Switch,
        summary: "use the transposition table",
    },
    OptionSpec {
        key: "killers",
        default: "on",
        range: Range::Switch,
        summary: "order by killer moves",
    },
    OptionSpec {
        key: "history",
        default: "on",
        range: Range::Switch,
        summary: "order late moves by history",
    },
];

/// The rules of quiescence that the options ask for.
pub(super) fn capture_rules(options: &Options) -> CaptureRules {
    CaptureRules {
        delta_margin: options.integer("delta-margin") as i32,
        see: options.switch("see"),
    }
}

/// Why a legal move without a node of its own was skipped, where its parent's figures imply that: every skip in a
/// null window that failed low (see [`Fate::Expanded`]). The same rules as in the search, on the recorded numbers.
#[must_use]
pub fn implied_skip<G: Game>(
    parent: &NodeView,
    position: &G,
    m: G::Move,
    options: &Options,
) -> Option<Fate> {
    let window = parent.window?;
    let static_value = parent.static_value?;
    let noisy = position.is_noisy(m);
    match parent.fate {
        Fate::Expanded {
            skipped, margin, ..
        } if window.depth > 0 && skipped > 0 => {
            (!noisy && !position.gives_check(m)).then_some(Fate::Futility {
                static_value,
                margin,
                alpha: window.alpha,
                depth: window.depth as u8,
            })
        }
        Fate::Expanded { .. } | Fate::Horizon { .. } if window.depth <= 0 && noisy => {
            let alpha = window.alpha.max(static_value);
            capture_rules(options).skip(position, m, Some(static_value), alpha)
        }
        _ => None,
    }
}
