//! The input of an expression of the breakpoint language, with completions for the word at the cursor and a mark where
//! the expression is wrong.

mod view;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::prompt::{Prompt, Typed};
use super::{KeyHint, Overlay, OverlayTarget};
use crate::component::Event;
use crate::context::Context;
use crate::reach::{Reach, Sight};
use screen::keys::Key;
use screen::list::List;
use screen::pen::Pen;
use session::breakpoint::{BreakpointError, Completion};

/// What an expression is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    NewBreakpoint,
    /// A new breakpoint, requested in the list, which opens again afterwards.
    AddedToList,
    /// A new text for an existing breakpoint, by its index.
    Breakpoint(usize),
    LogFilter,
}

/// The line being edited.
#[derive(Debug)]
pub struct Expression {
    pub purpose: Purpose,
    pub title: &'static str,
    pub prompt: Prompt,
    pub completions: Vec<Completion>,
    pub list: List,
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
    pub fn new(purpose: Purpose, title: &'static str, text: &str) -> Expression {
        Expression {
            purpose,
            title,
            prompt: Prompt::new("", "on cutoff, at \"e4 e5\", when visits >= 1000").with_text(text),
            completions: Vec::new(),
            list: List::default(),
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
        self.list = List::default();
    }
}

impl Overlay for Expression {
    fn keys(&self) -> Vec<KeyHint> {
        let mut keys = vec![("Enter", "done"), ("Esc", "close")];
        let refused = self.refused.as_ref();
        if refused.is_some_and(|refused| refused.meant.is_some()) {
            keys.insert(0, ("Tab", "take the word"));
        } else if !self.completions.is_empty() {
            keys.insert(0, ("Tab", "complete"));
        }
        if self.text().is_empty() && !self.completions.is_empty() {
            keys[1].1 = "use it";
            keys.insert(0, ("Down", "choose one"));
        }
        keys
    }

    fn handle(&mut self, reach: &mut Reach, event: &Event) -> bool {
        let written = match event.of() {
            Event::Key(key, _) => self.key(key),
            Event::Click(Some(OverlayTarget::Item(row)), _) => {
                self.take(row);
                Written::Changed
            }
            Event::Wheel(_, by) => {
                self.list.scroll(by, self.completions.len());
                Written::Nothing
            }
            _ => Written::Nothing,
        };
        reach.cx().written(self, written)
    }

    fn paste(&mut self, reach: &mut Reach, text: &str) -> bool {
        self.prompt.paste(text);
        reach.cx().written(self, Written::Changed)
    }

    fn update(&mut self, _: &Context, area: Rect) {
        view::update(area, self);
    }

    fn draw(&self, _: Sight, pen: &mut Pen, area: Rect) {
        view::draw(pen, area, self);
    }
}
