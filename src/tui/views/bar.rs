//! Draws the key bar at the bottom: what the keys do now, in the open overlay or in the focused pane.

use ratatui::layout::Rect;

use crate::app::App;
use crate::commands::{COMMANDS, CommandTarget, index_of};
use crate::context::Context;
use screen::pen::Pen;
use screen::theme::Role;

pub fn draw(app: &App, pen: &mut Pen, area: Rect) {
    let bar = pen.style(Role::Bar);
    pen.clear(area, bar);
    if let Some(overlay) = &app.cx.overlay {
        draw_keys(pen, area, &overlay.keys());
        return;
    }
    let pending = app.pending();
    let end = area
        .right()
        .saturating_sub(text::width(&pending) as u16 + 1);
    if !pending.is_empty() {
        pen.put(end, area.y, area.right(), &pending, Role::Key);
    }
    let x = draw_part(app, pen, area, end);
    draw_hints(app, pen, Rect { x, ..area }, end);
}

/// Names the part of the tab that a small screen shows, and the one that `Tab` goes to; returns the column after that.
fn draw_part(app: &App, pen: &mut Pen, area: Rect, end: u16) -> u16 {
    let parts = app.parts();
    if parts.len() < 2 {
        return area.x;
    }
    let at = app.tab().part(&app.cx);
    let next = parts[(at + 1) % parts.len()];
    let style = pen.style(Role::Bar).patch(pen.style(Role::Title));
    let x = pen.text(area.x + 1, area.y, end, parts[at], style) + 2;
    draw_hint(pen, x, area.y, end, "Tab", next) - 1
}

/// Draws the keys of an overlay, as many as fit.
fn draw_keys(pen: &mut Pen, area: Rect, keys: &[(&str, &str)]) {
    let mut x = area.x + 1;
    for (keys, name) in keys {
        let width = text::width(keys) + text::width(name) + 1;
        if usize::from(x) + width > usize::from(area.right()) {
            break;
        }
        x = draw_hint(pen, x, area.y, area.right(), keys, name);
    }
}

/// Draws a key and what it does; returns the column for the next one.
fn draw_hint(pen: &mut Pen, x: u16, y: u16, end: u16, keys: &str, name: &str) -> u16 {
    let bar = pen.style(Role::Bar);
    let key = bar.patch(pen.style(Role::Key));
    let hint = bar.patch(pen.style(Role::Hint));
    let x = pen.text(x, y, end, keys, key);
    pen.text(x, y, end, &format!(" {name}  "), hint)
}

fn draw_hints(app: &App, pen: &mut Pen, area: Rect, end: u16) {
    // The palette, the help and quitting are always there.
    let always = ["palette", "help", "quit"];
    let reserved: usize = always.iter().map(|id| hint_width(app, id)).sum();
    // On a small screen `Tab` goes to the next part, whatever it means elsewhere.
    let one_part = app.parts().len() < 2;
    let mut x = area.x + 1;
    // A key has one meaning: that of the first command that has it.
    let mut taken: Vec<&str> = Vec::new();
    for id in app.tab().hints(&app.cx) {
        let verb = index_of(id).map_or(id, |i| COMMANDS[i].verb);
        if taken.contains(&verb) {
            continue;
        }
        taken.push(verb);
        let means_another = !one_part && index_of(id).is_some_and(|i| key_of(&app.cx, i) == "Tab");
        let width = match means_another {
            true => 0,
            false => hint_width(app, id) as u16,
        };
        let reserve = if always.contains(&id) {
            0
        } else {
            reserved as u16
        };
        if x + width + reserve > end || width == 0 {
            continue;
        }
        let Some(i) = index_of(id) else { continue };
        let start = x;
        x = draw_hint(pen, x, area.y, end, &key_of(&app.cx, i), name_of(app, i));
        let spot = Rect {
            x: start,
            width: x - start,
            ..area
        };
        pen.region(spot, CommandTarget(i));
    }
}

fn key_of(cx: &Context, command: usize) -> String {
    cx.keymap
        .keys_of(command)
        .into_iter()
        .next()
        .unwrap_or_default()
}

/// Returns what the command does in the focused component.
pub(crate) fn name_of(app: &App, command: usize) -> &'static str {
    let c = &COMMANDS[command];
    let name = app.with_components(|component| component.name_of(&app.cx, c.id));
    name.unwrap_or(c.name)
}

/// Returns the first key of a command, for sentences that name it.
pub(crate) fn key_of_command(cx: &Context, id: &str) -> String {
    index_of(id).map(|i| key_of(cx, i)).unwrap_or_default()
}

fn hint_width(app: &App, id: &str) -> usize {
    index_of(id).map_or(0, |i| match key_of(&app.cx, i) {
        key if key.is_empty() => 0,
        key => text::width(&key) + text::width(name_of(app, i)) + 3,
    })
}
