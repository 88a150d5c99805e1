//! The static evaluation of any game.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::AnyPosition;
use super::erased::{declare, pass};
use belief::Cdf;
use eval::{Evaluated, Evaluation, Evaluator, LeafShape, MovesLeft, PlayedOut, Valued};
use game::{MoveCode, Moves, PerMove, Score};

/// The static evaluation of any game.
#[derive(Clone, Debug)]
pub struct AnyEvaluator(Arc<dyn AnyEvaluation>);

impl AnyEvaluator {
    /// The evaluator of the game `G`.
    pub fn of<G: Evaluated>(which: Evaluation) -> AnyEvaluator {
        AnyEvaluator(Arc::new(Of::<G>(G::evaluator(which))))
    }
}

/// The state that an [`AnyEvaluator`] carries along a line of play.
#[derive(Clone, Debug)]
pub struct AnyState(Arc<dyn State>);

/// The evaluator of the game `G`.
struct Of<G: Evaluated>(G::Evaluator);

impl<G: Evaluated> fmt::Debug for Of<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(std::any::type_name::<G::Evaluator>())
            .finish()
    }
}

impl<G: Evaluated> Of<G> {
    fn position<'a>(&self, at: &'a AnyPosition) -> &'a G {
        at.downcast_ref()
            .expect("a position of the evaluator's game")
    }

    fn state<'a>(&self, state: &'a AnyState) -> &'a <G::Evaluator as Evaluator<G>>::State {
        let state = (*state.0).as_state().downcast_ref();
        state.expect("a state of the evaluator's game")
    }
}

/// What can be an evaluator's state.
trait State: fmt::Debug + Send + Sync {
    fn as_state(&self) -> &dyn Any;
}

impl<S: fmt::Debug + Send + Sync + 'static> State for S {
    fn as_state(&self) -> &dyn Any {
        self
    }
}

/// The methods of [`Evaluator`] for positions of any game.
macro_rules! of_evaluator {
    ($with:ident) => {
        $with! { Evaluator:
            fn start(position: &AnyPosition) -> AnyState;
            fn after(state: &AnyState, before: &AnyPosition, m: MoveCode) -> AnyState;
            fn value(state: &AnyState, position: &AnyPosition) -> Score;
            fn gain(state: &AnyState, position: &AnyPosition, m: MoveCode) -> i32;
            fn policy(state: &AnyState, at: &AnyPosition, moves: &Moves<MoveCode>) -> Option<PerMove<i32>>;
            fn expected(state: &AnyState, position: &AnyPosition) -> Option<f32>;
            fn phase(state: &AnyState) -> f64;
            fn moves_left(position: &AnyPosition) -> Option<MovesLeft>;
            fn spread(state: &AnyState, position: &AnyPosition, value: Score) -> f32;
            fn searched(state: &AnyState, at: &AnyPosition, valued: &Valued) -> Option<(f32, f32)>;
            fn play_out(at: &AnyPosition, random: &mut fastrand::Rng, count: &mut dyn FnMut() -> bool) -> Option<PlayedOut>;
            fn belief(state: &AnyState, at: &AnyPosition, value: Score, shape: &LeafShape) -> Cdf;
        }
    };
}

/// What [`AnyEvaluator`] asks of the evaluator behind it.
trait AnyEvaluation: fmt::Debug + Send + Sync {
    of_evaluator!(declare);
}

impl<G: Evaluated> AnyEvaluation for Of<G> {
    fn start(&self, position: &AnyPosition) -> AnyState {
        AnyState(Arc::new(self.0.start(self.position(position))))
    }

    fn after(&self, state: &AnyState, before: &AnyPosition, m: MoveCode) -> AnyState {
        let (before, own) = (self.position(before), self.state(state));
        match before.decode_known(m) {
            Some(m) => AnyState(Arc::new(self.0.after(own, before, m))),
            None => state.clone(),
        }
    }

    fn value(&self, state: &AnyState, position: &AnyPosition) -> Score {
        self.0.value(self.state(state), self.position(position))
    }

    fn gain(&self, state: &AnyState, position: &AnyPosition, m: MoveCode) -> i32 {
        let at = self.position(position);
        let m = at.decode_known(m);
        m.map_or(0, |m| self.0.gain(self.state(state), at, m))
    }

    fn policy(
        &self,
        state: &AnyState,
        at: &AnyPosition,
        _moves: &Moves<MoveCode>,
    ) -> Option<PerMove<i32>> {
        let at = self.position(at);
        self.0.policy(self.state(state), at, &at.legal_moves())
    }

    fn expected(&self, state: &AnyState, position: &AnyPosition) -> Option<f32> {
        self.0.expected(self.state(state), self.position(position))
    }

    fn phase(&self, state: &AnyState) -> f64 {
        self.0.phase(self.state(state))
    }

    fn moves_left(&self, position: &AnyPosition) -> Option<MovesLeft> {
        self.0.moves_left(self.position(position))
    }

    fn spread(&self, state: &AnyState, position: &AnyPosition, value: Score) -> f32 {
        self.0
            .spread(self.state(state), self.position(position), value)
    }

    fn searched(&self, state: &AnyState, at: &AnyPosition, valued: &Valued) -> Option<(f32, f32)> {
        self.0
            .searched(self.state(state), self.position(at), valued)
    }

    fn play_out(
        &self,
        at: &AnyPosition,
        random: &mut fastrand::Rng,
        count: &mut dyn FnMut() -> bool,
    ) -> Option<PlayedOut> {
        self.0.play_out(self.position(at), random, count)
    }

    fn belief(&self, state: &AnyState, at: &AnyPosition, value: Score, shape: &LeafShape) -> Cdf {
        self.0
            .belief(self.state(state), self.position(at), value, shape)
    }
}

impl Evaluator<AnyPosition> for AnyEvaluator {
    type State = AnyState;

    of_evaluator!(pass);
}
