//! Draws a toy tree as a whole: the root at the top, the levels of Max and Min below each other, edges, and what was
//! cut off. All figures are from Max's view, as in textbooks.

mod legend;
mod links;
mod node;
mod sheet;

use ratatui::layout::Rect;

pub use legend::legend;

use super::{Detail, Figures};
use crate::engine::Reader;
use crate::game::{Game, Side, ToyPosition};
use crate::report::drawing::Layout;
use crate::tree::Tree;
use crate::tui::app::{App, Pane, Target};
use crate::tui::panes::tree::view::{draw_line, scroll_bar};
use crate::tui::pen::{Pen, inside};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::views::facts::Numbers;
use crate::tui::views::has_keyboard;
use node::Reading;
use sheet::Sheet;

/// The columns beside the drawing that name the side of each level, with the gap after them.
const SIDES: u16 = 4;

pub fn draw(app: &App, pen: &mut Pen, area: Rect, at: &ToyPosition) {
    let focused = has_keyboard(app, Pane::Tree);
    pen.region(area, Target::Pane(Pane::Tree));
    let title = "tree, values for Max";
    let inner = pen.frame(area, title, focused);
    draw_line(app, pen, area, title);
    if inner.height == 0 || inner.width < 8 {
        return;
    }
    let Some(source) = &app.session else {
        return;
    };
    let reader = source.reader();
    let room = room(area);
    let (sheet, sides) = sheet(app, room);
    let selected = app
        .explore
        .drawing
        .place_of(reader.tree, app.explore.tree.key());
    if let Some((layout, detail)) = app.explore.drawing.layout() {
        let picture = Picture {
            app,
            reader,
            at,
            layout,
            detail,
            sheet,
            inside: room,
            selected,
            focused,
        };
        let regions = picture.draw(pen, sides);
        for (area, place) in regions {
            pen.region(area, Target::Drawn(place));
        }
    }
    let (_, rows) = app.explore.drawing.reach();
    let seen = usize::from(inner.height);
    scroll_bar(
        pen,
        area,
        app.explore.drawing.top as usize,
        seen,
        seen + rows as usize,
    );
    note_columns(app, pen, area);
}

/// Updates the layout, and scrolls the selected node into view.
pub fn update(app: &mut App, area: Rect) {
    let Some(at) = app.drawn_at() else { return };
    let Some(source) = &app.session else { return };
    let room = room(area);
    if room.height == 0 || room.width < 7 {
        return;
    }
    let reader = source.reader();
    let figures = Figures::of(reader);
    app.explore
        .drawing
        .prepare(&at, figures, (room.width, room.height));
    if let Some(place) = app
        .explore
        .drawing
        .place_of(reader.tree, app.explore.tree.key())
    {
        app.explore.drawing.bring_into_view(place);
    }
}

/// Returns where nodes can be drawn: inside the frame, with a free column at the left.
fn room(area: Rect) -> Rect {
    let inner = inside(area);
    Rect {
        x: inner.x + 1,
        width: inner.width.saturating_sub(1),
        ..inner
    }
}

/// Returns the drawing's place on the screen, and whether there is room for the names of the sides beside the levels.
fn sheet(app: &App, inside: Rect) -> (Sheet, bool) {
    let (left, top) = (app.explore.drawing.left, app.explore.drawing.top);
    let width = app
        .explore
        .drawing
        .layout()
        .map_or(0, |(layout, _)| layout.width);
    let sides = width + i32::from(SIDES) <= i32::from(inside.width);
    // A drawing that fits is centred.
    let free = match sides {
        true => i32::from(inside.width) - width,
        false => 0,
    };
    let x = inside.x + (free / 2).max(i32::from(if sides { SIDES } else { 0 })) as u16;
    let area = Rect {
        x,
        width: inside.right().saturating_sub(x),
        ..inside
    };
    (Sheet { area, left, top }, sides)
}

/// Notes in the lower edge which columns are visible, if not all are.
fn note_columns(app: &App, pen: &mut Pen, area: Rect) {
    let (more, _) = app.explore.drawing.reach();
    let Some((layout, _)) = app.explore.drawing.layout().filter(|_| more > 0) else {
        return;
    };
    let first = app.explore.drawing.left + 1;
    let last =
        (app.explore.drawing.left + i32::from(app.explore.drawing.columns())).min(layout.width);
    let note = format!("columns {first}–{last} of {}", layout.width);
    pen.frame_note(area, area.bottom() - 1, &note, Role::Dim);
}

/// The drawing in one frame.
struct Picture<'a> {
    app: &'a App,
    reader: Reader<'a>,
    at: &'a ToyPosition,
    layout: &'a Layout,
    detail: Detail,
    sheet: Sheet,
    /// The area inside the frame.
    inside: Rect,
    selected: Option<usize>,
    focused: bool,
}

impl Picture<'_> {
    /// Draws the visible part, with the sides' names beside it if `sides` is true; returns where the nodes can be
    /// clicked.
    fn draw(&self, pen: &mut Pen, sides: bool) -> Vec<(Rect, usize)> {
        let mut reading = Reading::new(self);
        let mut regions = Vec::new();
        let numbers = Numbers::new(self.app, self.reader.scale(), pen.glyphs);
        let (from, to) = (
            self.sheet.left,
            self.sheet.left + i32::from(self.sheet.area.width),
        );
        for depth in 0..self.layout.levels.len() as u16 {
            let top = self.detail.top(depth);
            if top >= self.sheet.top + i32::from(self.sheet.area.height) {
                break;
            }
            if top + i32::from(self.detail.level + self.detail.links) <= self.sheet.top {
                continue;
            }
            if sides {
                self.side(pen, depth, top);
            }
            for place in self.layout.visible(usize::from(depth), from - 1, to + 1) {
                let known = reading.known(place);
                let area = self.node(pen, &numbers, place, &known);
                regions.extend(area.map(|area| (area, place)));
            }
            links::draw(self, &mut reading, pen, depth);
        }
        self.note_selected(pen, &mut reading);
        regions
    }

    /// Draws the name of the side to move on a level.
    fn side(&self, pen: &mut Pen, depth: u16, top: i32) {
        let mut level = self.layout.levels[usize::from(depth)].clone();
        if level.all(|i| self.is_leaf(i)) {
            return;
        }
        let beside = self.inside;
        let name = match self.side_at(depth) {
            Side::White => "Max",
            Side::Black => "Min",
        };
        let y = top - self.sheet.top;
        if let Ok(y) = u16::try_from(y)
            && y < beside.height
        {
            pen.put(beside.x, beside.y + y, beside.right(), name, Role::Dim);
        }
    }

    fn is_leaf(&self, place: usize) -> bool {
        let node = self.layout.places[place].node;
        self.at.tree().nodes[node as usize].children.is_empty()
    }

    /// Returns the side to move at a depth.
    fn side_at(&self, depth: u16) -> Side {
        match (self.at.turn(), depth % 2) {
            (side, 0) => side,
            (Side::White, _) => Side::Black,
            (Side::Black, _) => Side::White,
        }
    }

    /// Returns the places of the principal variation, from the root on.
    fn best_line(&self) -> Vec<usize> {
        if self.app.hides_best() {
            return Vec::new();
        }
        let mut line = vec![0];
        let mut at = 0;
        for code in self.reader.best_moves(Tree::ROOT) {
            let mut children = self.layout.places[at].children.clone();
            let Some(next) = children.nth(usize::from(code.0)) else {
                break;
            };
            line.push(next);
            at = next;
        }
        line
    }

    /// Notes the selected node with its window in the lower edge, since the drawing may not have room for the window.
    fn note_selected(&self, pen: &mut Pen, reading: &mut Reading) {
        let Some(place) = self.selected else { return };
        let name = match self.layout.places[place].parent {
            Some(_) => {
                let node = &self.at.tree().nodes[self.layout.places[place].node as usize];
                text::fit(&text::harmless(&node.name), 20, pen.glyphs.ellipsis)
            }
            None => "root".to_owned(),
        };
        let known = reading.known(place);
        let scale = self.reader.scale();
        let value = known.value(scale, 12, 8).map(|v| format!(" {v}"));
        let window = known.window(scale, 40).map(|w| format!(" {w}"));
        let note = name + &value.unwrap_or_default() + &window.unwrap_or_default();
        let note = pen.glyphs.text(&format!(" {note} "));
        let (x, y, end) = (self.inside.x + 1, self.inside.bottom(), self.inside.right());
        pen.put(x, y, end, &note, Role::Title);
    }
}
