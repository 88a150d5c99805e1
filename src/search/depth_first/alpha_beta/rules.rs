//! Alpha-beta's options, and the skips they imply.

use crate::game::Game;
use crate::search::depth_first::options as shared;
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
    shared::DELTA_MARGIN,
    shared::SEE,
    shared::TABLE,
    shared::KILLERS,
    shared::HISTORY,
];

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
            shared::capture_rules(options).skip(position, m, Some(static_value), alpha)
        }
        _ => None,
    }
}
