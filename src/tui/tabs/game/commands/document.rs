//! Opening documents and their games, and reading them again.

use crate::context::{Ask, Context, Effect, Level};
use crate::tabs::Tab;
use crate::tabs::game::GameTab;
use games::{Document, Entry, samples};

impl GameTab {
    pub fn walk_entries(&mut self, cx: &mut Context, by: isize) {
        let count = cx.document.len();
        let next = cx.entry.saturating_add_signed(by).min(count - 1);
        if next == cx.entry {
            cx.say(
                Level::Info,
                format!("{} of {count}: no further", cx.entry + 1),
            );
        } else {
            self.open_entry(cx, next);
        }
    }

    /// Shows another game or position of the document.
    /// If it cannot be read, the error is reported and the current entry stays open.
    pub fn open_entry(&mut self, cx: &mut Context, entry: usize) {
        let entry = entry.min(cx.document.len() - 1);
        if cx.detour.is_some() {
            cx.leave_for_another();
            cx.detour = None;
        }
        match cx.document.entry(entry) {
            Ok(opened) => {
                self.leave(cx.entry);
                cx.entry = entry;
                cx.current = opened;
                self.enter(entry);
                self.begin_entry(cx);
            }
            Err(what) => cx.say(Level::Error, what),
        }
    }

    /// Goes to the beginning of a newly opened game or position.
    fn begin_entry(&mut self, cx: &mut Context) {
        self.list.select(cx.entry);
        cx.go_to_node(0);
        cx.tell_about_entry();
    }

    /// Replaces the open document.
    pub fn open_document(&mut self, cx: &mut Context, document: Document) {
        cx.opening = None;
        cx.leave_text();
        let (entry, opened) = match document.first_entry() {
            Ok(first) => first,
            Err(what) => {
                cx.say(Level::Error, what);
                return;
            }
        };
        cx.leave_for_another();
        let count = document.len();
        if count > 1 {
            let what = format!(
                "{}: {count} games or positions, 3 lists them",
                document.file_name()
            );
            cx.say(Level::Info, what);
        }
        cx.entry = entry;
        let is_game = opened.plies() > 0;
        self.put_document(cx, document, opened);
        cx.tell_about_document();
        if let Some(path) = &cx.document.path {
            cx.recent.note(path);
        }
        if is_game && cx.tab != Tab::Game {
            // A game is looked at move by move, and searched where the user wants.
            let before = std::mem::replace(&mut cx.tab, Tab::Game);
            self.begin_entry(cx);
            cx.tab = before;
            cx.asks.push(Ask::Show(Tab::Game));
        } else {
            self.begin_entry(cx);
        }
    }

    /// Puts a document with one of its entries in place of the open one; nothing of it is searched yet.
    pub(crate) fn put_document(&mut self, cx: &mut Context, document: Document, opened: Entry) {
        cx.detour = None;
        cx.own_instead = None;
        cx.roots.opened += 1;
        cx.document = document;
        cx.current = opened;
        cx.saved_at = None;
        self.begin(&cx.document);
        cx.effects.push(Effect::Watch);
    }

    /// Replaces the open document by a new state of its file, and shows this entry of it.
    pub(crate) fn take_reloaded(&mut self, cx: &mut Context, document: Document, at: usize) {
        let entry = match document.entry(at) {
            Ok(entry) => entry,
            Err(what) => {
                cx.say(Level::Error, format!("{what} (the old is kept)"));
                return;
            }
        };
        let node = match (entry.game(), cx.current.game()) {
            (Some(game), Some(old)) => game.node_after(old.moves_to(cx.node)),
            _ => 0,
        };
        let (here, there) = (entry.subject_of(node), cx.current.subject_of(cx.node));
        let same = here.is_same(&there);
        let moves = |entry: &Entry| entry.names_of(&entry.line_through(0));
        let same_game = moves(&entry) == moves(&cx.current);
        let is_lost = cx.document.len() > 1 && document.title(at) != cx.document.title(cx.entry);
        let what = match is_lost {
            true => "read again; the game that was open is not in it any more",
            false => "read again",
        };
        cx.say(Level::Info, format!("{}: {what}", document.file_name()));
        cx.document = document;
        cx.entry = at;
        cx.current = entry;
        self.reloaded(same_game.then(|| cx.current.line_through(0)));
        self.list.select(at);
        if same || cx.detour.is_some() {
            cx.set_node(node);
        } else {
            cx.go_to_node(node);
        }
        cx.tell_about_entry();
    }

    pub(crate) fn open_sample(&mut self, cx: &mut Context, sample: &samples::Sample) {
        match sample.open() {
            Ok(document) => self.open_document(cx, document),
            Err(what) => cx.say(Level::Error, what),
        }
    }
}
