//! Draws the evaluation over the game: a curve per column with the band of its belief, the file's own evaluations, the
//! marks.

use ::chart::{Axis, Chart, Series};
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::findings::{scale_of, value};
use super::{here, is_hiding};
use crate::context::Context;
use crate::tabs::compare::{letter, role as role_of};
use crate::tabs::game::chart::{self, in_file};
use crate::tabs::game::{GameTab, GameTarget};
use crate::views::bar::key_of_command;
use game::{Game, Scale, Side};
use games::GameTree;
use report::lens::{Given, Scores};
use screen::pen::Pen;
use screen::theme::Role;
use screen::widgets::chart::{Frame, Look};
use studies::review::Measure;

/// The width of the labels at the left.
const LABELS: u16 = 9;

/// The place of the file's own evaluations, below those of the columns.
const FILE: usize = usize::MAX;

fn role(place: usize) -> Role {
    match place {
        FILE => Role::Dim,
        column => role_of(column),
    }
}

pub fn draw(game: &GameTab, cx: &Context, pen: &mut Pen, area: Rect) {
    let inner = pen.frame(area, "", false);
    draw_legend(game, cx, pen, area);
    draw_state(game, cx, pen, area);
    if inner.width < 20 || inner.height < 4 {
        return;
    }
    let line = cx.current.line_through(0);
    // What follows would give away how good the moves from there on are.
    let last = match &game.retry {
        Some(retry) if is_hiding(game) => retry.ply,
        _ => usize::MAX,
    };
    let chart = chart(game, cx, &line, last, inner.height, pen);
    let look = Look {
        labels: LABELS,
        legend: false,
        chosen: Some(game.judge),
        reversed: true,
        ..Look::plain(&role)
    };
    let Some(frame) = Frame::new(&chart, look, inner) else {
        return;
    };
    let area = frame.area;
    let (end, bottom) = (area.right(), area.bottom() - 1);
    frame.draw_axes(pen);
    for (side, row) in [(Side::White, area.y), (Side::Black, bottom)] {
        let good = format!("good for {}", cx.current.start.position.side_name(side));
        let width = text::width(&good) as u16;
        // A curve would overwrite it.
        let right = end.saturating_sub(width);
        let curves = chart.series.iter().flat_map(|series| &series.points);
        let taken = |x: u16| {
            let near = x.saturating_sub(1)..x + width + 1;
            let is_near =
                |(ply, e): &(f64, f64)| near.contains(&frame.column(*ply)) && frame.row(*e) == row;
            curves.clone().any(is_near)
        };
        let x = if taken(right) && !taken(area.x) {
            area.x
        } else {
            right
        };
        pen.put(x, row, end, &good, Role::Axis);
    }
    if let Some((ply, _)) = chart.lines.first() {
        let cursor = if pen.glyphs.ascii { '^' } else { '▲' };
        let style = pen.style(Role::Window);
        pen.char(frame.column(*ply), area.bottom(), cursor, style);
    }
    frame.draw_series(pen);
    if game.review.is_none() {
        draw_invitation(game, cx, pen, area);
    }
    if last < line.len() {
        draw_hidden(pen, area, frame.column(last as f64) + 2);
    }
    pen.region(area, GameTarget::Chart);
}

/// Returns the chart up to the last ply of which something is shown: the columns' curves and marks, the file's own
/// evaluations, the numbers of White's moves, and the current place as an upright line.
fn chart(tab: &GameTab, cx: &Context, line: &[usize], last: usize, rows: u16, pen: &Pen) -> Chart {
    let review = tab.review.as_ref();
    let review = review.map(|reviewed| chart::reviewed(reviewed, tab.judge, last));
    let mut chart = review.unwrap_or_default();
    for band in &mut chart.bands {
        band.sparse = if rows > 11 { 4 } else { 6 };
    }
    let scores = axis_scores(cx);
    let between = if rows >= 10 { 0.5 } else { 0.0 };
    let heights = [-1.0, -between, 0.0, between, 1.0].map(|e| match e {
        0.0 => (0.0, "0".to_owned()),
        _ => (f64::from(e), pen.glyphs.text(&scores.mean(e))),
    });
    let game = cx.current.game();
    chart.x = Axis::new(0.0, line.len().saturating_sub(1).max(1) as f64);
    chart.x.ticks = game.map_or_else(Vec::new, |game| move_numbers(game, line));
    chart.y = Axis::new(-1.0, 1.0).with(heights.to_vec());
    chart.level = Some(0.0);
    chart.lines = here_on(cx, line)
        .map(|ply| (ply as f64, String::new()))
        .into_iter()
        .collect();
    let mut file = game.map_or_else(Vec::new, |game| in_file(game, line));
    file.retain(|(ply, _)| *ply <= last as f64);
    chart.series.insert(
        0,
        Series {
            letter: '.',
            place: FILE,
            points: file,
            ..Series::default()
        },
    );
    chart
}

/// Returns the numbers of White's first and every fifth move, by ply.
fn move_numbers(game: &GameTree, line: &[usize]) -> Vec<(f64, String)> {
    let number = |(ply, &node): (usize, &usize)| {
        let numbered = game.numbered(node);
        let (number, rest) = numbered.split_once('.')?;
        let round = number.parse::<u32>().is_ok_and(|n| n == 1 || n % 5 == 0);
        (round && !rest.starts_with('.')).then(|| (ply as f64, number.to_owned()))
    };
    { line.iter().enumerate().skip(1) }
        .filter_map(number)
        .collect()
}

/// Returns the current ply of the line; in a variation, that of the move that it branches off from.
fn here_on(cx: &Context, line: &[usize]) -> Option<usize> {
    let game = cx.current.game();
    let parent = |&n: &usize| game?.nodes.get(n)?.parent;
    let mut path = std::iter::successors(Some(cx.node), parent);
    path.find_map(|n| line.binary_search(&n).ok())
}

/// Draws the columns with their letters, names and values at the current place, on the upper edge.
fn draw_legend(game: &GameTab, cx: &Context, pen: &mut Pen, area: Rect) {
    let end = area.right() - 2;
    let mut x = area.x + 2;
    let columns = game.shown_columns();
    let place = here(game, cx);
    let values: Vec<String> = (0..columns.len())
        .map(|c| {
            let value =
                place.and_then(|(r, ply)| Some(value(cx.lens, scale_of(r), r.found(c, ply)?, ply)));
            value.map_or_else(String::new, |v| format!(" {}", pen.glyphs.text(&v)))
        })
        .collect();
    let letters: usize = values.iter().map(|v| text::width(v) + 5).sum();
    let room = usize::from(end.saturating_sub(x)).saturating_sub(letters + 10);
    let each = room / columns.len().max(1);
    for (c, (column, value)) in columns.iter().zip(&values).enumerate() {
        let role = role_of(c);
        let mut style = pen.style(role);
        let judging = c == game.judge;
        if judging {
            style = style.add_modifier(Modifier::UNDERLINED);
        }
        let name = pen.glyphs.text(&text::sanitise(&column.to_string()));
        let name = text::fit(&name, each, pen.glyphs.ellipsis);
        let star = if judging {
            pen.glyphs.best.to_string()
        } else {
            String::new()
        };
        x = pen.put(x, area.y, end, " ", Role::Border);
        x = pen.text(x, area.y, end, &letter(c).to_string(), style);
        x = pen.put(x, area.y, end, &format!(" {name}{star}"), role);
        x = pen.put(x, area.y, end, value, Role::Text);
        x = pen.put(x, area.y, end, " ", Role::Border);
    }
    let file = here_in_file(cx);
    if let Some(e) = file {
        let value = pen.glyphs.text(&white_scores(cx).mean(e));
        pen.put(x, area.y, end, &format!(" file {value} "), Role::Dim);
    }
}

fn here_in_file(cx: &Context) -> Option<f32> {
    let points = in_file(cx.current.game()?, &[cx.node]);
    points.first().map(|p| p.1 as f32)
}

/// Returns how scores are written that White gives, at the place of the game. A curve over the whole game is of one side:
/// where the lens turns with the mover or the root, it is White's.
fn white_scores(cx: &Context) -> Scores {
    let position = &cx.current.subject_of(cx.node).position;
    let given = Given::in_game(Side::White, position.turn(), cx.ply);
    cx.lens.scores(position.scale(), given).tight()
}

/// Returns how the axis is written: from White's view, which that of the whole curve is.
fn axis_scores(cx: &Context) -> Scores {
    let given = Given::here(Side::White);
    cx.lens.scores(scale(cx), given).tight()
}

/// The scale of the game.
fn scale(cx: &Context) -> Scale {
    cx.current.start.position.scale()
}

/// Draws what the review is doing, and what the chart shows, on the lower edge.
fn draw_state(game: &GameTab, cx: &Context, pen: &mut Pen, area: Rect) {
    let y = area.bottom() - 1;
    let state = state(game, cx, area.width >= 100);
    if let Some((role, state)) = &state {
        pen.frame_note(area, y, state, *role);
    }
    let taken = state.map_or(0, |(_, s)| text::width(&s) + 4);
    let room = usize::from(area.width).saturating_sub(taken + 6);
    // The whole curve is of one side, whatever the viewpoint of single scores.
    let side = cx.current.start.position.side_name(Side::White);
    let unit = match scale(cx) {
        Scale::Logistic => cx.lens.unit.name(),
        Scale::Linear(axis) => axis.unit(),
    };
    let view = format!("curve: {unit}, {side}'s view");
    let dots = format!("{view}; dots: 10 to 90 % of the belief");
    let measure = Measure::of(scale(cx)).words();
    let marks = format!("marks: a drop of .1 .2 .3 in {measure}");
    let mut notes = vec![format!("{dots}; {marks}"), format!("{view}; {marks}")];
    notes.extend([&marks, measure].map(|what| format!("{side}'s view; {what}")));
    notes.push(view.clone());
    if game.review.is_none() {
        notes = vec![dots, view];
    }
    notes.push(format!("{side}'s view"));
    let notes = notes.iter().map(|n| pen.glyphs.text(n));
    if let Some(note) = { notes }.find(|n| text::width(n) + 2 <= room) {
        pen.put(
            area.x + 2,
            y,
            area.right() - 2,
            &format!(" {note} "),
            Role::Dim,
        );
    }
}

/// Returns what the review is doing, in more words if `wide`.
fn state(game: &GameTab, cx: &Context, wide: bool) -> Option<(Role, String)> {
    let review = &game.review.as_ref()?.review;
    let (done, all) = review.progress();
    let budget = review.budget();
    let key = key_of_command(cx, "review");
    Some(if review.is_complete() {
        (Role::Finished, format!("reviewed, {budget} each"))
    } else if !review.is_running() {
        let state = format!("paused at {done} of {all} · {key} resumes");
        (Role::Paused, state)
    } else if cx.timeless {
        (Role::Running, format!("reviewing, {budget} each"))
    } else {
        let percent = text::percent(done as f32 / all.max(1) as f32);
        let state = format!("{done} of {all}, {percent}");
        let more = format!("reviewing {state}, {budget} each");
        (Role::Running, if wide { more } else { state })
    })
}

/// Says that the rest of the game is hidden, where there is room for that.
fn draw_hidden(pen: &mut Pen, area: Rect, x: u16) {
    let words = ["hidden until the mistake is solved", "hidden"];
    let room = usize::from(area.right().saturating_sub(x));
    if let Some(words) = words.into_iter().find(|w| text::width(w) <= room) {
        pen.put(x, area.y + 1, area.right(), words, Role::Dim);
    }
}

/// Draws which keys start a review.
fn draw_invitation(game: &GameTab, cx: &Context, pen: &mut Pen, area: Rect) {
    let names: Vec<String> = game.columns.iter().map(ToString::to_string).collect();
    let key = |id| key_of_command(cx, id);
    let lines = [
        format!(
            "{} reviews the game: {}, {} each",
            key("review"),
            names.join(", "),
            game.budget
        ),
        format!(
            "{} changes the algorithms, {} the budget",
            key("review-columns"),
            key("review-budget")
        ),
    ];
    for (i, line) in lines.iter().enumerate() {
        let room = usize::from(area.width.saturating_sub(2));
        let line = text::fit(&pen.glyphs.text(line), room, pen.glyphs.ellipsis);
        let line = format!(" {line} ");
        let x = area.x + area.width.saturating_sub(text::width(&line) as u16) / 2;
        let y = area.y + 1 + i as u16;
        if y < area.bottom() {
            pen.put(x, y, area.right(), &line, Role::Hint);
        }
    }
}
