//! Draws the list of games: players, result, date and event, as the width allows.

use ratatui::layout::Rect;

use super::has_keyboard;
use crate::context::Context;
use crate::tabs::game::{GamePane, GameTab, GameTarget};
use game::load::pgn::GameSummary;
use screen::pen::{Pen, inside};
use screen::theme::Role;

/// The widths of the parts; 0 means that a part is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Columns {
    number: u16,
    white: u16,
    black: u16,
    result: u16,
    date: u16,
    event: u16,
}

impl Columns {
    fn of(width: u16, count: usize) -> Columns {
        let number = count.to_string().len() as u16 + 1;
        let result = 5;
        let rest = width.saturating_sub(number + result + 4);
        let (date, rest) = match rest {
            60.. => (11, rest - 11),
            36.. => (5, rest - 5),
            _ => (0, rest),
        };
        // Not by the digits of the numbers: the column would vanish while a file is read.
        let has_event = rest + number >= 58;
        let event = if has_event { rest * 2 / 5 } else { 0 };
        let names = (rest - event) / 2;
        Columns {
            number,
            white: names,
            black: names,
            result,
            date,
            event,
        }
    }
}

/// Scrolls the selected game into view.
pub fn update(game: &mut GameTab, cx: &mut Context, area: Rect) {
    let rows = game.list.len(&cx.document);
    let height = usize::from(inside(area).height);
    game.list.state.fit(height, rows);
}

pub fn draw(game: &GameTab, cx: &Context, pen: &mut Pen, area: Rect) {
    pen.region(area, GameTarget::Pane(GamePane::Games));
    let count = game.list.count_text(&cx.document);
    let title = text::sanitise(&format!("{}: {count}", cx.document.file_name()));
    let focused = has_keyboard(game, cx, GamePane::Games);
    let inner = pen.frame(area, &title, focused);
    let query = game.list.query();
    if !query.is_empty() {
        let note = format!("/{}", text::sanitise(query));
        pen.frame_note(area, area.bottom() - 1, &note, Role::Match);
    }
    let rows = game.list.len(&cx.document);
    let columns = Columns::of(inner.width, cx.document.len());
    if rows == 0 {
        pen.empty(
            inner,
            match game.list.is_behind(&cx.document) {
                true => "no game with these words so far",
                false => "no game has these words",
            },
        );
    }
    let list = &game.list.state;
    list.draw(
        pen,
        inner,
        (rows, focused),
        GameTarget::Entry,
        |pen, line, row| {
            let entry = game.list.entry(row).unwrap_or(row);
            match cx.document.games().and_then(|g| g.summary(entry)) {
                Some(summary) => draw_game(cx, pen, line, columns, entry, &summary),
                None => draw_title(cx, pen, line, columns, entry),
            }
        },
    );
    list.draw_bar(pen, inner, rows);
}

/// Draws the number, with a mark at the open game; returns where the rest begins.
fn draw_number(cx: &Context, pen: &mut Pen, line: Rect, columns: Columns, entry: usize) -> u16 {
    let open = entry == cx.entry;
    if open {
        let mark = pen.glyphs.running.to_string();
        pen.put(line.x, line.y, line.right(), &mark, Role::Running);
    }
    let end = line.x + 1 + columns.number;
    let number = (entry + 1).to_string();
    pen.put_right(line.x + 1, line.y, end, &number, Role::Dim);
    end + 1
}

fn draw_title(cx: &Context, pen: &mut Pen, line: Rect, columns: Columns, entry: usize) {
    let x = draw_number(cx, pen, line, columns, entry);
    let title = pen.glyphs.text(&text::sanitise(&cx.document.title(entry)));
    let room = usize::from(line.right().saturating_sub(x + 1));
    let title = text::fit(&title, room, pen.glyphs.ellipsis);
    pen.put(x, line.y, line.right(), &title, Role::Text);
}

fn draw_game(
    cx: &Context,
    pen: &mut Pen,
    line: Rect,
    columns: Columns,
    entry: usize,
    game: &GameSummary,
) {
    let x = draw_number(cx, pen, line, columns, entry);
    let result = match game.result() {
        "1/2-1/2" if pen.glyphs.ascii => "1/2",
        "1/2-1/2" => "½–½",
        other => other,
    };
    let date = game.date();
    let date = if columns.date < 11 {
        date.split('.').next().unwrap_or("")
    } else {
        date
    };
    let date = if date.starts_with('?') { "" } else { date };
    let name = |name: &str, elo: Option<u16>, width: u16| match elo {
        Some(elo) if text::width(name) + 6 <= usize::from(width) => format!("{name} {elo}"),
        _ => name.to_owned(),
    };
    let white = name(game.white(), game.white_elo(), columns.white);
    let black = name(game.black(), game.black_elo(), columns.black);
    let parts = [
        (white.as_str(), columns.white, Role::Text),
        (black.as_str(), columns.black, Role::Text),
        (result, columns.result, Role::Proven),
        (date, columns.date, Role::Dim),
        (game.event(), columns.event, Role::Dim),
    ];
    let mut x = x;
    for (part, width, role) in parts {
        if width == 0 {
            continue;
        }
        let room = usize::from(width).saturating_sub(1);
        let shown = text::fit(&pen.glyphs.text(part), room, pen.glyphs.ellipsis);
        pen.put(x, line.y, (x + width).min(line.right()), &shown, role);
        x += width;
    }
}
