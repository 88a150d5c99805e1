//! The positions that were explored before: back to them and forward again, with their trees where memory allows.

use super::Context;
use crate::panes::tree::SavedSelection;
use crate::source::Source;
use games::{Document, Entry};
use session::{Config, State, Subject, drop_aside};

/// What was explored: a position, its place in the document, and its search.
#[derive(Debug)]
pub(crate) struct Explored {
    pub(crate) subject: Subject,
    pub(crate) config: Config,
    pub(crate) detour: Option<(Subject, String)>,
    pub(crate) document: Document,
    /// Which of the documents opened so far it is.
    pub(crate) opened: usize,
    pub(crate) entry: (usize, Entry),
    pub(crate) node: usize,
    pub(crate) ply: usize,
    /// Its search with the tree; `None` if that had to give way and is to be searched again.
    pub(crate) source: Option<Source>,
    pub(crate) selection: Option<SavedSelection>,
    pub(crate) runs: bool,
    /// Whether anything had been searched.
    pub(crate) searched: bool,
}

impl Explored {
    fn bytes(&self) -> u64 {
        let Some(source) = &self.source else { return 0 };
        let copies = source.live().map_or(0, |session| {
            session.bytes_of_copies() + session.config().table_bytes()
        });
        source.bytes() + copies
    }
}

/// The positions explored before the present one, and those that the user came back from.
#[derive(Debug, Default)]
pub struct Roots {
    pub(crate) back: Vec<Explored>,
    pub(crate) forward: Vec<Explored>,
    /// How many documents were opened.
    pub(crate) opened: usize,
}

/// The number of positions that are remembered.
const MOST: usize = 50;

impl Roots {
    /// Lets the oldest trees go until the rest takes at most `budget` bytes. Their positions stay, to be searched again.
    pub(crate) fn fit(&mut self, budget: u64) {
        let surplus = self.back.len().saturating_sub(MOST);
        self.back.drain(..surplus).for_each(drop_aside);
        let mut used = 0;
        for explored in self.back.iter_mut().rev().chain(&mut self.forward) {
            used += explored.bytes();
            if used > budget
                && let Some(source) = explored.source.take()
            {
                source.stop();
                drop_aside(source);
            }
        }
    }
}

impl Context {
    /// Explores another position from now on; the present one stays reachable with its tree. `name` says where the
    /// position comes from, beside the game.
    pub(crate) fn explore_from(&mut self, subject: Subject, name: String) {
        self.show_explore();
        self.leave_for_another();
        self.subject = subject.clone();
        self.detour = Some((subject, name));
        self.start_search();
    }

    /// Remembers what is explored before something else is, with its tree if that is on the screen. Not for a lesson,
    /// which has its own place.
    pub(crate) fn leave_for_another(&mut self) {
        if self.reading.is_open() || !self.has_searched() {
            return;
        }
        let explored = self.put_aside(self.in_explore());
        self.roots.back.push(explored);
        self.forget_forward();
    }

    /// Remembers what is explored before a search goes on from its tree, which it takes along.
    pub(crate) fn leave_tree_to_next(&mut self) {
        if self.reading.is_open() || !self.has_searched() {
            return;
        }
        let explored = self.put_aside(false);
        self.roots.back.push(explored);
        self.forget_forward();
    }

    fn forget_forward(&mut self) {
        let forward = std::mem::take(&mut self.roots.forward);
        for explored in forward {
            if let Some(source) = &explored.source {
                source.stop();
            }
            drop_aside(explored);
        }
        self.roots.fit(self.config.memory);
    }

    fn has_searched(&self) -> bool {
        let status = self.searched().map(Source::status);
        status.is_some_and(|status| status.totals.nodes > 0)
    }

    /// Describes what is explored, and takes its search if `with_tree`.
    pub(crate) fn put_aside(&mut self, with_tree: bool) -> Explored {
        self.close_leaf_search();
        let searched = self.has_searched();
        let runs = self.state() == Some(State::Running) && !self.search_is_stepping();
        let own = self.columns.lent.is_none();
        let selection = self.with_tree(|explorer, reader| explorer.place(reader));
        let mut source = match with_tree {
            true => self.session_to_end(),
            false => None,
        };
        if let Some(source) = &mut source {
            source.pause();
        }
        Explored {
            subject: self.subject.clone(),
            config: self.config.clone(),
            detour: self.detour.clone(),
            document: self.document.clone(),
            opened: self.roots.opened,
            entry: (self.entry, self.current.clone()),
            node: self.node,
            ply: self.ply,
            source,
            selection: selection.filter(|_| own),
            runs,
            searched,
        }
    }
}
