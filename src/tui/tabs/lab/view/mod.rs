//! Draws the Lab tab: the pages with their questions, what will happen and what came out last time, and the page.

mod chart;
pub mod depths;
pub mod differential;
mod header;
pub mod margins;
pub mod questions;
pub mod spread;
pub mod sweep;

use ::chart::{Axis, Chart, Series, round_step, rounds};
use ratatui::layout::Rect;

use crate::context::Context;
use crate::tabs::TabScreen;
use crate::tabs::lab::LabTab;
use screen::pen::{Line, Pen};
use screen::theme::Role;
use screen::widgets::{self, chart::Look};
use session::jobs::JobState;

/// The least height of a chart with its frame.
const CHART: u16 = 7;

/// The width of the labels left of a chart.
const LABELS: u16 = 6;

/// Draws the chart of a page, with the place of the chosen curve.
fn draw_chart(
    pen: &mut Pen,
    inner: Rect,
    chart: &Chart,
    role: &dyn Fn(usize) -> Role,
    chosen: Option<usize>,
) {
    let look = Look {
        labels: LABELS,
        legend: false,
        dashed: true,
        chosen,
        ..Look::plain(role)
    };
    let area = Rect {
        width: inner.width.saturating_sub(1),
        ..inner
    };
    widgets::chart::draw(chart, look, pen, area);
}

/// Returns the axis of heights from `bottom` to a little above the highest point, or above `least` if that is higher, for a
/// chart of this many rows.
fn heights(
    series: &[Series],
    bottom: f64,
    least: f64,
    rows: u16,
    label: fn(f64) -> String,
) -> Axis {
    let heights = series.iter().flat_map(|s| &s.points).map(|p| p.1);
    let range = (1.08 * (heights.fold(least, f64::max) - bottom)).max(1e-6);
    let room = (f64::from(rows) - 1.0) / 2.0;
    let step = round_step(range / room.clamp(4.0, 8.0));
    let ticks = rounds(bottom, bottom + range, step);
    Axis::new(bottom, bottom + range).with(ticks.map(|x| (x, label(x))).collect())
}

/// Returns the series with their letters apart from each other.
fn apart(series: Vec<Series>) -> Vec<Series> {
    let n = series.len();
    let series = series.into_iter().enumerate();
    series
        .map(|(i, series)| series.lettered_apart(i, n))
        .collect()
}

/// Returns the ticks of an axis of depths.
fn depths<D: Into<f64> + ToString + Copy>(all: impl IntoIterator<Item = D>) -> Vec<(f64, String)> {
    let all = all.into_iter();
    all.map(|depth| (depth.into(), depth.to_string())).collect()
}

/// Draws the whole tab.
pub fn draw(lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect) {
    let height = header::draw(lab, cx, pen, area);
    let page = Rect {
        y: area.y + height,
        height: area.height - height,
        ..area
    };
    lab.page.screen().draw(lab, cx, pen, page);
}

/// Divides a page into the area of its chart and one of this height for the figures below it. The chart gets at least what it
/// needs; a small screen shows one of the two.
fn divide(lab: &LabTab, cx: &Context, area: Rect, figures: u16) -> (Rect, Rect) {
    let height = match (cx.small.on, lab.part(cx)) {
        (false, _) => figures.min(area.height.saturating_sub(CHART)),
        (true, 0) => 0,
        (true, _) => area.height,
    };
    let upper = Rect {
        height: area.height - height,
        ..area
    };
    let lower = Rect {
        y: upper.bottom(),
        height,
        ..area
    };
    (upper, lower)
}

/// Returns how far the experiment that is shown is, in steps of a unit; `None` before the start.
fn state(lab: &LabTab, cx: &Context, doing: &str, unit: &str) -> Option<(Role, String)> {
    let (state, done, all) = lab.job()?.progress();
    Some(match state {
        JobState::Running if cx.timeless => (Role::Running, doing.to_owned()),
        JobState::Running => (Role::Running, format!("{doing}, {done} of {all}{unit}")),
        JobState::Done => (Role::Finished, "done".to_owned()),
        JobState::Stopped => (Role::Paused, "stopped".to_owned()),
    })
}

/// Draws a frame with what an experiment is doing, and returns its inside.
fn frame(pen: &mut Pen, area: Rect, title: &str, state: Option<(Role, String)>) -> Rect {
    let inner = pen.frame(area, title, false);
    if let Some((role, words)) = state {
        pen.frame_note(area, area.y, &words, role);
    }
    inner
}

/// Draws lines, each in one row.
fn draw_lines(pen: &mut Pen, area: Rect, lines: impl IntoIterator<Item = (String, Role)>) {
    let room = usize::from(area.width.saturating_sub(1));
    for ((line, role), y) in lines.into_iter().zip(area.y..area.bottom()) {
        let line = text::fit(&pen.glyphs.text(&line), room, pen.glyphs.ellipsis);
        pen.put(area.x, y, area.right(), &line, role);
    }
}

/// The help on a page: a heading, and what each sign or word means, wrapped beside it.
fn page_legend<W: AsRef<str>>(
    pen: &Pen,
    heading: &str,
    words: &[(&str, Role, W)],
    width: usize,
) -> Vec<Line> {
    let mut lines = vec![vec![(heading.to_owned(), Role::Heading)]];
    for (name, role, what) in words {
        let what = pen.glyphs.text(what.as_ref());
        let parts = text::wrap(&what, width.saturating_sub(10)).into_iter();
        lines.extend(parts.enumerate().map(|(n, part)| {
            let name = if n == 0 { name } else { "" };
            vec![(format!("  {name:<7} "), *role), (part, Role::Hint)]
        }));
    }
    lines
}
