//! How well the largest of several values can be told from three numbers of each, its median and its distances to the 5 % and 95 %
//! points: the approximation that the author of the DISTRESS essay looked for and did not find.

use fastrand::Rng;
use serde::{Deserialize, Serialize};

use super::kept::Kept;
use super::statistics::{Figure, Resamples};
use belief::gaussian::Gaussian;
use belief::precursors::ThreePoint;
use belief::special::normal_quantile;
use session::NoThread;
use session::jobs::BackgroundJob;

/// The numbers of values of which one is the largest.
pub const NUMBERS: [usize; 7] = [2, 3, 5, 10, 30, 100, 218];
/// By how much the widest may be wider than the narrowest.
pub const RATIOS: [f64; 4] = [1.0, 2.0, 4.0, 8.0];
/// Trees: the number of moves, and the plies.
pub const TREES: [(usize, u32); 6] = [(2, 2), (2, 4), (2, 8), (5, 2), (5, 4), (30, 2)];

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Draws of each kind; the fit is to as many others.
    pub draws: usize,
    /// In trees the widest leaf may be so much wider than the narrowest.
    pub ratio: f64,
    pub seed: u64,
    pub at_a_time: usize,
}

/// A way from the three numbers of several values to those of the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// Those of the one with the highest median: the control.
    Best,
    /// Clark's moments of the larger of two, one after the other, for normal distributions with the same mean and variance.
    Clark,
    /// The exact moments of the largest of these.
    Moments,
    /// Clark's median and distances, corrected by three constants that were fitted for each number of values and ratio of widths.
    Fitted,
    /// The three points of the product of the distribution functions: not closed, and exact for one maximum.
    Product,
}

impl Way {
    pub const ALL: [Way; 5] = [
        Way::Best,
        Way::Clark,
        Way::Moments,
        Way::Fitted,
        Way::Product,
    ];

    /// Those that are formulas of the three numbers, which the essay asks for, without the control.
    pub const CLOSED: [Way; 3] = [Way::Clark, Way::Moments, Way::Fitted];

    pub fn name(self) -> &'static str {
        match self {
            Way::Best => "best",
            Way::Clark => "Clark",
            Way::Moments => "moments",
            Way::Fitted => "fitted",
            Way::Product => "product",
        }
    }

    fn of(self, all: &[ThreePoint], fit: &Fit) -> Option<ThreePoint> {
        let gaussians = || all.iter().map(|x| x.moments()).collect::<Vec<Gaussian>>();
        match self {
            Way::Best => {
                let by_median = |a: &&ThreePoint, b: &&ThreePoint| a.middle.total_cmp(&b.middle);
                all.iter().max_by(by_median).copied()
            }
            Way::Clark => clark(all),
            Way::Moments => Gaussian::largest_exactly(&gaussians()).map(ThreePoint::normal),
            Way::Fitted => Some(fit.corrected(clark(all)?)),
            Way::Product => ThreePoint::maximum(all),
        }
    }
}

fn clark(all: &[ThreePoint]) -> Option<ThreePoint> {
    let pairs = all.iter().map(|x| x.moments());
    let largest = pairs.reduce(|a, b| a.max(b, 0.0));
    largest.map(ThreePoint::normal)
}

/// Corrections of Clark's numbers, in units of his distance to the 95 % point.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fit {
    shift: f64,
    left: f64,
    right: f64,
}

impl Fit {
    const NONE: Fit = Fit {
        shift: 0.0,
        left: 1.0,
        right: 1.0,
    };

    /// Fits the corrections to random values, by means.
    fn new(number: usize, ratio: f64, draws: usize, rng: &mut Rng) -> Fit {
        let mut sum = [0.0; 3];
        let mut n = 0.0;
        for _ in 0..draws {
            let all = drawn(number, ratio, rng);
            let both = clark(&all).zip(ThreePoint::maximum(&all));
            let Some((clark, exact)) = both.filter(|(clark, _)| clark.right > 0.0) else {
                continue;
            };
            let found = [exact.middle - clark.middle, exact.left, exact.right];
            for (sum, found) in sum.iter_mut().zip(found) {
                *sum += found / clark.right;
            }
            n += 1.0;
        }
        if n == 0.0 {
            return Fit::NONE;
        }
        let [shift, left, right] = sum.map(|sum| sum / n);
        Fit { shift, left, right }
    }

    fn corrected(self, clark: ThreePoint) -> ThreePoint {
        ThreePoint {
            middle: clark.middle + self.shift * clark.right,
            left: self.left * clark.left,
            right: self.right * clark.right,
        }
    }
}

/// Values at random: medians are normal with a standard deviation of 1, and the distances to either side those of normal
/// distributions whose standard deviations lie evenly, by their logarithm, around 1 with this ratio of the ends.
fn drawn(number: usize, ratio: f64, rng: &mut Rng) -> Vec<ThreePoint> {
    let value = |_| {
        let mut reach = || normal_quantile(0.95) * ratio.powf(rng.f64() - 0.5);
        let (left, right) = (reach(), reach());
        ThreePoint {
            middle: normal_quantile(rng.f64().clamp(1e-12, 1.0 - 1e-12)),
            left,
            right,
        }
    };
    (0..number).map(value).collect()
}

/// How far off a way is: root mean square over its three points, and its width, both by the exact distance from the 5 % to the
/// 95 % point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Off {
    pub way: Way,
    pub error: Figure,
    /// The mean of how much too high the median is.
    pub shift: Figure,
    /// The width, as a multiple of the exact one (geometric mean).
    pub width: Figure,
}

/// One kind of draws, with how far off each way is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub number: usize,
    pub ratio: f64,
    pub plies: u32,
    pub off: Vec<Off>,
}

impl Row {
    /// Returns how far off a way is.
    pub fn of(&self, way: Way) -> Option<&Off> {
        self.off.iter().find(|off| off.way == way)
    }
}

/// All that was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Maximum {
    /// One maximum, by number and ratio.
    pub once: Vec<Row>,
    /// Trees: maxima of one side's and the other's in turn.
    pub trees: Vec<Row>,
}

/// Error, shift and width of one draw.
type Missed = [f64; 3];

fn missed(found: ThreePoint, exact: ThreePoint) -> Missed {
    let width = exact.left + exact.right;
    let shift = (found.middle - exact.middle) / width;
    let low = shift - (found.left - exact.left) / width;
    let high = shift + (found.right - exact.right) / width;
    let error = (shift * shift + low * low + high * high) / 3.0;
    [error, shift, ((found.left + found.right) / width).ln()]
}

/// Draws and compares. `number` values, or leaves of a tree with so many moves, `plies` deep.
fn row(plan: &Plan, (number, plies): (usize, u32), ratio: f64, seed: u64) -> Row {
    let mut rng = Rng::with_seed(seed);
    let fit = Fit::new(number, ratio, plan.draws, &mut rng);
    let leaves = number.pow(plies);
    let mut draws: Vec<[Option<Missed>; Way::ALL.len()]> = Vec::new();
    for _ in 0..plan.draws {
        let all = drawn(leaves, ratio, &mut rng);
        let Some(exact) = exact(&all, number, plies) else {
            continue;
        };
        draws.push(Way::ALL.map(|way| {
            let found = backed_up(&all, number, |some| way.of(some, &fit))?;
            Some(missed(found, exact))
        }));
    }
    let resamples = Resamples::new(draws.len(), RESAMPLES, seed);
    let off = |(i, way): (usize, Way)| {
        let mean = |figure: usize| {
            let parts: Vec<(f64, f64)> = draws
                .iter()
                .map(|draw| draw[i].map_or((0.0, 0.0), |missed| (missed[figure], 1.0)))
                .collect();
            resamples.ratio(&parts)
        };
        Some(Off {
            way,
            error: mean(0)?.map(f64::sqrt),
            shift: mean(1)?,
            width: mean(2)?.map(f64::exp),
        })
    };
    Row {
        number,
        ratio,
        plies,
        off: Way::ALL.into_iter().enumerate().filter_map(off).collect(),
    }
}

/// So many resamples of the draws give the intervals.
const RESAMPLES: usize = 200;

/// Backs up the leaves of a tree, `number` siblings at a time, each maximum seen from the other side by the next.
fn backed_up(
    leaves: &[ThreePoint],
    number: usize,
    largest: impl Fn(&[ThreePoint]) -> Option<ThreePoint>,
) -> Option<ThreePoint> {
    let mut level = leaves.to_vec();
    loop {
        level = level.chunks(number).map(&largest).collect::<Option<_>>()?;
        if let [root] = level.as_slice() {
            return Some(*root);
        }
        level = level.into_iter().map(ThreePoint::negated).collect();
    }
}

/// The three points of the root of a tree with independent leaves: its distribution function is computed at each place that
/// bisection asks for, without any approximation on the way.
fn exact(leaves: &[ThreePoint], number: usize, plies: u32) -> Option<ThreePoint> {
    let below = |x: f64| -> f64 {
        // The leaves are seen by the side that moves last, which is the root's after an odd number of plies.
        let own = plies % 2 == 1;
        let mut level: Vec<f64> = leaves
            .iter()
            .map(|leaf| if own { leaf.cdf(x) } else { 1.0 - leaf.cdf(-x) })
            .collect();
        let mut own = own;
        loop {
            level = level
                .chunks(number)
                .map(|some| match own {
                    true => some.iter().product::<f64>(),
                    false => 1.0 - some.iter().map(|below| 1.0 - below).product::<f64>(),
                })
                .collect();
            if let [root] = level.as_slice() {
                return *root;
            }
            own = !own;
        }
    };
    let ends = leaves.iter().map(|leaf| {
        let reach = leaf.left.max(leaf.right);
        leaf.middle.abs() + 5.0 * reach
    });
    let far = ends.reduce(f64::max)?;
    let at = |p: f64| {
        let (mut low, mut high) = (-far, far);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            match below(middle) < p {
                true => low = middle,
                false => high = middle,
            }
        }
        high
    };
    let [low, middle, high] = [0.05, 0.5, 0.95].map(at);
    Some(ThreePoint {
        middle,
        left: middle - low,
        right: high - middle,
    })
}

/// The kinds of draws: how many values or moves, plies, and the ratio of widths.
fn kinds(plan: &Plan) -> Vec<((usize, u32), f64)> {
    let once = NUMBERS.iter();
    let once = once.flat_map(|n| RATIOS.map(|ratio| ((*n, 1), ratio)));
    once.chain(TREES.map(|tree| (tree, plan.ratio))).collect()
}

/// Returns how many kinds of draws there are.
pub fn units() -> usize {
    NUMBERS.len() * RATIOS.len() + TREES.len()
}

/// Starts the experiment.
///
/// # Errors
/// If the system starts no thread.
pub fn start(plan: Plan, kept: Kept<Row>) -> Result<BackgroundJob<Maximum>, NoThread> {
    let kinds = kinds(&plan);
    kept.start(
        plan.at_a_time,
        (kinds.len(), 1),
        Maximum::default(),
        || (),
        move |(), number, worker| {
            let (tree, ratio) = kinds[number];
            let seed = plan
                .seed
                .wrapping_mul(1_000_003)
                .wrapping_add(number as u64);
            (!worker.pool.is_stopped()).then(|| row(&plan, tree, ratio, seed))
        },
        |known, _, row| {
            let rows = match row.plies {
                1 => &mut known.once,
                _ => &mut known.trees,
            };
            let key = |row: &Row| (row.number, row.plies, row.ratio as u32);
            let at = rows.partition_point(|other| key(other) < key(&row));
            rows.insert(at, row);
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: Plan = Plan {
        draws: 40,
        ratio: 4.0,
        seed: 1,
        at_a_time: 2,
    };

    fn standard() -> ThreePoint {
        ThreePoint::normal(Gaussian {
            mean: 0.0,
            variance: 1.0,
        })
    }

    /// One maximum is what the product of the distribution functions says, and two plies are a maximum of minima.
    #[test]
    fn the_exact_points_are_those_of_simulation() {
        let close = |a: ThreePoint, b: ThreePoint, by: f64| {
            assert!(missed(a, b)[0].sqrt() < by, "{a:?} {b:?}");
        };
        let mut rng = Rng::with_seed(5);
        for number in [2, 7] {
            let all = drawn(number, 4.0, &mut rng);
            let product = ThreePoint::maximum(&all).expect("values");
            close(exact(&all, number, 1).expect("a tree"), product, 1e-9);
        }
        let all = drawn(27, 4.0, &mut rng);
        let value = |leaf: &ThreePoint, p: f64| {
            let z = normal_quantile(p) / normal_quantile(0.95);
            leaf.middle + if z < 0.0 { leaf.left } else { leaf.right } * z
        };
        let mut samples: Vec<f64> = (0..40_000)
            .map(|_| {
                let mut level: Vec<f64> = all.iter().map(|leaf| value(leaf, rng.f64())).collect();
                while level.len() > 1 {
                    let best =
                        |some: &[f64]| some.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    // Each maximum is seen from the other side by the next.
                    level = level.chunks(3).map(|some| -best(some)).collect();
                }
                -level[0]
            })
            .collect();
        samples.sort_by(f64::total_cmp);
        let at = |p: f64| samples[(p * samples.len() as f64) as usize];
        let simulated = ThreePoint {
            middle: at(0.5),
            left: at(0.5) - at(0.05),
            right: at(0.95) - at(0.5),
        };
        close(exact(&all, 3, 3).expect("a tree"), simulated, 0.02);
    }

    /// Clark's moments of the larger of two standard normal distributions: 0.564190 and 0.681690.
    #[test]
    fn ways_by_hand() {
        let two = [standard(); 2];
        let of = |way: Way| way.of(&two, &Fit::NONE).expect("two");
        assert_eq!(of(Way::Best), standard());
        for way in [Way::Clark, Way::Moments, Way::Fitted] {
            let found = of(way);
            assert!((found.middle - 0.564_190).abs() < 1e-3, "{way:?} {found:?}");
            assert!(
                (found.right - 1.644_854 * 0.681_690f64.sqrt()).abs() < 2e-3,
                "{way:?}"
            );
        }
        // Φ(x)² is ½ at 0.54495, .05 at −0.76007 and .95 at 1.95450.
        let product = of(Way::Product);
        for (found, golden) in [
            (product.middle, 0.544_95),
            (product.middle - product.left, -0.760_07),
            (product.middle + product.right, 1.954_50),
        ] {
            assert!((found - golden).abs() < 1e-4, "{found} {golden}");
        }
    }

    /// For one maximum the product is exact, the best alone misses what others may bring, and a fit helps Clark's numbers.
    #[test]
    fn rows_say_how_far_off_each_way_is() {
        let once = row(&PLAN, (10, 1), 4.0, 3);
        let error = |way: Way| once.of(way).expect("a way").error.value;
        assert!(error(Way::Product) < 1e-6);
        assert!(error(Way::Best) > 3.0 * error(Way::Clark));
        assert!(error(Way::Fitted) < error(Way::Clark));
        assert!(once.of(Way::Best).expect("a way").shift.value < 0.0);
        let deep = row(&PLAN, (3, 4), 4.0, 3);
        assert!(deep.of(Way::Product).expect("a way").error.value > 1e-4);
    }
}
