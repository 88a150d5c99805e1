//! A plain quiescence search that also returns the position from which its value comes, for tests of the evaluation and
//! for its fit.

use eval::{Evaluator, HandCrafted};
use game::{ChessKnowledge as _, ChessPosition, Game, Score};

type State = <HandCrafted as Evaluator<ChessPosition>>::State;

/// A value, from the view of the side to move at the position searched, and the position from which it comes.
pub struct Quiet {
    pub score: Score,
    pub position: ChessPosition,
}

/// Captures and promotions that lose nothing by static exchange; in check, all moves.
pub fn quiescence(
    eval: &HandCrafted,
    position: &ChessPosition,
    state: State,
    mut alpha: Score,
    beta: Score,
    plies: u32,
) -> Quiet {
    let mut best = Quiet {
        score: Score::LOSS,
        position: position.clone(),
    };
    let evade = position.is_check() && plies > 0;
    if !evade {
        best.score = eval.value(&state, position);
        if best.score >= beta || plies == 0 {
            return best;
        }
        alpha = alpha.max(best.score);
    }
    let mut moves = position.noisy_moves();
    moves.sort_by_key(|&m| std::cmp::Reverse(position.capture_gain(m)));
    for m in moves {
        if !evade && !position.see_ge(m, 0) {
            continue;
        }
        let mut next = position.clone();
        next.play_keyless(m);
        let next_state = eval.after(&state, position, m);
        let (low, high) = (beta.one_ply_down(), alpha.one_ply_down());
        let reply = quiescence(eval, &next, next_state, low, high, plies - 1);
        if reply.score.one_ply_up() > best.score {
            best = Quiet {
                score: reply.score.one_ply_up(),
                position: reply.position,
            };
        }
        if best.score >= beta {
            break;
        }
        alpha = alpha.max(best.score);
    }
    best
}
