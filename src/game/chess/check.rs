//! Whether a move gives check, without making it.

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, Move, Position as _, Role, Square, attacks,
};

/// Whether the legal move `m` attacks the enemy king, directly or by uncovering a slider.
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

#[inline]
fn attacks_king(us: Color, role: Role, to: Square, king: Square, occupied: Bitboard) -> bool {
    match role {
        Role::Pawn => attacks::pawn_attacks(us, to).contains(king),
        Role::Knight => attacks::knight_attacks(to).contains(king),
        Role::King => false,
        // Most slider moves end on no line with the king: one look at a table settles those.
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
    // What stands on `from` still counts as ours in `board`, so it must not be taken for its own uncovered slider.
    (slider_attackers(board, us, king, occupied) & line)
        .without(from)
        .any()
}

/// Our sliders, where they stand in `board`, that attack the king over `occupied`.
#[inline]
fn slider_attackers(board: &Board, us: Color, king: Square, occupied: Bitboard) -> Bitboard {
    board.by_color(us)
        & occupied
        & ((attacks::rook_attacks(king, occupied) & board.rooks_and_queens())
            | (attacks::bishop_attacks(king, occupied) & board.bishops_and_queens()))
}
