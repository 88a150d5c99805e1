//! Random trees without a search: populations of nodes with their beliefs and truths, ply after ply.
//!
//! A node's value is the sum of the values of its moves from the root on. A part of that is known: a move is worth N(0,
//! `shift`^2), which is known. What a leaf's belief does not know is its error, N(0, `error`^2). The belief is normal
//! with exactly that width, so every leaf is calibrated. But errors are not independent: those of two leaves have the
//! correlation `correlation`^k, where k is the number of plies below their last common ancestor (siblings: k = 1). The
//! truth is the minimax of the leaves' true values.
//!
//! A tree of depth 12 with eight moves has 69 billion leaves, so it is not built. Instead a population of nodes of
//! height d gives one of height d + 1: the children of each new node are drawn from it. Checked against a table
//! computed independently of this code, which has the spreads for shift .6 and error .9.

use fastrand::Rng;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::kept::Kept;
use belief::reference::{Line, negated};
use belief::score::{Forecast, LEVELS, Pit};
use belief::{Rule, Ties};
use session::NoThread;
use session::jobs::{BackgroundJob, Pool, Shared, Worker};

/// The kind of trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The number of moves of each node.
    pub branching: usize,
    /// The number of plies of the deepest trees.
    pub depth: usize,
    /// The number of trees of each depth.
    pub population: usize,
    /// The standard deviation of the known worth of a move.
    pub shift: f64,
    /// The standard deviation of a leaf's error.
    pub error: f64,
    /// The correlation of siblings' errors, from 0 to 1.
    pub correlation: f64,
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            branching: 8,
            depth: 12,
            population: 1000,
            shift: 0.6,
            error: 0.9,
            correlation: 0.5,
            seed: 1,
        }
    }
}

/// Why settings cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PopulationError {
    #[error("found no back-up rule, expected at least one")]
    NoRule,
    #[error("found {name} {found}, expected {expected}")]
    Range {
        name: &'static str,
        found: String,
        expected: &'static str,
    },
    #[error(transparent)]
    Thread(#[from] NoThread),
}

impl Settings {
    /// Checks that all figures are in range.
    ///
    /// # Errors
    /// If a figure is out of its range.
    pub fn check(&self) -> Result<(), PopulationError> {
        let within = |name, x: f64, lo: f64, hi: f64, expected| {
            if (lo..=hi).contains(&x) {
                return Ok(());
            }
            let found = x.to_string();
            Err(PopulationError::Range {
                name,
                found,
                expected,
            })
        };
        within("branching", self.branching as f64, 2.0, 64.0, "2 to 64")?;
        within("depth", self.depth as f64, 1.0, 64.0, "1 to 64")?;
        within(
            "population",
            self.population as f64,
            10.0,
            1e6,
            "10 to 1000000",
        )?;
        within("shift", self.shift, 0.0, 2.0, "0 to 2")?;
        within("error", self.error, 0.1, 2.0, "0.1 to 2")?;
        within("correlation", self.correlation, 0.0, 1.0, "0 to 1")
    }
}

/// What the beliefs of one rule are like at one depth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Depth {
    /// The number of plies below the root.
    pub depth: usize,
    /// The mean standard deviation.
    pub sd: f64,
    /// The share of truths within the central intervals of [`LEVELS`].
    pub coverage: [f64; 3],
    /// The mean continuous ranked probability score.
    pub crps: f64,
    /// The mean of the belief's mean minus the truth.
    pub bias: f64,
    /// The score that the same means would have with a location and a width fitted to these truths; see [`calibrated`].
    pub calibrated: f64,
}

/// What is known so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Population {
    pub settings: Settings,
    pub rules: Vec<Rule>,
    /// By rule; the depths from 1 on that are complete.
    pub depths: Vec<Vec<Depth>>,
}

impl Population {
    /// Returns the oracle's score at a depth: the best that the means of any rule give with the right location and
    /// width. `None` before all rules have reached it.
    pub fn oracle(&self, depth: usize) -> Option<f64> {
        let at = |depths: &Vec<Depth>| depths.get(depth - 1).map(|d| d.calibrated);
        let all: Option<Vec<f64>> = self.depths.iter().map(at).collect();
        all?.into_iter().reduce(f64::min)
    }
}

/// Starts the experiment, whose units are the rules. The same settings give the same figures, regardless of the other rules
/// and the threads.
///
/// # Errors
/// If there is no rule, or a setting is out of range.
pub fn start(
    settings: Settings,
    rules: Vec<Rule>,
    at_a_time: usize,
    mut kept: Kept<Vec<Depth>>,
) -> Result<BackgroundJob<Population>, PopulationError> {
    settings.check()?;
    if rules.is_empty() {
        return Err(PopulationError::NoRule);
    }
    let empty = Population {
        settings,
        depths: vec![Vec::new(); rules.len()],
        rules: rules.clone(),
    };
    let pool = Pool::new("lab", at_a_time.min(rules.len()), (0, rules.len()));
    let started = BackgroundJob::drive(pool, empty, move |shared| {
        let enter = |known: &mut Population, rule: usize, found| known.depths[rule] = found;
        let find =
            |(): &mut (), place: usize, _: &Worker| grow(&settings, rules[place], place, shared);
        let open = kept.enter_known(shared, (rules.len(), 1), enter);
        kept.pass(shared, &open, || (), find, enter)
    })?;
    Ok(started)
}

/// Bins of a twentieth, over a range wide enough for the rule that diffuses most.
const LINE: Line = Line {
    lo: -12.025,
    hi: 12.025,
    bins: 481,
};

/// A node: its true value and the belief about it, both from its own view.
#[derive(Clone, Debug)]
struct Member {
    truth: f64,
    belief: Vec<f64>,
}

/// Grows the trees of one rule, ply after ply, and shows each depth when it is complete. `None` if it was stopped.
fn grow(
    settings: &Settings,
    rule: Rule,
    place: usize,
    shared: &Shared<Population>,
) -> Option<Vec<Depth>> {
    let mut depths = Vec::with_capacity(settings.depth);
    let mut dice = Dice {
        rng: Rng::with_seed(settings.seed),
        normal: Normal::standard(),
    };
    let leaf = LINE.normal(0.0, settings.error);
    let mut before: Vec<Member> = Vec::new();
    for depth in 1..=settings.depth {
        let mut next = Vec::with_capacity(settings.population);
        while next.len() < settings.population {
            if shared.pool.is_stopped() {
                return None;
            }
            let children = (0..settings.branching).map(|_| {
                let child = if before.is_empty() {
                    Member {
                        truth: settings.own_error(0) * dice.normal(),
                        belief: leaf.clone(),
                    }
                } else {
                    before[dice.rng.usize(..before.len())].clone()
                };
                let shift = (settings.shift * dice.normal() / LINE.width()).round() as isize;
                child.moved(shift)
            });
            let (truths, beliefs): (Vec<f64>, Vec<Vec<f64>>) =
                children.map(|c| (c.truth, c.belief)).unzip();
            let best = truths.into_iter().fold(f64::NEG_INFINITY, f64::max);
            next.push(Member {
                truth: best + settings.own_error(depth) * dice.normal(),
                // On bins this narrow ties hardly matter, and the DISTRESS essay's formula is faster.
                belief: LINE.back_up(rule, Ties::Essay, &beliefs).0,
            });
        }
        // The error that all leaves of a tree have in common.
        let common = settings.error * settings.correlation.powi(depth as i32 + 1).sqrt();
        let truths = next.iter().map(|m| m.truth + common * dice.normal());
        let found = summary(depth, &truths.collect::<Vec<f64>>(), &next);
        shared.update(|known| known.depths[place].push(found));
        depths.push(found);
        before = next;
    }
    Some(depths)
}

impl Settings {
    /// Returns the standard deviation of the part of a leaf's error that it shares with exactly those leaves that are
    /// below its ancestor of this height.
    fn own_error(&self, height: usize) -> f64 {
        let rho = self.correlation;
        self.error * (rho.powi(height as i32) * (1.0 - rho)).sqrt()
    }
}

impl Member {
    /// Returns the node from the view of the side that moves there, if the move is worth `bins` bins.
    fn moved(&self, bins: isize) -> Member {
        let turned = negated(&self.belief);
        let mut belief = vec![0.0; turned.len()];
        let last = turned.len() as isize - 1;
        for (bin, mass) in turned.into_iter().enumerate() {
            belief[(bin as isize + bins).clamp(0, last) as usize] += mass;
        }
        Member {
            truth: bins as f64 * LINE.width() - self.truth,
            belief,
        }
    }
}

fn summary(depth: usize, truths: &[f64], members: &[Member]) -> Depth {
    let n = members.len() as f64;
    let (mut sd, mut crps, mut bias) = (0.0, 0.0, 0.0);
    let mut pits: Vec<Pit> = Vec::with_capacity(members.len());
    let mut points = Vec::with_capacity(members.len());
    for (member, &truth) in members.iter().zip(truths) {
        let forecast = Forecast::on(&LINE, &member.belief);
        let mean = LINE.mean(&member.belief);
        sd += LINE.sd(&member.belief) / n;
        crps += forecast.crps(truth) / n;
        bias += (mean - truth) / n;
        pits.push(forecast.pit(truth));
        points.push((mean, truth));
    }
    Depth {
        depth,
        sd,
        coverage: LEVELS.map(|level| pits.iter().map(|p| p.covered(level)).sum::<f64>() / n),
        crps,
        bias,
        calibrated: calibrated(&points),
    }
}

/// Returns the mean ranked probability score of normal forecasts along the straight line through points of (mean,
/// truth), as wide as the truths scatter around it: residual sd / sqrt(pi).
pub fn calibrated(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    if points.is_empty() {
        return 0.0;
    }
    let mean_x = points.iter().map(|p| p.0).sum::<f64>() / n;
    let mean_y = points.iter().map(|p| p.1).sum::<f64>() / n;
    let over = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        points.iter().map(|p| f(p.0 - mean_x, p.1 - mean_y)).sum()
    };
    let (xx, xy, yy) = (
        over(&|x, _| x * x),
        over(&|x, y| x * y),
        over(&|_, y| y * y),
    );
    let explained = if xx > 0.0 { xy * xy / xx } else { 0.0 };
    ((yy - explained).max(0.0) / n / std::f64::consts::PI).sqrt()
}

struct Dice {
    rng: Rng,
    normal: Normal,
}

impl Dice {
    fn normal(&mut self) -> f64 {
        // Avoids both ends of the interval, which are infinitely far out.
        let u = (self.rng.f64() + 0.5 / (1u64 << 53) as f64).min(1.0 - 1e-16);
        self.normal.inverse_cdf(u)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grown(rules: &[Rule], depth: usize, population: usize) -> Population {
        let settings = Settings {
            depth,
            population,
            ..Settings::default()
        };
        let mut run = start(settings, rules.to_vec(), 2, Kept::default()).expect("a plan");
        run.join();
        run.findings()
    }

    /// Cells of a table computed independently of this code, at D = 4, b = 8 (coverage of 90 %, sd). The spreads are
    /// those of the table. The truths there have a different dependence between errors, which affects coverage: there
    /// only the order of the rules is the same.
    #[test]
    fn the_table_s_spreads_come_out() {
        let rules = [
            Rule::Optimal,
            Rule::Pick,
            Rule::Gumbel(2.0),
            Rule::Exponential(1.5),
        ];
        let found = grown(&rules, 4, 250);
        let golden = [(0.61, 0.24), (1.0, 1.31), (0.89, 0.47), (0.92, 0.61)];
        for ((rule, depths), (coverage, sd)) in rules.iter().zip(&found.depths).zip(golden) {
            let last = depths.last().expect("four plies");
            assert!(
                (last.sd / sd - 1.0).abs() < 0.08,
                "{rule}: {} for {sd}",
                last.sd
            );
            let off = (last.coverage[2] - coverage).abs();
            assert!(off < 0.2, "{rule}: {} for {coverage}", last.coverage[2]);
        }
        // What the figure is meant to show, by depth.
        let sds = |place: usize| found.depths[place].iter().map(|d| d.sd);
        assert!(sds(0).is_sorted_by(|a, b| a > b), "r_opt collapses");
        assert!(sds(1).is_sorted(), "r_pick diffuses");
        let oracle = found.oracle(4).expect("all rules");
        let crps = |place: usize| found.depths[place][3].crps;
        assert!(crps(2) < crps(0) && crps(2) < crps(1) && oracle < crps(2));
    }

    /// With independent errors the independent maximum is exact.
    #[test]
    fn r_opt_is_exact_where_errors_are_independent() {
        let settings = Settings {
            depth: 3,
            population: 400,
            branching: 4,
            correlation: 0.0,
            ..Settings::default()
        };
        let mut run = start(settings, vec![Rule::Optimal], 1, Kept::default()).expect("a plan");
        run.join();
        for depth in &run.findings().depths[0] {
            for (level, share) in LEVELS.iter().zip(depth.coverage) {
                // Three standard errors of 400 tries.
                assert!((share - level).abs() < 0.075, "{depth:?}");
            }
            assert!(depth.bias.abs() < 0.08, "{depth:?}");
        }
    }

    #[test]
    fn the_same_settings_give_the_same_figures() {
        let one = grown(&[Rule::Entropy, Rule::Optimal], 2, 20);
        let other = grown(&[Rule::Optimal], 2, 20);
        assert_eq!(one.depths[1], other.depths[0]);
        let wrong = Settings {
            branching: 1,
            ..Settings::default()
        };
        let refused = start(wrong, vec![Rule::Pick], 1, Kept::default()).expect_err("one move");
        assert_eq!(refused.to_string(), "found branching 1, expected 2 to 64");
    }

    #[test]
    fn what_is_calibrated_scores_as_normal_forecasts_do() {
        // The truths are one above and one below the line y = 2 + x.
        let points: Vec<(f64, f64)> = (0..40)
            .map(|i| {
                let x = f64::from(i / 2);
                (x, 2.0 + x + if i % 2 == 0 { 1.0 } else { -1.0 })
            })
            .collect();
        assert!((calibrated(&points) - 1.0 / std::f64::consts::PI.sqrt()).abs() < 1e-9);
        assert_eq!(calibrated(&[]), 0.0);
    }
}
