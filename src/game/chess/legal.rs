//! Legal moves as a search lists them: all of them, or those that a node needs, which takes a fraction of the time.

mod wanted;

use shakmaty::{
    Bitboard, Board, CastlingSide, Color, File, Move, Position as _, Rank, Role, Square, attacks,
};

use super::ChessPosition;
use super::check::Checks;
use super::plain::plain;
use crate::{ChessKnowledge as _, Game as _, Listed, MoveCode, MoveList};
use wanted::{All, Most, Noisy, QuietChecks, Wanted};

/// The order in which shakmaty lists promotions.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Whether a move is a capture (en passant included) or a promotion. Promotions to rook or bishop do not count, whether
/// they capture or not: they differ from a queen only where a stalemate must be avoided, which is too subtle for
/// quiescence.
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
        } => matches!(role, Role::Queen | Role::Knight),
        Move::EnPassant { .. } => true,
        _ => false,
    }
}

/// Lists all legal moves in the order of [`Position::legal_moves`](shakmaty::Position::legal_moves).
pub(super) fn list(position: &ChessPosition, list: &mut impl MoveList) {
    let Some(mut lister) = Lister::new(position, All, list) else {
        return;
    };
    lister.en_passant();
    lister.rest();
}

/// Whether there is a legal move.
pub(super) fn has_moves(position: &ChessPosition) -> bool {
    let mut any = Any(false);
    let Some(mut lister) = Lister::new(position, All, &mut any) else {
        return false;
    };
    lister.rest();
    if !lister.list.0 {
        lister.en_passant();
    }
    any.0
}

/// Whether a move was listed.
struct Any(bool);

impl MoveList for Any {
    #[inline(always)]
    fn push(&mut self, _: Listed) {
        self.0 = true;
    }
}

/// Lists all noisy moves; all moves when in check.
pub(super) fn list_noisy(position: &ChessPosition, list: &mut impl MoveList) {
    if position.is_check() {
        return self::list(position, list);
    }
    let Some(mut lister) = Lister::new(position, Noisy, list) else {
        return;
    };
    lister.pieces();
    lister.pawns();
    lister.king(Bitboard::FULL);
    lister.en_passant();
}

/// Lists checks by quiet moves, both direct ones and those that uncover a slider; without castling, en passant and
/// promotions. Not to be called in check.
pub(super) fn list_quiet_checks(position: &ChessPosition, list: &mut impl MoveList) {
    let checks = Checks::new(&position.chess);
    let Some(target) = checks.king else {
        return;
    };
    let wanted = QuietChecks {
        checks: &checks,
        target,
    };
    let Some(mut lister) = Lister::new(position, wanted, list) else {
        return;
    };
    lister.pieces();
    lister.pawns();
    if checks.from(Role::King, lister.king, target).any() {
        lister.king(Bitboard::FULL);
    }
}

/// Lists all legal moves, in the order of [`list`], but quiet ones that give no check, except `kept`. Returns how many
/// it left out.
pub(super) fn list_most(
    position: &ChessPosition,
    checks: &Checks,
    kept: MoveCode,
    list: &mut impl MoveList,
) -> usize {
    let Some(target) = checks.king else {
        self::list(position, list);
        return 0;
    };
    let wanted = Most {
        checks,
        target,
        kept,
        left_out: 0,
    };
    let Some(mut lister) = Lister::new(position, wanted, list) else {
        return 0;
    };
    lister.en_passant();
    lister.rest();
    lister.wanted.left_out
}

/// The legal move with this code, if it is plain and the side to move is not in check.
pub(super) fn find_plain(position: &ChessPosition, code: MoveCode) -> Option<Move> {
    let (chess, board) = (&position.chess, position.chess.board());
    let square = |bits: u16| Square::new(u32::from(bits & 63));
    let (from, to) = (square(code.0), square(code.0 >> 6));
    let us = chess.turn();
    let (ours, occupied) = (board.by_color(us), board.occupied());
    if code.0 >> 12 != 0 || position.is_check() || !ours.contains(from) || ours.contains(to) {
        return None;
    }
    let role = board.role_at(from)?;
    let capture = board.role_at(to);
    let king = board.king_of(us)?;
    let reached = match role {
        Role::Pawn => match capture {
            _ if Bitboard::BACKRANKS.contains(to) => Bitboard::EMPTY,
            Some(_) => attacks::pawn_attacks(us, from),
            None => {
                let forward = us.fold_wb(8, -8);
                let third = Bitboard::from_rank(us.fold_wb(Rank::Third, Rank::Sixth));
                let once = Bitboard::from(from).shift(forward) & !occupied;
                once | (once & third).shift(forward) & !occupied
            }
        },
        Role::Knight => attacks::knight_attacks(from),
        Role::Bishop => attacks::bishop_attacks(from, occupied),
        Role::Rook => attacks::rook_attacks(from, occupied),
        Role::Queen => attacks::queen_attacks(from, occupied),
        Role::King => attacks::king_attacks(from),
    };
    if !reached.contains(to) {
        return None;
    }
    let safe = match role {
        Role::King => board.attacks_to(to, !us, occupied).is_empty(),
        _ => {
            attacks::aligned(king, from, to)
                || attacks::ray(king, from).is_empty()
                || !slider_blockers(board, !us, king).contains(from)
        }
    };
    let m = Move::Normal {
        role,
        from,
        capture,
        to,
        promotion: None,
    };
    safe.then_some(m)
}

/// The pieces of either side that are alone between `king` and a slider of color `sniper`.
#[inline]
fn slider_blockers(board: &Board, sniper: Color, king: Square) -> Bitboard {
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

struct Lister<'a, W, L> {
    position: &'a ChessPosition,
    board: &'a Board,
    us: Color,
    king: Square,
    /// Our pieces that may only move on the line through our king.
    pinned: Bitboard,
    /// Where pieces other than the king may go: in check only between the king and the piece that gives it, or there.
    targets: Bitboard,
    wanted: W,
    list: &'a mut L,
}

impl<'a, W: Wanted, L: MoveList> Lister<'a, W, L> {
    /// `None` without a king: a position that is searched has one.
    #[inline(always)]
    fn new(position: &'a ChessPosition, wanted: W, list: &'a mut L) -> Option<Self> {
        let board = position.chess.board();
        let us = position.chess.turn();
        let king = board.king_of(us)?;
        Some(Lister {
            position,
            board,
            us,
            king,
            pinned: board.by_color(us) & slider_blockers(board, !us, king),
            targets: Bitboard::FULL,
            wanted,
            list,
        })
    }

    /// Lists everything but captures en passant.
    #[inline(always)]
    fn rest(&mut self) {
        let checkers = self.position.checkers();
        if checkers.any() {
            return self.evasions(checkers);
        }
        self.pawns();
        self.pieces();
        self.king(Bitboard::FULL);
        self.castling();
    }

    #[inline(never)]
    fn evasions(&mut self, checkers: Bitboard) {
        let mut lines = Bitboard::EMPTY;
        for slider in checkers & self.board.sliders() {
            lines |= attacks::ray(slider, self.king).without(slider);
        }
        self.king(!lines);
        if let Some(checker) = checkers.single_square() {
            self.targets = attacks::between(self.king, checker).with(checker);
            self.pawns();
            self.pieces();
        }
    }

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
        let mut to = attacked & self.targets & !self.board.by_color(self.us);
        if self.pinned.contains(from) {
            to &= attacks::ray(self.king, from);
        }
        self.moves_to(role, from, to);
    }

    #[inline(always)]
    fn moves_to(&mut self, role: Role, from: Square, to: Bitboard) {
        let occupied = self.board.occupied();
        let quiets = self.wanted.quiets(role, from, to & !occupied);
        let captures = if W::NOISY {
            to & occupied
        } else {
            Bitboard::EMPTY
        };
        if captures.is_empty() {
            for to in quiets {
                self.list.push(plain(role, from, to, None));
            }
        } else {
            for to in quiets | captures {
                self.list
                    .push(plain(role, from, to, self.board.role_at(to)));
            }
        }
    }

    #[inline(always)]
    fn pawns(&mut self) {
        let pawns = self.board.pawns() & self.board.by_color(self.us);
        let enemy = self.board.by_color(!self.us);
        let empty = !self.board.occupied();
        let (left, forward, right) = self.us.fold_wb((7, 8, 9), (-9, -8, -7));
        if W::NOISY {
            for (offset, edge) in [(left, File::A), (right, File::H)] {
                let captures = (pawns & !Bitboard::from_file(edge)).shift(offset) & enemy;
                self.pawn_captures(captures & self.targets, offset);
            }
        }
        let third = Bitboard::from_rank(self.us.fold_wb(Rank::Third, Rank::Sixth));
        let once = pawns.shift(forward) & empty;
        let twice = (once & third).shift(forward) & empty;
        self.pawn_steps(once & self.targets, forward);
        self.pawn_steps(twice & self.targets, 2 * forward);
    }

    /// Lists captures by pawns, the promotions last.
    #[inline(always)]
    fn pawn_captures(&mut self, captures: Bitboard, offset: i32) {
        for to in captures & !Bitboard::BACKRANKS {
            if let Some(from) = self.pawn(to, offset) {
                let capture = self.board.role_at(to);
                self.list.push(plain(Role::Pawn, from, to, capture));
            }
        }
        self.promotions(captures & Bitboard::BACKRANKS, offset);
    }

    /// Lists steps of pawns, the promotions last.
    #[inline(always)]
    fn pawn_steps(&mut self, steps: Bitboard, offset: i32) {
        let special = self.pinned.shift(offset);
        let quiets = steps & !Bitboard::BACKRANKS;
        for to in self.wanted.pawn_steps(quiets, offset, special) {
            if let Some(from) = self.pawn(to, offset)
                && self
                    .wanted
                    .quiets(Role::Pawn, from, Bitboard::from(to))
                    .any()
            {
                self.list.push(plain(Role::Pawn, from, to, None));
            }
        }
        if W::NOISY {
            self.promotions(steps & Bitboard::BACKRANKS, offset);
        }
    }

    /// The square of the pawn that may go there.
    #[inline(always)]
    fn pawn(&self, to: Square, offset: i32) -> Option<Square> {
        let from = to.offset(-offset)?;
        let held = self.pinned.contains(from) && !attacks::aligned(self.king, from, to);
        (!held).then_some(from)
    }

    #[inline(always)]
    fn promotions(&mut self, squares: Bitboard, offset: i32) {
        for to in squares {
            if let Some(from) = self.pawn(to, offset) {
                self.promotions_to(from, to);
            }
        }
    }

    #[inline(never)]
    fn promotions_to(&mut self, from: Square, to: Square) {
        for role in PROMOTIONS {
            let m = Move::Normal {
                role: Role::Pawn,
                from,
                capture: self.board.role_at(to),
                to,
                promotion: Some(role),
            };
            if is_noisy(m) || self.wanted.takes(self.position, m) {
                self.list.push(self.position.note(m));
            }
        }
    }

    #[inline(always)]
    fn king(&mut self, targets: Bitboard) {
        let occupied = self.board.occupied();
        let mut to = attacks::king_attacks(self.king) & targets & !self.board.by_color(self.us);
        if !W::QUIET {
            to &= occupied;
        }
        if !W::NOISY {
            to &= !occupied;
        }
        let mut safe = Bitboard::EMPTY;
        for to in to {
            if self.board.attacks_to(to, !self.us, occupied).is_empty() {
                safe.add(to);
            }
        }
        self.moves_to(Role::King, self.king, safe);
    }

    #[inline(always)]
    fn castling(&mut self) {
        let castles = self.position.chess.castles();
        if !W::UNUSUAL || !castles.has_color(self.us) {
            return;
        }
        for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
            if let Some(rook) = castles.rook(self.us, side)
                && (castles.path(self.us, side) & self.board.occupied()).is_empty()
            {
                self.castle(side, rook);
            }
        }
    }

    /// Lists castling where no square on the king's way is attacked.
    #[inline(never)]
    fn castle(&mut self, side: CastlingSide, rook: Square) {
        let (king_to, rook_to) = (side.king_to(self.us), side.rook_to(self.us));
        let left = self.board.occupied().without(self.king);
        let attacked = |square: Square, occupied: Bitboard| {
            self.board.attacks_to(square, !self.us, occupied).any()
        };
        // In Chess960 the rook may have covered the king.
        let after = left.without(rook).with(rook_to);
        let on_the_way = attacks::between(self.king, king_to);
        if attacked(king_to, after) || on_the_way.into_iter().any(|s| attacked(s, left)) {
            return;
        }
        let m = Move::Castle {
            king: self.king,
            rook,
        };
        if self.wanted.takes(self.position, m) {
            self.list.push(self.position.note(m));
        }
    }

    #[inline(always)]
    fn en_passant(&mut self) {
        let chess = &self.position.chess;
        let pawns = self.board.pawns() & self.board.by_color(self.us);
        let possible = chess
            .maybe_ep_square()
            .is_some_and(|to| (attacks::pawn_attacks(!self.us, to) & pawns).any());
        if possible {
            for m in chess.en_passant_moves() {
                self.list.push(self.position.note(m));
            }
        }
    }
}
