//! The outcome of one search of one position, in a form that can be saved in a file.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::task::{AimKind, Task};
use crate::compare::Face;
use game::{MoveCode, Score};
use search::StopReason;
use session::Point;

/// The answers of all columns to one position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answers {
    /// The number of the position in the suite, from 1.
    pub number: usize,
    /// Its title (id) in the suite; may be empty.
    pub title: String,
    /// The position.
    pub fen: String,
    /// The operation that says what solves it; null if there are only points.
    pub task: Option<AimKind>,
    /// The most points to gain; null if there are none.
    pub possible: Option<u32>,
    /// The answers, in the order of the columns.
    pub columns: Vec<Outcome>,
}

/// The answer of one column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// Whether it solved the position; null if there is nothing to solve or the column failed.
    pub solved: Option<bool>,
    /// The points gained; null if there are none to gain or the column failed.
    pub points: Option<u32>,
    /// The continuous ranked probability score of its belief, where the position's value is known: in records of sweeps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub crps: Option<f64>,
    /// The move that it would play; null without one.
    pub best: Option<Chosen>,
    /// Expected score of the side to move; null if unknown.
    #[schemars(range(min = -1, max = 1))]
    pub expected: Option<f32>,
    /// Centipawns for the side to move; null for a mate or if unknown.
    pub cp: Option<i16>,
    /// Full moves to mate, negative if the side to move is mated; null without a mate.
    pub mate: Option<i16>,
    /// Nodes searched.
    pub nodes: u64,
    /// CPU time of all its threads, in milliseconds.
    #[schemars(range(min = 0))]
    pub cpu_ms: f64,
    /// The last finished iteration; null in a best-first search.
    pub depth: Option<u16>,
    /// What ended the search; null if it was not ended.
    pub stopped_by: Option<StopReason>,
    /// When it reached the solution that it kept to the end, at most about 2 % too late; null if it did not solve the position.
    pub kept: Option<SolvedAt>,
    /// Why an external engine failed to answer; null if it did not fail.
    pub trouble: Option<String>,
}

/// A move by its names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Chosen {
    /// In UCI notation.
    pub uci: String,
    /// In standard algebraic notation.
    pub san: String,
}

/// What was spent up to a solution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SolvedAt {
    /// Nodes.
    pub nodes: u64,
    /// CPU time, in milliseconds.
    #[schemars(range(min = 0))]
    pub cpu_ms: f64,
}

impl Outcome {
    /// Judges a search that has ended.
    pub fn of(task: &Task, face: Face) -> Outcome {
        let summary = face.summary();
        let trouble = face.trouble().map(|t| t.message);
        let best = summary.best.as_ref();
        let code = best.map(|b| b.code);
        let judged = trouble.is_none();
        let aim = task.aim.as_ref().filter(|_| judged);
        let solved = aim.map(|aim| aim.is_met(&summary));
        let totals = &summary.status.totals;
        let spent = SolvedAt {
            nodes: totals.nodes,
            cpu_ms: milliseconds(summary.status.cpu),
        };
        let kept = aim.filter(|_| solved == Some(true)).map(|aim| {
            let last = code.unwrap_or(MoveCode::NONE);
            kept(&face.progress(), |p| aim.is_met_at(p, last)).unwrap_or(spent)
        });
        let belief = summary.belief.as_ref().zip(task.truth.filter(|_| judged));
        let crps = belief.map(|(belief, truth)| {
            let forecast = belief.forecast(face.reader().tree.grid());
            forecast.crps(f64::from(truth))
        });
        let ordinary = summary.score.score.filter(|s| !s.is_decided());
        Outcome {
            solved,
            points: task.points_of(code).filter(|_| judged),
            crps,
            best: best.map(|b| Chosen {
                uci: b.uci.clone(),
                san: b.san.clone(),
            }),
            expected: summary.score.expected,
            cp: ordinary.map(Score::raw),
            mate: summary.score.mate(),
            nodes: spent.nodes,
            cpu_ms: spent.cpu_ms,
            depth: (totals.depth > 0).then_some(totals.depth),
            stopped_by: summary.stopped_by(),
            kept,
            trouble,
        }
    }

    /// Returns the outcome of a column that failed to answer.
    pub fn failed(message: String) -> Outcome {
        Outcome {
            solved: None,
            points: None,
            crps: None,
            best: None,
            expected: None,
            cp: None,
            mate: None,
            nodes: 0,
            cpu_ms: 0.0,
            depth: None,
            stopped_by: None,
            kept: None,
            trouble: Some(message),
        }
    }

    /// Returns the value as a score: a mate, or centipawns.
    pub fn score(&self) -> Option<Score> {
        match (self.mate, self.cp) {
            (Some(n), _) if n > 0 => Some(Score::win_in(2 * n.unsigned_abs() - 1)),
            (Some(n), _) => Some(Score::loss_in(2 * n.unsigned_abs())),
            (None, cp) => cp.map(|cp| Score::new(cp.into())),
        }
    }
}

/// Returns the first point from which on all points hold, or `None` if not even the last one does.
fn kept(points: &[Point], holds: impl Fn(&Point) -> bool) -> Option<SolvedAt> {
    let since = points.iter().rev().take_while(|p| holds(p)).last()?;
    Some(SolvedAt {
        nodes: since.nodes,
        cpu_ms: milliseconds(since.cpu),
    })
}

/// Converts to milliseconds, including microseconds as decimals.
fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(bests: &[u16]) -> Vec<Point> {
        let point = |(i, best): (usize, &u16)| Point {
            event: i as u64,
            nodes: 10 * (1 + i as u64),
            cpu: Duration::from_micros(1_500 * (1 + i as u64)),
            expected: Some(0.0),
            sd: None,
            best: MoveCode(*best),
        };
        bests.iter().enumerate().map(point).collect()
    }

    #[test]
    fn a_solution_counts_from_where_it_was_kept() {
        let since = |bests: &[u16]| kept(&points(bests), |p| p.best == MoveCode(7));
        let kept = since(&[7, 1, 7, 7, 7]).expect("kept");
        assert_eq!((kept.nodes, kept.cpu_ms), (30, 4.5));
        assert_eq!(since(&[7, 7]).map(|k| k.nodes), Some(10));
        assert_eq!(since(&[7, 7, 1]), None);
        assert_eq!(since(&[]), None);
    }

    #[test]
    fn mates_are_scores_again() {
        let of = |mate| {
            Outcome {
                mate: Some(mate),
                ..Outcome::failed(String::new())
            }
            .score()
        };
        for mate in [-3, -1, 1, 4] {
            assert_eq!(of(mate).and_then(Score::mate_moves), Some(mate));
        }
    }
}
