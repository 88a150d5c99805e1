//! Beliefs on a few places of the scale instead of all bins, so that what the resolution does can be compared.

use super::{BINS, Cdf, Grid, LANES, MIDDLE, ONE};

/// The places at which beliefs keep their mass.
///
/// What a belief has between two places is shared out among both, so that its mean stays: the categorical projection of
/// M. Bellemare, W. Dabney and R. Munos 2017, *A distributional perspective on reinforcement learning*. What is certain
/// (a chess grid's end bins) stays where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolution(Option<Box<Places>>);

/// Fewer places than there are bins.
#[derive(Debug, Clone, PartialEq)]
struct Places {
    /// For each bin the place at or below it, and the share of the bin's mass that goes there; the rest goes to the next
    /// place.
    shares: [(u16, f64); BINS],
    /// For each place the next one above; of the last one itself.
    next: [u16; BINS],
}

impl Resolution {
    /// Returns the resolution of so many places (at least 3), evenly among a grid's bins; so they lie close together where
    /// the bins do. Where that is all of them, beliefs stay as they are.
    pub fn of_bins(bins: usize, grid: &Grid) -> Resolution {
        let (first, last) = grid.inner();
        let steps = bins.max(3) - 1;
        let span = last - first;
        // The upper half mirrors the lower one.
        let place = |i: usize| first + (i * span + steps / 2) / steps;
        let places = (0..=steps).map(|i| match 2 * i > steps {
            true => BINS - 1 - place(steps - i),
            false => place(i),
        });
        Resolution((steps < span).then(|| Places::new(places.collect(), grid)))
    }

    /// Returns the resolution of the DISTRESS essay's "distributions over { loss, draw, win }".
    pub fn loss_draw_win(grid: &Grid) -> Resolution {
        let (first, last) = grid.inner();
        Resolution(Some(Places::new(vec![first, MIDDLE, last], grid)))
    }

    /// Returns the belief on these places.
    pub fn of(&self, belief: &Cdf) -> Cdf {
        self.0.as_ref().map_or(*belief, |places| places.of(belief))
    }
}

impl Places {
    /// `places` ascend, from the first to the last bin that a belief may use.
    fn new(places: Vec<usize>, grid: &Grid) -> Box<Places> {
        let centre = |bin: usize| f64::from(grid.centres()[bin]);
        let mut shares = std::array::from_fn(|bin| (bin as u16, 1.0));
        let mut next: [u16; BINS] = std::array::from_fn(|bin| bin as u16);
        for pair in places.windows(2) {
            let (low, high) = (pair[0], pair[1]);
            next[low] = high as u16;
            let between = shares.iter_mut().enumerate();
            for (bin, share) in between.take(high).skip(low + 1) {
                let part = (centre(high) - centre(bin)) / (centre(high) - centre(low));
                *share = (low as u16, part);
            }
        }
        Box::new(Places { shares, next })
    }

    fn of(&self, belief: &Cdf) -> Cdf {
        let mut mass = [0.0f64; BINS];
        let mut before = 0;
        for (&q, &(low, share)) in belief.0.iter().zip(&self.shares) {
            let p = f64::from(q.saturating_sub(before));
            before = q;
            mass[usize::from(low)] += share * p;
            mass[usize::from(self.next[usize::from(low)])] += (1.0 - share) * p;
        }
        let mut lanes = [0; LANES];
        let mut sum = 0.0;
        for (lane, p) in lanes.iter_mut().zip(mass) {
            sum += p;
            *lane = (sum + 0.5) as u16;
        }
        lanes[BINS - 1] = ONE;
        Cdf(lanes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Density;

    fn grids() -> [Grid; 2] {
        [Grid::sinh(), Grid::uniform()]
    }

    #[test]
    fn the_mean_stays_and_the_mass_lies_on_the_places() {
        for grid in grids() {
            for bins in [3, 4, 5, 7, 9, 15, 16, 31, 40, 59] {
                let coarse = Resolution::of_bins(bins, &grid);
                for (at, width) in [(0.0, 0.2), (0.31, 0.05), (-0.7, 0.3), (0.02, 0.01)] {
                    let fine = Density::normal(&grid, at, width).cdf();
                    let belief = coarse.of(&fine);
                    let (before, after) = (fine.mean(&grid), belief.mean(&grid));
                    assert!((before - after).abs() < 5e-5, "{bins} {before} {after}");
                    let density = belief.density();
                    let taken = density.0[..BINS].iter().filter(|p| **p > 0.0);
                    assert!(taken.count() <= bins);
                    assert!(belief.0[..BINS].is_sorted());
                    assert_eq!(coarse.of(&belief), belief, "twice is once");
                }
            }
        }
    }

    #[test]
    fn both_sides_see_the_same() {
        for grid in grids() {
            for bins in [3, 4, 6, 21, 44] {
                let coarse = Resolution::of_bins(bins, &grid);
                let belief = Density::normal(&grid, 0.37, 0.21).cdf();
                let (one, other) = (coarse.of(&belief).negated(), coarse.of(&belief.negated()));
                for (a, b) in one.0.iter().zip(&other.0) {
                    assert!((i32::from(*a) - i32::from(*b)).abs() <= 1);
                }
            }
        }
    }

    /// By hand: e = .25 is a draw with a chance of .75, and a win with one of .25, by the ends' own values.
    #[test]
    fn loss_draw_and_win_by_hand() {
        let grid = Grid::uniform();
        let end = grid.centres()[BINS - 1];
        let belief = Resolution::loss_draw_win(&grid).of(&Cdf::atom(grid.bin_of(0.25)));
        let value = grid.centres()[grid.bin_of(0.25)];
        let mass = belief.density().0;
        assert_eq!(mass[0], 0.0);
        assert!((mass[BINS - 1] - value / end).abs() < 2e-5);
        assert!((mass[MIDDLE] - (1.0 - value / end)).abs() < 2e-5);
    }

    #[test]
    fn all_bins_are_no_resolution_of_their_own_and_certainty_stays() {
        assert_eq!(Resolution::of_bins(BINS, &Grid::sinh()).0, None);
        assert_eq!(Resolution::of_bins(BINS, &Grid::uniform()).0, None);
        let grid = Grid::sinh();
        let coarse = Resolution::of_bins(3, &grid);
        for bin in [0, BINS - 1] {
            assert_eq!(coarse.of(&Cdf::atom(bin)), Cdf::atom(bin));
        }
    }
}
