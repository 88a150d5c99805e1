//! The results as JSON.

use schemars::JsonSchema;
use serde::Serialize;

use super::Results;
use crate::json::{VERSION, Version};
use session::Budget;
use studies::suite::statistics::Interval;
use studies::suite::{Answers, Pair, Tally, pairs, tally};

/// The whole run.
#[derive(Serialize, JsonSchema, Debug)]
pub struct SuiteJson<'a> {
    version: Version,
    /// The file.
    suite: &'a str,
    budget: Budget,
    /// Threads for each search.
    threads: usize,
    /// The seed of everything random.
    seed: u64,
    /// Whether no position is missing.
    complete: bool,
    /// The number of positions answered.
    finished: usize,
    /// The number of positions to answer.
    wanted: usize,
    /// Titles of the positions without a task.
    not_tried: &'a [String],
    /// What each column achieved.
    columns: Vec<ColumnJson<'a>>,
    /// Every pair of columns, compared on the positions that both answered.
    pairs: Vec<PairJson<'a>>,
    /// Every position, in the order of the file; not with --each.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<&'a [Answers]>,
}

/// What one column achieved.
#[derive(Serialize, JsonSchema, Debug)]
struct ColumnJson<'a> {
    /// The name of the column.
    name: &'a str,
    /// Positions solved.
    solved: usize,
    /// Positions tried that can be solved.
    tried: usize,
    /// The 95 % interval of the share solved; null if nothing was tried.
    interval: Option<Interval>,
    /// Points gained.
    points: u32,
    /// Points there were to gain.
    possible: u32,
    /// The 95 % interval of the points in all; null without points or with too few positions.
    points_interval: Option<Interval>,
    /// Median nodes up to the solution that was kept, over the positions solved; null if none was.
    kept_nodes: Option<f64>,
    /// The same in milliseconds of CPU time.
    kept_cpu_ms: Option<f64>,
    /// Nodes over all positions.
    nodes: u64,
    /// CPU time over all positions, in milliseconds.
    #[schemars(range(min = 0))]
    cpu_ms: f64,
    /// Positions that the column failed to answer.
    troubles: usize,
}

/// Two columns, a and b.
#[derive(Serialize, JsonSchema, Debug)]
struct PairJson<'a> {
    /// The name of the one column.
    a: &'a str,
    /// The name of the other column.
    b: &'a str,
    /// Positions that both solved.
    both: usize,
    /// Positions that neither solved.
    neither: usize,
    /// Titles of the positions that only a solved.
    only_a: Vec<&'a str>,
    /// Titles of the positions that only b solved.
    only_b: Vec<&'a str>,
    /// McNemar's exact test, two-sided.
    #[schemars(range(min = 0, max = 1))]
    p: f64,
    /// How the points compare; null without points.
    points: Option<PointsJson>,
}

/// The difference of the points of two columns.
#[derive(Serialize, JsonSchema, Debug)]
struct PointsJson {
    /// The points of a minus those of b, the mean over the positions.
    mean: f64,
    /// The 95 % interval of that mean; null with too few positions.
    interval: Option<Interval>,
}

/// One position, with --each.
#[derive(Serialize, JsonSchema, Debug)]
pub struct EachJson<'a> {
    version: Version,
    /// The names of the columns.
    columns: &'a [String],
    /// The answers to it.
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
