//! Draws the list of breakpoints.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::engine::breakpoint::EXAMPLES;
use crate::tui::app::{App, Target};
use crate::tui::list::ListState;
use crate::tui::pen::{Pen, inside};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::views::{popup, popup_area};

/// Returns the area of the list, including its frame.
fn place(area: Rect, count: usize) -> Rect {
    let rows = if count == 0 {
        EXAMPLES.len() + 2
    } else {
        count.max(3)
    };
    popup_area(area, 92, rows as u16 + 4)
}

/// Returns the rows above the line of keys.
fn rows(inner: Rect) -> Rect {
    Rect {
        height: inner.height.saturating_sub(2),
        ..inner
    }
}

/// Scrolls the selected one of `count` breakpoints into view.
pub fn update(area: Rect, list: &mut ListState, count: usize) {
    if count > 0 {
        let body = rows(inside(place(area, count)));
        list.keep_in_view(usize::from(body.height), count);
    }
}

pub fn draw(app: &App, pen: &mut Pen, area: Rect, list: &ListState) {
    let count = app.explore.debug.breakpoints.len();
    let inner = popup(pen, place(area, count), "breakpoints");
    if inner.height < 3 {
        return;
    }
    let body = rows(inner);
    if count == 0 {
        draw_examples(pen, body);
    } else {
        draw_list(app, pen, body, list);
    }
    draw_keys(pen, inner, count);
}

fn draw_list(app: &App, pen: &mut Pen, body: Rect, list: &ListState) {
    for row in 0..body.height {
        let i = list.top + usize::from(row);
        let Some(breakpoint) = app.explore.debug.breakpoints.get(i) else {
            return;
        };
        let line = Rect {
            y: body.y + row,
            height: 1,
            ..body
        };
        let base = if i == list.selected {
            let style = pen.style(Role::Selection);
            pen.tint(line, style);
            Style { fg: None, ..style }
        } else {
            Style::default()
        };
        let g = pen.glyphs;
        let (mark, word, role) = if breakpoint.refused().is_some() {
            (g.breakpoint_off, "not here", Role::Warning)
        } else if breakpoint.on {
            (g.breakpoint_on, "on", Role::Breakpoint)
        } else {
            (g.breakpoint_off, "off", Role::Dim)
        };
        let number = format!("{:>3} ", i + 1);
        let dim = pen.style(Role::Dim).patch(base);
        let x = pen.text(line.x, line.y, line.right(), &number, dim);
        let style = pen.style(role).patch(base);
        let x = pen.text(
            x,
            line.y,
            line.right(),
            &format!("{mark} {word:<3}  "),
            style,
        );
        let mut words = breakpoint.text.clone();
        if let Some(refused) = breakpoint.refused() {
            words += &format!(" (found {})", refused.found);
        }
        let words = g.text(&text::harmless(&words));
        let room = usize::from(line.right().saturating_sub(x + 1));
        let words = text::fit(&words, room, g.ellipsis);
        let role = if breakpoint.active().is_some() {
            Role::Text
        } else {
            Role::Dim
        };
        let style = pen.style(role);
        pen.text(
            x,
            line.y,
            line.right(),
            &words,
            Style { bg: None, ..style }.patch(base),
        );
        pen.region(line, Target::Item(i));
    }
}

fn draw_examples(pen: &mut Pen, body: Rect) {
    let put = |pen: &mut Pen, row: usize, x: u16, text: &str, role: Role| {
        let y = body.y + row as u16;
        if y < body.bottom() {
            let room = usize::from(body.width.saturating_sub(x + 1));
            let text = text::fit(&pen.glyphs.text(text), room, pen.glyphs.ellipsis);
            pen.put(body.x + x, y, body.right(), &text, role);
        }
    };
    let texts = EXAMPLES.iter().map(|(text, _)| text::width(text));
    let widest = texts.max().unwrap_or(0) as u16;
    put(pen, 0, 1, "None yet. Examples:", Role::Hint);
    for (i, (text, what)) in EXAMPLES.iter().enumerate() {
        put(pen, i + 1, 2, text, Role::Key);
        put(pen, i + 1, widest + 4, what, Role::Hint);
    }
}

fn draw_keys(pen: &mut Pen, inner: Rect, count: usize) {
    let y = inner.bottom() - 1;
    let keys: &[(&str, &str)] = if count == 0 {
        &[("a", "add"), ("Esc", "leave")]
    } else {
        &[
            ("space", "on or off"),
            ("a", "add"),
            ("Enter", "change"),
            ("d", "delete"),
            ("Esc", "leave"),
        ]
    };
    let mut x = inner.x + 1;
    for (key, what) in keys {
        x = pen.put(x, y, inner.right(), key, Role::Key);
        x = pen.put(x, y, inner.right(), &format!(" {what}   "), Role::Hint);
    }
}
