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
mod traced;

use std::sync::Arc;
use std::time::{Duration, Instant};

use external::{External, Told, Trouble};
use search::Cores;
use session::Point;
use session::Subject;
use session::patiently;
use session::saved::SavedSearch;
use session::{Budget, Config, Reader, Session, State, Status, Summary};
use traced::Traced;

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
    /// The trace of an engine that is to be traced.
    traced: Option<Traced>,
}

impl Column {
    /// Starts a search.
    fn start(
        spec: ColumnSpec,
        subject: &Subject,
        budget: Budget,
        cores: &Arc<Cores>,
        paused: bool,
    ) -> Column {
        let search = Search::start(&spec, subject, budget, cores, paused);
        let mut column = Column {
            spec,
            search,
            troubles: 0,
            traced: None,
        };
        column.await_trace(subject);
        column
    }

    /// Waits for the trace of its engine's search, if it is to be traced.
    fn await_trace(&mut self, subject: &Subject) {
        self.traced = match (&self.spec, &self.search) {
            (ColumnSpec::External(spec), Search::External(external)) if spec.trace.is_some() => {
                Some(Traced::of(external, subject))
            }
            _ => None,
        };
    }

    /// The engine whose trace it shows.
    fn engine(&self) -> Option<&External> {
        self.traced.as_ref()?.engine.as_deref()
    }

    /// Shows the tree that its engine's trace tells, once that has begun. Returns why there is none.
    fn take_trace(&mut self, subject: &Subject, beside: Option<&Config>) -> Option<TraceNews> {
        let traced = self.traced.as_mut()?;
        let recorded = match traced.take()? {
            Ok(recorded) => recorded,
            Err(why) => {
                let what = format!("{why}: what it tells by UCI is shown");
                return Some(TraceNews::None(what));
            }
        };
        let search = std::mem::replace(&mut self.search, Search::Lent);
        let Search::External(external) = search else {
            self.search = search;
            return None;
        };
        let config = traced::config(recorded, beside);
        let is_paused = external.status().state == State::Paused;
        let session = match is_paused {
            true => Session::start_paused(subject.clone(), config),
            false => Session::start(subject.clone(), config),
        };
        self.search = Search::Own(Box::new(session));
        traced.engine = Some(external);
        Some(TraceNews::Tree)
    }
}

/// What became of the trace of a column's engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceNews {
    /// The column shows its tree from now on.
    Tree,
    /// There is none; one line that says why.
    None(String),
}

/// How long to wait before it is looked whether a trace has begun.
const LOOK: Duration = Duration::from_millis(20);

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
    /// An engine's search, read from the trace that it sends.
    Traced(&'a Session, &'a External),
}

impl<'a> Face<'a> {
    pub fn reader(self) -> Reader<'a> {
        match self {
            Face::Own(session) | Face::Traced(session, _) => session.reader(),
            Face::External(external) => external.reader(),
        }
    }

    pub fn status(self) -> Status {
        match self {
            Face::Own(session) => session.status(),
            Face::External(external) => external.status(),
            Face::Traced(session, external) => {
                let (read, told) = (session.status(), external.status());
                Status {
                    state: match read.state {
                        State::Finished(_) => told.state,
                        state => state,
                    },
                    // The reader's own time says nothing.
                    elapsed: told.elapsed,
                    cpu: told.cpu,
                    threads: told.threads,
                    ..read
                }
            }
        }
    }

    /// Returns the session, if there is one to be stepped through.
    pub fn session(self) -> Option<&'a Session> {
        match self {
            Face::Own(session) | Face::Traced(session, _) => Some(session),
            Face::External(_) => None,
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
            Face::External(external) | Face::Traced(_, external) => external.progress(),
        }
    }

    /// Returns why the column cannot answer, if something is wrong.
    pub fn trouble(self) -> Option<Trouble> {
        match self {
            Face::Own(session) => session.fault().map(|fault| Trouble {
                message: format!("{}: {fault}", session.config().algorithm),
                last_lines: Vec::new(),
            }),
            Face::External(external) | Face::Traced(_, external) => external.trouble(),
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
        let start = |spec| Column::start(spec, &subject, budget, &cores, paused);
        let columns = specs.into_iter().map(start).collect();
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
            let Some(saved) = saved else {
                return Column::start(spec, &subject, budget, &cores, true);
            };
            let session = Session::restore(saved.with_config(shared));
            Column {
                spec,
                search: Search::Own(Box::new(session)),
                troubles: 0,
                traced: None,
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
            let traced = column.traced.take();
            if let Some(engine) = traced.and_then(|mut traced| traced.engine.take()) {
                column.search = Search::External(engine);
            }
            if let Search::External(external) = &mut column.search {
                if external.trouble().is_none() {
                    column.troubles = 0;
                    external.search(subject.clone(), self.budget);
                    column.await_trace(&subject);
                    continue;
                }
                column.troubles += 1;
                if column.troubles >= PATIENCE {
                    continue;
                }
            }
            let spec = column.spec.clone();
            let troubles = column.troubles;
            *column = Column::start(spec, &subject, self.budget, &self.cores, false);
            column.troubles = troubles;
        }
        self.subject = subject;
    }

    /// Waits until all columns have finished; asks them to stop once `halted` returns true. Returns why columns show no trace
    /// although they are to, with their numbers.
    pub fn wait(&mut self, halted: impl Fn() -> bool) -> Vec<(usize, String)> {
        let mut without = Vec::new();
        loop {
            let news = self.tend();
            if news.is_empty() && !self.is_running() && !self.awaits_trace() {
                break;
            }
            without.extend(news.into_iter().filter_map(|(column, news)| match news {
                TraceNews::None(why) => Some((column, why)),
                TraceNews::Tree => None,
            }));
            let since = Instant::now();
            let waits = || {
                let looks = self.awaits_trace() && since.elapsed() >= LOOK;
                !looks && (self.is_running() || self.awaits_trace())
            };
            patiently(waits, &halted, || self.stop());
        }
        for column in &mut self.columns {
            if let Search::Own(session) = &mut column.search {
                session.join();
            }
        }
        without
    }

    /// Shows the trees of engines whose traces have begun; to be called from time to time. Returns what is new, with the numbers
    /// of the columns.
    pub fn tend(&mut self) -> Vec<(usize, TraceNews)> {
        let own = self.columns.iter().find_map(|column| match &column.spec {
            ColumnSpec::Own(config) => Some(config.clone()),
            ColumnSpec::External(_) => None,
        });
        let subject = &self.subject;
        let news = |(i, column): (usize, &mut Column)| {
            Some((i, column.take_trace(subject, own.as_ref())?))
        };
        self.columns
            .iter_mut()
            .enumerate()
            .filter_map(news)
            .collect()
    }

    /// Whether it is still to be seen whether some engine sends a trace.
    fn awaits_trace(&self) -> bool {
        let mut traced = self
            .columns
            .iter()
            .filter_map(|column| column.traced.as_ref());
        traced.any(Traced::is_awaited)
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
        let face = |column: &'a Column| {
            let session = match &column.search {
                Search::Own(session) => session.as_ref(),
                Search::External(external) => return Some(Face::External(external.as_ref())),
                Search::Lent => lent?,
            };
            Some(match column.engine() {
                Some(engine) => Face::Traced(session, engine),
                None => Face::Own(session),
            })
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
        let Some(column) = self.columns.get_mut(column) else {
            return;
        };
        match &mut column.search {
            Search::Own(session) => session.pause(),
            Search::External(external) => external.pause(),
            Search::Lent => {}
        }
        if let Some(engine) = column.traced.as_mut().and_then(|t| t.engine.as_mut()) {
            engine.pause();
        }
    }

    /// Resumes one column.
    pub fn resume(&mut self, column: usize) {
        let Some(column) = self.columns.get_mut(column) else {
            return;
        };
        if let Some(engine) = column.traced.as_mut().and_then(|t| t.engine.as_mut()) {
            engine.resume();
        }
        match &mut column.search {
            Search::Own(session) => session.resume(),
            Search::External(external) => external.resume(),
            Search::Lent => {}
        }
    }

    /// Asks all columns to stop, without waiting.
    pub fn stop(&self) {
        for column in &self.columns {
            // What a trace has told until then is still read.
            if let Some(engine) = column.engine() {
                engine.stop();
                continue;
            }
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
                let mut external = External::start_traced(engine, subject, budget, cores);
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
