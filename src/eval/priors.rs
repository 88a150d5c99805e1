//! How likely each move looks to be the best before anything is searched.

use super::{Evaluator, POLICY_UNIT};
use game::Game;

/// Returns the legal moves with their shares, the likeliest first: a softmax over the evaluation's policy or, where it has
/// none, over what each move gains at once. The shares add up to 1.
pub fn priors<G: Game, E: Evaluator<G>>(evaluator: &E, position: &G) -> Vec<(G::Move, f64)> {
    let moves = position.legal_moves();
    let state = evaluator.start(position);
    let gains = || moves.iter().map(|&m| evaluator.gain(&state, position, m));
    let promise = evaluator
        .policy(&state, position, &moves)
        .unwrap_or_else(|| gains().collect());
    let most = promise.iter().copied().max().unwrap_or(0);
    let weight = |by: i32| (f64::from(by - most) / f64::from(POLICY_UNIT)).exp();
    let sum: f64 = promise.iter().map(|&by| weight(by)).sum();
    let mut shares: Vec<(G::Move, f64)> = moves
        .iter()
        .zip(&promise)
        .map(|(&m, &by)| (m, weight(by) / sum))
        .collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    shares
}
