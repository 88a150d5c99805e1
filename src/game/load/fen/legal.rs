//! From what a FEN says to a position that can be searched: castling rights that no game can have are dropped, what a
//! search can cope with is accepted with a warning, and the rest is refused with the reason.

use std::convert::identity;

use shakmaty::{
    Bitboard, Board, Castles, CastlingMode, Chess, Color, File, PositionError, PositionErrorKinds,
    Role, Setup, fen::Fen,
};

use crate::load::LoadError;
use crate::{ChessPosition, MAX_MOVES};

/// The note on a position that is not one of standard chess because of its castling rights.
pub const IS_CHESS960: &str =
    "castling rights with a king or rook on other squares than in standard chess: read as Chess960";

/// Turns a parsed FEN into a position that can be searched.
pub(super) fn legal(
    fen: Fen,
    named: bool,
    warnings: &mut Vec<String>,
) -> Result<ChessPosition, LoadError> {
    let mut setup = fen.into_setup();
    let mode = castling_mode(&mut setup, named, warnings);
    let board = setup.board.clone();
    let chess = match setup.position::<Chess>(mode) {
        Ok(chess) => chess,
        Err(error) => tolerate(error, &board, warnings)?,
    };
    Ok(ChessPosition::new(chess, mode))
}

/// Drops the castling rights that no game can have, and tells Chess960 by the others: by a king or rook that is not on
/// its square of standard chess. In Chess960, too, the king begins between its rooks, so never in a corner. Rights that are
/// `named` by the files of the rooks ask for Chess960, so that nothing has to be said about it.
fn castling_mode(setup: &mut Setup, named: bool, warnings: &mut Vec<String>) -> CastlingMode {
    let of = |mode| {
        let castles = Castles::from_setup(setup, mode);
        castles.unwrap_or_else(identity).castling_rights()
    };
    let corner = |color| {
        let king = setup.board.king_of(color);
        king.is_some_and(|king| matches!(king.file(), File::A | File::H))
    };
    let (standard, mut kept) = (of(CastlingMode::Standard), of(CastlingMode::Chess960));
    for color in Color::ALL.into_iter().filter(|&color| corner(color)) {
        kept.discard(color.backrank());
    }
    if setup.castling_rights != kept {
        warnings.push(
            "castling rights without king and rook on their home squares: ignored".to_owned(),
        );
    }
    setup.castling_rights = kept;
    if kept != standard && !named {
        warnings.push(IS_CHESS960.to_owned());
    }
    CastlingMode::from_standard(kept == standard)
}

/// Accepts what a search can cope with and refuses the rest with the reason.
fn tolerate(
    error: PositionError<Chess>,
    board: &Board,
    warnings: &mut Vec<String>,
) -> Result<Chess, LoadError> {
    let kinds = error.kinds();
    let has = |kind| kinds.contains(kind);
    if let Some((found, expected)) = refusal(kinds, board) {
        return Err(LoadError::new(found, expected));
    }
    if has(PositionErrorKinds::INVALID_EP_SQUARE) {
        warnings
            .push("an en passant square without a pawn that has just moved: ignored".to_owned());
    }
    if has(PositionErrorKinds::IMPOSSIBLE_CHECK) {
        warnings.push("a check that can't arise in a game".to_owned());
    }
    if has(PositionErrorKinds::TOO_MUCH_MATERIAL) {
        warnings.push("more pieces than can arise in a game".to_owned());
    }
    error
        .ignore_invalid_ep_square()
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(|e| LoadError::new(e.to_string(), "a legal position"))
}

fn refusal(kinds: PositionErrorKinds, board: &Board) -> Option<(String, &'static str)> {
    let has = |kind| kinds.contains(kind);
    let text = if has(PositionErrorKinds::EMPTY_BOARD) {
        ("an empty board".to_owned(), "a king on each side")
    } else if has(PositionErrorKinds::MISSING_KING) || has(PositionErrorKinds::TOO_MANY_KINGS) {
        let count = |color| (board.kings() & board.by_color(color)).count();
        let (white, black) = (count(Color::White), count(Color::Black));
        (
            format!("{white} white and {black} black kings"),
            "one king on each side",
        )
    } else if has(PositionErrorKinds::PAWNS_ON_BACKRANK) {
        let square = (board.pawns() & Bitboard::BACKRANKS).first()?;
        (
            format!("a pawn on {square}"),
            "none on the first or last rank",
        )
    } else if has(PositionErrorKinds::OPPOSITE_CHECK) {
        (
            "the side that just moved in check".to_owned(),
            "only the side to move in check",
        )
    } else if has(PositionErrorKinds::TOO_MUCH_MATERIAL) && !fits_in_a_move_list(board) {
        (
            "far more pieces than a game can have".to_owned(),
            "few enough for all moves to be listed",
        )
    } else {
        return None;
    };
    Some(text)
}

/// Whether neither side can ever have more moves than a list holds.
///
/// No position that can arise in a game has more than 218 moves (Petrović's position; proven by exhaustive
/// computation). Pieces beyond that material add at most the moves they have on an empty board. With few strong pieces
/// the plain sum is lower.
fn fits_in_a_move_list(board: &Board) -> bool {
    const REACH: [(Role, usize); 5] = [
        (Role::Knight, 8),
        (Role::Bishop, 13),
        (Role::Rook, 14),
        (Role::Pawn, 27),
        (Role::Queen, 27),
    ];
    Color::ALL.into_iter().all(|color| {
        let count = |role| (board.by_color(color) & board.by_role(role)).count();
        let sum: usize = REACH.iter().map(|&(role, reach)| reach * count(role)).sum();
        // How many pieces of a role there are beyond the initial army, counting pawns and promoted pieces together.
        let beyond = |role| match role {
            Role::Pawn => count(role),
            Role::Queen => count(role).saturating_sub(1),
            _ => count(role).saturating_sub(2),
        };
        let mut excess = REACH
            .iter()
            .map(|&(role, _)| beyond(role))
            .sum::<usize>()
            .saturating_sub(8);
        let mut added = 0;
        for (role, reach) in REACH {
            let here = beyond(role).min(excess);
            added += here * reach;
            excess -= here;
        }
        // A margin, because lists are generated before pins are taken into account.
        const MARGIN: usize = 20;
        (sum + 8 + MARGIN).min(218 + added + MARGIN) <= MAX_MOVES
    })
}
