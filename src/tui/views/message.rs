//! Draws the line above the key bar, which belongs to the newest message or to a prompt. Nothing else is drawn there.

use ratatui::layout::Rect;

use crate::context::{Context, Level, Message};
use crate::overlays::prompt::Prompt;
use screen::glyphs::Glyphs;
use screen::pen::Pen;
use screen::theme::Role;

/// A long message takes this share of the lines of the screen from the panes.
const SHARE: u16 = 6;

/// Returns the lines at the bottom of `area` that messages and prompts have to themselves: one, or more while a long
/// message is shown.
pub fn lines(cx: &Context, area: Rect) -> Rect {
    let most = usize::from((area.height / SHARE).max(1));
    let message = wrapped(cx, area.width, most).map_or(0, |(lines, _)| lines.len() as u16);
    let prompt = u16::from(prompt(cx).is_some());
    let height = (message + prompt).max(1);
    Rect {
        y: area.bottom() - height,
        height,
        ..area
    }
}

/// Draws the newest message until the next key, and below it the prompt, if there is one.
pub fn draw(cx: &Context, pen: &mut Pen, area: Rect) {
    let mut y = area.y;
    let prompt = prompt(cx);
    let most = usize::from(area.height.saturating_sub(u16::from(prompt.is_some())));
    if let Some((lines, role)) = wrapped(cx, area.width, most) {
        let style = pen.style(role);
        for line in lines {
            pen.text(area.x + 1, y, area.right(), &line, style);
            y += 1;
        }
    }
    if let Some(prompt) = prompt {
        let line = Rect {
            y,
            height: 1,
            ..area
        };
        // What is above it has been said.
        let beside = !is_above(prompt, cx.looks.glyphs, area.width) || cx.messages.fresh;
        draw_prompt(pen, line, prompt, if beside { &prompt.note } else { "" });
    }
}

/// Whether the note about what is typed needs lines of its own, because it does not fit beside the text.
fn is_above(prompt: &Prompt, glyphs: &Glyphs, width: u16) -> bool {
    let parts = [prompt.label, prompt.text(), &prompt.note];
    let width_of = |part: &str| text::width(&glyphs.text(part));
    parts.map(width_of).iter().sum::<usize>() + 6 > usize::from(width)
}

fn prompt(cx: &Context) -> Option<&Prompt> {
    cx.overlay.as_ref()?.prompt()
}

/// Returns the newest message in at most `most` lines, if it is still shown, or else a note that has no room beside the prompt.
/// What does not fit of a message is in the list of messages.
fn wrapped(cx: &Context, width: u16, most: usize) -> Option<(Vec<String>, Role)> {
    let glyphs = cx.looks.glyphs;
    let message = cx.messages.all.last().filter(|_| cx.messages.fresh);
    let note = || {
        let prompt = prompt(cx).filter(|prompt| !prompt.note.is_empty());
        let prompt = prompt.filter(|prompt| is_above(prompt, glyphs, width))?;
        Some((glyphs.text(&prompt.note), Role::Error))
    };
    let room = usize::from(width.saturating_sub(2)).max(1);
    let (text, role) = message
        .map(|message| words(message, glyphs))
        .or_else(note)?;
    let mut lines = text::wrap(&text, room);
    if lines.len() > most {
        let rest = lines.split_off(most.saturating_sub(1)).join(" ");
        lines.push(text::fit(&rest, room, glyphs.ellipsis));
    }
    Some((lines, role))
}

fn words(message: &Message, glyphs: &Glyphs) -> (String, Role) {
    let (role, word) = match message.level {
        Level::Info => (Role::Info, ""),
        Level::Warning => (Role::Warning, "warning: "),
        Level::Error => (Role::Error, "error: "),
    };
    (glyphs.text(&format!("{word}{}", message.text)), role)
}

/// Draws a prompt in `line`, with a note beside it.
fn draw_prompt(pen: &mut Pen, line: Rect, prompt: &Prompt, note: &str) {
    let y = line.y;
    let bar = pen.style(Role::Bar);
    pen.clear(line, bar);
    let key = bar.patch(pen.style(Role::Key));
    let note = pen.glyphs.text(note);
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
