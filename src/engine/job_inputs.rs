//! From a subject and a configuration to the job that an algorithm is given.

use super::config::Config;
use crate::eval::{Evaluator, HandCrafted, ToyEvaluator};
use crate::game::{Game, Scale, Subject};
use crate::search::common::table::Tables;
use crate::search::{self, Choices, Control, Job, Probe, Start};
use crate::tree::Tree;

/// An empty tree for a search of this subject.
pub(super) fn new_tree(subject: &Subject, config: &Config) -> Tree {
    let scale = match subject {
        Subject::Chess(_) => Scale::Logistic,
        Subject::Toy(s) => s.position.scale(),
    };
    Tree::new(
        config
            .algorithm
            .tree_spec(scale, config.memory, config.record_plies),
    )
}

/// What is done with a job.
pub(super) trait JobTask {
    type Output;

    fn run<G: Game, E: Evaluator<G>>(self, job: &Job<G, E>) -> Self::Output;
}

/// One thread's share of the search.
pub(super) struct RunSearch<'a, P> {
    pub thread: usize,
    pub probe: &'a mut P,
}

impl<P: Probe> JobTask for RunSearch<'_, P> {
    type Output = Start;

    fn run<G: Game, E: Evaluator<G>>(self, job: &Job<G, E>) -> Start {
        search::run(job, self.thread, self.probe)
    }
}

/// What a job is made of, but for the game's own types.
#[derive(Clone, Copy, Debug)]
pub(super) struct JobInputs<'a> {
    pub subject: &'a Subject,
    pub config: &'a Config,
    pub tree: &'a Tree,
    pub tables: &'a Tables,
    pub control: &'a Control,
}

impl JobInputs<'_> {
    pub fn with_job<T: JobTask>(self, start: Start, choices: &Choices, task: T) -> T::Output {
        macro_rules! run {
            ($situation:expr, $evaluator:expr) => {
                task.run(&Job {
                    algorithm: self.config.algorithm,
                    situation: $situation,
                    evaluator: &$evaluator,
                    tree: self.tree,
                    tables: self.tables,
                    endgames: self.config.endgames.as_deref(),
                    options: &self.config.options,
                    control: self.control,
                    start,
                    choices,
                    seed: self.config.seed,
                })
            };
        }
        match self.subject {
            Subject::Chess(situation) => run!(situation, HandCrafted::default()),
            Subject::Toy(situation) => run!(situation, ToyEvaluator::default()),
        }
    }
}
