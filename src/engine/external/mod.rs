//! Other programs that speak UCI, shown like a search of our own: what they tell grows a tree.
//!
//! A thread of its own talks to each program ([`driver`]), so nobody ever waits for one; what it tells is on a
//! [`sheet::Sheet`], one for every search.

mod cpu;
mod desk;
mod driver;
mod go;
mod process;
mod scribe;
mod sheet;
mod spec;
mod talk;
mod uci;

use std::sync::Arc;
use std::time::Duration;

use super::Budget;
use super::progress::Point;
use super::reader::Searcher;
use super::{Reader, Status};
use crate::game::Subject;
use crate::search::Cores;
use desk::Desk;
use driver::Driver;
use process::lock;
use sheet::Sheet;

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
    desk: Arc<Desk>,
    sheet: Arc<Sheet>,
}

impl External {
    /// Starts the program and lets it search. Does not wait for it.
    #[must_use]
    pub fn start(spec: EngineSpec, subject: Subject, budget: Budget, cores: Arc<Cores>) -> Self {
        let external = External {
            desk: Arc::new(Desk::new(spec, cores)),
            sheet: Arc::new(Sheet::new(subject, budget)),
        };
        let driver = Driver::new(Arc::clone(&external.desk));
        let thread = std::thread::Builder::new().name("engine".into());
        if let Err(e) = thread.spawn(move || driver.run()) {
            *lock(&external.desk.trouble) = Some(Trouble {
                message: format!("no thread can be started: {e}"),
                last_lines: Vec::new(),
            });
        }
        external.desk.order(Arc::clone(&external.sheet));
        external
    }

    /// The next position for the same program; the tree begins anew. A search under way is stopped first. A program in
    /// trouble stays so; one that has merely ended since its last search is started again.
    pub fn search(&mut self, subject: Subject, budget: Budget) {
        self.sheet.ask_to_stop();
        self.sheet = Arc::new(Sheet::new(subject, budget));
        self.desk.order(Arc::clone(&self.sheet));
    }

    #[must_use]
    pub fn spec(&self) -> &EngineSpec {
        &self.desk.spec
    }

    /// What it calls itself, once it has said so.
    #[must_use]
    pub fn name(&self) -> String {
        let said = lock(&self.desk.name).clone();
        said.unwrap_or_else(|| self.desk.spec.name.clone())
    }

    /// What it told as a tree: the moves of the root, and its lines below them.
    #[must_use]
    pub fn reader(&self) -> Reader<'_> {
        Reader {
            tree: &self.sheet.tree,
            subject: &self.sheet.subject,
            searcher: Searcher::External,
        }
    }

    /// Its figures: nodes by its own rule, CPU time of its process since the search began (where the system does not
    /// tell it, the running time). A search that ended in trouble counts as stopped by the user.
    #[must_use]
    pub fn status(&self) -> Status {
        self.sheet.status()
    }

    /// Why nothing more comes from it.
    #[must_use]
    pub fn trouble(&self) -> Option<Trouble> {
        lock(&self.desk.trouble).clone()
    }

    /// What of its setup could not be done, one line each.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        lock(&self.desk.warnings).clone()
    }

    /// How its value went with its nodes.
    #[must_use]
    pub fn progress(&self) -> Vec<Point> {
        self.sheet.points()
    }

    /// Halts the process where the system can do that; a search that has not begun does not begin.
    pub fn pause(&mut self) {
        self.sheet.set_paused(true);
        self.desk.wake();
    }

    pub fn resume(&mut self) {
        self.sheet.set_paused(false);
        self.desk.wake();
    }

    /// Asks it to end its search; does not wait.
    pub fn stop(&self) {
        self.sheet.ask_to_stop();
        self.desk.wake();
    }

    /// Waits until the search has ended, or is in trouble, or `halted` says so, which is asked every few milliseconds;
    /// then the search goes on. True if it has ended with a result.
    pub fn wait(&self, halted: impl Fn() -> bool) -> bool {
        const NAP: Duration = Duration::from_millis(10);
        while !self.sheet.wait_for_end(NAP) {
            if halted() || self.trouble().is_some() {
                return false;
            }
        }
        self.trouble().is_none()
    }
}

impl Drop for External {
    fn drop(&mut self) {
        self.sheet.ask_to_stop();
        self.desk.quit();
    }
}
