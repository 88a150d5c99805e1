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
pub mod ready;
mod reference;
mod rows;
mod stream;
mod truth;

use std::path::Path;
use std::sync::Arc;

use game::Game;
use game::load::{LoadError, unreadable};
use games::trace;
use open_trace::{Cause, Header, Names, Only, Order, Point, Reader, Record, Refused, SearchStart};
use search::Subject;
use text::sanitise;

pub use assignment::{Assignment, Chosen, FILE, Kind, Rules, Ties};
pub use check::{Check, Checked, Finding};
pub use depth_first::Counts;
pub use fault::Fault;
pub use judge::{Leaves, Worth};
pub use reference::write as write_reference;
pub use stream::{Cut, Limits};

use best_first::BestFirst;
use check::Ledger;
use depth_first::DepthFirst;
use judge::Judge;
use rows::Rows;
use stream::{Bounded, Gauge};

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
        Some(path) => Some(read_rows(path, &names, &wanted.limits)?),
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
    let judge = Judge::new(
        &header,
        root.position.turn(),
        assignment.tolerance,
        assignment.rules.win,
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
    search.read(&mut |event, record| {
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
    let (events, searches) = (search.events, search.searches);
    if gauge.cut().is_some() {
        return Err(endless(gauge, events, wanted));
    }
    judge_stream(&reader, &mut ledger);
    let counts = match &mut by {
        By::DepthFirst(checks) => {
            checks.finish(events, &mut ledger);
            checks.counts
        }
        By::BestFirst(checks) => {
            if let Some(why) = &checks.refused {
                let expected = "a tree that fits into memory: fewer simulations";
                return Err(LoadError::new(why.as_str(), expected).into());
            }
            checks.finish(events, &mut ledger);
            checks.counts
        }
        By::Nothing => Counts::default(),
    };
    if let Some((own, reference)) = rows.as_ref().zip(reference.as_ref()) {
        if own.is_full || reference.is_full {
            let expected = "searches that fit into memory, so that they can be compared";
            return Err(LoadError::new("more than 4,000,000 rows", expected).into());
        }
        own.compare(reference, &names, &mut ledger);
    }
    if assignment.is_strict {
        ask_for_what_is_missing(&mut ledger);
    }
    Ok(Grade {
        engine: sanitise(&header.engine),
        checks: ledger.finish(assignment.is_strict),
        counts,
        events,
        searches,
    })
}

/// What a check looks at has to be told, if it gives points.
fn ask_for_what_is_missing(ledger: &mut Ledger) {
    let needed = [
        (Check::Windows, "window"),
        (Check::Visits, "number of visits"),
        (Check::Means, "mean value"),
        (Check::Selection, "choice among visited moves"),
    ];
    for (check, what) in needed {
        if ledger.has(check) && !ledger.is_made(check) {
            ledger.wrong(check, u64::MAX, || (Vec::new(), Fault::NotTold { what }));
        }
    }
}

/// Notes what was not understood in the stream.
fn judge_stream<R: std::io::Read>(reader: &Reader<R>, ledger: &mut Ledger) {
    // What is additional does no harm.
    const HARMLESS: [Cause; 4] = [
        Cause::BadWindow,
        Cause::UnknownField,
        Cause::UnknownKind,
        Cause::UndeclaredReason,
    ];
    ledger.right(Check::Trace);
    // A search that does not cut off what it should goes on with an empty window.
    let empty = |trouble: &&open_trace::Trouble| trouble.cause == Cause::BadWindow;
    if let Some(trouble) = reader.troubles().iter().find(empty)
        && !ledger.is_wrong(Check::Cuts)
    {
        ledger.wrong(Check::Windows, trouble.first.at.event, || {
            let what = trouble.to_string();
            (Vec::new(), Fault::Troubled { what })
        });
    }
    let troubles = reader.troubles().iter();
    for trouble in troubles.filter(|trouble| !HARMLESS.contains(&trouble.cause)) {
        let event = trouble.first.at.event;
        ledger.wrong(Check::Trace, event, || {
            let what = trouble.to_string();
            (Vec::new(), Fault::Troubled { what })
        });
    }
}

/// One search of a stream.
struct Search<'r, R> {
    reader: &'r mut Reader<R>,
    number: u32,
    /// The event that was read while looking for the beginning.
    events: u64,
    searches: u32,
}

impl<'r, R: std::io::Read> Search<'r, R> {
    fn new(reader: &'r mut Reader<R>, number: u32) -> Self {
        Search {
            reader,
            number,
            events: 0,
            searches: 0,
        }
    }

    /// Goes on to the beginning of the search.
    fn start(&mut self) -> Result<SearchStart, Refusal> {
        loop {
            let Some((at, record)) = self.reader.next().map_err(refused)? else {
                let found = match self.searches {
                    0 => "no search".to_owned(),
                    n => format!("{n} searches"),
                };
                let expected = match self.number {
                    0 => "a trace with a search: a line with \"kind\":\"search\" and what it does"
                        .to_owned(),
                    n => format!("a number {}", n + 1),
                };
                return Err(LoadError::new(found, expected).into());
            };
            if let Record::Search(start) = record {
                self.searches = at.search + 1;
                if at.search == self.number {
                    return Ok(start.clone());
                }
            } else if record.is_event() && at.search == self.number {
                let expected =
                    "a \"search\" record before the first event (in the emitters: the call search)";
                let kind = record.kind().name();
                return Err(LoadError::new(format!("{kind} at the beginning"), expected).into());
            }
        }
    }

    /// Reads the records of the search, until `take` has enough.
    fn read(&mut self, take: &mut dyn FnMut(u64, &Record) -> bool) -> Result<(), Refusal> {
        let is_depth_first = self
            .reader
            .header()
            .is_some_and(|h| h.order == Order::DepthFirst);
        self.reader.only(Only {
            search: self.number,
            thread: is_depth_first.then_some(0),
        });
        while let Some((at, record)) = self.reader.next().map_err(refused)? {
            self.events = self.events.max(at.event);
            if !take(at.event, &record) {
                break;
            }
        }
        Ok(())
    }
}

fn refused(why: Refused) -> LoadError {
    match why {
        Refused::NoHeader { found } => LoadError::new(
            found,
            "a search trace, which begins with {\"plyscope-trace\":1",
        ),
        Refused::Empty => LoadError::new(
            "nothing",
            "a search trace: run the program with PLYSCOPE_TRACE=FILE in its environment",
        ),
        Refused::ReadFailed(error) => LoadError::message(format!("cannot be read ({error})")),
        Refused::Version(version) => LoadError::new(
            format!("version {version} of the search trace"),
            "at most version 1",
        ),
    }
}

fn endless(gauge: &Gauge, events: u64, wanted: &Wanted) -> Refusal {
    let events = text::thousands(events);
    let (what, option) = match gauge.cut() {
        Some(Cut::Bytes) => (
            format!("more than {}", text::bytes(wanted.limits.bytes)),
            "--limit-size",
        ),
        _ => (
            format!("no end after {}", text::duration(wanted.limits.time)),
            "--limit",
        ),
    };
    Refusal::Endless(format!(
        "found {what} ({events} events of the search), expected a trace that ends; {option} allows more"
    ))
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

/// Reads the rows of a reference.
fn read_rows(path: &Path, names: &Arc<Names>, limits: &Limits) -> Result<Rows, Refusal> {
    let name = path.to_string_lossy();
    let in_file = |error: LoadError| Refusal::Trace(error.in_file(&name));
    let opened = Bounded::open(path, limits);
    let (source, gauge) = opened.map_err(|e| in_file(unreadable(&e)))?;
    let mut reader = Reader::at(source, Point::start(Arc::clone(names)));
    let header = reader.read_header().map_err(|why| in_file(refused(why)))?;
    let header = header.ok_or_else(|| in_file(refused(Refused::Empty)))?;
    let mut search = Search::new(&mut reader, 0);
    let start = search.start()?;
    let side = match start.side {
        Some(open_trace::Side::Second) => game::Side::Black,
        _ => game::Side::White,
    };
    let turn = trace::told(&header, &start).map_err(in_file)?;
    let turn = turn.map_or(side, |subject| subject.position.turn());
    let mut rows = Rows::new(Judge::new(&header, turn, 0.0, 1.0), turn);
    search.read(&mut |event, record| {
        rows.take(event, record);
        true
    })?;
    match gauge.cut() {
        Some(_) => Err(Refusal::Endless(format!(
            "{}: the reference has no end",
            sanitise(&name)
        ))),
        None => Ok(rows),
    }
}
