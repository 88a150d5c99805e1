//! Explains the signs of a search that is being stepped through, for the help.

use super::kind_sign;
use crate::views::facts::IN_SEARCH;
use screen::pen::{Line, Pen};
use screen::theme::Role;
use search::EVENTS;

/// Returns the legend of those signs.
pub fn legend(pen: &Pen, width: usize) -> Vec<Line> {
    let g = pen.glyphs;
    let mut lines: Vec<Line> = vec![vec![("While one steps".to_owned(), Role::Heading)]];
    for (sign, role, what) in [
        (g.line, Role::Line, "in the margin: the line being searched"),
        (g.running, Role::Line, "in the margin: where it happened"),
        (
            g.breakpoint_on,
            Role::Breakpoint,
            "behind a move: a breakpoint waits for its changes",
        ),
        (
            g.handle,
            Role::Line,
            "in the scrubber: where in the search one is",
        ),
        (
            g.tick,
            Role::TreeMark,
            "in the scrubber: an iteration begins",
        ),
        (
            g.hit,
            Role::Breakpoint,
            "in the scrubber: a breakpoint stopped the search here",
        ),
        (g.never, Role::Forced, "forced: never searched"),
        (g.only, Role::Forced, "forced: the only move searched"),
    ] {
        lines.push(vec![
            (format!("  {sign}   "), role),
            (what.to_owned(), Role::Hint),
        ]);
    }
    let searched = format!("  {IN_SEARCH}{}  ", g.in_search);
    let again = format!("  {}   ", g.in_search);
    let ahead = format!("  {}   ", g.ahead);
    for (sign, what) in [
        (
            searched,
            "as a fate: the search is in this node, for the first time",
        ),
        (
            again,
            "behind a fate's letter: it is in it again, the figures are older",
        ),
        (
            ahead,
            "behind a fate's letter: searched again, its parent's figures are older",
        ),
    ] {
        lines.push(vec![(sign, Role::Line), (what.to_owned(), Role::Hint)]);
    }
    let what = "Underlined: changed since the last stop; before the reason the value then and now.";
    let underlined = text::wrap(what, width.saturating_sub(2)).into_iter();
    lines.extend(underlined.map(|line| vec![(format!("  {line}"), Role::Hint)]));
    lines.push(Vec::new());
    let what = "Events, as breakpoints call them (of a fate with its letter and sign)";
    lines.push(vec![(what.to_owned(), Role::Heading)]);
    for kind in &EVENTS {
        let (sign, role) = kind_sign(kind.kind, g);
        let summary = text::wrap(kind.summary, width.saturating_sub(22));
        for (n, part) in summary.into_iter().enumerate() {
            let (sign, name) = if n == 0 {
                (sign.as_str(), kind.name)
            } else {
                ("", "")
            };
            lines.push(vec![
                (format!("  {sign:<2}  {name:<16}"), role),
                (part, Role::Hint),
            ]);
        }
    }
    lines
}
