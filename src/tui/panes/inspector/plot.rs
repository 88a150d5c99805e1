//! The inspector's plot: the node's distribution, its children's behind it, and its window.

use ::chart::{Axis, Chart, Series, Shape, curve, round_step, rounds};
use ratatui::layout::Rect;

use super::content::Content;
use crate::views::facts::Numbers;
use belief::Density;
use game::{Scale, Score};
use screen::pen::Pen;
use screen::theme::Role;
use screen::widgets::chart::{self, Look};
use tree::Window;

/// The series by their places: what each is called, and how it looks.
const SERIES: [(&str, Role); 3] = [
    ("density", Role::Density),
    ("cumulative", Role::Cumulative),
    ("replies", Role::Children),
];

/// Draws the plot; `words` say in which unit its axis is, and from whose view.
pub(super) fn draw(pen: &mut Pen, area: Rect, content: &Content, numbers: &Numbers, words: &str) {
    let inner = Rect {
        x: area.x + 1,
        width: area.width.saturating_sub(2),
        ..area
    };
    let axis = content.axis(numbers.scale());
    let x = axis.clone().with(ticks(&axis, numbers)).named(words);
    let series = |place: usize, letter, points| Series {
        name: SERIES[place].0.to_owned(),
        letter,
        place,
        points,
        ..Series::default()
    };
    let (grid, belief) = (&content.grid, content.facts.belief.as_ref());
    let spread = belief.filter(|b| b.is_distribution());
    let density = spread.map(|b| Series {
        shape: Shape::Area,
        ..series(0, '#', curve::density(&b.density, grid, &axis))
    });
    let replies = content.shown_children().rev().enumerate();
    let replies = replies.map(|(i, density)| {
        let mut reply = series(2, '.', curve::cumulative(density, grid, &axis));
        // The legend has them once.
        reply.name.truncate(if i == 0 { usize::MAX } else { 0 });
        reply
    });
    let own = spread.map(|b| series(1, '*', curve::cumulative(&b.density, grid, &axis)));
    let window = content.facts.view.window;
    let mut lines = window.map_or_else(Vec::new, |w| window_lines(numbers.scale(), w));
    // A single value has no curve: it is one line on the axis.
    if let Some(b) = belief.filter(|b| !b.is_distribution()) {
        lines.push((b.mean.into(), numbers.mean(&content.facts)));
    }
    let chart = Chart {
        x,
        series: density.into_iter().chain(replies).chain(own).collect(),
        lines,
        ..Chart::default()
    };
    chart::draw(&chart, Look::plain(&|place| SERIES[place].1), pen, inner);
}

/// Returns round scores along the axis, about four of them.
pub(crate) fn ticks(axis: &Axis, numbers: &Numbers) -> Vec<(f64, String)> {
    if numbers.in_pawns_of_chess() {
        return pawns(axis, numbers);
    }
    let unit = match numbers.scale() {
        Scale::Logistic => 1.0,
        Scale::Linear(axis) => f64::from(axis.range()),
    };
    let (low, high) = (axis.low * unit, axis.high * unit);
    let step = round_step(((high - low) / 4.0).max(1e-3));
    let name = |e: f64| match e {
        0.0 => "0".to_owned(),
        _ => numbers.expected(e as f32),
    };
    rounds(low, high, step)
        .map(|value| value / unit)
        .map(|e| (e, name(e)))
        .collect()
}

/// Returns round numbers of pawns along the axis, apart from each other, which are not evenly spaced on it.
fn pawns(axis: &Axis, numbers: &Numbers) -> Vec<(f64, String)> {
    /// In centipawns, the most important first.
    const ROUND: [i32; 11] = [0, 100, 200, 300, 500, 50, 1000, 150, 25, 75, 10];
    let apart = (axis.high - axis.low) / 7.0;
    let mut ticks: Vec<(f64, String)> = Vec::new();
    for cp in ROUND.into_iter().flat_map(|cp| [cp, -cp]) {
        let score = Score::new(cp);
        let e = f64::from(numbers.scale().expected(score));
        if axis.holds(e) && ticks.iter().all(|(other, _)| (other - e).abs() >= apart) {
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
    fn axis(&self, scale: Scale) -> Axis {
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
        let window = window.flat_map(|w| window_lines(scale, *w));
        let window = window.map(|(e, _)| e as f32);
        Axis::around(mass.chain(replies).chain(window))
    }
}

/// Returns alpha and beta on the axis, if the search had a window that is bounded at that end.
fn window_lines(scale: Scale, w: Window) -> Vec<(f64, String)> {
    let open = |s: Score| s <= Score::LOSS || s >= Score::WIN;
    [(w.alpha, "α"), (w.beta, "β")]
        .into_iter()
        .filter(|(s, _)| !open(*s))
        .map(|(s, name)| (scale.expected(s).into(), name.to_owned()))
        .collect()
}
