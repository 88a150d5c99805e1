//! Draws the results of the review: the columns at the current place, the judge's totals with their formula, and where
//! the columns disagree.

use ratatui::layout::Rect;

use super::{has_keyboard, here, summary};
use crate::context::{Context, line_from};
use crate::tabs::compare::{letter, role as role_of};
use crate::tabs::game::review::Reviewed;
use crate::tabs::game::{GamePane, GameTab, GameTarget};
use game::{Game as _, Scale};
use report::lens::{Given, Lens, Scores};
use screen::glyphs::Glyphs;
use screen::pen::{Line, Pen, indented, inside};
use screen::theme::Role;
use studies::review::{ACCURACY, Disagreement, Found, MarkKind, Measure, PHASES, Tally};
use tree::Bound;

/// Scrolls the selected disagreement into view.
pub fn update(game: &mut GameTab, cx: &mut Context, area: Rect) {
    let Some(reviewed) = &game.review else {
        return;
    };
    let inner = inside(area);
    let (_, list) = parts(game, cx, cx.looks.glyphs, reviewed, inner);
    let (height, count) = (usize::from(list.height), reviewed.ranked.len());
    if list.height > 0 {
        game.ranked.fit(height, count);
    }
}

/// Returns the lines above the list, and the area of the list below its heading. The list gets at least some rows of a
/// small pane.
fn parts(
    game: &GameTab,
    cx: &Context,
    glyphs: &Glyphs,
    reviewed: &Reviewed,
    inner: Rect,
) -> (Vec<Line>, Rect) {
    let room = usize::from(inner.width.saturating_sub(2));
    let most = usize::from(inner.height).saturating_sub(2);
    let mut lines = head(game, cx, glyphs, reviewed, room, inner.height);
    lines.truncate(most);
    let above = lines.len() as u16 + 1;
    let list = Rect {
        y: inner.y + above,
        height: inner.height.saturating_sub(above),
        ..inner
    };
    (lines, list)
}

pub fn draw(game: &GameTab, cx: &Context, pen: &mut Pen, area: Rect) {
    pen.region(area, GameTarget::Pane(GamePane::Findings));
    let focused = has_keyboard(game, cx, GamePane::Findings);
    let inner = pen.frame(area, "review", focused);
    let Some(reviewed) = &game.review else {
        return;
    };
    let (lines, list) = parts(game, cx, pen.glyphs, reviewed, inner);
    pen.lines(indented(inner), &lines);
    draw_ranked(game, cx, pen, reviewed, list, focused);
}

/// The height from which on the summary is a table with a line for each phase, and the one from which on the formulas are
/// below it.
const WITH_TABLE: u16 = 12;
const WITH_FORMULAS: u16 = 20;

/// Returns the lines above the list.
fn head(
    game: &GameTab,
    cx: &Context,
    glyphs: &Glyphs,
    reviewed: &Reviewed,
    room: usize,
    height: u16,
) -> Vec<Line> {
    let mut lines = Vec::new();
    let ply = here(game, cx).map(|(_, ply)| ply);
    let columns = 0..reviewed.review.columns().len();
    if let Some(ply) = ply {
        lines.extend(columns.map(|c| column_line(cx.lens, glyphs, reviewed, c, ply)));
    } else {
        let what = "the place is in a variation: only the game is reviewed";
        lines.push(vec![(what.to_owned(), Role::Dim)]);
    }
    let judge = game.judge;
    if let Some(mark) = reviewed.mark(judge, cx.node)
        && let Some(before) = ply.and_then(|p| reviewed.review.position(p.checked_sub(1)?))
    {
        let sentence = format!("{}: {}", letter(judge), cx.lens.mark(before, mark));
        let wrapped = text::wrap(&glyphs.text(&sentence), room);
        lines.extend(wrapped.into_iter().map(|l| vec![(l, Role::Warning)]));
    }
    let sides = reviewed.review.side_names();
    if let Some(summary) = reviewed.summaries.get(judge) {
        lines.extend(match height < WITH_TABLE {
            true => summary::short(summary, sides, room),
            false => summary::table(summary, sides),
        });
    }
    if let Some(tallies) = reviewed.tallies.get(judge) {
        lines.push(tally_line(judge, tallies, sides));
    }
    if height < WITH_FORMULAS {
        return lines;
    }
    let least: Vec<String> = MarkKind::ALL
        .iter()
        .map(|k| format!("{} {}", k.sign(), text::spread(k.least())))
        .collect();
    let measure = Measure::of(reviewed.review.scale());
    let phases = match measure {
        Measure::Lichess => format!("; {PHASES}"),
        Measure::Expected => String::new(),
    };
    let (least, w) = (least.join("  "), measure.words());
    let formula = format!("drop in w: {least};  {w}; {ACCURACY}{phases}");
    let wrapped = text::wrap(&glyphs.text(&formula), room);
    lines.extend(wrapped.into_iter().map(|l| vec![(l, Role::Dim)]));
    lines
}

/// Returns a column's line: `A +.31 ±.12 d8  13.Nd2 Nf6 14.e4`.
fn column_line(
    lens: Lens,
    glyphs: &Glyphs,
    reviewed: &Reviewed,
    column: usize,
    ply: usize,
) -> Line {
    let role = role_of(column);
    let mut line = vec![(format!("{} ", letter(column)), role)];
    let Some(found) = reviewed.found(column, ply) else {
        let trouble = reviewed.review.trouble(column);
        let what = trouble.map_or("not searched yet".to_owned(), |t| t.message);
        line.push((text::sanitise(&what), Role::Dim));
        return line;
    };
    let scale = scale_of(reviewed);
    line.push((glyphs.text(&value(lens, scale, found, ply)), Role::Text));
    let mean = found.score.expected.unwrap_or(0.0);
    let spread = found
        .sd
        .and_then(|sd| scores(lens, scale, found, ply).spread(mean, sd));
    if let Some(sd) = spread {
        line.push((format!(" {}{sd}", glyphs.plus_minus), Role::Spread));
    }
    if found.depth > 0 {
        line.push((format!(" d{}", found.depth), Role::Dim));
    }
    line.push((format!("  {}", best_line(reviewed, ply, found)), Role::Move));
    line
}

/// Returns how a position's scores are written, which the side to move there gives.
fn scores(lens: Lens, scale: Scale, found: &Found, ply: usize) -> Scores {
    let given = Given::in_game(found.side, found.side, ply);
    lens.scores(scale, given).tight()
}

/// Returns the scale of the reviewed game.
pub(super) fn scale_of(reviewed: &Reviewed) -> Scale {
    let start = reviewed.review.position(0);
    start.map_or(Scale::Logistic, |start| start.position.scale())
}

/// Returns a position's value, with the sign of a bound.
pub(super) fn value(lens: Lens, scale: Scale, found: &Found, ply: usize) -> String {
    let scores = scores(lens, scale, found, ply);
    let Some(e) = found.score.expected else {
        return "?".to_owned();
    };
    let sign = scores.sign(found.score.bound.unwrap_or(Bound::Exact));
    let (sd, told) = (found.sd.unwrap_or(0.0), found.outcomes);
    match found.score.score.filter(|s| s.is_decided()) {
        Some(score) => format!("{}{}", found.score.sign(), scores.score(score)),
        None => format!("{sign}{}", scores.outcome(e, sd, told)),
    }
}

/// Returns the principal variation with move numbers, or that the game is over.
fn best_line(reviewed: &Reviewed, ply: usize, found: &Found) -> String {
    let position = reviewed.review.position(ply);
    if found.is_over() {
        let verdict = position.and_then(|at| at.position.verdict());
        let verdict = verdict.map(|verdict| format!(": {verdict}"));
        return format!("the game is over{}", verdict.unwrap_or_default());
    }
    let Some(position) = position else {
        return String::new();
    };
    let codes: Vec<_> = found.pv.iter().map(|m| m.code).collect();
    line_from(position, &codes)
}

/// Returns whose judgement the summary is, and what each side loses on average: `A judges: White loses .05 a move, Black
/// .02 · 3 moves not judged`.
fn tally_line(judge: usize, tallies: &[Tally; 2], [first, second]: [&str; 2]) -> Line {
    let [white, black] = tallies.each_ref().map(|t| text::spread(t.mean_loss));
    let mut line = vec![(format!("{} ", letter(judge)), role_of(judge))];
    let loses = format!("judges: {first} loses {white} a move, {second} {black}");
    line.push((loses, Role::Text));
    match tallies.iter().map(|t| t.unjudged).sum() {
        0 => {}
        1 => line.push((" · 1 move not judged".to_owned(), Role::Warning)),
        n => line.push((format!(" · {n} moves not judged"), Role::Warning)),
    }
    line
}

/// Draws the positions in which the columns disagree most.
fn draw_ranked(
    game: &GameTab,
    cx: &Context,
    pen: &mut Pen,
    reviewed: &Reviewed,
    list: Rect,
    focused: bool,
) {
    if list.height == 0 {
        return;
    }
    let count = reviewed.ranked.len();
    let title = match (reviewed.review.columns().len(), count) {
        (1, _) => "one column agrees with itself".to_owned(),
        (_, 0) => "the columns agree so far".to_owned(),
        _ => "where the columns disagree most:".to_owned(),
    };
    pen.put(list.x + 1, list.y - 1, list.right(), &title, Role::Heading);
    game.ranked.draw(
        pen,
        list,
        (count, focused),
        GameTarget::Finding,
        |pen, row, at| {
            let found = reviewed.ranked[at];
            let here = reviewed.line.get(found.ply) == Some(&cx.node);
            let line = ranked_line(cx, pen, reviewed, &found, here);
            pen.lines(indented(row), [&line]);
        },
    );
    game.ranked.draw_bar(pen, list, count);
}

/// Returns a disagreement's line: `12...Nf6  .43  A -.10 Qd2  C +.33 Nf3`.
fn ranked_line(
    cx: &Context,
    pen: &Pen,
    reviewed: &Reviewed,
    at: &Disagreement,
    here: bool,
) -> Line {
    let mark = if here { pen.glyphs.closed } else { ' ' };
    let node = reviewed.line.get(at.ply).copied().unwrap_or(0);
    let name = cx.current.game().map(|g| g.numbered(node));
    let name = name.filter(|n| !n.is_empty());
    let name = text::sanitise(&name.unwrap_or_else(|| "the start".to_owned()));
    let mut line = vec![
        (format!("{mark}{name:<10}"), Role::Move),
        (format!(" {} ", text::spread(at.amount)), Role::Disagree),
    ];
    for column in 0..reviewed.review.columns().len() {
        let Some(found) = reviewed.found(column, at.ply) else {
            continue;
        };
        let best = found.best.as_ref().map_or("", |m| m.san.as_str());
        line.push((format!(" {}", letter(column)), role_of(column)));
        let value = pen
            .glyphs
            .text(&value(cx.lens, scale_of(reviewed), found, at.ply));
        line.push((value, Role::Text));
        line.push((format!(" {best:<6}"), Role::Dim));
    }
    line
}
