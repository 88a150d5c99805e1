//! A list with a selection and a viewport.

/// The selection and viewport of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListState {
    pub selected: usize,
    pub top: usize,
}

impl ListState {
    /// Moves the selection within `count` items.
    pub fn walk(&mut self, by: isize, count: usize) {
        let last = count.saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by).min(last);
    }

    /// Scrolls the viewport to the selection; to be called before `height` rows are drawn.
    pub fn keep_in_view(&mut self, height: usize, count: usize) {
        self.selected = self.selected.min(count.saturating_sub(1));
        let height = height.max(1);
        self.top = self.top.min(self.selected);
        self.top = self.top.max((self.selected + 1).saturating_sub(height));
        self.top = self.top.min(count.saturating_sub(height));
    }
}
