//! The fit of the belief about a searched value, and its judgement depth by depth.

use serde::Serialize;

use super::{Found, Sample};
use crate::report::logistic_loss;
use belief::score::{Forecast, LEVELS};
use belief::{Cdf, Density, Grid};
use eval::fitted::{Searched, SearchedFeatures};

/// How well one kind of belief does at one depth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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

/// The smallest number of positions for a fit.
pub(super) const LEAST: usize = 40;

/// Fits to every second position, and judges on the others. `None` if there are fewer than 40.
pub fn fit(found: &Found) -> Option<Fitted> {
    let done: Vec<&Vec<Sample>> = found.iter().flatten().map(|s| &**s).collect();
    let done: Vec<_> = done.into_iter().filter(|s| !s.is_empty()).collect();
    if done.len() < LEAST {
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
    let model = covering(climb(&all), &all);
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

/// Returns the model with its width multiplied so that central intervals hold what they promise, which a fit by likelihood
/// does not see to where the errors are not logistic: one factor whose logarithm is linear in the depth.
fn covering(model: Searched, samples: &[Sample]) -> Searched {
    let grid = Grid::sinh();
    let off = |of: &[Sample], factor: f32| -> f64 {
        let shape = |s: &Sample| {
            let (location, width) = model.shape(&s.found);
            (location, width * factor)
        };
        let coverage = judged(&grid, of, shape).0.coverage;
        let squares = coverage.iter().zip(LEVELS).map(|(c, l)| (c - l).powi(2));
        squares.sum()
    };
    // Points of the line: depth in tenths, logarithm of the best factor, and how many samples speak for it.
    let mut points: Vec<(f64, f64, f64)> = Vec::new();
    for depth in 0..=SearchedFeatures::DEEPEST {
        let of: Vec<Sample> = { samples.iter() }
            .filter(|s| s.found.depth.min(SearchedFeatures::DEEPEST) == depth)
            .copied()
            .collect();
        let factors = (-16..=16).map(|i| 0.02 * f64::from(i));
        let scored = factors.map(|log| (off(&of, log.exp() as f32), log));
        if let Some((_, log)) = scored.min_by(|a, b| a.0.total_cmp(&b.0))
            && !of.is_empty()
        {
            points.push((f64::from(depth) / 10.0, log, of.len() as f64));
        }
    }
    let sum = |of: fn(&(f64, f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
    let n = sum(|p| p.2).max(1.0);
    let (depth, log) = (sum(|p| p.0 * p.2) / n, sum(|p| p.1 * p.2) / n);
    let moments = |by: &dyn Fn(&(f64, f64, f64)) -> f64| -> f64 {
        points.iter().map(|p| p.2 * (p.0 - depth) * by(p)).sum()
    };
    let slope = moments(&|p| p.1 - log) / moments(&|p| p.0 - depth).max(1e-9);
    let rounded = |x: f64| ((x * 1e3).round() / 1e3) as f32;
    let mut model = model;
    model.width[0] = rounded(f64::from(model.width[0]) + log - slope * depth);
    model.width[1] = rounded(f64::from(model.width[1]) + slope);
    model
}

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
    use std::sync::Arc;

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

    /// A belief that is too wide by a fifth at depth 0 and too narrow by a tenth at depth 8.
    #[test]
    fn widths_are_stretched_until_intervals_hold_what_they_promise() {
        let model = Searched {
            location: [0.0, 0.7, 0.2, 0.4, -0.3, 0.3, 0.0],
            width: [-0.2, -0.5, 0.0, 0.7, 0.0, 0.2, 0.0, 0.3, 0.0, -0.3, 0.2],
        };
        let found = drawn(&model, 4_000);
        let samples = found.iter().flatten().flat_map(|s| s.iter().copied());
        let samples: Vec<Sample> = samples.collect();
        let mut off = model;
        off.width[0] += 0.2;
        off.width[1] -= 0.375;
        let mended = covering(off, &samples);
        assert!(
            (mended.width[0] - model.width[0]).abs() < 0.04,
            "{mended:?}"
        );
        assert!(
            (mended.width[1] - model.width[1]).abs() < 0.08,
            "{mended:?}"
        );
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
