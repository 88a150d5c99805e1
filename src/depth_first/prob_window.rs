//! Windows of probabilistic alpha-beta: integer scores, and the bins they stand for where a belief has width.

use belief::{BINS, Grid};
use game::{Scale, Score};

/// Which scores lie in which bins. A window is kept in scores, as in alpha-beta, so that exact values are compared to
/// the last unit; against a belief with width, a bound counts as its whole bin.
#[derive(Clone, Debug)]
pub struct Bins {
    grid: Grid,
    scale: Scale,
    /// The lowest score of each bin.
    lowest: [Score; BINS],
}

impl Bins {
    pub fn new(grid: &Grid, scale: Scale) -> Self {
        let mut bins = Bins {
            grid: grid.clone(),
            scale,
            lowest: [Score::LOSS; BINS],
        };
        for bin in 1..BINS {
            let (mut below, mut at) = (Score::LOSS.raw(), Score::MAX.raw());
            while below + 1 < at {
                let middle = below.midpoint(at);
                if in_grid(grid, scale, Score::from_raw(middle)) >= bin as i32 {
                    at = middle;
                } else {
                    below = middle;
                }
            }
            bins.lowest[bin] = Score::from_raw(at);
        }
        bins
    }

    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// The bin of a score. In chess the outermost bins are for mates only; the ends of an open window lie below and
    /// above all bins.
    pub fn of(&self, score: Score) -> i32 {
        if score < Score::LOSS {
            -1
        } else if score > Score::WIN {
            BINS as i32
        } else {
            self.lowest.partition_point(|&lowest| lowest <= score) as i32 - 1
        }
    }

    /// The bin in which a point lies; for the ends of an open window, the nearest one.
    pub fn nearest(&self, point: Score) -> usize {
        self.of(point).clamp(0, BINS as i32 - 1) as usize
    }

    /// The lowest bin whose scores all reach the bound. Where the bound lies inside a bin, that bin's mass may lie
    /// below it and is not counted.
    pub fn reaching(&self, bound: Score) -> i32 {
        let bin = self.of(bound);
        if bound > self.beta(bin) { bin + 1 } else { bin }
    }

    /// The highest bin whose scores are all at most the bound.
    pub fn within(&self, bound: Score) -> i32 {
        BINS as i32 - 1 - self.reaching(-bound)
    }

    /// Beta for a bin that is to be reached: its lowest score, or open beyond the last bin.
    pub fn beta(&self, bin: i32) -> Score {
        match usize::try_from(bin) {
            Err(_) => Score::MIN,
            Ok(bin) => self.lowest.get(bin).copied().unwrap_or(Score::MAX),
        }
    }

    /// Alpha for a bin that is reached elsewhere: its highest score, or open below the first bin.
    pub fn alpha(&self, bin: i32) -> Score {
        -self.beta(BINS as i32 - 1 - bin)
    }
}

/// Computes [`Bins::of`] from the grid itself.
fn in_grid(grid: &Grid, scale: Scale, score: Score) -> i32 {
    let expected = scale.expected(score);
    if score < Score::LOSS {
        -1
    } else if score > Score::WIN {
        BINS as i32
    } else if score.is_decided() {
        grid.bin_of(expected) as i32
    } else {
        grid.bin_inner(expected) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_scores_tell_every_scores_bin() {
        for bins in both() {
            for raw in Score::MIN.raw()..=Score::MAX.raw() {
                let score = Score::from_raw(raw);
                let by_grid = in_grid(bins.grid(), bins.scale(), score);
                assert_eq!(bins.of(score), by_grid, "{score:?}");
            }
        }
    }

    fn both() -> [Bins; 2] {
        let toy = Scale::linear(100.0, 6.3);
        [
            Bins::new(&Grid::sinh(), Scale::Logistic),
            Bins::new(&Grid::uniform(), toy),
        ]
    }

    #[test]
    fn a_bins_bounds_are_its_lowest_and_highest_score() {
        for bins in both() {
            for bin in 1..BINS as i32 - 1 {
                let (low, high) = (bins.beta(bin), bins.alpha(bin));
                assert!(low <= high, "{bin}: {low:?} {high:?}");
                assert_eq!((bins.of(low), bins.of(high)), (bin, bin));
                assert_eq!(bins.of(Score::from_raw(low.raw() - 1)), bin - 1);
                assert_eq!(bins.of(Score::from_raw(high.raw() + 1)), bin + 1);
                // The other side sees the same window.
                assert_eq!(bins.alpha(bin), -bins.beta(BINS as i32 - 1 - bin));
            }
        }
    }

    #[test]
    fn a_bound_inside_a_bin_is_reached_by_the_next_one() {
        for bins in both() {
            for bin in 1..BINS as i32 - 1 {
                let (low, high) = (bins.beta(bin), bins.alpha(bin));
                assert_eq!((bins.reaching(low), bins.within(high)), (bin, bin));
                if low < high {
                    let next = |score: Score, by: i16| Score::from_raw(score.raw() + by);
                    assert_eq!(bins.reaching(next(low, 1)), bin + 1);
                    assert_eq!(bins.within(next(high, -1)), bin - 1);
                }
            }
            assert_eq!(
                (bins.reaching(Score::MIN), bins.within(Score::MAX)),
                (-1, 63)
            );
            assert_eq!(
                (bins.reaching(Score::MAX), bins.within(Score::MIN)),
                (63, -1)
            );
        }
    }

    #[test]
    fn open_windows_stay_open_and_mates_have_the_ends_of_chess() {
        for bins in both() {
            assert_eq!((bins.alpha(-1), bins.beta(63)), (Score::MIN, Score::MAX));
            assert_eq!((bins.of(Score::MIN), bins.of(Score::MAX)), (-1, 63));
        }
        let [chess, _] = both();
        assert!(chess.beta(62).is_win() && chess.alpha(0).is_loss());
        assert!(!chess.beta(61).is_decided() && !chess.alpha(1).is_decided());
        assert_eq!(chess.of(Score::new(29_000)), 61);
    }
}
