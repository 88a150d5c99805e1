//! Endgames that are more drawish than their material says.

use shakmaty::{Bitboard, Board, Color};

/// What the endgame part of the value is scaled by, in 64ths (`SCALE` in `tables.rs`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scale {
    /// Nothing special: by the pawns of the stronger side, 0 to 8.
    Pawns(u8),
    /// No pawns, and no more than a minor piece (or rook against minor) ahead.
    Pawnless,
    /// One pawn and no more than a minor piece ahead, so that the defender may give a piece for it.
    LastPawn,
    /// Bishops of opposite colours and pawns: by the pawns ahead, 0 to 2 or more.
    OppositeBishops(u8),
    /// Bishops of opposite colours among other pieces.
    OppositeBishopsWithMore,
}

impl Scale {
    /// How many there are.
    pub const COUNT: usize = 15;

    /// Its row in the table of factors.
    #[must_use]
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

/// Rough worth of the pieces without pawns: minor 3, rook 5, queen 9.
#[inline(always)]
fn pieces(board: &Board, side: Bitboard) -> i32 {
    let n = |b: Bitboard| (b & side).count() as i32;
    3 * n(board.knights() | board.bishops()) + 5 * n(board.rooks()) + 9 * n(board.queens())
}

/// Which factor applies if `strong` is the side the endgame sum favours.
#[inline(always)]
pub(in crate::eval) fn scale(board: &Board, strong: Color) -> Scale {
    let own = board.by_color(strong);
    let enemy = board.by_color(!strong);
    let pawns = (board.pawns() & own).count() as u8;
    if pawns <= 1 {
        let (ours, theirs) = (pieces(board, own), pieces(board, enemy));
        // Two knights alone do not mate either.
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
