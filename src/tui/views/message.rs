//! Draws the line above the key bar: the newest message, or a prompt.

use ratatui::layout::Rect;

use crate::tui::app::{App, Level, Message};
use crate::tui::overlays::prompt::Prompt;
use crate::tui::pen::Pen;
use crate::tui::text;
use crate::tui::theme::Role;

/// Draws the newest message in `line` until the next key. While a prompt has that line, the message is above it.
pub fn draw(app: &App, pen: &mut Pen, line: Rect, prompted: bool) {
    if let Some(message) = app.messages.all.last().filter(|_| app.messages.fresh) {
        let y = line.y.saturating_sub(u16::from(prompted));
        draw_message(message, pen, Rect { y, ..line });
    }
}

/// Draws a message, which takes more lines above if it is longer than one.
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
        let whole = Rect {
            y,
            height: 1,
            ..area
        };
        pen.clear(whole, bar);
        pen.text(area.x + 1, y, area.right(), line, style);
    }
}

/// Draws a prompt in `line`.
pub fn draw_prompt(pen: &mut Pen, line: Rect, prompt: &Prompt) {
    let y = line.y;
    let bar = pen.style(Role::Bar);
    pen.clear(line, bar);
    let key = bar.patch(pen.style(Role::Key));
    let note = pen.glyphs.text(&prompt.note);
    let end = line
        .right()
        .saturating_sub(text::width(&note).min(60) as u16 + 2);
    let label = format!("{}: ", prompt.label);
    let typed = text::width(prompt.text()) + 2;
    let mut x = line.x + 1;
    // If there is no room for both, the error takes precedence over the label.
    if usize::from(x) + text::width(&label) + typed <= usize::from(end) || note.is_empty() {
        x = pen.text(x, y, line.right(), &label, key);
    }
    draw_input(pen, x, y, end, prompt);
    if !note.is_empty() {
        let style = bar.patch(pen.style(Role::Error));
        pen.text(end + 1, y, line.right(), &note, style);
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
