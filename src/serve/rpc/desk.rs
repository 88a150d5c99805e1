//! What the server keeps for each session: its search, who waits for it, and what its client wants to be told.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::calls::{Call, Method};
use super::message::RpcError;
use crate::search::Search;
use session::Config;

/// An answer that is due: the request's id (`None` for a notification) and the batch it is part of.
#[derive(Clone, Debug)]
pub struct Ticket {
    pub id: Option<Value>,
    pub batch: Option<u64>,
}

/// What a call leads to.
#[derive(Debug)]
pub enum Outcome {
    Answer(Box<RawValue>),
    /// The answer follows when the search has come so far, or at the end of this time.
    Wait(Until, Duration),
    /// The server ends.
    End,
}

/// What a call waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// The search has stopped or ended.
    Stopped,
    /// A change of what is searched has been made; the search may run on.
    Changed,
}

/// Turns an answer into JSON.
///
/// # Errors
/// If it can't be written as JSON, which does not happen.
pub fn answer(value: &impl Serialize) -> Result<Outcome, RpcError> {
    let raw = to_raw_value(value).map_err(|e| RpcError::refused(e.to_string()))?;
    Ok(Outcome::Answer(raw))
}

/// A call that waits for its search.
#[derive(Debug)]
pub struct Parked {
    pub ticket: Ticket,
    pub until: Until,
    pub deadline: Instant,
}

/// A call that waits for those before it.
#[derive(Debug)]
pub struct Queued {
    pub ticket: Ticket,
    pub method: &'static Method,
    pub call: Call,
}

/// What the client wants to be told without asking.
#[derive(Clone, Debug)]
pub struct Subscription {
    /// That the search has stopped or ended, and news.
    pub stops: bool,
    /// How long at least between two reports of the progress; `None`: no reports.
    pub progress: Option<Duration>,
    /// The events as the search is followed through them.
    pub events: bool,
}

impl Default for Subscription {
    fn default() -> Self {
        Subscription {
            stops: true,
            progress: None,
            events: false,
        }
    }
}

/// A session of the client.
#[derive(Debug)]
pub struct Desk {
    pub search: Search,
    /// The calls that wait for the search; those after them wait for them.
    pub parked: Vec<Parked>,
    pub queue: VecDeque<Queued>,
    pub subscription: Subscription,
    /// Whether the search ran when it was last looked at.
    pub ran: bool,
    /// The last event that was sent.
    pub events_told: u64,
    /// The number of points of the progress that were sent, and when.
    pub points_told: usize,
    pub progress_told: Option<Instant>,
}

impl Desk {
    pub fn new(search: Search) -> Desk {
        Desk {
            search,
            parked: Vec::new(),
            queue: VecDeque::new(),
            subscription: Subscription::default(),
            ran: false,
            events_told: 0,
            points_told: 0,
            progress_told: None,
        }
    }

    /// What was told of an earlier search does not count for the one that begins.
    pub fn begin(&mut self) {
        self.ran = true;
        self.events_told = 0;
        self.points_told = 0;
        self.progress_told = None;
    }
}

/// All sessions.
#[derive(Debug)]
pub struct Desks {
    /// What a search begins with unless told otherwise.
    pub config: Config,
    pub open: BTreeMap<u64, Desk>,
    /// Those that the server is to close.
    pub closing: Vec<u64>,
    last: u64,
}

impl Desks {
    pub fn new(config: Config) -> Desks {
        Desks {
            config,
            open: BTreeMap::new(),
            closing: Vec::new(),
            last: 0,
        }
    }

    /// Adds a session and returns its number.
    pub fn add(&mut self, search: Search) -> u64 {
        self.last += 1;
        self.open.insert(self.last, Desk::new(search));
        self.last
    }

    /// Returns a session, by its number or else the one opened last.
    ///
    /// # Errors
    /// If there is none.
    pub fn number(&self, asked: Option<u64>) -> Result<u64, RpcError> {
        let numbers: Vec<String> = self.open.keys().map(u64::to_string).collect();
        let found = match asked {
            Some(number) => Some(number).filter(|n| self.open.contains_key(n)),
            None => self.open.keys().next_back().copied(),
        };
        found.ok_or_else(|| {
            let found = asked.map_or_else(|| "nothing".to_owned(), |n| n.to_string());
            let expected = match numbers.as_slice() {
                [] => "one that open has returned".to_owned(),
                all => format!("one of {}", all.join(", ")),
            };
            RpcError::parameter("session", format!("found {found}, expected {expected}"))
        })
    }

    /// # Errors
    /// If there is no such session.
    pub fn desk(&mut self, number: u64) -> Result<&mut Desk, RpcError> {
        let gone = || RpcError::parameter("session", format!("found {number}, which was closed"));
        self.open.get_mut(&number).ok_or_else(gone)
    }
}
