//! How a search reports what it does, and to whom.

use super::{Event, Start};
use game::{MoveCode, Score};
use tree::NodeId;

/// What a search does after it reported an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterEvent {
    GoOn,
    /// The search waits until the probe lets it go on ([`Probe::holds`]), or until it is stopped.
    Hold,
}

/// A best-first leaf whose own search is about to begin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeafVisit {
    /// The leaf, or where it is not in the tree yet, its parent.
    pub node: NodeId,
    /// `NONE` for the leaf itself, or else the move of `node` that leads to it.
    pub m: MoveCode,
    /// Plies before quiescence.
    pub depth: u8,
    /// Beyond it the value is only a bound. Side to move at the leaf, as is the guess.
    pub window: (Score, Score),
    /// The value that is expected, in centipawns: at the window's edge or beyond, a null window there comes first.
    pub guess: i32,
}

/// The interface to which a search reports. The free-running probe compiles to nothing; others count, record, or stop
/// and wait.
pub trait Probe: Send {
    /// If false, the compiler removes the counting and creation of events as well.
    const ACTIVE: bool;

    /// Counts an event and returns whether anybody wants to see it. Only then is it created and passed to
    /// [`Probe::event`].
    fn wants(&mut self) -> bool {
        true
    }

    /// Counts this many events at once and returns true if nobody wants to see any of them; otherwise counts none and
    /// returns false.
    fn passes_over(&mut self, _events: u64) -> bool {
        false
    }

    /// Whether the next event will be wanted: for numbers that have to be taken before the event happens.
    fn will_want(&self) -> bool {
        true
    }

    /// Whether one of the next so many events will be wanted: where nobody wants them, they need not be told apart.
    fn wants_any_of(&self, _events: u64) -> bool {
        true
    }

    /// Counts this many events that nobody wanted when it was asked, and that therefore cannot be shown any more.
    fn count_unseen(&mut self, _events: u64) {}

    fn event(&mut self, event: Event) -> AfterEvent;

    /// After [`AfterEvent::Hold`]: whether the search still has to wait.
    fn holds(&self) -> bool {
        false
    }

    /// Called before the search of a best-first leaf begins. [`AfterEvent::Hold`] has the meaning that it has after an
    /// event.
    fn leaf_visit(&mut self, _visit: &LeafVisit) -> AfterEvent {
        AfterEvent::GoOn
    }

    /// Whether the next clean point is of any use. It is asked at every descent and should cost next to nothing.
    fn wants_clean_point(&self) -> bool {
        true
    }

    /// Called when the main thread of a single-threaded best-first search is between two descents, with no state other
    /// than the tree: a run that starts on this tree (or a copy) at `start` reports the events that this run is going
    /// to report. A stop requested in here ends the run right here.
    ///
    /// Depth-first searches have no such point: their killers and history are not part of a [`Start`].
    fn clean_point(&mut self, _start: Start) {}
}

/// The probe of a search that nobody watches.
#[derive(Debug, Default, Clone, Copy)]
pub struct Free;

impl Probe for Free {
    const ACTIVE: bool = false;

    #[inline(always)]
    fn wants(&mut self) -> bool {
        false
    }

    #[inline(always)]
    fn will_want(&self) -> bool {
        false
    }

    #[inline(always)]
    fn wants_any_of(&self, _: u64) -> bool {
        false
    }

    fn event(&mut self, _: Event) -> AfterEvent {
        AfterEvent::GoOn
    }
}

/// A probe that keeps every event, for tests.
#[derive(Debug, Default, Clone)]
pub struct Record(pub Vec<Event>);

impl Probe for Record {
    const ACTIVE: bool = true;

    fn event(&mut self, event: Event) -> AfterEvent {
        self.0.push(event);
        AfterEvent::GoOn
    }
}

impl<P: Probe> Probe for &mut P {
    const ACTIVE: bool = P::ACTIVE;

    #[inline(always)]
    fn wants(&mut self) -> bool {
        (**self).wants()
    }

    #[inline(always)]
    fn will_want(&self) -> bool {
        (**self).will_want()
    }

    #[inline(always)]
    fn passes_over(&mut self, events: u64) -> bool {
        (**self).passes_over(events)
    }

    #[inline(always)]
    fn wants_any_of(&self, events: u64) -> bool {
        (**self).wants_any_of(events)
    }

    #[inline(always)]
    fn count_unseen(&mut self, events: u64) {
        (**self).count_unseen(events);
    }

    fn event(&mut self, event: Event) -> AfterEvent {
        (**self).event(event)
    }

    fn holds(&self) -> bool {
        (**self).holds()
    }

    fn leaf_visit(&mut self, visit: &LeafVisit) -> AfterEvent {
        (**self).leaf_visit(visit)
    }

    #[inline(always)]
    fn wants_clean_point(&self) -> bool {
        (**self).wants_clean_point()
    }

    fn clean_point(&mut self, start: Start) {
        (**self).clean_point(start);
    }
}
