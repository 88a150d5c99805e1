//! The state of the log pane: which events it shows, its viewport, and its selection.

mod commands;
pub(crate) mod view;

use std::ops::Range;

pub use commands::LogPane;

use crate::panes::tree::RowKey;
use screen::list::List;
use search::Event;
use session::breakpoint::Breakpoint;
use session::debug::Log;
use tree::{NodeId, Tree};

/// The number of events that a filter checks between two frames.
const CHUNK: u64 = 40_000;

/// What can be clicked in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogTarget {
    Frame,
    /// A row, by its place among the events shown.
    Event(usize),
}

/// A row of the tree whose events alone are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnlyRow {
    pub key: RowKey,
    /// `NONE` for a move without a node.
    pub node: NodeId,
    pub name: String,
}

impl OnlyRow {
    /// Whether an event happened at the node; for a move that was not searched, whether the event pruned it.
    fn fits(&self, event: &Event) -> bool {
        match *event {
            Event::Prune { parent, m, .. } if (parent, m) == (self.key.parent, self.key.code) => {
                true
            }
            _ => !self.node.is_none() && event.node() == self.node,
        }
    }
}

/// The events that are shown. Matches are kept, so that only new events are checked.
#[derive(Debug, Default)]
pub struct LogView {
    pub only: Option<OnlyRow>,
    /// Shows only events that match this.
    pub filter: Option<Breakpoint>,
    /// The last query.
    pub query: String,
    pub list: List,
    /// Whether the selection stays on the newest event as others arrive.
    follows: bool,
    /// The numbers of the events that match, if there is a filter.
    found: Vec<u64>,
    /// The events checked for that.
    scanned: Range<u64>,
    /// The events shown if there is no filter.
    all: Range<u64>,
}

impl LogView {
    /// Starts with another search: the filter expression stays, while the row, which is one of the old tree, is
    /// dropped.
    pub fn begin(&mut self) {
        *self = LogView {
            filter: self.filter.take(),
            query: std::mem::take(&mut self.query),
            follows: true,
            ..LogView::default()
        };
    }

    pub fn is_filtered(&self) -> bool {
        self.only.is_some() || self.filter.is_some()
    }

    /// Called when the filter changed: all events are checked again.
    pub fn forget(&mut self) {
        self.found.clear();
        self.scanned = 0..0;
        self.follows = true;
    }

    /// Takes the events up to `now`.
    pub fn refresh(&mut self, log: &Log, now: u64, tree: &Tree) {
        let end = log.end().min(now + 1).max(log.first());
        let selected = self.selected();
        self.all = log.first()..end;
        if self.is_filtered() {
            self.scan(log, end, tree);
        }
        match selected {
            Some(number) if !self.follows => self.select(number),
            _ => self.newest(),
        }
    }

    fn scan(&mut self, log: &Log, end: u64, tree: &Tree) {
        let first = log.first();
        if end < self.scanned.end || first > self.scanned.end || first < self.scanned.start {
            self.found.clear();
            self.scanned = first..first;
        }
        let gone = self.found.partition_point(|&n| n < first);
        self.found.drain(..gone);
        let from = self.scanned.end.max(first);
        let end = end.min(from + CHUNK);
        for number in from..end {
            let Some(event) = log.get(number) else {
                continue;
            };
            let of_row = self.only.as_ref().is_none_or(|row| row.fits(event));
            let fits = self.filter.as_ref().is_none_or(|f| f.holds(event, tree));
            if of_row && fits {
                self.found.push(number);
            }
        }
        self.scanned = first..end;
    }

    /// Whether a filter has not checked all events yet.
    pub fn is_behind(&self) -> bool {
        self.is_filtered() && self.scanned.end < self.all.end
    }

    /// Returns the number of events shown.
    pub fn len(&self) -> usize {
        if self.is_filtered() {
            self.found.len()
        } else {
            (self.all.end - self.all.start) as usize
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of the event in a row.
    pub fn number(&self, row: usize) -> Option<u64> {
        if self.is_filtered() {
            self.found.get(row).copied()
        } else {
            Some(self.all.start + row as u64).filter(|n| self.all.contains(n))
        }
    }

    /// Returns the number of the selected event.
    pub fn selected(&self) -> Option<u64> {
        self.number(self.list.selected)
    }

    /// Selects an event, or the last one shown before it.
    pub fn select(&mut self, number: u64) {
        let row = if self.is_filtered() {
            self.found.partition_point(|&n| n <= number)
        } else {
            (number + 1).saturating_sub(self.all.start) as usize
        };
        self.list.selected = row.saturating_sub(1).min(self.len().saturating_sub(1));
        self.follows = self.list.selected + 1 >= self.len();
    }

    /// Selects the newest event, and the next ones as they arrive.
    pub fn newest(&mut self) {
        self.follows = true;
        self.list.selected = self.len().saturating_sub(1);
    }

    /// Moves the selection or the viewport.
    pub fn with_list<R>(&mut self, act: impl FnOnce(&mut List, usize) -> R) -> R {
        let count = self.len();
        let done = act(&mut self.list, count);
        self.follows = self.list.selected + 1 >= count;
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use algorithms::Algorithm;
    use game::{ChessPosition, MoveCode, Scale, Score, Situation};
    use session::Subject;

    /// Returns a log in which iterations begin and end alternately.
    fn log(first: u64, count: u16) -> Log {
        let event = |n: u64| {
            let depth = n as u16 / 2;
            match n % 2 {
                0 => Event::Iteration { depth },
                _ => Event::IterationDone {
                    depth,
                    best: MoveCode::NONE,
                    score: Score::DRAW,
                },
            }
        };
        Log::of(
            first,
            (first..first + u64::from(count)).map(event).collect(),
        )
    }

    fn tree() -> Tree {
        Tree::new(Algorithm::AlphaBeta.tree_spec(Scale::Logistic, 1 << 20, 1))
    }

    fn view(filter: Option<&str>) -> LogView {
        let subject = Subject::from(Situation::new(ChessPosition::default()));
        let mut view = LogView::default();
        view.begin();
        view.filter = filter.map(|text| Breakpoint::parse(text, &subject).expect("a filter"));
        view
    }

    #[test]
    fn the_newest_event_is_followed_until_one_walks_away() {
        let (tree, mut view) = (tree(), view(None));
        view.refresh(&log(1, 10), 10, &tree);
        assert_eq!((view.len(), view.selected()), (10, Some(10)));
        view.refresh(&log(1, 20), 20, &tree);
        assert_eq!(view.selected(), Some(20));
        view.with_list(|list, count| list.walk(-5, count));
        view.refresh(&log(3, 30), 32, &tree);
        assert_eq!(view.selected(), Some(15), "its number, not its place");
        view.with_list(|list, count| list.walk(1000, count));
        view.refresh(&log(3, 40), 42, &tree);
        assert_eq!(view.selected(), Some(42));
    }

    #[test]
    fn events_after_the_present_one_are_not_shown() {
        let mut view = view(None);
        view.refresh(&log(1, 10), 4, &tree());
        assert_eq!(view.selected(), Some(4));
    }

    #[test]
    fn a_filter_finds_the_same_whether_events_come_together_or_one_by_one() {
        let (tree, mut whole, mut parts) = (
            tree(),
            view(Some("on iteration")),
            view(Some("on iteration")),
        );
        whole.refresh(&log(1, 50), 50, &tree);
        for now in 1..=50 {
            parts.refresh(&log(1, 50), now, &tree);
        }
        assert_eq!((whole.len(), &whole.found), (25, &parts.found));
        // The beginning of the log is dropped, and the search steps back.
        parts.refresh(&log(21, 30), 40, &tree);
        assert_eq!(
            (parts.found.first(), parts.found.last()),
            (Some(&22), Some(&40))
        );
        assert_eq!(parts.selected(), Some(40));
    }
}
