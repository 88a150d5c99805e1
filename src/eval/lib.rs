//! Static evaluation: a value for a position, and a belief about what a deep search would say.

use belief::Cdf;
use game::{ChessPosition, Game, Moves, PerMove, Score, ToyPosition};

/// The shape of the leaf beliefs that a best-first search asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeafShape {
    /// The width of the belief in the logit (chess). Toy trees multiply their leaves' own spread by `width / 0.3`.
    pub width: Width,
    /// A shift of the belief's location in the logit towards the side to move. It offsets the winner's curse: expanding
    /// a leaf raises its mean, because the best of several noisy children looks too good.
    pub bias: f32,
}

/// What a search has found about a leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Valued {
    /// The value for the side to move.
    pub value: Score,
    /// Plies before quiescence.
    pub depth: u8,
}

/// How the width of a leaf's belief is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Width {
    Fixed(f32),
    /// By the formula fitted to labelled positions.
    Fitted,
}

/// How much more a policy says of a move that is e times as likely: about what a softmax over gains in centipawns takes for
/// its temperature.
pub const POLICY_UNIT: i32 = 150;

/// An estimate of how far a won position is from mate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovesLeft {
    /// The number of moves by the winner until mate; infinite if the position is a draw after all.
    pub moves: f32,
    /// Whether the material is enough to win as it is: a queen is, a pawn is not.
    pub certain: bool,
    /// Whether the side to move is the one that mates.
    pub wins: bool,
}

/// How a position was played out in its game's own way, from the view of the side to move where that began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayedOut {
    /// The number of moves played.
    pub plies: u16,
    /// 1 for a win, .5 for a draw, 0 for a loss.
    pub outcome: f64,
    /// By how much, in hundredths of the game's point.
    pub difference: i32,
}

/// A static evaluation that is updated move by move, and the belief about what a deep search would say.
///
/// This is a trait because the searches are to work with other evaluations too, such as a learned one.
pub trait Evaluator<G: Game>: Clone + Send + Sync + 'static {
    /// The state carried along a line of play: a new one is made by every move.
    type State: Clone + Send + Sync + std::fmt::Debug;

    /// Returns the state for a position on its own.
    fn start(&self, position: &G) -> Self::State;

    /// Returns the state after a legal move of `before`; always equal to `start` for the resulting position.
    fn after(&self, state: &Self::State, before: &G, m: G::Move) -> Self::State;

    /// Like [`Evaluator::after`], but writes over another state: a large one is neither initialised nor copied.
    #[inline]
    fn advance(&self, state: &Self::State, before: &G, m: G::Move, after: &mut Self::State) {
        *after = self.after(state, before, m);
    }

    /// Returns the static value from the side to move's view.
    fn value(&self, state: &Self::State, position: &G) -> Score;

    /// Returns the immediate change of the static value from the mover's view, captures included, without making the
    /// move. Used for ordering and priors; where all are 0, moves stay in the game's order.
    fn gain(&self, _state: &Self::State, _position: &G, _m: G::Move) -> i32 {
        0
    }

    /// Returns how promising each of the legal moves looks beside the others: a move is e times as likely as another to be
    /// the best where it has [`POLICY_UNIT`] more. `None` if the evaluation has no policy; [`Evaluator::gain`] is then
    /// what there is.
    fn policy(
        &self,
        _state: &Self::State,
        _position: &G,
        _moves: &Moves<G::Move>,
    ) -> Option<PerMove<i32>> {
        None
    }

    /// Returns the expected score for the side to move, −1 to 1, where the evaluation knows it better than by its value:
    /// the mean of its belief. `None` otherwise.
    fn expected(&self, _state: &Self::State, _position: &G) -> Option<f32> {
        None
    }

    /// Returns the phase of the game, by the pieces left: 1 at the start, 0 with only kings and pawns. Always 1 in a
    /// game without phases.
    fn phase(&self, _state: &Self::State) -> f64 {
        1.0
    }

    /// Returns how long an obvious win still takes, or `None` if nothing is known about that.
    fn moves_left(&self, _position: &G) -> Option<MovesLeft> {
        None
    }

    /// Returns the spread of the belief that goes with a value: the scale of a logistic in the logit for chess, the standard
    /// deviation in the expected score for toy trees.
    fn spread(&self, state: &Self::State, position: &G, value: Score) -> f32;

    /// Returns location and scale, in the logit, of the belief about the truth of a position that a search has valued, from
    /// the view of its side to move ([`fitted::Searched`]). `None` where no such belief was fitted.
    fn searched(
        &self,
        _state: &Self::State,
        _position: &G,
        _valued: &Valued,
    ) -> Option<(f32, f32)> {
        None
    }

    /// Plays a position out in the game's own way: `count` is called before every move and ends it by returning `false`. `None` then,
    /// and in a game that has no way of its own.
    fn play_out(
        &self,
        _position: &G,
        _random: &mut fastrand::Rng,
        _count: &mut dyn FnMut() -> bool,
    ) -> Option<PlayedOut> {
        None
    }

    /// Returns the belief about a leaf of this `value`, which may be a static one or from quiescence, from the view of the side to move at `position`.
    fn belief(&self, state: &Self::State, position: &G, value: Score, shape: &LeafShape) -> Cdf;
}

/// A game with the static evaluation that its searches use.
pub trait Evaluated: Game {
    type Evaluator: Evaluator<Self> + Default;

    /// Returns the evaluator; each thread of a search makes one of its own. A game with a single evaluation has no use
    /// for `which`.
    fn evaluator(_which: Evaluation) -> Self::Evaluator {
        Self::Evaluator::default()
    }
}

/// Which static evaluation chess positions get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    HandCrafted,
    /// The network in use ([`network`]).
    Network,
    /// A mean of both values; belief and policy of the network.
    Both,
}

impl Default for Evaluation {
    fn default() -> Self {
        Evaluation::DEFAULT
    }
}

impl Evaluation {
    pub const ALL: [Evaluation; 3] = [
        Evaluation::HandCrafted,
        Evaluation::Network,
        Evaluation::Both,
    ];

    /// As the option `eval` names them.
    pub const NAMES: &[&str] = &["hand", "network", "both"];

    /// The one in use unless another is asked for.
    pub const DEFAULT: Evaluation = Evaluation::Both;

    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The one with this name; `None` if there is none.
    pub fn of_name(name: &str) -> Option<Evaluation> {
        Self::ALL.into_iter().find(|which| which.name() == name)
    }
}

impl Evaluated for ChessPosition {
    type Evaluator = ChessEvaluator;

    fn evaluator(which: Evaluation) -> ChessEvaluator {
        ChessEvaluator::new(which)
    }
}

impl Evaluated for ToyPosition {
    type Evaluator = ToyEvaluator;
}

mod breakdown;
mod chess;
pub mod fitted;
mod hand_crafted;
mod instruction_set;
mod known;
mod mating;
pub mod network;
pub mod pieces;
pub mod playout;
pub mod priors;
mod tables;
pub mod terms;
mod toy;

pub use breakdown::{Breakdown, TermLine};
pub use chess::ChessEvaluator;
pub use hand_crafted::HandCrafted;
pub use known::WonPawn;
pub use toy::ToyEvaluator;
