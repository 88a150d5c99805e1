//! The debugger's face: where the search stands, what changed since it stood before, the log and its filter, the
//! breakpoints. The search itself is the engine's.

pub mod breaks;
pub mod log;
pub mod marks;

use std::time::Instant;

use crate::engine::debug::{Place, Standing, Step};
use breaks::Break;
use log::LogView;
use marks::Marks;

use super::explorer;
use crate::search::Event;
use crate::tree::{NodeId, Tree};

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
    pub place: Place,
    /// From the root to the event's node.
    pub line: Vec<NodeId>,
    pub marks: Marks,
    pub log: LogView,
    /// Kept from one search to the next.
    pub breakpoints: Vec<Break>,
    /// To be done when the search is back at its beginning.
    pub then: Option<(Step, u32)>,
    /// Where the person was before a rewind that is under way.
    pub kept: Option<explorer::Place>,
    /// The event under the mouse that drags the scrubber.
    pub dragged: Option<u64>,
}

impl Debugger {
    /// Another search begins: what was seen of the old one is forgotten; the breakpoints and what is shown stay.
    pub fn begin(&mut self) {
        self.stop = None;
        self.left = None;
        self.then = None;
        self.kept = None;
        self.place = Place::default();
        self.line.clear();
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
    pub fn is_at(&self, row: &explorer::Row) -> bool {
        match self.stop.map(|s| s.event) {
            Some(Event::Prune { parent, m, .. }) => (row.parent, row.code) == (parent, m),
            Some(event) => !row.node.is_none() && row.node == event.node(),
            None => false,
        }
    }

    /// The line ends at the event's node.
    pub fn follow(&mut self, tree: &Tree) {
        self.line = self.node().map_or_else(Vec::new, |node| tree.path(node));
    }
}
