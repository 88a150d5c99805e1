//! Draws the dock above the hints while the debugger is open: the scrubber, and the sentence of the current event.

use ratatui::layout::Rect;

use super::event_sign;
use crate::context::Context;
use crate::panes::debugger::Scrubber;
use crate::views::bar::key_of_command;
use screen::pen::Pen;
use screen::theme::Role;
use search::EventKind;
use session::State;
use session::debug::EventPosition;

pub fn draw(cx: &Context, pen: &mut Pen, area: Rect) {
    let ground = pen.style(Role::Bar);
    pen.clear(area, ground);
    draw_scrubber(cx, pen, Rect { height: 1, ..area });
    let below = Rect {
        y: area.y + 1,
        height: area.height - 1,
        ..area
    };
    draw_sentence(cx, pen, below);
}

/// Draws the current place in the search, from the earliest event that can be reached to the furthest seen.
fn draw_scrubber(cx: &Context, pen: &mut Pen, area: Rect) {
    let place = cx.explore.debug.place;
    let bar = pen.style(Role::Bar);
    let dim = bar.patch(pen.style(Role::Dim));
    let first = format!(" {} ", text::thousands(place.first));
    let last = format!(" {} ", text::thousands(place.last));
    let track = Rect {
        x: area.x + text::width(&first) as u16,
        width: area
            .width
            .saturating_sub((text::width(&first) + text::width(&last)) as u16),
        ..area
    };
    pen.text(area.x, area.y, area.right(), &first, dim);
    pen.text(track.right(), area.y, area.right(), &last, dim);
    if track.width < 4 {
        return;
    }
    pen.region(track, Scrubber);
    let at = cx.explore.debug.dragged.unwrap_or(place.now);
    let handle = column(&place, at, track);
    let g = pen.glyphs;
    let done = bar.patch(pen.style(Role::TreeMark));
    for x in track.left()..track.right() {
        let (sign, style) = if x < handle {
            (g.track_done, done)
        } else {
            (g.horizontal, dim)
        };
        pen.char(x, area.y, sign, style);
    }
    for tick in iterations(cx) {
        if let Some(x) = (place.first..=place.last)
            .contains(&tick)
            .then(|| column(&place, tick, track))
        {
            let style = if x < handle { done } else { dim };
            pen.char(x, area.y, g.tick, style);
        }
    }
    let hit = bar.patch(pen.style(Role::Breakpoint));
    for &event in cx
        .explore
        .debug
        .hits
        .range(place.first..=place.last.max(place.first))
    {
        pen.char(column(&place, event, track), area.y, g.hit, hit);
    }
    let style = bar.patch(pen.style(Role::Line));
    pen.char(handle, area.y, g.handle, style);
    // The target of a drag or the progress of a rewind, beside the handle if there is room.
    let label = match (cx.explore.debug.dragged, place.under_way) {
        (Some(event), _) => Some(format!(" to {} ", text::thousands(event))),
        (None, Some(share)) => {
            let done = (share.clamp(0.0, 1.0) * 100.0) as u32;
            Some(format!(" on its way: {done}% "))
        }
        (None, None) => None,
    };
    if let Some(label) = label {
        let label = g.text(&label);
        let width = text::width(&label) as u16;
        let x = if handle + 1 + width < track.right() {
            handle + 1
        } else {
            handle.saturating_sub(width)
        };
        pen.text(x, area.y, track.right(), &label, style);
    }
}

/// Returns the column of an event on the track.
fn column(place: &EventPosition, event: u64, track: Rect) -> u16 {
    let span = u128::from(place.last.saturating_sub(place.first)).max(1);
    let event = event.clamp(place.first, place.last.max(place.first));
    let columns = u128::from(track.width - 1);
    track.x + (u128::from(event - place.first) * columns / span) as u16
}

/// Returns the events in the log at which an iteration of a depth-first search began.
fn iterations(cx: &Context) -> Vec<u64> {
    let Some(source) = &cx.session else {
        return Vec::new();
    };
    let found = source.with_log(|log| {
        (log.first()..log.end())
            .filter(|&n| log.get(n).is_some_and(|e| e.kind() == EventKind::Iteration))
            .collect()
    });
    found.unwrap_or_default()
}

fn draw_sentence(cx: &Context, pen: &mut Pen, area: Rect) {
    let stop = pen.style(Role::Stop);
    pen.tint(area, stop);
    let (x, end) = (area.x + 1, area.right().saturating_sub(1));
    let Some(standing) = &cx.explore.debug.stop else {
        let words = pen.glyphs.text(&waiting(cx));
        let style = pen.style(Role::Bar).patch(pen.style(Role::Hint));
        let room = usize::from(end - x);
        for (i, line) in text::wrap(&words, room).iter().enumerate() {
            let y = area.y + i as u16;
            if y < area.bottom() {
                pen.text(x, y, end, line, style);
            }
        }
        return;
    };
    let Some(source) = &cx.session else {
        return;
    };
    let number = text::thousands(standing.number);
    let start = pen.text(x, area.y, end, &number, stop.patch(pen.style(Role::Line))) + 1;
    let (sign, role) = event_sign(&standing.event, pen.glyphs);
    let start = pen.text(start, area.y, end, &sign, stop.patch(pen.style(role))) + 1;
    let words = cx.lens.event(&source.reader(), &standing.event);
    let words = pen.glyphs.text(&text::sanitise(&words));
    let room = usize::from(end.saturating_sub(start));
    let lines = text::wrap(&words, room);
    let shown = usize::from(area.height).min(lines.len());
    for (i, line) in lines.iter().take(shown).enumerate() {
        let cut = i + 1 == shown && lines.len() > shown;
        let line = match cut {
            true => text::fit(
                &format!("{line} {}", lines[i + 1]),
                room,
                pen.glyphs.ellipsis,
            ),
            false => line.clone(),
        };
        pen.text(start, area.y + i as u16, end, &line, stop);
    }
}

/// Returns what the user can do while the search is not stopped at an event.
fn waiting(cx: &Context) -> String {
    let key = |id| key_of_command(cx, id);
    let place = cx.explore.debug.place;
    if place.under_way.is_some() {
        return format!("on its way: {} gives it up", key("cancel"));
    }
    if cx.search_is_stepping() {
        return format!("running: {} stops at the next event", key("cancel"));
    }
    match cx.status().map(|s| s.state) {
        Some(State::Running) => format!(
            "running freely: {} stops at the next event, {} at the next breakpoint",
            key("step"),
            key("run-to-break")
        ),
        Some(State::Paused) if place.now == 0 => {
            format!(
                "before the first event: {} steps into the search",
                key("step")
            )
        }
        Some(State::Paused) => format!(
            "waiting between two events: {} steps to the next one, {} resumes",
            key("step"),
            key("pause")
        ),
        Some(State::Finished(_)) => format!(
            "search finished – {} goes through it from its beginning, {} back from its end, {} restarts",
            key("step"),
            key("step-back"),
            key("restart")
        ),
        None => String::new(),
    }
}
