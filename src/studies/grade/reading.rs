//! Reads one search of a trace.

use open_trace::{Only, Order, Reader, Record, Refused, SearchStart};

use super::stream::{Cut, Gauge};
use super::{LoadError, Refusal, Wanted};

/// One search of a stream.
pub(super) struct Search<'r, R> {
    reader: &'r mut Reader<R>,
    number: u32,
    /// The event that was read last.
    pub events: u64,
    /// The searches that were begun so far.
    pub searches: u32,
    /// Whether the program told that the search is over.
    pub has_end: bool,
}

/// After how many records the clock is looked at.
const LOOK: u32 = 64;

impl<'r, R: std::io::Read> Search<'r, R> {
    pub fn new(reader: &'r mut Reader<R>, number: u32) -> Self {
        Search {
            reader,
            number,
            events: 0,
            searches: 0,
            has_end: false,
        }
    }

    /// Goes on to the beginning of the search.
    pub fn start(&mut self) -> Result<SearchStart, Refusal> {
        loop {
            let Some((at, record)) = self.reader.next().map_err(refused)? else {
                let found = match self.searches {
                    0 => "no search".to_owned(),
                    1 => "1 search".to_owned(),
                    n => format!("{n} searches"),
                };
                let expected = match self.number {
                    0 => "a trace with a search: a line with \"kind\":\"search\" and what it does"
                        .to_owned(),
                    n => format!("at least {} for --search {0}", n + 1),
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

    /// Reads the records of the search, until `take` has enough or there is no time left.
    pub fn read(
        &mut self,
        gauge: &Gauge,
        take: &mut dyn FnMut(u64, &Record) -> bool,
    ) -> Result<(), Refusal> {
        let is_depth_first = self
            .reader
            .header()
            .is_some_and(|h| h.order == Order::DepthFirst);
        self.reader.only(Only {
            search: self.number,
            thread: is_depth_first.then_some(0),
        });
        let mut records: u32 = 0;
        while let Some((at, record)) = self.reader.next().map_err(refused)? {
            self.events = self.events.max(at.event);
            self.has_end |= matches!(record, Record::End(_));
            let has_enough = !take(at.event, &record);
            records = records.wrapping_add(1);
            if has_enough || records.is_multiple_of(LOOK) && gauge.is_late() {
                break;
            }
        }
        Ok(())
    }
}

pub(super) fn refused(why: Refused) -> LoadError {
    match why {
        Refused::NoHeader { found } => LoadError::new(
            found,
            "a search trace, which begins with {\"plyscope-trace\":1",
        ),
        Refused::BrokenHeader { found } => LoadError::new(
            format!("a header that is cut off or not JSON, {found}"),
            "a whole line of JSON as the first one",
        ),
        Refused::CutOff => LoadError::new(
            "a binary search trace that is cut off within its header",
            "a whole one",
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

pub(super) fn endless(gauge: &Gauge, events: u64, wanted: &Wanted) -> Refusal {
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
