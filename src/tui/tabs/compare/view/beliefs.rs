//! Draws the columns' beliefs about the selected move on top of each other.

use ratatui::layout::Rect;

use super::{legend, numbers};
use crate::app::App;
use crate::panes::inspector::ticks;
use crate::pen::Pen;
use crate::tabs::compare::{letter, role};
use crate::theme::Role;
use crate::widgets::{Curve, Plot, Span};
use belief::Grid;
use game::Game;
use report::lens::{Given, Scores};
use session::{NodeBelief, Source};
use studies::compare::MergedRow;

/// The heights of the curves' letters, which differ so that equal curves do not hide each other's letter.
const HEIGHTS: [f32; 4] = [0.8, 0.6, 0.4, 0.2];

pub(super) fn draw(app: &App, pen: &mut Pen, inner: Rect, row: Option<&MergedRow>) {
    let Some((row, running)) = row.zip(app.compare.comparison()) else {
        return;
    };
    let merged = running.merged(None);
    let scores = scores(app);
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
    let span = Span::around(ends);
    let curves = shown
        .iter()
        .map(|(column, belief, grid)| curve(app.compare.densities, *column, belief, grid, span));
    let plot = Plot {
        span,
        ticks: ticks(span, &numbers(app, pen)),
        curves: curves.collect(),
        lines: Vec::new(),
        legend: legend(app),
    };
    plot.draw(pen, inner);
}

/// Returns how the selected move's beliefs are shown, which the side that plays it gives.
fn scores(app: &App) -> Scores {
    let root = app.subject.position.turn();
    let path = app.compare.outline.selected_path();
    let given = Given::after(path.len(), root);
    app.lens.scores(app.scale(), given)
}

fn curve(densities: bool, column: usize, belief: &NodeBelief, grid: &Grid, span: Span) -> Curve {
    let role = role(column);
    let (curve, height) = if !densities {
        let curve = Curve::cumulative(&belief.density, grid, span, role);
        (curve, HEIGHTS[column % HEIGHTS.len()])
    } else if belief.source == Source::Stored {
        (Curve::density(&belief.density, grid, span, role), 1.0)
    } else {
        (Curve::bars(&belief.density, grid, span, role), 1.0)
    };
    curve.lettered(column, letter(column), height)
}
