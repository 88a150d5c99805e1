//! Plain moves as they are listed: from square to square, with the pieces in the hint.

use shakmaty::{Move, Role, Square};

use crate::{Listed, MoveCode};

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

/// The mover (pawn: 0) and the squares of the move that [`plain`] listed.
#[inline(always)]
pub(super) fn plain_squares(listed: Listed) -> Option<(usize, Square, Square)> {
    let square = |bits: u16| Square::new(u32::from(bits & 63));
    let role = usize::from(listed.hint() & 7).checked_sub(1)?;
    let code = listed.code().0;
    Some((role, square(code), square(code >> 6)))
}

/// [`Footprint::piece_and_square`](crate::Footprint::piece_and_square) of the move that [`plain`] listed.
#[inline(always)]
pub(super) fn plain_piece_and_square(listed: Listed) -> Option<usize> {
    let piece = usize::from(listed.hint() & 7).checked_sub(1)?;
    Some(piece * 64 + usize::from(listed.code().0 >> 6 & 63))
}
