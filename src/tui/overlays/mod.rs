//! Overlays, which open above the tab: lists to choose from, prompts, the options editor, the help.
//!
//! To add one, create its folder with a type that is an [`Overlay`], and open it with [`Context::open`]. A list to choose
//! from or a text to type needs no type of its own: [`Context::choose`] and [`Context::ask`] get what is done with the answer.

pub(crate) mod audit;
pub mod chooser;
pub mod expression;
pub(crate) mod help;
pub(crate) mod options;
pub mod prompt;
pub mod setup;
pub(crate) mod start;

use std::any::Any;
use std::fmt::{self, Debug, Formatter};

use ratatui::layout::Rect;

use crate::component::Event;
use crate::context::Context;
use crate::reach::{Reach, Sight};
use prompt::Prompt;
use screen::keys::Key;
use screen::pen::Pen;

/// What can be clicked in an overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OverlayTarget {
    /// The whole popup.
    Frame,
    /// A row of its list.
    Item(usize),
}

/// A key, and what it does in two or three words.
pub type KeyHint = (&'static str, &'static str);

/// What opens above the tab and has the keyboard.
pub trait Overlay: Any {
    /// Returns the keys that mean something now, the most useful first, for the key bar: they are no commands of the table.
    fn keys(&self) -> Vec<KeyHint>;

    /// Handles an event; returns whether the overlay stays open. It closes as well if it opens another one.
    fn handle(&mut self, reach: &mut Reach, event: &Event) -> bool;

    /// Handles a click beside the popup; returns whether the overlay stays open.
    fn click_beside(&mut self, reach: &mut Reach) -> bool {
        self.handle(reach, &Event::Key(Key::ESC, 1))
    }

    /// Takes pasted text; returns whether the overlay stays open.
    fn paste(&mut self, _reach: &mut Reach, _text: &str) -> bool {
        true
    }

    /// Whether it waits for something that another thread makes, so that it has to be looked after.
    fn is_busy(&self) -> bool {
        false
    }

    /// Updates what the overlay shows, before it is drawn.
    fn update(&mut self, _cx: &Context, _area: Rect) {}

    fn draw(&self, sight: Sight, pen: &mut Pen, area: Rect);

    /// Returns the prompt, if the overlay is one: it has no popup but the line of the messages.
    fn prompt(&self) -> Option<&Prompt> {
        None
    }
}

impl Debug for dyn Overlay {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "Overlay {:?}", self.keys())
    }
}

impl dyn Overlay {
    /// Returns the overlay if it is of this type.
    pub fn of<T: Overlay>(&self) -> Option<&T> {
        let any: &dyn Any = self;
        any.downcast_ref()
    }
}

impl Context {
    /// Opens an overlay in place of the one that is open.
    pub(crate) fn open(&mut self, overlay: impl Overlay) {
        self.overlay = Some(Box::new(overlay));
    }
}
