//! Margins fitted to measured changes of score.

use super::change::{Origin, change};
use super::statistics::quantile_through_zero;
use super::{Changes, DepthSeries, Tested};
use depth_first::margin::{Formula, Margin};

/// One family with the scale that fits the changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    pub margin: Margin,
    /// The share of the changes that exceed the margin, by depth from 1 on.
    pub beyond: Vec<f64>,
    /// The root mean square distance of the margin from the measured quantile, over the depths, in centipawns.
    pub distance: f64,
}

/// The fits of all families, and what the law of the random walk gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Fits {
    pub level: f64,
    /// The factor by which an iteration takes more nodes than the one before: A in the probability family.
    pub branching: Option<f64>,
    /// By family, in the order of the plan.
    pub fits: Vec<Fit>,
    /// The probability family with sigma^2 = sum r^2 / sum d instead of a fitted scale.
    pub law: Option<Fit>,
}

/// Fits each family to the changes from the static value in the direction that the tested rule bets against, so that a
/// share `level` exceeds the margin.
///
/// The scale comes from a quantile regression through 0 of all changes on the family's shape
/// ([`quantile_through_zero`]): over all depths together a share `level` (weighted by the shape) lies beyond. Mates are
/// left out. The probability family gets `level` as its eps, and the measured growth of the tree by depth as its A.
pub fn fits(measured: &[DepthSeries], tested: Tested, families: &[Formula], level: f64) -> Fits {
    let branching = branching(measured);
    let points = points(measured, tested);
    let prepared = |formula: Formula| match formula {
        Formula::Probability {
            scale,
            branching: given,
            ..
        } => Formula::Probability {
            scale,
            branching: branching.unwrap_or(given),
            eps: level,
        },
        other => other,
    };
    let fit = |formula: &Formula| {
        let formula = prepared(*formula);
        let scaled = points.iter().map(|(d, r)| (formula.shape(*d), *r));
        let scale = quantile_through_zero(scaled, 1.0 - level)?;
        Some(Fit::of(readable(formula.with_scale(scale)), &points, level))
    };
    let law = families
        .iter()
        .find(|f| matches!(f, Formula::Probability { .. }))
        .and_then(|f| {
            let sigma = Changes::of(measured, Origin::Static).variance?.sqrt();
            let law = readable(prepared(*f).with_scale(sigma));
            Some(Fit::of(law, &points, level))
        });
    Fits {
        level,
        branching,
        fits: families.iter().filter_map(fit).collect(),
        law,
    }
}

/// Returns the share of the changes from the static value that exceed a margin, by depth from 1 on.
pub(super) fn beyond(measured: &[DepthSeries], tested: Tested, margin: &Margin) -> Vec<f64> {
    Fit::of(*margin, &points(measured, tested), 0.5).beyond
}

/// Returns pairs of (depth, change in the direction that the rule bets against).
fn points(measured: &[DepthSeries], tested: Tested) -> Vec<(f64, f64)> {
    let mut points = Vec::new();
    for series in measured {
        for depth in 1..=series.scores.len() {
            if let Some(Ok(r)) = change(series, Origin::Static, depth) {
                points.push((depth as f64, r * tested.direction()));
            }
        }
    }
    points
}

/// Returns the growth of the tree by depth: over the series that reached the greatest depth, the total nodes of the
/// last iteration relative to the first, per iteration. At least 1, with two decimals.
fn branching(measured: &[DepthSeries]) -> Option<f64> {
    let deepest = measured.iter().map(|l| l.nodes.len()).max()?;
    let whole = || measured.iter().filter(|l| l.nodes.len() == deepest);
    let first: u64 = whole().filter_map(|l| l.nodes.first()).sum();
    let last: u64 = whole().filter_map(|l| l.nodes.last()).sum();
    if deepest < 2 || first == 0 {
        return None;
    }
    let factor = (last as f64 / first as f64).powf(1.0 / (deepest - 1) as f64);
    Some((factor.clamp(1.0, 100.0) * 100.0).round() / 100.0)
}

/// Rounds the scale to a tenth of a centipawn and limits it to what a margin accepts.
fn readable(formula: Formula) -> Margin {
    let scale = (formula.scale().clamp(0.0, 2000.0) * 10.0).round() / 10.0;
    Margin::new(formula.with_scale(scale))
}

impl Fit {
    fn of(margin: Margin, points: &[(f64, f64)], level: f64) -> Fit {
        let deepest = points.iter().map(|p| p.0 as usize).max().unwrap_or(0);
        let mut beyond = Vec::new();
        let (mut squares, mut depths) = (0.0, 0.0);
        for depth in 1..=deepest {
            let value = f64::from(margin.at(depth as i32));
            let mut changes: Vec<f64> = points
                .iter()
                .filter(|p| p.0 as usize == depth)
                .map(|p| p.1)
                .collect();
            changes.sort_by(f64::total_cmp);
            let above = changes.iter().filter(|r| **r > value).count();
            beyond.push(above as f64 / changes.len().max(1) as f64);
            if let Some(wanted) = super::statistics::quantile(&changes, 1.0 - level) {
                squares += (wanted - value).powi(2);
                depths += 1.0;
            }
        }
        Fit {
            margin,
            beyond,
            distance: if depths > 0.0 {
                (squares / depths).sqrt()
            } else {
                0.0
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use depth_first::margin::FAMILIES;
    use game::Score;

    /// Returns changes spread evenly over ±100 times the formula's shape.
    fn drawn_from(formula: Formula) -> Vec<DepthSeries> {
        (0..=400)
            .map(|i| {
                let share = f64::from(i) / 200.0 - 1.0;
                let scores = (1..=8).map(|d| {
                    let far = 100.0 * formula.shape(f64::from(d));
                    Score::new((share * far).round() as i32)
                });
                DepthSeries {
                    static_value: Some(Score::DRAW),
                    quiescence: Score::DRAW,
                    scores: scores.collect(),
                    nodes: (1..=8).map(|d| 3u64.pow(d)).collect(),
                }
            })
            .collect()
    }

    #[test]
    fn a_family_gets_back_the_scale_that_made_the_changes() {
        let families = FAMILIES.each_ref().map(|f| f.example);
        for (i, family) in families.iter().enumerate().take(3) {
            for tested in [Tested::Futility, Tested::ReverseFutility] {
                let found = fits(&drawn_from(*family), tested, &families, 0.05);
                assert_eq!(found.branching, Some(3.0));
                let fit = &found.fits[i];
                // The 95 % quantile of a uniform distribution between -100 and +100.
                let scale = fit.margin.formula().scale();
                assert!((scale - 90.0).abs() < 1.0, "{}", fit.margin);
                assert!(fit.beyond.iter().all(|b| (b - 0.05).abs() < 0.01));
                assert!(fit.distance < 2.0, "{}", fit.distance);
                for (j, other) in found.fits.iter().enumerate() {
                    assert!(i == j || other.distance > fit.distance);
                }
            }
        }
    }

    #[test]
    fn the_law_takes_its_sigma_from_the_squares() {
        let root = Formula::Root { scale: 1.0 };
        let found = fits(
            &drawn_from(root),
            Tested::Futility,
            &[FAMILIES[3].example],
            0.05,
        );
        let law = found.law.expect("a probability family").margin.formula();
        let Formula::Probability {
            scale,
            branching,
            eps,
        } = law
        else {
            panic!("{law}");
        };
        // Uniform over ±100 sqrt d: a variance of 100^2 / 3 per ply.
        assert!((scale - 100.0 / 3.0_f64.sqrt()).abs() < 0.5, "{scale}");
        assert_eq!((branching, eps), (3.0, 0.05));
    }

    #[test]
    fn nothing_measured_fits_nothing() {
        let found = fits(&[], Tested::Futility, &[FAMILIES[0].example], 0.05);
        assert!(found.fits.is_empty() && found.law.is_none() && found.branching.is_none());
    }
}
