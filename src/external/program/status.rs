//! How a program stands.

use std::time::Duration;

use session::State;

use crate::trace::{Known, Remark, Repeat};
use crate::{External, Trouble};

/// What a program does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramState {
    /// It is being started, or has not connected yet.
    Starting,
    Running,
    /// It stands still at this event, as it was told to.
    Waiting(u64),
    /// Its search is over, and it waits for the next one. Only a program that speaks UCI does that.
    Finished,
    /// It has ended by itself or because it was asked to.
    Ended {
        /// As the system says it: `exit status: 0`, `signal: 11 (SIGSEGV)`.
        how: String,
        is_success: bool,
    },
    /// Nothing more comes from it, and something is wrong.
    Trouble(Trouble),
}

impl ProgramState {
    /// Whether nothing more comes from it unless something else is asked for.
    pub fn is_over(&self) -> bool {
        matches!(
            self,
            ProgramState::Finished | ProgramState::Ended { .. } | ProgramState::Trouble(_)
        )
    }
}

/// How a program stands, and what it has sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramStatus {
    pub state: ProgramState,
    pub is_connected: bool,
    /// Of all its searches and threads; what its filters leave out is counted.
    pub events: u64,
    pub bytes: u64,
    pub searches: u32,
    /// The time since it sent something, or since it was started.
    pub silent: Duration,
    /// What is unusual at present.
    pub remarks: Vec<Remark>,
    /// Whether it is the same search as the run before it; `None` if there was none.
    pub repeat: Option<Repeat>,
    /// What it wrote last to its outputs, safe to print.
    pub last_lines: Vec<String>,
}

impl ProgramStatus {
    pub(super) fn new(state: ProgramState, known: Known, last_lines: Vec<String>) -> Self {
        ProgramStatus {
            state,
            is_connected: known.is_connected,
            events: known.events,
            bytes: known.bytes,
            searches: known.searches,
            silent: known.silent,
            remarks: known.remarks,
            repeat: known.repeat,
            last_lines,
        }
    }
}

/// Returns what a program does whose process lives.
pub(super) fn while_it_lives(known: &Known) -> ProgramState {
    match known.waiting {
        _ if !known.is_connected => ProgramState::Starting,
        Some(event) => ProgramState::Waiting(event),
        None => ProgramState::Running,
    }
}

/// Returns how a program stands that speaks UCI.
pub(super) fn of_uci(external: &External) -> ProgramStatus {
    let engine = &external.engine;
    let trace = engine.trace();
    let patience = engine.spec.patience.ready;
    let mut known = trace.map_or_else(Known::default, |trace| trace.known(patience));
    let state = match (external.trouble(), external.status().state) {
        (Some(trouble), _) => ProgramState::Trouble(trouble),
        (None, State::Finished(_)) => ProgramState::Finished,
        (None, _) => while_it_lives(&known),
    };
    if let Some(fault) = &known.fault
        && !matches!(state, ProgramState::Trouble(_))
    {
        known.remarks.push(Remark::Setup(fault.clone()));
    }
    let warnings = external.warnings().into_iter();
    known.remarks.extend(warnings.map(Remark::Setup));
    ProgramStatus::new(state, known, engine.tail.lines())
}
