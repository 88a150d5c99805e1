//! Walking the game and the document; opening and reloading files.

use std::path::Path;

use crossterm::event::KeyCode;

use super::{App, Effect, Level, Pane, Tab};
use crate::tui::document::Document;
use crate::tui::keys::Key;

impl App {
    /// Moves along the game and searches there. After a detour the first step leads back to the game.
    pub fn walk_game(&mut self, by: isize) {
        let moves = self.current.moves.len();
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
        self.ply = ply.min(self.current.moves.len());
        self.subject = self.current.at(self.ply);
        self.detour = None;
        self.start_search();
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

    /// Looks at another game or position of the document.
    /// What can't be read is told, and what was open stays.
    pub fn open_entry(&mut self, entry: usize) {
        let entry = entry.min(self.document.len() - 1);
        match self.document.entry(entry) {
            Ok(opened) => {
                self.entry = entry;
                self.current = opened;
                self.games.selected = entry;
                self.go_to_ply(0);
                self.tell_about_entry();
            }
            Err(what) => self.say(Level::Error, what),
        }
    }

    /// What was passed over in the current entry.
    pub(super) fn tell_about_entry(&mut self) {
        for warning in self.current.warnings.clone() {
            self.say(Level::Warning, warning);
        }
    }

    /// Plays moves from the current position and searches there: SAN, UCI or names of a toy tree.
    ///
    /// # Errors
    /// The first word that is no move.
    pub fn play_line(&mut self, moves: &str) -> Result<(), String> {
        let after = self.subject.play_text(moves).map_err(|e| e.to_string())?;
        self.subject = after.clone();
        self.detour = Some((after, crate::tui::text::harmless(moves)));
        Ok(())
    }

    /// Takes a document in place of the open one.
    pub fn open_document(&mut self, document: Document) {
        let (entry, opened) = match document.first_entry() {
            Ok(first) => first,
            Err(what) => {
                self.say(Level::Error, what);
                return;
            }
        };
        let count = document.len();
        if count > 1 {
            let what = format!(
                "{}: {count} games or positions, 3 lists them",
                document.title
            );
            self.say(Level::Info, what);
        }
        for problem in document.problems() {
            self.say(Level::Warning, problem);
        }
        self.document = document;
        self.entry = entry;
        self.current = opened;
        self.games.selected = entry;
        self.effects.push(Effect::Watch);
        self.go_to_ply(0);
        self.tell_about_entry();
    }

    /// Opens a file; what is open stays open where it can't be read.
    pub fn open_path(&mut self, path: &Path) {
        match Document::open(path) {
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
        match Document::open(&path) {
            Ok(document) => self.take_reloaded(document),
            Err(what) => self.say(Level::Error, format!("{what} (the old is kept)")),
        }
    }

    fn take_reloaded(&mut self, document: Document) {
        // A large file is still being gone through: up to the place that was looked at it must be known.
        if let Some(file) = document.file() {
            file.wait_for(self.entry);
        }
        // The entry of the same name, if the order changed.
        let title = self.document.title_of(self.entry);
        let same = |i: &usize| document.title_of(*i) == title;
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
        let ply = self.ply.min(entry.moves.len());
        let same = ply == self.ply && entry.same_at(&self.current, ply);
        self.say(Level::Info, format!("{}: read again", document.title));
        self.document = document;
        self.entry = at;
        self.current = entry;
        self.ply = ply;
        if !same && self.detour.is_none() {
            self.go_to_ply(ply);
        }
        self.tell_about_entry();
    }

    /// Keys that mean something of their own where the keyboard is. False: the table of commands decides.
    pub(super) fn pane_key(&mut self, key: Key) -> bool {
        let n = self.count.unwrap_or(1) as isize;
        if self.tab == Tab::Game {
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
            // In time, where the other keys go through what is shown.
            Pane::Log if key.is(KeyCode::Home) || key.is(KeyCode::End) => {
                self.go_to_end_of_time(key.is(KeyCode::End));
                true
            }
            _ => false,
        }
    }

    /// The list of games.
    fn games_key(&mut self, key: Key, n: isize) -> bool {
        let count = self.document.len();
        let by = match key.code {
            KeyCode::Char('j') | KeyCode::Down => n,
            KeyCode::Char('k') | KeyCode::Up => -n,
            KeyCode::PageDown => 10 * n,
            KeyCode::PageUp => -10 * n,
            KeyCode::Home => isize::MIN,
            KeyCode::End | KeyCode::Char('G') => isize::MAX,
            KeyCode::Enter => {
                let chosen = self.games.selected;
                self.show_tab(Tab::Explore);
                self.open_entry(chosen);
                return true;
            }
            KeyCode::Esc => {
                self.show_tab(Tab::Explore);
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
