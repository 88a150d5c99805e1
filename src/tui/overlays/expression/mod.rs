//! The input of an expression of the breakpoint language, with completions for the word at the cursor and a mark where
//! the expression is wrong.

pub(in crate::tui) mod view;

use crossterm::event::KeyCode;

use super::prompt::{Prompt, Typed};
use crate::engine::breakpoint::{BreakpointError, Completion};
use crate::tui::keys::Key;
use crate::tui::list::ListState;

/// The line being edited.
#[derive(Debug)]
pub struct Expression {
    pub title: &'static str,
    pub prompt: Prompt,
    pub completions: Vec<Completion>,
    pub list: ListState,
    /// Why it was refused when the user submitted it.
    pub refused: Option<BreakpointError>,
}

/// What a key did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// The text or the cursor changed, so the completions must be updated.
    Changed,
    Done,
    Cancelled,
    Nothing,
}

impl Expression {
    pub fn new(title: &'static str, text: &str) -> Expression {
        Expression {
            title,
            prompt: Prompt::new("", "on cutoff, at \"e4 e5\", when visits >= 1000").with_text(text),
            completions: Vec::new(),
            list: ListState::default(),
            refused: None,
        }
    }

    pub fn text(&self) -> &str {
        self.prompt.text()
    }

    pub fn key(&mut self, key: Key) -> Written {
        match key.code {
            KeyCode::Tab if !self.completions.is_empty() => {
                self.take(self.list.selected);
                return Written::Changed;
            }
            KeyCode::Tab => return Written::Nothing,
            _ => {}
        }
        match self.prompt.key(key) {
            Typed::Changed => {
                self.refused = None;
                Written::Changed
            }
            Typed::Next(by) => {
                self.list.walk(by, self.completions.len());
                Written::Nothing
            }
            Typed::Done => Written::Done,
            Typed::Cancelled => Written::Cancelled,
            // The cursor may be at another word now.
            Typed::Nothing => Written::Changed,
        }
    }

    /// Replaces the word at the cursor with a completion.
    pub fn take(&mut self, row: usize) {
        if let Some(completion) = self.completions.get(row) {
            let word = format!("{} ", completion.text);
            self.prompt.replace_word(completion.start, &word);
            self.refused = None;
        }
    }

    /// Sets the completions for the word at the cursor.
    pub fn offer(&mut self, completions: Vec<Completion>) {
        self.completions = completions;
        self.list = ListState::default();
    }
}
