//! Several searches of one position side by side, with the same budget.

mod apart;
mod difference;
mod find;
mod interval;
mod list;
mod merge;
mod order;
mod outline;
mod spec;
mod stake;
mod tour;

use std::sync::Arc;

use external::{External, Told, Trouble};
use search::Cores;
use session::Point;
use session::Subject;
use session::patiently;
use session::saved::SavedSearch;
use session::{Budget, Config, Reader, Session, State, Status, Summary};

pub use apart::Apart;
pub use difference::{Difference, Found, Kind, KindSet, Thresholds};
pub use list::{Listed, Ranked, differences};
pub use merge::{Merged, MergedCell, MergedRow, Path};
pub use order::{Order, sort};
pub use outline::{Filter, Outline, OutlineRow};
pub use spec::{ColumnError, ColumnSpec};
pub use stake::Stake;
pub use tour::Jump;

/// One of several searches.
#[derive(Debug)]
pub struct Column {
    pub spec: ColumnSpec,
    search: Search,
    /// The number of consecutive positions on which an external engine failed.
    troubles: usize,
}

/// An external engine is given up after failing on this many consecutive positions: each may cost a long wait.
pub(super) const PATIENCE: usize = 2;

#[derive(Debug)]
enum Search {
    Own(Box<Session>),
    External(Box<External>),
    /// Another owner has the session for a while: see [`Comparison::lend`].
    Lent,
}

/// A column for reading, whatever searches in it and whoever owns it.
#[derive(Clone, Copy, Debug)]
pub enum Face<'a> {
    Own(&'a Session),
    External(&'a External),
}

impl<'a> Face<'a> {
    pub fn reader(self) -> Reader<'a> {
        match self {
            Face::Own(session) => session.reader(),
            Face::External(external) => external.reader(),
        }
    }

    pub fn status(self) -> Status {
        match self {
            Face::Own(session) => session.status(),
            Face::External(external) => external.status(),
        }
    }

    /// Returns the present result, from the view of the root's side to move.
    pub fn summary(self) -> Summary {
        self.reader().summary(self.status())
    }

    /// Returns how the value and the best move changed with the nodes spent.
    pub fn progress(self) -> Vec<Point> {
        match self {
            Face::Own(session) => session.progress(),
            Face::External(external) => external.progress(),
        }
    }

    /// Returns why the column cannot answer, if something is wrong.
    pub fn trouble(self) -> Option<Trouble> {
        match self {
            Face::Own(session) => session.fault().map(|fault| Trouble {
                message: format!("{}: {fault}", session.config().algorithm),
                last_lines: Vec::new(),
            }),
            Face::External(external) => external.trouble(),
        }
    }
}

/// Searches of one position side by side. They share the given cores: if there are more threads than cores, they take
/// turns in small slices of CPU time.
#[derive(Debug)]
pub struct Comparison {
    subject: Subject,
    budget: Budget,
    cores: Arc<Cores>,
    columns: Vec<Column>,
}

impl Comparison {
    /// Starts all columns on `cores` cores, paused or running.
    pub fn start(
        subject: Subject,
        specs: Vec<ColumnSpec>,
        budget: Budget,
        cores: usize,
        paused: bool,
    ) -> Self {
        let cores = Arc::new(Cores::new(cores));
        let columns = specs
            .into_iter()
            .map(|spec| Column {
                search: Search::start(&spec, &subject, budget, &cores, paused),
                spec,
                troubles: 0,
            })
            .collect();
        Comparison {
            subject,
            budget,
            cores,
            columns,
        }
    }

    /// Shows saved searches of a position side by side; they wait. A column without one is an external engine's, which
    /// is started.
    pub fn restore(
        subject: Subject,
        columns: Vec<(ColumnSpec, Option<SavedSearch>)>,
        budget: Budget,
        cores: usize,
    ) -> Self {
        let cores = Arc::new(Cores::new(cores));
        let column = |(spec, saved): (ColumnSpec, Option<SavedSearch>)| {
            let shared = |config| Config {
                cores: Some(Arc::clone(&cores)),
                ..config
            };
            let search = match saved {
                Some(saved) => {
                    let session = Session::restore(saved.with_config(shared));
                    Search::Own(Box::new(session))
                }
                None => Search::start(&spec, &subject, budget, &cores, true),
            };
            Column {
                spec,
                search,
                troubles: 0,
            }
        };
        let columns = columns.into_iter().map(column).collect();
        Comparison {
            subject,
            budget,
            cores,
            columns,
        }
    }

    /// Lets the same columns search another position. plyscope's own searches start afresh (one that is lent is given
    /// up), and an external engine receives the new position; a failed engine is started again, unless that has failed
    /// before.
    pub fn next_position(&mut self, subject: Subject) {
        for column in &mut self.columns {
            if let Search::External(external) = &mut column.search {
                if external.trouble().is_none() {
                    column.troubles = 0;
                    external.search(subject.clone(), self.budget);
                    continue;
                }
                column.troubles += 1;
                if column.troubles >= PATIENCE {
                    continue;
                }
            }
            let spec = column.spec.clone();
            column.search = Search::start(&spec, &subject, self.budget, &self.cores, false);
        }
        self.subject = subject;
    }

    /// Waits until all columns have finished; asks them to stop once `halted` returns true.
    pub fn wait(&mut self, halted: impl Fn() -> bool) {
        patiently(|| self.is_running(), halted, || self.stop());
        for column in &mut self.columns {
            if let Search::Own(session) = &mut column.search {
                session.join();
            }
        }
    }

    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    pub fn budget(&self) -> Budget {
        self.budget
    }

    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns all columns for reading; `lent` is the session that was lent, if any.
    pub fn faces<'a>(&'a self, lent: Option<&'a Session>) -> Vec<Option<Face<'a>>> {
        let face = |column: &'a Column| match &column.search {
            Search::Own(session) => Some(Face::Own(session.as_ref())),
            Search::External(external) => Some(Face::External(external.as_ref())),
            Search::Lent => lent.map(Face::Own),
        };
        self.columns.iter().map(face).collect()
    }

    /// Whether any column is running; a lent one is not asked.
    pub fn is_running(&self) -> bool {
        let faces = self.faces(None);
        faces
            .into_iter()
            .flatten()
            .any(|face| face.status().state == State::Running && face.trouble().is_none())
    }

    /// Returns what a column's external engine tells; `None` for a search of our own.
    pub fn told(&self, column: usize) -> Option<Told> {
        match &self.columns.get(column)?.search {
            Search::External(external) => Some(external.told()),
            Search::Own(_) | Search::Lent => None,
        }
    }

    /// Hands over a column's session to be stepped through elsewhere. Returns `None` for an external engine, and if it
    /// is already lent.
    pub fn lend(&mut self, column: usize) -> Option<Box<Session>> {
        let search = &mut self.columns.get_mut(column)?.search;
        match std::mem::replace(search, Search::Lent) {
            Search::Own(session) => Some(session),
            other => {
                *search = other;
                None
            }
        }
    }

    /// Takes a column's session back.
    pub fn give_back(&mut self, column: usize, session: Box<Session>) {
        if let Some(column) = self.columns.get_mut(column) {
            column.search = Search::Own(session);
        }
    }

    /// Pauses one column.
    pub fn pause(&mut self, column: usize) {
        match self.columns.get_mut(column).map(|c| &mut c.search) {
            Some(Search::Own(session)) => session.pause(),
            Some(Search::External(external)) => external.pause(),
            _ => {}
        }
    }

    /// Resumes one column.
    pub fn resume(&mut self, column: usize) {
        match self.columns.get_mut(column).map(|c| &mut c.search) {
            Some(Search::Own(session)) => session.resume(),
            Some(Search::External(external)) => external.resume(),
            _ => {}
        }
    }

    /// Asks all columns to stop, without waiting.
    pub fn stop(&self) {
        for column in &self.columns {
            match &column.search {
                Search::Own(session) => session.stop(),
                Search::External(external) => external.stop(),
                Search::Lent => {}
            }
        }
    }

    /// Returns a column's session for commands that act on it here.
    pub fn session_mut(&mut self, column: usize) -> Option<&mut Session> {
        match &mut self.columns.get_mut(column)?.search {
            Search::Own(session) => Some(session),
            _ => None,
        }
    }
}

/// Returns the configuration of one of plyscope's own searches with this budget.
pub(super) fn own_config(config: &Config, budget: Budget, cores: Option<Arc<Cores>>) -> Config {
    // Another program's search has the length that it has.
    let is_told = config.recorded.is_some();
    Config {
        limits: if is_told {
            config.limits
        } else {
            budget.limits()
        },
        cores,
        ..config.clone()
    }
}

impl Search {
    fn start(
        spec: &ColumnSpec,
        subject: &Subject,
        budget: Budget,
        cores: &Arc<Cores>,
        paused: bool,
    ) -> Search {
        let subject = subject.clone();
        match spec {
            ColumnSpec::Own(config) => {
                let config = own_config(config, budget, Some(Arc::clone(cores)));
                Search::Own(Box::new(if paused {
                    Session::start_paused(subject, config)
                } else {
                    Session::start(subject, config)
                }))
            }
            ColumnSpec::External(engine) => {
                let cores = Arc::clone(cores);
                let engine = engine.clone();
                let mut external = External::start(engine, subject, budget, cores);
                if paused {
                    external.pause();
                }
                Search::External(Box::new(external))
            }
        }
    }
}

#[cfg(test)]
mod tests;
