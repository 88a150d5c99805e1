//! Nodes that a depth-first search is in the middle of: what is known about them so far.

use super::sentence::{Teller, plural, with_view};
use crate::event::figures::Figures;
use crate::event::sentence::{after_name, to_go};
use crate::lens::Lens;
use session::Reader;
use session::debug::Visit;

/// Explains what a search that has paused in the middle of a node knows about it, in a sentence; if the node was left
/// before, a second sentence gives the result of that. Scores are from the view of the side to move at the node, which
/// the sentences name.
pub fn why_visited(lens: Lens, reader: &Reader, visit: &Visit) -> String {
    let view = reader.view(visit.node);
    let again = if view.visits > 0 { " again" } else { "" };
    let now = so_far(lens, reader, visit);
    let scored = visit.best.is_some() || visit.entered.is_some();
    let mut text = format!("The search is in this node{again}{now}.");
    if scored {
        text = with_view(reader, &lens.at(reader, visit.node), text);
    }
    if view.visits > 0 {
        let before = Teller::new(lens, reader, view).tell_fate();
        let when = format!(" Before, in iteration {}", view.iteration);
        text.push_str(&after_name(Some(when), &before));
    }
    text
}

/// Describes, as far as it is known: `: window −3 to +∞, 1 ply to go; best so far +2 by b1; 1 of 3 moves searched`.
fn so_far(lens: Lens, reader: &Reader, visit: &Visit) -> String {
    let figures = Figures::at(lens, reader, visit.node);
    let entered = visit.entered.map(|e| {
        let window = figures.scores.window(e.alpha, e.beta, " to ");
        format!("window {window}{}", to_go(figures.scale, e.depth))
    });
    let best = visit.best.map(|(child, value)| {
        let value = figures.estimate(value, " ± ");
        match figures.node_name(child) {
            // The maximum over all children so far is not the value of any single child.
            _ if reader.searcher.has_beliefs() => format!("the maximum so far {value}"),
            Some(child) => format!("best so far {value} by {child}"),
            None => format!("best so far {value}"),
        }
    });
    let known: Vec<String> = [entered, best, searched(visit)]
        .into_iter()
        .flatten()
        .collect();
    if known.is_empty() {
        return String::new();
    }
    format!(": {}", known.join("; "))
}

/// Returns `1 of 3 moves searched`, or `None` if the log does not reach back far enough.
fn searched(visit: &Visit) -> Option<String> {
    visit.entered?;
    Some(match (visit.searched, visit.moves) {
        (0, _) => "no move searched yet".into(),
        (n, Some(all)) => format!("{n} of {} searched", plural(all, "move")),
        (n, None) => format!("{} searched", plural(n, "move")),
    })
}

/// Returns the same in a few characters, for a list: `1 of 3 so far`.
pub fn brief_visit(visit: &Visit) -> String {
    match (visit.entered, visit.moves) {
        (None, _) => "being searched".into(),
        (_, None) => "entered".into(),
        (_, Some(all)) => format!("{} of {all} so far", visit.searched),
    }
}
