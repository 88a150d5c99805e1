//! Draws the score and the best move over the nodes spent: one line per column.

use ::chart::{Axis, Chart, Shape};
use ratatui::layout::Rect;

use super::{LOOK, columns, numbers};
use crate::context::Context;
use crate::tabs::compare::{Compare, role};
use crate::views::ticks::ticks;
use game::MoveCode;
use screen::pen::Pen;
use screen::theme::Role;
use screen::widgets::chart::{self, Frame, Look};
use session::Point;
use tree::Tree;

/// The width of the score labels at the left.
const LABELS: u16 = 9;
/// The largest number of changes of the best move that are written, the last ones of a column.
const CHANGES: usize = 12;

/// Returns the axis of nodes; `None` if there are no points yet.
fn nodes_axis(series: &[Course], linear: bool) -> Option<Axis> {
    let nodes = || series.iter().flat_map(|s| s.points.iter().map(|p| p.nodes));
    let high = nodes().max()? as f64;
    // The first nodes tell little and would take much room on a logarithmic axis.
    let low = if linear { 0.0 } else { (high / 1e4).max(1.0) };
    let values: Vec<f64> = match linear {
        true => (1..=4).map(|i| high * f64::from(i) / 4.0).collect(),
        false => {
            let powers = (0..12).map(|power| 10f64.powi(power));
            let within = powers.filter(|nodes| (low..=high).contains(nodes));
            within.chain([high]).collect()
        }
    };
    let tick = |nodes: f64| (nodes, text::count(nodes as u64));
    let axis = Axis {
        logarithmic: !linear,
        ..Axis::new(low, high)
    };
    (high > low).then(|| axis.with(values.into_iter().map(tick).collect()))
}

/// One column's points.
struct Course {
    column: usize,
    points: Vec<Point>,
    /// Where the best move changed, and to which move.
    changes: Vec<(u64, f32, String)>,
}

pub(super) fn draw(compare: &Compare, cx: &Context, pen: &mut Pen, inner: Rect) {
    let courses = courses(cx);
    let Some(nodes) = nodes_axis(&courses, compare.linear) else {
        let words = "no values yet";
        pen.put(inner.x + 1, inner.y, inner.right(), words, Role::Dim);
        return;
    };
    let scores = courses.iter().flat_map(|s| {
        let seen = s.points.iter().filter(|p| p.nodes as f64 >= nodes.low);
        seen.filter_map(|p| p.expected)
    });
    let heights = Axis::around(scores);
    let ticks = ticks(&heights, &numbers(cx, pen));
    let mut series = columns(compare);
    for course in &courses {
        let series = &mut series[course.column];
        let known = course.points.iter();
        let known = known.filter_map(|p| Some((p.nodes as f64, p.expected?.into())));
        series.points = known.collect();
        // The letter is at the end of the line.
        let end = series.points.last().map_or(0.0, |p| nodes.share(p.0));
        let at = (end - 0.01 * (1 + course.column) as f64).max(0.0);
        (series.shape, series.letters) = (Shape::Steps, vec![nodes.at(at)]);
    }
    let chart = Chart {
        x: nodes,
        y: heights.with(ticks),
        series,
        ..Chart::default()
    };
    let look = Look {
        labels: LABELS,
        ..LOOK
    };
    if let Some(frame) = chart::draw(&chart, look, pen, inner) {
        name_changes(pen, &frame, &courses);
    }
}

fn courses(cx: &Context) -> Vec<Course> {
    let faces = cx.faces();
    let known = faces.iter().enumerate();
    let series = known.filter_map(|(column, face)| {
        let face = (*face)?;
        let mut points = face.progress();
        let reader = face.reader();
        let mut changes = Vec::new();
        let mut best = MoveCode::NONE;
        // The side to move at the root gives the values.
        let scores = cx.lens.at(&reader, Tree::ROOT);
        for point in &mut points {
            point.expected = scores.seen(point.expected);
        }
        for point in &points {
            let Some(expected) = point.expected.filter(|_| point.best != best) else {
                continue;
            };
            best = point.best;
            let name = text::sanitise(&reader.label(Tree::ROOT, best));
            changes.push((point.nodes, expected, name));
        }
        let first = changes.len().saturating_sub(CHANGES);
        changes.drain(..first);
        Some(Course {
            column,
            points,
            changes,
        })
    });
    series.collect()
}

/// Writes the best move where it changes, the newest changes first, wherever the space is free.
fn name_changes(pen: &mut Pen, frame: &Frame, courses: &[Course]) {
    let canvas = frame.area;
    let mut taken: Vec<Rect> = Vec::new();
    for series in courses {
        for (nodes, expected, name) in series.changes.iter().rev() {
            let name = pen.glyphs.text(name);
            let width = text::width(&name) as u16;
            if width == 0 || width + 1 > canvas.width {
                continue;
            }
            let x = frame.column(*nodes as f64).min(canvas.right() - width);
            let y = frame.row((*expected).into());
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
