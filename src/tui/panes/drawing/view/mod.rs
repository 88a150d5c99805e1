//! Draws a tree: the root at the top, the levels of both sides below each other, edges, what was cut off, and in a game's
//! tree stubs for the moves that are not drawn. All figures are from Max's (White's) view, as in textbooks.

mod known;
mod legend;
mod links;
mod node;
mod sheet;

use ratatui::layout::Rect;

pub use legend::legend;

use super::DrawingTarget;
use super::{Content, Detail, Figures};
use crate::context::Context;
use crate::panes::Pane;
use crate::panes::tree::view::draw_line;
use crate::views::facts::Numbers;
use crate::views::has_keyboard;
use game::{Game as _, Side};
use known::Reading;
use report::drawing::{Layout, Stub};
use screen::list::draw_bar;
use screen::pen::{Pen, indented, inside};
use screen::theme::Role;
use session::Reader;
use sheet::Sheet;
use tree::Tree;

/// The columns beside the drawing that name the side of each level, with the gap after them.
const SIDES: u16 = 4;

pub fn draw(cx: &Context, pen: &mut Pen, area: Rect) {
    let focused = has_keyboard(cx, Pane::Tree);
    pen.region(area, DrawingTarget::Frame);
    let what = if cx.toy().is_some() { "tree" } else { "lines" };
    let first = cx.subject.position.side_name(Side::White);
    let title = format!("{what}, values for {first}");
    let inner = pen.frame(area, &title, focused);
    draw_line(cx, pen, area, &title);
    if inner.height == 0 || inner.width < 8 {
        return;
    }
    let Some(source) = &cx.session else {
        return;
    };
    let reader = source.reader();
    let room = room(area);
    let (sheet, sides) = sheet(cx, room);
    let selected = cx
        .explore
        .drawing
        .place_of(reader.tree, cx.explore.tree.key());
    let drawing = &cx.explore.drawing;
    if let Some(((layout, detail), content)) = drawing.layout().zip(drawing.content()) {
        let picture = Picture {
            cx,
            reader,
            content,
            layout,
            detail,
            sheet,
            inside: room,
            selected,
            focused,
        };
        let regions = picture.draw(pen, sides);
        for (area, place) in regions {
            pen.region(area, DrawingTarget::Node(place));
        }
    }
    let (_, rows) = cx.explore.drawing.reach();
    let seen = usize::from(inner.height);
    draw_bar(
        pen,
        inner,
        cx.explore.drawing.top as usize,
        seen,
        seen + rows as usize,
    );
    note_columns(cx, pen, area);
}

/// Updates the layout, and scrolls the selected node into view.
pub fn update(cx: &mut Context, area: Rect) {
    if cx.is_drawn() {
        prepare(cx, area);
    }
}

/// Updates the layout of a toy tree that is drawn below its rows.
pub(crate) fn update_below_rows(cx: &mut Context, area: Rect) {
    if cx.toy().is_some() {
        prepare(cx, area);
    }
}

fn prepare(cx: &mut Context, area: Rect) {
    let room = room(area);
    if room.height == 0 || room.width < 7 {
        return;
    }
    let (toy, live, key) = (cx.toy(), cx.is_live(), cx.explore.tree.key());
    let Some(source) = &cx.session else {
        return;
    };
    let reader = source.reader();
    let figures = Figures::of(reader);
    let size = (room.width, room.height);
    let drawing = &mut cx.explore.drawing;
    match toy {
        Some(at) => drawing.prepare(&at, figures, size),
        None => drawing.prepare_lines(reader, live, figures, size, key),
    }
    if let Some(place) = cx
        .explore
        .drawing
        .place_of(reader.tree, cx.explore.tree.key())
    {
        cx.explore.drawing.bring_into_view(place);
    }
}

/// Returns where nodes can be drawn: inside the frame, with a free column at the left.
fn room(area: Rect) -> Rect {
    indented(inside(area))
}

/// Returns the drawing's place on the screen, and whether there is room for the names of the sides beside the levels.
fn sheet(cx: &Context, inside: Rect) -> (Sheet, bool) {
    let (left, top) = (cx.explore.drawing.left, cx.explore.drawing.top);
    let width = cx
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
    let height = cx
        .explore
        .drawing
        .layout()
        .map_or(0, |(layout, detail)| detail.height(layout));
    // Where a toy tree, which does not grow, leaves much room, a third of it is above.
    let below = (i32::from(inside.height) - height).max(0) as u16;
    let above = match cx.toy() {
        Some(_) if below >= 9 => below / 3,
        _ => 0,
    };
    let area = Rect {
        x,
        width: inside.right().saturating_sub(x),
        y: inside.y + above,
        height: inside.height - above,
    };
    (Sheet { area, left, top }, sides)
}

/// Notes in the lower edge which columns are visible, if not all are.
fn note_columns(cx: &Context, pen: &mut Pen, area: Rect) {
    let (more, _) = cx.explore.drawing.reach();
    let Some((layout, _)) = cx.explore.drawing.layout().filter(|_| more > 0) else {
        return;
    };
    let first = cx.explore.drawing.left + 1;
    let last =
        (cx.explore.drawing.left + i32::from(cx.explore.drawing.columns())).min(layout.width);
    let note = format!("columns {first}–{last} of {}", layout.width);
    pen.frame_note(area, area.bottom() - 1, &note, Role::Dim);
}

/// The drawing in one frame.
struct Picture<'a> {
    cx: &'a Context,
    reader: Reader<'a>,
    content: &'a Content,
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
        let numbers = self.numbers(pen);
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
        let position = &self.cx.subject.position;
        let name = position.side_name(self.side_at(depth));
        let y = top - self.sheet.top;
        let area = self.sheet.area;
        if let Ok(y) = u16::try_from(y)
            && y < area.height
        {
            pen.put(beside.x, area.y + y, beside.right(), name, Role::Dim);
        }
    }

    /// Whether a place is a leaf of a toy tree, which has the file's value.
    fn is_leaf(&self, place: usize) -> bool {
        let node = self.layout.places[place].node;
        self.content.leaf(node).is_some()
    }

    /// Returns the side to move at a depth.
    fn side_at(&self, depth: u16) -> Side {
        self.content.side_at(depth)
    }

    /// Returns the places of the principal variation, from the root on.
    fn best_line(&self) -> Vec<usize> {
        if self.cx.hides_best() {
            return Vec::new();
        }
        let mut line = vec![0];
        let mut at = 0;
        for code in self.reader.best_moves(Tree::ROOT) {
            let Some(next) = self.content.child(&self.layout.places, at, code) else {
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
                let name = self.content.name(self.layout.places[place].node);
                text::fit(&text::sanitise(name), 20, pen.glyphs.ellipsis)
            }
            None => "root".to_owned(),
        };
        if let Some(stub) = self.content.stub(self.layout.places[place].node) {
            self.note(pen, &stub_note(stub));
            return;
        }
        let known = reading.known(place);
        let value = known.seen.value(12, 8).map(|v| format!(" {v}"));
        let window = known.window(40).map(|w| format!(" {w}"));
        let reason = known.reason().map(|words| format!(": {words}"));
        let note = name
            + &value.unwrap_or_default()
            + &window.unwrap_or_default()
            + &reason.unwrap_or_default();
        self.note(pen, &note);
    }

    /// Writes in the lower edge.
    fn note(&self, pen: &mut Pen, note: &str) {
        let (x, y, end) = (self.inside.x + 1, self.inside.bottom(), self.inside.right());
        let room = usize::from(end.saturating_sub(x + 2));
        let note = text::fit(&pen.glyphs.text(note), room, pen.glyphs.ellipsis);
        pen.put(x, y, end, &format!(" {note} "), Role::Title);
    }

    fn numbers(&self, pen: &Pen) -> Numbers {
        Numbers::new(self.cx, self.reader.scale(), pen.glyphs)
    }
}

/// Returns what a selected stub stands for: `… 27 more: 24 late-move, 3 refuted`.
fn stub_note(stub: &Stub) -> String {
    let fates = stub.fates.iter();
    let fates: Vec<String> = fates
        .map(|(fate, n)| format!("{n} {}", fate.name()))
        .collect();
    format!("{} more: {}", stub.count, fates.join(", "))
}
