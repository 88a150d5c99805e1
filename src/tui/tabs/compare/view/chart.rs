//! Draws the score and the best move over the nodes spent: one line per column.

use ratatui::layout::Rect;

use super::{legend, numbers};
use crate::app::App;
use crate::panes::inspector::ticks;
use crate::pen::Pen;
use crate::tabs::compare::{letter, role};
use crate::text;
use crate::theme::Role;
use crate::widgets::{Curve, Plot, Span};
use game::MoveCode;
use session::Point;
use tree::Tree;

/// The width of the score labels at the left.
const LABELS: u16 = 9;
/// The largest number of changes of the best move that are written, the last ones of a column.
const CHANGES: usize = 12;

/// The axis of nodes.
#[derive(Clone, Copy)]
struct Axis {
    low: f64,
    high: f64,
    linear: bool,
}

impl Axis {
    fn of(series: &[Series], linear: bool) -> Option<Axis> {
        let nodes = || series.iter().flat_map(|s| s.points.iter().map(|p| p.nodes));
        let high = nodes().max()? as f64;
        // The first nodes tell little and would take much room on a logarithmic axis.
        let low = if linear { 0.0 } else { (high / 1e4).max(1.0) };
        (high > low).then_some(Axis { low, high, linear })
    }

    /// Returns the place of a node count on the axis: 0 at the left end, 1 at the right.
    fn share(self, nodes: f64) -> f32 {
        let share = if self.linear {
            (nodes - self.low) / (self.high - self.low)
        } else {
            (nodes.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        };
        share.clamp(0.0, 1.0) as f32
    }

    fn nodes(self, share: f64) -> f64 {
        if self.linear {
            self.low + share * (self.high - self.low)
        } else {
            self.low * (self.high / self.low).powf(share)
        }
    }

    fn ticks(self) -> Vec<(f32, String)> {
        let place = |nodes: f64| (self.share(nodes), text::count(nodes as u64));
        if self.linear {
            return (1..=4)
                .map(|i| place(self.high * f64::from(i) / 4.0))
                .collect();
        }
        let powers = (0..12).map(|power| 10f64.powi(power));
        let mut ticks: Vec<_> = powers
            .filter(|nodes| (self.low..=self.high).contains(nodes))
            .map(place)
            .collect();
        ticks.push(place(self.high));
        ticks
    }
}

/// One column's points.
struct Series {
    column: usize,
    points: Vec<Point>,
    /// Where the best move changed, and to which move.
    changes: Vec<(u64, f32, String)>,
}

pub(super) fn draw(app: &App, pen: &mut Pen, inner: Rect) {
    let series = all_series(app);
    let area = Rect {
        x: inner.x + LABELS,
        width: inner.width.saturating_sub(LABELS),
        ..inner
    };
    let Some(axis) = Axis::of(&series, app.compare.linear) else {
        pen.put(
            inner.x + 1,
            inner.y,
            inner.right(),
            "no values yet",
            Role::Dim,
        );
        return;
    };
    if area.width < 10 || area.height < 3 {
        return;
    }
    let scores = series.iter().flat_map(|s| {
        let seen = s.points.iter().filter(|p| p.nodes as f64 >= axis.low);
        seen.filter_map(|p| p.expected)
    });
    let heights = Span::around(scores);
    let plot = Plot {
        span: Span {
            low: 0.0,
            high: 1.0,
        },
        ticks: axis.ticks(),
        curves: series.iter().map(|s| curve(s, axis, heights)).collect(),
        lines: Vec::new(),
        legend: legend(app),
    };
    plot.draw(pen, area);
    let named = u16::from(area.height >= 5);
    let canvas = Rect {
        y: area.y + named,
        height: area.height - 1 - named,
        ..area
    };
    scores_at_the_left(app, pen, inner, canvas, heights);
    name_changes(pen, canvas, &series, axis, heights);
}

fn all_series(app: &App) -> Vec<Series> {
    let faces = app.faces();
    let known = faces.iter().enumerate();
    let series = known.filter_map(|(column, face)| {
        let face = (*face)?;
        let mut points = face.progress();
        let reader = face.reader();
        let mut changes = Vec::new();
        let mut best = MoveCode::NONE;
        // The side to move at the root gives the values.
        let scores = app.lens.at(&reader, Tree::ROOT);
        for point in &mut points {
            point.expected = scores.seen(point.expected);
        }
        for point in &points {
            let Some(expected) = point.expected.filter(|_| point.best != best) else {
                continue;
            };
            best = point.best;
            let name = text::harmless(&reader.label(Tree::ROOT, best));
            changes.push((point.nodes, expected, name));
        }
        let first = changes.len().saturating_sub(CHANGES);
        changes.drain(..first);
        Some(Series {
            column,
            points,
            changes,
        })
    });
    series.collect()
}

/// Returns a step function: a value holds until the next point.
fn curve(series: &Series, axis: Axis, heights: Span) -> Curve {
    let known: Vec<(f64, f32)> = series
        .points
        .iter()
        .filter_map(|p| Some((p.nodes as f64, p.expected?)))
        .collect();
    let end = known.last().map_or(0.0, |(nodes, _)| *nodes);
    let at = |i: usize| {
        let nodes = axis.nodes((i as f64 + 0.5) / Curve::POINTS as f64);
        let next = known.partition_point(|(n, _)| *n <= nodes);
        match next.checked_sub(1).and_then(|last| known.get(last)) {
            Some((_, e)) if nodes <= end * 1.02 => heights.share(*e),
            _ => f32::NAN,
        }
    };
    let points: Vec<f32> = (0..Curve::POINTS).map(at).collect();
    let mut curve = Curve::line(points, role(series.column));
    curve = curve.lettered(series.column, letter(series.column), f32::INFINITY);
    // The letter is at the end of the line rather than at its highest point.
    let last = axis.share(end) - 0.01 * (1 + series.column) as f32;
    curve.letter = Some((letter(series.column), last.max(0.0)));
    curve
}

fn scores_at_the_left(app: &App, pen: &mut Pen, inner: Rect, canvas: Rect, heights: Span) {
    let numbers = numbers(app, pen);
    let mut free = canvas.bottom();
    for (e, label) in ticks(heights, &numbers) {
        let up = heights.share(e) * f32::from(canvas.height - 1);
        let y = canvas.bottom() - 1 - (up.round() as u16).min(canvas.height - 1);
        if y < free {
            let label = pen.glyphs.text(&label);
            pen.put_right(inner.x, y, canvas.x - 1, &label, Role::Axis);
            free = y;
        }
    }
}

/// Writes the best move where it changes, the newest changes first, wherever the space is free.
fn name_changes(pen: &mut Pen, canvas: Rect, series: &[Series], axis: Axis, heights: Span) {
    let mut taken: Vec<Rect> = Vec::new();
    for series in series {
        for (nodes, expected, name) in series.changes.iter().rev() {
            let name = pen.glyphs.text(name);
            let width = text::width(&name) as u16;
            if width == 0 || width + 1 > canvas.width {
                continue;
            }
            let at = canvas.x + (axis.share(*nodes as f64) * f32::from(canvas.width)) as u16;
            let x = at.min(canvas.right() - width);
            let up = heights.share(*expected).clamp(0.0, 1.0) * f32::from(canvas.height - 1);
            let y = canvas.bottom() - 1 - up.round() as u16;
            let beside = [y.checked_sub(1), Some(y + 1), y.checked_sub(2), Some(y + 2)];
            let spots = beside.into_iter().flatten().map(|y| Rect {
                x,
                y,
                width,
                height: 1,
            });
            let mut free = spots.filter(|spot| {
                let apart = Rect {
                    x: spot.x.saturating_sub(1),
                    width: width + 2,
                    ..*spot
                };
                canvas.intersection(*spot) == *spot
                    && !taken.iter().any(|other| other.intersects(apart))
            });
            if let Some(spot) = free.next() {
                pen.put(spot.x, spot.y, canvas.right(), &name, role(series.column));
                taken.push(spot);
            }
        }
    }
}
