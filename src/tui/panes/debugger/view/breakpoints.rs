//! Draws the list of breakpoints.

use ratatui::layout::Rect;

use crate::context::Context;
use crate::overlays::OverlayTarget;
use crate::views::{popup, popup_area};
use screen::list::List;
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
pub fn update(cx: &Context, area: Rect, list: &mut List) {
    let count = cx.explore.debug.breakpoints.len();
    if count > 0 {
        let body = rows(inside(place(area, count)));
        list.fit(usize::from(body.height), count);
    } else {
        let offers = cx.explore.debug.offers().len();
        let body = rows(inside(place(area, offers + HEADING)));
        list.fit(usize::from(body.height).saturating_sub(HEADING), offers);
    }
}

/// The lines above the offers.
const HEADING: usize = 1;

pub fn draw(cx: &Context, pen: &mut Pen, area: Rect, list: &List) {
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

fn draw_list(cx: &Context, pen: &mut Pen, body: Rect, list: &List) {
    let breakpoints = &cx.explore.debug.breakpoints;
    let rows = (breakpoints.len(), true);
    list.draw(pen, body, rows, OverlayTarget::Item, |pen, line, i| {
        let (breakpoint, g) = (&breakpoints[i], pen.glyphs);
        let (mark, word, role) = if breakpoint.refused().is_some() {
            (g.breakpoint_off, "not here", Role::Warning)
        } else if breakpoint.on {
            (g.breakpoint_on, "on", Role::Breakpoint)
        } else {
            (g.breakpoint_off, "off", Role::Dim)
        };
        let number = format!("{:>3} ", i + 1);
        let x = pen.put(line.x, line.y, line.right(), &number, Role::Dim);
        let state = format!("{mark} {word:<3}  ");
        let x = pen.put(x, line.y, line.right(), &state, role);
        let mut words = breakpoint.text.clone();
        if let Some(refused) = breakpoint.refused() {
            words += &format!(" (found {})", refused.found);
        }
        let words = g.text(&text::sanitise(&words));
        let room = usize::from(line.right().saturating_sub(x + 1));
        let words = text::fit(&words, room, g.ellipsis);
        let role = match breakpoint.active() {
            Some(_) => Role::Popup,
            None => Role::Dim,
        };
        pen.put(x, line.y, line.right(), &words, role);
    });
    list.draw_bar(pen, body, rows.0);
}

/// Draws breakpoints to choose from, where none is set yet; below them the whole meaning of the selected one.
fn draw_offers(pen: &mut Pen, body: Rect, offers: &[(String, String)], list: &List) {
    if let Some((_, what)) = offers.get(list.selected) {
        let room = usize::from(body.width.saturating_sub(3));
        let what = text::fit(&pen.glyphs.text(what), room, pen.glyphs.ellipsis);
        pen.put(body.x + 2, body.bottom(), body.right(), &what, Role::Text);
    }
    let heading = "None yet. Those used before and examples (Enter uses one):";
    pen.put(body.x + 1, body.y, body.right(), heading, Role::Hint);
    let widest = offers.iter().map(|(text, _)| text::width(text)).max();
    let widest = (widest.unwrap_or(0) as u16).min(body.width * 3 / 5);
    let rows = Rect {
        y: body.y + HEADING as u16,
        height: body.height.saturating_sub(HEADING as u16),
        ..body
    };
    let count = (offers.len(), true);
    list.draw(pen, rows, count, OverlayTarget::Item, |pen, line, i| {
        let mut put = |x: u16, end: u16, text: &str, role: Role| {
            let room = usize::from(end.saturating_sub(x));
            let text = text::fit(&pen.glyphs.text(text), room, pen.glyphs.ellipsis);
            pen.put(x, line.y, end, &text, role);
        };
        let (text, what) = &offers[i];
        put(line.x + 2, line.x + 2 + widest, text, Role::Key);
        put(line.x + widest + 4, line.right() - 1, what, Role::Hint);
    });
    list.draw_bar(pen, rows, offers.len());
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
