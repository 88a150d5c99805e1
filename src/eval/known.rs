//! Endgames of which more is known than an evaluation says. What is said here is a value, never a proof: draws that are
//! certain are [`game::KnownDraw`], which searches do not evaluate at all.

use shakmaty::{Bitboard, Board, Color, Position as _, Square};

use game::{ChessPosition, Game as _, Score, Side};

/// What is known about the value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownValue {
    /// King and pawn against king, and this side wins, unless the fifty-move rule or a repetition prevents it.
    WonPawn(Side),
    /// Bishops of opposite colours, pawns, and no passed pawn on either side: nearly always a draw, because what one bishop
    /// attacks the other cannot defend, and what it defends the other cannot attack. A pawn may still be won or break through.
    OppositeBishops,
}

impl KnownValue {
    /// The spread of the belief, in the logit.
    pub(super) const SPREAD: f32 = 0.25;
    /// What remains of a value.
    const OPPOSITE_BISHOPS: i16 = 4;

    /// What is known about a position; `None` for nearly all.
    #[inline]
    pub fn of(position: &ChessPosition) -> Option<KnownValue> {
        let board = position.chess().board();
        if (board.knights() | board.rooks_and_queens()).any() || board.pawns().is_empty() {
            return None;
        }
        KnownValue::among_kings_bishops_and_pawns(position)
    }

    #[cold]
    #[inline(never)]
    fn among_kings_bishops_and_pawns(position: &ChessPosition) -> Option<KnownValue> {
        let board = position.chess().board();
        let bishops = board.bishops();
        if bishops.is_empty() {
            return position.won_by_pawn().map(KnownValue::WonPawn);
        }
        let opposite = bishops.count() == 2
            && (bishops & board.white()).count() == 1
            && (bishops & Bitboard::LIGHT_SQUARES).count() == 1;
        (opposite && !has_passed_pawn(board)).then_some(KnownValue::OppositeBishops)
    }

    /// Describes it in a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            KnownValue::WonPawn(Side::White) => {
                "White wins with king and pawn against king: the value grows as the pawn advances."
            }
            KnownValue::WonPawn(Side::Black) => {
                "Black wins with king and pawn against king: the value grows as the pawn advances."
            }
            KnownValue::OppositeBishops => {
                "Bishops of opposite colours and no passed pawns: most likely a draw, so the value is a quarter of what the evaluation says."
            }
        }
    }

    /// Returns the value for the side to move, given what the evaluation says.
    pub(super) fn value(self, position: &ChessPosition, evaluated: Score) -> Score {
        match self {
            KnownValue::OppositeBishops => {
                Score::new((evaluated.raw() / Self::OPPOSITE_BISHOPS).into())
            }
            KnownValue::WonPawn(side) => {
                let chess = position.chess();
                let won = progress(chess.board()).unwrap_or(0);
                let wins = side == position.turn();
                Score::new(if wins { won } else { -won })
            }
        }
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

/// Whether a pawn of either side has no enemy pawn before it on its own file or a neighbouring one.
fn has_passed_pawn(board: &Board) -> bool {
    let passed = |side: Color| {
        let enemy = board.pawns() & board.by_color(!side);
        let own = board.pawns() & board.by_color(side);
        own.into_iter().any(|pawn| {
            let stops = |other: Square| {
                let beside = (other.file() as i32).abs_diff(pawn.file() as i32) <= 1;
                beside && side.fold_wb(other.rank() > pawn.rank(), other.rank() < pawn.rank())
            };
            !enemy.into_iter().any(stops)
        })
    };
    passed(Color::White) || passed(Color::Black)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::load::fen;

    fn known(text: &str) -> Option<KnownValue> {
        KnownValue::of(&fen::parse(text).expect("a FEN").position)
    }

    #[test]
    fn bishops_of_opposite_colours_draw_only_without_passed_pawns() {
        let blocked = "8/5k2/4b1p1/6P1/3K4/4B3/8/8 w - - 0 1";
        assert_eq!(known(blocked), Some(KnownValue::OppositeBishops));
        for none in [
            // A passed pawn of White's, and one of Black's.
            "8/5k2/4b1p1/P5P1/3K4/4B3/8/8 w - - 0 1",
            "8/5k2/4b1p1/6P1/p2K4/4B3/8/8 b - - 0 1",
            // A pawn that a neighbouring one does not stop, because it is already past it.
            "8/5k2/4b3/5Pp1/3K4/4B3/8/8 w - - 0 1",
            // Bishops of one colour, no pawns, and a knight besides.
            "8/5k2/3b2p1/6P1/3K4/4B3/8/8 w - - 0 1",
            "8/5k2/4b3/8/3K4/4B3/8/8 w - - 0 1",
            "8/5k2/4b1p1/6P1/3K4/4B1N1/8/8 w - - 0 1",
        ] {
            assert_eq!(known(none), None, "{none}");
        }
    }

    #[test]
    fn a_won_pawn_is_worth_more_the_further_it_is() {
        let worth = |text: &str| {
            let position = fen::parse(text).expect("a FEN").position;
            let known = KnownValue::of(&position).expect("won");
            known.value(&position, Score::DRAW).raw()
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
