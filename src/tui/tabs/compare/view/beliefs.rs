//! Draws what the columns think of the selected move on one value axis, one under the other, and their distributions on top of
//! each other.

use ::chart::{Axis, Chart, curve};
use ratatui::layout::Rect;

use super::{LOOK, columns, is_on_axis, numbers, scale};
use crate::context::Context;
use crate::tabs::compare::{Compare, letter, role};
use crate::views::facts::Facts;
use crate::views::ticks::ticks;
use ::chart::value::Style;
use belief::Grid;
use game::Game;
use report::axis::{Rules, plotted};
use report::lens::{Given, Scores};
use screen::pen::Pen;
use screen::theme::Role;
use screen::widgets::chart;
use session::{NodeBelief, Reader, Source};
use studies::compare::{MergedCell, MergedRow};

/// The heights of the curves' letters, which differ so that equal curves do not hide each other's letter.
const HEIGHTS: [f64; 4] = [0.8, 0.6, 0.4, 0.2];

pub(super) fn draw(
    compare: &Compare,
    cx: &Context,
    pen: &mut Pen,
    inner: Rect,
    row: Option<&MergedRow>,
) {
    let Some((row, running)) = row.zip(cx.columns.comparison()) else {
        return;
    };
    let merged = running.merged(None);
    let scores = scores(compare, cx);
    let numbers = numbers(cx, pen);
    let known: Vec<_> = row
        .cells
        .iter()
        .enumerate()
        .filter_map(|(column, cell)| Some((column, cell.as_ref()?, merged.reader(column)?)))
        .filter(|(_, _, reader)| is_on_axis(reader, &merged))
        .collect();
    if known.is_empty() {
        let text = "no column has looked at this move";
        pen.put(inner.x + 1, inner.y, inner.right(), text, Role::Dim);
        return;
    }
    /// The columns before the axis: a letter and a value.
    const BEFORE: u16 = 11;
    let line = |y: u16, height: u16| Rect {
        x: inner.x + 1 + BEFORE,
        y,
        width: inner.width.saturating_sub(BEFORE + 2),
        height,
    };
    let grid = known[0].2.tree.grid();
    scale(compare, cx, &numbers, grid, Rules::default()).heading(pen, line(inner.y, 1));
    let count = known.len() as u16;
    let room = inner.height.saturating_sub(1);
    let height = (room / count.max(1)).clamp(1, 3);
    for (place, (column, cell, reader)) in known.iter().enumerate() {
        let y = inner.y + 1 + place as u16 * height;
        if y + height > inner.bottom() {
            break;
        }
        let plotted = plotted(reader, &cell.view, cell.belief.as_ref(), &scores);
        let facts = scores.seen(Facts {
            view: cell.view,
            belief: cell.belief.clone(),
            ahead: false,
            illegal: false,
        });
        let bottom = y + height - 1;
        let name = letter(*column).to_string();
        pen.put(inner.x + 1, bottom, inner.right(), &name, role(*column));
        let end = inner.x + BEFORE;
        pen.put_right(inner.x + 2, bottom, end, &numbers.mean(&facts), Role::Text);
        let best = compare.rules(cx, *column);
        let shown = scale(compare, cx, &numbers, reader.tree.grid(), best);
        shown.row(
            pen,
            line(y, height),
            &plotted,
            role(*column),
            facts.view.proof,
        );
    }
    let used = 1 + count * height;
    let rest = Rect {
        y: inner.y + used,
        height: inner.height.saturating_sub(used),
        ..inner
    };
    // The distributions on top of each other, where there is room.
    if rest.height >= 7 {
        curves(compare, cx, pen, rest, &known, &scores);
    }
}

/// Draws the columns' distributions on top of each other.
fn curves(
    compare: &Compare,
    cx: &Context,
    pen: &mut Pen,
    area: Rect,
    known: &[(usize, &MergedCell, &Reader)],
    scores: &Scores,
) {
    let axis = Axis::new(compare.span.low.into(), compare.span.high.into());
    let densities = cx.explore.tree.axis.style == Style::Density;
    let mut series = columns(compare);
    for (column, cell, reader) in known {
        let Some(belief) = scores.seen(cell.belief.clone()) else {
            continue;
        };
        let (points, height) = curve(densities, *column, &belief, reader.tree.grid(), &axis);
        series[*column].points = points;
        series[*column].letter_at(height);
    }
    let ticks = ticks(&axis, &numbers(cx, pen));
    let chart = Chart {
        x: axis.with(ticks),
        series,
        ..Chart::default()
    };
    chart::draw(&chart, LOOK, pen, area);
}

/// Returns how the selected move's beliefs are shown, which the side that plays it gives.
fn scores(compare: &Compare, cx: &Context) -> Scores {
    let root = cx.subject.position.turn();
    let path = compare.outline.selected_path();
    let given = Given::after(path.len(), root);
    cx.lens.scores(cx.scale(), given)
}

/// Returns the points of a column's curve, and the height at which its letter is.
fn curve(
    densities: bool,
    column: usize,
    belief: &NodeBelief,
    grid: &Grid,
    axis: &Axis,
) -> (Vec<(f64, f64)>, f64) {
    let height = HEIGHTS[column % HEIGHTS.len()];
    match (densities, belief.source) {
        (false, _) => (curve::cumulative(&belief.density, grid, axis), height),
        (true, Source::Stored) => (curve::density(&belief.density, grid, axis), 1.0),
        (true, _) => (curve::bars(&belief.density, grid, axis), 1.0),
    }
}
