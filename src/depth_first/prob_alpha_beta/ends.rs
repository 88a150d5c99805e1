//! Nodes whose moves are not searched: the horizon, and the ends of the game.

use super::{NodeArguments, ProbAlphaBeta};
use crate::prob_value::ProbValue;
use eval::Evaluator;
use game::{Game, Score};
use search::common::context::Visit;
use search::{Event, Interrupt, Probe};
use tree::{Bound, Fate};

impl<E, P: Probe> ProbAlphaBeta<'_, E, P> {
    /// Evaluates a leaf at the horizon: quiescence gives the value around which the belief is placed.
    pub(super) fn leaf<G: Game>(
        &mut self,
        place: NodeArguments,
        position: &G,
        state: &E::State,
    ) -> Result<ProbValue, Interrupt>
    where
        E: Evaluator<G>,
    {
        let NodeArguments { alpha, beta, .. } = place;
        let visit = self.context.enter(place.node, place.ply, alpha, beta, 0);
        let (low, high) = self
            .leaves
            .quiet_window(self.evaluator, state, position, alpha, beta);
        let asked = Visit {
            alpha: low,
            beta: high,
            ..visit
        };
        let quiet = match self
            .quiescence
            .look(&mut self.context, asked, position, state)
        {
            Ok(quiet) => quiet,
            Err(Interrupt) => return Err(self.context.interrupt(visit)),
        };
        let value = quiet.value;
        let is_end = quiet.fate.is_end();
        let bound = match value {
            v if v == Score::LOSS || is_end => Bound::Exact,
            v if v >= high || v.is_win() => Bound::Lower,
            v if v <= low || v.is_loss() => Bound::Upper,
            _ => Bound::Exact,
        };
        let certain = self.certain || value.is_decided() || is_end;
        // The belief is recorded before the node is left, so that a debugger that stops there sees its spread.
        let found = if certain {
            let found = ProbValue::certain(value, bound, &self.bins);
            self.pen.write(visit.node, || found.shown(&self.bins));
            found
        } else {
            let (belief, mean) = self.leaves.belief(self.evaluator, state, position, value);
            self.pen.write(visit.node, || belief);
            ProbValue::wide(&belief, mean, bound, Some(value))
        };
        let found = found.against(beta, self.confidence, &self.bins);
        let bound = match found.point {
            Some(value) => visit.bound_of(value),
            None => asked.bound_of(value),
        };
        self.context
            .leave_as(visit, value, bound, quiet.static_value, quiet.fate);
        Ok(found)
    }

    /// Values a node whose score is exact: an end of the game or a repetition.
    pub(super) fn certain(&mut self, visit: Visit, score: Score, fate: Fate) -> ProbValue {
        let found = ProbValue::certain(score, Bound::Exact, &self.bins);
        self.pen.write(visit.node, || found.shown(&self.bins));
        self.context.leave(visit, score, None, fate);
        found.against(visit.beta, self.confidence, &self.bins)
    }

    /// Values a toy tree's leaf with a spread above the deepest leaves.
    pub(super) fn uncertain_end<G: Game>(
        &mut self,
        visit: Visit,
        position: &G,
        state: &E::State,
    ) -> ProbValue
    where
        E: Evaluator<G>,
    {
        let value = self.evaluator.value(state, position);
        let found = if self.certain {
            ProbValue::certain(value, Bound::Exact, &self.bins)
        } else {
            let (belief, mean) = self.leaves.belief(self.evaluator, state, position, value);
            ProbValue::wide(&belief, mean, Bound::Exact, Some(value))
        };
        self.pen.write(visit.node, || found.shown(&self.bins));
        if !visit.node.is_none() && !self.certain {
            let node = visit.node;
            let sd = self.tree.belief(node).map(|b| b.sd(self.tree.grid()));
            let mean = found.mean;
            self.context.emit(|| Event::Evaluate {
                node,
                value,
                mean,
                sd,
            });
        }
        let bound = match found.point {
            Some(value) => visit.bound_of(value),
            None => Bound::Exact,
        };
        let fate = Fate::Horizon {
            static_value: value,
        };
        self.context
            .leave_as(visit, value, bound, Some(value), fate);
        found.against(visit.beta, self.confidence, &self.bins)
    }
}
