//! MCTS mates with king and queen, and with king and rook, against a perfectly defending king.

use algorithms::Algorithm;
use common::conversion::{Outcome, Winner, play_out, won};
use common::endgame::Endgame;
use eval::{Evaluator, HandCrafted};
use game::ChessPosition;
use shakmaty::{CastlingMode, Role};

/// Compares the moves-left estimate of these endgames with a solver that shares only the rules with it.
#[test]
fn moves_left_are_the_distance_to_mate() {
    let evaluator = HandCrafted::default();
    for piece in [Role::Queen, Role::Rook] {
        let endgame = Endgame::solve(piece);
        let mut compared = 0;
        for (index, score) in endgame.scores.iter().enumerate().step_by(3) {
            let (Some(score), Some(position)) = (score, endgame.at(index)) else {
                continue;
            };
            let position = ChessPosition::new(position, CastlingMode::Standard);
            let found = evaluator.moves_left(&position).expect("an estimate");
            let truth = score
                .mate_moves()
                .map_or(f32::INFINITY, |m| f32::from(m.abs()));
            assert_eq!(found.moves, truth, "{}", position.fen());
            compared += 1;
        }
        assert!(compared > 100_000, "{compared}");
    }
}

#[test]
fn won_endings_are_won() {
    for (piece, least) in [(Role::Queen, 4), (Role::Rook, 4)] {
        let endgame = Endgame::solve(piece);
        for reuses in [false, true] {
            let winner = Winner {
                options: Algorithm::Mcts.default_options(),
                nodes: 3_000,
                reuses,
            };
            let positions = won(&endgame, least, 7);
            let outcomes: Vec<Outcome> = positions
                .iter()
                .map(|(position, _)| play_out(&endgame, position, &winner))
                .collect();
            let mates = outcomes.iter().filter(|o| matches!(o, Outcome::Mate(_)));
            assert_eq!(mates.count(), least, "{piece:?}, {reuses}: {outcomes:?}");
        }
    }
}
