//! The Lab's experiment on hidden refutations: how stable the choice of a move is while the refutation of the best-looking
//! move is out of sight, and how many nodes a search needs to give the move up after it has come into sight.
//!
//! The trees are random ([`game`]), and each is searched twice by every column: with the refutation, and without it as the
//! control.

mod game;

use std::sync::Arc;

use serde::Serialize;

use crate::PlanError;
use crate::kept::Kept;
use crate::statistics::{Figure, Resamples};
use ::game::{MoveCode, Situation};
use session::jobs::{BackgroundJob, Worker};
use session::{Budget, Subject};
use studies::compare::ColumnSpec;
use studies::suite::ColumnRunner;

pub use game::{ERROR, LOSS, MARGIN, Settings, WORTH};
use game::{HiddenPosition, HiddenTree};

/// The columns that are searched unless others are asked for.
pub const USUAL: [&str; 7] = [
    "distress",
    "distress:backup=r-opt",
    "distress:backup=r-pick",
    "distress:backup=exp:1.5",
    "distress:backup=cuadras-auge:.5",
    "distress:allocation=uniform",
    "alpha-beta",
];

/// What to search.
#[derive(Clone, Debug)]
pub struct Plan {
    pub columns: Vec<ColumnSpec>,
    /// The number of moves in each position.
    pub branching: u8,
    /// The number of plies after the refuting reply for which the static value does not know of it.
    pub hidden: u16,
    /// The number of trees.
    pub trees: usize,
    /// The nodes of each search.
    pub nodes: u64,
    pub seed: u64,
    pub at_a_time: usize,
}

/// One search of one tree.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Course {
    /// The nodes at which the refutation was first seen; `None` if it never was.
    pub sighted: Option<f64>,
    /// How often the choice changed before that.
    pub changes: usize,
    /// The share of the moments before that at which the choice was the move that looks best. The moments are 1 to 2 %
    /// of the events apart.
    pub held: Option<f64>,
    /// The nodes from the first sight until the move was given up for good; `None` if it never was seen, or never given
    /// up.
    pub recovery: Option<f64>,
    /// Whether the search ended with the move that looks best.
    pub ends_with_favourite: bool,
    /// How wide the root's belief was; `None` without beliefs.
    pub spread: Option<RootSpread>,
}

/// The standard deviation of the root's belief, in expected score.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RootSpread {
    /// At the last moment before the refutation was seen, and at its widest after that; `None` if it never was seen, or at once.
    pub sighted: Option<[f64; 2]>,
    pub end: f64,
}

impl RootSpread {
    /// Reads it from the standard deviations by nodes.
    fn of(by_nodes: &[(f64, f64)], sighted: Option<f64>) -> Option<RootSpread> {
        let parts = sighted.map(|at| by_nodes.split_at(by_nodes.partition_point(|p| p.0 < at)));
        let around = parts.and_then(|(before, after)| {
            let widest = after.iter().map(|p| p.1).reduce(f64::max)?;
            Some([before.last()?.1, widest])
        });
        Some(RootSpread {
            sighted: around,
            end: by_nodes.last()?.1,
        })
    }
}

/// What is known so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Refutations {
    pub columns: Vec<String>,
    pub nodes: u64,
    /// By tree, then by column: with the refutation and without.
    pub courses: Vec<Vec<Option<[Course; 2]>>>,
}

/// The figures of one column.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ColumnFigures {
    #[serde(skip)]
    pub trees: usize,
    /// The share that saw the refutation.
    pub sighted: Figure,
    /// The median number of nodes at the first sight.
    pub sighted_at: Figure,
    /// The mean number of changes before the first sight.
    pub changes: Figure,
    /// The mean share of the moments before the first sight with the move that looks best.
    pub held: Option<Figure>,
    /// The share that ended with another move.
    pub recovered: Figure,
    /// The median number of nodes from the first sight to the last moment with the refuted move.
    pub recovery: Figure,
    /// The share of the control's searches, without a refutation, that ended with another move than the best-looking one.
    pub strayed: Figure,
    /// The mean standard deviation of the root's belief just before the first sight, at its widest after that, at the end, and
    /// at the end of the control's searches; `None` without beliefs.
    pub spread: [Option<Figure>; 4],
}

/// Starts the experiment: tree after tree, each with all columns.
///
/// # Errors
/// See [`PlanError`].
pub fn start(plan: Plan, kept: Kept<[Course; 2]>) -> Result<BackgroundJob<Refutations>, PlanError> {
    if plan.columns.is_empty() {
        return Err(PlanError::NoColumn);
    }
    let is_external = |c: &ColumnSpec| matches!(c, ColumnSpec::External(_));
    if plan.columns.iter().any(is_external) {
        return Err(PlanError::External);
    }
    let width = plan.columns.len();
    let searches = plan.trees * width;
    let empty = Refutations {
        columns: plan.columns.iter().map(ToString::to_string).collect(),
        nodes: plan.nodes,
        courses: vec![vec![None; width]; plan.trees],
    };
    let plan = Arc::new(plan);
    let asked = Arc::clone(&plan);
    let job = kept.start(
        plan.at_a_time,
        (searches, width),
        empty,
        move || ColumnRunner::new(&asked.columns, Budget::Nodes(asked.nodes)),
        move |runner, number, worker| {
            let (tree, column) = (number / width, number % width);
            let mut one = |refuted: bool| search(&plan, tree, column, refuted, runner, worker);
            one(true).zip(one(false)).map(<[Course; 2]>::from)
        },
        move |known, number, courses| {
            known.courses[number / width][number % width] = Some(courses);
        },
    )?;
    Ok(job)
}

/// Searches one tree. `None` if stopped.
fn search(
    plan: &Plan,
    number: usize,
    column: usize,
    refuted: bool,
    runner: &mut ColumnRunner,
    worker: &Worker,
) -> Option<Course> {
    let settings = Settings {
        branching: plan.branching,
        hidden: plan.hidden,
        refuted,
    };
    let seed = plan
        .seed
        .wrapping_mul(1_000_003)
        .wrapping_add(number as u64);
    let tree = HiddenTree::new(settings, seed);
    let root = HiddenPosition::root(Arc::clone(&tree));
    let subject = Subject::of(Situation::new(root));
    let halted = || worker.pool.is_stopped();
    let found = runner.search(&subject, column, halted, |face| {
        let points = face.progress();
        let nodes = face.status().totals.nodes;
        (points, nodes)
    });
    let (points, nodes) = found.ok().filter(|_| !halted())?;
    let choices: Vec<(f64, MoveCode)> = points
        .iter()
        .filter(|p| p.best != MoveCode::NONE)
        .map(|p| (p.nodes as f64, p.best))
        .collect();
    let sighted = tree.sighted().map(|share| share * nodes as f64);
    let spreads = points.iter();
    let spreads = spreads.filter_map(|p| Some((p.nodes as f64, f64::from(p.sd?))));
    let spreads: Vec<(f64, f64)> = spreads.collect();
    Some(Course {
        spread: RootSpread::of(&spreads, sighted),
        ..course(&choices, tree.favourite(), sighted)
    })
}

/// Reads the course of a search from its choices by nodes.
fn course(choices: &[(f64, MoveCode)], favourite: MoveCode, sighted: Option<f64>) -> Course {
    let end = sighted.unwrap_or(f64::INFINITY);
    let before: Vec<MoveCode> = choices
        .iter()
        .take_while(|(nodes, _)| *nodes < end)
        .map(|c| c.1)
        .collect();
    let is_favourite = |m: &&MoveCode| **m == favourite;
    let held = before.iter().filter(is_favourite).count() as f64 / before.len().max(1) as f64;
    let ends_with_favourite = choices.last().is_some_and(|c| c.1 == favourite);
    let last = choices.iter().rev().find(|c| c.1 == favourite);
    let recovery = sighted.filter(|_| !ends_with_favourite).map(|at| {
        // Given up before the refutation was in sight, it was not the refutation that did it.
        last.map_or(0.0, |(nodes, _)| (nodes - at).max(0.0))
    });
    Course {
        sighted,
        changes: before.windows(2).filter(|pair| pair[0] != pair[1]).count(),
        held: (!before.is_empty()).then_some(held),
        recovery,
        ends_with_favourite,
        spread: None,
    }
}

impl Refutations {
    /// Returns the trees that all columns have searched.
    fn whole(&self) -> Vec<Vec<&[Course; 2]>> {
        let rows = self.courses.iter();
        rows.filter_map(|row| row.iter().map(Option::as_ref).collect())
            .collect()
    }

    /// Returns the number of trees that all columns have searched.
    pub fn searched(&self) -> usize {
        self.whole().len()
    }

    /// Returns a column's figures, or `None` before there are any.
    pub fn figures(&self, column: usize, resamples: &Resamples) -> Option<ColumnFigures> {
        let whole = self.whole();
        let courses: Vec<&[Course; 2]> = whole.iter().map(|row| row[column]).collect();
        let mean = |read: &dyn Fn(&[Course; 2]) -> Option<f64>| {
            let part = |course: &&[Course; 2]| read(course).map_or((0.0, 0.0), |x| (x, 1.0));
            let parts: Vec<(f64, f64)> = courses.iter().map(part).collect();
            resamples.ratio(&parts)
        };
        let median = |read: &dyn Fn(&Course) -> Option<f64>| {
            resamples.figure(|weights| {
                let mut known = Vec::new();
                for (i, [course, _]) in courses.iter().enumerate() {
                    let times = weights.map_or(1.0, |w| w[i]) as usize;
                    known.extend(std::iter::repeat_n(
                        read(course).unwrap_or(f64::INFINITY),
                        times,
                    ));
                }
                known.sort_by(f64::total_cmp);
                // Of two in the middle the upper one, because it may be infinite.
                known.get(known.len() / 2).copied()
            })
        };
        let share = |yes: bool| Some(f64::from(u8::from(yes)));
        Some(ColumnFigures {
            trees: courses.len(),
            sighted: mean(&|c| share(c[0].sighted.is_some()))?,
            sighted_at: median(&|c| c.sighted)?,
            changes: mean(&|c| Some(c[0].changes as f64))?,
            held: mean(&|c| c[0].held),
            recovered: mean(&|c| share(!c[0].ends_with_favourite))?,
            recovery: median(&|c| c.recovery)?,
            strayed: mean(&|c| share(!c[1].ends_with_favourite))?,
            spread: [
                mean(&|c| Some(c[0].spread?.sighted?[0])),
                mean(&|c| Some(c[0].spread?.sighted?[1])),
                mean(&|c| Some(c[0].spread?.end)),
                mean(&|c| Some(c[1].spread?.end)),
            ],
        })
    }

    /// Returns how much greater a column's share of recovered trees is than another's, tree by tree.
    pub fn recovered_against(
        &self,
        column: usize,
        other: usize,
        resamples: &Resamples,
    ) -> Option<Figure> {
        let gave_up = |of: &[Course; 2]| f64::from(u8::from(!of[0].ends_with_favourite));
        let whole = self.whole();
        let part = |row: &Vec<&[Course; 2]>| (gave_up(row[column]) - gave_up(row[other]), 1.0);
        resamples.ratio(&whole.iter().map(part).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use algorithms::Algorithm;
    use session::Config;

    #[test]
    fn a_course_is_read_from_the_choices() {
        let (a, b) = (MoveCode(1), MoveCode(2));
        let choices = [(10.0, b), (20.0, a), (40.0, a), (60.0, a), (80.0, b)];
        let seen = course(&choices, a, Some(50.0));
        assert_eq!((seen.changes, seen.held), (1, Some(2.0 / 3.0)));
        assert_eq!(
            (seen.recovery, seen.ends_with_favourite),
            (Some(10.0), false)
        );
        let never = course(&choices, b, None);
        assert_eq!((never.changes, never.recovery), (2, None));
        assert!(never.ends_with_favourite);
        // Given up before the refutation was in sight.
        assert_eq!(
            course(&choices, MoveCode(3), Some(50.0)).recovery,
            Some(0.0)
        );
    }

    #[test]
    fn the_spread_is_read_around_the_first_sight() {
        let by_nodes = [
            (10.0, 0.3),
            (20.0, 0.2),
            (40.0, 0.5),
            (60.0, 0.4),
            (80.0, 0.1),
        ];
        let of = |sighted| RootSpread::of(&by_nodes, sighted).expect("a spread");
        assert_eq!(
            (of(Some(30.0)).sighted, of(Some(30.0)).end),
            (Some([0.2, 0.5]), 0.1)
        );
        assert_eq!(of(Some(60.0)).sighted, Some([0.5, 0.4]));
        assert_eq!(
            (of(Some(5.0)).sighted, of(Some(90.0)).sighted),
            (None, None)
        );
        assert_eq!(of(None).sighted, None);
        assert_eq!(RootSpread::of(&[], Some(1.0)), None);
    }

    #[test]
    fn searches_of_hidden_trees_are_reproducible() {
        let base = Config {
            memory: 32 << 20,
            ..Config::new(Algorithm::Distress)
        };
        let plan = |at_a_time| Plan {
            columns: ["distress", "alpha-beta"]
                .map(|c| ColumnSpec::parse(c, &base).expect("a column"))
                .to_vec(),
            branching: 6,
            hidden: 2,
            trees: 3,
            nodes: 3_000,
            seed: 1,
            at_a_time,
        };
        let run = |at_a_time| {
            let mut job = start(plan(at_a_time), Kept::default()).expect("a plan");
            job.join();
            job.findings()
        };
        let found = run(2);
        assert_eq!(found.searched(), 3);
        assert_eq!(run(1), found);
        let resamples = Resamples::new(3, 50, 1);
        let figures = found.figures(0, &resamples).expect("figures");
        assert_eq!(figures.trees, 3);
        assert!((0.0..=1.0).contains(&figures.recovered.value));
        let nothing = Plan {
            columns: Vec::new(),
            ..plan(1)
        };
        assert_eq!(
            start(nothing, Kept::default()).err(),
            Some(PlanError::NoColumn)
        );
    }
}
