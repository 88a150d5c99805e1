//! Endgames that are more drawish than their material suggests.

use shakmaty::{Bitboard, Board, Color};

/// Why the endgame part of the value is scaled; the factors in 64ths are `SCALE` in `tables.rs`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scale {
    /// Nothing special: depends on the stronger side's number of pawns, 0 to 8.
    Pawns(u8),
    /// No pawns, and at most a minor piece ahead (or a rook against a minor piece).
    Pawnless,
    /// One pawn and at most a minor piece ahead, so that the defender can give up a piece for the pawn.
    LastPawn,
    /// Bishops of opposite colours and pawns: depends on how many pawns ahead, 0 to 2 or more.
    OppositeBishops(u8),
    /// Bishops of opposite colours along with other pieces.
    OppositeBishopsWithMore,
}

impl Scale {
    /// The number of different values.
    pub const COUNT: usize = 15;

    /// Returns the row in the table of factors.
    pub fn index(self) -> usize {
        match self {
            Scale::Pawns(n) => usize::from(n.min(8)),
            Scale::Pawnless => 9,
            Scale::LastPawn => 10,
            Scale::OppositeBishops(n) => 11 + usize::from(n.min(2)),
            Scale::OppositeBishopsWithMore => 14,
        }
    }
}

/// The approximate worth of the pieces without pawns: minor piece 3, rook 5, queen 9.
#[inline(always)]
fn pieces(board: &Board, side: Bitboard) -> i32 {
    let n = |b: Bitboard| (b & side).count() as i32;
    3 * n(board.knights() | board.bishops()) + 5 * n(board.rooks()) + 9 * n(board.queens())
}

/// Returns the factor that applies if `strong` is the side that the endgame sum favours.
#[inline(always)]
pub(crate) fn scale(board: &Board, strong: Color) -> Scale {
    let own = board.by_color(strong);
    let enemy = board.by_color(!strong);
    let pawns = (board.pawns() & own).count() as u8;
    if pawns <= 1 {
        let (ours, theirs) = (pieces(board, own), pieces(board, enemy));
        // Two knights alone cannot force mate either.
        let two_knights = theirs == 0 && ours == 6 && (board.knights() & own).count() == 2;
        if pawns == 0 && (ours - theirs <= 3 || two_knights) {
            return Scale::Pawnless;
        }
        if pawns == 1 && theirs > 0 && ours - theirs <= 0 {
            return Scale::LastPawn;
        }
    }
    let bishops = board.bishops();
    let opposite = bishops.count() == 2
        && (bishops & own).count() == 1
        && (bishops & Bitboard::LIGHT_SQUARES).count() == 1;
    if opposite {
        let others = board.knights() | board.rooks_and_queens();
        if others.is_empty() {
            let theirs = (board.pawns() & enemy).count() as u8;
            return Scale::OppositeBishops(pawns.saturating_sub(theirs).min(2));
        }
        return Scale::OppositeBishopsWithMore;
    }
    Scale::Pawns(pawns)
}
