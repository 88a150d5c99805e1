//! The screen: one file a view, all drawing through [`Pen`] into a buffer.

mod board;
mod chooser;
mod compare;
mod debug;
mod drawing;
mod facts;
mod game;
mod help;
mod inspector;
mod lab;
mod layout;
mod learn;
mod message;
mod options;
mod status;
mod tree;

pub use facts::{Facts, Withheld};
pub use layout::{Layout, Squares};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::app::{App, Overlay, Pane, Target};
use super::pen::Pen;
use super::theme::Role;

/// The smallest screen that everything fits on.
pub const SMALLEST: (u16, u16) = (80, 24);

/// Draws the whole screen.
pub fn draw(app: &mut App, buf: &mut Buffer) {
    app.regions.clear();
    let theme = app.theme.clone();
    let mut pen = Pen {
        buf,
        theme: &theme,
        glyphs: app.glyphs,
    };
    let area = pen.buf.area;
    let ground = pen.style(Role::Text);
    pen.clear(area, ground);
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        too_small(&mut pen, area);
        return;
    }
    let text = app.learn.is_open();
    let layout = Layout::of(area, app.focus, (app.tab, text), app.debug.shown);
    refresh(app, &layout);
    status::draw(app, &mut pen, layout.top);
    if let Some(rect) = layout.tree {
        match app.drawn_at() {
            Some(at) => drawing::draw(app, &mut pen, rect, &at),
            None => tree::draw(app, &mut pen, rect),
        }
    }
    if let Some(rect) = layout.inspector {
        inspector::draw(app, &mut pen, rect);
    }
    if let Some((rect, squares)) = layout.board {
        board::draw(app, &mut pen, rect, squares);
    }
    if let Some(rect) = layout.game {
        game::draw_strip(app, &mut pen, rect);
    }
    if let Some(rect) = layout.game_tab {
        game::draw(app, &mut pen, rect);
    }
    if let Some(rect) = layout.lab {
        lab::draw(app, &mut pen, rect);
    }
    if let Some(rect) = layout.learn {
        learn::draw(app, &mut pen, rect);
    }
    if let Some(rect) = layout.compare {
        compare::draw(app, &mut pen, rect);
    }
    if let Some(rect) = layout.log {
        debug::draw_log(app, &mut pen, rect);
    }
    if let Some(rect) = layout.dock {
        debug::draw_dock(app, &mut pen, rect);
    }
    message::draw(app, &mut pen, layout.bottom);
    draw_overlay(app, &mut pen, area);
}

/// Brings the explorer's rows up to date before they are drawn.
fn refresh(app: &mut App, layout: &Layout) {
    if let Some(rect) = layout.tree {
        app.explorer.set_height(tree::rows_in(rect));
    }
    if let Some(rect) = layout.compare {
        compare::refresh(app, rect);
        return;
    }
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

fn draw_overlay(app: &mut App, pen: &mut Pen, area: Rect) {
    let Some(mut overlay) = app.overlay.take() else {
        return;
    };
    match &mut overlay {
        Overlay::Choose(answer, chooser) => chooser::draw(app, pen, area, answer, chooser),
        Overlay::Prompt(_, prompt) => message::draw_prompt(pen, area, prompt),
        Overlay::Options(editor) => options::draw(app, pen, area, editor),
        Overlay::Help(help) => help::draw(app, pen, area, help),
        Overlay::Breakpoints(list) => debug::draw_breakpoints(app, pen, area, list),
        Overlay::Expression(_, expression) => debug::draw_expression(app, pen, area, expression),
    }
    app.overlay = Some(overlay);
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

/// A frame above the rest, emptied; returns the area inside.
fn popup(app: &mut App, pen: &mut Pen, area: Rect, width: u16, height: u16, title: &str) -> Rect {
    let (w, h) = (width.min(area.width - 2), height.min(area.height - 2));
    let rect = Rect {
        x: area.x + (area.width - w) / 2,
        y: area.y + (area.height - h) / 3,
        width: w,
        height: h,
    };
    let style = pen.style(Role::Popup);
    pen.clear(rect, style);
    app.region(rect, Target::Overlay);
    pen.frame(rect, title, true)
}

/// Whether a pane's frame is shown as having the keyboard.
fn has_keyboard(app: &App, pane: Pane) -> bool {
    app.focus == pane && app.overlay.is_none() && app.in_explore()
}
