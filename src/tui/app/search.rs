//! Starting and stopping the search that is shown.

use super::rate::Rate;
use super::{App, Ask, Level, same_place};
use crate::source::{Source, Still};
use game::MoveCode;
use search::Reuse;
use session::{Next, Session, drop_aside};

impl App {
    /// Starts a search of the current position, and stops the one that ran.
    ///
    /// If both searches start at the same position, what was open and selected in the old tree is opened and selected
    /// in the new one as it grows. If the position is one of the old tree, the new search may start with the subtree
    /// below it.
    pub fn start_search(&mut self) {
        let old = self.cx.session.as_ref();
        let same = old.is_some_and(|old| same_place(old.reader().subject, &self.cx.subject));
        let place = self.with_tree(|explorer, reader| explorer.place(reader));
        let (session, kept) = self.next_session();
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
        if let Some(place) = place {
            self.cx.explore.tree.resume(place);
        }
        self.cx.asks.push(Ask::SearchBegan);
    }

    /// Shows the position with nothing searched yet: the search waits for the user.
    pub fn wait_to_search(&mut self) {
        let session = Session::start_paused(self.cx.subject.clone(), self.cx.config.clone());
        self.look_at(Source::Live(Box::new(session)));
        self.limit_search();
        self.set_breakpoints();
    }

    /// Ends the current search and starts one of the current position, on the tree of the former where possible. Also
    /// returns what was kept of that tree, and the moves that were made.
    fn next_session(&mut self) -> (Session, Option<(Reuse, Vec<MoveCode>)>) {
        let old = self.session_to_end();
        // The columns use the cores while they are shown.
        let paused = self.cx.tab.screen().has_cores();
        if paused {
            self.cx.columns.explore_held = true;
        } else {
            self.cx.columns.hold();
        }
        let (subject, config) = (self.cx.subject.clone(), self.cx.config.clone());
        match old {
            Some(Source::Live(old)) => {
                let moves = subject.moves_since(old.subject());
                let next = Next {
                    paused,
                    steps_back: true,
                    ..Next::default()
                };
                let (session, reuse) = Session::start_after(*old, subject, config, next);
                (session, reuse.zip(moves))
            }
            _ if paused => (Session::start_paused(subject, config), None),
            _ => (Session::start(subject, config), None),
        }
    }

    /// Shows a finished tree.
    pub fn show_still(&mut self, still: Still) {
        self.stop_search();
        self.cx.subject = still.subject.clone();
        self.cx.config = still.config.clone();
        self.look_at(Source::Still(Box::new(still)));
        self.tend();
    }

    pub(crate) fn look_at(&mut self, source: Source) {
        self.cx.session = Some(source);
        self.cx.explore.again = None;
        self.cx.explore.hunt = None;
        self.cx.explore.asking = None;
        self.cx.explore.limit_told = None;
        self.cx.explore.tree.reset();
        self.cx.explore.debug.begin();
        self.cx.explore.board_node = None;
        self.cx.explore.board.line = None;
        self.cx.rate = Rate::default();
        self.cx.explore.inspector_top = 0;
        self.cx.dirty = true;
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
