//! What each side attacks, as the hidden layer of belief and policy sees it.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

use super::accumulator::View;
use super::shape::FIRST_EMPTY;

/// The squares that one side attacks. A piece attacks what it could capture on, pins aside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attacked {
    by_pawns: Bitboard,
    /// By pawns, knights or bishops.
    by_light: Bitboard,
    /// By pawns, knights, bishops or rooks.
    by_less_than_queen: Bitboard,
    by_any: Bitboard,
}

impl Attacked {
    #[inline(always)]
    pub fn by(board: &Board, color: Color) -> Attacked {
        let own = board.by_color(color);
        let occupied = board.occupied();
        let mut by_pawns = Bitboard::EMPTY;
        for square in own & board.pawns() {
            by_pawns |= attacks::pawn_attacks(color, square);
        }
        let mut squares = by_pawns;
        for square in own & board.knights() {
            squares |= attacks::knight_attacks(square);
        }
        for square in own & board.bishops() {
            squares |= attacks::bishop_attacks(square, occupied);
        }
        let by_light = squares;
        for square in own & board.rooks() {
            squares |= attacks::rook_attacks(square, occupied);
        }
        let by_less_than_queen = squares;
        for square in own & board.queens() {
            squares |= attacks::queen_attacks(square, occupied);
        }
        for square in own & board.kings() {
            squares |= attacks::king_attacks(square);
        }
        Attacked {
            by_pawns,
            by_light,
            by_less_than_queen,
            by_any: squares,
        }
    }

    /// The squares attacked by something worth less than a piece of this role. A pawn may be taken by a pawn, and a king
    /// by anything.
    #[inline(always)]
    fn by_less_than(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn | Role::Knight | Role::Bishop => self.by_pawns,
            Role::Rook => self.by_light,
            Role::Queen => self.by_less_than_queen,
            Role::King => self.by_any,
        }
    }

    /// Returns 2 if something worth less than the role attacks the square, 1 if only something else does, 0 if nothing
    /// does.
    #[inline(always)]
    pub fn level(&self, role: Role, square: Square) -> usize {
        usize::from(self.by_any.contains(square))
            + usize::from(self.by_less_than(role).contains(square))
    }

    /// The squares on which a pawn attacks, on which only something else does, and on which nothing does, in the order of
    /// their numbers 0 to 2.
    #[inline(always)]
    fn empty_levels(&self) -> [Bitboard; 3] {
        [!self.by_any, self.by_any & !self.by_pawns, self.by_pawns]
    }
}

/// What is attacked, from the view of the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threats {
    pub own: Attacked,
    pub enemy: Attacked,
}

impl Threats {
    #[inline(always)]
    pub fn new(board: &Board, us: Color) -> Threats {
        Threats {
            own: Attacked::by(board, us),
            enemy: Attacked::by(board, !us),
        }
    }

    /// Returns 2 in check, 1 if the side to move can take a piece that is undefended or worth more than what takes it, 0
    /// otherwise.
    #[inline(always)]
    pub fn state(&self, board: &Board, us: Color) -> usize {
        if (self.enemy.by_any & board.kings() & board.by_color(us)).any() {
            return 2;
        }
        let pieces = board.by_color(!us) & !board.kings();
        let mut pending = self.own.by_any & pieces & !self.enemy.by_any;
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            pending |= self.own.by_less_than(role) & pieces & board.by_role(role);
        }
        usize::from(pending.any())
    }

    /// Returns the rows of the attack inputs: one for each piece, and one for each empty square that is attacked.
    #[inline(always)]
    pub fn rows(&self, board: &Board, view: View) -> ArrayVec<u16, 64> {
        let mut rows = ArrayVec::new();
        let mut push = |row: usize| rows.push(row as u16);
        let us = view.color;
        for (color, defenders, attackers) in
            [(us, &self.own, &self.enemy), (!us, &self.enemy, &self.own)]
        {
            for role in Role::ALL {
                let first = view.kind(color, role) * 6 * 64;
                for square in board.by_role(role) & board.by_color(color) {
                    let defended = usize::from(defenders.by_any.contains(square));
                    let state = 2 * attackers.level(role, square) + defended;
                    push(first + state * 64 + view.square(square));
                }
            }
        }
        let empty = !board.occupied();
        for (a, own) in self.own.empty_levels().into_iter().enumerate() {
            for (b, enemy) in self.enemy.empty_levels().into_iter().enumerate() {
                let first = FIRST_EMPTY + (3 * a + b) * 64;
                if a + b > 0 {
                    for square in own & enemy & empty {
                        push(first + view.square(square));
                    }
                }
            }
        }
        rows
    }
}
