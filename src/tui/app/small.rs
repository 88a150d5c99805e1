//! Screens that are too small for several panes: they show one part of a tab at a time.

use crossterm::event::KeyCode;

use super::App;
use screen::keys::Key;

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
