//! How sure a value is by the depth of the search that found it: values of labelled positions at every depth, the belief
//! fitted to one half of them, and its judgement on the other.

mod experiment;
mod fit;

use std::sync::Arc;

pub use experiment::{Known, Labelled, Plan, start};
pub use fit::{Fitted, Judged, OfDepth, fit};

use super::calibration::Case;
use super::depth_series::{DepthSeries, search_every_depth};
use belief::Grid;
use eval::fitted::{Features, SearchedFeatures};
use eval::{ChessEvaluator, Evaluation, Evaluator as _, LeafShape, Width};
use game::Score;
use search::Limits;
use session::Config;
use session::Subject;
use session::jobs::Pool;

/// The samples of each position that is done, by depth.
pub type Found = Vec<Option<Arc<Vec<Sample>>>>;

/// What one search found, and the truth.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Sample {
    pub found: SearchedFeatures,
    /// The expected score for the side to move.
    pub truth: f64,
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
    let (mean, spread) = SearchedFeatures::of_belief(&belief, &Grid::sinh());
    let known = SearchedFeatures {
        depth: 0,
        value: series.quiescence.logit(),
        before: own.logit(),
        mean,
        spread,
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
                value: value.logit(),
                before: before.logit(),
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
