//! The network as the evaluation of a search.

use std::sync::Arc;

use shakmaty::Move;

use super::{Accumulators, Network};
use crate::fitted::SearchedFeatures;
use crate::hand_crafted::{HandCrafted, TaperedSum};
use crate::{Evaluator, LeafShape, MovesLeft, POLICY_UNIT, Width};
use belief::{Cdf, Grid};
use game::{ChessPosition, Moves, PerMove, Score};

/// Evaluates positions with a [`Network`].
///
/// What a network does not say is asked of the hand-crafted evaluation: what a move changes at once, the phase, and how far a
/// won position is from mate.
#[derive(Clone, Debug)]
pub struct Learned {
    network: Arc<Network>,
    hand_crafted: HandCrafted,
    grid: Arc<Grid>,
}

/// The accumulators, and the sums of the hand-crafted evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearnedState {
    pub(crate) accumulators: Accumulators,
    pub(crate) sum: TaperedSum,
}

impl LearnedState {
    /// Only the sums, for an evaluation that does without the network.
    pub(crate) fn unseen(sum: TaperedSum) -> LearnedState {
        LearnedState {
            accumulators: Accumulators::EMPTY,
            sum,
        }
    }
}

impl Learned {
    pub(crate) fn hand_crafted(&self) -> &HandCrafted {
        &self.hand_crafted
    }

    fn network_belief(&self, state: &LearnedState, position: &ChessPosition) -> Cdf {
        let chess = position.chess();
        let hidden = self.network.hidden(&state.accumulators, chess);
        self.network.belief(&hidden, chess)
    }

    /// Returns mean and scale of the network's own belief ([`SearchedFeatures::of_belief`]).
    pub(crate) fn mean_and_spread(
        &self,
        state: &LearnedState,
        position: &ChessPosition,
    ) -> (f32, f32) {
        SearchedFeatures::of_belief(&self.network_belief(state, position), &self.grid)
    }

    pub fn new(network: Arc<Network>) -> Learned {
        Learned {
            network,
            hand_crafted: HandCrafted::default(),
            grid: Arc::new(Grid::sinh()),
        }
    }
}

impl Default for Learned {
    /// The network in use.
    fn default() -> Self {
        Learned::new(Network::in_use())
    }
}

impl Evaluator<ChessPosition> for Learned {
    type State = LearnedState;

    fn start(&self, position: &ChessPosition) -> LearnedState {
        LearnedState {
            accumulators: self.network.start(position.chess()),
            sum: self.hand_crafted.start(position),
        }
    }

    #[inline]
    fn after(&self, state: &LearnedState, before: &ChessPosition, m: Move) -> LearnedState {
        let mut after = LearnedState::unseen(state.sum);
        self.advance(state, before, m, &mut after);
        after
    }

    #[inline]
    fn advance(
        &self,
        state: &LearnedState,
        before: &ChessPosition,
        m: Move,
        after: &mut LearnedState,
    ) {
        after.sum = self.hand_crafted.after(&state.sum, before, m);
        let new = &mut after.accumulators;
        self.network
            .advance(&state.accumulators, before.chess(), m, new);
    }

    #[inline]
    fn value(&self, state: &LearnedState, position: &ChessPosition) -> Score {
        Score::new(self.network.value(&state.accumulators, position.chess()))
    }

    #[inline]
    fn gain(&self, state: &LearnedState, position: &ChessPosition, m: Move) -> i32 {
        self.hand_crafted.gain(&state.sum, position, m)
    }

    fn policy(
        &self,
        state: &LearnedState,
        position: &ChessPosition,
        moves: &Moves<Move>,
    ) -> Option<PerMove<i32>> {
        /// The unit for a logit to the base 2.
        const UNIT: i64 = (POLICY_UNIT as f64 * std::f64::consts::LN_2 * 1024.0) as i64;
        let hidden = self.network.hidden(&state.accumulators, position.chess());
        let logits = self.network.move_logits(&hidden, position, moves);
        let scaled = |&logit: &i32| ((i64::from(logit) * UNIT) >> 30) as i32;
        Some(logits.iter().map(scaled).collect())
    }

    fn expected(&self, state: &LearnedState, position: &ChessPosition) -> Option<f32> {
        Some(self.network_belief(state, position).mean(&self.grid))
    }

    fn phase(&self, state: &LearnedState) -> f64 {
        <HandCrafted as Evaluator<ChessPosition>>::phase(&self.hand_crafted, &state.sum)
    }

    fn moves_left(&self, position: &ChessPosition) -> Option<MovesLeft> {
        self.hand_crafted.moves_left(position)
    }

    fn spread(&self, state: &LearnedState, position: &ChessPosition, value: Score) -> f32 {
        if value.is_decided() {
            return self.hand_crafted.spread(&state.sum, position, value);
        }
        let density = self.network_belief(state, position).density();
        let inner = self.grid.inner();
        let edges = self.grid.logit_edges();
        let moment = |of: &dyn Fn(f64) -> f64| -> f64 {
            let bins = inner.0..=inner.1;
            let part =
                |bin: usize| f64::from(density.0[bin]) * of((edges[bin] + edges[bin + 1]) / 2.0);
            bins.map(part).sum()
        };
        let mass = moment(&|_| 1.0).max(f64::MIN_POSITIVE);
        let mean = moment(&|x| x) / mass;
        let variance = moment(&|x| (x - mean) * (x - mean)) / mass;
        // The standard deviation of a logistic distribution is its scale times pi over the root of 3.
        (variance.sqrt() * 3f64.sqrt() / std::f64::consts::PI) as f32
    }

    /// With [`Width::Fitted`], the network's own distribution for the position, moved by the bias; it sees captures and
    /// checks for itself, so `value` only decides whether the game is. With a fixed width, a logistic around `value`.
    fn belief(
        &self,
        state: &LearnedState,
        position: &ChessPosition,
        value: Score,
        shape: &LeafShape,
    ) -> Cdf {
        if value.is_decided() || shape.width != Width::Fitted {
            return self.hand_crafted.belief(&state.sum, position, value, shape);
        }
        let belief = self.network_belief(state, position);
        belief.moved(shape.bias, &self.grid)
    }
}
