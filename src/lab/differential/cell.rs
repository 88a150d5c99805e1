//! The cells of the grid.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The weights tried at either end, in per cent (Brian Sheppard, *MCTS and Point Differential*, 2011).
pub const SHARES: [u8; 6] = [0, 1, 2, 4, 8, 16];

/// A declining point differential: its weight with all pieces on the board and its weight with only kings and pawns
/// left, in per cent. Both are in [`SHARES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "(u8, u8)", into = "(u8, u8)")]
pub struct GridCell {
    from: u8,
    to: u8,
}

/// Why a text is no cell of the grid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found {found:?}, expected two of the per cents 0, 1, 2, 4, 8 and 16, as in 8x0")]
pub struct GridCellError {
    found: String,
}

impl GridCell {
    /// Returns the cell, or `None` if a weight is not in [`SHARES`].
    pub fn new(from: u8, to: u8) -> Option<GridCell> {
        let known = SHARES.contains(&from) && SHARES.contains(&to);
        known.then_some(GridCell { from, to })
    }

    /// Returns the cell in a row (the weight at the start of a game) and a column (at its end), both modulo 6.
    pub fn at(row: usize, column: usize) -> GridCell {
        GridCell {
            from: SHARES[row % SHARES.len()],
            to: SHARES[column % SHARES.len()],
        }
    }

    /// Whether nothing is counted, as by the other side: the control.
    pub fn is_control(self) -> bool {
        self.from == 0 && self.to == 0
    }

    /// Returns the weight with all pieces on the board, in per cent.
    pub fn from(self) -> u8 {
        self.from
    }

    /// Returns the weight with only kings and pawns left, in per cent.
    pub fn to(self) -> u8 {
        self.to
    }
}

/// Returns all cells, row by row.
pub fn cells() -> Vec<GridCell> {
    let pairs = SHARES.iter().flat_map(|&f| SHARES.map(|to| (f, to)));
    pairs.map(|(from, to)| GridCell { from, to }).collect()
}

/// Parses cells written as `8x0,4x4`.
///
/// # Errors
/// Returns the first part that is not a cell.
pub fn parse_cells(text: &str) -> Result<Vec<GridCell>, GridCellError> {
    let mut found = Vec::new();
    for part in text.split(',') {
        let cell = part.trim().parse()?;
        if !found.contains(&cell) {
            found.push(cell);
        }
    }
    Ok(found)
}

impl fmt::Display for GridCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.from, self.to)
    }
}

impl FromStr for GridCell {
    type Err = GridCellError;

    fn from_str(text: &str) -> Result<GridCell, GridCellError> {
        let parts = text.split_once('x');
        let number = |part: &str| part.parse::<u8>().ok();
        parts
            .and_then(|(from, to)| GridCell::new(number(from)?, number(to)?))
            .ok_or_else(|| GridCellError {
                found: text.to_owned(),
            })
    }
}

impl TryFrom<(u8, u8)> for GridCell {
    type Error = GridCellError;

    fn try_from((from, to): (u8, u8)) -> Result<GridCell, GridCellError> {
        GridCell::new(from, to).ok_or_else(|| GridCellError {
            found: format!("{from}x{to}"),
        })
    }
}

impl From<GridCell> for (u8, u8) {
    fn from(cell: GridCell) -> (u8, u8) {
        (cell.from, cell.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_written_as_they_are_read() {
        let all = cells();
        assert_eq!(all.len(), 36);
        for (i, cell) in all.iter().enumerate() {
            assert_eq!(cell.to_string().parse(), Ok(*cell));
            assert_eq!(GridCell::at(i / 6, i % 6), *cell);
        }
        assert_eq!(parse_cells("8x0, 4x4,8x0").map(|c| c.len()), Ok(2));
        for wrong in ["", "8", "8x", "3x0", "8x0x0", "-1x0", "8x0,", "256x0"] {
            assert!(parse_cells(wrong).is_err(), "{wrong:?}");
        }
    }
}
