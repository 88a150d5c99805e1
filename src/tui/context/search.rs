//! Starting and stopping the search that is shown.

use super::rate::Rate;
use super::{Ask, Context, Level, same_place};
use crate::source::Source;
use game::MoveCode;
use search::Reuse;
use session::{Config, Next, Session, drop_aside};
use std::sync::Arc;

impl Context {
    /// Returns the configuration of a search of the current place: another program's search where the document has one of it, and
    /// no algorithm was chosen instead.
    pub fn config_here(&self) -> Config {
        match &self.current.recorded {
            Some(recorded) if self.own_instead != Some(self.entry) && self.is_at_root() => {
                self.config.reading(Arc::clone(recorded))
            }
            _ => self.config.clone(),
        }
    }

    /// Whether the current place is the one at which the document's search begins.
    fn is_at_root(&self) -> bool {
        self.detour.is_none() && self.subject.is_same(&self.current.subject())
    }

    /// Starts a search of the current position, and stops the one that ran.
    ///
    /// If both searches start at the same position, what was open and selected in the old tree is opened and selected
    /// in the new one as it grows. If the position is one of the old tree, the new search may start with the subtree
    /// below it.
    pub fn start_search(&mut self) {
        let old = self.session.as_ref();
        let same = old.is_some_and(|old| same_place(old.reader().subject, &self.subject));
        let place = self.with_tree(|explorer, reader| explorer.place(reader));
        let (session, kept) = self.next_session();
        // The columns use the cores while they are shown.
        let waits = self.tab.kind().has_cores;
        let place = match &kept {
            Some((_, moves)) => place.map(|place| place.after(moves)),
            None => place.filter(|_| same),
        };
        self.look_at(Source::Live(Box::new(session)));
        self.limit_search();
        if let Some((reuse, _)) = kept {
            self.say(Level::Info, reuse.to_string());
        }
        self.read_breakpoints_again();
        self.set_breakpoints();
        if let Some(session) = self.live().filter(|_| !waits) {
            session.resume();
        }
        if let Some(place) = place {
            self.explore.tree.resume(place);
        }
        self.asks.push(Ask::SearchBegan);
    }

    /// Shows the position with nothing searched yet: the search waits for the user.
    pub fn wait_to_search(&mut self) {
        let session = Session::start_paused(self.subject.clone(), self.config_here());
        self.look_at(Source::Live(Box::new(session)));
        self.limit_search();
        self.set_breakpoints();
    }

    /// Ends the current search and returns one of the current position, on the tree of the former where possible. It waits,
    /// so that breakpoints can be set before its first event. Also returns what was kept of that tree, and the moves that
    /// were made.
    fn next_session(&mut self) -> (Session, Option<(Reuse, Vec<MoveCode>)>) {
        let old = self.session_to_end();
        if self.tab.kind().has_cores {
            self.columns.explore_held = true;
        } else {
            self.columns.hold();
        }
        let (subject, config) = (self.subject.clone(), self.config_here());
        match old {
            Some(Source::Live(old)) => {
                let moves = subject.moves_since(old.subject());
                let next = Next {
                    paused: true,
                    steps_back: true,
                    ..Next::default()
                };
                let (session, reuse) = Session::start_after(*old, subject, config, next);
                (session, reuse.zip(moves))
            }
            _ => (Session::start_paused(subject, config), None),
        }
    }

    pub(crate) fn look_at(&mut self, source: Source) {
        self.session = Some(source);
        self.explore.again = None;
        self.explore.hunt = None;
        self.explore.asking = None;
        self.explore.limit_told = None;
        self.explore.tree.reset();
        self.explore.debug.begin();
        self.explore.board_node = None;
        self.explore.board.line = None;
        self.rate = Rate::default();
        self.explore.inspector_top = 0;
        self.dirty = true;
    }

    /// Ends the search without waiting, since freeing a big tree takes a while.
    pub fn stop_search(&mut self) {
        if let Some(old) = self.session_to_end() {
            old.stop();
            if old.bytes() < 1 << 20 {
                drop(old);
            } else {
                drop_aside(old);
            }
        }
    }
}
