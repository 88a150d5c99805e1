//! An input of one line.

use crossterm::event::KeyCode;

use screen::keys::Key;

/// A line being edited, with the cursor at its end or inside it.
#[derive(Clone, Debug, Default)]
pub struct Prompt {
    pub label: &'static str,
    /// Shown while nothing is typed.
    pub placeholder: &'static str,
    text: Vec<char>,
    pub cursor: usize,
    /// An error in the text, or a remark about it.
    pub note: String,
    shown: String,
}

/// What a key did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    Changed,
    Done,
    Cancelled,
    /// Up or down: go to the next or previous match.
    Next(isize),
    Nothing,
}

impl Prompt {
    pub fn new(label: &'static str, placeholder: &'static str) -> Prompt {
        Prompt {
            label,
            placeholder,
            ..Prompt::default()
        }
    }

    /// Sets a text for the user to edit.
    #[must_use]
    pub fn with_text(mut self, text: &str) -> Prompt {
        self.text = text.chars().collect();
        self.cursor = self.text.len();
        self.shown = text.to_owned();
        self
    }

    pub fn text(&self) -> &str {
        &self.shown
    }

    /// Inserts the first line of pasted text.
    pub fn paste(&mut self, text: &str) {
        for c in text
            .lines()
            .next()
            .unwrap_or("")
            .chars()
            .filter(|c| !c.is_control())
        {
            self.text.insert(self.cursor, c);
            self.cursor += 1;
        }
        self.shown = self.text.iter().collect();
    }

    /// Replaces the text between a character and the cursor with a word.
    pub fn replace_word(&mut self, from: usize, word: &str) {
        let from = from.min(self.cursor);
        self.text.splice(from..self.cursor, word.chars());
        self.cursor = from + word.chars().count();
        self.shown = self.text.iter().collect();
    }

    pub fn key(&mut self, key: Key) -> Typed {
        match key.code {
            KeyCode::Esc => return Typed::Cancelled,
            KeyCode::Char('c') if key.ctrl => return Typed::Cancelled,
            KeyCode::Enter => return Typed::Done,
            KeyCode::Down => return Typed::Next(1),
            KeyCode::Up => return Typed::Next(-1),
            KeyCode::Left => {
                self.cursor = self.cursor.saturating_sub(1);
                return Typed::Nothing;
            }
            KeyCode::Right => {
                self.cursor = (self.cursor + 1).min(self.text.len());
                return Typed::Nothing;
            }
            KeyCode::Home => {
                self.cursor = 0;
                return Typed::Nothing;
            }
            KeyCode::End => {
                self.cursor = self.text.len();
                return Typed::Nothing;
            }
            KeyCode::Backspace if self.cursor > 0 => {
                self.cursor -= 1;
                self.text.remove(self.cursor);
            }
            KeyCode::Backspace => return Typed::Nothing,
            KeyCode::Delete if self.cursor < self.text.len() => {
                self.text.remove(self.cursor);
            }
            KeyCode::Char('u') if key.ctrl => {
                self.text.clear();
                self.cursor = 0;
            }
            _ => match key.typed() {
                Some(c) => {
                    self.text.insert(self.cursor, c);
                    self.cursor += 1;
                }
                None => return Typed::Nothing,
            },
        }
        self.shown = self.text.iter().collect();
        Typed::Changed
    }
}
