//! Draws the event log: one line per event, the newest at the bottom.

use ratatui::layout::Rect;

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
    let height = usize::from(inside(area).height);
    view.list.fit(height, view.len());
}

pub fn draw(cx: &Context, pen: &mut Pen, area: Rect) {
    let focused = has_keyboard(cx, Pane::Log);
    pen.region(area, LogTarget::Frame);
    let title = title(cx);
    let inner = pen.frame(area, &title, focused);
    let height = usize::from(inner.height);
    let count = cx.explore.debug.log.len();
    if count == 0 {
        let what = match cx.explore.debug.log.is_filtered() {
            true => "none of the events in the log is such a one",
            false => "no events yet: they are kept while one steps",
        };
        pen.empty(inner, what);
        return;
    }
    let Some(source) = &cx.session else {
        return;
    };
    let log = &cx.explore.debug.log;
    let last = (log.list.top + height).min(count) - 1;
    let columns = Columns {
        number: text::thousands(log.number(last).unwrap_or(0)).len() as u16,
        now: cx.explore.debug.stop.as_ref().map(|s| s.number),
        reader: source.reader(),
        lens: cx.lens,
    };
    let rows = (count, focused);
    log.list
        .draw(pen, inner, rows, LogTarget::Event, |pen, line, row| {
            let number = log.number(row);
            let event = |number| source.with_log(|log| log.get(number).cloned()).flatten();
            if let Some((number, event)) = number.and_then(|n| Some((n, event(n)?))) {
                columns.draw(pen, line, number, &event);
            }
        });
    log.list.draw_bar(pen, inner, count);
    let note = text::thousands(count as u64);
    let unit = if count == 1 { "event" } else { "events" };
    pen.frame_note(
        area,
        area.bottom() - 1,
        &format!("{note} {unit}"),
        Role::Dim,
    );
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

/// How the lines of one frame are drawn.
struct Columns<'a> {
    number: u16,
    /// The event that the search has stopped at.
    now: Option<u64>,
    reader: Reader<'a>,
    lens: Lens,
}

impl Columns<'_> {
    fn draw(&self, pen: &mut Pen, line: Rect, number: u64, event: &Event) {
        let end = line.right().saturating_sub(1);
        if self.now == Some(number) {
            let style = pen.style(Role::Line);
            pen.char(line.x, line.y, pen.glyphs.running, style);
        }
        let x = line.x + 1;
        let digits = text::thousands(number);
        pen.put_right(x, line.y, x + self.number, &digits, Role::Dim);
        let x = x + self.number + 1;
        let (sign, role) = event_sign(event, pen.glyphs);
        pen.put(x, line.y, end, &sign, role);
        let x = x + 3;
        let words = text::sanitise(&self.lens.event_line(&self.reader, event));
        let room = usize::from(end.saturating_sub(x));
        let words = text::fit(&pen.glyphs.text(&words), room, pen.glyphs.ellipsis);
        pen.put(x, line.y, end, &words, Role::Text);
    }
}
