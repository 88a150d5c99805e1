//! Grades a student's search by its trace: whether it looked at the right leaves, cut where it should, gave the right values, and
//! chose as UCT does.
//!
//! An [`Assignment`] says what the search has to do, and [`grade`] reads a trace and checks it while it is read. The checks of a
//! depth-first search follow the student's own order of moves; see `depth_first`. So nothing depends on how plyscope's own searches
//! order theirs, and no code is shared with them.

mod assignment;
mod best_first;
mod check;
mod depth_first;
mod fault;
mod judge;
mod model;
mod reading;
pub mod ready;
mod reference;
mod rows;
mod stream;
mod truth;
mod whole;

use std::path::Path;
use std::sync::Arc;

use game::Game;
use game::load::{LoadError, unreadable};
use games::trace;
use open_trace::{Header, Names, Order, Point, Reader, Refused, SearchStart};
use search::Subject;
use text::sanitise;

pub use assignment::{Assignment, Chosen, FILE, Kind, Rules, Ties};
pub use check::{Check, Checked, Finding};
pub use depth_first::Counts;
pub use fault::{Choice, Fault};
pub use judge::{Leaves, Worth};
pub use reference::write as write_reference;
pub use stream::{Cut, Limits};

use best_first::BestFirst;
use check::Ledger;
use depth_first::DepthFirst;
use judge::Judge;
use model::Model;
use reading::{Search, endless, refused};
use rows::Rows;
use stream::{Bounded, Gauge};
use whole::{Ending, Stop};

/// What came of grading a trace.
#[derive(Clone, Debug)]
pub struct Grade {
    /// The program's name and version, as it says. May be empty.
    pub engine: String,
    pub checks: Vec<Checked>,
    pub counts: Counts,
    /// Events of the search that were read.
    pub events: u64,
    /// The searches that the trace has, as far as it was read.
    pub searches: u32,
}

impl Grade {
    /// Whether every check passed.
    pub fn is_passed(&self) -> bool {
        self.checks.iter().all(Checked::is_passed)
    }

    /// Returns the points earned, and those that can be earned.
    pub fn points(&self) -> (f64, f64) {
        let earned = self.checks.iter().map(Checked::earned).sum();
        let all = self.checks.iter().map(|checked| checked.points).sum();
        (earned, all)
    }

    /// Returns what was wrong first, by the order of events, with its check.
    pub fn first(&self) -> Option<(Check, &Finding)> {
        let found = self.checks.iter();
        let found = found.filter_map(|row| Some((row.check, row.first.as_ref()?)));
        found.min_by_key(|(check, finding)| (finding.event, *check))
    }
}

/// Why a trace was not graded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// It cannot be read, or is no trace of the assignment.
    #[error("{0}")]
    Trace(LoadError),
    /// It has no end, or is too long.
    #[error("{0}")]
    Endless(String),
}

impl From<LoadError> for Refusal {
    fn from(error: LoadError) -> Refusal {
        Refusal::Trace(error)
    }
}

/// Which search of a trace is graded, from 0, and how much is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    pub search: u32,
    pub limits: Limits,
}

/// Grades the trace in a file, a pipe, or standard input for `-`.
///
/// # Errors
/// If it is no trace, one of another game or position, or has no end.
pub fn grade(assignment: &Assignment, path: &Path, wanted: &Wanted) -> Result<Grade, Refusal> {
    let name = path.to_string_lossy();
    let opened = Bounded::open(path, &wanted.limits);
    let (source, gauge) = opened.map_err(|e| unreadable(&e).in_file(&name))?;
    grade_stream(assignment, source, &gauge, wanted).map_err(|refusal| match refusal {
        Refusal::Trace(error) if error.file.is_none() => Refusal::Trace(error.in_file(&name)),
        Refusal::Endless(why) => Refusal::Endless(format!("{}: {why}", sanitise(&name))),
        other => other,
    })
}

/// What a search is checked by.
enum By<'a> {
    DepthFirst(Box<DepthFirst<'a>>),
    BestFirst(Box<BestFirst<'a>>),
    Nothing,
}

fn grade_stream(
    assignment: &Assignment,
    source: Bounded,
    gauge: &Gauge,
    wanted: &Wanted,
) -> Result<Grade, Refusal> {
    let names: Arc<Names> = Arc::default();
    let reference = match &assignment.against {
        Some(path) => Some(Model::read(path, &names, &wanted.limits)?),
        None => None,
    };
    let mut reader = Reader::at(source, Point::start(Arc::clone(&names)));
    let header = match reader.read_header() {
        Ok(Some(header)) => header,
        Ok(None) => return Err(refused(Refused::Empty).into()),
        Err(Refused::Empty) if gauge.cut().is_some() => return Err(endless(gauge, 0, wanted)),
        Err(why) => return Err(refused(why).into()),
    };
    judge_order(assignment, &header)?;
    let mut ledger = Ledger::new(&assignment.points);
    let mut search = Search::new(&mut reader, wanted.search);
    let start = search.start()?;
    let root = settle(assignment, &header, &start)?;
    if let Some(model) = &reference {
        model.check(&header, &root)?;
    }
    let judge = Judge::new(
        &header,
        root.position.turn(),
        assignment.tolerance,
        assignment.rules.win(),
    );
    let mut by = match assignment.kind {
        Some(Kind::Uct) => By::BestFirst(Box::new(BestFirst::new(
            assignment,
            judge.clone(),
            &names,
            &root.position,
        ))),
        Some(kind) => By::DepthFirst(Box::new(DepthFirst::new(
            (kind, assignment),
            judge.clone(),
            &names,
            &root.position,
            header.depth_step,
        ))),
        None => By::Nothing,
    };
    let mut rows = reference
        .as_ref()
        .map(|_| Rows::new(judge.clone(), root.position.turn()));
    search.read(gauge, &mut |event, record| {
        match &mut by {
            By::DepthFirst(checks) => checks.take(event, record, &mut ledger),
            By::BestFirst(checks) => checks.take(event, record, &mut ledger),
            By::Nothing => {}
        }
        if let Some(rows) = &mut rows {
            rows.take(event, record);
        }
        !matches!(&by, By::BestFirst(checks) if checks.refused.is_some())
    })?;
    let (events, searches, has_end) = (search.events, search.searches, search.has_end);
    if gauge.cut().is_some() {
        return Err(endless(gauge, events, wanted));
    }
    let (ending, counts) = match &mut by {
        By::DepthFirst(checks) => {
            let ending = checks.finish((events, has_end), &mut ledger);
            (ending, checks.counts)
        }
        By::BestFirst(checks) => {
            if let Some(why) = &checks.refused {
                let expected = "a tree that fits into memory: fewer simulations";
                return Err(LoadError::new(why.as_str(), expected).into());
            }
            let ending = checks.finish((events, has_end), &mut ledger);
            (ending, checks.counts)
        }
        By::Nothing => {
            let rows = rows.as_ref();
            (
                rows.map_or_else(Ending::default, Rows::ending),
                Counts::default(),
            )
        }
    };
    if let Some((own, model)) = rows.as_ref().zip(reference.as_ref()) {
        if own.is_full || model.rows.is_full {
            let expected = "searches that fit into memory, so that they can be compared";
            return Err(LoadError::new("more than 4,000,000 rows", expected).into());
        }
        own.compare(&model.rows, &names, &mut ledger);
    }
    let stop = Stop {
        event: events,
        has_end,
        is_strict: assignment.is_strict,
    };
    whole::judge(&reader, stop, &ending, &mut ledger);
    if assignment.is_strict {
        match &by {
            By::DepthFirst(checks) => checks.ask_for_what_is_missing(&mut ledger),
            By::BestFirst(checks) => checks.ask_for_what_is_missing(&mut ledger),
            By::Nothing => {}
        }
    }
    Ok(Grade {
        engine: sanitise(&header.engine),
        checks: ledger.finish(assignment.is_strict),
        counts,
        events,
        searches,
    })
}

/// Refuses a search of the wrong kind.
fn judge_order(assignment: &Assignment, header: &Header) -> Result<(), LoadError> {
    let Some(kind) = assignment.kind else {
        return Ok(());
    };
    let order = match kind.is_depth_first() {
        true => Order::DepthFirst,
        false => Order::BestFirst,
    };
    if header.order == order {
        return Ok(());
    }
    let found = format!("a {} search", header.order.word());
    let expected = format!(
        "{} ({}), as the header's \"order\" says",
        kind.name(),
        order.word()
    );
    Err(LoadError::new(found, expected))
}

/// Returns the root: the assignment's, or the one that the trace names. Refuses a trace of another game or position.
fn settle(
    assignment: &Assignment,
    header: &Header,
    start: &SearchStart,
) -> Result<Subject, LoadError> {
    let Some(root) = &assignment.root else {
        return trace::told(header, start)?.ok_or_else(|| {
            let expected = "a position, such as a FEN or \"tictactoe\", in the trace's search record, or --position";
            match &start.root {
                Some(root) => LoadError::new(format!("the root {}", text::quote(root)), expected),
                None => LoadError::new("no root position", expected),
            }
        });
    };
    trace::check(header, start, root)?;
    Ok(root.clone())
}
