//! The evaluation of chess positions in a search: written by hand, or by a network.

use shakmaty::Move;

use super::hand_crafted::HandCrafted;
use super::network::{Learned, LearnedState};
use super::{Evaluation, Evaluator, LeafShape, MovesLeft};
use crate::belief::Cdf;
use crate::game::{ChessPosition, Moves, PerMove, Score};

/// Evaluates chess positions as a search was told to ([`Evaluation`]). It is one type, so that searches are compiled
/// once.
#[derive(Clone, Debug)]
pub enum ChessEvaluator {
    HandCrafted(HandCrafted),
    Network(Learned),
}

impl ChessEvaluator {
    pub fn new(which: Evaluation) -> ChessEvaluator {
        match which {
            Evaluation::HandCrafted => ChessEvaluator::HandCrafted(HandCrafted::default()),
            Evaluation::Network => ChessEvaluator::Network(Learned::default()),
        }
    }

    /// What both evaluations have, because the network's asks it too.
    #[inline]
    fn hand_crafted(&self) -> &HandCrafted {
        match self {
            ChessEvaluator::HandCrafted(by_hand) => by_hand,
            ChessEvaluator::Network(learned) => learned.hand_crafted(),
        }
    }
}

impl Default for ChessEvaluator {
    fn default() -> Self {
        ChessEvaluator::new(Evaluation::default())
    }
}

impl Evaluator<ChessPosition> for ChessEvaluator {
    type State = LearnedState;

    fn start(&self, position: &ChessPosition) -> LearnedState {
        match self {
            ChessEvaluator::HandCrafted(by_hand) => LearnedState::unseen(by_hand.start(position)),
            ChessEvaluator::Network(learned) => learned.start(position),
        }
    }

    #[inline]
    fn after(&self, state: &LearnedState, before: &ChessPosition, m: Move) -> LearnedState {
        match self {
            ChessEvaluator::HandCrafted(by_hand) => LearnedState {
                sum: by_hand.after(&state.sum, before, m),
                ..*state
            },
            ChessEvaluator::Network(learned) => learned.after(state, before, m),
        }
    }

    #[inline]
    fn value(&self, state: &LearnedState, position: &ChessPosition) -> Score {
        match self {
            ChessEvaluator::HandCrafted(by_hand) => by_hand.value(&state.sum, position),
            ChessEvaluator::Network(learned) => learned.value(state, position),
        }
    }

    #[inline]
    fn gain(&self, state: &LearnedState, position: &ChessPosition, m: Move) -> i32 {
        self.hand_crafted().gain(&state.sum, position, m)
    }

    fn policy(
        &self,
        state: &LearnedState,
        position: &ChessPosition,
        moves: &Moves<Move>,
    ) -> Option<PerMove<i32>> {
        match self {
            ChessEvaluator::HandCrafted(_) => None,
            ChessEvaluator::Network(learned) => learned.policy(state, position, moves),
        }
    }

    fn expected(&self, state: &LearnedState, position: &ChessPosition) -> Option<f32> {
        match self {
            ChessEvaluator::HandCrafted(_) => None,
            ChessEvaluator::Network(learned) => learned.expected(state, position),
        }
    }

    fn phase(&self, state: &LearnedState) -> f64 {
        <HandCrafted as Evaluator<ChessPosition>>::phase(self.hand_crafted(), &state.sum)
    }

    fn moves_left(&self, position: &ChessPosition) -> Option<MovesLeft> {
        self.hand_crafted().moves_left(position)
    }

    fn spread(&self, state: &LearnedState, position: &ChessPosition, value: Score) -> f32 {
        self.hand_crafted().spread(&state.sum, position, value)
    }

    fn belief(
        &self,
        state: &LearnedState,
        position: &ChessPosition,
        value: Score,
        shape: &LeafShape,
    ) -> Cdf {
        match self {
            ChessEvaluator::HandCrafted(by_hand) => {
                by_hand.belief(&state.sum, position, value, shape)
            }
            ChessEvaluator::Network(learned) => learned.belief(state, position, value, shape),
        }
    }
}
