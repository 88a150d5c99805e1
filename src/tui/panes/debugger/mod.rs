//! The debugger's user interface: where the search has stopped, what changed since it last stopped, the log and its
//! filter, the breakpoints. Control over the search itself is in the engine.

pub mod breaks;
mod commands;
pub(crate) mod keys;
pub mod marks;
pub(crate) mod view;

pub use commands::DebuggerPane;

use std::collections::BTreeSet;
use std::time::Instant;

use super::log::LogView;
use breaks::Break;
use marks::Marks;
use session::Reader;
use session::breakpoint::{Breakpoint, EXAMPLES};
use session::debug::{EventPosition, Log, Standing, Step, Visit, Why};

use crate::panes::tree;
use crate::recent::RecentBreakpoints;
use ::tree::NodeId;
use search::Event;

/// The number of the breakpoint that stops the search once ([`Debugger::run_to`]); those of the list count from 1.
pub const RUN_TO: usize = usize::MAX;

/// The scrubber can be clicked and dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scrubber;

/// The debugger's state on the screen.
#[derive(Debug, Default)]
pub struct Debugger {
    /// Whether the log, the scrubber and the event's sentence are on the screen.
    pub shown: bool,
    /// The event that the search has stopped at, as the screen shows it.
    pub stop: Option<Standing>,
    /// When the search left that event, if the event is still shown.
    pub left: Option<Instant>,
    /// The place of that event in the search.
    pub place: EventPosition,
    /// The line from the root to the event's node.
    pub line: Vec<NodeId>,
    /// The nodes of the line that a depth-first search is in the middle of, the innermost first.
    visits: Vec<Visit>,
    /// The events where a breakpoint stopped the search, as long as they can be reached.
    pub hits: BTreeSet<u64>,
    pub marks: Marks,
    pub log: LogView,
    /// Kept from one search to the next.
    pub breakpoints: Vec<Break>,
    /// The breakpoints that were set last, in this run of the program and before.
    pub recent: RecentBreakpoints,
    /// Where the search is to stop once, with the name of the place.
    pub run_to: Option<(Breakpoint, String)>,
    /// The step to take when the search is back at its beginning.
    pub then: Option<(Step, u32)>,
    /// The user's selection before a rewind that is under way.
    pub kept: Option<tree::SavedSelection>,
    /// The event under the mouse while it drags the scrubber.
    pub dragged: Option<u64>,
}

impl Debugger {
    /// Whether a breakpoint is set and switched on.
    pub fn has_active_breakpoint(&self) -> bool {
        self.breakpoints.iter().any(|b| b.active().is_some())
    }

    /// Starts with a new search: forgets what was seen of the old one; the breakpoints and what is shown stay.
    pub fn begin(&mut self) {
        self.left = None;
        self.then = None;
        self.run_to = None;
        self.kept = None;
        self.place = EventPosition::default();
        self.leave();
        self.hits.clear();
        self.marks.clear();
        self.log.begin();
        self.dragged = None;
    }

    /// Returns texts to choose a breakpoint from, each with what it means: those that were set last, then worked
    /// examples.
    pub fn offers(&self) -> Vec<(String, String)> {
        let meaning = |text: &str| EXAMPLES.iter().find(|e| e.0 == text).map(|e| e.1);
        let recent = self.recent.texts().map(|text| {
            let what =
                meaning(text).map_or("used before".to_owned(), |m| format!("used before: {m}"));
            (text.to_owned(), what)
        });
        let is_new = |(text, _): &&(&str, &str)| !self.recent.texts().any(|t| t == *text);
        let examples = EXAMPLES.iter().filter(is_new);
        let examples = examples.map(|(text, what)| ((*text).to_owned(), (*what).to_owned()));
        recent.chain(examples).collect()
    }

    /// Returns the node of the event that the search has stopped at.
    pub fn node(&self) -> Option<NodeId> {
        self.stop.as_ref().map(|s| s.event.node())
    }

    /// Whether a node is on the line being searched.
    pub fn on_line(&self, node: NodeId) -> bool {
        !node.is_none() && self.line.contains(&node)
    }

    /// Whether the event happened at a row: at its node, or at a pruned move of its parent.
    pub fn is_at(&self, row: &tree::Row) -> bool {
        match self.stop.as_ref().map(|s| &s.event) {
            Some(Event::Prune { parent, m, .. }) => (row.parent, row.code) == (*parent, *m),
            Some(event) => !row.node.is_none() && row.node == event.node(),
            None => false,
        }
    }

    /// Called when the search stopped at an event: the line ends at the event's node.
    pub fn arrive(&mut self, standing: Standing, reader: Reader) {
        self.line = reader.tree.path(standing.event.node());
        self.visits.clear();
        if matches!(standing.why, Why::Breakpoint(n) if n > 0 && n != RUN_TO) {
            self.hits.insert(standing.number);
        }
        self.stop = Some(standing);
    }

    /// Looks up what is known of the nodes that the search is in the middle of. A best-first search always keeps their
    /// figures in the tree, and a search that has ended is not in the middle of any node.
    pub fn look_into_line(&mut self, reader: Reader, log: &Log) {
        let stop = self.stop.as_ref().filter(|s| s.why != Why::Ended);
        self.visits = match stop {
            Some(stop) if !reader.is_best_first() => log.visits(&self.line, stop.number),
            _ => Vec::new(),
        };
    }

    /// Called when the search leaves the event.
    pub fn leave(&mut self) {
        self.stop = None;
        self.line.clear();
        self.visits.clear();
    }

    /// Returns what is known of a node that the search is in the middle of.
    pub fn visit(&self, node: NodeId) -> Option<&Visit> {
        self.visits.iter().find(|v| v.node == node)
    }
}
