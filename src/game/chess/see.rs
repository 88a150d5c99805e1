//! Static exchange evaluation: what a capture is worth when both sides go on capturing on its square, each with
//! its least valuable piece, and may stop when it likes.
//!
//! Pieces behind others on a line join in; pins and checks are not looked at, and a pawn that recaptures on the
//! last rank stays a pawn. The usual simplifications: the result is for ordering and pruning, not a proof.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position as _, Role, Square, attacks};

/// Value of a role in centipawns for exchanges; the king's is out of reach of all others together.
#[must_use]
pub const fn exchange_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 20_000,
    }
}

const BY_VALUE: [Role; 6] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

/// What the move wins at once, in centipawns: the piece taken, and the promoted piece less the pawn.
#[must_use]
pub fn capture_gain(m: Move) -> i32 {
    let taken = m.capture().map_or(0, exchange_value);
    let promoted = m
        .promotion()
        .map_or(0, |role| exchange_value(role) - exchange_value(Role::Pawn));
    taken + promoted
}

/// Whether the exchange that the legal move `m` begins is worth at least `threshold` centipawns to its mover.
/// A move without capture is the exchange in which it may be taken; castling is never taken and worth 0.
#[must_use]
pub fn see_ge(chess: &Chess, m: Move, threshold: i32) -> bool {
    let Some(from) = m.from().filter(|_| !m.is_castle()) else {
        return threshold <= 0;
    };
    // `balance`: what the side that moved last is ahead of what it needs, once it stops here.
    let mut balance = capture_gain(m) - threshold;
    if balance < 0 {
        return false;
    }
    // Even if the piece is lost for nothing.
    balance -= exchange_value(m.promotion().unwrap_or(m.role()));
    if balance >= 0 {
        return true;
    }
    let board = chess.board();
    let to = m.to();
    let mut occupied = board.occupied().without(from).with(to);
    if m.is_en_passant() {
        occupied.discard(Square::from_coords(to.file(), from.rank()));
    }
    let mover = chess.turn();
    let mut side = !mover;
    let mut attackers = all_attackers(board, to, occupied);
    loop {
        attackers &= occupied;
        let Some((role, square)) = least_valuable(board, attackers, side) else {
            break;
        };
        if role == Role::King && (attackers & board.by_color(!side)).any() {
            // The king can't take a defended piece.
            break;
        }
        occupied.discard(square);
        attackers |= behind(board, role, to, occupied);
        // From the recapturing side's view, if its own piece is lost in turn.
        balance = -balance - 1 - exchange_value(role);
        side = !side;
        if balance >= 0 {
            // The recapture wins even so: the side that would have to answer is short of its need.
            break;
        }
    }
    // Whoever has to move and can't, or need not be answered, decides: the other side had the last word.
    side != mover
}

#[inline]
fn all_attackers(board: &Board, to: Square, occupied: Bitboard) -> Bitboard {
    board.attacks_to(to, Color::White, occupied) | board.attacks_to(to, Color::Black, occupied)
}

#[inline]
fn least_valuable(board: &Board, attackers: Bitboard, side: Color) -> Option<(Role, Square)> {
    let ours = attackers & board.by_color(side);
    if ours.is_empty() {
        return None;
    }
    BY_VALUE
        .into_iter()
        .find_map(|role| Some((role, (ours & board.by_role(role)).first()?)))
}

/// The sliders that a capture by `role` onto `to` may have uncovered.
#[inline]
fn behind(board: &Board, role: Role, to: Square, occupied: Bitboard) -> Bitboard {
    let diagonal = || attacks::bishop_attacks(to, occupied) & board.bishops_and_queens();
    let straight = || attacks::rook_attacks(to, occupied) & board.rooks_and_queens();
    match role {
        Role::Pawn | Role::Bishop => diagonal(),
        Role::Rook => straight(),
        Role::Queen => diagonal() | straight(),
        Role::Knight | Role::King => Bitboard::EMPTY,
    }
}
