//! Turns a subject and a configuration into the job that an algorithm is given.

use super::config::Config;
use crate::Subject;
use algorithms::{AnyJob, JobParts, with_job};
use game::Game as _;
use search::common::table::Tables;
use search::{Choices, Control, Start};
use traced::Values;
use tree::Tree;

/// Returns an empty tree for a search of this subject.
pub fn new_tree(subject: &Subject, config: &Config) -> Tree {
    let scale = match &config.recorded {
        Some(recorded) => Values::of(recorded.header(), &subject.position).scale(),
        None => subject.position.scale(),
    };
    let spec = config
        .algorithm
        .tree_spec(scale, config.memory, config.record_plies);
    Tree::new(spec)
}

/// The parts of a job, except for the game's own types.
#[derive(Clone, Copy, Debug)]
pub struct JobInputs<'a> {
    pub subject: &'a Subject,
    pub config: &'a Config,
    pub tree: &'a Tree,
    pub tables: &'a Tables,
    pub control: &'a Control,
}

impl JobInputs<'_> {
    /// Calls `task` with the job in the types of the subject's game.
    pub fn with_job<T>(
        self,
        start: Start,
        choices: &Choices,
        task: impl FnOnce(&dyn AnyJob) -> T,
    ) -> T {
        let parts = JobParts {
            algorithm: self.config.algorithm,
            tree: self.tree,
            tables: self.tables,
            endgames: self.config.endgames.as_deref(),
            options: &self.config.options,
            control: self.control,
            start,
            choices,
            seed: self.config.seed,
            recorded: self.config.recorded.as_deref(),
        };
        with_job(self.subject, parts, task)
    }
}
