//! Draws the top bar: tabs, and what the search is doing.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::engine::State;
use crate::search::StopReason;
use crate::tui::app::{App, Target};
use crate::tui::pen::Pen;
use crate::tui::source::Source;
use crate::tui::tabs::TABS;
use crate::tui::text;
use crate::tui::theme::Role;

pub fn draw(app: &App, pen: &mut Pen, area: Rect) {
    let bar = pen.style(Role::Bar);
    pen.clear(area, bar);
    let mut x = area.x;
    // If there is little room, the state of the search is more important than the name.
    if area.width >= 100 {
        x = pen.put(x, area.y, area.right(), " plyscope ", Role::Brand) + 1;
    }
    for (i, (tab, screen)) in TABS.into_iter().enumerate() {
        let role = if app.tab == tab {
            Role::TabActive
        } else {
            Role::Tab
        };
        let start = x;
        // On a small screen the number is enough for the tabs that are not shown.
        let label = match app.small.on && app.tab != tab {
            true => format!(" {} ", i + 1),
            false => format!(" {} {} ", i + 1, screen.title()),
        };
        x = pen.put(x, area.y, area.right(), &label, role);
        let label = Rect {
            x: start,
            width: x - start,
            ..area
        };
        pen.region(label, Target::Tab(tab));
    }
    let left = draw_lens(app, pen, area, x) + 2;
    app.tab.screen().draw_status(app, pen, area, left);
}

/// Draws the unit and the viewpoint of the scores where there is room beside the state of the search, in the longest
/// form that fits; returns where they end. The panes' titles name them too.
fn draw_lens(app: &App, pen: &mut Pen, area: Rect, left: u16) -> u16 {
    /// The columns that the state of the search needs.
    const STATE: usize = 40;
    if !app.tab.screen().shows_scores() {
        return left;
    }
    let room = usize::from(area.right().saturating_sub(left)).saturating_sub(STATE);
    let words = app.lens_words();
    if text::width(&words) + 4 > room {
        return left;
    }
    let style = pen.style(Role::Bar).patch(Style {
        bg: None,
        ..pen.style(Role::Dim)
    });
    pen.text(left + 2, area.y, area.right(), &words, style)
}

/// Draws algorithm, state, nodes, speed, threads and memory, right-aligned; the rightmost parts are dropped first if
/// there is little room.
pub fn draw_search(app: &App, pen: &mut Pen, area: Rect, left: u16) {
    let Some(status) = app.status() else {
        return;
    };
    let rate = app.rate(&status);
    let source = app.session.as_ref();
    let reached = source.is_some_and(Source::has_reached_goal);
    let limit = source
        .and_then(Source::pause_after)
        .or(app.config.limits.nodes);
    let g = pen.glyphs;
    let (sign, role, word) = match status.state {
        State::Running => (g.running, Role::Running, ""),
        State::Paused if reached => (g.paused, Role::Paused, " at its limit"),
        State::Paused => (g.paused, Role::Paused, " paused"),
        State::Finished(reason) => (g.finished, Role::Finished, ended(reason)),
    };
    let depth = match status.totals.depth {
        0 => format!("  ply {}", status.totals.selective_depth),
        d => format!("  depth {d}/{}", status.totals.selective_depth),
    };
    // While the user steps, the speed depends on the user.
    let untimed = app.timeless || app.explore.debug.stop.is_some();
    let timed = |text: String| if untimed { String::new() } else { text };
    let nodes = text::count(status.totals.nodes);
    let parts = [
        match limit.filter(|_| source.is_some_and(|s| s.live().is_some())) {
            Some(limit) => format!("  {nodes} of {} nodes", text::count_of(limit)),
            None => format!("  {nodes} nodes"),
        },
        timed(format!("  {}/s", text::count(rate as u64))),
        depth,
        match status.totals.table_hits() {
            0 => String::new(),
            hits => format!("  tb {}", text::count(hits)),
        },
        timed(format!("  {}", text::duration(status.elapsed))),
        match status.threads {
            1 => "  1 thread".to_owned(),
            n => format!("  {n} threads"),
        },
        format!(
            "  tree {} {}",
            text::count(u64::from(status.tree_nodes)),
            text::bytes(status.tree_bytes),
        ),
    ];
    let budget = match status.tree_full {
        true => " full".to_owned(),
        false if app.timeless => String::new(),
        false => format!(" of {}", text::bytes(app.config.memory)),
    };
    let room = usize::from(area.right().saturating_sub(left + 1));
    let mut name = match app.explore.outer {
        Some(_) => format!("{} › leaf ", app.config.algorithm),
        None => format!("{} ", app.config.algorithm),
    };
    // Where the search has stopped, and why, is more important than the algorithm's name.
    let words = app.standing_words();
    let longer = words.len().checked_sub(2).map(|i| text::width(&words[i]));
    if longer.is_some_and(|w| w + 2 <= room && w + 2 + name.len() > room) {
        name.clear();
    }
    let word = standing(app, pen, room.saturating_sub(name.len() + 2)).unwrap_or(word.to_owned());
    // What the search does is whole or not there at all; the sign always is.
    if text::width(&name) + text::width(&word) + 1 > room {
        name.clear();
    }
    let word = if text::width(&word) < room {
        word
    } else {
        String::new()
    };
    let head = format!("{name}{sign}{word}");
    let mut shown = String::new();
    let fits = |shown: &str, part: &str| {
        text::width(&head) + text::width(shown) + text::width(part) <= room
    };
    let mut has_tree = false;
    for part in parts {
        has_tree = fits(&shown, &part);
        if has_tree {
            shown.push_str(&part);
        }
    }
    // The last part is the tree's size.
    if has_tree && fits(&shown, &budget) {
        shown.push_str(&budget);
    }
    let width = (text::width(&head) + text::width(&shown)) as u16;
    let x = area.right().saturating_sub(width + 1).max(left);
    let bar = pen.style(Role::Bar);
    let x = pen.text(x, area.y, area.right(), &name, bar);
    let x = pen.put(x, area.y, area.right(), &format!("{sign}{word}"), role);
    pen.text(x, area.y, area.right(), &shown, bar);
}

/// Returns where a search that is stepped through has stopped, in the longest form that fits.
fn standing(app: &App, pen: &Pen, room: usize) -> Option<String> {
    let words = app.standing_words();
    let words: Vec<String> = words.iter().map(|w| pen.glyphs.text(w)).collect();
    let fitting = words.iter().find(|w| text::width(w) <= room);
    fitting.or(words.last()).map(|w| format!(" {w}"))
}

fn ended(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Nodes => " node limit",
        StopReason::Time => " time is up",
        StopReason::Depth => " finished",
        StopReason::Memory => " memory full",
        StopReason::Solved => " solved",
        StopReason::User => " stopped",
        StopReason::Playouts => " playouts done",
        StopReason::Decided => " decided",
        StopReason::Fault => " broke off",
    }
}
