//! From a position to a static value and to the belief around it.

use crate::belief::Cdf;
use crate::game::{Game, Score};

/// How a best-first search wants its leaf beliefs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeafShape {
    /// Width of the belief in the logit (chess); toy trees use their leaves' own spread times `width / 0.3`.
    pub width: Width,
    /// Shift of the belief's location in the logit towards the side to move, against the winner's curse that one
    /// expansion brings.
    pub bias: f32,
}

/// Where the width of a leaf's belief comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Width {
    Fixed(f32),
    /// The formula fitted to labelled positions.
    Fitted,
}

/// A static evaluation kept up to date move by move, and the belief around its value.
///
/// A trait because a learned evaluation follows; the searches know only this.
pub trait Evaluator<G: Game>: Clone + Send + Sync + 'static {
    /// What is kept along a line of play: small, copied at every move.
    type State: Copy + Send + Sync + std::fmt::Debug;

    /// The state of a position taken by itself.
    fn start(&self, position: &G) -> Self::State;

    /// The state after a legal move of `before`; always equal to `start` of the position after it.
    fn after(&self, state: Self::State, before: &G, m: G::Move) -> Self::State;

    /// The static value, side to move.
    fn value(&self, state: Self::State, position: &G) -> Score;

    /// What the move changes in the static value at once, from the mover's view (captures included): for ordering
    /// and priors, without making it.
    fn gain(&self, state: Self::State, position: &G, m: G::Move) -> i32;

    /// How much of the game is still ahead, by the pieces left: 1 at the start of a game, 0 with kings and pawns alone.
    /// Always 1 in a game without phases.
    fn phase(&self, _state: Self::State) -> f64 {
        1.0
    }

    /// The standard deviation of the belief around a value: in the logit for chess (logistic scale), in the
    /// expected score for toy trees.
    fn spread(&self, state: Self::State, position: &G, value: Score) -> f32;

    /// The belief around `value` at a leaf, from the view of the side to move at `position`.
    fn belief(&self, state: Self::State, position: &G, value: Score, shape: &LeafShape) -> Cdf;
}

mod breakdown;
pub mod fitted;
mod hand_crafted;
pub mod playout;
mod speed;
mod tables;
pub mod terms;
mod toy;

pub use breakdown::{Breakdown, TermLine};
pub use hand_crafted::HandCrafted;
pub use toy::ToyEvaluator;
