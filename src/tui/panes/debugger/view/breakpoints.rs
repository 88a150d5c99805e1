//! Draws the list of breakpoints.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::context::Context;
use crate::overlays::OverlayTarget;
use crate::views::{popup, popup_area};
use screen::list::ListState;
use screen::pen::{Pen, inside};
use screen::theme::Role;

/// Returns the area of the list, including its frame.
fn place(area: Rect, rows: usize) -> Rect {
    popup_area(area, 92, rows.max(3) as u16 + 4)
}

/// Returns the rows above the line of keys.
fn rows(inner: Rect) -> Rect {
    Rect {
        height: inner.height.saturating_sub(2),
        ..inner
    }
}

/// Scrolls the selected breakpoint into view, or the selected offer that the empty list makes.
pub fn update(cx: &Context, area: Rect, list: &mut ListState) {
    let count = cx.explore.debug.breakpoints.len();
    if count > 0 {
        let body = rows(inside(place(area, count)));
        list.keep_in_view(usize::from(body.height), count);
    } else {
        let offers = cx.explore.debug.offers().len();
        let body = rows(inside(place(area, offers + HEADING)));
        list.keep_in_view(usize::from(body.height).saturating_sub(HEADING), offers);
    }
}

/// The lines above the offers.
const HEADING: usize = 1;

pub fn draw(cx: &Context, pen: &mut Pen, area: Rect, list: &ListState) {
    let count = cx.explore.debug.breakpoints.len();
    let offers = match count {
        0 => cx.explore.debug.offers(),
        _ => Vec::new(),
    };
    let height = match count {
        0 => offers.len() + HEADING,
        count => count,
    };
    let inner = popup(pen, place(area, height), "breakpoints");
    if inner.height < 3 {
        return;
    }
    let body = rows(inner);
    if count == 0 {
        draw_offers(pen, body, &offers, list);
    } else {
        draw_list(cx, pen, body, list);
    }
    draw_keys(pen, inner, count);
}

fn draw_list(cx: &Context, pen: &mut Pen, body: Rect, list: &ListState) {
    for row in 0..body.height {
        let i = list.top + usize::from(row);
        let Some(breakpoint) = cx.explore.debug.breakpoints.get(i) else {
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
        let words = g.text(&text::sanitise(&words));
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
        pen.region(line, OverlayTarget::Item(i));
    }
}

/// Draws breakpoints to choose from, where none is set yet; below them the whole meaning of the selected one.
fn draw_offers(pen: &mut Pen, body: Rect, offers: &[(String, String)], list: &ListState) {
    if let Some((_, what)) = offers.get(list.selected) {
        let room = usize::from(body.width.saturating_sub(3));
        let what = text::fit(&pen.glyphs.text(what), room, pen.glyphs.ellipsis);
        pen.put(body.x + 2, body.bottom(), body.right(), &what, Role::Text);
    }
    let heading = "None yet. Those used before and examples (Enter uses one):";
    pen.put(body.x + 1, body.y, body.right(), heading, Role::Hint);
    let widest = offers.iter().map(|(text, _)| text::width(text)).max();
    let widest = (widest.unwrap_or(0) as u16).min(body.width * 3 / 5);
    let shown = offers.iter().enumerate().skip(list.top);
    for ((i, (text, what)), y) in shown.zip(body.y + HEADING as u16..body.bottom()) {
        let line = Rect {
            y,
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
        let mut put = |x: u16, end: u16, text: &str, role: Role| {
            let room = usize::from(end.saturating_sub(x));
            let text = text::fit(&pen.glyphs.text(text), room, pen.glyphs.ellipsis);
            let style = pen.style(role).patch(base);
            pen.text(x, y, end, &text, style);
        };
        put(line.x + 2, line.x + 2 + widest, text, Role::Key);
        put(line.x + widest + 4, line.right() - 1, what, Role::Hint);
        pen.region(line, OverlayTarget::Item(i));
    }
}

fn draw_keys(pen: &mut Pen, inner: Rect, count: usize) {
    let y = inner.bottom() - 1;
    let keys: &[(&str, &str)] = if count == 0 {
        &[("Enter", "use"), ("a", "write one"), ("Esc", "leave")]
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
