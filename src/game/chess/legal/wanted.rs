//! Which of the legal moves are listed.

use shakmaty::{Bitboard, Move, Role, Square};

use crate::chess::ChessPosition;
use crate::chess::check::Checks;
use crate::{ChessKnowledge as _, Game as _, MoveCode};

/// Which moves are listed.
pub(super) trait Wanted {
    /// Whether noisy moves are.
    const NOISY: bool = true;
    /// Whether any quiet moves are.
    const QUIET: bool = true;
    /// Whether quiet moves other than those of a piece from square to square are: castling, and promotions to a rook or
    /// bishop.
    const UNUSUAL: bool = true;

    /// Those of a piece's quiet moves that are listed.
    fn quiets(&mut self, role: Role, from: Square, to: Bitboard) -> Bitboard;

    /// The same for single or double steps of pawns, of which the `special` ones are decided one by one.
    fn pawn_steps(&mut self, steps: Bitboard, offset: i32, special: Bitboard) -> Bitboard;

    /// Whether a quiet move is listed that is unusual.
    fn takes(&mut self, _position: &ChessPosition, _m: Move) -> bool {
        Self::UNUSUAL
    }
}

pub(super) struct All;

impl Wanted for All {
    #[inline(always)]
    fn quiets(&mut self, _: Role, _: Square, to: Bitboard) -> Bitboard {
        to
    }

    #[inline(always)]
    fn pawn_steps(&mut self, steps: Bitboard, _: i32, _: Bitboard) -> Bitboard {
        steps
    }
}

pub(super) struct Noisy;

impl Wanted for Noisy {
    const QUIET: bool = false;
    const UNUSUAL: bool = false;

    #[inline(always)]
    fn quiets(&mut self, _: Role, _: Square, _: Bitboard) -> Bitboard {
        Bitboard::EMPTY
    }

    #[inline(always)]
    fn pawn_steps(&mut self, _: Bitboard, _: i32, _: Bitboard) -> Bitboard {
        Bitboard::EMPTY
    }
}

/// Quiet moves that give check to the king on `target`.
pub(super) struct QuietChecks<'a> {
    pub checks: &'a Checks,
    pub target: Square,
}

impl Wanted for QuietChecks<'_> {
    const NOISY: bool = false;
    const UNUSUAL: bool = false;

    #[inline(always)]
    fn quiets(&mut self, role: Role, from: Square, to: Bitboard) -> Bitboard {
        to & self.checks.from(role, from, self.target)
    }

    #[inline(always)]
    fn pawn_steps(&mut self, steps: Bitboard, offset: i32, _: Bitboard) -> Bitboard {
        steps & self.checks.may_be_given_by_pawns(offset)
    }
}

/// All moves but quiet ones that give no check, which are counted, except one.
pub(super) struct Most<'a> {
    pub checks: &'a Checks,
    pub target: Square,
    /// The quiet move that is listed in any case.
    pub kept: MoveCode,
    pub left_out: usize,
}

impl Wanted for Most<'_> {
    #[inline(always)]
    fn quiets(&mut self, role: Role, from: Square, to: Bitboard) -> Bitboard {
        let mut listed = to & self.checks.from(role, from, self.target);
        if self.kept.0 & 63 == u16::from(from) {
            listed |= to & kept_target(self.kept);
        }
        self.left_out += (to & !listed).count();
        listed
    }

    #[inline(always)]
    fn pawn_steps(&mut self, steps: Bitboard, offset: i32, special: Bitboard) -> Bitboard {
        let special = special | self.checks.may_be_given_by_pawns(offset) | kept_target(self.kept);
        self.left_out += (steps & !special).count();
        steps & special
    }

    fn takes(&mut self, position: &ChessPosition, m: Move) -> bool {
        let taken = position.encode(m) == self.kept || position.gives_check_by(self.checks, m);
        self.left_out += usize::from(!taken);
        taken
    }
}

#[inline(always)]
fn kept_target(kept: MoveCode) -> Bitboard {
    Bitboard::from(Square::new(u32::from(kept.0 >> 6 & 63)))
}
