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

/// Draws a message where the line is free: on the edges of the panes' frames, beside what is written on them. A message
/// that is longer takes the whole line, and more lines above it.
fn draw_message(message: &Message, pen: &mut Pen, line: Rect) {
    const MOST: usize = 4;
    let (role, word) = match message.level {
        Level::Info => (Role::Info, ""),
        Level::Warning => (Role::Warning, "warning: "),
        Level::Error => (Role::Error, "error: "),
    };
    let text = pen.glyphs.text(&format!("{word}{}", message.text));
    let place = place_for(pen, line, text::width(&text));
    let room = usize::from(place.width.saturating_sub(2)).max(1);
    let mut lines = text::wrap(&text, room);
    if lines.len() > MOST {
        let rest = lines.split_off(MOST - 1).join(" ");
        lines.push(text::fit(&rest, room, pen.glyphs.ellipsis));
    }
    let bar = pen.style(Role::Bar);
    let style = bar.patch(pen.style(role));
    let above = (lines.len() as u16 - 1).min(place.y);
    for (line, y) in lines.iter().zip(place.y - above..=place.y) {
        let whole = Rect {
            y,
            height: 1,
            ..place
        };
        pen.clear(whole, bar);
        pen.text(place.x + 1, y, place.right(), line, style);
    }
}

/// Returns the place in a line for a text of some width: the first free stretch that holds it, the longest one if two
/// lines there hold it, or the beginning of the line.
fn place_for(pen: &Pen, line: Rect, width: usize) -> Rect {
    let stretches = free_stretches(pen, line);
    let holds = |r: &Rect, lines: usize| usize::from(r.width) * lines >= width + 2 * lines;
    if let Some(first) = stretches.iter().find(|r| holds(r, 1)) {
        return Rect {
            width: width as u16 + 2,
            ..*first
        };
    }
    // Words do not fill the first line to its end.
    const RAGGED: u16 = 8;
    let longest = stretches.into_iter().max_by_key(|r| r.width);
    let ragged = longest.filter(|r| {
        let less = Rect {
            width: r.width.saturating_sub(RAGGED),
            ..*r
        };
        holds(&less, 2)
    });
    ragged.unwrap_or(Rect {
        width: line.width.min(width as u16 + 2),
        ..line
    })
}

/// Returns the stretches of a line where nothing is written, only edges of frames.
fn free_stretches(pen: &Pen, line: Rect) -> Vec<Rect> {
    let set = pen.glyphs.frame;
    let edges = [
        " ",
        set.horizontal_bottom,
        set.bottom_left,
        set.bottom_right,
    ];
    let mut stretches: Vec<Rect> = Vec::new();
    for x in line.left()..line.right() {
        let free = pen
            .buf
            .cell((x, line.y))
            .is_some_and(|cell| edges.contains(&cell.symbol()));
        match stretches.last_mut() {
            Some(last) if free && last.right() == x => last.width += 1,
            _ if free => stretches.push(Rect {
                x,
                width: 1,
                ..line
            }),
            _ => {}
        }
    }
    stretches
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
