//! Nodes whose moves are not searched: the horizon, and ends of the game.

use super::{Place, ProbAlphaBeta};
use crate::eval::Evaluator;
use crate::game::{Ending, Game, Score};
use crate::search::depth_first::context::Visit;
use crate::search::depth_first::prob_node::Found;
use crate::search::{Event, Interrupt, Probe};
use crate::tree::{Bound, Fate};

impl<E, P: Probe> ProbAlphaBeta<'_, E, P> {
    /// The horizon: quiescence gives the value around which the belief is laid.
    pub(super) fn leaf<G: Game>(
        &mut self,
        place: Place,
        position: &G,
        state: E::State,
    ) -> Result<Found, Interrupt>
    where
        E: Evaluator<G>,
    {
        let (alpha, beta) =
            self.leaves
                .quiet_window(self.evaluator, state, position, place.alpha, place.beta);
        let value = self.quiescence.search(
            &mut self.context,
            place.node,
            position,
            state,
            alpha,
            beta,
            place.ply,
            0,
        )?;
        let ending = match position.ending(true) {
            Some(ending @ (Ending::InsufficientMaterial | Ending::Leaf)) => Some(ending),
            _ => None,
        };
        let found = if ending.is_some() || value == Score::LOSS {
            let belief = self.leaves.atom(value);
            let mean = belief.mean(self.tree.grid());
            Found::new(&belief, mean, Some(value), Bound::Exact)
        } else {
            let (belief, mean) = self.leaves.belief(self.evaluator, state, position, value);
            let bound = match value {
                v if v >= beta || v.is_win() => Bound::Lower,
                v if v <= alpha || v.is_loss() => Bound::Upper,
                _ => Bound::Exact,
            };
            Found::new(&belief, mean, value.is_decided().then_some(value), bound)
        };
        let found = found.against(place.beta, self.confidence);
        self.pen.write(place.node, &found.q);
        Ok(found)
    }

    /// A node whose value is exact: an end of the game or a repetition.
    pub(super) fn certain(&mut self, visit: Visit, score: Score, fate: Fate) -> Found {
        let belief = self.leaves.atom(score);
        let found = Found::new(
            &belief,
            belief.mean(self.tree.grid()),
            Some(score),
            Bound::Exact,
        );
        self.pen.write(visit.node, &found.q);
        self.context
            .leave_as(visit, score, Bound::Exact, None, fate);
        found
    }

    /// A toy tree's leaf with a spread, above the deepest ones.
    pub(super) fn uncertain_end<G: Game>(
        &mut self,
        visit: Visit,
        position: &G,
        state: E::State,
    ) -> Found
    where
        E: Evaluator<G>,
    {
        let value = self.evaluator.value(state, position);
        let (belief, mean) = self.leaves.belief(self.evaluator, state, position, value);
        let found = Found::new(&belief, mean, None, Bound::Exact);
        self.pen.write(visit.node, &found.q);
        if !visit.node.is_none() {
            let node = visit.node;
            let sd = belief.sd(self.tree.grid());
            self.context.emit(|| Event::Evaluate {
                node,
                value,
                sd: Some(sd),
            });
        }
        let fate = Fate::Horizon {
            static_value: value,
        };
        self.context
            .leave_as(visit, value, Bound::Exact, Some(value), fate);
        found
    }
}
