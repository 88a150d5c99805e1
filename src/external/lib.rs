//! External engines that speak UCI, displayed like plyscope's own searches: their reports grow a tree. And other programs that
//! search, with or without UCI, which send an open trace of what they do ([`program`]).
//!
//! A separate thread talks to each engine ([`driver`]), so nothing else ever waits for one. Its reports are stored in a
//! [`search_state::SearchState`], one for every search.

mod connection;
mod cpu;
mod driver;
mod engine_handle;
mod go;
mod installed;
mod process;
mod program;
mod search_state;
mod spec;
mod trace;
mod tree_writer;
mod uci;

use std::sync::Arc;
use std::time::Duration;

use open_trace::log::Log;

use driver::Driver;
use engine_handle::EngineHandle;
use process::lock;
use search::Cores;
use search_state::SearchState;
use session::Budget;
use session::Point;
use session::State;
use session::Subject;
use session::{Reader, Status};
use trace::Before;

pub use installed::{installed, is_found};
pub use program::{Program, ProgramSpec, ProgramState, ProgramStatus};
pub use spec::{EngineSpec, Patience, SpecError, find_engine};
pub use trace::{Difference, Filters, MarkPlace, Remark, Repeat, Tracing};

/// Why an engine cannot be used (any more), with the last lines it wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// One line: the engine, what happened, and what was expected.
    pub message: String,
    /// Oldest first, safe to print.
    pub last_lines: Vec<String>,
}

/// An external engine at work on a position. The process is killed when this is dropped.
#[derive(Debug)]
pub struct External {
    engine: Arc<EngineHandle>,
    state: Arc<SearchState>,
}

/// What an engine tells of one search; it can be read wherever the engine is.
#[derive(Clone, Debug)]
pub struct Told {
    /// The heading of the engine's column.
    pub name: String,
    state: Arc<SearchState>,
}

/// The trace of one search: which log its events are in, and the number of its search there, from 0.
#[derive(Clone, Debug)]
pub struct TracedSearch {
    pub log: Arc<Log>,
    pub search: u32,
}

impl Told {
    /// Returns the trace of the search, if the engine is traced, from when the engine is ready to search. It may turn out to be
    /// empty: whether the engine has connected is in the log.
    pub fn traced(&self) -> Option<&TracedSearch> {
        self.state.traced()
    }

    pub fn reader(&self) -> Reader<'_> {
        self.state.reader()
    }

    pub fn status(&self) -> Status {
        self.state.status()
    }

    /// Whether its search is over.
    pub fn is_over(&self) -> bool {
        matches!(self.status().state, State::Finished(_))
    }
}

impl External {
    /// Returns what it tells of the present search, to be read elsewhere.
    pub fn told(&self) -> Told {
        Told {
            name: self.engine.spec.name.clone(),
            state: Arc::clone(&self.state),
        }
    }

    /// Starts the engine and lets it search, without waiting for it. It is not traced.
    pub fn start(spec: EngineSpec, subject: Subject, budget: Budget, cores: Arc<Cores>) -> Self {
        let spec = EngineSpec {
            trace: None,
            ..spec
        };
        Self::start_after(spec, subject, budget, cores, None)
    }

    /// The same, traced if its specification says so: see [`Told::traced`].
    pub fn start_traced(
        spec: EngineSpec,
        subject: Subject,
        budget: Budget,
        cores: Arc<Cores>,
    ) -> Self {
        Self::start_after(spec, subject, budget, cores, None)
    }

    /// The same, compared with the trace of a run before.
    fn start_after(
        spec: EngineSpec,
        subject: Subject,
        budget: Budget,
        cores: Arc<Cores>,
        before: Option<&Before>,
    ) -> Self {
        let external = External {
            engine: Arc::new(EngineHandle::new(spec, cores, before)),
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

    /// Gives the same engine its next position; the tree starts afresh. A search under way is stopped first. A failed
    /// engine stays failed; one that has merely ended since its last search is started again.
    pub fn search(&mut self, subject: Subject, budget: Budget) {
        self.state.ask_to_stop();
        self.state = Arc::new(SearchState::new(subject, budget));
        self.engine.order(Arc::clone(&self.state));
    }

    pub fn spec(&self) -> &EngineSpec {
        &self.engine.spec
    }

    /// Returns the engine's own name, once it has sent it.
    pub fn name(&self) -> String {
        let said = lock(&self.engine.name).clone();
        said.unwrap_or_else(|| self.engine.spec.name.clone())
    }

    /// Returns what it reported as a tree: the moves of the root, and its lines below them.
    pub fn reader(&self) -> Reader<'_> {
        self.state.reader()
    }

    /// Returns its figures: nodes by its own count, and the CPU time of its process since the search began (the running
    /// time if the system does not report it). A search that failed counts as stopped by the user.
    pub fn status(&self) -> Status {
        self.state.status()
    }

    /// Returns why nothing more comes from it.
    pub fn trouble(&self) -> Option<Trouble> {
        lock(&self.engine.trouble).clone()
    }

    /// Returns which parts of its setup failed, one line each.
    pub fn warnings(&self) -> Vec<String> {
        lock(&self.engine.warnings).clone()
    }

    /// Returns how its value changed with its nodes.
    pub fn progress(&self) -> Vec<Point> {
        self.state.points()
    }

    /// Halts the process if the system can do that; a search that has not begun does not begin.
    pub fn pause(&mut self) {
        self.state.set_paused(true);
        self.engine.wake();
    }

    pub fn resume(&mut self) {
        self.state.set_paused(false);
        self.engine.wake();
    }

    /// Asks it to stop its search, without waiting.
    pub fn stop(&self) {
        self.state.ask_to_stop();
        self.engine.wake();
    }

    /// Waits until the search has ended or failed, or `halted` returns true, in which case the search continues.
    /// `halted` is called every few milliseconds. Returns whether the search has ended with a result.
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
