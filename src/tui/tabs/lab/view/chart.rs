//! Draws the measured changes of score as bands by depth, with the families' margins above them.

use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::margins::state;
use crate::app::App;
use crate::pen::Pen;
use crate::tabs::lab::role_of;
use crate::text;
use crate::theme::Role;
use crate::views::bar::key_of_command;
use crate::widgets::Dash;
use crate::widgets::canvas::{Canvas, Dot};
use depth_first::margin::{FAMILIES, Formula};
use lab::{DepthChange, Origin, Tested};

/// The width of the labels at the left.
const LABELS: u16 = 6;

/// Converts depths and centipawns to places on the screen and to dots of a canvas.
#[derive(Clone, Copy)]
struct Axes {
    area: Rect,
    /// The last depth; the first one is 0.
    deepest: f64,
    low: f64,
    high: f64,
}

impl Axes {
    fn of(area: Rect, app: &App) -> Axes {
        let changes = app.lab.changes().map_or(&[][..], |c| &c.depths);
        let deepest = changes.last().map_or(app.lab.depth, |d| d.depth);
        let direction = direction(app);
        let last = f64::from(deepest);
        let margins = app.lab.margins.iter().map(|m| m.formula().value(last));
        let tops = changes.iter().map(|d| quantiles(d, direction)[5]);
        let bottoms = changes.iter().map(|d| quantiles(d, direction)[1]);
        // The outermost quantiles may be outside, since margins and 95 % matter most.
        let high = margins.chain(tops).fold(100.0, f64::max) * 1.1;
        let low = bottoms.fold(-high / 8.0, f64::min) * 1.05;
        Axes {
            area,
            deepest: last.max(1.0),
            low: low.max(-high),
            high,
        }
    }

    fn up(&self, cp: f64) -> f64 {
        (cp - self.low) / (self.high - self.low)
    }

    fn column(&self, depth: f64) -> u16 {
        let last = f64::from(self.area.width - 1);
        self.area.x + (depth / self.deepest * last).round().clamp(0.0, last) as u16
    }

    /// Returns the screen row; `None` outside the plot.
    fn row(&self, cp: f64) -> Option<u16> {
        let last = f64::from(self.area.height - 1);
        let up = self.up(cp);
        (0.0..=1.0)
            .contains(&up)
            .then(|| self.area.y + ((1.0 - up) * last).round() as u16)
    }

    /// Returns the dot of a height; negative and too large dots are outside the canvas.
    fn dot(&self, cp: f64, rows: usize) -> f64 {
        (self.up(cp) * (rows as f64 - 1.0)).round()
    }

    fn depth(&self, dot: usize, columns: usize) -> f64 {
        dot as f64 / (columns as f64 - 1.0).max(1.0) * self.deepest
    }
}

/// Returns the sign of the changes that the rule bets on, which are drawn upwards.
fn direction(app: &App) -> f64 {
    let tested = app.lab.known.as_ref().map(|k| k.findings.tested);
    tested.unwrap_or(app.lab.tested).direction()
}

/// Returns the quantiles by ascending share in the direction of the bet.
fn quantiles(d: &DepthChange, direction: f64) -> [f64; 7] {
    let mut turned = d.quantiles.map(|q| q * direction);
    if direction < 0.0 {
        turned.reverse();
    }
    turned
}

pub fn draw(app: &App, pen: &mut Pen, area: Rect) {
    let title = match app.lab.origin {
        Origin::Static => "change of score from the static value by depth, centipawns",
        Origin::Quiescence => "change of score from quiescence by depth, centipawns",
    };
    let inner = pen.frame(area, title, false);
    if let Some((role, state)) = state(app) {
        pen.frame_note(area, area.y, &state, role);
    }
    draw_law(app, pen, area);
    if inner.width < 20 || inner.height < 4 {
        return;
    }
    let axes = Axes::of(
        Rect {
            x: inner.x + LABELS,
            y: inner.y,
            width: inner.width - LABELS - 1,
            height: inner.height - 1,
        },
        app,
    );
    draw_labels(pen, inner, axes);
    let mut canvas = Canvas::new(axes.area, pen.glyphs.ascii);
    draw_bands(app, &mut canvas, axes);
    // The chosen family is drawn above the others.
    let mut order: Vec<usize> = (0..FAMILIES.len()).collect();
    order.sort_by_key(|&i| i == app.lab.family);
    for &i in &order {
        draw_margin(&mut canvas, axes, app.lab.margins[i].formula(), i);
    }
    canvas.draw(pen);
    for &i in &order {
        draw_letter(app, pen, axes, i);
    }
    if app.lab.known.is_none() {
        draw_invitation(app, pen, axes.area);
    }
}

/// Draws the law of the spread on the lower edge, in the longest form that fits.
fn draw_law(app: &App, pen: &mut Pen, area: Rect) {
    let Some(changes) = app.lab.changes() else {
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

/// Returns the smallest of 1, 2, 5, 10, ... times a power of ten that is at least this step.
pub(super) fn round_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|m| m * power);
    steps.into_iter().find(|s| *s >= rough).unwrap_or(rough)
}

fn draw_labels(pen: &mut Pen, inner: Rect, axes: Axes) {
    let y = axes.area.bottom();
    let mut free = axes.area.x;
    for depth in 0..=axes.deepest as u16 {
        let label = depth.to_string();
        let x = axes
            .column(f64::from(depth))
            .saturating_sub(label.len() as u16 - 1);
        if x >= free {
            pen.put(x, y, inner.right(), &label, Role::Axis);
            free = x + label.len() as u16 + 1;
        }
    }
    // Round numbers, about four of them.
    let rough = (axes.high - axes.low) / (f64::from(axes.area.height) / 2.0).clamp(4.0, 8.0);
    let step = round_step(rough);
    let first = (axes.low / step).ceil() as i64;
    let last = (axes.high / step).floor() as i64;
    for k in first..=last {
        let cp = k as f64 * step;
        let Some(row) = axes.row(cp) else { continue };
        let label = pen.glyphs.text(&format!("{cp:+.0}").replace('-', "−"));
        let label = if k == 0 { "0".to_owned() } else { label };
        pen.put_right(inner.x, row, axes.area.x - 1, &label, Role::Axis);
        if k == 0 {
            let style = pen.style(Role::Axis);
            for x in (axes.area.left()..axes.area.right()).step_by(2) {
                pen.char(x, row, pen.glyphs.dot, style);
            }
        }
    }
}

/// Draws the quantiles with straight lines between depths; at depth 0 nothing has changed.
fn draw_bands(app: &App, canvas: &mut Canvas, axes: Axes) {
    let Some(changes) = app.lab.changes() else {
        return;
    };
    let direction = direction(app);
    let mut known: Vec<(f64, [f64; 7])> = vec![(0.0, [0.0; 7])];
    known.extend(
        changes
            .depths
            .iter()
            .map(|d| (f64::from(d.depth), quantiles(d, direction))),
    );
    let (columns, rows) = canvas.size();
    let band = Dot {
        role: Role::Density,
        faint: true,
        mark: '.',
    };
    let edge = Dot {
        role: Role::Dim,
        faint: false,
        mark: ':',
    };
    for x in 0..columns {
        let depth = axes.depth(x, columns);
        let Some(pair) = known.windows(2).find(|p| depth <= p[1].0) else {
            break;
        };
        let share = (depth - pair[0].0) / (pair[1].0 - pair[0].0);
        let at = |q: usize| axes.dot(pair[0].1[q] + share * (pair[1].1[q] - pair[0].1[q]), rows);
        let mut fill = |low: f64, high: f64, sparse: usize| {
            let top = high.min(rows as f64 - 1.0);
            if top < 0.0 {
                return;
            }
            for y in low.max(0.0) as usize..=top as usize {
                if (x + 2 * y).is_multiple_of(sparse) {
                    canvas.set(x, y, band);
                }
            }
        };
        fill(at(1), at(5), 6);
        fill(at(2), at(4), 2);
        for q in [0, 6] {
            let y = at(q);
            if y >= 0.0 && x.is_multiple_of(2) {
                canvas.set(x, y as usize, edge);
            }
        }
    }
}

fn draw_margin(canvas: &mut Canvas, axes: Axes, formula: Formula, place: usize) {
    let (columns, rows) = canvas.size();
    let dot = Dot {
        role: role_of(place),
        faint: false,
        mark: FAMILIES[place].letter.to_ascii_lowercase(),
    };
    let dash = Dash::nth(place);
    let mut before: Option<f64> = None;
    for x in 0..columns {
        let y = axes.dot(formula.value(axes.depth(x, columns)), rows);
        let from = before.unwrap_or(y).min(y).max(0.0);
        before = Some(y);
        if y >= rows as f64 {
            break;
        }
        for step in from as usize..=y.max(0.0) as usize {
            if dash.sets(x + step) {
                canvas.set(x, step, dot);
            }
        }
    }
}

/// Draws the family's letter on its curve, at a different place for each family.
fn draw_letter(app: &App, pen: &mut Pen, axes: Axes, place: usize) {
    let formula = app.lab.margins[place].formula();
    let n = FAMILIES.len() as f64;
    let mut style = pen.style(role_of(place));
    if place == app.lab.family {
        style = style.add_modifier(Modifier::REVERSED);
    }
    for half in [0.45, 0.95] {
        let depth = axes.deepest * (half - 0.08 * (n - 1.0 - place as f64));
        if let Some(row) = axes.row(formula.value(depth)) {
            pen.char(axes.column(depth), row, FAMILIES[place].letter, style);
        }
    }
}

/// Draws which keys start an experiment.
fn draw_invitation(app: &App, pen: &mut Pen, area: Rect) {
    let key = |id| key_of_command(app, id);
    let what = match app.lab.tested {
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
    for (i, line) in lines.iter().enumerate() {
        let room = usize::from(area.width.saturating_sub(2));
        let line = text::fit(&pen.glyphs.text(line), room, pen.glyphs.ellipsis);
        let y = area.y + i as u16;
        if y < area.bottom() {
            pen.put(
                area.x + 1,
                y,
                area.right(),
                &format!(" {line} "),
                Role::Hint,
            );
        }
    }
}
