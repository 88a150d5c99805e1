//! How sure a value is by the depth of the search that found it: values of labelled positions at every depth, the belief
//! fitted to one half of them, and its judgement on the other.

use std::sync::Arc;

use super::calibration::Case;
use super::depth_series::{DepthSeries, search_every_depth};
use super::report::logistic_loss;
use crate::belief::score::{Forecast, LEVELS};
use crate::belief::{Cdf, Density, Grid};
use crate::engine::Subject;
use crate::engine::config::Config;
use crate::engine::jobs::{BackgroundJob, Job, Numbers, Pool};
use crate::engine::threads::NoThread;
use crate::eval::fitted::{Features, Searched, SearchedFeatures};
use crate::eval::{ChessEvaluator, Evaluation, Evaluator as _, LeafShape, Width};
use crate::game::{Scale, Score};
use crate::search::Limits;

/// What to measure.
#[derive(Clone, Debug)]
pub struct Plan {
    pub cases: Vec<Case>,
    /// Every position is searched to every depth up to this one.
    pub depth: u16,
    /// At most so many nodes for the searches of one position.
    pub nodes: u64,
    /// The number of searches at a time, each on one thread.
    pub at_a_time: usize,
}

/// What one search found, and the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub found: SearchedFeatures,
    /// The expected score for the side to move.
    pub truth: f64,
}

/// The samples of each position that is done, by depth.
pub type Found = Vec<Option<Arc<Vec<Sample>>>>;

/// Starts the searches, with the default evaluation.
///
/// # Errors
/// If the system starts no thread.
pub fn start(plan: Plan) -> Result<BackgroundJob<Found>, NoThread> {
    let n = plan.cases.len();
    let job = Job {
        name: "lab",
        workers: plan.at_a_time,
        items: Numbers::below(n),
        steps: (0, n),
        record: vec![None; n],
    };
    let config = config(plan.nodes);
    job.start(
        || ChessEvaluator::new(Evaluation::Both),
        move |evaluator, place, worker, shared| {
            let case = &plan.cases[place];
            let series = search_every_depth(&case.subject, &config, plan.depth, worker);
            if worker.pool.is_stopped() {
                return;
            }
            let samples = series.map(|series| samples(evaluator, case, &series));
            shared.update(|known| known[place] = Some(Arc::new(samples.unwrap_or_default())));
            worker.pool.advance(1);
        },
    )
}

fn config(nodes: u64) -> Config {
    let mut config = Config::new(super::ALGORITHM);
    // An option of this algorithm with this choice exists.
    let _ = config.options.set_pair("eval=both");
    Config {
        record_plies: 0,
        memory: 1 << 20,
        table: 4 << 20,
        limits: Limits {
            nodes: Some(nodes),
            ..Limits::default()
        },
        ..config
    }
}

/// What a search of some plies found, with the default evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchedValue {
    /// The search's value for the side to move.
    pub value: Score,
    pub found: SearchedFeatures,
}

/// Searches a position to every depth from 0 to `depth`, with at most `nodes` nodes, and returns what each depth found: up to
/// a mate, which is proven and needs no belief, or to where the nodes ran out. Empty for a game without this evaluation.
pub fn values_by_depth(subject: &Subject, depth: u16, nodes: u64) -> Vec<SearchedValue> {
    let pool = Pool::new("eval", 1, (0, 1));
    let worker = pool.worker();
    let evaluator = ChessEvaluator::new(Evaluation::Both);
    search_every_depth(subject, &config(nodes), depth, &worker)
        .map(|series| values(&evaluator, subject, &series))
        .unwrap_or_default()
}

fn values(
    evaluator: &ChessEvaluator,
    subject: &Subject,
    series: &DepthSeries,
) -> Vec<SearchedValue> {
    let Some(at) = subject.position.as_chess() else {
        return Vec::new();
    };
    let state = evaluator.start(at);
    let shape = LeafShape {
        width: Width::Fitted,
        bias: 0.0,
    };
    let own = evaluator.value(&state, at);
    let belief = evaluator.belief(&state, at, own, &shape);
    let grid = Grid::sinh();
    let as_logit = |e: f32| 2.0 * e.clamp(-0.9999, 0.9999).atanh();
    let quartile = |p: f32| as_logit(belief.quantile(p, &grid));
    let known = SearchedFeatures {
        depth: 0,
        value: logit(series.quiescence),
        before: logit(own),
        mean: as_logit(belief.mean(&grid)),
        spread: (quartile(0.75) - quartile(0.25)) / (2.0 * f32::ln(3.0)),
        phase: Features::of(at).phase,
        pending: series.static_value != Some(series.quiescence),
    };
    let mut before = own;
    let each = [series.quiescence]
        .into_iter()
        .chain(series.scores.iter().copied());
    each.take_while(|value| !value.is_decided())
        .zip(0..)
        .map(|(value, depth)| {
            let found = SearchedFeatures {
                depth,
                value: logit(value),
                before: logit(before),
                ..known
            };
            before = value;
            SearchedValue { value, found }
        })
        .collect()
}

fn samples(evaluator: &ChessEvaluator, case: &Case, series: &DepthSeries) -> Vec<Sample> {
    let Some(truth) = case.verdict else {
        return Vec::new();
    };
    values(evaluator, &case.subject, series)
        .into_iter()
        .map(|at| Sample {
            found: at.found,
            truth: f64::from(truth),
        })
        .collect()
}

fn logit(value: Score) -> f32 {
    f32::from(value.raw()) / (Scale::CENTIPAWNS / 2.0)
}

/// How well one kind of belief does at one depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    pub n: usize,
    pub crps: f64,
    /// The shares within the central interval of each of [`LEVELS`].
    pub coverage: [f64; LEVELS.len()],
}

/// The judgement of one depth, on positions that nothing was fitted to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfDepth {
    pub depth: u8,
    /// As fitted here.
    pub fitted: Judged,
    /// As in use ([`Searched::IN_USE`]).
    pub in_use: Judged,
    /// The control: the same values, with the one width for this depth whose CRPS is best on the other half.
    pub constant: Judged,
    /// The mean difference of the CRPS, fitted less control, position by position, and its standard error.
    pub gain: (f64, f64),
    /// The control's width.
    pub width: f32,
}

/// The fit and its judgement.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    pub model: Searched,
    /// Positions to which it was fitted, and by which it was judged.
    pub trained: usize,
    pub held_out: usize,
    pub depths: Vec<OfDepth>,
}

/// Fits to every second position, and judges on the others. `None` if there are fewer than 40.
pub fn fit(found: &Found) -> Option<Fitted> {
    let done: Vec<&Vec<Sample>> = found.iter().flatten().map(|s| &**s).collect();
    let done: Vec<_> = done.into_iter().filter(|s| !s.is_empty()).collect();
    if done.len() < 40 {
        return None;
    }
    let half = |rest| {
        done.iter()
            .skip(rest)
            .step_by(2)
            .copied()
            .collect::<Vec<_>>()
    };
    let (train, test) = (half(0), half(1));
    let all: Vec<Sample> = train.iter().flat_map(|s| s.iter().copied()).collect();
    let model = climb(&all);
    let deepest = done.iter().map(|s| s.len()).max().unwrap_or(0);
    let at = |half: &[&Vec<Sample>], depth: usize| -> Vec<Sample> {
        half.iter().filter_map(|s| s.get(depth).copied()).collect()
    };
    let judge = |depth| of_depth(&model, depth, &at(&train, depth), &at(&test, depth));
    Some(Fitted {
        depths: (0..deepest).filter_map(judge).collect(),
        model,
        trained: train.len(),
        held_out: test.len(),
    })
}

fn of_depth(model: &Searched, depth: usize, train: &[Sample], test: &[Sample]) -> Option<OfDepth> {
    if train.is_empty() || test.len() < 2 {
        return None;
    }
    let grid = Grid::sinh();
    let by_model = |model: Searched| move |s: &Sample| model.shape(&s.found);
    let about_value = |width: f32| move |s: &Sample| (s.found.value, width);
    // From 4 to 400 centipawns, in steps of a tenth.
    let widths = (0..48).map(|i| 0.022 * 1.1f32.powi(i));
    let scored = widths.map(|width| (judged(&grid, train, about_value(width)).0.crps, width));
    let (_, width) = scored.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let (fitted, ours) = judged(&grid, test, by_model(*model));
    let (constant, theirs) = judged(&grid, test, about_value(width));
    let n = test.len() as f64;
    let differences = ours.iter().zip(&theirs).map(|(a, b)| a - b);
    let mean = differences.clone().sum::<f64>() / n;
    let variance = differences.map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1.0);
    Some(OfDepth {
        depth: depth as u8,
        fitted,
        in_use: judged(&grid, test, by_model(Searched::IN_USE)).0,
        constant,
        gain: (mean, (variance / n).sqrt()),
        width,
    })
}

/// The figures of logistic beliefs with these locations and widths, and the CRPS of each sample.
fn judged(
    grid: &Grid,
    samples: &[Sample],
    shape: impl Fn(&Sample) -> (f32, f32),
) -> (Judged, Vec<f64>) {
    let n = samples.len() as f64;
    let mut figures = Judged {
        n: samples.len(),
        crps: 0.0,
        coverage: [0.0; LEVELS.len()],
    };
    let mut each = Vec::with_capacity(samples.len());
    for sample in samples {
        let (location, width) = shape(sample);
        let belief: Cdf = Density::forecast(grid, location, width).cdf();
        let forecast = Forecast::of(&belief.density(), grid);
        let crps = forecast.crps(sample.truth);
        each.push(crps);
        figures.crps += crps / n;
        let pit = forecast.pit(sample.truth);
        for (share, level) in figures.coverage.iter_mut().zip(LEVELS) {
            *share += pit.covered(level) / n;
        }
    }
    (figures, each)
}

const LOCATIONS: usize = SearchedFeatures::OF_LOCATION;
const WEIGHTS: usize = LOCATIONS + SearchedFeatures::OF_WIDTH;

/// Fits by maximum likelihood: steps along the gradient with a size of its own for each weight (Kingma & Ba 2015, Adam).
fn climb(samples: &[Sample]) -> Searched {
    const STEPS: i32 = 1_500;
    const RATE: f64 = 0.03;
    let rows: Vec<([f64; WEIGHTS], f64)> = samples
        .iter()
        .map(|s| {
            let mut row = [0.0; WEIGHTS];
            let (location, width) = (s.found.of_location(), s.found.of_width());
            let all = location.iter().chain(&width);
            row.iter_mut()
                .zip(all)
                .for_each(|(x, &of)| *x = f64::from(of));
            (row, s.truth)
        })
        .collect();
    let mut at = [0.0; WEIGHTS];
    let begin = Searched::UNFITTED
        .location
        .iter()
        .chain(&Searched::UNFITTED.width);
    at.iter_mut()
        .zip(begin)
        .for_each(|(x, &w)| *x = f64::from(w));
    let (mut first, mut second) = ([0.0; WEIGHTS], [0.0; WEIGHTS]);
    for step in 1..=STEPS {
        let mut gradient = [0.0; WEIGHTS];
        for (row, truth) in &rows {
            let (_, slopes) = loss(&at, row, *truth);
            for (i, sum) in gradient.iter_mut().enumerate() {
                *sum += row[i] * slopes[usize::from(i >= LOCATIONS)] / rows.len() as f64;
            }
        }
        let rate = RATE / f64::from(1 + step / 100).sqrt();
        for i in 0..WEIGHTS {
            first[i] = 0.9 * first[i] + 0.1 * gradient[i];
            second[i] = 0.99 * second[i] + 0.01 * gradient[i] * gradient[i];
            let mean = first[i] / (1.0 - 0.9f64.powi(step));
            let square: f64 = second[i] / (1.0 - 0.99f64.powi(step));
            at[i] -= rate * mean / (square.sqrt() + 1e-8);
        }
    }
    // Three digits are more than the data determine.
    let rounded = at.map(|x| ((x * 1e3).round() / 1e3) as f32);
    let (location, width) = rounded.split_at(LOCATIONS);
    let mut model = Searched::UNFITTED;
    model.location.copy_from_slice(location);
    model.width.copy_from_slice(width);
    model
}

/// Returns the negative logarithm of a truth's likelihood, and its derivatives by the location and by the logarithm of the
/// width.
fn loss(at: &[f64; WEIGHTS], row: &[f64; WEIGHTS], truth: f64) -> (f64, [f64; 2]) {
    let sum = |range: std::ops::Range<usize>| -> f64 { range.map(|i| at[i] * row[i]).sum() };
    let location = sum(0..LOCATIONS);
    logistic_loss(location, sum(LOCATIONS..WEIGHTS), truth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    /// Positions drawn from a model, each with three depths.
    fn drawn(model: &Searched, positions: usize) -> Found {
        let mut rng = Rng::with_seed(11);
        let mut position = || {
            let (value, spread) = (4.0 * rng.f32() - 2.0, 0.2 + rng.f32());
            let known = SearchedFeatures {
                depth: 0,
                value,
                before: value + rng.f32() - 0.5,
                mean: value + rng.f32() - 0.5,
                spread,
                phase: rng.f32(),
                pending: rng.bool(),
            };
            let samples = (0..3).map(|i| {
                let found = SearchedFeatures {
                    depth: 4 * i,
                    ..known
                };
                let (location, width) = model.shape(&found);
                let u = rng.f64().clamp(1e-9, 1.0 - 1e-9);
                let logit = f64::from(location) + f64::from(width) * (u / (1.0 - u)).ln();
                Sample {
                    found,
                    truth: (logit / 2.0).tanh(),
                }
            });
            Some(Arc::new(samples.collect()))
        };
        (0..positions).map(|_| position()).collect()
    }

    #[test]
    fn what_the_truths_were_drawn_from_is_found_again_and_beats_the_control() {
        let model = Searched {
            location: [0.0, 0.7, 0.2, 0.4, -0.3, 0.3, 0.0],
            width: [-0.2, -0.5, 0.0, 0.7, 0.0, 0.2, 0.0, 0.3, 0.0, -0.3, 0.2],
        };
        let found = drawn(&model, 4_000);
        let fitted = fit(&found).expect("enough");
        assert_eq!((fitted.trained, fitted.held_out), (2_000, 2_000));
        for sample in found.iter().take(200).flatten().flat_map(|s| s.iter()) {
            let (is, expected) = (
                fitted.model.shape(&sample.found),
                model.shape(&sample.found),
            );
            assert!((is.0 - expected.0).abs() < 0.2, "{is:?} {expected:?}");
            assert!((is.1 / expected.1).ln().abs() < 0.2, "{is:?} {expected:?}");
        }
        assert_eq!(fitted.depths.len(), 3);
        for depth in &fitted.depths {
            assert!(depth.gain.0 + 2.0 * depth.gain.1 < 0.0, "{depth:?}");
            for (share, level) in depth.fitted.coverage.iter().zip(LEVELS) {
                assert!((share - level).abs() < 0.04, "{depth:?}");
            }
        }
        assert_eq!(fit(&found[..39].to_vec()), None);
    }
}
