//! The geometry of a board on the screen: how large its squares are, and where each one is.

#[cfg(test)]
use ratatui::layout::Position;
use ratatui::layout::Rect;
use shakmaty::{File, Rank, Square};

/// The size of a square of the board in cells. A square is about twice as wide as high in cells, so that it looks
/// square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Squares {
    pub width: u16,
    pub height: u16,
}

impl Squares {
    /// The sizes, the largest first.
    pub(crate) const SIZES: [Squares; 4] = [
        Squares {
            width: 8,
            height: 4,
        },
        Squares {
            width: 6,
            height: 3,
        },
        Squares {
            width: 4,
            height: 2,
        },
        Squares::SMALLEST,
    ];

    /// The size at which a board still fits beside everything else on the smallest screen.
    pub(crate) const SMALLEST: Squares = Squares {
        width: 2,
        height: 1,
    };

    /// Returns the size of the board in cells: the frame, eight squares, the labels, and the bar of the evaluation.
    pub fn frame(self) -> (u16, u16) {
        (8 * self.width + 2 + 2 + 1, 8 * self.height + 1 + 2)
    }

    /// Returns the largest squares of a board without a frame and a bar that fits, if any does.
    pub(crate) fn bare(width: u16, height: u16) -> Option<Squares> {
        let fits = |s: &Squares| 8 * s.width + 3 <= width && 8 * s.height < height;
        Self::SIZES.into_iter().find(fits)
    }

    /// Returns the squares of a board in an area: the largest that fit.
    pub(super) fn of(area: Rect) -> Squares {
        Self::fitting(area.width, area.height).unwrap_or(Self::SMALLEST)
    }

    /// Returns the largest squares that fit, if any do.
    pub(crate) fn fitting(width: u16, height: u16) -> Option<Squares> {
        Self::SIZES.into_iter().find(|s| {
            let (w, h) = s.frame();
            w <= width && h <= height
        })
    }
}

/// The 64 squares in an area: the labels of the ranks are to their left, those of the files below.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    /// The upper left corner of the squares.
    pub left: u16,
    pub top: u16,
    pub size: Squares,
    /// Whether Black is at the bottom.
    pub flipped: bool,
}

impl Grid {
    /// Puts the squares into the middle of an area.
    pub fn new(inner: Rect, size: Squares, flipped: bool) -> Grid {
        let width = 8 * size.width + 2;
        Grid {
            left: inner.x + inner.width.saturating_sub(width + 1) / 2 + 2,
            top: inner.y,
            size,
            flipped,
        }
    }

    /// Returns the square in a column and a row of the board as it is seen, both counted from the upper left corner.
    pub fn seen(&self, column: u16, row: u16) -> Square {
        let (file, rank) = match self.flipped {
            true => (7 - column, row),
            false => (column, 7 - row),
        };
        Square::from_coords(File::new(file.into()), Rank::new(rank.into()))
    }

    /// Returns the column and the row at which a square is seen.
    pub fn place(&self, square: Square) -> (u16, u16) {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        let (file, rank) = (file as u16, rank as u16);
        match self.flipped {
            true => (7 - file, rank),
            false => (file, 7 - rank),
        }
    }

    /// Returns the cells of a square.
    pub fn cell(&self, square: Square) -> Rect {
        let (column, row) = self.place(square);
        Rect {
            x: self.left + column * self.size.width,
            y: self.top + row * self.size.height,
            width: self.size.width,
            height: self.size.height,
        }
    }

    /// Returns the cells of all squares.
    pub fn area(&self) -> Rect {
        Rect {
            x: self.left,
            y: self.top,
            width: 8 * self.size.width,
            height: 8 * self.size.height,
        }
    }

    /// Returns the square at a cell of the screen, if there is one.
    #[cfg(test)]
    pub fn at(&self, x: u16, y: u16) -> Option<Square> {
        let here = self.area().contains(Position::new(x, y));
        here.then(|| {
            self.seen(
                (x - self.left) / self.size.width,
                (y - self.top) / self.size.height,
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_where_it_is_seen() {
        for size in Squares::SIZES {
            for flipped in [false, true] {
                let grid = Grid::new(Rect::new(3, 2, 90, 40), size, flipped);
                let mut cells = 0;
                for square in Square::ALL {
                    let (column, row) = grid.place(square);
                    assert_eq!(grid.seen(column, row), square);
                    let cell = grid.cell(square);
                    assert_eq!(grid.area().intersection(cell), cell);
                    for position in cell.positions() {
                        assert_eq!(grid.at(position.x, position.y), Some(square));
                        cells += 1;
                    }
                }
                assert_eq!(cells, grid.area().area());
                let lower_left = if flipped { Square::H8 } else { Square::A1 };
                assert_eq!(
                    grid.at(grid.left, grid.area().bottom() - 1),
                    Some(lower_left)
                );
            }
        }
    }
}
