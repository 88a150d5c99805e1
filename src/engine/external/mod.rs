//! Other programs that speak UCI, shown like a search of our own: what they tell grows a tree.
//!
//! A thread of its own talks to each program ([`driver`]), so nobody ever waits for one; what it tells is on a
//! [`search_state::SearchState`], one for every search.

mod connection;
mod cpu;
mod driver;
mod engine_handle;
mod go;
mod process;
mod search_state;
mod spec;
mod tree_writer;
mod uci;

use std::sync::Arc;
use std::time::Duration;

use super::Budget;
use super::progress::Point;
use super::reader::GrownBy;
use super::{Reader, Status};
use crate::engine::Subject;
use crate::search::Cores;
use driver::Driver;
use engine_handle::EngineHandle;
use process::lock;
use search_state::SearchState;

pub use spec::{EngineSpec, Patience, SpecError, find_engine};

/// Why a program is no use (any more), with the last lines it wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// One line: the program, what happened, what was expected.
    pub message: String,
    /// Oldest first, harmless to print.
    pub last_lines: Vec<String>,
}

/// A program at work on a position. Dropped, it is killed.
#[derive(Debug)]
pub struct External {
    engine: Arc<EngineHandle>,
    state: Arc<SearchState>,
}

impl External {
    /// Starts the program and lets it search. Does not wait for it.
    #[must_use]
    pub fn start(spec: EngineSpec, subject: Subject, budget: Budget, cores: Arc<Cores>) -> Self {
        let external = External {
            engine: Arc::new(EngineHandle::new(spec, cores)),
            state: Arc::new(SearchState::new(subject, budget)),
        };
        let driver = Driver::new(Arc::clone(&external.engine));
        let thread = std::thread::Builder::new().name("engine".into());
        if let Err(e) = thread.spawn(move || driver.run()) {
            *lock(&external.engine.trouble) = Some(Trouble {
                message: format!("no thread can be started: {e}"),
                last_lines: Vec::new(),
            });
        }
        external.engine.order(Arc::clone(&external.state));
        external
    }

    /// The next position for the same program; the tree begins anew. A search under way is stopped first. A program in
    /// trouble stays so; one that has merely ended since its last search is started again.
    pub fn search(&mut self, subject: Subject, budget: Budget) {
        self.state.ask_to_stop();
        self.state = Arc::new(SearchState::new(subject, budget));
        self.engine.order(Arc::clone(&self.state));
    }

    #[must_use]
    pub fn spec(&self) -> &EngineSpec {
        &self.engine.spec
    }

    /// What it calls itself, once it has said so.
    #[must_use]
    pub fn name(&self) -> String {
        let said = lock(&self.engine.name).clone();
        said.unwrap_or_else(|| self.engine.spec.name.clone())
    }

    /// What it told as a tree: the moves of the root, and its lines below them.
    #[must_use]
    pub fn reader(&self) -> Reader<'_> {
        Reader {
            tree: &self.state.tree,
            subject: &self.state.subject,
            searcher: GrownBy::External,
        }
    }

    /// Its figures: nodes by its own rule, CPU time of its process since the search began (where the system does not
    /// tell it, the running time). A search that ended in trouble counts as stopped by the user.
    #[must_use]
    pub fn status(&self) -> Status {
        self.state.status()
    }

    /// Why nothing more comes from it.
    #[must_use]
    pub fn trouble(&self) -> Option<Trouble> {
        lock(&self.engine.trouble).clone()
    }

    /// What of its setup could not be done, one line each.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        lock(&self.engine.warnings).clone()
    }

    /// How its value went with its nodes.
    #[must_use]
    pub fn progress(&self) -> Vec<Point> {
        self.state.points()
    }

    /// Halts the process where the system can do that; a search that has not begun does not begin.
    pub fn pause(&mut self) {
        self.state.set_paused(true);
        self.engine.wake();
    }

    pub fn resume(&mut self) {
        self.state.set_paused(false);
        self.engine.wake();
    }

    /// Asks it to end its search; does not wait.
    pub fn stop(&self) {
        self.state.ask_to_stop();
        self.engine.wake();
    }

    /// Waits until the search has ended, or is in trouble, or `halted` says so, which is asked every few milliseconds;
    /// then the search goes on. True if it has ended with a result.
    pub fn wait(&self, halted: impl Fn() -> bool) -> bool {
        const NAP: Duration = Duration::from_millis(10);
        while !self.state.wait_for_end(NAP) {
            if halted() || self.trouble().is_some() {
                return false;
            }
        }
        self.trouble().is_none()
    }
}

impl Drop for External {
    fn drop(&mut self) {
        self.state.ask_to_stop();
        self.engine.quit();
    }
}
