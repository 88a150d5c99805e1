//! The debugger's face: where the search stands, what changed since it stood before, the log and its filter, the
//! breakpoints. The search itself is the engine's.

pub mod breaks;
mod commands;
pub(in crate::tui) mod keys;
pub mod marks;
pub(in crate::tui) mod view;

pub use commands::DebuggerPane;

use std::collections::BTreeSet;
use std::time::Instant;

use super::log::LogView;
use crate::engine::Reader;
use crate::engine::debug::{EventPosition, Log, Standing, Step, Visit, Why};
use breaks::Break;
use marks::Marks;

use crate::search::Event;
use crate::tree::NodeId;
use crate::tui::panes::tree;

/// What the screen keeps of the debugger.
#[derive(Debug, Default)]
pub struct Debugger {
    /// The log, the scrubber and the event's sentence are on the screen.
    pub shown: bool,
    /// The event that the search stands at, as the screen shows it.
    pub stop: Option<Standing>,
    /// Since when the search has left it, if it is still shown.
    pub left: Option<Instant>,
    /// Where in the search that is.
    pub place: EventPosition,
    /// From the root to the event's node.
    pub line: Vec<NodeId>,
    /// The nodes of it that a depth-first search is in the middle of, the innermost first.
    visits: Vec<Visit>,
    /// The events it stood at because of a breakpoint, as long as one can go there.
    pub hits: BTreeSet<u64>,
    pub marks: Marks,
    pub log: LogView,
    /// Kept from one search to the next.
    pub breakpoints: Vec<Break>,
    /// To be done when the search is back at its beginning.
    pub then: Option<(Step, u32)>,
    /// Where the person was before a rewind that is under way.
    pub kept: Option<tree::SavedSelection>,
    /// The event under the mouse that drags the scrubber.
    pub dragged: Option<u64>,
}

impl Debugger {
    /// Whether a breakpoint is set and switched on.
    pub fn has_active_breakpoint(&self) -> bool {
        self.breakpoints.iter().any(|b| b.active().is_some())
    }

    /// Another search begins: what was seen of the old one is forgotten; the breakpoints and what is shown stay.
    pub fn begin(&mut self) {
        self.left = None;
        self.then = None;
        self.kept = None;
        self.place = EventPosition::default();
        self.leave();
        self.hits.clear();
        self.marks.clear();
        self.log.begin();
        self.dragged = None;
    }

    /// The node of the event that the search stands at.
    #[must_use]
    pub fn node(&self) -> Option<NodeId> {
        self.stop.map(|s| s.event.node())
    }

    /// Whether a node lies on the line being searched.
    #[must_use]
    pub fn on_line(&self, node: NodeId) -> bool {
        !node.is_none() && self.line.contains(&node)
    }

    /// Whether the event happened at a row: at its node, or a pruned move of its parent.
    #[must_use]
    pub fn is_at(&self, row: &tree::Row) -> bool {
        match self.stop.map(|s| s.event) {
            Some(Event::Prune { parent, m, .. }) => (row.parent, row.code) == (parent, m),
            Some(event) => !row.node.is_none() && row.node == event.node(),
            None => false,
        }
    }

    /// The search stands at an event: the line ends at its node.
    pub fn arrive(&mut self, standing: Standing, reader: Reader) {
        self.stop = Some(standing);
        self.line = reader.tree.path(standing.event.node());
        self.visits.clear();
        if matches!(standing.why, Why::Breakpoint(n) if n > 0) {
            self.hits.insert(standing.number);
        }
    }

    /// Looks up what is known of the nodes that the search is in the middle of. A best-first search keeps their figures
    /// in the tree all the time, and one that has ended is in none.
    pub fn look_into_line(&mut self, reader: Reader, log: &Log) {
        let stop = self.stop.filter(|s| s.why != Why::Ended);
        self.visits = match stop {
            Some(stop) if !reader.is_best_first() => log.visits(&self.line, stop.number),
            _ => Vec::new(),
        };
    }

    /// The search does not stand any more.
    pub fn leave(&mut self) {
        self.stop = None;
        self.line.clear();
        self.visits.clear();
    }

    /// What is known of a node that the search is in the middle of.
    #[must_use]
    pub fn visit(&self, node: NodeId) -> Option<&Visit> {
        self.visits.iter().find(|v| v.node == node)
    }
}
