//! The inspector's plot: the node's distribution, its children's behind it, and its window.

use ratatui::layout::Rect;

use super::content::Content;
use crate::views::facts::Numbers;
use belief::Density;
use game::{Scale, Score};
use screen::pen::Pen;
use screen::theme::Role;
use screen::widgets::{Curve, Plot, Span};
use tree::Window;

/// Draws the plot; `words` say in which unit its axis is, and from whose view.
pub(super) fn draw(pen: &mut Pen, area: Rect, content: &Content, numbers: &Numbers, words: &str) {
    let inner = Rect {
        x: area.x + 1,
        width: area.width.saturating_sub(2),
        ..area
    };
    let span = content.span(numbers.scale());
    let mut plot = Plot {
        span,
        ticks: ticks(span, numbers),
        curves: Vec::new(),
        lines: Vec::new(),
        legend: Vec::new(),
    };
    let (grid, belief) = (&content.grid, content.facts.belief.as_ref());
    let spread = belief.filter(|b| b.is_distribution());
    if let Some(b) = spread {
        plot.curves
            .push(Curve::density(&b.density, grid, span, Role::Density));
        plot.legend.push(("density".to_owned(), Role::Density));
        plot.legend
            .push(("cumulative".to_owned(), Role::Cumulative));
    }
    if content.shown_children().next().is_some() {
        plot.legend.push(("replies".to_owned(), Role::Children));
    }
    plot.legend.push((words.to_owned(), Role::Axis));
    for density in content.shown_children().rev() {
        plot.curves
            .push(Curve::cumulative(density, grid, span, Role::Children));
    }
    if let Some(b) = spread {
        plot.curves
            .push(Curve::cumulative(&b.density, grid, span, Role::Cumulative));
    }
    if let Some(w) = content.facts.view.window {
        plot.lines = window_lines(numbers.scale(), w);
    }
    // A single value has no curve: it is one line on the axis.
    if let Some(b) = belief.filter(|b| !b.is_distribution()) {
        plot.lines.push((b.mean, numbers.mean(&content.facts)));
    }
    plot.draw(pen, inner);
}

/// Returns round scores along the axis, about four of them.
pub(crate) fn ticks(span: Span, numbers: &Numbers) -> Vec<(f32, String)> {
    if numbers.in_pawns_of_chess() {
        return pawns(span, numbers);
    }
    let unit = match numbers.scale() {
        Scale::Logistic => 1.0,
        Scale::Linear { range, .. } => range,
    };
    let (low, high) = (span.low * unit, span.high * unit);
    let step = round_step((high - low) / 4.0);
    let first = (low / step).ceil() as i32;
    let last = (high / step).floor() as i32;
    let name = |e: f32, i: i32| match i {
        0 => "0".to_owned(),
        _ => numbers.expected(e),
    };
    (first..=last)
        .map(|i| i as f32 * step / unit)
        .zip(first..)
        .map(|(e, i)| (e, name(e, i)))
        .collect()
}

/// Returns round numbers of pawns along the axis, apart from each other, which are not evenly spaced on it.
fn pawns(span: Span, numbers: &Numbers) -> Vec<(f32, String)> {
    /// In centipawns, the most important first.
    const ROUND: [i32; 11] = [0, 100, 200, 300, 500, 50, 1000, 150, 25, 75, 10];
    let apart = (span.high - span.low) / 7.0;
    let mut ticks: Vec<(f32, String)> = Vec::new();
    for cp in ROUND.into_iter().flat_map(|cp| [cp, -cp]) {
        let score = Score::new(cp);
        let e = numbers.scale().expected(score);
        let seen = (span.low..=span.high).contains(&e);
        if seen && ticks.iter().all(|(other, _)| (other - e).abs() >= apart) {
            let name = match cp {
                0 => "0".to_owned(),
                _ => numbers.score(score),
            };
            ticks.push((e, name));
        }
    }
    ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
    ticks
}

/// Returns the smallest of …, 1, 2, 5, 10, … that is at least a width.
fn round_step(width: f32) -> f32 {
    let power = 10f32.powf(width.max(1e-3).log10().floor());
    let rest = width / power;
    let step = match rest {
        ..=1.0 => 1.0,
        ..=2.0 => 2.0,
        ..=5.0 => 5.0,
        _ => 10.0,
    };
    step * power
}

impl Content {
    /// Returns the distributions drawn behind the node's own.
    fn shown_children(&self) -> impl DoubleEndedIterator<Item = &Density> {
        const SHOWN: usize = 6;
        self.children
            .iter()
            .take(SHOWN)
            .filter_map(|c| c.density.as_ref())
    }

    /// Returns the visible part of the axis: where the node's mass is, and its window.
    fn span(&self, scale: Scale) -> Span {
        let belief = self.facts.belief.iter();
        let mass = belief.flat_map(|b| {
            [
                b.quantile(0.002, &self.grid),
                b.quantile(0.998, &self.grid),
                b.mean,
            ]
        });
        let children = self.shown_children();
        let replies =
            children.flat_map(|d| [d.quantile(0.02, &self.grid), d.quantile(0.98, &self.grid)]);
        let window = self.facts.view.window.iter();
        let window = window.flat_map(|w| window_lines(scale, *w)).map(|(e, _)| e);
        Span::around(mass.chain(replies).chain(window))
    }
}

/// Returns alpha and beta on the axis, if the search had a window that is bounded at that end.
fn window_lines(scale: Scale, w: Window) -> Vec<(f32, String)> {
    let open = |s: Score| s <= Score::LOSS || s >= Score::WIN;
    [(w.alpha, "α"), (w.beta, "β")]
        .into_iter()
        .filter(|(s, _)| !open(*s))
        .map(|(s, name)| (scale.expected(s), name.to_owned()))
        .collect()
}
