//! Draws the expression being edited, with the completions or with the error at its column.

use ratatui::layout::Rect;

use super::Expression;
use crate::overlays::OverlayTarget;
use crate::overlays::prompt::Prompt;
use crate::views::message::draw_input;
use crate::views::{popup, popup_area};
use screen::pen::{Pen, inside};
use screen::theme::Role;
use session::breakpoint::BreakpointError;

/// The number of rows for completions.
const OFFERED: u16 = 9;

fn place(area: Rect) -> Rect {
    popup_area(area, 78, OFFERED + 4)
}

/// Returns the rows below the input and the hint.
fn rows(inner: Rect) -> Rect {
    Rect {
        y: inner.y + 2,
        height: inner.height.saturating_sub(2),
        ..inner
    }
}

/// Scrolls the selected completion into view.
pub fn update(area: Rect, expression: &mut Expression) {
    let list = rows(inside(place(area)));
    let count = expression.completions.len();
    expression.list.fit(usize::from(list.height), count);
}

pub fn draw(pen: &mut Pen, area: Rect, expression: &Expression) {
    let inner = popup(pen, place(area), expression.title);
    if inner.height < 3 || inner.width < 20 {
        return;
    }
    let x = pen.put(inner.x + 1, inner.y, inner.right(), "> ", Role::Key);
    draw_input(pen, x, inner.y, inner.right() - 1, &expression.prompt);
    if let Some(refused) = &expression.refused {
        let below = Rect {
            y: inner.y + 1,
            height: inner.height - 1,
            ..inner
        };
        draw_refused(pen, below, x, refused, &expression.prompt);
    } else {
        draw_offered(pen, inner, expression);
    }
}

/// Marks the column of the error, and says what was expected there.
fn draw_refused(pen: &mut Pen, area: Rect, x: u16, refused: &BreakpointError, prompt: &Prompt) {
    // The cursor takes a column of its own within the text.
    let at = refused.column.saturating_sub(1) as usize;
    let shown = at + usize::from(prompt.cursor < at);
    let column = x.saturating_add(shown as u16);
    if column < area.right() {
        pen.put(column, area.y, area.right(), "^", Role::Error);
    }
    let room = usize::from(area.width.saturating_sub(3));
    let what = match &refused.meant {
        Some(word) => format!(
            "found {}: did you mean {word}? (Tab takes it) Expected {}",
            refused.found, refused.expected
        ),
        None => format!("found {}, expected {}", refused.found, refused.expected),
    };
    let what = pen.glyphs.text(&text::sanitise(&what));
    for (i, line) in text::wrap(&what, room).iter().enumerate() {
        let y = area.y + 1 + i as u16;
        if y < area.bottom() {
            pen.put(area.x + 1, y, area.right(), line, Role::Error);
        }
    }
}

fn draw_offered(pen: &mut Pen, inner: Rect, expression: &Expression) {
    let list = rows(inner);
    let words = expression.completions.iter();
    let widest = words.map(|c| text::width(&c.text)).max().unwrap_or(0) as u16;
    let widest = widest.min(list.width * 3 / 5);
    let count = expression.completions.len();
    let draw = |pen: &mut Pen, line: Rect, i: usize| {
        let completion = &expression.completions[i];
        let x = line.x + 3;
        let word = pen.glyphs.text(&completion.text);
        pen.put(x, line.y, x + widest, &word, Role::Key);
        let summary = pen.glyphs.text(&completion.summary);
        let room = usize::from(line.right().saturating_sub(x + widest + 3));
        let summary = text::fit(&summary, room, pen.glyphs.ellipsis);
        let end = line.right() - 1;
        pen.put(x + widest + 2, line.y, end, &summary, Role::Hint);
    };
    let state = &expression.list;
    state.draw(pen, list, (count, true), OverlayTarget::Item, draw);
    state.draw_bar(pen, list, count);
}
