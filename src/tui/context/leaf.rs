//! The search of a leaf, shown in place of the tree that the leaf is in.

use super::{Context, Level};
use crate::panes::tree::SavedSelection;
use crate::source::Source;
use session::{State, drop_aside};
use tree::NodeId;

/// The search whose leaf is shown: it waits, and is shown again afterwards.
#[derive(Debug)]
pub struct Outer {
    pub source: Source,
    place: Option<SavedSelection>,
    runs: bool,
    /// Whether the leaf's search is being stepped through.
    pub stepped: bool,
}

impl Context {
    /// Shows how the selected leaf was searched; where that is shown, goes back to the tree.
    pub fn toggle_leaf_search(&mut self) {
        if self.close_leaf_search() {
            return;
        }
        let row = self.explore.tree.selected_row();
        let node = row.map_or(NodeId::NONE, |row| row.node);
        if !self.can_step() || self.reading.is_under_way() {
            return;
        }
        let line = self.row_line();
        let runs = self.state() == Some(State::Running) && !self.search_is_stepping();
        let opened = self.live().map(|session| session.open_leaf(node, false));
        let leaf = match opened {
            Some(Ok(leaf)) => leaf,
            Some(Err(why)) => return self.say(Level::Info, why.to_string()),
            None => return,
        };
        let way = leaf.way_to_leaf().unwrap_or_default().to_vec();
        let place = self.with_tree(|explorer, reader| explorer.place(reader));
        let Some(mut source) = self.session.take() else {
            return;
        };
        if runs {
            source.pause();
        }
        self.look_at(Source::Live(Box::new(leaf)));
        self.explore.outer = Some(Outer {
            source,
            place,
            runs,
            stepped: false,
        });
        self.explore.tree.resume(SavedSelection::of_line(way));
        let keys = |id| crate::views::bar::key_of_command(self, id);
        let what = format!(
            "how {line} was searched · {} steps through it · {} back to the tree",
            keys("step"),
            keys("cancel")
        );
        self.say(Level::Info, what);
    }

    /// Goes back from a leaf's search to the tree that the leaf is in. Returns false where none is shown.
    pub fn close_leaf_search(&mut self) -> bool {
        let Some(outer) = self.explore.outer.take() else {
            return false;
        };
        drop_aside(self.session.take());
        self.look_at(outer.source);
        self.set_breakpoints();
        self.with_tree(|explorer, reader| explorer.refresh(reader, false));
        if let Some(place) = outer.place {
            self.explore.tree.resume(place.renewed());
        }
        if outer.runs
            && let Some(session) = &mut self.session
        {
            session.resume();
        }
        true
    }

    /// Puts the search whose leaf is shown back in its place, for the caller to end.
    pub(crate) fn drop_leaf_search(&mut self) {
        if let Some(outer) = self.explore.outer.take() {
            drop_aside(self.session.replace(outer.source));
        }
    }

    /// The search itself, even while that of one of its leaves is shown.
    pub(crate) fn searched(&self) -> Option<&Source> {
        let outer = self.explore.outer.as_ref().map(|outer| &outer.source);
        outer.or(self.session.as_ref())
    }

    /// Says what the selected leaf has instead of moves below it.
    pub(crate) fn hint_at_leaf_search(&mut self) {
        let Some(Source::Live(session)) = self.session.as_ref() else {
            return;
        };
        let config = session.config();
        let searched = config.algorithm.opens_leaves(&config.options);
        let row = self.explore.tree.selected_row();
        let is_leaf = row.is_some_and(|row| {
            let tree = session.tree();
            !row.node.is_none() && tree.node(row.node).child_count() == 0
        });
        if searched && is_leaf && session.standing().is_none() {
            self.say(
                Level::Info,
                "a leaf: nothing below it yet; g l shows how it was searched",
            );
        }
    }
}
