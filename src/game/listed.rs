//! A legal move as a search lists it, before it is known whether the move will ever be made.

use super::{MoveCode, Moves};

/// A move's code, whether the move is noisy ([`super::ChessKnowledge::is_noisy`]), and a hint of nine bits with which the
/// game makes the move again ([`super::Game::listed`]).
///
/// A word is listed more quickly than a move, and most moves of a list are never made. Bit 34 says that the move is quiet,
/// bits 16 to 24 are the hint, and the lowest 16 bits are the code; the rest is left for the order of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listed(u64);

impl Listed {
    pub const QUIET: u32 = 34;
    pub const HINT: u32 = 16;

    #[inline(always)]
    pub const fn new(code: MoveCode, noisy: bool, hint: u16) -> Listed {
        let quiet = (!noisy as u64) << Self::QUIET;
        Listed(code.0 as u64 | (hint as u64) << Self::HINT | quiet)
    }

    /// Takes the move out of a word whose other bits may be used for something else.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Listed {
        Listed(bits & (1 << Self::QUIET | 0x1ff << Self::HINT | 0xffff))
    }

    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    #[inline(always)]
    pub const fn code(self) -> MoveCode {
        MoveCode(self.0 as u16)
    }

    #[inline(always)]
    pub const fn hint(self) -> u16 {
        (self.0 >> Self::HINT) as u16 & 0x1ff
    }
}

/// Takes up moves one by one.
pub trait MoveList {
    fn push(&mut self, listed: Listed);
}

impl MoveList for Moves<Listed> {
    #[inline(always)]
    fn push(&mut self, listed: Listed) {
        Moves::push(self, listed);
    }
}
