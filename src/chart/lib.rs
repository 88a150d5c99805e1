//! A chart as data: axes with their ticks, series, bands, lines and marks. It is made once and drawn by two backends: as SVG
//! by [`plot`], and in the cells of a terminal by the workbench.
//!
//! Every series has a letter, a dash and a mark of its own, so no meaning is carried by colour alone.

mod axis;
pub mod curve;
mod dash;
pub mod drawn;
pub mod plot;
pub mod svg;
pub mod value;

pub use axis::{Axis, round_step, rounds};
pub use dash::Dash;

/// How a series runs through its points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Straight from point to point.
    #[default]
    Line,
    /// A value holds until the next point.
    Steps,
    /// As a line, and the area below it is filled.
    Area,
}

/// One series of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// What the legend says; empty if the series is not in it.
    pub name: String,
    /// Identifies the series where neither colour nor dash can.
    pub letter: char,
    /// Its place among the colours, dashes and marks.
    pub place: usize,
    pub shape: Shape,
    /// The points with ascending places; the series is interrupted where a height is not a number.
    pub points: Vec<(f64, f64)>,
    /// The places at which the letter is written on the series, where the backend has no other mark for it.
    pub letters: Vec<f64>,
}

/// Ranges around a series: place, lower and upper end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Band {
    /// The place of its colour.
    pub place: usize,
    /// One in this many dots is set.
    pub sparse: usize,
    pub ranges: Vec<(f64, f64, f64)>,
}

/// A sign at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub at: (f64, f64),
    /// The place of its colour.
    pub place: usize,
    pub sign: &'static str,
    /// What it is about.
    pub words: String,
    /// From 0, the least, to 2.
    pub weight: u8,
}

/// A chart; later series are above earlier ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
    pub bands: Vec<Band>,
    /// A height that the series are compared with.
    pub level: Option<f64>,
    /// Upright lines with their names.
    pub lines: Vec<(f64, String)>,
    pub marks: Vec<Mark>,
}

/// Returns the column, of so many, that holds a share of the axis; 1 is in the last one.
pub fn column(share: f64, columns: usize) -> usize {
    // A share that was computed from a column is in that column in spite of rounding.
    let at = share.clamp(0.0, 1.0) * columns as f64 + 1e-9;
    (at as usize).min(columns.saturating_sub(1))
}

impl Series {
    /// Returns the height in each of so many columns of an axis: that of the highest point there (of steps, the last one),
    /// or the one between the points beside it; `None` where the series is interrupted.
    pub fn heights(&self, axis: &Axis, columns: usize) -> Vec<Option<f64>> {
        let mut heights: Vec<Option<f64>> = vec![None; columns];
        if columns == 0 {
            return heights;
        }
        let place = |x: f64| axis.share(x);
        for &(x, y) in &self.points {
            let share = place(x);
            if !y.is_finite() || !(0.0..=1.0).contains(&share) {
                continue;
            }
            let height = &mut heights[column(share, columns)];
            *height = Some(match (*height, self.shape) {
                (Some(before), Shape::Line | Shape::Area) => before.max(y),
                _ => y,
            });
        }
        for pair in self.points.windows(2) {
            let (from, to) = (place(pair[0].0), place(pair[1].0));
            if !pair[0].1.is_finite() || !pair[1].1.is_finite() {
                continue;
            }
            let between = column(from, columns) + 1..column(to, columns);
            for (i, height) in heights
                .iter_mut()
                .enumerate()
                .take(between.end)
                .skip(between.start)
            {
                let share = ((i as f64 + 0.5) / columns as f64 - from) / (to - from);
                *height = Some(match self.shape {
                    Shape::Steps => pair[0].1,
                    Shape::Line | Shape::Area => pair[0].1 + share * (pair[1].1 - pair[0].1),
                });
            }
        }
        heights
    }

    /// Puts the letter on the series where it first reaches a height, or at its highest point.
    pub fn letter_at(&mut self, height: f64) {
        let most = self.points.iter().map(|p| p.1).fold(0.0, f64::max);
        let reached = self.points.iter().find(|p| p.1 >= height.min(most));
        self.letters = reached.map(|p| p.0).into_iter().collect();
    }

    /// Puts the letter on the series twice, at places that none of the others has: it is the `i`th of `n`.
    #[must_use]
    pub fn lettered_apart(mut self, i: usize, n: usize) -> Series {
        let ends = self.points.first().zip(self.points.last());
        if let Some((first, last)) = ends {
            let share = (i as f64 + 0.5) / n.max(1) as f64;
            let at = |half: f64| first.0 + (last.0 - first.0) * (half + 0.5 * share);
            self.letters = vec![at(0.0), at(0.5)];
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heights(shape: Shape, points: &[(f64, f64)], columns: usize) -> Vec<Option<f64>> {
        let series = Series {
            shape,
            points: points.to_vec(),
            ..Series::default()
        };
        series.heights(&Axis::new(0.0, 1.0), columns)
    }

    #[test]
    fn between_points_a_line_rises_and_steps_hold() {
        let points = [(0.0, 0.0), (1.0, 4.0)];
        let line = heights(Shape::Line, &points, 4);
        assert_eq!(line, [Some(0.0), Some(1.5), Some(2.5), Some(4.0)]);
        let steps = heights(Shape::Steps, &points, 4);
        assert_eq!(steps, [Some(0.0), Some(0.0), Some(0.0), Some(4.0)]);
        let gap = heights(Shape::Line, &[(0.0, 1.0), (0.4, f64::NAN), (1.0, 2.0)], 4);
        assert_eq!(gap, [Some(1.0), None, None, Some(2.0)]);
        assert_eq!(heights(Shape::Line, &[], 2), [None, None]);
    }

    #[test]
    fn the_highest_point_of_a_column_is_seen() {
        let points = [(0.1, 1.0), (0.2, 5.0), (0.3, 2.0)];
        assert_eq!(heights(Shape::Line, &points, 1), [Some(5.0)]);
        assert_eq!(heights(Shape::Steps, &points, 1), [Some(2.0)]);
    }
}
