//! Walking the game and the document; opening and reloading files.

use std::path::Path;

use crossterm::event::KeyCode;

use super::{App, Effect, Level, Pane};
use crate::tui::document::Document;
use crate::tui::keys::Key;

impl App {
    /// Moves along the game and searches there. After a detour the first step leads back to the game.
    pub fn walk_game(&mut self, by: isize) {
        let moves = self.document.entries[self.entry].moves.len();
        if self.detour.is_some() {
            self.go_to_ply(self.ply);
        } else if moves == 0 {
            self.say(Level::Info, "no game here: only a position");
        } else {
            let ply = self.ply.saturating_add_signed(by).min(moves);
            if ply == self.ply {
                let end = if by < 0 { "beginning" } else { "end" };
                self.say(Level::Info, format!("the {end} of the game"));
            } else {
                self.go_to_ply(ply);
            }
        }
    }

    /// Searches the position after some plies of the game.
    pub fn go_to_ply(&mut self, ply: usize) {
        let entry = &self.document.entries[self.entry];
        self.ply = ply.min(entry.moves.len());
        self.subject = entry.at(self.ply);
        self.detour = None;
        self.start_search();
    }

    pub fn walk_entries(&mut self, by: isize) {
        let count = self.document.entries.len();
        let next = self.entry.saturating_add_signed(by).min(count - 1);
        if next == self.entry {
            self.say(Level::Info, format!("{} of {count}: no further", self.entry + 1));
        } else {
            self.open_entry(next);
        }
    }

    /// Looks at another game or position of the document.
    pub fn open_entry(&mut self, entry: usize) {
        self.entry = entry.min(self.document.entries.len() - 1);
        self.games.selected = self.entry;
        let at = self.document.entries[self.entry].opened_at;
        self.go_to_ply(at);
    }

    /// Takes a document in place of the open one.
    pub fn open_document(&mut self, document: Document) {
        if document.entries.is_empty() {
            self.say(Level::Error, format!("{}: nothing in it to search", document.title));
            return;
        }
        let count = document.entries.len();
        if count > 1 {
            self.say(
                Level::Info,
                format!("{}: {count} games or positions, 3 lists them", document.title),
            );
        }
        self.document = document;
        self.effects.push(Effect::Watch);
        self.open_entry(0);
    }

    /// Opens a file; what is open stays open where it can't be read.
    pub fn open_path(&mut self, path: &Path) {
        let opener = self.opener.clone();
        match (opener.0)(path) {
            Ok(document) => self.open_document(document),
            Err(what) => self.say(Level::Error, what),
        }
    }

    /// The opened file changed: its place in the file and in the game is kept where it still exists, and the search
    /// goes on where the position is the same.
    pub fn reload(&mut self) {
        let Some(path) = self.document.path.clone() else {
            return;
        };
        let opener = self.opener.clone();
        match (opener.0)(&path) {
            Ok(document) if !document.entries.is_empty() => self.take_reloaded(document),
            Ok(document) => {
                let what = format!("{}: nothing in it any more, the old is kept", document.title);
                self.say(Level::Warning, what);
            }
            Err(what) => self.say(Level::Error, format!("{what} (the old is kept)")),
        }
    }

    fn take_reloaded(&mut self, document: Document) {
        let title = &self.document.entries[self.entry].title;
        // The entry of the same name, if the order changed.
        let same = |i: &usize| document.entries[*i].title == *title;
        let entry = Some(self.entry)
            .filter(|i| *i < document.entries.len() && same(i))
            .or_else(|| (0..document.entries.len()).find(same))
            .unwrap_or_else(|| self.entry.min(document.entries.len() - 1));
        let ply = self.ply.min(document.entries[entry].moves.len());
        let before = format!("{:?}", self.document.entries[self.entry].at(self.ply));
        let after = format!("{:?}", document.entries[entry].at(ply));
        self.say(Level::Info, format!("{}: read again", document.title));
        self.document = document;
        self.entry = entry;
        self.ply = ply;
        if before != after && self.detour.is_none() {
            self.go_to_ply(ply);
        }
        self.dirty = true;
    }

    /// Keys that mean something of their own where the keyboard is. False: the table of commands decides.
    pub(super) fn pane_key(&mut self, key: Key) -> bool {
        let n = self.count.unwrap_or(1) as isize;
        if self.tab == 1 {
            return self.games_key(key, n);
        }
        let down = key.is(KeyCode::Char('j')) || key.is(KeyCode::Down);
        let up = key.is(KeyCode::Char('k')) || key.is(KeyCode::Up);
        let left = key.is(KeyCode::Char('h')) || key.is(KeyCode::Left);
        let right = key.is(KeyCode::Char('l')) || key.is(KeyCode::Right);
        if key.shift {
            return false;
        }
        match self.focus {
            Pane::Tree => false,
            Pane::Inspector if down || up => {
                let by = if down { n } else { -n };
                self.inspector_top = self.inspector_top.saturating_add_signed(by);
                true
            }
            Pane::Board if left || right => {
                self.walk_game(if right { n } else { -n });
                true
            }
            _ => false,
        }
    }

    /// The list of games.
    fn games_key(&mut self, key: Key, n: isize) -> bool {
        let count = self.document.entries.len();
        let by = match key.code {
            KeyCode::Char('j') | KeyCode::Down => n,
            KeyCode::Char('k') | KeyCode::Up => -n,
            KeyCode::PageDown => 10 * n,
            KeyCode::PageUp => -10 * n,
            KeyCode::Home => isize::MIN,
            KeyCode::End | KeyCode::Char('G') => isize::MAX,
            KeyCode::Enter => {
                let chosen = self.games.selected;
                self.show_tab(0);
                self.open_entry(chosen);
                return true;
            }
            KeyCode::Esc => {
                self.show_tab(0);
                return true;
            }
            _ => return false,
        };
        if key.ctrl || key.alt {
            return false;
        }
        self.games.walk(by, count);
        true
    }
}
