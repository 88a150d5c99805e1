//! The Zobrist key, updated move by move: shakmaty's own update does not support castling, en passant and king moves.

use shakmaty::{
    Bitboard, Castles, CastlingSide, Color, Move, Piece, Position as _, Role, Square,
    zobrist::{Zobrist64, ZobristValue as _},
};

use super::ChessPosition;

/// A hash of the squares of the pawns.
#[inline(always)]
pub fn of_pawns(white: Bitboard, black: Bitboard) -> u64 {
    white.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ black.0.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32)
}

impl ChessPosition {
    /// The key with the other side to move and without en passant.
    pub(super) fn key_after_passing(&self) -> u64 {
        let mut key = Zobrist64(self.key);
        key ^= Zobrist64::zobrist_for_white_turn();
        if let Some(file) = self.ep_file {
            key ^= Zobrist64::zobrist_for_en_passant_file(file);
        }
        key.0
    }

    /// Updates the key after `mover` made `m` in a position with the castling rights `before`.
    pub(super) fn update_key(&mut self, mover: Color, before: &Castles, m: Move) {
        let mut key = Zobrist64(self.key);
        let color = mover;
        key ^= Zobrist64::zobrist_for_white_turn();
        if let Some(file) = self.ep_file {
            key ^= Zobrist64::zobrist_for_en_passant_file(file);
        }
        let mut toggle = |square: Square, role: Role, color: Color| {
            key ^= Zobrist64::zobrist_for_piece(square, Piece { color, role });
        };
        match m {
            Move::Normal {
                role,
                from,
                capture,
                to,
                promotion,
            } => {
                toggle(from, role, color);
                toggle(to, promotion.unwrap_or(role), color);
                if let Some(captured) = capture {
                    toggle(to, captured, !color);
                }
            }
            Move::EnPassant { from, to } => {
                toggle(from, Role::Pawn, color);
                toggle(to, Role::Pawn, color);
                toggle(
                    Square::from_coords(to.file(), from.rank()),
                    Role::Pawn,
                    !color,
                );
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_queen_side(rook < king);
                toggle(king, Role::King, color);
                toggle(rook, Role::Rook, color);
                toggle(
                    Square::from_coords(side.king_to_file(), king.rank()),
                    Role::King,
                    color,
                );
                toggle(
                    Square::from_coords(side.rook_to_file(), king.rank()),
                    Role::Rook,
                    color,
                );
            }
            Move::Put { .. } => {}
        }
        let lost = before.castling_rights() ^ self.chess.castles().castling_rights();
        if lost.any() {
            for color in Color::ALL {
                for side in CastlingSide::ALL {
                    if before.has(color, side) != self.chess.castles().has(color, side) {
                        key ^= Zobrist64::zobrist_for_castling_right(color, side);
                    }
                }
            }
        }
        self.ep_file = match self.chess.maybe_ep_square() {
            // Only then can a pawn be ready to capture.
            Some(_) => self.chess.legal_ep_square().map(Square::file),
            None => None,
        };
        if let Some(file) = self.ep_file {
            key ^= Zobrist64::zobrist_for_en_passant_file(file);
        }
        self.key = key.0;
    }
}
