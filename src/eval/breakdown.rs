//! How much each term of the hand-crafted evaluation contributes to a position's value, and what it counted there.

use shakmaty::{Board, Color, Position, Role, Square};

use super::hand_crafted::{TaperedSum, advanced_pawns, blend, taper};
use super::tables::SCALE;
use super::terms::{Counts, Scale, Term, count_all, scale};
use game::ChessPosition;

/// The evaluation of one position, term by term.
#[derive(Clone, Debug)]
pub struct Breakdown {
    /// The counts for White and for Black.
    pub counts: [Counts; 2],
    board: Board,
    /// Material and piece squares, White's view.
    state: TaperedSum,
}

/// One line of a breakdown, in centipawns from White's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TermLine {
    pub name: &'static str,
    /// What the term counts, in words.
    pub about: &'static str,
    pub middlegame: i32,
    pub endgame: i32,
    /// The middlegame and endgame values blended by the phase, before the endgame is scaled.
    pub tapered: i32,
    /// Whether either side has anything of this kind: (White, Black).
    pub present: (bool, bool),
}

impl Breakdown {
    /// Counts everything on the board.
    pub fn new(position: &ChessPosition) -> Breakdown {
        let mut counts = [Counts::NOTHING, Counts::NOTHING];
        let chess = position.chess();
        count_all(chess.board(), chess.turn(), &mut counts);
        Breakdown {
            counts,
            board: chess.board().clone(),
            state: TaperedSum::of(chess.board()),
        }
    }

    /// The share of the middlegame in 24ths: 24 at the start, 0 with only kings and pawns left.
    pub fn phase(&self) -> i32 {
        self.state.phase()
    }

    /// The number of pawns of either side on their sixth or seventh rank, which widen the belief.
    pub fn advanced_pawns(&self) -> u32 {
        advanced_pawns(&self.board)
    }

    /// The evaluation's value in centipawns from White's view, whoever is to move.
    pub fn value(&self) -> i32 {
        blend(self.sum(), &self.board)
    }

    fn sum(&self) -> TaperedSum {
        self.lines().iter().skip(1).fold(self.state, |sum, line| {
            sum.plus(TaperedSum::pack(line.middlegame, line.endgame, 0))
        })
    }

    /// Returns the factor of the endgame sum if `strong` is ahead, in 64ths, and why it applies.
    pub fn scale_for(&self, strong: Color) -> (Scale, i32) {
        let scale = scale(&self.board, strong);
        (scale, SCALE[scale.index()])
    }

    /// Returns the factor of the endgame sum that applies to this position, in 64ths, and why.
    pub fn scale(&self) -> (Scale, i32) {
        self.scale_for(Color::from_white(self.sum().endgame() >= 0))
    }

    /// Returns one line for material and piece squares, one for each term and one for the pressure on the kings, in
    /// this order. The lines' sums, blended by the phase with the endgame scaled, make the value.
    pub fn lines(&self) -> Vec<TermLine> {
        let line = |name, about, (middlegame, endgame), present| TermLine {
            name,
            about,
            middlegame,
            endgame,
            tapered: taper(middlegame, endgame, self.phase()),
            present,
        };
        let [white, black] = &self.counts;
        let minus = |a: (i32, i32), b: (i32, i32)| (a.0 - b.0, a.1 - b.1);
        let any = |counts: &[i32]| counts.iter().any(|&n| n != 0);
        let mut lines = vec![line(
            "material-and-places",
            "pieces by their squares",
            (self.state.middlegame(), self.state.endgame()),
            (true, true),
        )];
        lines.extend(Term::ALL.iter().map(|&term| {
            line(
                term.name(),
                term.about(),
                minus(white.worth(term), black.worth(term)),
                (any(white.term(term)), any(black.term(term))),
            )
        }));
        let (white, black) = (white.pressure(), black.pressure());
        lines.push(line(
            "king-danger",
            "pressure on the enemy's king",
            minus(white, black),
            (white != (0, 0), black != (0, 0)),
        ));
        lines
    }

    /// Returns the number of White's pieces of a role on `square` minus the number of Black's on the same square as
    /// Black sees it.
    pub fn on_square(&self, role: Role, square: Square) -> i32 {
        let pieces = self.board.by_role(role);
        let white = (pieces & self.board.white()).contains(square);
        let black = (pieces & self.board.black()).contains(square.flip_vertical());
        i32::from(white) - i32::from(black)
    }
}
