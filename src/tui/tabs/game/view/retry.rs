//! Draws a marked move that is being retried: the legal moves to choose from, and what the search says of the guesses.

use ratatui::layout::Rect;

use super::has_keyboard;
use crate::context::{Context, line_from};
use crate::tabs::compare::letter;
use crate::tabs::game::retry::Retry;
use crate::tabs::game::{GamePane, GameTab, GameTarget};
use crate::views::bar::key_of_command;
use report::review as sentences;
use screen::glyphs::Glyphs;
use screen::pen::{Line, Pen, indented, inside};
use screen::theme::Role;
use session::Subject;

/// The rows that the list keeps on a small screen.
const LEAST: u16 = 3;

/// Scrolls the selected move into view.
pub fn update(game: &mut GameTab, cx: &mut Context, area: Rect) {
    let Some(retry) = &game.retry else {
        return;
    };
    let (_, list) = parts(game, cx, cx.looks.glyphs, retry, inside(area));
    let (height, count) = (usize::from(list.height), retry.moves.len());
    if let Some(retry) = game.retry.as_mut().filter(|_| height > 0) {
        retry.list.fit(height, count);
    }
}

/// Returns the lines above the list, and the area of the list; once the retry is over, there is none.
fn parts(
    game: &GameTab,
    cx: &Context,
    glyphs: &Glyphs,
    retry: &Retry,
    inner: Rect,
) -> (Vec<Line>, Rect) {
    let room = usize::from(inner.width.saturating_sub(2));
    let least = if retry.is_over() { 0 } else { LEAST };
    let most = usize::from(inner.height.saturating_sub(least));
    let mut lines = head(game, cx, glyphs, retry, room);
    if lines.len() > most {
        // The latest verdict matters most.
        lines.drain(1..(1 + lines.len() - most).min(lines.len()));
        lines.truncate(most);
    }
    let above = lines.len() as u16;
    let list = Rect {
        y: inner.y + above,
        height: match retry.is_over() {
            true => 0,
            false => inner.height - above,
        },
        ..inner
    };
    (lines, list)
}

/// Draws the pane.
pub fn draw(game: &GameTab, cx: &Context, pen: &mut Pen, area: Rect, retry: &Retry) {
    pen.region(area, GameTarget::Pane(GamePane::Findings));
    let focused = has_keyboard(game, cx, GamePane::Findings);
    let inner = pen.frame(area, "retry", focused);
    if let Some(score) = game.retry_score() {
        pen.frame_note(area, area.bottom() - 1, &score, Role::Dim);
    }
    let (lines, list) = parts(game, cx, pen.glyphs, retry, inner);
    pen.lines(indented(inner), &lines);
    let guessed = |code| retry.guesses.iter().any(|g| g.guess.code == code);
    let rows = (retry.moves.len(), focused);
    retry
        .list
        .draw(pen, list, rows, GameTarget::Finding, |pen, row, at| {
            let name = &retry.moves[at];
            let role = match guessed(name.code) {
                true => Role::Dim,
                false => Role::Move,
            };
            let san = pen.glyphs.text(&name.san);
            pen.put(row.x + 2, row.y, row.right(), &san, role);
        });
    retry.list.draw_bar(pen, list, rows.0);
}

/// Returns the task, the verdicts, and the solution once it may be told.
fn head(game: &GameTab, cx: &Context, glyphs: &Glyphs, retry: &Retry, room: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut say = |text: &str, role: Role| {
        let wrapped = text::wrap(&glyphs.text(text), room);
        lines.extend(wrapped.into_iter().map(|line| vec![(line, role)]));
    };
    let reviewed = game.review.as_ref();
    let Some(before) = reviewed.and_then(|r| r.review.position(retry.ply)) else {
        return lines;
    };
    let key = |id| key_of_command(cx, id);
    let judge = letter(retry.column);
    if !retry.is_over() {
        let task = format!(
            "{judge} calls the game move {}. Find a better one: {} takes the row, {} types a move.",
            a_mark(retry),
            key("game-enter"),
            key("retry-guess"),
        );
        say(&task, Role::Heading);
    }
    for guessed in &retry.guesses {
        let sentence = sentences::guess(cx.lens, before, &retry.mark, guessed);
        let role = match guessed.is_good() {
            true => Role::Win,
            false => Role::Warning,
        };
        say(&sentence, role);
    }
    if let Some(trial) = &retry.trial {
        let what = format!("{judge} judges {}…", trial.guess.san);
        say(&what, Role::Running);
    }
    if retry.is_over() {
        let role = Role::Text;
        say(&cx.lens.mark(before, &retry.mark), role);
        if let Some(line) = solution(game, before, retry) {
            say(&format!("Best line: {line}"), Role::Move);
        }
        let on = format!(
            "{} next mistake · {} back to the game",
            key("next-mark"),
            key("game-leave")
        );
        say(&on, Role::Key);
    }
    lines
}

/// Returns how the move is marked: `a blunder (??)`.
fn a_mark(retry: &Retry) -> String {
    use studies::review::MarkKind;
    let kind = retry.mark.kind;
    let article = if kind == MarkKind::Inaccuracy {
        "an"
    } else {
        "a"
    };
    format!("{article} {}", kind.name())
}

/// Returns the column's best line with move numbers.
fn solution(game: &GameTab, before: &Subject, retry: &Retry) -> Option<String> {
    let found = game.review.as_ref()?.found(retry.column, retry.ply)?;
    let codes: Vec<_> = found.pv.iter().map(|m| m.code).collect();
    Some(line_from(before, &codes))
}
