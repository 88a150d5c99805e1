//! Draws the measured changes of score as bands by depth, with the families' margins above them.

use ::chart::{Axis, Band, Chart, Series};
use ratatui::layout::Rect;

use super::margins::state;
use super::{LABELS, apart, depths, draw_chart, draw_lines, frame, heights};
use crate::context::Context;
use crate::tabs::lab::{LabTab, role_of};
use crate::views::bar::key_of_command;
use depth_first::margin::{FAMILIES, Margin};
use lab::{DepthChange, Origin, Tested};
use screen::pen::Pen;
use screen::theme::Role;

/// Returns the sign of the changes that the rule bets on, which are drawn upwards.
fn direction(lab: &LabTab) -> f64 {
    let tested = lab.known.as_ref().map(|k| k.findings.tested);
    tested.unwrap_or(lab.tested).direction()
}

/// Returns the quantiles by ascending share in the direction of the bet.
fn quantiles(d: &DepthChange, direction: f64) -> [f64; 7] {
    let mut turned = d.quantiles.map(|q| q * direction);
    if direction < 0.0 {
        turned.reverse();
    }
    turned
}

pub fn draw(lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect) {
    let title = match lab.origin {
        Origin::Static => "change of score from the static value by depth, centipawns",
        Origin::Quiescence => "change of score from quiescence by depth, centipawns",
    };
    let inner = frame(pen, area, title, state(lab, cx));
    draw_law(lab, pen, area);
    let chart = chart(lab, inner.height);
    draw_chart(pen, inner, &chart, &role, Some(lab.family));
    if lab.known.is_none() {
        draw_invitation(lab, cx, pen, inner);
    }
}

/// The places of the quantiles' colours, after those of the families.
const INSIDE: usize = FAMILIES.len();
const EDGE: usize = INSIDE + 1;

fn role(place: usize) -> Role {
    match place {
        INSIDE => Role::Density,
        EDGE => Role::Dim,
        _ => role_of(place),
    }
}

/// Returns the quantiles as bands, with straight lines between depths, and the families' margins above them.
fn chart(lab: &LabTab, rows: u16) -> Chart {
    let changes = lab.changes().map_or(&[][..], |c| &c.depths);
    let deepest = changes.last().map_or(lab.depth, |d| d.depth).max(1);
    let (direction, last) = (direction(lab), f64::from(deepest));
    let turned = changes
        .iter()
        .map(|d| (f64::from(d.depth), quantiles(d, direction)));
    // At depth 0 nothing has changed.
    let known: Vec<(f64, [f64; 7])> = [(0.0, [0.0; 7])].into_iter().chain(turned).collect();
    let band = |low: usize, high: usize, sparse, place| Band {
        place,
        sparse,
        ranges: known.iter().map(|(x, q)| (*x, q[low], q[high])).collect(),
    };
    let curve = |(place, margin): (usize, &Margin)| Series {
        letter: FAMILIES[place].letter,
        place,
        points: (0..=100)
            .map(|i| f64::from(i) / 100.0 * last)
            .map(|x| (x, margin.formula().value(x)))
            .collect(),
        ..Series::default()
    };
    // The outermost quantiles may be outside, since margins and 95 % matter most.
    let margins = lab.margins.iter().map(|m| m.formula().value(last));
    let high = margins
        .chain(known.iter().map(|k| k.1[5]))
        .fold(100.0, f64::max);
    let low = known.iter().map(|k| k.1[1]).fold(-high / 8.0, f64::min) * 1.05;
    let label = |cp: f64| match cp {
        0.0 => "0".to_owned(),
        _ => format!("{cp:+.0}").replace('-', "−"),
    };
    let series: Vec<Series> = lab.margins.iter().enumerate().map(curve).collect();
    Chart {
        x: Axis::new(0.0, last).with(depths(0..=deepest)),
        y: heights(&series, low.max(-high), high, rows, label),
        series: apart(series),
        bands: vec![
            band(1, 5, 6, INSIDE),
            band(2, 4, 2, INSIDE),
            band(0, 0, 2, EDGE),
            band(6, 6, 2, EDGE),
        ],
        level: Some(0.0),
        ..Chart::default()
    }
}

/// Draws the law of the spread on the lower edge, in the longest form that fits.
fn draw_law(lab: &LabTab, pen: &mut Pen, area: Rect) {
    let Some(changes) = lab.changes() else {
        return;
    };
    let exponent = |i: usize| {
        let b = changes.spreads[i].exponent?;
        let error = b.error.map_or_else(String::new, |e| format!("±{e:.2}"));
        Some(format!(
            "{} ~ d^{:.2}{error}",
            changes.spreads[i].name, b.value
        ))
    };
    let law = changes
        .variance
        .map(|v| format!("a random walk's σ {:.0} a ply", v.sqrt()));
    let n = changes.depths.first().map(|d| format!("{} positions", d.n));
    let parts: Vec<String> = [exponent(0), exponent(2), law, n]
        .into_iter()
        .flatten()
        .collect();
    let room = usize::from(area.width).saturating_sub(6);
    let shown = (1..=parts.len())
        .rev()
        .map(|k| pen.glyphs.text(&parts[..k].join(" · ")));
    if let Some(note) = { shown }.find(|s| text::width(s) + 2 <= room) {
        pen.put(
            area.x + 2,
            area.bottom() - 1,
            area.right() - 2,
            &format!(" {note} "),
            Role::Dim,
        );
    }
}

/// Draws which keys start an experiment.
fn draw_invitation(lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect) {
    let key = |id| key_of_command(cx, id);
    let what = match lab.tested {
        Tested::ReverseFutility => "fall",
        _ => "rise",
    };
    let lines = [
        format!(
            "{} measures how far scores {what} with depth",
            key("lab-run")
        ),
        format!(
            "{} fits the margins to it, {} uses the chosen one in Explore",
            key("lab-fit"),
            key("lab-use")
        ),
    ];
    let below = Rect {
        x: area.x + LABELS + 1,
        width: area.width.saturating_sub(LABELS + 2),
        ..area
    };
    draw_lines(
        pen,
        below,
        lines.map(|line| (format!(" {line} "), Role::Hint)),
    );
}
