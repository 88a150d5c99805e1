//! Draws the evaluation over the game: a curve per column with the band of its belief, the file's own evaluations, the
//! marks.

use ratatui::layout::Rect;
use ratatui::style::Modifier;
use search::Subjects as _;

use super::findings::value;
use super::{here, is_hiding};
use crate::app::{App, Target};
use crate::pen::Pen;
use crate::tabs::compare::{letter, role as role_of};
use crate::tabs::game::chart::{Curve, curve, file_curve, place_of};
use crate::text;
use crate::theme::Role;
use crate::views::bar::key_of_command;
use crate::widgets::canvas::{Canvas, Dot};
use game::load::GameTree;
use game::{Game, Scale, Side};
use report::lens::{Given, Scores};
use studies::review::FORMULA;

/// The width of the labels at the left.
const LABELS: u16 = 9;

/// The plot's geometry: positions to the right, expected score upwards.
#[derive(Clone, Copy)]
struct Axes {
    area: Rect,
    plies: usize,
    /// The last ply of which something is shown: what follows would give away how good the moves from there on are.
    last: usize,
}

impl Axes {
    /// Returns the screen column of a ply.
    fn column(&self, ply: usize) -> u16 {
        self.area.x + place_of(ply, self.plies, usize::from(self.area.width)) as u16
    }

    /// Returns the screen row of an expected score.
    fn row(&self, e: f32) -> u16 {
        let last = f32::from(self.area.height - 1);
        self.area.y + (last * (1.0 - e.clamp(-1.0, 1.0)) / 2.0).round() as u16
    }
}

pub fn draw(app: &App, pen: &mut Pen, area: Rect) {
    let inner = pen.frame(area, "", false);
    draw_legend(app, pen, area);
    draw_state(app, pen, area);
    if inner.width < 20 || inner.height < 4 {
        return;
    }
    let line = app.current.line_through(0);
    let axes = Axes {
        area: Rect {
            x: inner.x + LABELS,
            y: inner.y,
            width: inner.width - LABELS,
            height: inner.height - 1,
        },
        plies: line.len(),
        last: match &app.game.retry {
            Some(retry) if is_hiding(app) => retry.ply,
            _ => usize::MAX,
        },
    };
    draw_labels(app, pen, inner, axes);
    if let Some(game) = app.current.game() {
        draw_numbers(pen, game, &line, axes);
    }
    draw_place(app, pen, &line, axes);
    draw_curves(app, pen, &line, axes);
    draw_letters(app, pen, axes);
    draw_marks(app, pen, axes);
    if app.game.review.is_none() {
        draw_invitation(app, pen, axes.area);
    }
    draw_hidden(pen, axes);
    pen.region(axes.area, Target::Chart);
}

/// Draws the columns with their letters, names and values at the current place, on the upper edge.
fn draw_legend(app: &App, pen: &mut Pen, area: Rect) {
    let end = area.right() - 2;
    let mut x = area.x + 2;
    let columns = app.game.shown_columns();
    let place = here(app);
    let values: Vec<String> = (0..columns.len())
        .map(|c| {
            let value = place.and_then(|(r, ply)| Some(value(app.lens, r.found(c, ply)?, ply)));
            value.map_or_else(String::new, |v| format!(" {}", pen.glyphs.text(&v)))
        })
        .collect();
    let letters: usize = values.iter().map(|v| text::width(v) + 5).sum();
    let room = usize::from(end.saturating_sub(x)).saturating_sub(letters + 10);
    let each = room / columns.len().max(1);
    for (c, (column, value)) in columns.iter().zip(&values).enumerate() {
        let role = role_of(c);
        let mut style = pen.style(role);
        let judging = c == app.game.judge;
        if judging {
            style = style.add_modifier(Modifier::UNDERLINED);
        }
        let name = pen.glyphs.text(&text::harmless(&column.to_string()));
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
    let file = here_in_file(app);
    if let Some(e) = file {
        let value = pen.glyphs.text(&white_scores(app).mean(e));
        pen.put(x, area.y, end, &format!(" file {value} "), Role::Dim);
    }
}

fn here_in_file(app: &App) -> Option<f32> {
    let curve = file_curve(app.current.game()?, &[app.node]);
    curve.points.first().map(|p| p.1)
}

/// Returns how scores are written that White gives, at the place of the game. A curve over the whole game is of one side:
/// where the lens turns with the mover or the root, it is White's.
fn white_scores(app: &App) -> Scores {
    let turn = app.current.subject_of(app.node).position.turn();
    let given = Given::in_game(Side::White, turn, app.ply);
    app.lens.scores(Scale::Logistic, given).tight()
}

/// Returns how the axis is written: from White's view, which that of the whole curve is.
fn axis_scores(app: &App) -> Scores {
    let given = Given::here(Side::White);
    app.lens.scores(Scale::Logistic, given).tight()
}

/// Draws what the review is doing, and what the chart shows, on the lower edge.
fn draw_state(app: &App, pen: &mut Pen, area: Rect) {
    let y = area.bottom() - 1;
    let state = state(app, area.width >= 100);
    if let Some((role, state)) = &state {
        pen.frame_note(area, y, state, *role);
    }
    let taken = state.map_or(0, |(_, s)| text::width(&s) + 4);
    let room = usize::from(area.width).saturating_sub(taken + 6);
    // The whole curve is of one side, whatever the viewpoint of single scores.
    let view = format!("curve: {}, White's view", app.lens.unit.name());
    let dots = format!("{view}; dots: 10 to 90 % of the belief");
    let marks = format!("marks: a drop of .1 .2 .3 in {FORMULA}");
    let mut notes = vec![format!("{dots}; {marks}"), format!("{view}; {marks}")];
    notes.extend([&marks, FORMULA].map(|what| format!("White's view; {what}")));
    notes.push(view.clone());
    if app.game.review.is_none() {
        notes = vec![dots, view];
    }
    notes.push("White's view".to_owned());
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
fn state(app: &App, wide: bool) -> Option<(Role, String)> {
    let review = &app.game.review.as_ref()?.review;
    let (done, all) = review.progress();
    let budget = review.budget();
    let key = key_of_command(app, "review");
    Some(if review.is_complete() {
        (Role::Finished, format!("reviewed, {budget} each"))
    } else if !review.is_running() {
        let state = format!("halted at {done} of {all}: {key} goes on");
        (Role::Paused, state)
    } else if app.timeless {
        (Role::Running, format!("reviewing, {budget} each"))
    } else {
        let percent = text::percent(done as f32 / all.max(1) as f32);
        let state = format!("{done} of {all}, {percent}");
        let more = format!("reviewing {state}, {budget} each");
        (Role::Running, if wide { more } else { state })
    })
}

/// Writes the scores at the left: at the ends, in the middle, and between them where there is room.
fn draw_labels(app: &App, pen: &mut Pen, inner: Rect, axes: Axes) {
    let scores = axis_scores(app);
    let between = if axes.area.height >= 9 { 0.5 } else { 0.0 };
    for e in [1.0f32, between, 0.0, -between, -1.0] {
        let label = match e {
            0.0 => "0".to_owned(),
            _ => pen.glyphs.text(&scores.mean(e)),
        };
        let y = axes.row(e);
        pen.put_right(inner.x, y, axes.area.x - 1, &label, Role::Axis);
    }
    let (end, last) = (axes.area.right(), axes.area.bottom() - 1);
    pen.put_right(axes.area.x, axes.area.y, end, "good for White", Role::Axis);
    pen.put_right(axes.area.x, last, end, "good for Black", Role::Axis);
    let zero = axes.row(0.0);
    for x in axes.area.left()..axes.area.right() {
        let style = pen.style(Role::Axis);
        if (x - axes.area.x).is_multiple_of(2) {
            pen.char(x, zero, pen.glyphs.dot, style);
        }
    }
}

/// Draws the numbers of White's moves below the plot.
fn draw_numbers(pen: &mut Pen, game: &GameTree, line: &[usize], axes: Axes) {
    let y = axes.area.bottom();
    let mut free = axes.area.x;
    for (ply, &node) in line.iter().enumerate().skip(1) {
        let numbered = game.numbered(node);
        let Some((number, rest)) = numbered.split_once('.') else {
            continue;
        };
        let round = number.parse::<u32>().is_ok_and(|n| n == 1 || n % 5 == 0);
        let x = axes.column(ply);
        if rest.starts_with('.') || !round || x < free {
            continue;
        }
        pen.put(x, y, axes.area.right(), number, Role::Axis);
        free = x + text::width(number) as u16 + 3;
    }
}

/// Draws the current place as a vertical line; in a variation, the move that it branches off from.
fn draw_place(app: &App, pen: &mut Pen, line: &[usize], axes: Axes) {
    let game = app.current.game();
    let parent = |&n: &usize| game?.nodes.get(n)?.parent;
    let mut path = std::iter::successors(Some(app.node), parent);
    let Some(ply) = path.find_map(|n| line.binary_search(&n).ok()) else {
        return;
    };
    let x = axes.column(ply);
    let style = pen.style(Role::Window);
    for y in axes.area.top()..axes.area.bottom() {
        pen.char(x, y, pen.glyphs.window, style);
    }
    let cursor = if pen.glyphs.ascii { '^' } else { '▲' };
    pen.char(x, axes.area.bottom(), cursor, style);
}

fn draw_curves(app: &App, pen: &mut Pen, line: &[usize], axes: Axes) {
    let mut canvas = Canvas::new(axes.area, pen.glyphs.ascii);
    let plot = Plot {
        size: canvas.size(),
        plies: axes.plies,
    };
    let mut curves = Vec::new();
    if let Some(reviewed) = &app.game.review {
        curves = (0..reviewed.review.columns().len())
            .map(|c| (c, curve(reviewed, c).until(axes.last)))
            .collect();
    }
    for (c, curve) in &curves {
        plot.band(&mut canvas, curve, *c);
    }
    if let Some(game) = app.current.game() {
        let dot = Dot {
            role: Role::Dim,
            faint: false,
            mark: '.',
        };
        plot.line(&mut canvas, &file_curve(game, line).until(axes.last), dot);
    }
    // The judge's curve is drawn above the others.
    curves.sort_by_key(|(c, _)| *c == app.game.judge);
    for (c, curve) in &curves {
        let dot = Dot {
            role: role_of(*c),
            faint: false,
            mark: letter(*c).to_ascii_lowercase(),
        };
        plot.line(&mut canvas, curve, dot);
    }
    canvas.draw(pen);
}

/// Converts plies and scores to dots of the canvas.
struct Plot {
    size: (usize, usize),
    plies: usize,
}

impl Plot {
    fn x(&self, ply: usize) -> usize {
        place_of(ply, self.plies, self.size.0)
    }

    fn y(&self, e: f32) -> f32 {
        (e.clamp(-1.0, 1.0) + 1.0) / 2.0 * (self.size.1 - 1) as f32
    }

    fn line(&self, canvas: &mut Canvas, curve: &Curve, dot: Dot) {
        let at = |&(ply, e): &(usize, f32)| (self.x(ply), self.y(e));
        if let [only] = curve.points.as_slice() {
            canvas.line(at(only), at(only), dot);
        }
        for pair in curve.points.windows(2) {
            canvas.line(at(&pair[0]), at(&pair[1]), dot);
        }
    }

    /// Draws sparse dots from the lower to the upper quantile, at different places for each column.
    fn band(&self, canvas: &mut Canvas, curve: &Curve, column: usize) {
        let dot = Dot {
            role: role_of(column),
            faint: true,
            mark: '.',
        };
        let sparse = if self.size.1 > 40 { 4 } else { 3 };
        for pair in curve.band.windows(2) {
            let ((from, low), (to, high)) = (pair[0], pair[1]);
            let (x0, x1) = (self.x(from), self.x(to));
            for x in x0..=x1 {
                let share = (x - x0) as f32 / (x1 - x0).max(1) as f32;
                let between =
                    |i: usize| self.y(low[i] + share * (high[i] - low[i])).round() as usize;
                for y in between(0)..=between(1) {
                    if (x + 2 * y + column).is_multiple_of(sparse) && (x + column).is_multiple_of(2)
                    {
                        canvas.set(x, y, dot);
                    }
                }
            }
        }
    }
}

/// Draws letters on each curve, which identify it without colours.
fn draw_letters(app: &App, pen: &mut Pen, axes: Axes) {
    let Some(reviewed) = &app.game.review else {
        return;
    };
    let count = reviewed.review.columns().len();
    for c in 0..count {
        let curve = curve(reviewed, c).until(axes.last);
        // The letters are apart from each other, and two per curve if it is long.
        for share in [(2 * c + 1, 4 * count), (2 * (c + count) + 1, 4 * count)] {
            let wanted = share.0 * curve.points.len() / share.1;
            let Some(&(ply, e)) = curve.points.get(wanted) else {
                continue;
            };
            let style = pen.style(role_of(c)).add_modifier(Modifier::REVERSED);
            pen.char(axes.column(ply), axes.row(e), letter(c), style);
        }
    }
}

/// Draws the judge's marks at the positions after the moves.
fn draw_marks(app: &App, pen: &mut Pen, axes: Axes) {
    let judge = app.game.judge;
    let Some((reviewed, marks)) = app
        .game
        .review
        .as_ref()
        .and_then(|r| Some((r, r.marks.get(judge)?)))
    else {
        return;
    };
    // A mark is drawn at the position after its move.
    for (ply, mark) in marks.iter().enumerate().take(axes.last) {
        let value = reviewed.found(judge, ply + 1).and_then(|f| f.white());
        let (Some(mark), Some(e)) = (mark, value) else {
            continue;
        };
        let sign = mark.kind.sign();
        let role = match mark.kind {
            studies::review::MarkKind::Blunder => Role::Error,
            _ => Role::Warning,
        };
        let x = axes.column(ply + 1);
        let x = x.min(axes.area.right().saturating_sub(sign.len() as u16));
        // Above the curve if there is room, otherwise below it.
        let row = axes.row(e);
        let y = if row > axes.area.y { row - 1 } else { row + 1 };
        pen.put(x, y, axes.area.right(), sign, role);
    }
}

/// Says that the rest of the game is hidden, where there is room for that.
fn draw_hidden(pen: &mut Pen, axes: Axes) {
    if axes.last >= axes.plies {
        return;
    }
    let x = axes.column(axes.last) + 2;
    let words = ["hidden until the mistake is solved", "hidden"];
    let room = usize::from(axes.area.right().saturating_sub(x));
    if let Some(words) = words.into_iter().find(|w| text::width(w) <= room) {
        pen.put(x, axes.area.y + 1, axes.area.right(), words, Role::Dim);
    }
}

/// Draws which keys start a review.
fn draw_invitation(app: &App, pen: &mut Pen, area: Rect) {
    let names: Vec<String> = app.game.columns.iter().map(ToString::to_string).collect();
    let key = |id| key_of_command(app, id);
    let lines = [
        format!(
            "{} reviews the game: {}, {} each",
            key("review"),
            names.join(", "),
            app.game.budget
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
