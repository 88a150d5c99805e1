//! An input of one line, and the overlay that asks for one.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::{KeyHint, Overlay};
use crate::app::App;
use crate::component::Event;
use crate::context::Context;
use crate::reach::{Reach, Sight};
use screen::keys::Key;
use screen::pen::Pen;

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
    /// What keys do while the text is asked for.
    pub keys: &'static [KeyHint],
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
            keys: &[("Enter", "done"), ("Ctrl-u", "clear"), ("Esc", "close")],
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

/// What is done while the text is being typed.
type Typing = Box<dyn FnMut(&mut App, &mut Prompt, Typed)>;
/// What is done with the text when it is complete. If that fails, the prompt stays open and shows the error beside it.
type Done = Box<dyn FnMut(&mut App, &str) -> Result<(), String>>;

/// A prompt, and what is done with its text.
pub struct Asking {
    prompt: Prompt,
    typing: Typing,
    done: Done,
}

impl Asking {
    /// Acts on what a key did; returns whether the prompt stays open.
    fn typed(&mut self, reach: &mut Reach, typed: Typed) -> bool {
        match typed {
            Typed::Done => {
                let failed = (self.done)(reach.app(), self.prompt.text()).err();
                let stays = failed.is_some();
                self.prompt.note = failed.unwrap_or_default();
                stays
            }
            typed => {
                (self.typing)(reach.app(), &mut self.prompt, typed);
                typed != Typed::Cancelled
            }
        }
    }
}

impl Overlay for Asking {
    fn keys(&self) -> Vec<KeyHint> {
        self.prompt.keys.to_vec()
    }

    fn handle(&mut self, reach: &mut Reach, event: &Event) -> bool {
        match event {
            Event::Key(key, _) => {
                let typed = self.prompt.key(*key);
                self.typed(reach, typed)
            }
            _ => true,
        }
    }

    fn paste(&mut self, reach: &mut Reach, text: &str) -> bool {
        self.prompt.paste(text);
        self.typed(reach, Typed::Changed)
    }

    fn draw(&self, _: Sight, _: &mut Pen, _: Rect) {}

    fn prompt(&self) -> Option<&Prompt> {
        Some(&self.prompt)
    }
}

impl Context {
    /// Asks for a text, and does something with it when it is complete.
    pub(crate) fn ask(
        &mut self,
        prompt: Prompt,
        done: impl FnMut(&mut App, &str) -> Result<(), String> + 'static,
    ) {
        self.ask_while(prompt, |_, _, _| {}, done);
    }

    /// Asks for a text, and also does something after each key until it is complete or given up.
    pub(crate) fn ask_while(
        &mut self,
        prompt: Prompt,
        typing: impl FnMut(&mut App, &mut Prompt, Typed) + 'static,
        done: impl FnMut(&mut App, &str) -> Result<(), String> + 'static,
    ) {
        self.open(Asking {
            prompt,
            typing: Box::new(typing),
            done: Box::new(done),
        });
    }
}
