//! Draws the start screen.

use ratatui::layout::Rect;

use super::preview::{Picture, Preview};
use super::sketch;
use crate::context::Context;
use crate::overlays::OverlayTarget;
use crate::overlays::chooser::{Chooser, draw_query, draw_words};
use crate::panes::board::{Squares, draw_bare};
use game::ToyPosition;
use screen::pen::{Line, Pen, inside};
use screen::theme::Role;

/// The parts of the screen.
pub(super) struct Parts {
    frame: Rect,
    query: Rect,
    pub list: Rect,
    /// The preview; empty where there is no room.
    preview: Rect,
    /// What is said of the selected way, where the preview has no room for it.
    strip: Rect,
}

/// The columns of a group's name.
const GROUP: u16 = 10;
/// The lines of the strip.
const STRIP: u16 = 3;

impl Parts {
    pub fn of(area: Rect) -> Parts {
        // The last two lines are for messages and keys.
        let frame = Rect {
            height: area.height.saturating_sub(2),
            ..area
        };
        let inner = inside(frame);
        let query = Rect {
            height: inner.height.min(1),
            ..inner
        };
        // A board of middling squares with words below it needs this.
        let tall = inner.height >= 8 * 2 + 1 + 6;
        let strip = if tall { 0 } else { STRIP.min(inner.height / 3) };
        let body = Rect {
            height: inner.height - strip,
            ..inner
        };
        let left = match inner.width {
            0..60 => inner.width,
            // The smallest board with pictures of pieces needs what is left of 80 columns.
            width => (width * 9 / 20).clamp(39, 64),
        };
        Parts {
            frame,
            query: Rect {
                width: left,
                ..query
            },
            list: Rect {
                width: left,
                y: body.y + query.height,
                height: body.height.saturating_sub(query.height),
                ..body
            },
            preview: Rect {
                x: body.x + left + 1,
                width: inner.width.saturating_sub(left + 1),
                ..body
            },
            strip: Rect {
                y: body.bottom(),
                height: strip,
                ..inner
            },
        }
    }
}

pub(super) fn draw(
    cx: &Context,
    pen: &mut Pen,
    area: Rect,
    chooser: &Chooser,
    preview: Option<&Preview>,
) {
    let parts = Parts::of(area);
    let style = pen.style(Role::Text);
    pen.clear(area, style);
    pen.region(parts.frame, OverlayTarget::Frame);
    pen.frame(parts.frame, chooser.title, true);
    draw_query(pen, parts.query, chooser);
    draw_list(pen, parts.list, chooser);
    for y in parts.preview.y..parts.preview.bottom() {
        let line = pen.glyphs.vertical.to_string();
        let x = parts.preview.x - 1;
        pen.put(x, y, x + 1, &line, Role::Border);
    }
    let Some(preview) = preview else {
        return;
    };
    draw_preview(cx, pen, &parts, preview);
}

/// Draws the picture, and the words below it or, where they don't fit there, in the strip.
fn draw_preview(cx: &Context, pen: &mut Pen, parts: &Parts, preview: &Preview) {
    let column = parts.preview;
    let narrow = wrapped(pen, preview, column.width.saturating_sub(2));
    let wide = wrapped(pen, preview, parts.strip.width.saturating_sub(2));
    let in_strip = wide.len() <= usize::from(parts.strip.height);
    let below = match in_strip {
        true => 0,
        false => narrow.len() as u16,
    };
    let room = Rect {
        height: column.height.saturating_sub(below).max(column.height / 3),
        ..column
    };
    let drawn = draw_picture(cx, pen, room, &preview.picture);
    let fits = usize::from(column.bottom().saturating_sub(drawn)) >= narrow.len();
    let (lines, at) = match fits || !in_strip {
        true => (
            narrow,
            Rect {
                x: column.x,
                y: drawn,
                height: column.bottom().saturating_sub(drawn),
                width: column.width,
            },
        ),
        false => (wide, parts.strip),
    };
    for (line, y) in lines.iter().zip(at.y..at.bottom()) {
        pen.put(at.x + 1, y, at.right(), line, Role::Text);
    }
}

fn wrapped(pen: &Pen, preview: &Preview, width: u16) -> Vec<String> {
    let paragraphs = preview.words.iter();
    let wrap = |words: &String| text::wrap(&pen.glyphs.text(words), usize::from(width.max(1)));
    paragraphs.flat_map(wrap).collect()
}

fn draw_list(pen: &mut Pen, area: Rect, chooser: &Chooser) {
    let shown = chooser.shown();
    if shown.is_empty() {
        pen.empty(area, "nothing matches");
    }
    let grouped = chooser.query.is_empty();
    let group = |i: usize| chooser.item(shown[i].item).group;
    let rows = (shown.len(), true);
    let list = &chooser.list;
    list.draw(pen, area, rows, OverlayTarget::Item, |pen, line, i| {
        let mut x = line.x + 1;
        if grouped {
            // A group is named at its first row, and at the first one that is seen of it.
            let names = i == list.top || group(i) != group(i - 1);
            if names {
                pen.put(x, line.y, line.right(), group(i), Role::Heading);
            }
            x += GROUP;
        }
        let item = chooser.item(shown[i].item);
        let note = text::width(&item.note) as u16;
        let end = match note {
            0 => line.right() - 1,
            _ => line.right().saturating_sub(note + 2),
        };
        draw_words(pen, (x, line.y, end), &item.label, &shown[i].found);
        pen.put_right(end, line.y, line.right() - 1, &item.note, Role::Dim);
    });
    list.draw_bar(pen, area, shown.len());
}

/// Draws a picture; returns the row below it.
fn draw_picture(cx: &Context, pen: &mut Pen, area: Rect, picture: &Picture) -> u16 {
    match picture {
        Picture::None => area.y + u16::from(area.height > 2),
        Picture::Board(position) => match Squares::bare(area.width, area.height) {
            Some(size) => {
                let height = 8 * size.height + 1;
                let area = Rect { height, ..area };
                draw_bare(cx, pen, (area, size), position.as_ref().clone());
                area.bottom() + 1
            }
            None => area.y,
        },
        Picture::Tree(toy) => {
            let lines = tree_lines(pen, area, toy);
            draw_lines(pen, area, &lines)
        }
        Picture::Lines(lines) => draw_lines(pen, area, lines),
    }
}

/// Draws lines in the middle; returns the row after the blank one below them.
fn draw_lines(pen: &mut Pen, area: Rect, lines: &[Line]) -> u16 {
    let room = usize::from(area.height);
    let fits = lines.len() <= room;
    let top = area.y + u16::from(lines.len() + 2 <= room);
    let shown = if fits {
        lines.len()
    } else {
        room.saturating_sub(1)
    };
    let within = Rect {
        x: area.x + 1,
        y: top,
        width: area.width.saturating_sub(1),
        height: area.bottom() - top,
    };
    let more = vec![(format!("     and {} more", lines.len() - shown), Role::Dim)];
    let rest = (!fits).then_some(&more);
    pen.lines(within, lines.iter().take(shown).chain(rest));
    (top + lines.len().min(room) as u16 + 1).min(area.bottom())
}

/// Returns a drawing of a tree, or its first moves where it is too large for one.
fn tree_lines(pen: &Pen, area: Rect, toy: &ToyPosition) -> Vec<Line> {
    let (width, height) = (area.width.saturating_sub(2), area.height);
    let tree = toy.tree();
    let drawn = sketch::of(tree, width.into(), height.into(), pen.glyphs);
    drawn.unwrap_or_else(|| {
        let line = |&child: &u32| {
            let child = &tree.nodes[child as usize];
            let below = match (child.value, child.children.len()) {
                (Some(value), 0) => format!("  {value}"),
                (_, count) => format!("  {count} moves"),
            };
            vec![
                (format!("{} ", pen.glyphs.closed), Role::Dim),
                (text::sanitise(&child.name), Role::Move),
                (below, Role::Dim),
            ]
        };
        tree.nodes[0].children.iter().map(line).collect()
    })
}
