//! Draws the page on values by depth: the CRPS of the belief and of its control, and below it the figures by depth.

use ::chart::{Axis, Chart, Series};
use ratatui::layout::Rect;

use super::{CHART, apart, depths, divide, draw_lines, frame, heights, page_legend, state};
use crate::context::Context;
use crate::tabs::lab::{LabTab, role_of};
use crate::views::bar::key_of_command;
use crate::views::table;
use lab::searched::{Fitted, Judged, OfDepth};
use report::lab::depths::by_depth;
use screen::pen::Pen;
use screen::theme::Role;

/// The curves: letter, place among the colours, and meaning.
const CURVES: [(char, usize, &str); 2] = [
    ('B', 0, "the fitted belief"),
    ('C', 1, "control: the same values, one width"),
];
/// Draws the page.
pub fn draw(lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect) {
    let depths = known(lab).map_or(usize::from(lab.depths.depth) + 1, |f| f.depths.len());
    // The depths, their heading and the frame; the chart gets the rest. On a small screen every second depth must do.
    let stride = match !cx.small.on && area.height.saturating_sub(CHART) < depths as u16 + 3 {
        true => 2,
        false => 1,
    };
    let (upper, lower) = divide(lab, cx, area, depths.div_ceil(stride) as u16 + 3);
    let state = match fault(lab) {
        Some(_) => Some((Role::Error, "nothing measured".to_owned())),
        None => state(lab, cx, "running", " positions"),
    };
    let inner = frame(pen, upper, "error (CRPS) by depth", state);
    match known(lab) {
        Some(fitted) => draw_chart(fitted, pen, inner),
        None => draw_invitation(lab, cx, pen, inner),
    }
    draw_table(lab, pen, lower, stride);
}

/// Returns why nothing could be measured, if so.
fn fault(lab: &LabTab) -> Option<&str> {
    lab.depths.run.known.as_ref()?.fault.as_deref()
}

fn known(lab: &LabTab) -> Option<&Fitted> {
    lab.depths.run.known.as_ref()?.fitted.as_deref()
}

fn draw_chart(fitted: &Fitted, pen: &mut Pen, inner: Rect) {
    let all = &fitted.depths;
    let curve = |of: fn(&OfDepth) -> &Judged, which: usize| Series {
        letter: CURVES[which].0,
        place: CURVES[which].1,
        points: { all.iter() }
            .map(|d| (d.depth.into(), of(d).crps))
            .collect(),
        ..Series::default()
    };
    let series = apart(vec![curve(|d| &d.fitted, 0), curve(|d| &d.constant, 1)]);
    let least = series.iter().flat_map(|c| &c.points).map(|p| p.1);
    // The curves are far from 0 and close to each other.
    let bottom = 0.7 * least.fold(f64::INFINITY, f64::min);
    let last = all.last().map_or(1, |d| d.depth.max(1));
    let label = |value| format!("{value:.3}");
    let chart = Chart {
        x: Axis::new(0.0, last.into()).with(depths(all.iter().map(|d| d.depth))),
        y: heights(&series, bottom, 0.0, inner.height, label),
        series,
        ..Chart::default()
    };
    super::draw_chart(pen, inner, &chart, &role_of, None);
    let mut x = inner.x + 1;
    for (letter, place, words) in CURVES {
        let words = format!(" {letter} {words} ");
        x = pen.put(x, inner.bottom(), inner.right(), &words, role_of(place)) + 1;
    }
}

/// Draws what is compared, and the keys that choose it.
fn draw_invitation(lab: &LabTab, cx: &Context, pen: &mut Pen, inner: Rect) {
    if lab.depths.run.is_running() {
        return;
    }
    let room = usize::from(inner.width.saturating_sub(2));
    let key = |id| key_of_command(cx, id);
    let faults = fault(lab).map(|what| text::wrap(&text::sanitise(what), room));
    let faults = faults.unwrap_or_default().into_iter();
    let lines = [
        "the control puts the best single width for the depth around the same values".to_owned(),
        format!(
            "{} the built-in labels, or those of the opened file",
            key("depths-positions")
        ),
        format!(
            "{} how many positions, {} and {} how deep",
            key("depths-count"),
            key("depths-shallower"),
            key("depths-deeper")
        ),
    ];
    let faults = faults.map(|line| (line, Role::Error));
    let below = Rect {
        x: inner.x + 1,
        y: inner.y + 1,
        width: inner.width.saturating_sub(1),
        height: inner.height.saturating_sub(1),
    };
    draw_lines(
        pen,
        below,
        faults.chain(lines.map(|line| (line, Role::Hint))),
    );
}

fn draw_table(lab: &LabTab, pen: &mut Pen, area: Rect, stride: usize) {
    let title = "CRPS, and the shares of truths in the central 50/80/90 %";
    let inner = pen.frame(area, title, true);
    let Some(fitted) = known(lab) else { return };
    let words = format!(
        "{}: fitted to {}, judged on {}",
        lab.depths.source, fitted.trained, fitted.held_out
    );
    if text::width(&words) + text::width(title) + 8 <= usize::from(area.width) {
        pen.frame_note(area, area.y, &words, Role::Dim);
    }
    let depths: Vec<OfDepth> = fitted.depths.iter().step_by(stride).copied().collect();
    let table = by_depth(&depths, lab.depths.shown as usize);
    table::draw(pen, inner, &table, &table::Rows::default());
}

/// Explains what the page shows, for the help.
pub fn legend(pen: &Pen, width: usize) -> Vec<Vec<(String, Role)>> {
    let words = [
        (
            "CRPS",
            Role::Text,
            "the distance of a belief from the truth, in expected score: less is better. The truth is the label's verdict",
        ),
        (
            "belief",
            Role::Text,
            "fitted by this experiment to every second position, and judged on the others: its location and width depend on the depth, the value, the network's own belief, the phase, how far the value moved from the depth before, and what is pending",
        ),
        (
            "in use",
            Role::Text,
            "the belief that plyscope has, fitted by the same experiment to far more positions",
        ),
        (
            "control",
            Role::Text,
            "the same values, with the one width for the depth that is best on the first half. The difference is taken position by position, with its standard error",
        ),
        (
            "!",
            Role::Text,
            "a central interval of 50, 80 or 90 % holds more than three points too many or too few",
        ),
    ];
    page_legend(pen, "The Lab's page on values by depth", &words, width)
}
