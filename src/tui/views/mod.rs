//! The screen: where the tabs and panes stand, and the bars above and below them.

pub(in crate::tui) mod facts;
pub(in crate::tui) mod layout;
pub(in crate::tui) mod message;
mod status;

pub use facts::{Facts, Withheld};
pub use layout::{Layout, Squares};

use crate::tui::overlays::chooser::view as chooser;
use crate::tui::overlays::expression::view as expression;
use crate::tui::overlays::help::view as help;
use crate::tui::overlays::options::view as options;
use crate::tui::panes::board;
use crate::tui::panes::debugger::view as debug;
use crate::tui::panes::drawing::view as drawing;
use crate::tui::panes::inspector;
use crate::tui::panes::log::view as log;
use crate::tui::panes::tree::view as tree;
use crate::tui::tabs::compare::view as compare;
use crate::tui::tabs::game::view as game;
use crate::tui::tabs::lab::view as lab;
use crate::tui::tabs::learn::view as learn;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::app::{App, Overlay, Pane, Target};
use super::pen::{Drawn, Pen};
use super::theme::Role;

/// The smallest screen that everything fits on.
pub const SMALLEST: (u16, u16) = (80, 24);

/// Brings the application up to date and draws it: the whole screen, once.
pub fn frame(app: &mut App, buf: &mut Buffer) {
    update(app, buf.area);
    let drawn = draw(app, buf);
    app.take_drawn(drawn);
}

/// Where everything stands; `None` where the screen is too small.
fn layout(app: &App, area: Rect) -> Option<Layout> {
    let fits = area.width >= SMALLEST.0 && area.height >= SMALLEST.1;
    let text = app.learn.is_open();
    fits.then(|| Layout::of(area, app.focus, (app.tab, text), app.debug.shown))
}

/// Draws the whole screen as it was brought up to date for its size; returns what the input after it needs.
pub fn draw(app: &App, buf: &mut Buffer) -> Drawn {
    let mut pen = Pen {
        buf,
        theme: &app.theme,
        glyphs: app.glyphs,
        drawn: Drawn::default(),
    };
    let area = pen.buf.area;
    let ground = pen.style(Role::Text);
    pen.clear(area, ground);
    match layout(app, area) {
        Some(layout) => draw_all(app, &mut pen, area, &layout),
        None => too_small(&mut pen, area),
    }
    pen.drawn
}

fn draw_all(app: &App, pen: &mut Pen, area: Rect, layout: &Layout) {
    status::draw(app, pen, layout.top);
    if let Some(rect) = layout.tree {
        match app.drawn_at() {
            Some(at) => drawing::draw(app, pen, rect, &at),
            None => tree::draw(app, pen, rect),
        }
    }
    if let Some(rect) = layout.inspector {
        inspector::draw(app, pen, rect);
    }
    if let Some((rect, squares)) = layout.board {
        board::draw(app, pen, rect, squares);
    }
    if let Some(rect) = layout.game {
        game::draw_strip(app, pen, rect);
    }
    if let Some(rect) = layout.game_tab {
        game::draw(app, pen, rect);
    }
    if let Some(rect) = layout.lab {
        lab::draw(app, pen, rect);
    }
    if let Some(rect) = layout.learn {
        learn::draw(app, pen, rect);
    }
    if let Some(rect) = layout.compare {
        compare::draw(app, pen, rect);
    }
    if let Some(rect) = layout.log {
        log::draw(app, pen, rect);
    }
    if let Some(rect) = layout.dock {
        debug::draw_dock(app, pen, rect);
    }
    message::draw(app, pen, layout.bottom);
    draw_overlay(app, pen, area);
}

/// Brings what a screen of this size shows up to date, before it is drawn.
pub fn update(app: &mut App, area: Rect) {
    let Some(layout) = layout(app, area) else {
        return;
    };
    app.update_rate();
    if let Some(rect) = layout.tree {
        app.explorer.set_height(tree::rows_in(rect));
    }
    if let Some(rect) = layout.compare {
        compare::update(app, rect);
    } else {
        update_tree(app);
    }
    if let Some(rect) = layout.log {
        log::update(app, rect);
    }
    if let Some(rect) = layout.tree {
        drawing::update(app, rect);
    }
    if let Some(rect) = layout.game_tab {
        game::update(app, rect);
    }
    if layout.lab.is_some() {
        lab::update(app);
    }
    if let Some(rect) = layout.learn {
        learn::update(app, rect);
    }
    update_overlay(app, area);
}

/// The rows of the tree, and of the log.
fn update_tree(app: &mut App) {
    app.open_searched_again();
    if app.debug.shown {
        app.refresh_log();
    }
    let live = app.is_running();
    let whole = app.drawn_at().is_some();
    app.explorer.set_whole(whole);
    app.with_tree(|explorer, reader| explorer.refresh(reader, live));
    app.uncover_selected();
}

fn update_overlay(app: &mut App, area: Rect) {
    let breakpoints = app.debug.breakpoints.len();
    match &mut app.overlay {
        Some(Overlay::Choose(answer, chooser)) => chooser::update(area, answer, chooser),
        Some(Overlay::Options(editor)) => options::update(area, editor),
        Some(Overlay::Breakpoints(list)) => debug::update_breakpoints(area, list, breakpoints),
        Some(Overlay::Expression(_, expression)) => expression::update(area, expression),
        Some(Overlay::Prompt(..) | Overlay::Help(_)) | None => {}
    }
}

fn draw_overlay(app: &App, pen: &mut Pen, area: Rect) {
    match &app.overlay {
        Some(Overlay::Choose(answer, chooser)) => chooser::draw(pen, area, answer, chooser),
        Some(Overlay::Prompt(_, prompt)) => message::draw_prompt(pen, area, prompt),
        Some(Overlay::Options(editor)) => options::draw(pen, area, editor),
        Some(Overlay::Help(help)) => help::draw(app, pen, area, help),
        Some(Overlay::Breakpoints(list)) => debug::draw_breakpoints(app, pen, area, list),
        Some(Overlay::Expression(_, expression)) => expression::draw(pen, area, expression),
        None => {}
    }
}

fn too_small(pen: &mut Pen, area: Rect) {
    let (w, h) = SMALLEST;
    let lines = [
        format!("plyscope needs {w}x{h}"),
        format!("this is {}x{}", area.width, area.height),
        "make the window larger (q quits)".to_owned(),
    ];
    let top = area.y + area.height.saturating_sub(lines.len() as u16) / 2;
    for (i, line) in lines.iter().enumerate() {
        let x = area.x + area.width.saturating_sub(line.len() as u16) / 2;
        let role = if i == 0 { Role::Title } else { Role::Text };
        pen.put(x, top + i as u16, area.right(), line, role);
    }
}

/// Where a frame above the rest stands that wants so many columns and rows.
pub(in crate::tui) fn popup_area(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width - 2), height.min(area.height - 2));
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 3,
        width,
        height,
    }
}

/// A frame above the rest, emptied; returns the area inside.
pub(in crate::tui) fn popup(pen: &mut Pen, rect: Rect, title: &str) -> Rect {
    let style = pen.style(Role::Popup);
    pen.clear(rect, style);
    pen.region(rect, Target::Overlay);
    pen.frame(rect, title, true)
}

/// Whether a pane's frame is shown as having the keyboard.
pub(in crate::tui) fn has_keyboard(app: &App, pane: Pane) -> bool {
    app.focus == pane && app.overlay.is_none() && app.in_explore()
}
