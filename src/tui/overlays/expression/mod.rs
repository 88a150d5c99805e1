//! The input of an expression of the breakpoint language, with completions for the word at the cursor and a mark where
//! the expression is wrong.

pub(crate) mod view;

use crossterm::event::KeyCode;

use super::prompt::{Prompt, Typed};
use screen::keys::Key;
use screen::list::ListState;
use session::breakpoint::{BreakpointError, Completion};

/// The line being edited.
#[derive(Debug)]
pub struct Expression {
    pub title: &'static str,
    pub prompt: Prompt,
    pub completions: Vec<Completion>,
    pub list: ListState,
    /// Whether the user went through the completions, so that Enter takes the selected one where nothing is written.
    pub chose: bool,
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
            chose: false,
            refused: None,
        }
    }

    pub fn text(&self) -> &str {
        self.prompt.text()
    }

    pub fn key(&mut self, key: Key) -> Written {
        match key.code {
            KeyCode::Tab if self.refused.as_ref().is_some_and(|r| r.meant.is_some()) => {
                self.take_meant();
                return Written::Changed;
            }
            KeyCode::Enter if self.text().is_empty() && self.chose => {
                self.take(self.list.selected);
                return Written::Changed;
            }
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
                self.chose = true;
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

    /// Replaces the word that was refused by the one that was probably meant.
    fn take_meant(&mut self) {
        let Some(refused) = self.refused.take() else {
            return;
        };
        let from = refused.column.saturating_sub(1) as usize;
        let is_part = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let length = self.text().chars().skip(from).take_while(is_part).count();
        if let Some(word) = refused.meant {
            self.prompt.cursor = from + length;
            self.prompt.replace_word(from, &word);
        }
    }

    /// Sets the completions for the word at the cursor.
    pub fn offer(&mut self, completions: Vec<Completion>) {
        self.chose = false;
        self.completions = completions;
        self.list = ListState::default();
    }
}
