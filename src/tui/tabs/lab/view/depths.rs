//! Draws the page on values by depth: the CRPS of the belief and of its control, and below it the figures by depth.

use ratatui::layout::Rect;

use super::curves::{Chart, Curve};
use super::page_legend;
use crate::app::App;
use crate::pen::Pen;
use crate::tabs::lab::depths::Shown;
use crate::tabs::lab::role_of;
use crate::text;
use crate::theme::Role;
use crate::views::bar::key_of_command;
use belief::score::LEVELS;
use lab::searched::{Fitted, Judged, OfDepth};
use report::number;
use session::jobs::JobState;

/// The curves: letter, place among the colours, and meaning.
const CURVES: [(char, usize, &str); 2] = [
    ('B', 0, "the fitted belief"),
    ('C', 1, "control: the same values, one width"),
];
/// How far a coverage may be off before it is marked.
const OFF: f64 = 0.03;
/// The least height of the chart with its frame.
const CHART: u16 = 8;

/// Draws the page.
pub fn draw(app: &App, pen: &mut Pen, area: Rect) {
    let depths = known(app).map_or(usize::from(app.lab.depths.depth) + 1, |f| f.depths.len());
    // The depths, their heading and the frame; the chart gets the rest. On a small screen every second depth must do.
    let stride = match area.height.saturating_sub(CHART) < depths as u16 + 3 {
        true => 2,
        false => 1,
    };
    let (stride, figures) = match (app.small.on, app.tab.screen().part(app)) {
        (false, _) => {
            let rows = depths.div_ceil(stride) as u16 + 3;
            (stride, rows.min(area.height.saturating_sub(CHART)))
        }
        (true, 0) => (1, 0),
        (true, _) => (1, area.height),
    };
    let upper = Rect {
        height: area.height - figures,
        ..area
    };
    let lower = Rect {
        y: upper.bottom(),
        height: figures,
        ..area
    };
    let inner = pen.frame(upper, "error (CRPS) by depth", false);
    if let Some((role, words)) = state(app) {
        pen.frame_note(upper, upper.y, &words, role);
    }
    match known(app) {
        Some(fitted) => draw_chart(fitted, pen, inner),
        None => draw_invitation(app, pen, inner),
    }
    draw_table(app, pen, lower, stride);
}

/// Returns why nothing could be measured, if so.
fn fault(app: &App) -> Option<&str> {
    app.lab.depths.run.known.as_ref()?.fault.as_deref()
}

fn known(app: &App) -> Option<&Fitted> {
    app.lab.depths.run.known.as_ref()?.fitted.as_deref()
}

/// Returns the progress; `None` before the start.
fn state(app: &App) -> Option<(Role, String)> {
    let page = &app.lab.depths;
    if fault(app).is_some() {
        return Some((Role::Error, "nothing measured".to_owned()));
    }
    let (course, done, all) = page.run.progress()?;
    Some(match course {
        JobState::Running if app.timeless => (Role::Running, "running".to_owned()),
        JobState::Running => (Role::Running, format!("running, {done} of {all} positions")),
        JobState::Done => (Role::Finished, "done".to_owned()),
        JobState::Stopped => (Role::Paused, "stopped".to_owned()),
    })
}

fn draw_chart(fitted: &Fitted, pen: &mut Pen, inner: Rect) {
    let last = fitted.depths.last().map_or(1, |d| d.depth.max(1));
    let place = |at: &OfDepth| f64::from(at.depth) / f64::from(last);
    let marks = fitted
        .depths
        .iter()
        .map(|d| (place(d), d.depth.to_string()));
    let curve = |of: fn(&OfDepth) -> &Judged, which: usize| Curve {
        letter: CURVES[which].0,
        place: CURVES[which].1,
        points: fitted
            .depths
            .iter()
            .map(|d| (place(d), of(d).crps))
            .collect(),
    };
    let curves = vec![curve(|d| &d.fitted, 0), curve(|d| &d.constant, 1)];
    let least = curves.iter().flat_map(|c| &c.points).map(|p| p.1);
    let chart = Chart {
        marks: marks.collect(),
        // The curves are far from 0 and close to each other.
        bottom: 0.7 * least.fold(f64::INFINITY, f64::min),
        least_top: 0.0,
        decimals: 3,
        curves,
        chosen: None,
    };
    chart.draw(pen, inner);
    let mut x = inner.x + 1;
    for (letter, place, words) in CURVES {
        let words = format!(" {letter} {words} ");
        x = pen.put(x, inner.bottom(), inner.right(), &words, role_of(place)) + 1;
    }
}

/// Draws what is compared, and the keys that choose it.
fn draw_invitation(app: &App, pen: &mut Pen, inner: Rect) {
    if app.lab.depths.run.is_running() {
        return;
    }
    let room = usize::from(inner.width.saturating_sub(2));
    let key = |id| key_of_command(app, id);
    let faults = fault(app).map(|what| text::wrap(&text::harmless(what), room));
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
    let lines = faults.chain(lines.map(|line| (line, Role::Hint)));
    for ((line, role), y) in lines.zip(inner.y + 1..inner.bottom()) {
        let line = text::fit(&pen.glyphs.text(&line), room, pen.glyphs.ellipsis);
        pen.put(inner.x + 1, y, inner.right(), &line, role);
    }
}

/// A column of the table.
struct Column {
    head: &'static str,
    width: u16,
    cell: fn(&OfDepth) -> String,
}

fn crps(judged: &Judged) -> String {
    format!("{:.4}", judged.crps)
}

fn covered(judged: &Judged) -> String {
    let shares = judged.coverage.iter().map(|c| format!("{:.0}", 100.0 * c));
    shares.collect::<Vec<_>>().join("/")
}

const FIGURES: [Column; 6] = [
    Column {
        head: "depth",
        width: 6,
        cell: |d| d.depth.to_string(),
    },
    Column {
        head: "n",
        width: 6,
        cell: |d| d.fitted.n.to_string(),
    },
    Column {
        head: "belief",
        width: 8,
        cell: |d| crps(&d.fitted),
    },
    Column {
        head: "in use",
        width: 8,
        cell: |d| crps(&d.in_use),
    },
    Column {
        head: "control",
        width: 9,
        cell: |d| crps(&d.constant),
    },
    Column {
        head: "difference",
        width: 18,
        cell: |d| number::minus(&format!("{:+.4} ± {:.4}", d.gain.0, d.gain.1)),
    },
];
/// The width of a coverage.
const COVERAGE: u16 = 16;

fn draw_table(app: &App, pen: &mut Pen, area: Rect, stride: usize) {
    let title = "CRPS, and the shares of truths in the central 50/80/90 %";
    let inner = pen.frame(area, title, true);
    if let Some(fitted) = known(app) {
        let words = format!(
            "{}: fitted to {}, judged on {}",
            app.lab.depths.source, fitted.trained, fitted.held_out
        );
        if text::width(&words) + text::width(title) + 8 <= usize::from(area.width) {
            pen.frame_note(area, area.y, &words, Role::Dim);
        }
    }
    let width: u16 = FIGURES.iter().map(|c| c.width).sum();
    let rooms = inner.width.saturating_sub(width) / COVERAGE;
    let shown = match rooms {
        0 => &[][..],
        1 | 2 => std::slice::from_ref(&app.lab.depths.shown),
        _ => &Shown::ALL[..],
    };
    let mut x = inner.x;
    for column in &FIGURES {
        pen.put_right(x, inner.y, x + column.width, column.head, Role::Heading);
        x += column.width;
    }
    for which in shown {
        let head = match which {
            Shown::Fitted => "belief",
            Shown::InUse => "in use",
            Shown::Control => "control",
        };
        let head = format!("{head} %");
        pen.put_right(x, inner.y, x + COVERAGE, &head, Role::Heading);
        x += COVERAGE;
    }
    let Some(fitted) = known(app) else { return };
    for (i, at) in fitted.depths.iter().step_by(stride).enumerate() {
        let y = inner.y + 1 + i as u16;
        if y >= inner.bottom() {
            break;
        }
        draw_row(
            pen,
            Rect {
                y,
                height: 1,
                ..inner
            },
            at,
            shown,
        );
    }
}

fn draw_row(pen: &mut Pen, line: Rect, at: &OfDepth, shown: &[Shown]) {
    let mut x = line.x;
    for column in &FIGURES {
        let cell = pen.glyphs.text(&(column.cell)(at));
        pen.put_right(x, line.y, x + column.width, &cell, Role::Text);
        x += column.width;
    }
    for which in shown {
        let judged = match which {
            Shown::Fitted => &at.fitted,
            Shown::InUse => &at.in_use,
            Shown::Control => &at.constant,
        };
        let off = |(share, level): (&f64, f64)| (share - level).abs() > OFF;
        let off = judged.coverage.iter().zip(LEVELS).any(off);
        let (mark, role) = if off {
            ("!", Role::Warning)
        } else {
            ("", Role::Text)
        };
        let cell = format!("{}{mark}", covered(judged));
        pen.put_right(x, line.y, x + COVERAGE, &cell, role);
        x += COVERAGE;
    }
}

/// Explains what the page shows, for the help.
pub fn legend(pen: &Pen, width: usize) -> Vec<Vec<(String, Role)>> {
    let words = [
        (
            "CRPS",
            "the distance of a belief from the truth, in expected score: less is better. The truth is the label's verdict",
        ),
        (
            "belief",
            "fitted by this experiment to every second position, and judged on the others: its location and width depend on the depth, the value, the network's own belief, the phase, how far the value moved from the depth before, and what is pending",
        ),
        (
            "in use",
            "the belief that plyscope has, fitted by the same experiment to far more positions",
        ),
        (
            "control",
            "the same values, with the one width for the depth that is best on the first half. The difference is taken position by position, with its standard error",
        ),
        (
            "!",
            "a central interval of 50, 80 or 90 % holds more than three points too many or too few",
        ),
    ];
    page_legend(pen, "The Lab's page on values by depth", &words, width)
}
