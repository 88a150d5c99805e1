//! Draws the moves of the game with variations and comments, or the FEN of a position.

use ratatui::layout::Rect;

use super::strip::{draw_fen, wrapped};
use super::{beside, has_keyboard, is_hiding, wanted};
use crate::context::Context;
use crate::tabs::game::moves::Ink;
use crate::tabs::game::{GamePane, GameTab, GameTarget};
use games::GameTree;
use screen::glyphs::Glyphs;
use screen::pen::{Pen, inside};
use screen::theme::Role;

/// Lays out the moves for the pane's width, and scrolls the current one into view.
pub fn update(game: &mut GameTab, cx: &mut Context, area: Rect) {
    let (_, rest) = parts(cx, cx.looks.glyphs, inside(area));
    if cx.current.plies() == 0 || rest.height == 0 || rest.width < 8 {
        return;
    }
    let wanted = wanted(game, rest.width);
    let (review, judge) = (game.review.as_ref(), game.judge);
    let view = &mut game.moves;
    if let Some(game) = cx.current.game() {
        view.update(game, wanted, cx.looks.glyphs, |node| {
            beside(review, judge, node)
        });
    }
    view.keep_in_view(cx.node, usize::from(rest.height));
}

/// Returns the lines above the moves, and the area of the moves.
fn parts(cx: &Context, glyphs: &Glyphs, inner: Rect) -> (Vec<(String, Role)>, Rect) {
    let (x, end) = (inner.x + 1, inner.right().saturating_sub(1));
    let room = end.saturating_sub(x);
    let mut lines = head(cx, glyphs, usize::from(room), inner.height);
    lines.truncate(usize::from(inner.height));
    let rest = Rect {
        x,
        y: inner.y + lines.len() as u16,
        width: room,
        height: inner.height - lines.len() as u16,
    };
    (lines, rest)
}

pub fn draw(game: &GameTab, cx: &Context, pen: &mut Pen, area: Rect) {
    pen.region(area, GameTarget::Pane(GamePane::Moves));
    let game_title = cx
        .current
        .game()
        .and_then(|game| players(game, pen.glyphs.ascii));
    let title = game_title.unwrap_or_else(|| cx.current.title.clone());
    let focused = has_keyboard(game, cx, GamePane::Moves);
    let inner = pen.frame(area, &text::sanitise(&title), focused);
    let (lines, rest) = parts(cx, pen.glyphs, inner);
    for ((line, role), y) in lines.iter().zip(inner.y..) {
        pen.put(rest.x, y, rest.right(), line, *role);
    }
    if cx.current.plies() == 0 {
        let fen = Rect {
            x: inner.x,
            width: inner.width,
            ..rest
        };
        draw_fen(cx, pen, fen);
        return;
    }
    if rest.height > 0 && rest.width >= 8 {
        draw_rows(game, cx, pen, rest, area);
    }
}

/// Returns the players and the result: `White (2500) – Black (2400)  1–0`; `None` if no player is known.
fn players(game: &GameTree, ascii: bool) -> Option<String> {
    let side = |name: &str, elo: &str| {
        let name = known(game, name).unwrap_or("?");
        match known(game, elo) {
            Some(elo) => format!("{name} ({elo})"),
            None => name.to_owned(),
        }
    };
    if known(game, "White").is_none() && known(game, "Black").is_none() {
        return None;
    }
    let white = side("White", "WhiteElo");
    let black = side("Black", "BlackElo");
    let result = game.outcome.as_deref().unwrap_or("*");
    let result = if ascii {
        result.to_owned()
    } else {
        result.replace("1/2", "½").replace('-', "–")
    };
    Some(format!("{white} – {black}  {result}"))
}

/// Returns a header, unless it is empty or unknown.
fn known<'a>(game: &'a GameTree, name: &str) -> Option<&'a str> {
    let says = |v: &&str| !v.is_empty() && !v.starts_with('?') && *v != "-";
    game.header(name).filter(says)
}

/// Returns event, date and opening; the detour, if any; the note of a position.
fn head(cx: &Context, glyphs: &Glyphs, room: usize, height: u16) -> Vec<(String, Role)> {
    let mut lines = Vec::new();
    if let Some((_, line)) = &cx.detour {
        let detour = format!("searched: after {line}");
        lines.extend(wrapped(glyphs, &detour, room, Role::Warning));
    }
    let Some(game) = cx.current.game() else {
        let note = text::sanitise(cx.current.hint.as_deref().unwrap_or_default());
        lines.extend(wrapped(glyphs, &note, room, Role::Text));
        return lines;
    };
    if height < 6 {
        return lines;
    }
    let join = |names: &[&str]| {
        let parts: Vec<&str> = names.iter().filter_map(|n| known(game, n)).collect();
        text::sanitise(&parts.join(", "))
    };
    let round = known(game, "Round").map(|r| format!(", round {}", text::sanitise(r)));
    let event = join(&["Event", "Site"]) + &round.unwrap_or_default();
    let date = join(&["UTCDate"]);
    let date = if date.is_empty() {
        join(&["Date"])
    } else {
        date
    };
    let mut opening = join(&["ECO", "Opening", "Variation"]);
    if known(game, "Opening").is_none()
        && let Some(found) = game.opening()
    {
        opening = found.to_string();
    }
    let both = [date, event].into_iter().filter(|t| !t.is_empty());
    let both: Vec<String> = both.collect();
    for line in [opening, both.join("  ")] {
        if !line.is_empty() {
            let line = text::fit(&glyphs.text(&line), room, glyphs.ellipsis);
            lines.push((line, Role::Dim));
        }
    }
    lines
}

/// Returns how a piece of the text is drawn.
fn role(ink: Ink) -> Role {
    match ink {
        Ink::Main => Role::Title,
        Ink::Variation => Role::Move,
        Ink::Bracket | Ink::Comment | Ink::Clock => Role::Dim,
        Ink::Sign => Role::Policy,
        Ink::Doubtful => Role::Warning,
        Ink::Bad => Role::Error,
        Ink::Outcome => Role::Proven,
    }
}

fn draw_rows(game: &GameTab, cx: &Context, pen: &mut Pen, area: Rect, frame: Rect) {
    let top = game.moves.top;
    let selection = pen.style(Role::Selection);
    let rows = game.moves.rows.iter().skip(top);
    let hiding = is_hiding(game);
    for (row, y) in rows.zip(area.top()..area.bottom()) {
        for span in &row.spans {
            // Nodes are numbered in the order of the text.
            if hiding && span.node.is_some_and(|node| node > cx.node) {
                let mark = pen.glyphs.ellipsis.to_string();
                pen.put(area.x + span.column, y, area.right(), &mark, Role::Dim);
                return;
            }
            let x = area.x + span.column;
            let mut style = pen.style(role(span.ink));
            let is_move = matches!(span.ink, Ink::Main | Ink::Variation);
            if is_move && span.node == Some(cx.node) && cx.detour.is_none() {
                style = style.patch(selection);
            }
            let after = pen.text(x, y, area.right(), &span.text, style);
            if let Some(node) = span.node {
                let spot = Rect {
                    x,
                    y,
                    width: after.saturating_sub(x),
                    height: 1,
                };
                pen.region(spot, GameTarget::Move(node));
            }
        }
    }
    let count = game.moves.rows.len();
    if count > usize::from(area.height) {
        let last = (top + usize::from(area.height)).min(count);
        pen.frame_note(
            frame,
            frame.bottom() - 1,
            &format!("{last} of {count} lines"),
            Role::Dim,
        );
    }
}
