//! All legal moves as a search lists them, in the order of shakmaty's list but in half its time.

use shakmaty::{
    Bitboard, Board, CastlingSide, Color, File, Move, Position as _, Rank, Role, Square, attacks,
};

use super::ChessPosition;
use super::noisy::slider_blockers;
use crate::game::{ChessKnowledge as _, Game as _, Listed, MoveCode, MoveList};

/// By number: the mover or the captured piece in a hint.
const ROLES: [Option<Role>; 8] = [
    None,
    Some(Role::Pawn),
    Some(Role::Knight),
    Some(Role::Bishop),
    Some(Role::Rook),
    Some(Role::Queen),
    Some(Role::King),
    None,
];

/// The order in which shakmaty lists promotions.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// A plain move: no castling, promotion or capture en passant. The hint has the mover in its lowest three bits and the
/// captured piece in the next three.
#[inline(always)]
pub(super) fn plain(role: Role, from: Square, to: Square, capture: Option<Role>) -> Listed {
    let code = MoveCode(u16::from(from) | u16::from(to) << 6);
    let taken = capture.map_or(0, |role| role as u16);
    Listed::new(code, capture.is_some(), role as u16 | taken << 3)
}

/// The move that [`plain`] listed; `None` for other moves, which have no hint.
#[inline(always)]
pub(super) fn plain_move(listed: Listed) -> Option<Move> {
    let hint = usize::from(listed.hint());
    let square = |bits: u16| Square::new(u32::from(bits & 63));
    Some(Move::Normal {
        role: ROLES[hint & 7]?,
        from: square(listed.code().0),
        capture: ROLES[hint >> 3 & 7],
        to: square(listed.code().0 >> 6),
        promotion: None,
    })
}

/// [`Footprint::piece_and_square`](crate::game::Footprint::piece_and_square) of the move that [`plain`] listed.
#[inline(always)]
pub(super) fn plain_piece_and_square(listed: Listed) -> Option<usize> {
    let piece = usize::from(listed.hint() & 7).checked_sub(1)?;
    Some(piece * 64 + usize::from(listed.code().0 >> 6 & 63))
}

/// Lists all legal moves in the order of [`Position::legal_moves`](shakmaty::Position::legal_moves).
pub(super) fn list(position: &ChessPosition, list: &mut impl MoveList) {
    let chess = &position.chess;
    let board = chess.board();
    let us = chess.turn();
    let pawns = board.pawns() & board.by_color(us);
    let en_passant = chess
        .maybe_ep_square()
        .is_some_and(|to| (attacks::pawn_attacks(!us, to) & pawns).any());
    let king = board
        .king_of(us)
        .filter(|_| !en_passant && !position.is_check());
    let Some(king) = king else {
        for m in chess.legal_moves() {
            list.push(position.note(m));
        }
        return;
    };
    let mut lister = Lister {
        position,
        board,
        us,
        king,
        pinned: board.by_color(us) & slider_blockers(board, !us, king),
        list,
    };
    lister.pawns(pawns);
    lister.pieces();
    lister.king();
    lister.castling();
}

/// Lists the moves of a position without a check.
struct Lister<'a, L> {
    position: &'a ChessPosition,
    board: &'a Board,
    us: Color,
    king: Square,
    /// Our pieces that may only move on the line through our king.
    pinned: Bitboard,
    list: &'a mut L,
}

impl<L: MoveList> Lister<'_, L> {
    #[inline(always)]
    fn pieces(&mut self) {
        let ours = self.board.by_color(self.us);
        let occupied = self.board.occupied();
        for from in ours & self.board.knights() {
            self.moves_of(Role::Knight, from, attacks::knight_attacks(from));
        }
        for from in ours & self.board.bishops() {
            self.moves_of(Role::Bishop, from, attacks::bishop_attacks(from, occupied));
        }
        for from in ours & self.board.rooks() {
            self.moves_of(Role::Rook, from, attacks::rook_attacks(from, occupied));
        }
        for from in ours & self.board.queens() {
            self.moves_of(Role::Queen, from, attacks::queen_attacks(from, occupied));
        }
    }

    #[inline(always)]
    fn moves_of(&mut self, role: Role, from: Square, attacked: Bitboard) {
        let mut to = attacked & !self.board.by_color(self.us);
        if self.pinned.contains(from) {
            to &= attacks::ray(self.king, from);
        }
        self.moves_to(role, from, to);
    }

    #[inline(always)]
    fn moves_to(&mut self, role: Role, from: Square, to: Bitboard) {
        if (to & self.board.occupied()).is_empty() {
            for to in to {
                self.list.push(plain(role, from, to, None));
            }
        } else {
            for to in to {
                self.list
                    .push(plain(role, from, to, self.board.role_at(to)));
            }
        }
    }

    #[inline(always)]
    fn pawns(&mut self, pawns: Bitboard) {
        let enemy = self.board.by_color(!self.us);
        let empty = !self.board.occupied();
        let (left, forward, right) = self.us.fold_wb((7, 8, 9), (-9, -8, -7));
        for (offset, edge) in [(left, File::A), (right, File::H)] {
            let captures = (pawns & !Bitboard::from_file(edge)).shift(offset) & enemy;
            self.pawn_moves(captures, offset);
        }
        let third = Bitboard::from_rank(self.us.fold_wb(Rank::Third, Rank::Sixth));
        let once = pawns.shift(forward) & empty;
        let twice = (once & third).shift(forward) & empty;
        self.pawn_moves(once, forward);
        self.pawn_moves(twice, 2 * forward);
    }

    /// Lists pawn moves to these squares, the promotions last.
    #[inline(always)]
    fn pawn_moves(&mut self, to: Bitboard, offset: i32) {
        for to in to & !Bitboard::BACKRANKS {
            if let Some(from) = self.pawn(to, offset) {
                let capture = self.board.role_at(to);
                self.list.push(plain(Role::Pawn, from, to, capture));
            }
        }
        for to in to & Bitboard::BACKRANKS {
            if let Some(from) = self.pawn(to, offset) {
                self.promotions(from, to);
            }
        }
    }

    /// The square of the pawn that may go there.
    #[inline(always)]
    fn pawn(&self, to: Square, offset: i32) -> Option<Square> {
        let from = to.offset(-offset)?;
        let held = self.pinned.contains(from) && !attacks::aligned(self.king, from, to);
        (!held).then_some(from)
    }

    #[inline(never)]
    fn promotions(&mut self, from: Square, to: Square) {
        for role in PROMOTIONS {
            let m = Move::Normal {
                role: Role::Pawn,
                from,
                capture: self.board.role_at(to),
                to,
                promotion: Some(role),
            };
            self.list.push(self.position.note(m));
        }
    }

    #[inline(always)]
    fn king(&mut self) {
        let occupied = self.board.occupied();
        let mut safe = Bitboard::EMPTY;
        for to in attacks::king_attacks(self.king) & !self.board.by_color(self.us) {
            if self.board.attacks_to(to, !self.us, occupied).is_empty() {
                safe.add(to);
            }
        }
        self.moves_to(Role::King, self.king, safe);
    }

    #[inline(always)]
    fn castling(&mut self) {
        let (chess, us) = (&self.position.chess, self.us);
        for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
            let path = chess.castles().path(us, side) & self.board.occupied();
            if chess.castles().has(us, side) && path.is_empty() {
                for m in chess.castling_moves(side) {
                    self.list.push(self.position.note(m));
                }
            }
        }
    }
}
