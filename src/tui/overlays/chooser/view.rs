//! Draws lists to choose from: the palette, themes, samples, orders and filters.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Chooser, Shown};
use crate::overlays::OverlayTarget;
use crate::views::{popup, popup_area};
use screen::pen::{Pen, inside};
use screen::theme::Role;

/// Returns the area of the list, including its frame: as wide as its items, if there is room.
fn place(area: Rect, chooser: &Chooser) -> Rect {
    let below = if chooser.describes { DESCRIPTION } else { 0 };
    let height = (chooser.len() as u16 + 3 + below).min(area.height * chooser.quarters / 4);
    popup_area(area, wanted(chooser).max(chooser.least), height)
}

/// Returns the width of a frame that holds every item whole: labels, details and notes with blanks between them.
fn wanted(chooser: &Chooser) -> u16 {
    let items = || (0..chooser.len()).map(|i| chooser.item(i));
    let labels = items().map(|i| text::width(&i.label)).max().unwrap_or(0);
    let rest = items().map(|i| match (text::width(&i.detail), text::width(&i.note)) {
        (0, note) => note + 2,
        (detail, 0) => detail + 4,
        (detail, note) => detail + note + 6,
    });
    let widest = labels + rest.max().unwrap_or(0) + 6;
    u16::try_from(widest).unwrap_or(u16::MAX)
}

/// The lines for the details of the selected item, with an empty one above them.
const DESCRIPTION: u16 = 3;

/// Returns the rows below the query.
fn rows(inner: Rect, chooser: &Chooser) -> Rect {
    let below = if chooser.describes { DESCRIPTION } else { 0 };
    Rect {
        y: inner.y + 1,
        height: inner.height.saturating_sub(1 + below),
        ..inner
    }
}

/// Scrolls the selected row into view.
pub fn update(area: Rect, chooser: &mut Chooser) {
    let list = rows(inside(place(area, chooser)), chooser);
    let count = chooser.shown().len();
    chooser.list.fit(usize::from(list.height), count);
}

pub fn draw(pen: &mut Pen, area: Rect, chooser: &Chooser) {
    let rect = place(area, chooser);
    let inner = popup(pen, rect, chooser.title);
    if inner.height < 2 || inner.width < 12 {
        return;
    }
    draw_query(pen, inner, chooser);
    let list = rows(inner, chooser);
    let count = chooser.shown().len();
    if count == 0 {
        pen.empty(list, "nothing matches");
    }
    let label_width = label_width(chooser, list.width);
    let rows = (count, true);
    chooser
        .list
        .draw(pen, list, rows, OverlayTarget::Item, |pen, line, i| {
            draw_item(pen, line, chooser, &chooser.shown()[i], label_width);
        });
    chooser.list.draw_bar(pen, list, count);
    if let Some(i) = chooser.selected().filter(|_| chooser.describes) {
        let words = pen.glyphs.text(&chooser.item(i).detail);
        let lines = text::wrap(&words, usize::from(inner.width.saturating_sub(2)));
        for (line, y) in lines.iter().zip(list.bottom() + 1..inner.bottom()) {
            pen.put(inner.x + 1, y, inner.right(), line, Role::Hint);
        }
    }
    draw_position(pen, rect, chooser, usize::from(list.height));
}

/// Draws what is typed to filter a list, on the first line of `inner`.
pub(crate) fn draw_query(pen: &mut Pen, inner: Rect, chooser: &Chooser) {
    let x = pen.put(inner.x + 1, inner.y, inner.right(), "> ", Role::Key);
    let style = pen.style(Role::Input);
    let query = pen.glyphs.text(&chooser.query);
    let x = pen.text(x, inner.y, inner.right(), &query, style);
    let x = pen.text(
        x,
        inner.y,
        inner.right(),
        &pen.glyphs.cursor.to_string(),
        style,
    );
    if chooser.query.is_empty() {
        pen.put(
            x + 1,
            inner.y,
            inner.right(),
            pen.glyphs.text(chooser.placeholder).as_ref(),
            Role::Dim,
        );
    }
}

/// Returns the width of the labels if there are details: the width of the longest label, at most half of the list.
fn label_width(chooser: &Chooser, width: u16) -> u16 {
    let items = || (0..chooser.len()).map(|i| chooser.item(i));
    if items().all(|i| i.detail.is_empty()) {
        return width.saturating_sub(2);
    }
    let longest = items().map(|i| text::width(&i.label)).max().unwrap_or(0) as u16;
    let wanted = longest + 2;
    if !chooser.describes {
        return wanted.min(width / 2);
    }
    // What is shown whole below the list is not shown cut to a few words beside the label.
    const LEAST: u16 = 40;
    if wanted + LEAST <= width {
        wanted
    } else {
        width.saturating_sub(2)
    }
}

fn draw_item(pen: &mut Pen, line: Rect, chooser: &Chooser, shown: &Shown, label_width: u16) {
    let item = chooser.item(shown.item);
    let note_width = text::width(&item.note) as u16;
    let end = line
        .right()
        .saturating_sub(if note_width > 0 { note_width + 2 } else { 1 });
    let label_end = (line.x + 1 + label_width).min(end);
    draw_words(
        pen,
        (line.x + 1, line.y, label_end),
        &item.label,
        &shown.found,
    );
    if !item.detail.is_empty() && label_end + 1 < end {
        let detail = pen.glyphs.text(&item.detail);
        let room = usize::from(end.saturating_sub(label_end + 1));
        let detail = text::fit(&detail, room, pen.glyphs.ellipsis);
        pen.put(label_end + 1, line.y, end, &detail, Role::Hint);
    }
    pen.put_right(end, line.y, line.right() - 1, &item.note, Role::Key);
}

/// Draws a label up to the column `end`, with the characters that the query matches marked.
pub(crate) fn draw_words(pen: &mut Pen, (x, y, end): (u16, u16, u16), label: &str, found: &[u32]) {
    let mut x = x;
    let (plain, matched) = (pen.style(Role::Text), pen.style(Role::Match));
    let room = usize::from(end.saturating_sub(x));
    let label = text::fit(label, room, pen.glyphs.ellipsis);
    for (at, c) in label.chars().enumerate() {
        let hit = found.binary_search(&(at as u32)).is_ok();
        // The popup has its own background.
        let style = Style {
            bg: None,
            ..if hit { matched } else { plain }
        };
        let word = pen.glyphs.text(&c.to_string());
        x = pen.text(x, y, end, &word, style);
    }
}

fn draw_position(pen: &mut Pen, frame: Rect, chooser: &Chooser, height: usize) {
    let count = chooser.shown().len();
    if count > height {
        let note = format!("{} of {count}", chooser.list.selected + 1);
        pen.frame_note(frame, frame.bottom() - 1, &note, Role::Dim);
    }
}
