//! The screen: the areas of the tabs, the bars above and below them, and the line for messages.

pub(crate) mod axis;
pub(crate) mod bar;
mod continuations;
pub(crate) mod facts;
pub(crate) mod message;
pub(crate) mod sheet;
pub(crate) mod status;
pub(crate) mod table;
pub(crate) mod ticks;

pub use facts::{Facts, Withheld};

use crate::overlays::OverlayTarget;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::App;
use crate::context::Context;
use crate::context::Small;
use crate::panes::Pane;
use crate::reach::Sight;
use screen::pen::{Drawn, Pen};
use screen::theme::Role;

/// The smallest screen that one pane fits on.
pub const SMALLEST: (u16, u16) = (40, 12);

/// Updates the application and draws the whole screen once.
pub fn frame(app: &mut App, buf: &mut Buffer) {
    update(app, buf.area);
    // All of a frame shows one moment of each search.
    app.cx.begin_frame();
    let drawn = draw(app, buf);
    app.cx.end_frame();
    app.take_drawn(drawn);
}

/// The parts of the screen, from top to bottom.
struct Areas {
    /// The top bar: tabs, lens, the state of the search.
    bar: Rect,
    /// The tab.
    body: Rect,
    /// The lines of messages and prompts.
    messages: Rect,
    keys: Rect,
}

/// Returns the parts of the screen; `None` if it is too small.
fn areas(cx: &Context, area: Rect) -> Option<Areas> {
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        return None;
    }
    let line = Rect { height: 1, ..area };
    let rest = Rect {
        y: area.y + 1,
        height: area.height - 2,
        ..area
    };
    let messages = message::lines(cx, rest);
    Some(Areas {
        bar: line,
        body: Rect {
            height: rest.height - messages.height,
            ..rest
        },
        messages,
        keys: Rect {
            y: area.bottom() - 1,
            ..line
        },
    })
}

/// Draws the whole screen after an update for its size; returns what later input needs.
pub fn draw(app: &App, buf: &mut Buffer) -> Drawn {
    let mut pen = Pen {
        buf,
        theme: &app.cx.looks.theme,
        glyphs: app.cx.looks.glyphs,
        drawn: Drawn::default(),
    };
    let area = pen.buf.area;
    let ground = pen.style(Role::Text);
    pen.clear(area, ground);
    let Some(areas) = areas(&app.cx, area) else {
        too_small(&mut pen, area);
        return pen.drawn;
    };
    status::draw(app, &mut pen, areas.bar);
    app.tab().draw(&app.cx, &mut pen, areas.body);
    if let Some(overlay) = &app.cx.overlay {
        overlay.draw(Sight(app), &mut pen, overlay_area(area, &areas));
    }
    message::draw(&app.cx, &mut pen, areas.messages);
    bar::draw(app, &mut pen, areas.keys);
    continuations::draw(app, &mut pen, area);
    pen.drawn
}

/// Updates what a screen of this size shows, before it is drawn.
pub fn update(app: &mut App, area: Rect) {
    app.do_asked();
    let Some(areas) = areas(&app.cx, area) else {
        return;
    };
    app.cx.small.on = Small::is(area);
    app.cx.area = area;
    app.cx.update_rate();
    app.tabs.get_mut(app.cx.tab).update(&mut app.cx, areas.body);
    app.with_overlay(|overlay, reach| {
        overlay.update(reach.cx(), overlay_area(area, &areas));
        true
    });
}

/// Returns the area of overlays, which leave the last two lines of it free: those of the messages and of the keys. An
/// overlay may cover the top bar.
fn overlay_area(area: Rect, areas: &Areas) -> Rect {
    Rect {
        height: area.height - (areas.messages.height - 1),
        ..area
    }
}

impl Context {
    /// Updates the rows of the tree and of the log.
    pub(crate) fn update_tree(&mut self) {
        self.open_searched_again();
        if self.explore.debug.shown {
            self.refresh_log();
        }
        let live = self.is_live();
        let whole = self.is_drawn_whole();
        self.explore.tree.set_whole(whole);
        let neutral = self.hides_best();
        self.explore.tree.set_neutral(neutral);
        let unfolded = self.explore.unfolded || self.tab == crate::tabs::Tab::Learn;
        self.explore.tree.set_unfolded(unfolded);
        let lens = self.lens;
        self.with_tree(|explorer, reader| {
            explorer.refresh(reader, live);
            explorer.fit_axis(reader, lens);
        });
        self.uncover_selected();
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
pub(crate) fn popup_area(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width - 2), height.min(area.height - 2));
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 3,
        width,
        height,
    }
}

/// Draws the empty frame of a popup; returns the area inside.
pub(crate) fn popup(pen: &mut Pen, rect: Rect, title: &str) -> Rect {
    let style = pen.style(Role::Popup);
    pen.clear(rect, style);
    pen.region(rect, OverlayTarget::Frame);
    pen.frame(rect, title, true)
}

/// Whether a pane's frame is shown as focused.
pub(crate) fn has_keyboard(cx: &Context, pane: Pane) -> bool {
    cx.explore.focus == pane && cx.overlay.is_none() && cx.in_explore()
}
