//! Draws the top bar: tabs, and what the search is doing.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::App;
use crate::context::Context;
use crate::source::Source;
use crate::tabs::Tab;
use screen::pen::Pen;
use screen::theme::Role;
use search::StopReason;
use session::State;

pub fn draw(app: &App, pen: &mut Pen, area: Rect) {
    let bar = pen.style(Role::Bar);
    pen.clear(area, bar);
    let mut x = area.x;
    // If there is little room, the state of the search is more important than the name.
    if area.width >= BRANDED {
        x = pen.put(x, area.y, area.right(), " plyscope ", Role::Brand) + 1;
    }
    let narrow = area.width < BRANDED;
    let numbers = app.cx.small.on || !has_room_for_names(app, area, x);
    for (i, &tab) in Tab::ALL.iter().enumerate() {
        let role = if app.cx.tab == tab {
            Role::TabActive
        } else {
            Role::Tab
        };
        let start = x;
        let label = match numbers && app.cx.tab != tab {
            true => format!(" {} ", i + 1),
            // Without the blank that sets the active one apart.
            false if narrow && app.cx.tab != tab => label_of(i, tab).trim_end().to_owned(),
            false => label_of(i, tab),
        };
        x = pen.put(x, area.y, area.right(), &label, role);
        let label = Rect {
            x: start,
            width: x - start,
            ..area
        };
        pen.region(label, tab);
    }
    let left = draw_lens(app, pen, area, x) + if narrow { 1 } else { 2 };
    match app.cx.transfer_words() {
        Some(words) => pen.put_right(left, area.y, area.right() - 1, &words, Role::Running),
        None => app.tab().draw_status(&app.cx, pen, area, left),
    }
}

/// The width from which on the bar begins with the name of the program.
const BRANDED: u16 = 100;

fn label_of(index: usize, tab: Tab) -> String {
    format!(" {} {} ", index + 1, tab.kind().title)
}

/// Whether the names of all tabs fit beside the lens and what the user has to know of the search: where it has stopped, or
/// that it is a leaf's. Otherwise the numbers are enough for the tabs that are not shown.
fn has_room_for_names(app: &App, area: Rect, left: u16) -> bool {
    let tabs = Tab::ALL.iter().enumerate();
    let names: usize = tabs.map(|(i, &tab)| text::width(&label_of(i, tab))).sum();
    let lens = match app.tab().shows_scores() {
        true => text::width(&app.cx.lens.brief(app.cx.scale())) + GAPS,
        false => 0,
    };
    usize::from(left) + names + lens + needed(app) <= usize::from(area.width)
}

/// The columns around the lens.
const GAPS: usize = 4;

/// Returns the columns that the most important words about the search need; 0 if there are none.
fn needed(app: &App) -> usize {
    if !app.tab().shows_search(&app.cx) {
        return 0;
    }
    let standing = app.cx.standing_words();
    let standing = standing
        .first()
        .map_or(0, |words| text::width(words) + GAPS);
    let leaf = match app.cx.explore.outer {
        Some(_) => text::width(&name_of_search(&app.cx)) + 14,
        None => 0,
    };
    standing.max(leaf)
}

/// Draws the unit and the viewpoint of the scores in the longest form that leaves room for the state of the search,
/// whose less important parts make way for the short form; returns where they end.
fn draw_lens(app: &App, pen: &mut Pen, area: Rect, left: u16) -> u16 {
    /// The columns for the state of the search beside the long form and beside the short one.
    const STATE: [usize; 2] = [40, 18];
    if !app.tab().shows_scores() {
        return left;
    }
    let room = usize::from(area.right().saturating_sub(left));
    let least = needed(app);
    let forms =
        [app.cx.lens_words(), app.cx.lens.brief(app.cx.scale())].map(|w| pen.glyphs.text(&w));
    let fits = |(words, state): &(String, usize)| text::width(words) + GAPS + state <= room;
    let states = [STATE[0].max(least), STATE[1]];
    let Some((words, _)) = forms.into_iter().zip(states).find(fits) else {
        return left;
    };
    let style = pen.style(Role::Bar).patch(Style {
        bg: None,
        ..pen.style(Role::Dim)
    });
    pen.text(left + 2, area.y, area.right(), &words, style)
}

/// Draws algorithm, state, nodes, speed, threads and memory, right-aligned; the rightmost parts are dropped first if
/// there is little room.
pub fn draw_search(cx: &Context, pen: &mut Pen, area: Rect, left: u16) {
    let Some(status) = cx.status() else {
        return;
    };
    let rate = cx.rate(&status);
    let source = cx.session.as_ref();
    let reached = source.is_some_and(Source::has_reached_goal);
    let limit = source
        .and_then(Source::pause_after)
        .or(cx.config.limits.nodes);
    let g = pen.glyphs;
    let (sign, role, word) = match status.state {
        State::Running => (g.running, Role::Running, ""),
        State::Paused if reached => (g.paused, Role::Paused, " at its limit"),
        State::Paused => (g.paused, Role::Paused, " paused"),
        State::Finished(reason) => (g.finished, Role::Finished, ended(reason)),
    };
    let again = cx.again_share().map(|share| {
        let percent = text::percent(share as f32);
        format!(" running again {percent}")
    });
    let (sign, role, word) = match &again {
        Some(again) => (g.running, Role::Running, again.as_str()),
        None => (sign, role, word),
    };
    let depth = match status.totals.depth {
        0 => format!("  ply {}", status.totals.selective_depth),
        d => format!("  depth {d}/{}", status.totals.selective_depth),
    };
    // While the user steps, the speed depends on the user; that of a trace's reading says nothing of the search.
    let is_read = source.is_some_and(|s| s.reader().tree.is_told()) && !cx.is_attached();
    let untimed = cx.timeless || is_read || cx.explore.debug.stop.is_some();
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
        false if cx.timeless => String::new(),
        false => format!(" of {}", text::bytes(cx.config.memory)),
    };
    let room = usize::from(area.right().saturating_sub(left + 1));
    let mut name = name_of_search(cx);
    // Where the search has stopped, and why, is more important than the algorithm's name.
    let words = cx.standing_words();
    let mut widths = words.iter().map(|w| text::width(w) + 2);
    if widths
        .find(|w| *w <= room)
        .is_some_and(|w| w + text::width(&name) > room)
    {
        name.clear();
    }
    let word = standing(cx, pen, room.saturating_sub(name.len() + 2)).unwrap_or(word.to_owned());
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

fn name_of_search(cx: &Context) -> String {
    if let Some(Source::Told(told, _)) = &cx.session {
        return format!("{} ", text::sanitise(&told.name));
    }
    let config = cx.session.as_ref().map_or(&cx.config, Source::config);
    match &cx.explore.outer {
        Some(outer) => format!("{} › leaf ", text::sanitise(outer.source.config().name())),
        None => format!("{} ", text::sanitise(config.name())),
    }
}

/// Returns where a search that is stepped through has stopped, in the longest form that fits.
fn standing(cx: &Context, pen: &Pen, room: usize) -> Option<String> {
    let words = cx.standing_words();
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
        StopReason::Exhausted => " nothing left",
        StopReason::Settled => " settled",
        StopReason::Told => " read to its end",
    }
}
