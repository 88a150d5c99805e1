//! Screens that are too small for several panes: they show one part of a tab at a time.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::App;
use screen::keys::Key;

/// What a small screen shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Small {
    /// Whether the screen is that small.
    pub on: bool,
    /// The part of the tab, for tabs whose keyboard does not tell which.
    pub part: usize,
}

impl Small {
    /// The smallest screen with room for several panes.
    pub const ROOMY: (u16, u16) = (80, 24);

    /// Whether a screen has no room for several panes.
    pub fn is(area: Rect) -> bool {
        area.width < Self::ROOMY.0 || area.height < Self::ROOMY.1
    }
}

impl App {
    /// Returns the parts of the tab that the screen shows one at a time; none if it shows them all.
    pub(crate) fn parts(&self) -> Vec<&'static str> {
        match self.cx.small.on {
            true => self.tab().parts(&self.cx),
            false => Vec::new(),
        }
    }

    /// Takes the key that goes to the next part on a small screen, whatever else it means in the tab.
    pub(super) fn part_key(&mut self, key: Key) -> bool {
        let count = self.parts().len();
        if count < 2 || !key.is(KeyCode::Tab) || key.shift {
            return false;
        }
        let next = (self.tab().part(&self.cx) + 1) % count;
        self.tabs.get_mut(self.cx.tab).show_part(&mut self.cx, next);
        true
    }
}
