//! Accuracy and marks by phase of the game and by side.

use super::{Loss, MarkKind};
use game::Side;
use session::Subject;
use shakmaty::{Board, Color, Position as _};

/// A phase of a game, by material: see [`phases`].
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum Phase {
    Opening,
    Middlegame,
    Endgame,
}

impl Phase {
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    pub fn name(self) -> &'static str {
        ["opening", "middlegame", "endgame"][self as usize]
    }
}

/// How the accuracy is computed, as text.
pub const ACCURACY: &str =
    "accuracy of a move: 103.17 exp(−2.177 drop) − 3.17 % (lichess), the mean over the moves";

/// How the phases of a game of chess are told apart, as text.
pub const PHASES: &str = "middlegame: at most 10 pieces besides kings and pawns, or a back rank with fewer than 4 of its own; endgame: at most 6";

/// Returns the accuracy of a move in per cent, by lichess's formula (lichess.org/page/accuracy): 103.1668
/// exp(−0.04354 d) − 3.1669, where d is the drop in the chances of winning in per cent.
pub fn accuracy(loss: &Loss) -> f32 {
    // The chances in per cent are 50 + 50 w.
    let lost = 50.0 * loss.drop;
    (103.1668 * (-0.04354 * lost).exp() - 3.1669).clamp(0.0, 100.0)
}

/// Returns the phase of each position of a game, none in games other than chess. The middlegame begins when at most ten knights, bishops, rooks and
/// queens are left, or when fewer than four of a side's own men stand on its back rank; the endgame begins when at most
/// six of those pieces are left. A phase never comes back. (lichess's Divider, without its measure of how mixed the
/// sides are.)
pub fn phases<'a>(positions: impl IntoIterator<Item = &'a Subject>) -> Vec<Option<Phase>> {
    let mut latest = Phase::Opening;
    let of = |subject: &Subject| {
        let chess = subject.position.as_chess()?;
        latest = latest.max(phase(chess.chess().board()));
        Some(latest)
    };
    positions.into_iter().map(of).collect()
}

fn phase(board: &Board) -> Phase {
    let pieces = (board.knights() | board.bishops() | board.rooks() | board.queens()).count();
    let left_home = Color::ALL.into_iter().any(|color| {
        let back = shakmaty::Bitboard::from_rank(
            color.fold_wb(shakmaty::Rank::First, shakmaty::Rank::Eighth),
        );
        (board.by_color(color) & back).count() < 4
    });
    match pieces {
        0..=6 => Phase::Endgame,
        7..=10 => Phase::Middlegame,
        _ if left_home => Phase::Middlegame,
        _ => Phase::Opening,
    }
}

/// What one side's moves were like in one phase, or in the whole game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Part {
    /// The number of moves that could be judged.
    pub moves: u32,
    /// By [`MarkKind`].
    pub marks: [u32; 3],
    /// The sum of the moves' accuracies.
    sum: f32,
    /// The sum of the moves' losses.
    lost: f32,
}

impl Part {
    fn add(&mut self, loss: &Loss) {
        self.moves += 1;
        self.sum += accuracy(loss);
        self.lost += loss.drop;
        if let Some(kind) = MarkKind::of(loss.drop) {
            self.marks[kind as usize] += 1;
        }
    }

    /// Returns the mean accuracy in per cent, or `None` without moves.
    pub fn accuracy(&self) -> Option<f32> {
        (self.moves > 0).then(|| self.sum / self.moves as f32)
    }

    /// Returns the mean of [`Loss::drop`], or `None` without moves.
    pub fn mean_loss(&self) -> Option<f32> {
        (self.moves > 0).then(|| self.lost / self.moves as f32)
    }
}

/// The whole game by side (White first), and in chess by phase.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    pub phases: [[Part; 3]; 2],
    pub whole: [Part; 2],
}

impl Summary {
    /// Adds up judged moves: who moved, in which phase, and the loss.
    pub fn of<'a>(moves: impl IntoIterator<Item = (Side, Option<Phase>, &'a Loss)>) -> Summary {
        let mut summary = Summary::default();
        for (side, phase, loss) in moves {
            if let Some(phase) = phase {
                summary.phases[side as usize][phase as usize].add(loss);
            }
            summary.whole[side as usize].add(loss);
        }
        summary
    }

    /// Returns the phases in which a move was judged.
    pub fn played(&self) -> impl Iterator<Item = Phase> + '_ {
        let judged = |p: &Phase| self.phases.iter().any(|side| side[*p as usize].moves > 0);
        Phase::ALL.into_iter().filter(judged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Situation;
    use game::load::fen;

    fn at(text: &str) -> Subject {
        let read = fen::parse(text).expect("a FEN");
        Subject::from(Situation::new(read.position))
    }

    fn loss(drop: f32) -> Loss {
        Loss {
            drop,
            at_least: false,
            before: 0.0,
            after: -drop,
        }
    }

    #[test]
    fn phases_follow_the_material_and_never_go_back() {
        let positions = [
            at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            // Black has castled and developed: three men at home.
            at("5rk1/pbqnbppp/1pn1pr2/2pp4/3P4/2NBPN2/PPPBQPPP/R3K2R w KQ - 0 12"),
            // The same again as at the start would still be middlegame.
            at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            at("r1b2rk1/ppp2ppp/8/8/8/8/PPP2PPP/R1B2RK1 w - - 0 20"),
            at("4k3/8/8/8/8/8/4P3/4K2R w K - 0 40"),
        ];
        use Phase::{Endgame, Middlegame, Opening};
        let found = phases(&positions);
        let expected = [Opening, Middlegame, Middlegame, Endgame, Endgame];
        assert_eq!(found, expected.map(Some));
    }

    #[test]
    fn accuracy_is_lichess_formula() {
        assert!((accuracy(&loss(0.0)) - 100.0).abs() < 0.01);
        // A drop of ten per cent in winning chances is one of 0.2 here.
        assert!(
            (accuracy(&loss(0.2)) - 63.58).abs() < 0.1,
            "{}",
            accuracy(&loss(0.2))
        );
        assert_eq!(accuracy(&loss(2.0)), 0.0);
    }

    #[test]
    fn sides_and_phases_are_kept_apart() {
        let (good, bad) = (loss(0.0), loss(0.4));
        let summary = Summary::of([
            (Side::White, Some(Phase::Opening), &good),
            (Side::Black, Some(Phase::Opening), &bad),
            (Side::White, Some(Phase::Endgame), &bad),
        ]);
        assert_eq!(summary.whole[0].moves, 2);
        assert_eq!(summary.phases[0][0].marks, [0, 0, 0]);
        assert_eq!(summary.phases[1][0].marks, [0, 0, 1]);
        assert_eq!(summary.phases[0][1].accuracy(), None);
        let white = summary.whole[0].accuracy().expect("moves");
        assert!(white < 100.0 && white > 50.0, "{white}");
        assert!(summary.played().eq([Phase::Opening, Phase::Endgame]));
    }
}
