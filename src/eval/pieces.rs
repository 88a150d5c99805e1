//! What each piece adds to a position's value: the value with the piece on the board, less the value without it.

use shakmaty::{Chess, EnPassantMode, Piece, Position as _, PositionError, Role, Square};

use super::Evaluator;
use game::{ChessPosition, Score};

/// A piece on its square, and what it adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceWorth {
    pub square: Square,
    pub piece: Piece,
    /// Centipawns, for the side that owns the piece. `None` for a king, and for a piece without which the side that has
    /// just moved would be in check.
    pub worth: Option<i32>,
}

/// Takes each piece off the board in turn and evaluates what is left. With the piece goes a right to castle that needs it.
/// In the order of the squares, a1, b1 and so on.
pub fn pieces<E: Evaluator<ChessPosition>>(
    evaluator: &E,
    position: &ChessPosition,
) -> Vec<PieceWorth> {
    let turn = position.chess().turn();
    // From White's view.
    let white = |position: &ChessPosition| {
        let value: Score = evaluator.value(&evaluator.start(position), position);
        turn.fold_wb(1, -1) * i32::from(value.raw())
    };
    let whole = white(position);
    let board = position.chess().board().clone();
    let worth = |square, piece: Piece| {
        let left = without(position, square)?;
        Some(piece.color.fold_wb(1, -1) * (whole - white(&left)))
    };
    board
        .into_iter()
        .map(|(square, piece)| PieceWorth {
            square,
            piece,
            worth: match piece.role {
                Role::King => None,
                _ => worth(square, piece),
            },
        })
        .collect()
}

/// The position without a piece, if that is one.
fn without(position: &ChessPosition, square: Square) -> Option<ChessPosition> {
    let mut setup = position.chess().to_setup(EnPassantMode::Legal);
    setup.board.discard_piece_at(square);
    setup.castling_rights.discard(square);
    setup.ep_square = None;
    let mode = position.castling_mode();
    let chess = setup
        .position::<Chess>(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()?;
    Some(ChessPosition::new(chess, mode))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ChessEvaluator, Evaluation};
    use game::load::fen;

    fn worths(text: &str, which: Evaluation) -> Vec<PieceWorth> {
        let position = fen::parse(text).expect("a position").position;
        pieces(&ChessEvaluator::new(which), &position)
    }

    fn of(worths: &[PieceWorth], square: Square) -> Option<i32> {
        let at = worths.iter().find(|w| w.square == square);
        at.expect("a piece").worth
    }

    #[test]
    fn a_queen_adds_more_than_a_pawn_for_either_side_and_a_king_has_no_worth() {
        for which in Evaluation::ALL {
            for turn in ["w", "b"] {
                let found = worths(
                    &format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {turn} KQkq - 0 1"),
                    which,
                );
                assert_eq!(found.len(), 32);
                assert_eq!(of(&found, Square::E1), None);
                for (queen, pawn) in [(Square::D1, Square::D2), (Square::D8, Square::D7)] {
                    let (queen, pawn) = (of(&found, queen), of(&found, pawn));
                    assert!(
                        queen > Some(400) && queen > pawn,
                        "{which:?} {queen:?} {pawn:?}"
                    );
                }
            }
        }
    }

    /// By hand: the hand-crafted value is a sum, so that the only pawn adds the whole value of king and pawn against king,
    /// less the value of the two kings.
    #[test]
    fn the_only_pawn_adds_what_it_is_worth() {
        let found = worths("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", Evaluation::HandCrafted);
        let value = |text: &str| {
            let position = fen::parse(text).expect("a position").position;
            let by_hand = ChessEvaluator::new(Evaluation::HandCrafted);
            i32::from(by_hand.value(&by_hand.start(&position), &position).raw())
        };
        let expected =
            value("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1") - value("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(of(&found, Square::E2), Some(expected));
    }

    #[test]
    fn a_piece_that_shields_the_other_king_has_no_worth() {
        // Without the knight on e5 Black, who has just moved, would be in check.
        let found = worths("4k3/8/8/4n3/8/8/8/4RK2 w - - 0 1", Evaluation::HandCrafted);
        assert_eq!(of(&found, Square::E5), None);
        assert!(of(&found, Square::E1).is_some());
    }
}
