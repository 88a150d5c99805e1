//! The points of a distribution's curves over the expected score.

use belief::{BINS, Density, Grid};

use crate::Axis;

/// The number of points of a curve: two per cell on wide plots.
const POINTS: usize = 256;

fn sampled(axis: &Axis, at: impl Fn(f32) -> f32) -> Vec<(f64, f64)> {
    let place = |i: usize| axis.at((i as f64 + 0.5) / POINTS as f64);
    let point = |x: f64| (x, f64::from(at(x as f32)));
    (0..POINTS).map(place).map(point).collect()
}

/// Returns the density per unit of expected score, scaled so that its highest point is 1. A belief in one bin becomes a
/// single peak.
pub fn density(density: &Density, grid: &Grid, axis: &Axis) -> Vec<(f64, f64)> {
    let edges = grid.edges();
    let per_unit = |bin: usize| density.0[bin] / (edges[bin + 1] - edges[bin]).max(0.004);
    let centres = grid.centres();
    let point = density.is_atom().is_some();
    let mut points = sampled(axis, |e| {
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
    let most = points.iter().map(|p| p.1).fold(0.0, f64::max);
    if most > 0.0 {
        for p in &mut points {
            p.1 /= most;
        }
    }
    points
}

/// Returns one bar at each score that has mass, as high as its share: for a few outcomes.
pub fn bars(density: &Density, grid: &Grid, axis: &Axis) -> Vec<(f64, f64)> {
    let half = 0.02 * (axis.high - axis.low) as f32;
    let outcomes = (0..BINS).filter(|&bin| density.0[bin] > 0.0);
    let outcomes: Vec<(f32, f32)> = outcomes
        .map(|bin| (grid.centres()[bin], density.0[bin]))
        .collect();
    sampled(axis, |e| {
        let near = outcomes.iter().filter(|(at, _)| (at - e).abs() <= half);
        near.map(|(_, mass)| *mass).fold(0.0, f32::max)
    })
}

/// Returns P(X <= e), linear within a bin.
pub fn cumulative(density: &Density, grid: &Grid, axis: &Axis) -> Vec<(f64, f64)> {
    let edges = grid.edges();
    let mut below = [0.0f32; BINS + 1];
    for bin in 0..BINS {
        below[bin + 1] = below[bin] + density.0[bin];
    }
    let atom = density.is_atom();
    sampled(axis, |e| {
        let bin = grid.bin_of(e);
        if atom == Some(bin) {
            // A point mass is a step, not a slope.
            return if e < grid.centres()[bin] { 0.0 } else { 1.0 };
        }
        let width = (edges[bin + 1] - edges[bin]).max(f32::EPSILON);
        below[bin] + density.0[bin] * (e - edges[bin]) / width
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Series;

    fn whole() -> Axis {
        Axis::new(-1.0, 1.0)
    }

    #[test]
    fn a_cdf_rises_from_nothing_to_one() {
        let grid = Grid::sinh();
        let normal = Density::normal(&grid, 0.0, 0.5);
        let points = cumulative(&normal, &grid, &whole());
        assert!(points.windows(2).all(|w| w[0].1 <= w[1].1 + 1e-5));
        assert!(points[0].1 < 0.01 && points[255].1 > 0.99);
        let at_zero = points[128].1;
        assert!((at_zero - 0.5).abs() < 0.03, "{at_zero}");
    }

    #[test]
    fn a_point_is_a_step() {
        let grid = Grid::uniform();
        let points = cumulative(&Density::atom(40), &grid, &whole());
        assert!(points.iter().all(|&(_, p)| p == 0.0 || p == 1.0));
    }

    #[test]
    fn columns_have_no_gaps_whatever_the_width() {
        let grid = Grid::sinh();
        let normal = Density::normal(&grid, 0.2, 0.3);
        let series = Series {
            points: density(&normal, &grid, &whole()),
            ..Series::default()
        };
        for columns in [1, 7, 100, 255, 256, 257, 1000] {
            let heights = series.heights(&whole(), columns);
            let known: Vec<f64> = heights.iter().flatten().copied().collect();
            // Beyond the outermost points there may be half a step without one.
            assert!(known.len() + columns / POINTS + 1 >= columns, "{columns}");
            let most = known.iter().copied().fold(0.0, f64::max);
            assert!((most - 1.0).abs() < 1e-6, "{columns}");
        }
    }
}
