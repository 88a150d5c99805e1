//! Carries out ProbCut by percentile: shallow searches of the node itself.

use super::AlphaBeta;
use super::moves::Purpose;
use super::node::Facts;
use super::rules::{Percentile, Seen};
use crate::eval::Evaluator;
use crate::game::{Game, MoveCode, Score};
use crate::search::depth_first::context::Visit;
use crate::search::depth_first::picker::{Keys, Picker};
use crate::search::{Interrupt, Probe, Rule};
use crate::tree::Fate;

impl<E, P: Probe> AlphaBeta<'_, E, P> {
    /// ProbCut (Buro 1995): where a shallow search says that a deep one will reach beta, or not beat alpha, in all
    /// probability, that bound is taken for the value.
    pub(super) fn percentile_cut<G: Game>(
        &mut self,
        rule: Percentile,
        visit: &Visit,
        position: &G,
        state: E::State,
        facts: &Facts,
        seen: &Seen,
    ) -> Result<Option<(Score, Fate)>, Interrupt>
    where
        E: Evaluator<G>,
    {
        let Some(probes) = rule.probes(seen) else {
            return Ok(None);
        };
        let fate = |value, raised| Fate::ProbCut {
            by: MoveCode::NONE,
            value,
            raised,
            depth: probes.depth as u8,
        };
        if let Some(high) = probes.high {
            let value = self.probe(visit, position, state, facts, high, probes.depth)?;
            if value >= high {
                return Ok(Some((visit.beta, fate(value, high))));
            }
        }
        if let Some(low) = probes.low {
            let value = self.probe(visit, position, state, facts, low, probes.depth)?;
            if value < low {
                return Ok(Some((visit.alpha, fate(value, low))));
            }
        }
        Ok(None)
    }

    /// Whether the node reaches `bound` in a search of `depth` plies: its value in the null window below it.
    fn probe<G: Game>(
        &mut self,
        visit: &Visit,
        position: &G,
        state: E::State,
        facts: &Facts,
        bound: Score,
        depth: i32,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        self.begin_trial(visit, Rule::ProbCut, bound, depth);
        let shallow = Visit {
            alpha: Score::from_raw(bound.raw() - 1),
            beta: bound,
            depth,
            ..*visit
        };
        let list = position.legal_moves();
        let mut keys = Keys::new();
        let mut moves = Picker::new(position, &list, &mut keys);
        let purpose = Purpose::Trial {
            without: MoveCode::NONE,
        };
        let (value, _) = self.moves_for(purpose, shallow, position, state, facts, &mut moves)?;
        self.end_trial(visit, Rule::ProbCut, bound, value);
        Ok(value)
    }
}
