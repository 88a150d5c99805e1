//! Pieces and arrows as pixels: two columns and two rows of them in each cell, drawn as quarter and half blocks.
//!
//! A cell shows two colours, those of its block and of its ground. An outline that surrounds a shape on all sides, its
//! corners too, leaves no pixel of the ground in a cell that has some of the shape; so two colours are enough.

use ratatui::style::Style;

use super::squares::Grid;
use screen::pen::Pen;
use screen::theme::Role;

/// Pixels over the squares of a board. A pixel without a role shows the square.
#[derive(Debug)]
pub(super) struct Raster {
    columns: usize,
    rows: usize,
    inks: Vec<Option<Role>>,
}

/// The blocks, by which pixels they fill: 1 upper left, 2 upper right, 4 lower left, 8 lower right.
const BLOCKS: [char; 16] = [
    ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
];

impl Raster {
    pub fn new(grid: &Grid) -> Raster {
        let area = grid.area();
        let (columns, rows) = (2 * usize::from(area.width), 2 * usize::from(area.height));
        Raster {
            columns,
            rows,
            inks: vec![None; columns * rows],
        }
    }

    /// Returns the number of pixels: columns, rows.
    pub fn size(&self) -> (usize, usize) {
        (self.columns, self.rows)
    }

    pub fn get(&self, x: usize, y: usize) -> Option<Role> {
        (x < self.columns).then(|| self.inks.get(y * self.columns + x).copied().flatten())?
    }

    /// Whether a pixel shows a piece or its outline.
    pub fn has_piece(&self, x: usize, y: usize) -> bool {
        let ink = self.get(x, y);
        matches!(
            ink,
            Some(Role::PieceWhite | Role::PieceBlack | Role::PieceWhiteEdge | Role::PieceBlackEdge)
        )
    }

    /// Sets a pixel; one outside the board is ignored.
    pub fn set(&mut self, x: usize, y: usize, ink: Role) {
        if x < self.columns
            && let Some(pixel) = self.inks.get_mut(y * self.columns + x)
        {
            *pixel = Some(ink);
        }
    }

    /// Draws the pixels over the squares, whose style the cells already have.
    pub fn draw(&self, pen: &mut Pen, grid: &Grid) {
        for row in 0..self.rows / 2 {
            for column in 0..self.columns / 2 {
                let at = |i: usize| self.get(2 * column + i % 2, 2 * row + i / 2);
                let inks = [at(0), at(1), at(2), at(3)];
                if inks.iter().all(Option::is_none) {
                    continue;
                }
                let (block, front, back) = block(inks);
                let colour = |ink: Option<Role>| ink.and_then(|role| pen.style(role).fg);
                let mut style = Style {
                    fg: colour(front),
                    ..Style::default()
                };
                if back.is_some() {
                    style.bg = colour(back);
                }
                let (x, y) = (grid.left + column as u16, grid.top + row as u16);
                pen.char(x, y, block, style);
            }
        }
    }
}

/// Returns what a pixel's ink is worth where a cell has more than two.
fn weight(ink: Option<Role>) -> usize {
    match ink {
        None => 0,
        Some(Role::PieceWhiteEdge | Role::PieceBlackEdge) => 1,
        Some(Role::PieceWhite | Role::PieceBlack) => 2,
        Some(_) => 3,
    }
}

/// Returns the block for four pixels, the ink that it is drawn in, and that of the rest of the cell.
fn block(inks: [Option<Role>; 4]) -> (char, Option<Role>, Option<Role>) {
    let mut kinds: Vec<Option<Role>> = Vec::with_capacity(4);
    for ink in inks {
        if !kinds.contains(&ink) {
            kinds.push(ink);
        }
    }
    kinds.sort_by_key(|ink| std::cmp::Reverse(weight(*ink)));
    let front = kinds[0];
    // What finds no place of its own joins the rest.
    let back = kinds.get(1).copied().unwrap_or(front);
    let filled = inks.iter().enumerate().filter(|(_, ink)| **ink == front);
    let bits: usize = filled.map(|(i, _)| 1 << i).sum();
    let back = if bits == 15 { None } else { back };
    (BLOCKS[bits], front, back)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use unicode_width::UnicodeWidthChar as _;

    #[test]
    fn blocks_fill_what_they_are_to_fill() {
        let (white, edge) = (Some(Role::PieceWhite), Some(Role::PieceWhiteEdge));
        let arrow = Some(Role::ArrowBest);
        assert_eq!(block([white; 4]), ('█', white, None));
        assert_eq!(block([white, None, None, None]), ('▘', white, None));
        assert_eq!(block([edge, edge, white, white]), ('▄', white, edge));
        // An arrow is above the pieces, and an outline gives way to its piece.
        assert_eq!(block([arrow, white, edge, white]), ('▘', arrow, white));
        assert!(BLOCKS.iter().all(|c| c.width() == Some(1)));
    }

    #[test]
    fn nothing_is_set_outside() {
        let grid = Grid::new(
            Rect::new(0, 0, 40, 20),
            super::super::squares::Squares::SIZES[2],
            false,
        );
        let mut raster = Raster::new(&grid);
        let (columns, rows) = raster.size();
        assert_eq!((columns, rows), (64, 32));
        raster.set(columns, 0, Role::PieceWhite);
        raster.set(0, rows, Role::PieceWhite);
        assert!(raster.inks.iter().all(Option::is_none));
        assert_eq!(raster.get(columns, 0), None);
    }
}
