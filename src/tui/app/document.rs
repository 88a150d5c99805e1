//! Navigation in the game and the document; opening and reloading files.

use super::{App, Effect, Level};
use game::load::{Document, Entry, LoadError};
use search::Subjects as _;

impl App {
    /// Moves along the current line of the game, and searches there. After a detour the first step leads back to the
    /// game.
    pub fn walk_game(&mut self, by: isize) {
        let line = self.current.line_through(self.node);
        let moves = line.len() - 1;
        if self.detour.is_some() {
            self.go_to_node(self.node);
        } else if self.current.plies() == 0 {
            self.say(Level::Info, "no game here: only a position");
        } else {
            let ply = self.ply.saturating_add_signed(by).min(moves);
            if ply == self.ply {
                let end = if by < 0 { "beginning" } else { "end" };
                self.say(Level::Info, format!("the {end} of the game"));
            } else {
                self.go_to_node(line[ply]);
            }
        }
    }

    /// Goes to a ply of the current line of the game.
    pub fn go_to_ply(&mut self, ply: usize) {
        let line = self.current.line_through(self.node);
        self.go_to_node(line[ply.min(line.len() - 1)]);
    }

    /// Goes to a node of the game, and searches there; in the Game tab, the search waits until the user asks for it.
    pub fn go_to_node(&mut self, node: usize) {
        if self.detour.is_some() {
            // The game leads back to its own positions, but not to this one.
            self.leave_for_another();
        }
        self.set_node(node);
        self.subject = self.current.subject_of(node);
        self.detour = None;
        self.dirty = true;
        self.tab.screen().place_changed(self);
    }

    pub(crate) fn set_node(&mut self, node: usize) {
        let game = self.current.game();
        let ply = game.and_then(|g| Some(g.nodes.get(node)?.ply));
        self.node = node;
        self.ply = ply.unwrap_or(0) as usize;
    }

    /// Starts a search of the current place in the game, unless that position is already being searched.
    pub(crate) fn search_place(&mut self) {
        let here = self
            .session
            .as_ref()
            .is_some_and(|s| s.reader().subject.is_same(&self.subject));
        if !here {
            self.start_search();
        }
    }

    pub fn walk_entries(&mut self, by: isize) {
        let count = self.document.len();
        let next = self.entry.saturating_add_signed(by).min(count - 1);
        if next == self.entry {
            self.say(
                Level::Info,
                format!("{} of {count}: no further", self.entry + 1),
            );
        } else {
            self.open_entry(next);
        }
    }

    /// Shows another game or position of the document.
    /// If it cannot be read, the error is reported and the current entry stays open.
    pub fn open_entry(&mut self, entry: usize) {
        let entry = entry.min(self.document.len() - 1);
        if self.detour.is_some() {
            self.leave_for_another();
            self.detour = None;
        }
        match self.document.entry(entry) {
            Ok(opened) => {
                self.game.leave(self.entry);
                self.entry = entry;
                self.current = opened;
                self.game.enter(entry);
                self.begin_entry();
            }
            Err(what) => self.say(Level::Error, what),
        }
    }

    /// Goes to the beginning of a newly opened game or position.
    fn begin_entry(&mut self) {
        self.game.list.select(self.entry);
        self.go_to_node(0);
        self.tell_about_entry();
    }

    /// Reports what was skipped in the current entry.
    pub(crate) fn tell_about_entry(&mut self) {
        let problems = self.current.problems.iter().map(LoadError::to_string);
        let warnings: Vec<String> = self
            .current
            .warnings
            .iter()
            .cloned()
            .chain(problems)
            .collect();
        for warning in warnings {
            self.say(Level::Warning, warning);
        }
    }

    /// Plays moves from the current position: SAN, UCI or names of a toy tree.
    ///
    /// # Errors
    /// The first word that is not a move.
    pub fn play_line(&mut self, moves: &str) -> Result<(), String> {
        let after = self.subject.play_text(moves).map_err(|e| e.to_string())?;
        self.subject = after.clone();
        self.detour = Some((after, crate::text::harmless(moves)));
        Ok(())
    }

    /// Replaces the open document.
    pub fn open_document(&mut self, document: Document) {
        self.opening = None;
        self.leave_text();
        let (entry, opened) = match document.first_entry() {
            Ok(first) => first,
            Err(what) => {
                self.say(Level::Error, what);
                return;
            }
        };
        self.leave_for_another();
        let count = document.len();
        if count > 1 {
            let what = format!(
                "{}: {count} games or positions, 3 lists them",
                document.file_name()
            );
            self.say(Level::Info, what);
        }
        for problem in &document.problems {
            self.say(Level::Warning, problem.to_string());
        }
        self.entry = entry;
        self.put_document(document, opened);
        if let Some(path) = &self.document.path {
            self.recent.note(path);
        }
        self.begin_entry();
    }

    /// Puts a document with one of its entries in place of the open one; nothing of it is searched yet.
    pub(crate) fn put_document(&mut self, document: Document, opened: Entry) {
        self.detour = None;
        self.roots.opened += 1;
        self.document = document;
        self.current = opened;
        self.saved_at = None;
        self.game.begin(&self.document);
        self.effects.push(Effect::Watch);
    }

    pub(crate) fn take_reloaded(&mut self, document: Document) {
        // A large file may still be loading: wait until the current entry is known.
        document.wait_for(self.entry);
        // If the order changed, the entry of the same name is shown.
        let title = self.document.title(self.entry);
        let same = |i: &usize| document.title(*i) == title;
        let at = Some(self.entry)
            .filter(|i| *i < document.len() && same(i))
            .or_else(|| (0..document.len()).find(same))
            .unwrap_or_else(|| self.entry.min(document.len() - 1));
        let entry = match document.entry(at) {
            Ok(entry) => entry,
            Err(what) => {
                self.say(Level::Error, format!("{what} (the old is kept)"));
                return;
            }
        };
        let node = match (entry.game(), self.current.game()) {
            (Some(game), Some(old)) => game.node_after(old.moves_to(self.node)),
            _ => 0,
        };
        let (here, there) = (entry.subject_of(node), self.current.subject_of(self.node));
        let same = here.is_same(&there);
        let moves = |entry: &Entry| entry.names_of(&entry.line_through(0));
        let same_game = moves(&entry) == moves(&self.current);
        self.say(Level::Info, format!("{}: read again", document.file_name()));
        self.document = document;
        self.entry = at;
        self.current = entry;
        self.game
            .reloaded(same_game.then(|| self.current.line_through(0)));
        self.game.list.select(at);
        if same || self.detour.is_some() {
            self.set_node(node);
        } else {
            self.go_to_node(node);
        }
        self.tell_about_entry();
    }
}
