//! How far scores move from their value at depth 0, by depth.

use super::DepthSeries;
use super::statistics::{Estimated, exponent, moments, quantile, robust_sd, through_zero};
use game::Score;

/// The shares for which quantiles are given.
pub const QUANTILES: [f64; 7] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];

/// The shares for which quantiles of the distance, regardless of sign, are given.
pub const DISTANCES: [f64; 2] = [0.95, 0.99];

/// The score that counts as that of depth 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The static value, with which the rules compare. Positions in check have none.
    Static,
    /// The value after quiescence.
    Quiescence,
}

/// The changes of score from depth 0 to one depth, in centipawns from the view of the side to move at depth 0.
#[derive(Clone, Debug, PartialEq)]
pub struct DepthChange {
    pub depth: u16,
    /// The number of positions that have a score at both ends which is not a mate.
    pub n: usize,
    /// The number of positions with a mate instead; they are counted only here.
    pub mates: usize,
    pub mean: f64,
    /// `None` for a single position.
    pub sd: Option<f64>,
    /// The spread by [`robust_sd`], which the few largest changes do not affect.
    pub robust_sd: f64,
    /// Quantiles by [`QUANTILES`], with sign. Those above one half are what a futile move may still win; those below
    /// are what a side far ahead may still lose.
    pub quantiles: [f64; QUANTILES.len()],
    /// Quantiles of the distance from 0, by [`DISTANCES`].
    pub distances: [f64; DISTANCES.len()],
}

/// How a measure of spread depends on depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    pub name: &'static str,
    /// a in a sqrt d, as in a random walk, and the root mean square distance from it.
    pub root: Option<(Estimated, f64)>,
    /// a in a d.
    pub linear: Option<(Estimated, f64)>,
    /// b in a d^b: one half for a random walk.
    pub exponent: Option<Estimated>,
}

/// The changes to all depths.
#[derive(Clone, Debug, PartialEq)]
pub struct Changes {
    pub origin: Origin,
    /// From depth 1 to the largest that any position reached.
    pub depths: Vec<DepthChange>,
    /// The standard deviation, the robust one, and the 95 % and 99 % quantiles upwards.
    pub spreads: [Spread; 4],
    /// sum r^2 / sum d over all changes r to depths d: the variance of one ply's step if this were a random walk.
    pub variance: Option<f64>,
}

/// Returns the change to a depth; `None` if one end is missing, `Err` if one end is a mate.
pub(super) fn change(
    series: &DepthSeries,
    origin: Origin,
    depth: usize,
) -> Option<Result<f64, ()>> {
    let from = match origin {
        Origin::Static => series.static_value?,
        Origin::Quiescence => series.quiescence,
    };
    let to = *series.scores.get(depth.checked_sub(1)?)?;
    let ordinary = |s: Score| (!s.is_decided()).then(|| f64::from(s.raw()));
    Some(
        ordinary(from)
            .zip(ordinary(to))
            .map(|(from, to)| to - from)
            .ok_or(()),
    )
}

impl Changes {
    pub fn of(measured: &[DepthSeries], origin: Origin) -> Changes {
        let deepest = measured.iter().map(|l| l.scores.len()).max().unwrap_or(0);
        let depths: Vec<DepthChange> = (1..=deepest)
            .filter_map(|depth| DepthChange::of(measured, origin, depth))
            .collect();
        let (mut squares, mut plies) = (0.0, 0.0);
        for series in measured {
            for depth in 1..=series.scores.len() {
                if let Some(Ok(r)) = change(series, origin, depth) {
                    squares += r * r;
                    plies += depth as f64;
                }
            }
        }
        Changes {
            origin,
            spreads: [
                Spread::of("sd", &depths, |d| d.sd),
                Spread::of("robust sd", &depths, |d| Some(d.robust_sd)),
                Spread::of("95 % up", &depths, |d| Some(d.quantiles[5])),
                Spread::of("99 % up", &depths, |d| Some(d.quantiles[6])),
            ],
            variance: (plies > 0.0).then(|| squares / plies),
            depths,
        }
    }
}

impl DepthChange {
    fn of(measured: &[DepthSeries], origin: Origin, depth: usize) -> Option<DepthChange> {
        let mut changes = Vec::new();
        let mut mates = 0;
        for found in measured.iter().filter_map(|l| change(l, origin, depth)) {
            match found {
                Ok(r) => changes.push(r),
                Err(()) => mates += 1,
            }
        }
        changes.sort_by(f64::total_cmp);
        let mut distances: Vec<f64> = changes.iter().map(|r| r.abs()).collect();
        distances.sort_by(f64::total_cmp);
        let (mean, sd) = moments(&changes)?;
        // There is at least one change, so no quantile is missing.
        let of = |figures: &[f64], p| quantile(figures, p).unwrap_or(f64::NAN);
        Some(DepthChange {
            depth: depth as u16,
            n: changes.len(),
            mates,
            mean,
            sd,
            robust_sd: robust_sd(&changes)?,
            quantiles: QUANTILES.map(|p| of(&changes, p)),
            distances: DISTANCES.map(|p| of(&distances, p)),
        })
    }
}

impl Spread {
    fn of(
        name: &'static str,
        depths: &[DepthChange],
        figure: impl Fn(&DepthChange) -> Option<f64>,
    ) -> Spread {
        let points: Vec<(f64, f64)> = depths
            .iter()
            .filter_map(|d| Some((f64::from(d.depth), figure(d)?)))
            .collect();
        let roots: Vec<(f64, f64)> = points.iter().map(|(d, y)| (d.sqrt(), *y)).collect();
        Spread {
            name,
            root: through_zero(&roots),
            linear: through_zero(&points),
            exponent: exponent(&points),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(static_value: Option<i32>, quiescence: i32, scores: &[Score]) -> DepthSeries {
        DepthSeries {
            static_value: static_value.map(Score::new),
            quiescence: Score::new(quiescence),
            nodes: vec![1; scores.len()],
            scores: scores.to_vec(),
        }
    }

    #[test]
    fn mates_are_counted_and_positions_in_check_have_no_static_change() {
        let measured = [
            series(Some(10), 20, &[Score::new(30), Score::new(110)]),
            series(Some(0), 0, &[Score::new(-20), Score::win_in(3)]),
            series(None, 5, &[Score::new(5)]),
        ];
        let changes = Changes::of(&measured, Origin::Static);
        let [one, two] = changes.depths.as_slice() else {
            panic!("two depths");
        };
        assert_eq!((one.n, one.mates, one.mean), (2, 0, 0.0));
        assert_eq!(one.quantiles[3], 0.0);
        assert_eq!((two.n, two.mates, two.mean, two.sd), (1, 1, 100.0, None));
        // 20^2 + 20^2 + 100^2 over 1 + 1 + 2 plies.
        assert_eq!(changes.variance, Some(2700.0));
        let quiescence = Changes::of(&measured, Origin::Quiescence);
        assert_eq!(quiescence.depths[0].n, 3);
    }

    #[test]
    fn a_random_walks_spread_has_the_exponent_one_half() {
        // The changes are ±100 sqrt d.
        let measured: Vec<DepthSeries> = (0..20)
            .map(|i| {
                let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
                let scores: Vec<Score> = (1..=9)
                    .map(|d| Score::new((sign * 1000.0 * f64::from(d).sqrt()).round() as i32))
                    .collect();
                series(Some(0), 0, &scores)
            })
            .collect();
        let changes = Changes::of(&measured, Origin::Static);
        for spread in &changes.spreads {
            let found = spread.exponent.expect("nine depths").value;
            assert!((found - 0.5).abs() < 1e-3, "{}: {found}", spread.name);
        }
        let sigma = changes.variance.expect("changes").sqrt();
        assert!((sigma - 1000.0).abs() < 1.0, "{sigma}");
        let (root, _) = changes.spreads[1].root.expect("nine depths");
        assert!((root.value - 1482.6).abs() < 2.0, "{root:?}");
    }

    #[test]
    fn nothing_measured_is_nothing() {
        let changes = Changes::of(&[], Origin::Static);
        assert!(changes.depths.is_empty() && changes.variance.is_none());
        assert!(changes.spreads.iter().all(|s| s.exponent.is_none()));
    }
}
