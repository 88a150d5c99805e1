//! A canvas of dots: braille, 2 by 4 per cell, or one mark per cell in ASCII mode.

use chart::Dash;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use crate::pen::Pen;
use crate::theme::Role;

/// The dot bits of a braille cell: by column, from the bottom up.
const DOTS: [[u32; 4]; 2] = [[0x40, 0x04, 0x02, 0x01], [0x80, 0x20, 0x10, 0x08]];

/// How dots are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dot {
    pub role: Role,
    /// Whether it is fainter than the role's own style.
    pub faint: bool,
    /// The character in ASCII mode.
    pub mark: char,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    bits: u32,
    /// The curve that was last drawn here.
    layer: usize,
    dot: Option<Dot>,
}

/// Dots over an area, counted from its lower left corner. Later dots are above earlier ones.
#[derive(Debug)]
pub struct Canvas {
    area: Rect,
    /// The dots per cell: columns, rows.
    fine: (usize, usize),
    cells: Vec<Cell>,
    /// The number of curves so far.
    layer: usize,
}

impl Canvas {
    pub fn new(area: Rect, ascii: bool) -> Canvas {
        let count = usize::from(area.width) * usize::from(area.height);
        Canvas {
            area,
            fine: if ascii { (1, 1) } else { (2, 4) },
            cells: vec![Cell::default(); count],
            layer: 0,
        }
    }

    /// Returns the number of dots: columns, rows.
    pub fn size(&self) -> (usize, usize) {
        (
            usize::from(self.area.width) * self.fine.0,
            usize::from(self.area.height) * self.fine.1,
        )
    }

    /// Sets a dot; a dot outside the canvas is ignored.
    pub fn set(&mut self, x: usize, y: usize, dot: Dot) {
        let (columns, rows) = self.size();
        if x >= columns || y >= rows {
            return;
        }
        let row = usize::from(self.area.height) - 1 - y / self.fine.1;
        let cell = &mut self.cells[row * usize::from(self.area.width) + x / self.fine.0];
        let (in_x, in_y) = (x % self.fine.0, y % self.fine.1);
        // A line over an area keeps only its own dots; two outlines in one cell keep all of them.
        let is_area = cell.layer != self.layer && cell.bits.count_ones() > 5;
        if is_area || cell.dot.is_some_and(|old| old.faint && !dot.faint) {
            cell.bits = 0;
        }
        cell.layer = self.layer;
        cell.bits |= DOTS[in_x][in_y];
        cell.dot = Some(dot);
    }

    /// Draws a line through heights in rows of dots, one for each column, without gaps where the heights have none; or an
    /// area, which reaches down to the lower edge.
    pub fn curve(&mut self, heights: &[Option<usize>], filled: bool, dash: Dash, dot: Dot) {
        self.layer += 1;
        let mut before = None;
        for (x, height) in heights.iter().enumerate() {
            if let Some(y) = *height {
                let last = before.unwrap_or(y);
                let (low, high) = if filled {
                    (0, y)
                } else {
                    (last.min(y), last.max(y))
                };
                for step in (low..=high).filter(|step| filled || dash.sets(x + step)) {
                    let inside = filled && step < y;
                    let mark = if inside { ':' } else { dot.mark };
                    self.set(x, step, Dot { mark, ..dot });
                }
            }
            before = *height;
        }
    }

    /// Draws the dots over what is on the screen.
    pub fn draw(&self, pen: &mut Pen) {
        let width = usize::from(self.area.width).max(1);
        for (i, cell) in self.cells.iter().enumerate() {
            let Some(dot) = cell.dot else { continue };
            let x = self.area.x + (i % width) as u16;
            let y = self.area.y + (i / width) as u16;
            let mut style = pen.style(dot.role);
            if dot.faint {
                style = style
                    .remove_modifier(Modifier::BOLD)
                    .add_modifier(Modifier::DIM);
            }
            let sign = if self.fine == (1, 1) {
                dot.mark
            } else {
                char::from_u32(0x2800 | cell.bits).unwrap_or(dot.mark)
            };
            pen.char(x, y, sign, style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DOT: Dot = Dot {
        role: Role::Axis,
        faint: false,
        mark: '*',
    };

    proptest! {
        #[test]
        fn lines_have_no_gaps(heights in prop::collection::vec(0usize..40, 40)) {
            let mut canvas = Canvas::new(Rect::new(0, 0, 20, 10), false);
            let known: Vec<Option<usize>> = heights.iter().copied().map(Some).collect();
            canvas.curve(&known, false, Dash::Solid, DOT);
            let set = |x: usize, y: usize| {
                let cell = canvas.cells[(9 - y / 4) * 20 + x / 2];
                cell.bits & DOTS[x % 2][y % 4] != 0
            };
            // Every height has its dot, and neighbours touch.
            let rows = |x: usize| (0..40).filter(|&y| set(x, y)).collect::<Vec<_>>();
            for (x, y) in heights.iter().enumerate() {
                prop_assert!(set(x, *y), "column {x}");
            }
            for x in 0..39 {
                let (a, b) = (rows(x), rows(x + 1));
                prop_assert!(a.iter().any(|y| b.iter().any(|z| y.abs_diff(*z) <= 1)), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn outside_is_nothing() {
        let mut canvas = Canvas::new(Rect::new(3, 3, 2, 1), false);
        canvas.set(4, 0, DOT);
        canvas.set(0, 4, DOT);
        assert!(canvas.cells.iter().all(|c| c.dot.is_none()));
    }
}
