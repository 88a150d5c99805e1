//! Draws that are known without endgame tables: see [`KnownDraw`].

use shakmaty::{Bitboard, Board, Chess, Color, File, Position as _, Rank, Square};

use super::ChessPosition;
use super::king_and_pawn::{self, KingAndPawn};
use crate::{ChessKnowledge as _, Game as _, KnownDraw};

/// More men than this are not looked at: with more it is hardly ever a known draw, and this test is made at every node.
const MOST_MEN: usize = 6;

/// The known draw that a position is; `None` where the game is over.
#[inline]
pub(super) fn known_draw(position: &ChessPosition) -> Option<KnownDraw> {
    if position.chess.board().occupied().count() > MOST_MEN {
        return None;
    }
    among_few(position)
}

#[inline(never)]
fn among_few(position: &ChessPosition) -> Option<KnownDraw> {
    let board = position.chess.board();
    let draw = if board.rooks_and_queens().any() {
        return None;
    } else if board.pawns().any() {
        by_pawns(position)?
    } else {
        by_minors(position)?
    };
    let is_over = position.ending(position.has_moves()).is_some();
    (!is_over).then_some(draw)
}

/// The side that has nothing but its king.
fn lone_side(board: &Board) -> Option<Color> {
    let is_lone = |&side: &Color| board.by_color(side).count() == 1;
    Color::ALL.into_iter().find(is_lone)
}

fn by_pawns(position: &ChessPosition) -> Option<KnownDraw> {
    match king_and_pawn(&position.chess) {
        Some(men) => (!king_and_pawn::is_won(&men)).then_some(KnownDraw::KingAndPawn),
        None => in_the_corner(position.chess.board()),
    }
}

/// The men of king and pawn against king.
fn king_and_pawn(chess: &Chess) -> Option<KingAndPawn> {
    let board = chess.board();
    if board.occupied().count() != 3 {
        return None;
    }
    let pawn = board.pawns().first()?;
    let side = board.color_at(pawn)?;
    Some(KingAndPawn {
        side,
        pawn,
        strong: board.king_of(side)?,
        weak: board.king_of(!side)?,
        turn: chess.turn(),
    })
}

/// The side that wins with king and pawn against king.
pub(super) fn won_by_pawn(chess: &Chess) -> Option<Color> {
    let men = king_and_pawn(chess)?;
    king_and_pawn::is_won(&men).then_some(men.side)
}

/// Rook pawns and bishops of the wrong colour against a king on the promotion square or next to it.
///
/// From there the king can always step to the corner or stay: no bishop and no pawn attacks the corner, and a king that
/// attacked it would stand next to this one. In the corner it is never in check, so without a move it is stalemated. A
/// pawn that promotes is captured at once, for the same reasons.
fn in_the_corner(board: &Board) -> Option<KnownDraw> {
    if board.knights().any() {
        return None;
    }
    let weak = lone_side(board)?;
    let king = board.king_of(weak)?;
    let pawns = board.pawns();
    let file = pawns.first()?.file();
    if !matches!(file, File::A | File::H) || !Bitboard::from_file(file).is_superset(pawns) {
        return None;
    }
    let corner = Square::from_coords(file, weak.fold_wb(Rank::First, Rank::Eighth));
    let colour = if corner.is_light() {
        Bitboard::LIGHT_SQUARES
    } else {
        Bitboard::DARK_SQUARES
    };
    if king.distance(corner) > 1 || (board.bishops() & colour).any() {
        return None;
    }
    Some(match board.bishops().any() {
        true => KnownDraw::WrongBishop,
        false => KnownDraw::RookPawns,
    })
}

/// Two knights, or one minor piece each: a draw unless the side to move mates at once. Nobody is forced to let the other
/// side do that.
fn by_minors(position: &ChessPosition) -> Option<KnownDraw> {
    let board = position.chess.board();
    if board.occupied().count() != 4 {
        return None;
    }
    let draw = if board.white().count() == 2 {
        KnownDraw::MinorEach
    } else if board.knights().count() == 2 {
        KnownDraw::TwoKnights
    } else {
        return None;
    };
    (!mates_at_once(position)).then_some(draw)
}

fn mates_at_once(position: &ChessPosition) -> bool {
    let board = position.chess.board();
    // Minor pieces mate on the edge only.
    let enemy = board.kings() & board.by_color(!position.chess.turn());
    if (enemy & !Bitboard::EDGES).any() {
        return false;
    }
    let checks = position.checks();
    let moves = position.legal_moves().into_iter();
    let mut checking = moves.filter(|&m| position.gives_check_by(&checks, m));
    checking.any(|m| {
        let mut after = position.clone();
        after.play_keyless(m);
        !after.has_moves()
    })
}
