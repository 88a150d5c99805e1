//! The value of knowing more about the children.

use super::{BINS, Cdf, Grid, LANES, ONE, Running};

/// Returns the value of perfect information about each child, in expected score.
///
/// For the child with the highest mean this is E[(mu_2 - X)+], the gain if it turns out worse than the second best; for
/// the others it is E[(X - mu_best)+]. Children are in the parent's view. Source: Russell and Wefald, *Do the Right
/// Thing*, 1991.
pub fn vpi(children: &[Cdf], grid: &Grid) -> Vec<f32> {
    let means: Vec<f32> = children.iter().map(|c| c.mean(grid)).collect();
    let Some(best) = first_of_highest(&means) else {
        return Vec::new();
    };
    let others = means.iter().enumerate().filter(|&(i, _)| i != best);
    let second = others.map(|(_, &m)| m).fold(f32::NEG_INFINITY, f32::max);
    let above = Above::new(grid, means[best]);
    let mut worth: Vec<f32> = children.iter().map(|child| above.of(child)).collect();
    worth[best] = if second.is_finite() {
        // E[(m - X)+] = m - E[X] + E[(X - m)+].
        let gain = second - means[best] + Above::new(grid, second).of(&children[best]);
        gain.max(0.0)
    } else {
        0.0
    };
    worth
}

/// E[(X - m)+] of distributions on a grid, for one m.
struct Above {
    /// How much of the step from each bin's centre to the next lies above m, in units of a stored CDF.
    steps: [f32; LANES],
    /// How far the last bin lies above m.
    last: f32,
}

impl Above {
    fn new(grid: &Grid, m: f32) -> Above {
        let mut steps = [0.0; LANES];
        let centres = &grid.centres()[..BINS];
        for (step, pair) in steps.iter_mut().zip(centres.windows(2)) {
            *step = (pair[1].max(m) - pair[0].max(m)) / f32::from(ONE);
        }
        let last = (centres[BINS - 1] - m).max(0.0);
        Above { steps, last }
    }

    /// By parts: (c_last - m)+ less the steps above m, each weighted with the CDF.
    fn of(&self, belief: &Cdf) -> f32 {
        let mut sums = [0.0f32; 8];
        for (q, steps) in belief.0.chunks_exact(8).zip(self.steps.chunks_exact(8)) {
            for (sum, (&q, step)) in sums.iter_mut().zip(q.iter().zip(steps)) {
                *sum += f32::from(q) * step;
            }
        }
        (self.last - sums.iter().sum::<f32>()).max(0.0)
    }
}

/// Returns the index of the highest value, the first among equals.
fn first_of_highest(values: &[f32]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (i, v) in values.iter().enumerate() {
        if best.is_none_or(|b| *v > values[b]) {
            best = Some(i);
        }
    }
    best
}

/// Returns the mean expected score of the best child if all are independent and were known exactly; 0 without children.
pub fn expected_max(children: &[Cdf], grid: &Grid) -> f32 {
    if children.is_empty() {
        return 0.0;
    }
    let mut running = Running::new();
    children.iter().for_each(|child| running.multiply(child));
    running.mean(grid)
}

#[cfg(test)]
mod tests {
    use super::super::leaf;
    use super::*;

    #[test]
    fn certain_children_are_worth_no_search() {
        let grid = Grid::sinh();
        let atoms = [40, 10, 40].map(Cdf::atom);
        assert!(vpi(&atoms, &grid).iter().all(|v| *v < 1e-6));
        assert_eq!(vpi(&atoms[..1], &grid), vec![0.0]);
        assert!(vpi(&[], &grid).is_empty());
        let max = expected_max(&atoms, &grid);
        assert!((max - grid.centres()[40]).abs() < 1e-6);
    }

    #[test]
    fn the_uncertain_rival_is_worth_most() {
        let grid = Grid::sinh();
        let leaf = |mean, tau| leaf(&grid, mean, tau);
        let found = vpi(&[leaf(0.5, 0.1), leaf(0.2, 0.4), leaf(0.2, 0.1)], &grid);
        assert!(found[1] > found[0] && found[0] > found[2], "{found:?}");
    }
}
