//! The user's notes on nodes: kept by the searched position and the moves from there, so that they outlive a search.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::view::{Codes, codes, line};
use crate::context::{Context, Level};
use crate::overlays::prompt::Prompt;
use crate::panes::tree::Row;
use game::{Game, MoveCode};
use session::Subject;

/// All notes, by the key of the position at the root and the moves from there.
#[derive(Debug, Default)]
pub struct Notes(BTreeMap<(u64, Vec<MoveCode>), String>);

#[derive(Debug, Serialize, Deserialize)]
pub struct SavedNote {
    root: u64,
    line: Codes,
    text: String,
}

impl Notes {
    /// Returns the note on the node that these moves lead to.
    pub fn get(&self, root: &Subject, line: &[MoveCode]) -> Option<&str> {
        if self.0.is_empty() {
            return None;
        }
        let found = self.0.get(&(root.position.key(), line.to_vec()));
        found.map(String::as_str)
    }

    /// Sets the note; an empty text takes it away.
    pub fn set(&mut self, root: &Subject, line: Vec<MoveCode>, text: &str) {
        let place = (root.position.key(), line);
        if text.is_empty() {
            self.0.remove(&place);
        } else {
            self.0.insert(place, text.to_owned());
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn saved(&self) -> Vec<SavedNote> {
        let note = |((root, line), text): (&(u64, Vec<MoveCode>), &String)| SavedNote {
            root: *root,
            line: codes(line),
            text: text.clone(),
        };
        self.0.iter().map(note).collect()
    }

    /// Adds what was saved; notes on the same nodes are replaced.
    pub(super) fn restore(&mut self, saved: &[SavedNote]) {
        for note in saved {
            let place = (note.root, line(&note.line));
            self.0.insert(place, text::sanitise(&note.text));
        }
    }
}

impl Context {
    /// Asks for a note on the selected node.
    pub fn ask_note(&mut self) {
        if self.selected().is_none() {
            return self.say(Level::Info, "no node is selected");
        }
        let text = self.selected_note().unwrap_or_default();
        let prompt = Prompt::new("note", "a note on the selected node; empty takes it away")
            .with_text(&text);
        self.ask(prompt, |app, text| {
            app.cx.typed_note(text);
            Ok(())
        });
    }

    /// Takes the note that was typed.
    fn typed_note(&mut self, text: &str) {
        let Some((row, reader)) = self.selected() else {
            return;
        };
        let line = self.explore.tree.moves_to(reader, &row);
        let root = reader.subject.clone();
        self.explore.notes.set(&root, line, text.trim());
        self.explore.tree.touch();
        self.dirty = true;
    }

    /// Whether there is a note on a row's node.
    pub(crate) fn has_note(&self, row: &Row) -> bool {
        let Some(source) = self
            .session
            .as_ref()
            .filter(|_| !self.explore.notes.is_empty())
        else {
            return false;
        };
        let reader = source.reader();
        let line = self.explore.tree.moves_to(reader, row);
        self.explore.notes.get(reader.subject, &line).is_some()
    }

    /// Returns the note on the selected node.
    pub(crate) fn selected_note(&self) -> Option<String> {
        let (row, reader) = self.selected()?;
        if self.explore.notes.is_empty() {
            return None;
        }
        let line = self.explore.tree.moves_to(reader, &row);
        self.explore
            .notes
            .get(reader.subject, &line)
            .map(str::to_owned)
    }
}
