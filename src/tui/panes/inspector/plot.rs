//! The inspector's plot: the node's distribution, its children's behind it, and its window.

use ratatui::layout::Rect;

use super::content::Content;
use crate::belief::Density;
use crate::game::{Scale, Score};
use crate::tree::Window;
use crate::tui::pen::Pen;
use crate::tui::theme::Role;
use crate::tui::views::facts::Numbers;
use crate::tui::widgets::{Curve, Plot, Span};

pub(super) fn draw(pen: &mut Pen, area: Rect, content: &Content, numbers: &Numbers) {
    let inner = Rect {
        x: area.x + 1,
        width: area.width.saturating_sub(2),
        ..area
    };
    let span = content.span();
    let mut plot = Plot {
        span,
        ticks: ticks(span, numbers),
        curves: Vec::new(),
        lines: Vec::new(),
    };
    let (grid, belief) = (&content.grid, content.facts.belief.as_ref());
    if let Some(b) = belief {
        plot.curves
            .push(Curve::density(&b.density, grid, span, Role::Density));
    }
    for density in content.shown_children().rev() {
        plot.curves
            .push(Curve::cumulative(density, grid, span, Role::Children));
    }
    if let Some(b) = belief {
        plot.curves
            .push(Curve::cumulative(&b.density, grid, span, Role::Cumulative));
    }
    if let Some(w) = content.facts.view.window {
        plot.lines = window_lines(content, w);
    }
    plot.draw(pen, inner);
}

/// Returns round scores along the axis, about four of them.
pub(in crate::tui) fn ticks(span: Span, numbers: &Numbers) -> Vec<(f32, String)> {
    let unit = match numbers.scale {
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
    fn span(&self) -> Span {
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
        let window = window.flat_map(|w| window_lines(self, *w)).map(|(e, _)| e);
        Span::around(mass.chain(replies).chain(window))
    }
}

/// Returns alpha and beta on the axis, if the search had a window that is bounded at that end.
fn window_lines(content: &Content, w: Window) -> Vec<(f32, &'static str)> {
    let scale = content.scale;
    let open = |s: Score| s <= Score::LOSS || s >= Score::WIN;
    [(w.alpha, "α"), (w.beta, "β")]
        .into_iter()
        .filter(|(s, _)| !open(*s))
        .map(|(s, name)| (scale.expected(s), name))
        .collect()
}
