//! A position with the search of it, as both faces drive it: where it has stopped and why, breakpoints by their text, and
//! going back to a breakpoint.

use std::sync::Arc;

use search::{Recorded, StopReason};
use session::breakpoint::{Breakpoint, BreakpointError};
use session::debug::{News, Standing, Step, Why};
use session::{Config, Session, State, Subject};

use super::place::Opened;

/// A position that was opened, and its search once that was started.
#[derive(Debug)]
pub struct Search {
    pub subject: Subject,
    pub title: Option<String>,
    /// The line of each node of a toy tree in its file.
    pub lines: Vec<u32>,
    /// The search of another program that its file has.
    pub recorded: Option<Arc<dyn Recorded>>,
    session: Option<Session>,
    breakpoints: Vec<Breakpoint>,
    errand: Option<Errand>,
    /// Why the search has stopped, where the session does not know it.
    came_to: Option<Reason>,
    news: Vec<News>,
}

/// Why a search is not running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The step is complete.
    Step,
    /// At the breakpoint of this number, from 1.
    Breakpoint(usize),
    /// Paused between two nodes, or before the first event.
    Pause,
    /// It reached the event to which it was sent.
    Arrived,
    /// It has come back as far as possible.
    Beginning,
    /// It has ended.
    Ended,
}

impl Reason {
    pub fn name(self) -> &'static str {
        match self {
            Reason::Step => "step",
            Reason::Breakpoint(_) => "breakpoint",
            Reason::Pause => "pause",
            Reason::Arrived => "arrived",
            Reason::Beginning => "beginning",
            Reason::Ended => "ended",
        }
    }
}

/// A search that is not running.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    pub reason: Reason,
    /// The event at which it has stopped, if it was followed from event to event.
    pub standing: Option<Standing>,
    /// The number of the last event that has happened; 0 where several threads make them.
    pub at: u64,
    pub ended: Option<StopReason>,
}

/// On the way back to a breakpoint: the search is run again from its beginning to find out where they are.
#[derive(Clone, Copy, Debug)]
struct Errand {
    /// The event from which it goes back.
    from: u64,
    /// The last breakpoint before, and its event.
    last: Option<(usize, u64)>,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Rewinding,
    Seeking,
    Returning,
}

impl Search {
    pub fn new(opened: Opened) -> Search {
        Search {
            subject: opened.subject,
            title: opened.title,
            lines: opened.lines,
            recorded: opened.recorded,
            session: None,
            breakpoints: Vec::new(),
            errand: None,
            came_to: None,
            news: Vec::new(),
        }
    }

    /// Returns a search that shows another session, such as that of a leaf.
    pub fn showing(session: Session) -> Search {
        Search {
            subject: session.subject().clone(),
            title: None,
            lines: Vec::new(),
            recorded: session.config().recorded.clone(),
            session: Some(session),
            breakpoints: Vec::new(),
            errand: None,
            came_to: None,
            news: Vec::new(),
        }
    }

    /// Starts the search, and ends the one before.
    pub fn start(&mut self, config: Config, paused: bool) {
        self.session = None;
        let subject = self.subject.clone();
        let session = match paused {
            true => Session::start_paused(subject, config),
            false => Session::start(subject, config),
        };
        self.take(session);
    }

    /// Plays moves, and goes on with the search of the position after them. Returns what was kept of the tree, in words.
    pub fn follow(&mut self, subject: Subject, paused: bool) -> Option<String> {
        self.subject = subject;
        self.recorded = None;
        let old = self.session.take()?;
        let config = old.config().clone();
        let next = session::Next {
            paused,
            steps_back: true,
            ..Default::default()
        };
        let (session, reuse) = Session::start_after(old, self.subject.clone(), config, next);
        self.take(session);
        reuse.map(|reuse| reuse.to_string())
    }

    fn take(&mut self, session: Session) {
        self.session = Some(session);
        self.errand = None;
        self.came_to = None;
        let texts: Vec<String> = self.breakpoints.iter().map(|b| b.text().into()).collect();
        // Those whose moves can't be played here are given up.
        self.set_breakpoints(&texts);
    }

    pub fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    pub fn session_mut(&mut self) -> Option<&mut Session> {
        self.session.as_mut()
    }

    pub fn breakpoints(&self) -> &[Breakpoint] {
        &self.breakpoints
    }

    /// Sets those breakpoints that can be understood, numbered from 1 in their order, and says what became of each.
    pub fn set_breakpoints<T: AsRef<str>>(
        &mut self,
        texts: &[T],
    ) -> Vec<Result<(usize, Breakpoint), BreakpointError>> {
        self.breakpoints.clear();
        let parsed = texts.iter().map(|text| {
            let breakpoint = Breakpoint::parse(text.as_ref(), &self.subject)?;
            self.breakpoints.push(breakpoint.clone());
            Ok((self.breakpoints.len(), breakpoint))
        });
        let parsed = parsed.collect();
        if let Some(session) = &mut self.session {
            // Whoever debugs from elsewhere says each time whether a run is to stop at them.
            session.pass_breakpoints();
            let numbered = self.breakpoints.iter().cloned().enumerate();
            session.set_breakpoints(numbered.map(|(i, b)| (i + 1, b)));
        }
        parsed
    }

    /// Lets the search run: to the next breakpoint if there is one, else freely.
    pub fn run(&mut self, freely: bool) {
        self.forget();
        let to_break = !freely && !self.breakpoints.is_empty();
        if let Some(session) = &mut self.session {
            match to_break {
                true => session.step(Step::ToBreak, 1),
                false => session.resume_past_breakpoints(),
            }
        }
    }

    pub fn step(&mut self, step: Step, times: u32) {
        self.forget();
        if let Some(session) = &mut self.session {
            session.step(step, times);
        }
    }

    /// Pauses a search that runs: with one thread at its next event, whose number is known then, with several between two nodes.
    /// One that is on its way to an event stops at its next one, or stays where it was.
    pub fn pause(&mut self) {
        self.forget();
        let Some(session) = &mut self.session else {
            return;
        };
        let runs = matches!(session.status().state, State::Running);
        if runs && !session.is_stepping() && counts_events(session) {
            self.came_to = Some(Reason::Pause);
            session.step(Step::Into, 1);
        } else {
            session.pause();
        }
    }

    pub fn step_back(&mut self, events: u64) {
        self.forget();
        if let Some(session) = &mut self.session {
            session.step_back(events);
        }
    }

    pub fn go_to(&mut self, event: u64) {
        self.forget();
        if let Some(session) = &mut self.session {
            session.go_to(event);
        }
    }

    /// Goes back to the last event before this one at which a breakpoint stops the search, or to the beginning. The search
    /// is run again up to here for that, so it takes as long as it took.
    pub fn back_to_breakpoint(&mut self) {
        self.forget();
        let Some(session) = &mut self.session else {
            return;
        };
        let place = session.event_position();
        self.errand = Some(Errand {
            from: place.now,
            last: None,
            phase: match self.breakpoints.is_empty() {
                true => Phase::Returning,
                false => Phase::Rewinding,
            },
        });
        session.go_to(place.first);
    }

    fn forget(&mut self) {
        self.errand = None;
        self.came_to = None;
    }

    /// Ends the search.
    pub fn end(&mut self) {
        self.forget();
        self.session = None;
    }

    /// Does what is to be done between two messages; must be called from time to time while [`Search::stop`] is `None`.
    pub fn tend(&mut self) {
        let Some(session) = &mut self.session else {
            return;
        };
        let news = session.tend();
        if self.errand.is_none() {
            self.news.extend(news);
        } else if let Some(stop) = self.standing() {
            self.run_errand(stop);
        }
    }

    fn run_errand(&mut self, stop: Stop) {
        let (Some(errand), Some(session)) = (&mut self.errand, &mut self.session) else {
            return;
        };
        if errand.phase == Phase::Returning {
            let reason = errand
                .last
                .map_or(Reason::Beginning, |(n, _)| Reason::Breakpoint(n));
            self.came_to = Some(reason);
            self.errand = None;
            return;
        }
        if errand.phase == Phase::Seeking
            && let Reason::Breakpoint(number) = stop.reason
            && stop.at < errand.from
        {
            errand.last = Some((number, stop.at));
        }
        let left = errand.from.saturating_sub(stop.at);
        if left > 0 && stop.reason != Reason::Ended {
            errand.phase = Phase::Seeking;
            session.step(Step::Into, u32::try_from(left).unwrap_or(u32::MAX));
            return;
        }
        errand.phase = Phase::Returning;
        let first = session.event_position().first;
        session.go_to(errand.last.map_or(first, |(_, at)| at));
    }

    /// Returns what the user ought to know that came up since the last call.
    pub fn take_news(&mut self) -> Vec<News> {
        std::mem::take(&mut self.news)
    }

    /// Returns where the search has stopped, or `None` while it runs or is on its way.
    pub fn stop(&self) -> Option<Stop> {
        let stop = self.standing().filter(|_| self.errand.is_none())?;
        let reason = match (stop.ended, self.came_to) {
            (None, Some(reason)) => reason,
            _ => stop.reason,
        };
        Some(Stop { reason, ..stop })
    }

    fn standing(&self) -> Option<Stop> {
        let session = self.session.as_ref().filter(|s| !s.is_stepping())?;
        let standing = session.standing();
        let at = session.event_position().now;
        let (reason, ended) = match session.status().state {
            State::Running => return None,
            State::Finished(reason) => (Reason::Ended, Some(reason)),
            State::Paused => match standing.as_ref().map(|s| s.why) {
                Some(Why::Breakpoint(number)) => (Reason::Breakpoint(number), None),
                Some(Why::Arrived) => (Reason::Arrived, None),
                Some(Why::Step | Why::Asked) => (Reason::Step, None),
                Some(Why::Ended) => (Reason::Ended, None),
                // Its threads may still be finishing the nodes they are at.
                None if !session.is_still() => return None,
                None => (Reason::Pause, None),
            },
        };
        Some(Stop {
            reason,
            standing,
            at,
            ended,
        })
    }

    /// Whether something is under way that will stop the search, or change what it searches.
    pub fn is_under_way(&self) -> bool {
        self.errand.is_some() || self.session.as_ref().is_some_and(Session::is_stepping)
    }
}

/// Whether the events of a search have numbers: those of several threads have none.
pub fn counts_events(session: &Session) -> bool {
    session.status().threads == 1
}
