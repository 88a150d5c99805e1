//! A board as data, which every face of the program draws in its own way.

use super::{MoveCode, Side};

/// What is on a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// The rows from the top, each from the left.
    pub cells: Vec<Vec<Option<Piece>>>,
    /// The names of the columns and of the rows; empty if they have none.
    pub columns: Vec<String>,
    pub rows: Vec<String>,
    /// Where a legal move puts its piece. A move is shown at its cell, and made by a click on it.
    pub moves: Vec<(MoveCode, Cell)>,
}

/// A column and a row, counted from the upper left corner.
pub type Cell = (usize, usize);

/// A piece or a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub sign: char,
    pub side: Side,
}

impl Board {
    /// Returns the cell of a legal move.
    pub fn cell(&self, code: MoveCode) -> Option<Cell> {
        let mut moves = self.moves.iter();
        moves.find(|m| m.0 == code).map(|m| m.1)
    }

    /// Returns the board as lines of text.
    pub fn text(&self) -> String {
        let cell = |cell: &Option<Piece>| [cell.map_or('·', |piece| piece.sign), ' '];
        let rows = self.cells.iter();
        rows.flat_map(|row| row.iter().flat_map(cell).chain(['\n']))
            .collect()
    }
}
