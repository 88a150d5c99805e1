//! The viewport on the outline.

use screen::list::ListState;
use studies::compare::Outline;

/// The visible part of the rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Viewport {
    list: ListState,
    /// The number of rows that fit.
    height: usize,
}

impl Viewport {
    pub fn top(&self) -> usize {
        self.list.top
    }

    pub fn height(&self) -> usize {
        self.height
    }

    /// Scrolls the selected row into `height` rows; to be called before they are drawn.
    pub fn fit(&mut self, outline: &Outline, height: usize) {
        self.height = height;
        self.list.selected = outline.selected();
        self.list.keep_in_view(height, outline.len());
    }

    /// Scrolls; the selection stays on the screen.
    pub fn scroll(&mut self, outline: &mut Outline, by: isize) {
        let last = outline.len().saturating_sub(self.height.max(1));
        self.list.top = self.list.top.saturating_add_signed(by).min(last);
        let top = self.list.top;
        let bottom = top + self.height.max(1) - 1;
        outline.select(outline.selected().clamp(top, bottom));
    }

    /// Moves the rows and the selection by a page.
    pub fn page(&mut self, outline: &mut Outline, rows: isize) {
        let last = outline.len().saturating_sub(self.height.max(1));
        self.list.top = self.list.top.saturating_add_signed(rows).min(last);
        outline.walk(rows);
    }

    /// Scrolls the selected row to the middle.
    pub fn centre(&mut self, outline: &Outline) {
        let last = outline.len().saturating_sub(self.height.max(1));
        self.list.top = outline.selected().saturating_sub(self.height / 2).min(last);
    }
}
