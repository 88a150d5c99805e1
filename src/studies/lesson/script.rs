//! Brings a search to the point that a step of a lesson asks for: one run after the other, at full speed.

use std::collections::VecDeque;

use super::{Lesson, Run, Setup, Target};
use search::AuditRow;
use session::Session;
use session::breakpoint::Still;
use session::debug::{Step, Why};

/// The runs that are still to be done with a session.
#[derive(Debug, Default)]
pub struct Script {
    ahead: VecDeque<Run>,
    under_way: Option<Run>,
}

/// The number of a lesson's own breakpoint; the user's are numbered from 1.
pub const OWN: usize = 0;

/// The error if a run ended in a different way than the lesson says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: found {found}, expected {expected}")]
pub struct Missed {
    /// The line in the lesson's file.
    pub line: u32,
    pub found: String,
    pub expected: String,
}

/// Creates a session for a setup, stopped before its first event.
pub fn begin(setup: &Setup) -> Session {
    Session::start_paused(setup.subject.clone(), setup.config.clone())
}

impl Script {
    pub fn new(runs: impl IntoIterator<Item = Run>) -> Script {
        Script {
            ahead: runs.into_iter().collect(),
            under_way: None,
        }
    }

    /// Returns everything that brings a fresh session to a step.
    pub fn to_step(lesson: &Lesson, step: usize, is_answered: bool) -> Script {
        Script::new(lesson.way_to(step, is_answered))
    }

    pub fn is_done(&self) -> bool {
        self.ahead.is_empty() && self.under_way.is_none()
    }

    /// Starts the next run when the previous one has reached its stop. Must be called regularly after
    /// [`Session::tend`]. Sets the session's breakpoints and removes them at the end.
    ///
    /// # Errors
    /// If a run did not reach its stop; the remaining runs are then dropped.
    pub fn tend(&mut self, session: &mut Session) -> Result<(), Missed> {
        if session.is_stepping() {
            return Ok(());
        }
        if let Some(run) = self.under_way.take() {
            session.set_breakpoints([]);
            if let Some(missed) = run.missed(session) {
                self.ahead.clear();
                return Err(missed);
            }
        }
        if let Some(run) = self.ahead.pop_front() {
            run.begin(session);
            self.under_way = Some(run);
        }
        Ok(())
    }
}

impl Run {
    fn begin(&self, session: &mut Session) {
        match &self.to {
            Target::Break(breakpoint, times) => {
                session.set_breakpoints([(OWN, breakpoint.clone())]);
                session.step(Step::ToBreak, *times);
            }
            Target::Event(number) => session.go_to(*number),
            Target::End => {
                session.set_breakpoints([]);
                session.step(Step::ToBreak, 1);
            }
        }
    }

    fn missed(&self, session: &Session) -> Option<Missed> {
        let standing = session.standing();
        let missed = |found: String, expected: String| {
            Some(Missed {
                line: self.line,
                found,
                expected,
            })
        };
        let now = standing.as_ref().map_or(0, |s| s.number);
        match (&self.to, standing.map(|s| s.why)) {
            (Target::Break(..), Some(Why::Breakpoint(_))) | (Target::End, Some(Why::Ended)) => None,
            (Target::Event(number), Some(_)) if *number == now => None,
            (Target::Break(breakpoint, _), _) => missed(
                format!("the search's end after event {now}"),
                format!("{:?}", breakpoint.text()),
            ),
            (Target::Event(number), _) => missed(format!("event {now}"), format!("event {number}")),
            (Target::End, _) => missed(format!("event {now}"), "the search's end".into()),
        }
    }
}

/// Returns a view of the session from which its numbers can be read.
pub fn still(session: &Session) -> Still<'_> {
    let status = session.status();
    let audited = status.audit.map(|rows| {
        let sum = |of: fn(&AuditRow) -> u64| rows.iter().map(of).sum();
        (sum(|row| row.tried), sum(|row| row.failed))
    });
    Still {
        reader: session.reader(),
        event: session.standing().map(|s| s.event),
        nodes: status.totals.nodes,
        audited,
    }
}
