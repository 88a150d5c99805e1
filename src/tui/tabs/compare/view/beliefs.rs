//! Draws the columns' beliefs about the selected move on top of each other.

use ::chart::{Axis, Chart, curve};
use ratatui::layout::Rect;

use super::{LOOK, columns, numbers};
use crate::context::Context;
use crate::tabs::compare::Compare;
use crate::views::ticks::ticks;
use belief::Grid;
use game::Game;
use report::lens::{Given, Scores};
use screen::pen::Pen;
use screen::theme::Role;
use screen::widgets::chart;
use session::{NodeBelief, Source};
use studies::compare::MergedRow;

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
    let mut shown: Vec<(usize, NodeBelief, &Grid)> = Vec::new();
    for (column, cell) in row.cells.iter().enumerate() {
        let belief = cell.as_ref().and_then(|cell| cell.belief.as_ref());
        if let Some((belief, reader)) = belief.zip(merged.reader(column)) {
            let seen = scores.seen(belief.clone());
            shown.push((column, seen, reader.tree.grid()));
        }
    }
    if shown.is_empty() {
        let text = "no column has looked at this move";
        pen.put(inner.x + 1, inner.y, inner.right(), text, Role::Dim);
        return;
    }
    let ends = shown.iter().flat_map(|(_, belief, grid)| {
        [0.01, 0.99]
            .map(|p| belief.quantile(p, grid))
            .into_iter()
            .chain([belief.mean])
    });
    let axis = Axis::around(ends);
    let mut series = columns(compare);
    for (column, belief, grid) in &shown {
        let (points, height) = curve(compare.densities, *column, belief, grid, &axis);
        series[*column].points = points;
        series[*column].letter_at(height);
    }
    let ticks = ticks(&axis, &numbers(cx, pen));
    let chart = Chart {
        x: axis.with(ticks),
        series,
        ..Chart::default()
    };
    chart::draw(&chart, LOOK, pen, inner);
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
