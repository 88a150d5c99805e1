//! The help's state; its text is generated from the table of commands when it is drawn.

mod here;
mod view;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::{KeyHint, Overlay};
use crate::component::Event;
use crate::context::Context;
use crate::reach::{Reach, Sight};
use screen::keys::Key;
use screen::pen::Pen;

/// What can be clicked or scrolled in the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HelpTarget {
    Page(usize),
    Text,
}

/// The page that is shown, and its first visible line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Help {
    pub page: usize,
    pub top: usize,
}

/// The pages; Tab switches between them.
pub const PAGES: [&str; 6] = [
    "here",
    "all keys",
    "reading the screen",
    "comparing",
    "glossary",
    "messages",
];

impl Help {
    /// The page about the tab and the pane that the help was opened in.
    pub const HERE: usize = 0;
    /// The page of all keys.
    pub const KEYS: usize = 1;
    /// The page of terms.
    pub const GLOSSARY: usize = 4;

    /// Handles a key; returns whether the help stays open.
    pub fn key(&mut self, key: Key) -> bool {
        match key.code {
            KeyCode::Char('?') if self.page == Help::HERE => self.show(Help::KEYS),
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q' | '?') => return false,
            KeyCode::Char('c') if key.ctrl => return false,
            KeyCode::Char('j') | KeyCode::Down => self.scroll(1),
            KeyCode::Char('k') | KeyCode::Up => self.scroll(-1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.scroll(15),
            KeyCode::PageUp => self.scroll(-15),
            KeyCode::Home | KeyCode::Char('g') => self.top = 0,
            KeyCode::End | KeyCode::Char('G') => self.top = usize::MAX / 2,
            KeyCode::Tab if key.shift => self.turn(PAGES.len() - 1),
            KeyCode::Left | KeyCode::Char('h') => self.turn(PAGES.len() - 1),
            KeyCode::Tab | KeyCode::Right | KeyCode::Char('l') => self.turn(1),
            _ => {}
        }
        true
    }

    pub fn scroll(&mut self, by: isize) {
        self.top = self.top.saturating_add_signed(by);
    }

    pub fn show(&mut self, page: usize) {
        self.page = page % PAGES.len();
        self.top = 0;
    }

    fn turn(&mut self, by: usize) {
        self.show(self.page + by);
    }
}

impl Overlay for Help {
    fn keys(&self) -> Vec<KeyHint> {
        let mut keys = vec![
            ("Tab", "next page"),
            ("j", "down"),
            ("k", "up"),
            ("space", "page down"),
            ("Esc", "close"),
        ];
        if self.page == Help::HERE {
            keys.insert(0, ("?", "all keys"));
        }
        keys
    }

    fn handle(&mut self, _: &mut Reach, event: &Event) -> bool {
        match event.of() {
            Event::Key(key, _) => return self.key(key),
            Event::Click(Some(HelpTarget::Page(page)), _) => self.show(page),
            Event::LastTop(Some(HelpTarget::Text), last) => self.top = last.min(self.top),
            Event::Wheel(_, by) => self.scroll(by),
            _ => {}
        }
        true
    }

    fn draw(&self, sight: Sight, pen: &mut Pen, area: Rect) {
        view::draw(sight, pen, area, self);
    }
}

impl Context {
    pub fn show_help(&mut self) {
        let mut help = Help::default();
        help.show(self.tab.kind().help_page);
        self.open(help);
    }
}
