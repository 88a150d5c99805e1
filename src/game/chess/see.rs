//! Static exchange evaluation: the value of a capture when both sides continue to capture on its square, each with its
//! least valuable piece, and may stop at any time.
//!
//! Pieces behind others on a line join in. Pins and checks are ignored, and a pawn that recaptures on the last rank
//! stays a pawn. These are the usual simplifications: the result is for ordering and pruning, not a proof.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position as _, Role, Square, attacks};

/// The value of a role in exchanges, in centipawns; the king's exceeds all others together.
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

/// What the move gains immediately, in centipawns: the captured piece, and the promoted piece minus the pawn.
#[inline]
pub fn capture_gain(m: Move) -> i32 {
    let taken = m.capture().map_or(0, exchange_value);
    let promoted = m
        .promotion()
        .map_or(0, |role| exchange_value(role) - exchange_value(Role::Pawn));
    taken + promoted
}

/// Whether the exchange that the legal move `m` starts is worth at least `threshold` centipawns to its mover. A move
/// without a capture starts the exchange in which the moved piece may be captured; castling is never captured and worth
/// 0.
pub fn see_ge(chess: &Chess, m: Move, threshold: i32) -> bool {
    let Some(from) = m.from().filter(|_| !m.is_castle()) else {
        return threshold <= 0;
    };
    // `balance` is how far the side that moved last is ahead of what it needs, if the exchange stops here.
    let mut balance = capture_gain(m) - threshold;
    if balance < 0 {
        return false;
    }
    // The move suffices even if the piece is lost for nothing.
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
            // The king cannot capture a defended piece.
            break;
        }
        occupied.discard(square);
        attackers |= behind(board, role, to, occupied);
        // From the view of the recapturing side, if its own piece is lost in turn.
        balance = -balance - 1 - exchange_value(role);
        side = !side;
        if balance >= 0 {
            // The recapture wins even then: the side that would have to answer falls short of what it needs.
            break;
        }
    }
    // `side` would have to move but cannot, or falls short even if it does: the other side wins the exchange.
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

/// The sliders that a capture by `role` on `to` may have uncovered.
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
