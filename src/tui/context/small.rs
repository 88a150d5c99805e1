//! Screens that are too small for several panes.

use ratatui::layout::Rect;

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
