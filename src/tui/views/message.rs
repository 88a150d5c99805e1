//! Draws the bottom line: the newest message, a prompt, or hints.

use ratatui::layout::Rect;

use crate::tui::app::{App, Level, Message, Target};
use crate::tui::commands::{COMMANDS, index_of};
use crate::tui::overlays::prompt::Prompt;
use crate::tui::pen::Pen;
use crate::tui::tabs::components;
use crate::tui::text;
use crate::tui::theme::Role;

pub fn draw(app: &App, pen: &mut Pen, area: Rect) {
    let bar = pen.style(Role::Bar);
    pen.clear(area, bar);
    let pending = app.pending();
    let end = area
        .right()
        .saturating_sub(text::width(&pending) as u16 + 1);
    if !pending.is_empty() {
        pen.put(end, area.y, area.right(), &pending, Role::Key);
    }
    if app.messages.fresh
        && let Some(message) = app.messages.all.last()
    {
        draw_message(
            message,
            pen,
            Rect {
                width: end - area.x,
                ..area
            },
        );
        return;
    }
    draw_hints(app, pen, area, end);
}

/// Draws a message, which covers more lines above if it is longer than one.
fn draw_message(message: &Message, pen: &mut Pen, area: Rect) {
    const MOST: usize = 4;
    let (role, word) = match message.level {
        Level::Info => (Role::Info, ""),
        Level::Warning => (Role::Warning, "warning: "),
        Level::Error => (Role::Error, "error: "),
    };
    let room = usize::from(area.width.saturating_sub(1)).max(1);
    let text = pen.glyphs.text(&format!("{word}{}", message.text));
    let mut lines = text::wrap(&text, room);
    if lines.len() > MOST {
        let rest = lines.split_off(MOST - 1).join(" ");
        lines.push(text::fit(&rest, room, pen.glyphs.ellipsis));
    }
    let bar = pen.style(Role::Bar);
    let style = bar.patch(pen.style(role));
    let above = (lines.len() as u16 - 1).min(area.y);
    for (line, y) in lines.iter().zip(area.y - above..=area.y) {
        if y < area.y {
            let whole = Rect {
                x: area.x,
                y,
                width: pen.buf.area.width,
                height: 1,
            };
            pen.clear(whole, bar);
        }
        pen.text(area.x + 1, y, area.right(), line, style);
    }
}

fn draw_hints(app: &App, pen: &mut Pen, area: Rect, end: u16) {
    let bar = pen.style(Role::Bar);
    // The palette, the help and quitting are always there.
    let always = ["palette", "help", "quit"];
    let reserved: usize = always.iter().map(|id| hint_width(app, id)).sum();
    let mut x = area.x + 1;
    for id in app.tab.screen().hints(app) {
        let width = hint_width(app, id) as u16;
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
        let key = bar.patch(pen.style(Role::Key));
        let hint = bar.patch(pen.style(Role::Hint));
        let (keys, name) = (key_of(app, i), name_of(app, i));
        x = pen.text(x, area.y, end, &keys, key);
        x = pen.text(x, area.y, end, &format!(" {name}  "), hint);
        let spot = Rect {
            x: start,
            width: x - start,
            ..area
        };
        pen.region(spot, Target::Command(i));
    }
}

fn key_of(app: &App, command: usize) -> String {
    app.keyboard
        .keymap
        .keys_of(command)
        .into_iter()
        .next()
        .unwrap_or_default()
}

/// Returns what the command does in the focused component.
fn name_of(app: &App, command: usize) -> &'static str {
    let c = &COMMANDS[command];
    let mut names = components().filter_map(|component| component.name_of(app, c.id));
    names.next().unwrap_or(c.name)
}

/// Returns the first key of a command, for sentences that name it.
pub(in crate::tui) fn key_of_command(app: &App, id: &str) -> String {
    index_of(id).map(|i| key_of(app, i)).unwrap_or_default()
}

fn hint_width(app: &App, id: &str) -> usize {
    index_of(id).map_or(0, |i| match key_of(app, i) {
        key if key.is_empty() => 0,
        key => text::width(&key) + text::width(name_of(app, i)) + 3,
    })
}

/// Draws a prompt in the bottom line.
pub fn draw_prompt(pen: &mut Pen, area: Rect, prompt: &Prompt) {
    let y = area.bottom() - 1;
    let line = Rect {
        y,
        height: 1,
        ..area
    };
    let bar = pen.style(Role::Bar);
    pen.clear(line, bar);
    let key = bar.patch(pen.style(Role::Key));
    let note = pen.glyphs.text(&prompt.note);
    let end = area
        .right()
        .saturating_sub(text::width(&note).min(60) as u16 + 2);
    let label = format!("{}: ", prompt.label);
    let typed = text::width(prompt.text()) + 2;
    let mut x = area.x + 1;
    // If there is no room for both, the error takes precedence over the label.
    if usize::from(x) + text::width(&label) + typed <= usize::from(end) || note.is_empty() {
        x = pen.text(x, y, area.right(), &label, key);
    }
    draw_input(pen, x, y, end, prompt);
    if !note.is_empty() {
        let style = bar.patch(pen.style(Role::Error));
        pen.text(end + 1, y, area.right(), &note, style);
    }
}

/// Draws the text being edited, with its cursor.
pub fn draw_input(pen: &mut Pen, x: u16, y: u16, end: u16, prompt: &Prompt) {
    let style = pen.style(Role::Input);
    if prompt.text().is_empty() {
        pen.char(x, y, pen.glyphs.cursor, style);
        let placeholder = pen.glyphs.text(prompt.placeholder);
        pen.put(x + 2, y, end, &placeholder, Role::Dim);
        return;
    }
    let room = usize::from(end.saturating_sub(x + 1)).max(1);
    // The part around the cursor.
    let before: String = prompt.text().chars().take(prompt.cursor).collect();
    let after: String = prompt.text().chars().skip(prompt.cursor).collect();
    let before = text::fit_end(&pen.glyphs.text(&before), room, pen.glyphs.ellipsis);
    let at = pen.text(x, y, end, &before, style);
    let at = pen.text(at, y, end, &pen.glyphs.cursor.to_string(), style);
    pen.text(at, y, end, &pen.glyphs.text(&after), style);
}
