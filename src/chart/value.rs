//! What a node shows on the value axis: one mark, of which each backend draws what it can.
//!
//! The axis is the expected score from −1 to +1 as the screen shows it, so a mark holds values that are turned to that view
//! already. A [`Span`] is the part of the axis that is shown.

use belief::{BINS, Density, Grid};

/// The part of the axis that is shown, in expected score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub low: f32,
    pub high: f32,
}

/// The end of the axis from which bars grow: that of the values which the side that moves likes least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum From {
    #[default]
    Low,
    High,
}

/// How beliefs are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Style {
    /// At each place the chance that the value is at least that good for the side that moves: a bar whose end is blurred by
    /// doubt.
    #[default]
    Chance,
    /// The 5, 25, 50, 75 and 95 % quantiles.
    Whiskers,
    /// The mass at each place.
    Density,
}

/// How a mark is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct How {
    pub style: Style,
    /// The end from which bars grow.
    pub from: From,
    /// The height of a full bar: 8 in one line of a terminal.
    pub levels: u8,
}

/// What one node shows.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[expect(
    clippy::large_enum_variant,
    reason = "most marks are beliefs, and each is made, drawn and dropped without an allocation"
)]
pub enum Mark {
    /// Nothing is known.
    #[default]
    Nothing,
    /// A distribution; its mean is more precise than the bins.
    Belief { density: Density, mean: f32 },
    /// A value that a search found exactly.
    Exact(f32),
    /// The value is at most this.
    AtMost(f32),
    /// The value is at least this.
    AtLeast(f32),
    /// A mean of visits with its standard error.
    Mean { mean: f32, error: f32 },
    /// Everything from one value to another is possible, and nothing else is said.
    Between { low: f32, high: f32 },
    /// What is proven: the least and the greatest value that it can have; the same where the result is.
    Proof { low: f32, high: f32 },
    /// A static value moved by a margin, and the bound that it was compared with.
    Margin { from: f32, to: f32, bound: f32 },
    /// A value that decided nothing.
    Faint(f32),
}

/// What stands in one cell of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The height of a bar, 1 to [`How::levels`].
    Level(u8),
    Point,
    FaintPoint,
    Line,
    Heavy,
    Dashes,
    /// The end of a half-line that is open to the left, or to the right.
    Closes,
    Opens,
    Hatch,
    /// The static value, and where the margin carries it.
    Static,
    Carried,
    /// What is missing between a value with its margin and the bound.
    Gap,
    /// The bound that a margin was compared with.
    Bound,
    /// The value is out of sight to the left, or to the right.
    Below,
    Above,
}

impl Span {
    /// All expected scores.
    pub const WHOLE: Span = Span {
        low: -1.0,
        high: 1.0,
    };

    /// Returns the value's place: 0 at the left end, 1 at the right end.
    pub fn share(self, value: f32) -> f32 {
        (value - self.low) / (self.high - self.low).max(f32::MIN_POSITIVE)
    }

    /// Returns the column, of so many, in which a value is, or `None` if it is out of sight.
    pub fn column(self, value: f32, columns: usize) -> Option<usize> {
        let share = self.share(value);
        // What was rounded at an end is in sight.
        let seen = (-1e-4..=1.0001).contains(&share);
        let at = (share * columns as f32 + 1e-3) as usize;
        (seen && columns > 0).then(|| at.min(columns - 1))
    }

    /// Whether a value is in sight.
    pub fn holds(self, value: f32) -> bool {
        self.column(value, 1).is_some()
    }

    /// Returns the value in the middle of a column.
    fn middle(self, column: usize, columns: usize) -> f32 {
        self.low + (self.high - self.low) * (column as f32 + 0.5) / columns as f32
    }

    /// Returns the columns between two values, of those in sight.
    fn columns(self, low: f32, high: f32, columns: usize) -> std::ops::Range<usize> {
        if columns == 0 || high <= low || high <= self.low || low >= self.high {
            return 0..0;
        }
        let place = |value: f32| self.share(value).clamp(0.0, 1.0) * columns as f32;
        let from = ((place(low) + 1e-4) as usize).min(columns - 1);
        let to = (place(high) - 1e-4).ceil().max(0.0) as usize;
        from..to.clamp(from + 1, columns)
    }

    /// Whether two spans are so alike that the one which is shown may stay: no end is off by more than a tenth of the
    /// length.
    pub fn is_near(self, other: Span) -> bool {
        let tenth = 0.1 * (self.high - self.low);
        (self.low - other.low).abs() <= tenth && (self.high - other.high).abs() <= tenth
    }
}

/// The shares of a belief's mass below the edges of its bins. The bins of certainty are points at the ends.
#[derive(Clone, Copy, Debug)]
struct Cumulative<'a> {
    below: [f32; BINS + 1],
    grid: &'a Grid,
    /// The value of a belief that is a single one.
    only: Option<f32>,
}

impl<'a> Cumulative<'a> {
    fn of(density: &Density, mean: f32, grid: &'a Grid) -> Cumulative<'a> {
        let mut below = [0.0; BINS + 1];
        for bin in 0..BINS {
            below[bin + 1] = below[bin] + density.0[bin];
        }
        let total = below[BINS].max(1e-12);
        below = below.map(|share| share / total);
        Cumulative {
            below,
            grid,
            only: density.0[..BINS]
                .iter()
                .any(|p| p / total > 0.999)
                .then_some(mean),
        }
    }

    /// Returns the share of the mass below a value.
    fn below(&self, value: f32) -> f32 {
        if let Some(only) = self.only {
            return f32::from(only < value);
        }
        let edges = self.grid.edges();
        let bin = edges[1..BINS].partition_point(|&edge| edge <= value);
        let certain = self.grid.ends_certain();
        if certain && bin == 0 {
            return if value > -1.0 { self.below[1] } else { 0.0 };
        }
        if certain && bin == BINS - 1 {
            return if value > 1.0 { 1.0 } else { self.below[bin] };
        }
        let part = (value - edges[bin]) / (edges[bin + 1] - edges[bin]).max(1e-9);
        self.below[bin] + part.clamp(0.0, 1.0) * (self.below[bin + 1] - self.below[bin])
    }
}

/// Below this share of the mass nothing is drawn.
const VISIBLE: f32 = 0.01;

impl Mark {
    /// Returns the least and the greatest value that should be in sight: of a belief the 5 and 95 % quantiles, of a bound
    /// the value itself. `None` where nothing is known.
    pub fn extent(&self, grid: &Grid) -> Option<(f32, f32)> {
        Some(match *self {
            Mark::Nothing => return None,
            Mark::Belief { density, mean } => match density.is_atom() {
                Some(_) => (mean, mean),
                None => (density.quantile(0.05, grid), density.quantile(0.95, grid)),
            },
            Mark::Exact(v) | Mark::AtMost(v) | Mark::AtLeast(v) | Mark::Faint(v) => (v, v),
            Mark::Mean { mean, error } => (mean - 2.0 * error, mean + 2.0 * error),
            Mark::Between { low, high } | Mark::Proof { low, high } => (low, high),
            Mark::Margin { from, to, bound } => (from.min(to).min(bound), from.max(to).max(bound)),
        })
    }

    /// Returns the mark as the other side sees it.
    #[must_use]
    pub fn mirrored(self) -> Mark {
        match self {
            Mark::Nothing => Mark::Nothing,
            Mark::Belief { density, mean } => Mark::Belief {
                density: density.negated(),
                mean: -mean,
            },
            Mark::Exact(v) => Mark::Exact(-v),
            Mark::AtMost(v) => Mark::AtLeast(-v),
            Mark::AtLeast(v) => Mark::AtMost(-v),
            Mark::Mean { mean, error } => Mark::Mean { mean: -mean, error },
            Mark::Between { low, high } => Mark::Between {
                low: -high,
                high: -low,
            },
            Mark::Proof { low, high } => Mark::Proof {
                low: -high,
                high: -low,
            },
            Mark::Margin { from, to, bound } => Mark::Margin {
                from: -from,
                to: -to,
                bound: -bound,
            },
            Mark::Faint(v) => Mark::Faint(-v),
        }
    }

    /// Whether a result is proven.
    pub fn is_proof(&self) -> bool {
        matches!(self, Mark::Proof { low, high } if low == high)
    }

    /// Draws the mark in so many columns: calls `put` with a column and its sign, from left to right but for single signs,
    /// which come last.
    pub fn draw(
        &self,
        span: Span,
        columns: usize,
        how: How,
        grid: &Grid,
        mut put: impl FnMut(usize, Sign),
    ) {
        if columns == 0 {
            return;
        }
        let How {
            style,
            from,
            levels,
        } = how;
        let mut row = Row {
            span,
            columns,
            levels,
            put: &mut put,
        };
        match *self {
            Mark::Nothing => {}
            Mark::Belief { density, mean } => {
                let cumulative = Cumulative::of(&density, mean, grid);
                match style {
                    Style::Chance => row.chance(&cumulative, from),
                    Style::Whiskers => row.whiskers(&density, mean, grid),
                    Style::Density => row.density(&cumulative),
                }
            }
            Mark::Exact(value) => row.point(value, Sign::Point),
            Mark::Faint(value) => row.point(value, Sign::FaintPoint),
            Mark::AtMost(value) => row.half_line(span.low.min(value), value, Sign::Closes),
            Mark::AtLeast(value) => row.half_line(value, span.high.max(value), Sign::Opens),
            Mark::Mean { mean, error } => {
                row.stretch(mean - 2.0 * error, mean + 2.0 * error, Sign::Line);
                row.point(mean, Sign::Point);
            }
            Mark::Between { low, high } => {
                row.stretch(low, high, Sign::Hatch);
                row.out_of_sight(low, high);
            }
            Mark::Proof { low, high } => row.proof(low, high, from),
            Mark::Margin { from, to, bound } => row.margin(from, to, bound),
        }
    }
}

/// One row of cells that is being drawn.
struct Row<'a> {
    span: Span,
    columns: usize,
    levels: u8,
    put: &'a mut dyn FnMut(usize, Sign),
}

impl Row<'_> {
    fn stretch(&mut self, low: f32, high: f32, sign: Sign) {
        for column in self.span.columns(low, high, self.columns) {
            (self.put)(column, sign);
        }
    }

    /// Says at an edge that what lies between two values is out of sight; returns whether it does.
    fn out_of_sight(&mut self, low: f32, high: f32) -> bool {
        let (below, above) = match high - low {
            length if length > 0.0 => (high <= self.span.low, low >= self.span.high),
            _ => (self.span.share(high) < -1e-4, self.span.share(low) > 1.0001),
        };
        if below {
            (self.put)(0, Sign::Below);
        } else if above {
            (self.put)(self.columns - 1, Sign::Above);
        }
        below || above
    }

    fn point(&mut self, value: f32, sign: Sign) {
        match self.span.column(value, self.columns) {
            Some(column) => (self.put)(column, sign),
            None => {
                self.out_of_sight(value, value);
            }
        }
    }

    fn half_line(&mut self, low: f32, high: f32, end: Sign) {
        let value = if end == Sign::Closes { high } else { low };
        if self.out_of_sight(low, high) {
            return;
        }
        self.stretch(low, high, Sign::Dashes);
        if let Some(column) = self.span.column(value, self.columns) {
            (self.put)(column, end);
        }
    }

    /// Bars, by a share for each column.
    fn levels(&mut self, share: impl Fn(usize) -> f32) -> bool {
        let mut any = false;
        for column in 0..self.columns {
            let share = share(column);
            if share >= VISIBLE {
                (self.put)(
                    column,
                    Sign::Level(
                        (share * f32::from(self.levels))
                            .round()
                            .clamp(1.0, f32::from(self.levels)) as u8,
                    ),
                );
                any = true;
            }
        }
        any
    }

    fn chance(&mut self, belief: &Cumulative, from: From) {
        let (span, columns) = (self.span, self.columns);
        let any = self.levels(|column| {
            let below = belief.below(span.middle(column, columns));
            match from {
                From::Low => 1.0 - below,
                From::High => below,
            }
        });
        // A bar that ends before the first cell.
        match from {
            From::Low if !any => (self.put)(0, Sign::Below),
            From::High if !any => (self.put)(columns - 1, Sign::Above),
            _ => {}
        }
    }

    fn density(&mut self, belief: &Cumulative) {
        let (span, columns) = (self.span, self.columns);
        let edge =
            |column: usize| span.low + (span.high - span.low) * column as f32 / columns as f32;
        let mass = |column: usize| belief.below(edge(column + 1)) - belief.below(edge(column));
        let most = (0..columns).map(mass).fold(0.0, f32::max);
        if most > 1e-3 {
            self.levels(|column| mass(column) / most);
        } else if belief.below(span.low) > 0.5 {
            (self.put)(0, Sign::Below);
        } else {
            (self.put)(columns - 1, Sign::Above);
        }
    }

    fn whiskers(&mut self, density: &Density, mean: f32, grid: &Grid) {
        if density.is_atom().is_some() {
            return self.point(mean, Sign::Point);
        }
        let [least, low, median, high, most] =
            [0.05, 0.25, 0.5, 0.75, 0.95].map(|p| density.quantile(p, grid));
        self.stretch(least, most, Sign::Line);
        self.stretch(low, high, Sign::Heavy);
        if let Some(column) = self.span.column(median, self.columns) {
            (self.put)(column, Sign::Point);
        }
        if least < self.span.low {
            (self.put)(0, Sign::Below);
        }
        if most > self.span.high {
            (self.put)(self.columns - 1, Sign::Above);
        }
    }

    /// A full bar to what is proven, and hatched from there to what is still possible.
    fn proof(&mut self, low: f32, high: f32, from: From) {
        let (sure, base) = match from {
            From::Low => (low, self.span.low.min(low)),
            From::High => (high, self.span.high.max(high)),
        };
        let bars = [
            (base.min(sure), base.max(sure), Sign::Level(self.levels)),
            (low, high, Sign::Hatch),
        ];
        let mut any = false;
        for (low, high, sign) in bars {
            any |= !self.span.columns(low, high, self.columns).is_empty();
            self.stretch(low, high, sign);
        }
        // A bar that ends before the first cell.
        match from {
            From::Low if !any => (self.put)(0, Sign::Below),
            From::High if !any => (self.put)(self.columns - 1, Sign::Above),
            _ => {}
        }
    }

    fn margin(&mut self, from: f32, to: f32, bound: f32) {
        self.stretch(to.min(bound), to.max(bound), Sign::Gap);
        self.stretch(from.min(to), from.max(to), Sign::Heavy);
        let (low, high) = (from.min(to).min(bound), from.max(to).max(bound));
        if self.out_of_sight(low, high) {
            return;
        }
        for (value, sign) in [
            (bound, Sign::Bound),
            (to, Sign::Carried),
            (from, Sign::Static),
        ] {
            if let Some(column) = self.span.column(value, self.columns) {
                (self.put)(column, sign);
            }
        }
        if low < self.span.low {
            (self.put)(0, Sign::Below);
        }
        if high > self.span.high {
            (self.put)(self.columns - 1, Sign::Above);
        }
    }
}

#[cfg(test)]
mod tests;
