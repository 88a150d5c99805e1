//! A list: its selection and viewport, the keys and the mouse, and drawing its rows. Whoever has one gives only its rows.

use std::any::Any;
use std::fmt::Debug;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use crate::keys::Key;
use crate::pen::Pen;
use crate::theme::Role;

/// The selection and viewport of a list. `count` is always its number of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct List {
    pub selected: usize,
    pub top: usize,
    /// The number of rows that fit.
    height: usize,
    /// Whether the selected row was clicked, and stays where it is for a second click.
    clicked: bool,
}

impl List {
    /// Returns a list with this row selected.
    pub fn at(selected: usize) -> List {
        List {
            selected,
            ..List::default()
        }
    }

    pub fn height(&self) -> usize {
        self.height
    }

    /// Selects a row, or the last one if there are fewer, and scrolls it into view.
    pub fn select(&mut self, row: usize, count: usize) {
        (self.selected, self.clicked) = (row, false);
        self.keep_in_view(count);
    }

    /// Moves the selection.
    pub fn walk(&mut self, by: isize, count: usize) {
        self.select(self.selected.saturating_add_signed(by), count);
    }

    /// Moves the viewport together with the selection by this many pages, which have a row in common.
    pub fn pages(&mut self, pages: isize, count: usize) {
        self.page(pages.saturating_mul(self.height.max(2) as isize - 1), count);
    }

    pub fn half_pages(&mut self, halves: isize, count: usize) {
        self.page(
            halves.saturating_mul((self.height / 2).max(1) as isize),
            count,
        );
    }

    fn page(&mut self, rows: isize, count: usize) {
        self.top = self.top_within(rows, count);
        self.walk(rows, count);
    }

    /// Moves the viewport, as the wheel does; the selection stays unless it would leave the viewport.
    pub fn scroll(&mut self, by: isize, count: usize) {
        self.top = self.top_within(by, count);
        let margin = self.margin();
        let highest = if self.top > 0 { self.top + margin } else { 0 };
        let below = self.top + self.height.max(1);
        let lowest = if below < count { below - margin } else { below };
        self.select(self.selected.clamp(highest, lowest - 1), count);
    }

    fn top_within(&self, by: isize, count: usize) -> usize {
        let last = count.saturating_sub(self.height.max(1));
        self.top.saturating_add_signed(by).min(last)
    }

    /// Scrolls the selected row to the middle.
    pub fn centre(&mut self, count: usize) {
        self.top = self.selected.saturating_sub(self.height / 2);
        self.keep_in_view(count);
    }

    /// Scrolls the selected row into a viewport of this height; to be called before the rows are drawn.
    pub fn fit(&mut self, height: usize, count: usize) {
        self.height = height;
        self.keep_in_view(count);
    }

    /// Scrolls the selected row into view. Before the first frame nobody knows what that is.
    pub fn keep_in_view(&mut self, count: usize) {
        self.selected = self.selected.min(count.saturating_sub(1));
        if self.height > 0 {
            let lowest = self.selected.saturating_sub(self.margin());
            let highest = (self.selected + self.margin() + 1).saturating_sub(self.height);
            let top = self.top.min(lowest).max(highest.min(lowest));
            self.top = top.min(count.saturating_sub(self.height));
        }
    }

    /// Returns the rows of context above and below the selection, if there is room.
    fn margin(&self) -> usize {
        usize::from(self.height > 6 && !self.clicked)
    }

    /// Handles a click on a row, which selects it; returns whether it was selected already.
    pub fn click(&mut self, row: usize) -> bool {
        self.clicked = true;
        std::mem::replace(&mut self.selected, row) == row
    }

    /// Handles a key that moves the selection and types nothing; returns whether it was one.
    pub fn key(&mut self, key: Key, count: usize) -> bool {
        match key.code {
            KeyCode::Down => self.walk(1, count),
            KeyCode::Up => self.walk(-1, count),
            KeyCode::PageDown => self.pages(1, count),
            KeyCode::PageUp => self.pages(-1, count),
            KeyCode::Home => self.select(0, count),
            KeyCode::End => self.select(count, count),
            KeyCode::Char('n') if key.ctrl => self.walk(1, count),
            KeyCode::Char('p') if key.ctrl => self.walk(-1, count),
            _ => return false,
        }
        true
    }

    /// Handles a key that moves the selection where letters do so too; returns whether it was one.
    pub fn letter(&mut self, key: Key, count: usize) -> bool {
        let code = match key.typed() {
            Some('j') => KeyCode::Down,
            Some('k') => KeyCode::Up,
            Some('g') => KeyCode::Home,
            Some('G') => KeyCode::End,
            _ => key.code,
        };
        self.key(Key { code, ..key }, count)
    }

    /// Draws the rows in view with `row`; a click on one means its `target`. The ground of the selected row tells whether
    /// the list has the keyboard.
    pub fn draw<T: Any + Debug>(
        &self,
        pen: &mut Pen,
        area: Rect,
        rows: (usize, bool),
        target: impl Fn(usize) -> T,
        row: impl FnMut(&mut Pen, Rect, usize),
    ) {
        self.draw_tall(pen, area, 1, rows, target, row);
    }

    /// Draws the rows in view, each with so many lines: see [`List::draw`]. The last one may be cut off by the end of the area.
    pub fn draw_tall<T: Any + Debug>(
        &self,
        pen: &mut Pen,
        area: Rect,
        lines: u16,
        (count, focused): (usize, bool),
        target: impl Fn(usize) -> T,
        mut row: impl FnMut(&mut Pen, Rect, usize),
    ) {
        let tops = (area.top()..area.bottom()).step_by(usize::from(lines.max(1)));
        for (at, y) in (self.top..count).zip(tops) {
            let line = Rect {
                y,
                height: lines.min(area.bottom() - y),
                ..area
            };
            pen.region(line, target(at));
            row(pen, line, at);
            if at == self.selected {
                let style = pen.selection(focused);
                pen.tint(line, style);
            }
        }
    }

    /// Draws at the right edge of a pane which part of the rows is in view, unless it is all.
    pub fn draw_bar(&self, pen: &mut Pen, inner: Rect, count: usize) {
        draw_bar(pen, inner, self.top, self.height, count);
    }
}

/// Draws which of `rows` are in view, unless all are, on the frame to the right of an area.
pub fn draw_bar(pen: &mut Pen, inner: Rect, top: usize, height: usize, rows: usize) {
    if rows <= height || height == 0 {
        return;
    }
    let track = usize::from(inner.height);
    let length = (track * height / rows).max(1);
    let start = track.saturating_sub(length) * top / (rows - height);
    let style = pen.style(Role::TreeMark);
    for y in (start..track).take(length) {
        let y = inner.y + y as u16;
        pen.char(inner.right(), y, pen.glyphs.scroll, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_selection_stays_in_view_with_a_row_of_context() {
        let mut list = List::default();
        list.fit(10, 100);
        list.walk(9, 100);
        assert_eq!((list.selected, list.top), (9, 1));
        list.pages(1, 100);
        assert_eq!((list.selected, list.top), (18, 10));
        list.scroll(3, 100);
        assert_eq!((list.selected, list.top), (18, 13));
        list.scroll(-10, 100);
        assert_eq!((list.selected, list.top), (11, 3));
        list.select(usize::MAX, 100);
        assert_eq!((list.selected, list.top), (99, 90));
        list.centre(100);
        assert_eq!(list.top, 90);
        list.fit(10, 3);
        assert_eq!((list.selected, list.top), (2, 0));
        list.fit(10, 0);
        assert_eq!((list.selected, list.top), (0, 0));
    }

    #[test]
    fn a_second_click_is_told_from_the_first() {
        let mut list = List::default();
        list.fit(10, 100);
        list.walk(20, 100);
        assert!(!list.click(12));
        list.fit(10, 100);
        assert_eq!((list.selected, list.top), (12, 12));
        assert!(list.click(12));
    }
}
