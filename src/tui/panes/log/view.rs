//! Draws the event log: one line per event, the newest at the bottom.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::LogTarget;
use crate::context::Context;
use crate::panes::Pane;
use crate::panes::debugger::view::event_sign;
use crate::views::has_keyboard;
use report::lens::Lens;
use screen::pen::{Pen, inside};
use screen::theme::Role;
use search::Event;
use session::Reader;

/// Scrolls the selected event into view.
pub fn update(cx: &mut Context, area: Rect) {
    let view = &mut cx.explore.debug.log;
    view.height = usize::from(inside(area).height);
    view.list.keep_in_view(view.height, view.len());
}

pub fn draw(cx: &Context, pen: &mut Pen, area: Rect) {
    let focused = has_keyboard(cx, Pane::Log);
    pen.region(area, LogTarget::Frame);
    let title = title(cx);
    let inner = pen.frame(area, &title, focused);
    let height = usize::from(inner.height);
    let count = cx.explore.debug.log.len();
    if count == 0 {
        draw_empty(cx, pen, inner);
        return;
    }
    let top = cx.explore.debug.log.list.top;
    let numbers: Vec<u64> = (top..(top + height).min(count))
        .filter_map(|row| cx.explore.debug.log.number(row))
        .collect();
    for (i, _) in numbers.iter().enumerate() {
        let line = line_of(inner, i);
        pen.region(line, LogTarget::Event(top + i));
    }
    let Some(source) = &cx.session else {
        return;
    };
    let read = |log: &session::debug::Log| -> Vec<(u64, Event)> {
        let known = |&n: &u64| log.get(n).map(|e| (n, *e));
        numbers.iter().filter_map(known).collect()
    };
    let events = source.with_log(read).unwrap_or_default();
    let widest = numbers.last().copied().unwrap_or(0);
    let columns = Columns {
        number: text::thousands(widest).len() as u16,
        now: cx.explore.debug.stop.map(|s| s.number),
        reader: source.reader(),
        lens: cx.lens,
    };
    for (i, (number, event)) in events.iter().enumerate() {
        let selected = top + i == cx.explore.debug.log.list.selected;
        let base = match (selected, focused) {
            (true, true) => pen.style(Role::Selection),
            (true, false) => pen.style(Role::SelectionUnfocused),
            _ => Style::default(),
        };
        columns.draw(pen, line_of(inner, i), *number, event, base);
    }
    let note = text::thousands(count as u64);
    let unit = if count == 1 { "event" } else { "events" };
    pen.frame_note(
        area,
        area.bottom() - 1,
        &format!("{note} {unit}"),
        Role::Dim,
    );
}

fn line_of(inner: Rect, i: usize) -> Rect {
    Rect {
        y: inner.y + i as u16,
        height: 1,
        ..inner
    }
}

fn title(cx: &Context) -> String {
    let log = &cx.explore.debug.log;
    let of = log.only.as_ref().map(|row| format!(" of {}", row.name));
    let filter = log.filter.as_ref().map(|f| format!(": {}", f.text()));
    format!(
        "events{}{}",
        of.unwrap_or_default(),
        filter.unwrap_or_default()
    )
}

fn draw_empty(cx: &Context, pen: &mut Pen, inner: Rect) {
    let what = if cx.explore.debug.log.is_filtered() {
        "none of the events in the log is such a one"
    } else {
        "no events yet: they are kept while one steps"
    };
    let room = usize::from(inner.width.saturating_sub(2));
    for (i, line) in text::wrap(what, room).iter().enumerate() {
        let y = inner.y + i as u16;
        if y < inner.bottom() {
            pen.put(inner.x + 1, y, inner.right(), line, Role::Dim);
        }
    }
}

/// How the lines of one frame are drawn.
struct Columns<'a> {
    number: u16,
    /// The event that the search has stopped at.
    now: Option<u64>,
    reader: Reader<'a>,
    lens: Lens,
}

impl Columns<'_> {
    fn draw(&self, pen: &mut Pen, line: Rect, number: u64, event: &Event, base: Style) {
        pen.tint(line, base);
        let ground = Style { fg: None, ..base };
        let end = line.right().saturating_sub(1);
        if self.now == Some(number) {
            let style = pen.style(Role::Line).patch(ground);
            pen.char(line.x, line.y, pen.glyphs.running, style);
        }
        let x = line.x + 1;
        let style = pen.style(Role::Dim).patch(ground);
        pen.text_right(x, line.y, x + self.number, &text::thousands(number), style);
        let x = x + self.number + 1;
        let (sign, role) = event_sign(event, pen.glyphs);
        let style = pen.style(role).patch(ground);
        pen.text(x, line.y, end, &sign, style);
        let x = x + 3;
        let words = pen
            .glyphs
            .text(&text::sanitise(&self.lens.event_line(&self.reader, event)));
        let shown = text::fit(
            &words,
            usize::from(end.saturating_sub(x)),
            pen.glyphs.ellipsis,
        );
        let style = pen.style(Role::Text);
        let style = Style { bg: None, ..style }.patch(ground);
        pen.text(x, line.y, end, &shown, style);
    }
}
