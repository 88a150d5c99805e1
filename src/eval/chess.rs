//! The evaluation of chess positions in a search: written by hand, by a network, or a mean of both.

use std::sync::LazyLock;

use shakmaty::{Move, Position as _};

use super::fitted::{Features, Searched, SearchedFeatures};
use super::hand_crafted::HandCrafted;
use super::known::WonPawn;
use super::network::{Learned, LearnedState};
use super::{Evaluation, Evaluator, LeafShape, MovesLeft, Valued, Width};
use belief::Cdf;
use game::{ChessPosition, Moves, PerMove, Score};

/// Evaluates chess positions as a search was told to ([`Evaluation`]). It is one type, so that searches are compiled
/// once.
#[derive(Clone, Debug)]
pub enum ChessEvaluator {
    HandCrafted(HandCrafted),
    Network(Learned),
    /// A mean of both values, and the rest by the network. They err in different ways, so that the mean errs less.
    Both(Learned),
}

impl ChessEvaluator {
    /// Of the parts of a value of both, those by the network; `docs/src/strength.md` has games with others.
    const BY_NETWORK: i32 = 5;
    const PARTS: i32 = 8;

    pub fn new(which: Evaluation) -> ChessEvaluator {
        match which {
            Evaluation::HandCrafted => ChessEvaluator::HandCrafted(HandCrafted::default()),
            Evaluation::Network => ChessEvaluator::Network(Learned::default()),
            Evaluation::Both => ChessEvaluator::Both(Learned::default()),
        }
    }

    /// Returns an evaluator that the whole program shares: making one builds tables.
    pub fn shared(which: Evaluation) -> &'static ChessEvaluator {
        static ALL: [LazyLock<ChessEvaluator>; 3] = [
            LazyLock::new(|| ChessEvaluator::new(Evaluation::HandCrafted)),
            LazyLock::new(|| ChessEvaluator::new(Evaluation::Network)),
            LazyLock::new(|| ChessEvaluator::new(Evaluation::Both)),
        ];
        &ALL[which as usize]
    }

    /// What both evaluations have, because the network's asks it too.
    #[inline]
    fn hand_crafted(&self) -> &HandCrafted {
        match self {
            ChessEvaluator::HandCrafted(by_hand) => by_hand,
            ChessEvaluator::Network(learned) | ChessEvaluator::Both(learned) => {
                learned.hand_crafted()
            }
        }
    }

    #[inline]
    fn learned(&self) -> Option<&Learned> {
        match self {
            ChessEvaluator::HandCrafted(_) => None,
            ChessEvaluator::Network(learned) | ChessEvaluator::Both(learned) => Some(learned),
        }
    }

    /// The network, if it is asked about a position: of a won pawn more is known than it says.
    #[inline]
    fn learned_about(&self, position: &ChessPosition) -> Option<&Learned> {
        self.learned().filter(|_| WonPawn::of(position).is_none())
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
        match self.learned() {
            None => LearnedState::unseen(self.hand_crafted().start(position)),
            Some(learned) => learned.start(position),
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
        match self.learned() {
            None => after.sum = self.hand_crafted().after(&state.sum, before, m),
            Some(learned) => learned.advance(state, before, m, after),
        }
    }

    #[inline]
    fn value(&self, state: &LearnedState, position: &ChessPosition) -> Score {
        let value = match self {
            ChessEvaluator::HandCrafted(by_hand) => by_hand.value(&state.sum, position),
            ChessEvaluator::Network(learned) => learned.value(state, position),
            ChessEvaluator::Both(learned) => {
                let by_hand = learned.hand_crafted().value(&state.sum, position);
                let by_network = learned.value(state, position);
                let [by_hand, by_network] = [by_hand, by_network].map(|v| i32::from(v.raw()));
                let rest = Self::PARTS - Self::BY_NETWORK;
                Score::new((by_network * Self::BY_NETWORK + by_hand * rest) / Self::PARTS)
            }
        };
        match WonPawn::of(position) {
            Some(known) => known.value(position),
            None => value,
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
        self.learned()?.policy(state, position, moves)
    }

    fn expected(&self, state: &LearnedState, position: &ChessPosition) -> Option<f32> {
        self.learned_about(position)?.expected(state, position)
    }

    fn phase(&self, state: &LearnedState) -> f64 {
        <HandCrafted as Evaluator<ChessPosition>>::phase(self.hand_crafted(), &state.sum)
    }

    fn moves_left(&self, position: &ChessPosition) -> Option<MovesLeft> {
        self.hand_crafted().moves_left(position)
    }

    fn spread(&self, state: &LearnedState, position: &ChessPosition, value: Score) -> f32 {
        if WonPawn::of(position).is_some() {
            return WonPawn::SPREAD;
        }
        self.hand_crafted().spread(&state.sum, position, value)
    }

    /// Fitted for the mean of both values only. How far the value moved from the depth before is not known here and counts
    /// as nothing, and from depth 1 on only a check counts as pending.
    fn searched(
        &self,
        state: &LearnedState,
        position: &ChessPosition,
        valued: &Valued,
    ) -> Option<(f32, f32)> {
        let ChessEvaluator::Both(_) = self else {
            return None;
        };
        let learned = self.learned_about(position)?;
        let own = self.value(state, position);
        let (mean, spread) = learned.mean_and_spread(state, position);
        let value = valued.value.logit();
        let features = SearchedFeatures {
            depth: valued.depth,
            value,
            before: match valued.depth {
                0 => own.logit(),
                _ => value,
            },
            mean,
            spread,
            phase: Features::of(position).phase,
            pending: position.chess().is_check() || (valued.depth == 0 && own != valued.value),
        };
        Some(Searched::IN_USE.shape(&features))
    }

    fn belief(
        &self,
        state: &LearnedState,
        position: &ChessPosition,
        value: Score,
        shape: &LeafShape,
    ) -> Cdf {
        if let Some(learned) = self.learned_about(position) {
            return learned.belief(state, position, value, shape);
        }
        let width = match shape.width {
            Width::Fitted => Width::Fixed(self.spread(state, position, value)),
            fixed => fixed,
        };
        let shape = LeafShape { width, ..*shape };
        let by_hand = self.hand_crafted();
        by_hand.belief(&state.sum, position, value, &shape)
    }
}
