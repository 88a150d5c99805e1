//! The screen: the areas of the tabs, the bars above and below them, and the line for messages.

pub(in crate::tui) mod bar;
mod continuations;
pub(in crate::tui) mod facts;
pub(in crate::tui) mod message;
pub(in crate::tui) mod status;

pub use facts::{Facts, Withheld};

use crate::tui::overlays::chooser::view as chooser;
use crate::tui::overlays::expression::view as expression;
use crate::tui::overlays::help::view as help;
use crate::tui::overlays::options::view as options;
use crate::tui::panes::debugger::view as debug;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::app::{App, Overlay, Pane, Small, Target};
use super::pen::{Drawn, Pen};
use super::theme::Role;

/// The smallest screen that one pane fits on.
pub const SMALLEST: (u16, u16) = (40, 12);

/// Updates the application and draws the whole screen once.
pub fn frame(app: &mut App, buf: &mut Buffer) {
    update(app, buf.area);
    let drawn = draw(app, buf);
    app.take_drawn(drawn);
}

/// Returns the area between the top bar and the bottom line; `None` if the screen is too small.
fn body(area: Rect) -> Option<Rect> {
    let fits = area.width >= SMALLEST.0 && area.height >= SMALLEST.1;
    fits.then(|| Rect {
        y: area.y + 1,
        height: area.height - 2,
        ..area
    })
}

/// Draws the whole screen after an update for its size; returns what later input needs.
pub fn draw(app: &App, buf: &mut Buffer) -> Drawn {
    let mut pen = Pen {
        buf,
        theme: &app.looks.theme,
        glyphs: app.looks.glyphs,
        drawn: Drawn::default(),
    };
    let area = pen.buf.area;
    let ground = pen.style(Role::Text);
    pen.clear(area, ground);
    let Some(body) = body(area) else {
        too_small(&mut pen, area);
        return pen.drawn;
    };
    status::draw(app, &mut pen, Rect { height: 1, ..area });
    app.tab.screen().draw(app, &mut pen, body);
    let line = Rect {
        y: app.tab.screen().message_row(app, body),
        height: 1,
        ..area
    };
    draw_overlay(app, &mut pen, area, line);
    let prompted = matches!(app.overlay, Some(Overlay::Prompt(..)));
    message::draw(app, &mut pen, line, prompted);
    let bottom = Rect {
        y: area.bottom() - 1,
        height: 1,
        ..area
    };
    bar::draw(app, &mut pen, bottom);
    continuations::draw(app, &mut pen, area);
    pen.drawn
}

/// Updates what a screen of this size shows, before it is drawn.
pub fn update(app: &mut App, area: Rect) {
    let Some(body) = body(area) else {
        return;
    };
    app.small.on = Small::is(area);
    app.update_rate();
    app.tab.screen().update(app, body);
    update_overlay(app, area);
}

impl App {
    /// Updates the rows of the tree and of the log.
    pub(in crate::tui) fn update_tree(&mut self) {
        self.open_searched_again();
        if self.explore.debug.shown {
            self.refresh_log();
        }
        let live = self.is_running();
        let whole = self.is_drawn_whole();
        self.explore.tree.set_whole(whole);
        let neutral = self.hides_best();
        self.explore.tree.set_neutral(neutral);
        self.with_tree(|explorer, reader| explorer.refresh(reader, live));
        self.uncover_selected();
    }
}

fn update_overlay(app: &mut App, area: Rect) {
    let breakpoints = app.explore.debug.breakpoints.len();
    let offers = match &app.overlay {
        Some(Overlay::Breakpoints(_)) if breakpoints == 0 => app.explore.debug.offers().len(),
        _ => 0,
    };
    match &mut app.overlay {
        Some(Overlay::Choose(answer, chooser)) => chooser::update(area, answer, chooser),
        Some(Overlay::Options(editor)) => options::update(area, editor),
        Some(Overlay::Breakpoints(list)) => {
            debug::update_breakpoints(area, list, breakpoints, offers);
        }
        Some(Overlay::Expression(_, expression)) => expression::update(area, expression),
        Some(Overlay::Prompt(..) | Overlay::Help(_) | Overlay::SetUp(_)) | None => {}
    }
}

fn draw_overlay(app: &App, pen: &mut Pen, area: Rect, line: Rect) {
    match &app.overlay {
        Some(Overlay::Choose(answer, chooser)) => chooser::draw(pen, area, answer, chooser),
        Some(Overlay::Prompt(_, prompt)) => message::draw_prompt(pen, line, prompt),
        Some(Overlay::Options(editor)) => options::draw(pen, area, editor),
        Some(Overlay::Help(help)) => help::draw(app, pen, area, help),
        Some(Overlay::SetUp(setup)) => crate::tui::overlays::setup::view::draw(pen, area, setup),
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

/// Returns the area of a popup with this many columns and rows, as far as they fit.
pub(in crate::tui) fn popup_area(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width - 2), height.min(area.height - 2));
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 3,
        width,
        height,
    }
}

/// Draws the empty frame of a popup; returns the area inside.
pub(in crate::tui) fn popup(pen: &mut Pen, rect: Rect, title: &str) -> Rect {
    let style = pen.style(Role::Popup);
    pen.clear(rect, style);
    pen.region(rect, Target::Overlay);
    pen.frame(rect, title, true)
}

/// Whether a pane's frame is shown as focused.
pub(in crate::tui) fn has_keyboard(app: &App, pane: Pane) -> bool {
    app.explore.focus == pane && app.overlay.is_none() && app.in_explore()
}
