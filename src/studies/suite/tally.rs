//! The figures of a suite: for each column, and for each pair of columns.

use serde::Serialize;

use super::statistics::{self, Interval};
use super::{Answers, Outcome};

/// The figures of one column over all positions that it answered.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    pub solved: usize,
    pub tried: usize,
    /// The 95 % interval of the share solved (Wilson).
    pub interval: Option<Interval>,
    pub points: u32,
    pub possible: u32,
    /// The 95 % interval of the total points, by the normal distribution over positions.
    pub points_interval: Option<Interval>,
    /// The median over the positions it solved, up to the solution that it kept.
    pub kept_nodes: Option<f64>,
    pub kept_cpu_ms: Option<f64>,
    pub nodes: u64,
    pub cpu_ms: f64,
    /// The number of positions that it did not answer.
    pub troubles: usize,
}

/// The comparison of two columns on the positions that both answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    pub a: usize,
    pub b: usize,
    /// Indices into the answers: solved by one and not by the other.
    pub only_a: Vec<usize>,
    pub only_b: Vec<usize>,
    pub both: usize,
    pub neither: usize,
    /// The result of McNemar's exact test, two-sided.
    pub p: f64,
    /// The points of `a` minus those of `b`: the mean over the positions that give points, with its 95 % interval.
    pub points: Option<(f64, Option<Interval>)>,
}

/// Returns the figures of a column.
pub fn tally(answers: &[Answers], column: usize) -> Tally {
    let mut tally = Tally::default();
    let (mut points, mut nodes, mut cpu) = (Vec::new(), Vec::new(), Vec::new());
    for answer in answers {
        let Some(outcome) = answer.columns.get(column) else {
            continue;
        };
        tally.nodes += outcome.nodes;
        tally.cpu_ms += outcome.cpu_ms;
        tally.troubles += usize::from(outcome.trouble.is_some());
        tally.tried += usize::from(outcome.solved.is_some());
        tally.solved += usize::from(outcome.solved == Some(true));
        if let (Some(got), Some(possible)) = (outcome.points, answer.possible) {
            tally.points += got;
            tally.possible += possible;
            points.push(f64::from(got));
        }
        if let Some(kept) = outcome.kept {
            nodes.push(kept.nodes as f64);
            cpu.push(kept.cpu_ms);
        }
    }
    tally.interval = statistics::wilson(tally.solved, tally.tried);
    tally.points_interval = statistics::mean(&points)
        .and_then(|(_, interval)| interval)
        .map(|(low, high)| {
            let n = points.len() as f64;
            (
                (low * n).max(0.0),
                (high * n).min(f64::from(tally.possible)),
            )
        });
    tally.kept_nodes = statistics::median(&nodes);
    tally.kept_cpu_ms = statistics::median(&cpu);
    tally
}

/// Returns every pair of the first `columns` columns, in order.
pub fn pairs(answers: &[Answers], columns: usize) -> Vec<Pair> {
    let first = |a| (a + 1..columns).map(move |b| (a, b));
    let all = (0..columns).flat_map(first);
    all.map(|(a, b)| pair(answers, a, b)).collect()
}

fn pair(answers: &[Answers], a: usize, b: usize) -> Pair {
    let (mut only_a, mut only_b) = (Vec::new(), Vec::new());
    let (mut both, mut neither) = (0, 0);
    let mut points = Vec::new();
    for (i, answer) in answers.iter().enumerate() {
        let of = |column: usize| answer.columns.get(column);
        let solved = |column| of(column).and_then(|o| o.solved);
        match (solved(a), solved(b)) {
            (Some(true), Some(false)) => only_a.push(i),
            (Some(false), Some(true)) => only_b.push(i),
            (Some(true), Some(true)) => both += 1,
            (Some(false), Some(false)) => neither += 1,
            _ => {}
        }
        let got = |column| of(column).and_then(|o: &Outcome| o.points);
        if let (Some(a), Some(b)) = (got(a), got(b)) {
            points.push(f64::from(a) - f64::from(b));
        }
    }
    Pair {
        a,
        b,
        p: statistics::mcnemar(only_a.len(), only_b.len()),
        only_a,
        only_b,
        both,
        neither,
        points: statistics::mean(&points),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{AimKind, SolvedAt};

    fn outcome(solved: Option<bool>, points: Option<u32>) -> Outcome {
        Outcome {
            solved,
            points,
            nodes: 100,
            cpu_ms: 2.0,
            kept: solved.filter(|s| *s).map(|_| SolvedAt {
                nodes: 40,
                cpu_ms: 1.0,
            }),
            trouble: solved.is_none().then(|| "gone".to_owned()),
            ..Outcome::failed(String::new())
        }
    }

    fn answers() -> Vec<Answers> {
        let (yes, no) = (Some(true), Some(false));
        [(yes, no), (yes, yes), (no, no), (yes, None)]
            .iter()
            .enumerate()
            .map(|(i, (a, b))| Answers {
                number: i + 1,
                title: format!("{i}"),
                fen: String::new(),
                task: Some(AimKind::Best),
                possible: Some(10),
                columns: vec![outcome(*a, Some(10)), outcome(*b, b.map(|_| 4))],
            })
            .collect()
    }

    #[test]
    fn columns_are_counted_where_they_answered() {
        let (a, b) = (tally(&answers(), 0), tally(&answers(), 1));
        assert_eq!((a.solved, a.tried, a.troubles), (3, 4, 0));
        assert_eq!((b.solved, b.tried, b.troubles), (1, 3, 1));
        assert_eq!((a.points, a.possible), (40, 40));
        assert_eq!((b.points, b.possible), (12, 30));
        assert_eq!(a.points_interval, Some((40.0, 40.0)));
        assert_eq!((a.kept_nodes, a.nodes, a.cpu_ms), (Some(40.0), 400, 8.0));
    }

    #[test]
    fn pairs_are_counted_where_both_answered() {
        let pairs = pairs(&answers(), 2);
        assert_eq!(pairs.len(), 1);
        let pair = &pairs[0];
        assert_eq!(pair.only_a, [0]);
        assert_eq!(pair.only_b, [0usize; 0]);
        assert_eq!((pair.both, pair.neither, pair.p), (1, 1, 1.0));
        assert_eq!(pair.points, Some((6.0, Some((6.0, 6.0)))));
    }
}
