//! A canvas of dots: braille, 2 by 4 per cell, or one mark per cell in ASCII mode.

use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::plot::DOTS;
use crate::pen::Pen;
use crate::theme::Role;

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
    dot: Option<Dot>,
}

/// Dots over an area, counted from its lower left corner. Later dots are above earlier ones.
#[derive(Debug)]
pub struct Canvas {
    area: Rect,
    /// The dots per cell: columns, rows.
    fine: (usize, usize),
    cells: Vec<Cell>,
}

impl Canvas {
    pub fn new(area: Rect, ascii: bool) -> Canvas {
        let count = usize::from(area.width) * usize::from(area.height);
        Canvas {
            area,
            fine: if ascii { (1, 1) } else { (2, 4) },
            cells: vec![Cell::default(); count],
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
        // A line over a faint area keeps only its own dots.
        if cell.dot.is_some_and(|old| old.faint && !dot.faint) {
            cell.bits = 0;
        }
        cell.bits |= DOTS[in_x][in_y];
        cell.dot = Some(dot);
    }

    /// Draws a line without gaps from one dot to another; the first one is the left one.
    pub fn line(&mut self, from: (usize, f32), to: (usize, f32), dot: Dot) {
        let steps = to.0.saturating_sub(from.0).max(1);
        let at = |i: usize| (from.1 + (to.1 - from.1) * i as f32 / steps as f32).round() as usize;
        let mut before = at(0);
        for i in 0..=steps {
            let y = at(i);
            // Half of a steep step belongs to each of its two columns.
            let (low, high) = (before.min(y), before.max(y));
            for step in low..=high {
                self.set((from.0 + i).min(to.0), step, dot);
            }
            before = y;
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
        fn lines_have_no_gaps(x0 in 0usize..20, x1 in 0usize..40, y0 in 0.0f32..39.0, y1 in 0.0f32..39.0) {
            let mut canvas = Canvas::new(Rect::new(0, 0, 20, 10), false);
            let to = (x0 + x1 % 20, y1);
            canvas.line((x0, y0), to, DOT);
            let set = |x: usize, y: usize| {
                let cell = canvas.cells[(9 - y / 4) * 20 + x / 2];
                cell.bits & DOTS[x % 2][y % 4] != 0
            };
            // Every column has a dot, and neighbours touch.
            let rows = |x: usize| (0..40).filter(|&y| set(x, y)).collect::<Vec<_>>();
            for x in x0..=to.0 {
                prop_assert!(!rows(x).is_empty(), "column {x}");
            }
            for x in x0..to.0 {
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
