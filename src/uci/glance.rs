//! What a move is worth at a glance, for the lines of moves that a search did not come to.

use eval::{Evaluated, Evaluator};
use game::{ChessPosition, Game, MoveCode, Score, Situation};
use search::options::evaluation;
use session::Session;
use tree::{Bound, Proof};

use super::info::UciScore;

/// Whether the rules end the game here, other than by a repetition.
pub(super) fn is_over(position: &ChessPosition) -> bool {
    position.ending(position.has_moves()).is_some()
}

/// How the game ended, if it did.
fn ending(at: &Situation<ChessPosition>) -> Option<Score> {
    let position = &at.position;
    let ending = position.ending(position.has_moves());
    let seen = at
        .history
        .repetitions(position.key(), position.reversible_plies());
    let repeated = (seen.times >= 2).then_some(Score::DRAW);
    ending
        .map(|ending| position.ending_score(ending))
        .or(repeated)
}

/// The value of a move that mates: by the rules, whatever a search has noted of it yet.
pub(super) fn mate(at: &Situation<ChessPosition>, code: MoveCode) -> Option<UciScore> {
    let mut after = at.clone();
    let score = after.follow(code).then(|| ending(&after)).flatten()?;
    score.is_loss().then(|| UciScore::exact(score.one_ply_up()))
}

/// The value of a move that was not searched, from the view of the side that plays it: exact where it ends the game,
/// otherwise the static value of the position behind it, unless that is outside what is proven.
pub(super) fn value(
    session: &Session,
    at: &Situation<ChessPosition>,
    code: MoveCode,
    proof: Proof,
) -> UciScore {
    let mut after = at.clone();
    if !after.follow(code) {
        return UciScore::exact(Score::DRAW);
    }
    if let Some(score) = ending(&after) {
        return UciScore::exact(score.one_ply_up());
    }
    let evaluator = ChessPosition::evaluator(evaluation(&session.config().options));
    let state = evaluator.start(&after.position);
    let value = evaluator.value(&state, &after.position).one_ply_up();
    match () {
        () if value < proof.lower => UciScore {
            score: proof.lower,
            bound: Bound::Lower,
        },
        () if value > proof.upper => UciScore {
            score: proof.upper,
            bound: Bound::Upper,
        },
        () => UciScore::exact(value),
    }
}
