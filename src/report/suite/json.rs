//! The results as JSON.

use serde::Serialize;

use super::Results;
use crate::compare::budget_json;
use crate::json::VERSION;
use session::Budget;
use studies::suite::statistics::Interval;
use studies::suite::{Answers, Pair, Tally, pairs, tally};

/// The whole run.
#[derive(Serialize, Debug)]
pub struct SuiteJson<'a> {
    version: u32,
    suite: &'a str,
    #[serde(serialize_with = "budget_json")]
    budget: Budget,
    threads: usize,
    seed: u64,
    /// Whether no position is missing.
    complete: bool,
    finished: usize,
    wanted: usize,
    /// Positions without a task.
    not_tried: &'a [String],
    columns: Vec<ColumnJson<'a>>,
    pairs: Vec<PairJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<&'a [Answers]>,
}

#[derive(Serialize, Debug)]
struct ColumnJson<'a> {
    name: &'a str,
    solved: usize,
    tried: usize,
    /// The 95 % interval of the share solved.
    interval: Option<Interval>,
    points: u32,
    possible: u32,
    /// The 95 % interval of all points.
    points_interval: Option<Interval>,
    /// Medians over the positions solved, up to the solution that was kept.
    kept_nodes: Option<f64>,
    kept_cpu_ms: Option<f64>,
    nodes: u64,
    cpu_ms: f64,
    troubles: usize,
}

#[derive(Serialize, Debug)]
struct PairJson<'a> {
    a: &'a str,
    b: &'a str,
    both: usize,
    neither: usize,
    /// Positions solved by a and not by b.
    only_a: Vec<&'a str>,
    only_b: Vec<&'a str>,
    /// The result of McNemar's exact test, two-sided.
    p: f64,
    points: Option<PointsJson>,
}

/// The points of a minus those of b, as the mean per position.
#[derive(Serialize, Debug)]
struct PointsJson {
    mean: f64,
    interval: Option<Interval>,
}

/// One position with `--each`.
#[derive(Serialize, Debug)]
pub struct EachJson<'a> {
    version: u32,
    columns: &'a [String],
    position: &'a Answers,
}

/// Returns the object at the end. It includes the positions if they were not written one by one.
pub fn whole<'a>(results: &Results<'a>, with_positions: bool) -> SuiteJson<'a> {
    let names = results.columns;
    let column = |(i, name): (usize, &'a String)| ColumnJson::new(name, tally(results.answers, i));
    SuiteJson {
        version: VERSION,
        suite: results.suite,
        budget: results.budget,
        threads: results.threads,
        seed: results.seed,
        complete: results.is_whole(),
        finished: results.answers.len(),
        wanted: results.wanted,
        not_tried: results.untried,
        columns: names.iter().enumerate().map(column).collect(),
        pairs: pairs(results.answers, names.len())
            .into_iter()
            .map(|pair| PairJson::new(pair, results))
            .collect(),
        positions: with_positions.then_some(results.answers),
    }
}

/// Returns the object for one position.
pub fn each<'a>(columns: &'a [String], position: &'a Answers) -> EachJson<'a> {
    EachJson {
        version: VERSION,
        columns,
        position,
    }
}

impl<'a> ColumnJson<'a> {
    fn new(name: &'a str, tally: Tally) -> Self {
        ColumnJson {
            name,
            solved: tally.solved,
            tried: tally.tried,
            interval: tally.interval,
            points: tally.points,
            possible: tally.possible,
            points_interval: tally.points_interval,
            kept_nodes: tally.kept_nodes,
            kept_cpu_ms: tally.kept_cpu_ms,
            nodes: tally.nodes,
            cpu_ms: tally.cpu_ms,
            troubles: tally.troubles,
        }
    }
}

impl<'a> PairJson<'a> {
    fn new(pair: Pair, results: &Results<'a>) -> Self {
        let title = |i: &usize| results.answers[*i].title.as_str();
        PairJson {
            a: &results.columns[pair.a],
            b: &results.columns[pair.b],
            both: pair.both,
            neither: pair.neither,
            only_a: pair.only_a.iter().map(title).collect(),
            only_b: pair.only_b.iter().map(title).collect(),
            p: pair.p,
            points: pair
                .points
                .map(|(mean, interval)| PointsJson { mean, interval }),
        }
    }
}
