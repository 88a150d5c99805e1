//! The moves that quiescence searches, generated directly: most nodes of a depth-first search need only these, and
//! filtering the full list costs more than generating it.

use super::ChessPosition;
use super::check::Checks;
use shakmaty::{
    Bitboard, Board, Chess, Color, File, Move, Position as _, Rank, Role, Square, attacks,
};

use crate::game::{ChessKnowledge as _, Moves};

/// The roles to which a pawn is promoted in quiescence. Rook and bishop differ from the queen only where a stalemate
/// must be avoided, which is too subtle for quiescence.
const NOISY_PROMOTIONS: [Role; 2] = [Role::Queen, Role::Knight];

/// Whether a move is a capture (en passant included) or a promotion. Promotions to rook or bishop do not count, whether
/// they capture or not.
#[inline]
pub(super) fn is_noisy(m: Move) -> bool {
    match m {
        Move::Normal {
            promotion: None,
            capture,
            ..
        } => capture.is_some(),
        Move::Normal {
            promotion: Some(role),
            ..
        } => NOISY_PROMOTIONS.contains(&role),
        Move::EnPassant { .. } => true,
        _ => false,
    }
}

/// Appends all legal moves for which [`is_noisy`] holds; all legal moves when in check.
pub(super) fn noisy_moves(position: &ChessPosition, moves: &mut Moves<Move>) {
    let chess = &position.chess;
    let board = chess.board();
    let us = chess.turn();
    // A legal position has both kings; without one there is nothing to search.
    let Some(king) = board.king_of(us) else {
        return;
    };
    let occupied = board.occupied();
    if position.is_check() {
        moves.extend(chess.legal_moves());
        return;
    }
    let mut generator = Generator {
        board,
        us,
        king,
        occupied,
        targets: board.by_color(!us),
        pinned: board.by_color(us) & slider_blockers(board, !us, king),
        moves,
    };
    generator.pieces(|_, _| Bitboard::FULL);
    generator.pawn_captures();
    generator.pawn_promotions();
    generator.king();
    if chess.maybe_ep_square().is_some() {
        moves.extend(chess.en_passant_moves());
    }
}

/// Appends checks by quiet moves, both direct ones and those that uncover a slider; without castling, en passant and
/// promotions. Not to be called in check.
pub(super) fn quiet_checks(chess: &Chess, moves: &mut Moves<Move>) {
    let board = chess.board();
    let us = chess.turn();
    let checks = Checks::new(chess);
    let (Some(king), Some(target)) = (board.king_of(us), checks.king) else {
        return;
    };
    let mut generator = Generator {
        board,
        us,
        king,
        occupied: board.occupied(),
        targets: !board.occupied(),
        pinned: board.by_color(us) & slider_blockers(board, !us, king),
        moves,
    };
    generator.pieces(|role, from| checks.from(role, from, target));
    generator.pawn_pushes(|from| checks.from(Role::Pawn, from, target));
    let uncovered = checks.from(Role::King, king, target);
    if uncovered.any() {
        generator.targets &= uncovered;
        generator.king();
    }
}

/// The pieces of either side that are alone between `king` and a slider of color `sniper`.
#[inline]
pub(super) fn slider_blockers(board: &Board, sniper: Color, king: Square) -> Bitboard {
    let empty = Bitboard::EMPTY;
    let snipers = board.by_color(sniper)
        & ((attacks::rook_attacks(king, empty) & board.rooks_and_queens())
            | (attacks::bishop_attacks(king, empty) & board.bishops_and_queens()));
    let mut blockers = Bitboard::EMPTY;
    for square in snipers {
        let between = attacks::between(king, square) & board.occupied();
        if !between.more_than_one() {
            blockers |= between;
        }
    }
    blockers
}

struct Generator<'a> {
    board: &'a Board,
    us: Color,
    king: Square,
    occupied: Bitboard,
    /// The enemy's pieces.
    targets: Bitboard,
    /// Our pieces that may only move on the line through our king.
    pinned: Bitboard,
    /// Borrowed, because the list is large and moving it costs as much as filling it.
    moves: &'a mut Moves<Move>,
}

impl Generator<'_> {
    #[inline]
    fn is_held(&self, from: Square, to: Square) -> bool {
        self.pinned.contains(from) && !attacks::aligned(self.king, from, to)
    }

    #[inline]
    fn push(&mut self, role: Role, from: Square, to: Square, promotion: Option<Role>) {
        self.moves.push(Move::Normal {
            role,
            from,
            capture: self.board.role_at(to),
            to,
            promotion,
        });
    }

    /// Generates moves of the pieces to those targets that `wanted` accepts, by role and square.
    #[inline]
    fn pieces(&mut self, wanted: impl Fn(Role, Square) -> Bitboard) {
        let ours = self.board.by_color(self.us);
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in ours & self.board.by_role(role) {
                let attacked = match role {
                    Role::Knight => attacks::knight_attacks(from),
                    Role::Bishop => attacks::bishop_attacks(from, self.occupied),
                    Role::Rook => attacks::rook_attacks(from, self.occupied),
                    _ => attacks::queen_attacks(from, self.occupied),
                };
                for to in attacked & self.targets & wanted(role, from) {
                    if !self.is_held(from, to) {
                        self.push(role, from, to, None);
                    }
                }
            }
        }
    }

    fn pawns(&self) -> Bitboard {
        self.board.by_color(self.us) & self.board.pawns()
    }

    fn pawn_captures(&mut self) {
        let (left, right) = self.us.fold_wb((7, 9), (-9, -7));
        for (offset, edge) in [(left, File::A), (right, File::H)] {
            let captures = (self.pawns() & !Bitboard::from_file(edge)).shift(offset) & self.targets;
            self.pawn_moves(captures, offset);
        }
    }

    /// Generates pawn steps, single or double, without promotions, to the squares that `wanted` accepts from the pawn's
    /// square.
    fn pawn_pushes(&mut self, wanted: impl Fn(Square) -> Bitboard) {
        let forward = self.us.fold_wb(8, -8);
        let third = Bitboard::from_rank(self.us.fold_wb(Rank::Third, Rank::Sixth));
        let once = self.pawns().shift(forward) & self.targets & !Bitboard::BACKRANKS;
        let twice = (once & third).shift(forward) & self.targets;
        for (destinations, offset) in [(once, forward), (twice, 2 * forward)] {
            for to in destinations {
                if let Some(from) = to.offset(-offset)
                    && wanted(from).contains(to)
                    && !self.is_held(from, to)
                {
                    self.push(Role::Pawn, from, to, None);
                }
            }
        }
    }

    fn pawn_promotions(&mut self) {
        let last = self.us.fold_wb(Rank::Eighth, Rank::First);
        let offset = self.us.fold_wb(8, -8);
        let pushed = self.pawns().shift(offset) & !self.occupied & Bitboard::from_rank(last);
        self.pawn_moves(pushed, offset);
    }

    fn pawn_moves(&mut self, destinations: Bitboard, offset: i32) {
        for to in destinations {
            let Some(from) = to.offset(-offset) else {
                continue;
            };
            if self.is_held(from, to) {
                continue;
            }
            if Bitboard::BACKRANKS.contains(to) {
                for role in NOISY_PROMOTIONS {
                    self.push(Role::Pawn, from, to, Some(role));
                }
            } else {
                self.push(Role::Pawn, from, to, None);
            }
        }
    }

    fn king(&mut self) {
        // The king no longer blocks a slider behind it.
        let occupied = self.occupied.without(self.king);
        for to in attacks::king_attacks(self.king) & self.targets {
            if self.board.attacks_to(to, !self.us, occupied).is_empty() {
                self.push(Role::King, self.king, to, None);
            }
        }
    }
}
