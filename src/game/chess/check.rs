//! Whether a move gives check, without making it.

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, Move, Position as _, Role, Square, attacks,
};

/// Whether the legal move `m` attacks the enemy king, directly or by uncovering a slider.
#[inline(never)]
pub(super) fn gives_check(chess: &Chess, m: Move) -> bool {
    let board = chess.board();
    let us = chess.turn();
    let Some(king) = board.king_of(!us) else {
        return false;
    };
    match m {
        Move::Normal {
            role,
            from,
            to,
            promotion,
            ..
        } => {
            let occupied = board.occupied().without(from).with(to);
            attacks_king(us, promotion.unwrap_or(role), to, king, occupied)
                || uncovers(board, us, from, to, king, occupied)
        }
        Move::EnPassant { from, to } => {
            let captured = Square::from_coords(to.file(), from.rank());
            let occupied = board.occupied().without(from).without(captured).with(to);
            attacks_king(us, Role::Pawn, to, king, occupied)
                || !slider_attackers(board, us, king, occupied).is_empty()
        }
        Move::Castle { king: from, rook } => {
            let side = CastlingSide::from_queen_side(rook < from);
            let king_to = Square::from_coords(side.king_to_file(), from.rank());
            let rook_to = Square::from_coords(side.rook_to_file(), from.rank());
            let left = board.occupied().without(from).without(rook);
            let occupied = left.with(king_to).with(rook_to);
            attacks::rook_attacks(rook_to, occupied).contains(king)
                || slider_attackers(board, us, king, occupied)
                    .without(rook)
                    .any()
        }
        Move::Put { .. } => false,
    }
}

/// The squares from which each piece of the side to move would check the enemy king, and the pieces whose departure
/// would uncover a slider. They are computed once and used for many moves.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    pub(super) king: Option<Square>,
    /// By role, pawn first; empty for the king.
    squares: [Bitboard; 6],
    uncovering: Bitboard,
}

impl Checks {
    /// The value for a position in which no move can give check.
    pub const NONE: Checks = Checks {
        king: None,
        squares: [Bitboard::EMPTY; 6],
        uncovering: Bitboard::EMPTY,
    };

    pub(super) fn new(chess: &Chess) -> Checks {
        let board = chess.board();
        let us = chess.turn();
        let empty = Bitboard::EMPTY;
        let Some(king) = board.king_of(!us) else {
            return Checks::NONE;
        };
        let occupied = board.occupied();
        let bishop = attacks::bishop_attacks(king, occupied);
        let rook = attacks::rook_attacks(king, occupied);
        let pawn = attacks::pawn_attacks(!us, king);
        let ours = board.by_color(us);
        // Our sliders that would attack the king if a single piece of ours were not in between.
        let nearest = (bishop | rook) & ours;
        let mut uncovering = empty;
        if nearest.any() {
            let beyond = occupied ^ nearest;
            let sliders = (attacks::rook_attacks(king, beyond) & board.rooks_and_queens())
                | (attacks::bishop_attacks(king, beyond) & board.bishops_and_queens());
            for slider in sliders & ours {
                uncovering |= attacks::between(slider, king) & nearest;
            }
        }
        Checks {
            king: Some(king),
            squares: [
                pawn,
                attacks::knight_attacks(king),
                bishop,
                rook,
                bishop | rook,
                empty,
            ],
            uncovering,
        }
    }

    /// The squares from which a piece of that role would attack the enemy king on the present board; none for a king.
    #[inline]
    pub fn direct(&self, role: Role) -> Bitboard {
        self.squares[role as usize - 1]
    }

    /// The squares on which a piece of that role, coming from `from`, gives check to the king on `target`, directly or
    /// by uncovering a slider.
    #[inline]
    pub(super) fn from(&self, role: Role, from: Square, target: Square) -> Bitboard {
        let direct = self.direct(role);
        if self.uncovering.contains(from) {
            direct | !attacks::ray(from, target)
        } else {
            direct
        }
    }

    /// Squares among which are all those where a pawn that moves by `offset` gives check.
    #[inline]
    pub(super) fn may_be_given_by_pawns(&self, offset: i32) -> Bitboard {
        self.direct(Role::Pawn) | self.uncovering.shift(offset)
    }

    /// Whether a plain move gives check: no castling, promotion or capture en passant.
    #[inline(always)]
    pub(super) fn given_by_plain(&self, role: usize, from: Square, to: Square) -> bool {
        let direct = self
            .squares
            .get(role)
            .is_some_and(|squares| squares.contains(to));
        direct || self.uncovering.contains(from) && self.uncovered_by(from, to)
    }

    #[inline(never)]
    fn uncovered_by(&self, from: Square, to: Square) -> bool {
        let stays = |king| attacks::ray(from, king).contains(to);
        self.king.is_some_and(|king| !stays(king))
    }

    /// Whether the legal move `m` of `chess` gives check.
    #[inline]
    pub(super) fn gives_check(&self, chess: &Chess, m: Move) -> bool {
        let Some(king) = self.king else {
            return false;
        };
        match m {
            Move::Normal {
                role,
                from,
                to,
                promotion: None,
                ..
            } => self.from(role, from, king).contains(to),
            _ => gives_check(chess, m),
        }
    }
}

#[inline]
fn attacks_king(us: Color, role: Role, to: Square, king: Square, occupied: Bitboard) -> bool {
    match role {
        Role::Pawn => attacks::pawn_attacks(us, to).contains(king),
        Role::Knight => attacks::knight_attacks(to).contains(king),
        Role::King => false,
        // Most slider moves end on no line with the king; one table look-up settles those.
        _ if !attacks::ray(to, king).any() => false,
        Role::Bishop => attacks::bishop_attacks(to, occupied).contains(king),
        Role::Rook => attacks::rook_attacks(to, occupied).contains(king),
        Role::Queen => attacks::queen_attacks(to, occupied).contains(king),
    }
}

/// Whether leaving `from` opens a line of one of our sliders to the king.
#[inline]
fn uncovers(
    board: &Board,
    us: Color,
    from: Square,
    to: Square,
    king: Square,
    occupied: Bitboard,
) -> bool {
    let line = attacks::ray(from, king);
    if line.is_empty() || line.contains(to) {
        return false;
    }
    // The piece on `from` still counts as ours in `board`, so it must not be mistaken for the slider that it uncovers.
    (slider_attackers(board, us, king, occupied) & line)
        .without(from)
        .any()
}

/// Our sliders, at their squares in `board`, that attack the king when the board is `occupied`.
#[inline]
fn slider_attackers(board: &Board, us: Color, king: Square, occupied: Bitboard) -> Bitboard {
    board.by_color(us)
        & occupied
        & ((attacks::rook_attacks(king, occupied) & board.rooks_and_queens())
            | (attacks::bishop_attacks(king, occupied) & board.bishops_and_queens()))
}
