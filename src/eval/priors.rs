//! How likely each move looks to be the best before anything is searched.

use super::{Evaluator, POLICY_UNIT};
use game::{Game, PerMove};

/// Returns each move's share, by what [`Evaluator::policy`] or [`Evaluator::gain`] says of it: a softmax. The shares add up to 1.
pub fn shares(promise: &[i32]) -> PerMove<f64> {
    let most = promise.iter().copied().max().unwrap_or(0);
    let weight = |&by: &i32| (f64::from(by - most) / f64::from(POLICY_UNIT)).exp();
    let sum: f64 = promise.iter().map(weight).sum();
    promise.iter().map(|by| weight(by) / sum).collect()
}

/// Returns the legal moves with their [`shares`] of the evaluation's policy or, where it has none, by what each move gains at
/// once, the likeliest first.
pub fn priors<G: Game, E: Evaluator<G>>(evaluator: &E, position: &G) -> Vec<(G::Move, f64)> {
    let moves = position.legal_moves();
    let state = evaluator.start(position);
    let gains = || moves.iter().map(|&m| evaluator.gain(&state, position, m));
    let promise = evaluator
        .policy(&state, position, &moves)
        .unwrap_or_else(|| gains().collect());
    let shares = shares(&promise);
    let mut shares: Vec<(G::Move, f64)> = moves.iter().copied().zip(shares).collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    shares
}
