//! Curves over the expected score, in braille (2 by 4 dots per cell) or, in ASCII mode, one mark per column.

use ratatui::layout::Rect;

use crate::pen::Pen;
use crate::theme::Role;
use belief::{BINS, Density, Grid};

/// The visible part of the expected score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub low: f32,
    pub high: f32,
}

impl Span {
    pub const WHOLE: Span = Span {
        low: -1.0,
        high: 1.0,
    };

    /// Returns a span that contains all these scores with some room beside them. Its ends are multiples of 0.1, so that
    /// it does not change while figures change a little.
    pub fn around(scores: impl Iterator<Item = f32>) -> Span {
        let (low, high) = scores
            .filter(|e| e.is_finite())
            .fold((1.0f32, -1.0f32), |(l, h), e| (l.min(e), h.max(e)));
        if low > high {
            return Span::WHOLE;
        }
        let room = 0.1 + 0.1 * (high - low);
        Span {
            low: ((low - room) * 10.0).floor().max(-10.0) / 10.0,
            high: ((high + room) * 10.0).ceil().min(10.0) / 10.0,
        }
    }

    /// Returns the score at a share of the span: 0 is its low end.
    pub fn at(self, share: f32) -> f32 {
        self.low + share * (self.high - self.low)
    }

    /// Returns the place of a score in the span: 0 at the low end, 1 at the high end.
    pub fn share(self, e: f32) -> f32 {
        (e - self.low) / (self.high - self.low)
    }
}

/// The curve of one distribution.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Heights from 0 to 1 at points evenly spaced over the span; see [`Curve::density`] and [`Curve::cumulative`].
    points: Vec<f32>,
    pub role: Role,
    /// Whether the area below the curve is filled.
    pub filled: bool,
    /// The line's pattern.
    pub dash: Dash,
    /// A letter on the curve, and its place: 0 at the left end, 1 at the right. In ASCII mode the curve is made of this
    /// letter.
    pub letter: Option<(char, f32)>,
}

/// The pattern of a line, which identifies it without colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    #[default]
    Solid,
    Dashed,
    Dotted,
    Mixed,
}

impl Dash {
    /// Returns the pattern of the `n`th of several lines.
    pub fn nth(n: usize) -> Dash {
        [Dash::Solid, Dash::Dashed, Dash::Dotted, Dash::Mixed][n % 4]
    }

    /// Whether the dot at this distance along the line is set.
    pub fn sets(self, dot: usize) -> bool {
        match self {
            Dash::Solid => true,
            Dash::Dashed => dot % 7 < 4,
            Dash::Dotted => dot.is_multiple_of(3),
            Dash::Mixed => matches!(dot % 9, 0..5 | 7),
        }
    }
}

impl Curve {
    /// The number of points of a curve: two per cell on wide plots.
    pub const POINTS: usize = 256;

    /// Returns the density per unit of expected score, scaled so that its highest point is 1. A belief in one bin
    /// becomes a single peak.
    pub fn density(density: &Density, grid: &Grid, span: Span, role: Role) -> Curve {
        let edges = grid.edges();
        let per_unit = |bin: usize| density.0[bin] / (edges[bin + 1] - edges[bin]).max(0.004);
        let centres = grid.centres();
        let point = density.is_atom().is_some();
        let mut points = Self::sampled(span, |e| {
            let bin = grid.bin_of(e);
            if point {
                return per_unit(bin);
            }
            // Linear from bin to bin: steps would show the grid rather than the belief.
            let left = if e < centres[bin] {
                bin.saturating_sub(1)
            } else {
                bin
            };
            let right = (left + 1).min(BINS - 1);
            let width = (centres[right] - centres[left]).max(f32::EPSILON);
            let share = ((e - centres[left]) / width).clamp(0.0, 1.0);
            per_unit(left) * (1.0 - share) + per_unit(right) * share
        });
        let most = points.iter().copied().fold(0.0, f32::max);
        if most > 0.0 {
            for p in &mut points {
                *p /= most;
            }
        }
        Curve {
            filled: true,
            ..Curve::line(points, role)
        }
    }

    /// Returns a line through heights from 0 to 1 at evenly spaced points; it has a gap where a height is NaN.
    pub fn line(points: Vec<f32>, role: Role) -> Curve {
        Curve {
            points,
            role,
            filled: false,
            dash: Dash::Solid,
            letter: None,
        }
    }

    /// Returns one bar at each score that has mass, as high as its share: for a few outcomes.
    pub fn bars(density: &Density, grid: &Grid, span: Span, role: Role) -> Curve {
        let half = 0.02 * (span.high - span.low);
        let outcomes = (0..BINS).filter(|&bin| density.0[bin] > 0.0);
        let outcomes: Vec<(f32, f32)> = outcomes
            .map(|bin| (grid.centres()[bin], density.0[bin]))
            .collect();
        let points = Self::sampled(span, |e| {
            let near = outcomes.iter().filter(|(at, _)| (at - e).abs() <= half);
            near.map(|(_, mass)| *mass).fold(0.0, f32::max)
        });
        Curve::line(points, role)
    }

    /// Returns the same curve in the pattern of the `n`th line, with its letter where it first reaches a height, or at
    /// its highest point.
    pub fn lettered(mut self, n: usize, letter: char, height: f32) -> Curve {
        let most = self.points.iter().copied().fold(0.0, f32::max);
        let reached = |p: &f32| *p >= height.min(most);
        let at = self.points.iter().position(reached).unwrap_or(0);
        self.letter = Some((letter, (at as f32 + 0.5) / self.points.len().max(1) as f32));
        self.dash = Dash::nth(n);
        self.filled = false;
        self
    }

    /// Returns P(X <= e), linear within a bin.
    pub fn cumulative(density: &Density, grid: &Grid, span: Span, role: Role) -> Curve {
        let edges = grid.edges();
        let mut below = [0.0f32; BINS + 1];
        for bin in 0..BINS {
            below[bin + 1] = below[bin] + density.0[bin];
        }
        let atom = density.is_atom();
        let points = Self::sampled(span, |e| {
            let bin = grid.bin_of(e);
            if atom == Some(bin) {
                // A point mass is a step, not a slope.
                return if e < grid.centres()[bin] { 0.0 } else { 1.0 };
            }
            let width = (edges[bin + 1] - edges[bin]).max(f32::EPSILON);
            below[bin] + density.0[bin] * (e - edges[bin]) / width
        });
        Curve::line(points, role)
    }

    fn sampled(span: Span, at: impl Fn(f32) -> f32) -> Vec<f32> {
        (0..Self::POINTS)
            .map(|i| at(span.at((i as f32 + 0.5) / Self::POINTS as f32)))
            .collect()
    }

    /// Returns the highest point among those in column `i` of `columns`; NaN if there is none.
    fn highest(&self, i: usize, columns: usize) -> f32 {
        let points = self.points.len();
        let from = (i * points / columns).min(points.saturating_sub(1));
        let to = ((i + 1) * points / columns).clamp(from + 1, points.max(from + 1));
        self.points[from..to.min(points)]
            .iter()
            .copied()
            .fold(f32::NAN, f32::max)
    }
}

/// Several curves on one axis; later ones are above earlier ones.
#[derive(Debug)]
pub struct Plot {
    pub span: Span,
    /// The scores written below the axis.
    pub ticks: Vec<(f32, String)>,
    pub curves: Vec<Curve>,
    /// Vertical lines at an expected score, with their name.
    pub lines: Vec<(f32, String)>,
    /// What the curves and the axis are, in a row above them; the last are dropped where there is no room.
    pub legend: Vec<(String, Role)>,
}

impl Plot {
    /// Draws the curves, the lines and, in the last row, the axis.
    pub fn draw(&self, pen: &mut Pen, area: Rect) {
        if area.width < 8 || area.height < 3 {
            return;
        }
        let named = area.height >= 5 && !self.legend.is_empty();
        if named {
            self.draw_legend(pen, area);
        }
        let canvas = Rect {
            y: area.y + u16::from(named),
            height: area.height - 1 - u16::from(named),
            ..area
        };
        self.draw_lines(pen, canvas);
        for curve in &self.curves {
            if pen.glyphs.ascii {
                draw_ascii(pen, canvas, curve);
            } else {
                draw_braille(pen, canvas, curve);
            }
        }
        for curve in &self.curves {
            draw_letter(pen, canvas, curve);
        }
        self.name_lines(pen, canvas);
        self.draw_axis(pen, area);
    }

    fn draw_legend(&self, pen: &mut Pen, area: Rect) {
        let mut x = area.x;
        for (words, role) in &self.legend {
            let words = pen.glyphs.text(words);
            if x + text::width(&words) as u16 > area.right() {
                return;
            }
            x = pen.put(x, area.y, area.right(), &words, *role) + 2;
        }
    }

    fn column(&self, e: f32, width: u16) -> u16 {
        let at = (self.span.share(e).clamp(0.0, 1.0) * f32::from(width)) as u16;
        at.min(width - 1)
    }

    /// Returns the lines that are within the span, with their columns.
    fn shown_lines(&self, canvas: Rect) -> impl Iterator<Item = (u16, &str)> {
        let shown = |e: f32| (0.0..=1.0).contains(&self.span.share(e));
        self.lines
            .iter()
            .filter(move |(e, _)| shown(*e))
            .map(move |(e, name)| (canvas.x + self.column(*e, canvas.width), name.as_str()))
    }

    fn draw_lines(&self, pen: &mut Pen, canvas: Rect) {
        let style = pen.style(Role::Window);
        for (x, _) in self.shown_lines(canvas) {
            for y in canvas.top() + 1..canvas.bottom() {
                pen.char(x, y, pen.glyphs.window, style);
            }
        }
    }

    /// Draws the lines' names above the curves, since the lines must stay identifiable.
    fn name_lines(&self, pen: &mut Pen, canvas: Rect) {
        let style = pen.style(Role::Window);
        let mut lines: Vec<(u16, &str)> = self.shown_lines(canvas).collect();
        lines.sort_by_key(|(x, _)| *x);
        // Beside each other where the lines are near each other.
        let mut free = canvas.x;
        for (x, name) in lines {
            let label = pen.glyphs.text(name);
            let width = text::width(&label) as u16;
            let start = x.max(free).min(canvas.right().saturating_sub(width));
            free = pen.text(start, canvas.top(), canvas.right(), &label, style) + 1;
        }
    }

    fn draw_axis(&self, pen: &mut Pen, area: Rect) {
        let y = area.bottom() - 1;
        let mut free = area.x;
        for (e, label) in &self.ticks {
            let width = text::width(label) as u16;
            let at = area.x + self.column(*e, area.width);
            // Centred below its place, within the axis, and apart from the previous one.
            let x = at.saturating_sub(width / 2).max(area.x);
            let x = x.min(area.right().saturating_sub(width));
            if x >= free {
                free = pen.put(x, y, area.right(), label, Role::Axis) + 1;
            }
        }
    }
}

/// The dot bits of a braille cell: by column, from the bottom up.
pub(super) const DOTS: [[u32; 4]; 2] = [[0x40, 0x04, 0x02, 0x01], [0x80, 0x20, 0x10, 0x08]];

fn draw_braille(pen: &mut Pen, canvas: Rect, curve: &Curve) {
    let columns = usize::from(canvas.width) * 2;
    let top = usize::from(canvas.height) * 4;
    let style = pen.style(curve.role);
    let height = |i: usize| {
        let highest = curve.highest(i, columns);
        (!highest.is_nan()).then(|| (highest.clamp(0.0, 1.0) * (top as f32 - 1.0)).round() as usize)
    };
    let mut before = height(0);
    let mut cells = vec![0u32; usize::from(canvas.width) * usize::from(canvas.height)];
    for i in 0..columns {
        let Some(h) = height(i) else {
            before = None;
            continue;
        };
        // A line has no gaps; an area reaches down to the axis. Nothing is drawn where there is no mass.
        let last = before.unwrap_or(h);
        let (low, high) = if curve.filled {
            (0, h)
        } else {
            (last.min(h), last.max(h))
        };
        before = Some(h);
        if curve.filled && curve.highest(i, columns) < 0.004 {
            continue;
        }
        for dot in (low..=high).filter(|dot| curve.filled || curve.dash.sets(i + dot)) {
            let row = usize::from(canvas.height) - 1 - dot / 4;
            cells[row * usize::from(canvas.width) + i / 2] |= DOTS[i % 2][dot % 4];
        }
    }
    for (i, bits) in cells.into_iter().enumerate() {
        if bits == 0 {
            continue;
        }
        let x = canvas.x + (i % usize::from(canvas.width)) as u16;
        let y = canvas.y + (i / usize::from(canvas.width)) as u16;
        let Some(cell) = pen.buf.cell_mut((x, y)) else {
            continue;
        };
        // Two outlines in one cell keep all their dots; an outline over an area keeps only its own.
        let old = cell.symbol().chars().next().map_or(0, u32::from);
        let old = if (0x2800..0x2900).contains(&old) && !curve.filled {
            old - 0x2800
        } else {
            0
        };
        let merged = if old.count_ones() > 5 {
            bits
        } else {
            bits | old
        };
        if let Some(c) = char::from_u32(0x2800 | merged) {
            cell.set_char(c).set_style(style);
        }
    }
}

/// Draws the curve's letter, beside another letter if its place is taken.
fn draw_letter(pen: &mut Pen, canvas: Rect, curve: &Curve) {
    let Some((letter, at)) = curve.letter else {
        return;
    };
    let columns = usize::from(canvas.width);
    let column = ((at * columns as f32) as usize).min(columns - 1);
    let value = curve.highest(column, columns);
    if value.is_nan() {
        return;
    }
    let up = (value.clamp(0.0, 1.0) * (f32::from(canvas.height) - 1.0)).round() as u16;
    let y = canvas.bottom() - 1 - up;
    let taken = |pen: &Pen, x: u16| {
        let symbol = pen.buf.cell((x, y)).map_or(" ", |cell| cell.symbol());
        symbol.chars().all(|c| c.is_ascii_uppercase())
    };
    let mut x = canvas.x + column as u16;
    while x + 1 < canvas.right() && taken(pen, x) && !pen.glyphs.ascii {
        x += 1;
    }
    let style = pen.style(curve.role);
    pen.char(x, y, letter, style);
}

fn draw_ascii(pen: &mut Pen, canvas: Rect, curve: &Curve) {
    let style = pen.style(curve.role);
    let columns = usize::from(canvas.width);
    for i in 0..columns {
        let value = curve.highest(i, columns);
        if value.is_nan() || (curve.filled && value < 0.004) {
            continue;
        }
        let up = (value * (f32::from(canvas.height) - 1.0)).round() as u16;
        let y = canvas.bottom() - 1 - up;
        let x = canvas.x + i as u16;
        if curve.filled {
            for below in y..canvas.bottom() {
                pen.char(x, below, if below == y { '#' } else { ':' }, style);
            }
        } else {
            let mark = match curve.letter {
                Some((letter, _)) => letter,
                None if curve.role == Role::Children => '.',
                None => '*',
            };
            pen.char(x, y, mark, style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cdf_rises_from_nothing_to_one() {
        let grid = Grid::sinh();
        let normal = Density::normal(&grid, 0.0, 0.5);
        let curve = Curve::cumulative(&normal, &grid, Span::WHOLE, Role::Cumulative);
        assert!(curve.points.windows(2).all(|w| w[0] <= w[1] + 1e-5));
        assert!(curve.points[0] < 0.01 && curve.points[255] > 0.99);
        let at_zero = curve.points[128];
        assert!((at_zero - 0.5).abs() < 0.03, "{at_zero}");
    }

    #[test]
    fn a_span_holds_its_scores_and_is_never_empty() {
        let span = Span::around([0.07, 0.02].into_iter());
        assert_eq!(
            span,
            Span {
                low: -0.1,
                high: 0.2
            }
        );
        assert_eq!(Span::around([-1.0, 1.0].into_iter()), Span::WHOLE);
        assert_eq!(Span::around([f32::NAN].into_iter()), Span::WHOLE);
        let end = Span::around([1.0].into_iter());
        assert!(end.low < end.high && end.high == 1.0);
    }

    #[test]
    fn a_point_is_a_step() {
        let grid = Grid::uniform();
        let curve = Curve::cumulative(&Density::atom(40), &grid, Span::WHOLE, Role::Cumulative);
        assert!(curve.points.iter().all(|&p| p == 0.0 || p == 1.0));
    }

    #[test]
    fn columns_have_no_gaps_whatever_the_width() {
        let grid = Grid::sinh();
        let normal = Density::normal(&grid, 0.2, 0.3);
        let curve = Curve::density(&normal, &grid, Span::WHOLE, Role::Density);
        for columns in [1, 7, 100, 255, 256, 257, 1000] {
            let most = (0..columns)
                .map(|i| curve.highest(i, columns))
                .fold(0.0, f32::max);
            assert!((most - 1.0).abs() < 1e-6, "{columns}");
        }
    }
}
