//! The score of one position at every depth.

use eval::fitted::Features;
use game::{Scale, Score};
use search::common::table::Tables;
use search::{Choices, Control, Limits, Start, StopReason};
use session::Config;
use session::Subject;
use session::job_inputs::{JobInputs, new_tree};
use session::jobs::Worker;
use tree::Tree;

use super::calibration::Case;
use super::report::Sample;

/// The scores of one position, all from the view of its side to move.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct DepthSeries {
    /// The static value; `None` in check, where no rule uses it.
    pub static_value: Option<Score>,
    /// The value after quiescence.
    pub quiescence: Score,
    /// The values after the iterations to depth 1, 2, ... until one was not completed.
    pub scores: Vec<Score>,
    /// The nodes that each of these iterations took.
    pub nodes: Vec<u64>,
}

/// Scores a position at depth 0 and at every depth up to `depth` as `config` says, one iteration after another with one
/// table, and with at most `config.limits.nodes` nodes in all. Returns `None` if stopped before depth 1.
pub(super) fn search_every_depth(
    subject: &Subject,
    config: &Config,
    depth: u16,
    worker: &Worker,
) -> Option<DepthSeries> {
    let tree = new_tree(subject, config);
    let tables = Tables::new(config.table);
    let choices = Choices::default();
    let mut start = Start::default();
    let mut left = config.limits.nodes;
    let control = worker.control(Limits::default())?;
    let inputs = JobInputs {
        subject,
        config,
        tree: &tree,
        tables: &tables,
        control: &control,
    };
    let standing = inputs
        .with_job(start, &choices, |job| job.standing())
        .ok()?;
    let mut series = DepthSeries {
        static_value: standing.static_value,
        quiescence: standing.quiescence,
        scores: Vec::new(),
        nodes: Vec::new(),
    };
    for next in 1..=depth {
        let limits = Limits {
            depth: Some(next),
            nodes: left,
            ..Limits::default()
        };
        let Some(control) = worker.control(limits) else {
            break;
        };
        let inputs = JobInputs {
            control: &control,
            ..inputs
        };
        start = inputs.with_job(start, &choices, |job| job.run_unwatched());
        let nodes = control.totals().nodes;
        let solved = match control.stopped() {
            Some(StopReason::Depth) => false,
            Some(StopReason::Solved) => true,
            _ => break,
        };
        series.scores.push(start.score);
        series.nodes.push(nodes);
        left = left.map(|n| n.saturating_sub(nodes));
        if solved || left == Some(0) {
            break;
        }
    }
    // A mate stays the same at any greater depth.
    if let Some(&last) = series.scores.last()
        && last.is_decided()
    {
        series.scores.resize(usize::from(depth), last);
    }
    (!series.scores.is_empty()).then_some(series)
}

/// Returns the values of leaves at labelled positions, for fitting how far they are off ([`super::report::fit`]).
/// Positions that are in check, decided or unlabelled are left out.
pub fn leaves(cases: &[Case]) -> Vec<Sample> {
    let config = Config::new(super::ALGORITHM);
    let tables = Tables::new(1 << 20);
    let sample = |case: &Case| {
        let at = case.subject.position.as_chess()?;
        let control = Control::new(Limits::default(), 1);
        let tree = Tree::new(config.algorithm.tree_spec(Scale::Logistic, 1 << 16, 0));
        let inputs = JobInputs {
            subject: &case.subject,
            config: &config,
            tree: &tree,
            tables: &tables,
            control: &control,
        };
        let standing = inputs
            .with_job(Start::default(), &Choices::default(), |job| job.standing())
            .ok()?;
        let value = standing.quiescence;
        let open = standing.static_value.is_some() && !value.is_decided();
        Some(Sample {
            mean_logit: value.logit(),
            features: Features::of(at),
            truth: f64::from(case.verdict.filter(|_| open)?),
        })
    };
    cases.iter().filter_map(sample).collect()
}
