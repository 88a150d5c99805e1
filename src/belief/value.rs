//! The value of knowing more about the children.

use super::{BINS, Cdf, Density, Grid, Running};

/// Returns the value of perfect information about each child, in expected score.
///
/// For the child with the highest mean this is E[(mu_2 - X)+], the gain if it turns out worse than the second best; for
/// the others it is E[(X - mu_best)+]. Children are in the parent's view. Source: Russell and Wefald, *Do the Right
/// Thing*, 1991.
#[must_use]
pub fn vpi(children: &[Density], grid: &Grid) -> Vec<f32> {
    let means: Vec<f32> = children.iter().map(|d| d.mean(grid)).collect();
    vpi_given_means(children, &means, grid)
}

fn vpi_given_means(children: &[Density], means: &[f32], grid: &Grid) -> Vec<f32> {
    let Some(best) = first_of_highest(means) else {
        return Vec::new();
    };
    let others = means.iter().enumerate().filter(|&(i, _)| i != best);
    let second = others.map(|(_, &m)| m).fold(f32::NEG_INFINITY, f32::max);
    let gain = |(i, child): (usize, &Density)| {
        if i != best {
            expected_part(child, grid, |x| x - means[best])
        } else if second.is_finite() {
            expected_part(child, grid, |x| second - x)
        } else {
            0.0
        }
    };
    children.iter().enumerate().map(gain).collect()
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

/// E[max(f(X), 0)].
fn expected_part(density: &Density, grid: &Grid, f: impl Fn(f32) -> f32) -> f32 {
    let pairs = density.0[..BINS].iter().zip(grid.centres());
    pairs.map(|(&p, &c)| p * f(c).max(0.0)).sum()
}

/// Returns the mean expected score of the best child if all are independent and were known exactly; 0 without children.
#[must_use]
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
    use super::*;

    #[test]
    fn certain_children_are_worth_no_search() {
        let grid = Grid::sinh();
        let atoms = [Density::atom(40), Density::atom(10), Density::atom(40)];
        assert_eq!(vpi(&atoms, &grid), vec![0.0; 3]);
        assert_eq!(vpi(&atoms[..1], &grid), vec![0.0]);
        assert!(vpi(&[], &grid).is_empty());
        let max = expected_max(&atoms.map(|a| a.cdf()), &grid);
        assert!((max - grid.centres()[40]).abs() < 1e-6);
    }

    #[test]
    fn the_uncertain_rival_is_worth_most() {
        let grid = Grid::sinh();
        let leaf = |mean, tau| Density::logistic(&grid, mean, tau);
        let found = vpi(&[leaf(0.5, 0.1), leaf(0.2, 0.4), leaf(0.2, 0.1)], &grid);
        assert!(found[1] > found[0] && found[0] > found[2], "{found:?}");
    }
}
