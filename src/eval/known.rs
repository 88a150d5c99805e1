//! King and pawn against king, where the pawn wins: of that more is known than an evaluation says. What is said here is a
//! value, never a proof; the draws of that endgame are certain, and searches do not evaluate them at all
//! ([`game::KnownDraw`]).

use shakmaty::{Board, Color, Position as _};

use game::{ChessPosition, Game as _, Score, Side};

/// King and pawn against king, and this side wins, unless the fifty-move rule or a repetition prevents it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WonPawn(pub Side);

impl WonPawn {
    /// The spread of the belief, in the logit.
    pub(super) const SPREAD: f32 = 0.25;

    /// Whether a position is one; `None` for nearly all.
    #[inline]
    pub fn of(position: &ChessPosition) -> Option<WonPawn> {
        match position.chess().board().occupied().count() {
            3 => position.won_by_pawn().map(WonPawn),
            _ => None,
        }
    }

    /// Describes it in a sentence.
    pub fn sentence(self) -> &'static str {
        match self.0 {
            Side::White => {
                "White wins with king and pawn against king: the value grows as the pawn advances."
            }
            Side::Black => {
                "Black wins with king and pawn against king: the value grows as the pawn advances."
            }
        }
    }

    /// Returns the value for the side to move.
    pub(super) fn value(self, position: &ChessPosition) -> Score {
        let won = progress(position.chess().board()).unwrap_or(0);
        let wins = self.0 == position.turn();
        Score::new(if wins { won } else { -won })
    }
}

/// What a won pawn is worth, in centipawns: less than the queen that it becomes, and more the further it has come and the
/// nearer its own king is to it than the other one.
fn progress(board: &Board) -> Option<i32> {
    const LEAST: i32 = 480;
    const A_RANK: i32 = 30;
    const A_STEP: i32 = 3;
    let pawn = board.pawns().first()?;
    let side = board.color_at(pawn)?;
    let steps = |king: Color| Some(board.king_of(king)?.distance(pawn) as i32);
    let rank = pawn.rank() as i32;
    let advanced = side.fold_wb(rank, 7 - rank);
    Some(LEAST + A_RANK * advanced + A_STEP * (steps(!side)? - steps(side)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::load::fen;

    fn known(text: &str) -> Option<WonPawn> {
        WonPawn::of(&fen::parse(text).expect("a FEN").position)
    }

    #[test]
    fn a_won_pawn_is_worth_more_the_further_it_is() {
        let worth = |text: &str| {
            let position = fen::parse(text).expect("a FEN").position;
            let known = WonPawn::of(&position).expect("won");
            known.value(&position).raw()
        };
        let way = [
            "4k3/8/4K3/8/8/8/4P3/8 w - - 0 1",
            "4k3/8/4K3/8/4P3/8/8/8 w - - 0 1",
            "4k3/8/3K4/4P3/8/8/8/8 w - - 0 1",
            "6k1/4P3/5K2/8/8/8/8/8 w - - 0 1",
        ];
        let values = way.map(worth);
        assert!(values.is_sorted_by(|a, b| a < b), "{values:?}");
        assert!(
            (450..720).contains(&values[0]) && values[3] < 720,
            "{values:?}"
        );
        assert!(worth("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1") < -450);
        assert_eq!(known("4k3/4P3/3K4/8/8/8/8/8 w - - 0 1"), None);
    }
}
