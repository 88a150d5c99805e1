//! The Lab's experiment on every ply: how wide and how right the beliefs inside a tree are, ply by ply, under several
//! back-ups of the same leaves.
//!
//! Each position gets one tree ([`BackedTree`]). Nodes are drawn from it at every ply and labelled by another search of
//! the node's own position ([`Truth`]). Then the inner beliefs are computed again under each [`Candidate`] from the very
//! leaves that the search had, so candidates differ in nothing but the rule. [`Verdicts`] has the figures, [`fit`] the
//! answer to the question of the DISTRESS essay: is there a blend under which the spread stays the same from ply to ply
//! and the intervals hold what they promise?

mod candidate;
mod correlation;
mod draw;
mod figures;
pub mod fit;
mod grown;
#[cfg(test)]
mod tests;
mod truth;
mod verdicts;

use std::sync::Arc;

use fastrand::Rng;
use serde::{Deserialize, Serialize};

use crate::kept::Kept;
use crate::{PlanError, Position};
use belief::Ties;
use search::common::table::Tables;
use search::{Choices, Limits, Start};
use session::Config;
use session::job_inputs::{JobInputs, new_tree};
use session::jobs::{BackgroundJob, Pool, Worker};
use tree::Tree;

pub use candidate::{Blend, Candidate, CandidateError};
pub use correlation::{Correlation, GAPS, Sibling};
pub use draw::Draws;
pub use figures::{HELD, PlyFigures, STABLE, Whole};
pub use grown::BackedTree;
use truth::{Judge, fen_key};
pub use truth::{Labels, Length, Truth};
pub use verdicts::{Band, Kind, Verdicts};

/// What to grow and how to judge it.
#[derive(Clone, Debug)]
pub struct Plan {
    pub positions: Vec<Position>,
    /// DISTRESS with its options; the limits are ignored.
    pub config: Config,
    /// The number of nodes of each tree.
    pub nodes: u64,
    pub draws: Draws,
    pub truth: Truth,
    pub seed: u64,
    /// The number of positions at a time, each on one thread.
    pub at_a_time: usize,
}

/// A node that was drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Specimen {
    /// Its place in the [`BackedTree`].
    place: usize,
    pub ply: u16,
    /// The number of back-ups between it and the leaf at the end of its most probable line.
    pub height: u16,
    pub kind: Kind,
    pub fen: String,
    /// The expected score for its side to move, according to its label; `None` if there is no label.
    pub truth: Option<f64>,
}

/// The tree of one position, with the nodes drawn from it.
#[derive(Clone, Debug)]
pub struct Labelled {
    tree: BackedTree,
    pub specimens: Vec<Specimen>,
    /// Siblings with labels.
    families: Vec<Vec<Sibling>>,
    /// Every position with its label, for a file of labels.
    pub labels: Vec<(String, f64)>,
}

/// What is known so far: by position.
#[derive(Clone, Debug, Default)]
pub struct Trees(pub Vec<Option<Arc<Labelled>>>);

impl Trees {
    /// Returns the trees that are finished, in the order of their positions.
    pub fn done(&self) -> Vec<Arc<Labelled>> {
        self.0.iter().flatten().cloned().collect()
    }
}

/// What is found of one position. Its labels are recorded; the tree is grown again, which takes much less time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Found {
    labels: Vec<(String, f64)>,
    #[serde(skip)]
    grown: Option<Arc<Labelled>>,
    #[serde(skip)]
    is_recorded: bool,
}

/// Starts the experiment: position after position.
///
/// # Errors
/// See [`PlanError`].
pub fn start(plan: Plan, kept: Kept<Found>) -> Result<BackgroundJob<Trees>, PlanError> {
    if plan.config.algorithm != super::spread::ALGORITHM {
        return Err(PlanError::Algorithm(
            plan.config.algorithm,
            super::spread::ALGORITHM,
        ));
    }
    if plan.positions.is_empty() {
        return Err(PlanError::NoPosition);
    }
    let n = plan.positions.len();
    let pool = Pool::new("lab", plan.at_a_time.min(n), (0, n));
    let mut kept = kept.only(|found| !found.is_recorded);
    let started = BackgroundJob::drive(pool, Trees(vec![None; n]), move |shared| {
        let (recorded, open) = kept.take_recorded(shared, n);
        let find = |judge: &mut Judge, place: usize, worker: &Worker| {
            let recorded = recorded.get(&place).map(|found| &found.labels);
            let grown = match recorded {
                Some(labels) => examine(&plan, place, &mut Judge::of_record(labels), worker)?,
                None => examine(&plan, place, judge, worker)?,
            };
            Some(Found {
                labels: grown.labels.clone(),
                grown: Some(Arc::new(grown)),
                is_recorded: recorded.is_some(),
            })
        };
        let enter = |known: &mut Trees, place: usize, found: Found| known.0[place] = found.grown;
        kept.pass(shared, &open, || Judge::new(&plan.truth), find, enter)
    })?;
    Ok(started)
}

/// Grows one tree, draws nodes from it and labels them. `None` if stopped.
fn examine(plan: &Plan, number: usize, judge: &mut Judge, worker: &Worker) -> Option<Labelled> {
    let position = &plan.positions[number];
    let tree = grow(position, plan, worker)?;
    let ties: Ties = plan.config.options.word("ties").parse().unwrap_or_default();
    let backed = BackedTree::read(&tree, ties);
    // Each position has random numbers of its own, so neither the threads nor the other positions matter.
    let mut rng =
        Rng::with_seed(plan.seed ^ (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let drawn = draw::draw(&backed, plan.draws, &mut rng);
    let mut found = Labelled {
        tree: backed,
        specimens: Vec::new(),
        families: Vec::new(),
        labels: Vec::new(),
    };
    let mut label = |place: usize, found: &mut Labelled| -> Option<(String, Option<f64>)> {
        let mut subject = position.subject.clone();
        for code in tree.moves_to(found.tree.nodes()[place].id) {
            subject.follow(code);
        }
        let fen = subject.position.fen().unwrap_or_default();
        let key = fen_key(&fen).to_owned();
        if let Some((_, known)) = found.labels.iter().find(|(k, _)| *k == key) {
            return Some((fen, Some(*known)));
        }
        let spent = tree.node(found.tree.nodes()[place].id).nodes();
        let truth = judge.truth(&subject, spent, worker)?;
        if let Some(truth) = truth {
            found.labels.push((key, truth));
        }
        Some((fen, truth))
    };
    for place in drawn.nodes {
        let (fen, truth) = label(place, &mut found)?;
        let node = &found.tree.nodes()[place];
        let specimen = Specimen {
            place,
            ply: node.ply,
            height: node.height,
            kind: Kind::of(node.is_inner),
            fen,
            truth,
        };
        found.specimens.push(specimen);
    }
    for family in drawn.families {
        let mut siblings = Vec::new();
        for place in family {
            let (_, truth) = label(place, &mut found)?;
            let belief = found.tree.own(place).negated();
            let grid = found.tree.grid();
            let mean = f64::from(belief.mean(grid));
            siblings.extend(truth.map(|truth| Sibling {
                mean,
                sd: f64::from(belief.sd(grid)),
                error: -truth - mean,
            }));
        }
        found.families.push(siblings);
    }
    Some(found)
}

/// Grows the tree of a position. `None` if stopped.
fn grow(position: &Position, plan: &Plan, worker: &Worker) -> Option<Tree> {
    let config = Config {
        threads: 1,
        cores: None,
        tables: None,
        bell: None,
        ..plan.config.clone()
    };
    let tree = new_tree(&position.subject, &config);
    let control = worker.control(Limits {
        nodes: Some(plan.nodes),
        ..Limits::default()
    })?;
    let inputs = JobInputs {
        subject: &position.subject,
        config: &config,
        tree: &tree,
        tables: &Tables::new(config.table),
        control: &control,
    };
    inputs.with_job(Start::default(), &Choices::default(), |job| {
        job.run_unwatched()
    });
    (!worker.pool.is_stopped()).then_some(tree)
}
