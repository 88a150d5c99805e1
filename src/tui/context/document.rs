//! Navigation in the game and the document; opening and reloading files.

use super::{Ask, Context, Level};
use game::load::LoadError;

impl Context {
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
        match self.tab.kind().searches_places {
            true => self.start_search(),
            false => self.asks.push(Ask::PlaceChanged),
        }
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

    /// Reports what could not be read of the document.
    pub(crate) fn tell_about_document(&mut self) {
        // Another entry than the first is shown if that cannot be opened.
        let first = (self.entry > 0).then(|| self.document.entry(0).err());
        let problems = { self.document.problems.iter().cloned() }.chain(first.flatten());
        for problem in problems.collect::<Vec<_>>() {
            self.say(Level::Warning, problem);
        }
    }

    /// Reports what was skipped in the current entry.
    pub(crate) fn tell_about_entry(&mut self) {
        let problems = self.current.problems.iter().map(LoadError::to_string);
        let warnings: Vec<String> = { self.current.warnings.iter().cloned() }
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
        self.detour = Some((after, text::sanitise(moves)));
        Ok(())
    }
}
