//! Skips that have no node of their own and are derived from their parent's numbers.

use super::NodeInputs;
use super::futility::Futility;
use super::late_move_pruning::LateMovePruning;
use crate::options as shared;
use game::Game;
use search::Options;
use tree::{Fate, NodeView, Window};

/// Why a legal move without a node of its own was skipped, where its parent's numbers imply that. This covers every
/// skip by futility or late-move pruning, and those in quiescence, in a null window that failed low (see
/// [`Fate::Expanded`]). It applies the same rules as the search, to the recorded numbers.
pub fn implied_skip<G: Game>(
    parent: &NodeView,
    position: &G,
    m: G::Move,
    options: &Options,
) -> Option<Fate> {
    let window = parent.window?;
    let noisy = position.is_noisy(m);
    match parent.fate {
        Fate::Expanded { skipped, .. } if window.depth > 0 && skipped > 0 => {
            let quiet_skip = !noisy && !position.gives_check(m);
            quiet_skip
                .then(|| quiet(&seen(parent, &window)?, options))
                .flatten()
        }
        Fate::Expanded { .. } | Fate::Horizon { .. } if window.depth <= 0 && noisy => {
            let static_value = parent.static_value?;
            let alpha = window.alpha.max(static_value);
            let depth = i32::from(window.depth);
            shared::capture_rules(options).skip(position, m, Some(static_value), alpha, depth)
        }
        _ => None,
    }
}

fn seen(parent: &NodeView, window: &Window) -> Option<NodeInputs> {
    Some(NodeInputs {
        alpha: window.alpha,
        beta: window.beta,
        depth: i32::from(window.depth),
        static_value: parent.static_value?,
        improving: parent.improving,
    })
}

fn quiet(seen: &NodeInputs, options: &Options) -> Option<Fate> {
    let late = LateMovePruning::from_options(options);
    Futility::from_options(options)
        .skip(seen)
        .or_else(|| Some(LateMovePruning::fate(late.limit(seen)?, seen.depth)))
}
