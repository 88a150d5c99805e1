//! Draws the current line of the game as a strip beside the board.

use ratatui::layout::Rect;

use crate::context::Context;
use crate::panes::board::BoardTarget;
use screen::glyphs::Glyphs;
use screen::pen::Pen;
use screen::theme::Role;

/// Draws the moves of the game, and marks the one that led to the searched position.
pub fn draw_strip(cx: &Context, pen: &mut Pen, area: Rect) {
    pen.region(area, BoardTarget::Frame);
    let entry = &cx.current;
    let title = if cx.document.len() > 1 {
        format!("{}/{} {}", cx.entry + 1, cx.document.len(), entry.title)
    } else {
        entry.title.clone()
    };
    let inner = pen.frame(area, &text::sanitise(&title), false);
    let mut y = inner.y;
    let (x, end) = (inner.x + 1, inner.right().saturating_sub(1));
    let lines = head(cx, pen.glyphs, usize::from(end.saturating_sub(x)));
    for (line, role) in lines {
        if y >= inner.bottom() {
            return;
        }
        pen.put(x, y, end, &line, role);
        y += 1;
    }
    if entry.plies() == 0 {
        draw_fen(
            cx,
            pen,
            Rect {
                y,
                height: inner.bottom() - y,
                ..inner
            },
        );
        return;
    }
    let moves = Rect {
        x,
        y,
        width: end - x,
        height: inner.bottom() - y,
    };
    draw_moves(cx, pen, moves);
}

/// Returns how the position was reached if it is not in the game, and the note of the file's entry.
fn head(cx: &Context, glyphs: &Glyphs, room: usize) -> Vec<(String, Role)> {
    let mut lines = Vec::new();
    if let Some((_, line)) = &cx.detour {
        let detour = format!("searched: after {line}");
        lines.extend(wrapped(glyphs, &detour, room, Role::Warning));
    }
    if let Some(hint) = &cx.current.hint {
        let note = text::sanitise(hint);
        lines.extend(wrapped(glyphs, &note, room, Role::Text));
    }
    lines
}

/// Returns the rows that the strip needs at a width, with its frame.
pub fn strip_height(cx: &Context, width: u16) -> u16 {
    let room = width.saturating_sub(4);
    let head = head(cx, cx.looks.glyphs, usize::from(room)).len();
    let rest = if cx.current.plies() == 0 {
        let fen = cx.subject.position.fen();
        fen.map_or(0, |fen| text::wrap(&fen, usize::from(room)).len())
    } else {
        let names = cx.current.names_of(&cx.current.line_through(cx.node));
        let last = places(&names, room).pop();
        last.map_or(0, |(line, ..)| usize::from(line) + 1)
    };
    u16::try_from(head + rest + 2).unwrap_or(u16::MAX)
}

pub(super) fn wrapped(glyphs: &Glyphs, text: &str, room: usize, role: Role) -> Vec<(String, Role)> {
    let text = glyphs.text(text);
    text::wrap(&text, room)
        .into_iter()
        .map(|l| (l, role))
        .collect()
}

pub(super) fn draw_fen(cx: &Context, pen: &mut Pen, area: Rect) {
    let Some(fen) = cx.subject.position.fen() else {
        return;
    };
    let room = usize::from(area.width.saturating_sub(2));
    for (i, line) in text::wrap(&fen, room).iter().enumerate() {
        let y = area.y + i as u16;
        if y < area.bottom() {
            pen.put(area.x + 1, y, area.right(), line, Role::Dim);
        }
    }
}

/// Returns the place of each move in running text: line and column.
fn places(moves: &[String], width: u16) -> Vec<(u16, u16, String)> {
    let (mut line, mut column) = (0u16, 0u16);
    let mut places = Vec::with_capacity(moves.len());
    for name in moves {
        let word = text::sanitise(name);
        let wide = text::width(&word) as u16;
        if column > 0 && column + wide > width {
            line = line.saturating_add(1);
            column = 0;
        }
        places.push((line, column, word));
        column += wide + 1;
    }
    places
}

fn draw_moves(cx: &Context, pen: &mut Pen, area: Rect) {
    if area.width < 6 || area.height == 0 {
        return;
    }
    let names = cx.current.names_of(&cx.current.line_through(cx.node));
    let places = places(&names, area.width);
    // The current move's line is in the middle.
    let current = cx
        .ply
        .checked_sub(1)
        .map_or(0, |i| places[i.min(places.len() - 1)].0);
    let last = places.last().map_or(0, |p| p.0);
    let top = current
        .saturating_sub(area.height / 2)
        .min((last + 1).saturating_sub(area.height));
    for (i, (line, column, word)) in places.iter().enumerate() {
        if *line < top || *line >= top + area.height {
            continue;
        }
        let (x, y) = (area.x + column, area.y + line - top);
        let here = i + 1 == cx.ply && cx.detour.is_none();
        let role = if here {
            Role::Selection
        } else if i < cx.ply {
            Role::Text
        } else {
            Role::Dim
        };
        let after = pen.put(x, y, area.right(), &pen.glyphs.text(word), role);
        let spot = Rect {
            x,
            y,
            width: after.saturating_sub(x),
            height: 1,
        };
        pen.region(spot, BoardTarget::Ply(i + 1));
    }
}
