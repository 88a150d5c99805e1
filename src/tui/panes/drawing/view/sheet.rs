//! The visible part of a large drawing; places in the drawing may be outside it.

use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthChar;

use screen::pen::Pen;

/// A viewport on a drawing: the drawing's column and row at the top left corner of the area.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sheet {
    pub area: Rect,
    pub left: i32,
    pub top: i32,
}

impl Sheet {
    /// Returns where a place of the drawing is on the screen; `None` outside the visible part.
    pub fn cell(&self, x: i32, y: i32) -> Option<(u16, u16)> {
        let column = u16::try_from(x - self.left).ok()?;
        let row = u16::try_from(y - self.top).ok()?;
        let inside = column < self.area.width && row < self.area.height;
        inside.then(|| (self.area.x + column, self.area.y + row))
    }

    /// Returns the visible part of a rectangle of the drawing.
    pub fn area_of(&self, left: i32, right: i32, top: i32, bottom: i32) -> Option<Rect> {
        let (width, height) = (i32::from(self.area.width), i32::from(self.area.height));
        let (from, to) = ((left - self.left).max(0), (right - self.left).min(width));
        let (above, below) = ((top - self.top).max(0), (bottom - self.top).min(height));
        (from < to && above < below).then(|| Rect {
            x: self.area.x + from as u16,
            y: self.area.y + above as u16,
            width: (to - from) as u16,
            height: (below - above) as u16,
        })
    }

    pub fn char(&self, pen: &mut Pen, x: i32, y: i32, c: char, style: Style) {
        if let Some((x, y)) = self.cell(x, y) {
            pen.char(x, y, c, style);
        }
    }

    /// Draws the visible part of a text that begins at a place; returns the column after it.
    pub fn text(&self, pen: &mut Pen, x: i32, y: i32, text: &str, style: Style) -> i32 {
        let mut x = x;
        for c in text.chars() {
            let width = c.width().unwrap_or(0) as i32;
            let last = self.cell(x + (width - 1).max(0), y);
            if let (Some((column, row)), Some(_)) = (self.cell(x, y), last) {
                let end = column + width as u16;
                pen.text(column, row, end, c.encode_utf8(&mut [0; 4]), style);
            }
            x += width;
        }
        x
    }
}
