//! Draws the page on sweeps: each variant's figure with its interval beside that of what is built in, and the table.

use ::chart::{Axis, Band, Chart, Series, round_step, rounds};
use ratatui::layout::Rect;

use super::{divide, draw_lines, frame, page_legend, state};
use crate::context::Context;
use crate::tabs::lab::pages::sweeps::VariantTarget;
use crate::tabs::lab::sweep::{Of, SweepPage};
use crate::tabs::lab::{LabTab, role_of};
use crate::views::bar::key_of_command;
use crate::views::table;
use lab::sweep::{Judge, Row, Sweep};
use report::lab::sweep::{figure, remark, table as table_of};
use report::number;
use screen::pen::Pen;
use screen::target::Target;
use screen::theme::Role;

/// The rows of the table that are always to be seen, if there are so many.
const ROWS: u16 = 8;

/// Draws the page.
pub fn draw(lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect) {
    let page = &lab.sweep;
    let variants = page.of.as_ref().map_or(0, |of| of.tried.names.len()) as u16;
    // The variants, their heading and the frame; the chart gets the rest.
    let (upper, lower) = divide(lab, cx, area, variants.clamp(2, ROWS) + 3);
    let judge = page
        .run
        .known
        .as_ref()
        .map_or(page.judge, |known| known.judge);
    let state = match fault(page) {
        Some(_) => Some((Role::Error, "nothing tried".to_owned())),
        None => state(lab, cx, "running", &format!(" {}", judge.units())),
    };
    let title = format!("{} by value", judge.heading());
    let inner = frame(pen, upper, &title, state);
    match shown(page) {
        Some((known, of)) => draw_chart(known, of, page, pen, inner),
        None => draw_invitation(lab, cx, pen, inner),
    }
    draw_table(page, pen, lower);
}

fn fault(page: &SweepPage) -> Option<&str> {
    page.run.known.as_ref()?.fault.as_deref()
}

/// Returns the results, if there are figures.
fn shown(page: &SweepPage) -> Option<(&Sweep, &Of)> {
    let known = page.run.known.as_ref()?;
    let of = page.of.as_ref()?;
    (!known.positions.is_empty()).then_some((known, of))
}

/// Returns the place of each variant on the axis, without the control: the value if one number is varied, else its number.
fn places(of: &Of) -> Vec<f64> {
    match of.spec.over.as_slice() {
        [only] => only.values.clone(),
        _ => (1..of.tried.names.len()).map(|i| i as f64).collect(),
    }
}

fn draw_chart(known: &Sweep, of: &Of, page: &SweepPage, pen: &mut Pen, inner: Rect) {
    let rows = known.rows();
    let Some((control, variants)) = rows.split_first() else {
        return;
    };
    let mut points: Vec<(f64, &Row)> = places(of).into_iter().zip(variants).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let interval = |row: &Row| {
        let (low, high) = row.gain.and_then(|gain| gain.interval)?;
        Some((control.mean + low, control.mean + high))
    };
    let ranges = points.iter();
    let ranges = ranges.filter_map(|(x, row)| interval(row).map(|(low, high)| (*x, low, high)));
    let ranges: Vec<(f64, f64, f64)> = ranges.collect();
    let heights = points.iter().map(|(_, row)| row.mean).chain([control.mean]);
    let heights = heights.chain(ranges.iter().flat_map(|(_, low, high)| [*low, *high]));
    let heights: Vec<f64> = heights.collect();
    let series = Series {
        letter: '*',
        place: 0,
        points: points.iter().map(|(x, row)| (*x, row.mean)).collect(),
        ..Series::default()
    };
    let chart = Chart {
        x: across(of, &points),
        y: upright(known.judge, &heights, inner.height),
        series: vec![series],
        bands: vec![Band {
            place: 0,
            sparse: 4,
            ranges,
        }],
        level: Some(control.mean),
        lines: { page.variant.checked_sub(1) }
            .and_then(|chosen| Some((*places(of).get(chosen)?, String::new())))
            .into_iter()
            .collect(),
        ..Chart::default()
    };
    super::draw_chart(pen, inner, &chart, &role_of, Some(0));
    let words = format!(
        " dotted: as built in, {} ",
        figure(known.judge, control.mean).text
    );
    let words = pen.glyphs.text(&words);
    pen.put_right(
        inner.x,
        inner.bottom(),
        inner.right() - 1,
        &words,
        Role::Axis,
    );
}

/// The axis of values, or of the numbers of variants where several are varied.
fn across(of: &Of, points: &[(f64, &Row)]) -> Axis {
    let ends = [points.first(), points.last()].map(|end| end.map_or(0.0, |(x, _)| *x));
    let [low, high] = match ends {
        [low, high] if high > low => [low, high],
        [low, _] => [low - 0.5, low + 0.5],
    };
    let ticks = points.iter().map(|(x, _)| (*x, number::told(*x)));
    let name = match of.spec.over.as_slice() {
        [only] => only.name.clone(),
        _ => "variant".to_owned(),
    };
    Axis::new(low, high).with(ticks.collect()).named(name)
}

/// The axis of the judge's figures, around those that are shown.
fn upright(judge: Judge, heights: &[f64], rows: u16) -> Axis {
    let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Where all figures are alike, the axis still has numbers that differ.
    let least = if judge.is_share() { 0.01 } else { 0.003 };
    let room = (0.08 * (high - low))
        .max((least - (high - low)) / 2.0)
        .max(1e-4);
    // No figure is below 0, and an interval seldom is.
    let floor = if low < 0.0 { low - room } else { 0.0 };
    let (low, high) = ((low - room).max(floor), high + room);
    let wanted = ((f64::from(rows) - 1.0) / 2.0).clamp(2.0, 8.0);
    let ticks = rounds(low, high, round_step((high - low) / wanted));
    let label = |x: f64| match judge.is_share() {
        true if high - low < 0.05 => format!("{:.1} %", 100.0 * x),
        true => format!("{:.0} %", 100.0 * x),
        false => format!("{x:.3}"),
    };
    Axis::new(low, high).with(ticks.map(|x| (x, label(x))).collect())
}

/// Draws how a sweep is made, and what is wrong with what was typed.
fn draw_invitation(lab: &LabTab, cx: &Context, pen: &mut Pen, inner: Rect) {
    let page = &lab.sweep;
    if page.run.is_running() {
        return;
    }
    let room = usize::from(inner.width.saturating_sub(2));
    let key = |id| key_of_command(cx, id);
    let wrong = fault(page).map(str::to_owned);
    let wrong = wrong
        .into_iter()
        .flat_map(|what| text::wrap(&text::sanitise(&what), room));
    let lines = [
        format!(
            "{} types what is varied, as on the command line:",
            key("sweep-type")
        ),
        format!("  {}", page.line),
        format!(
            "{} the next of the sweeps that are ready, {} how a variant is judged",
            key("sweep-ready"),
            key("sweep-judge")
        ),
        format!(
            "{} nodes, {} how many, {} built-in positions or the open file",
            key("sweep-nodes"),
            key("sweep-count"),
            key("sweep-positions")
        ),
        format!(
            "{} searches in Explore with the chosen variant",
            key("sweep-use")
        ),
    ];
    let below = Rect {
        x: inner.x + 1,
        y: inner.y + 1,
        width: inner.width.saturating_sub(1),
        height: inner.height.saturating_sub(1),
    };
    let wrong = wrong.map(|line| (line, Role::Error));
    draw_lines(
        pen,
        below,
        wrong.chain(lines.map(|line| (line, Role::Hint))),
    );
}

fn draw_table(page: &SweepPage, pen: &mut Pen, area: Rect) {
    let title = page
        .of
        .as_ref()
        .map_or("variants".to_owned(), |of| of.spec.to_string());
    let room = usize::from(area.width.saturating_sub(4));
    let title = text::fit(&pen.glyphs.text(&title), room, pen.glyphs.ellipsis);
    let inner = pen.frame(area, &title, true);
    let Some((known, _)) = shown(page) else {
        return;
    };
    let words = |variant: usize| match variant {
        0 => Role::Dim,
        _ => Role::Text,
    };
    let rows = table::Rows {
        words: Some(&words),
        chosen: Some(page.variant),
        target: Some(|variant| Target::new(VariantTarget(variant))),
        ..table::Rows::default()
    };
    table::draw(pen, inner, &table_of(known), &rows);
    let note = text::fit(&pen.glyphs.text(&remark(known)), room, pen.glyphs.ellipsis);
    pen.frame_note(area, area.bottom() - 1, &note, Role::Dim);
}

/// Explains what the page shows, for the help.
pub fn legend(pen: &Pen, width: usize) -> Vec<Vec<(String, Role)>> {
    let words = [
        (
            "built-in",
            Role::Text,
            "the control: the algorithm with those options that name nothing that is varied. Every variant is compared with it on the same positions",
        ),
        (
            "band",
            Role::Text,
            "the interval of the difference from the control, at 95 % for all variants together: the more are tried, the wider each is (Bonferroni)",
        ),
        (
            "verdict",
            Role::Text,
            "the best of many looks better than it is, so it is chosen on the positions with odd numbers and judged on the others",
        ),
        (
            "judges",
            Role::Text,
            "solved: the best move is found; points: those of c0; belief: CRPS, less is better; loss: points of the game that the move gives away by a deep alpha-beta; audit: audited prunes that were wrong; match: games against what is built in",
        ),
    ];
    page_legend(pen, "The Lab's page on sweeps", &words, width)
}
