//! ProbCut by percentile: shallow searches of the node itself.

use super::AlphaBeta;
use super::node::Facts;
use super::rules::{NodeInputs, Percentile};
use super::trials::Trial;
use eval::Evaluator;
use game::{Game, MoveCode, Score};
use search::common::context::Visit;
use search::{Interrupt, Probe, Rule};
use tree::Fate;

impl<E, P: Probe> AlphaBeta<'_, E, P> {
    /// ProbCut (Buro 1995): where a shallow search says that a deep one will in all probability reach beta, or will not
    /// beat alpha, that bound is taken as the value.
    pub(super) fn percentile_cut<G: Game>(
        &mut self,
        rule: Percentile,
        visit: &Visit,
        position: &G,
        state: &E::State,
        facts: &Facts,
        seen: &NodeInputs,
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
        let probe = |bound| Trial {
            rule: Rule::ProbCut,
            bound,
            depth: probes.depth,
            without: MoveCode::NONE,
        };
        if let Some(high) = probes.high {
            let value = self.search_moves(probe(high), visit, position, state, facts)?;
            if value >= high {
                return Ok(Some((visit.beta, fate(value, high))));
            }
        }
        if let Some(low) = probes.low {
            let value = self.search_moves(probe(low), visit, position, state, facts)?;
            if value < low {
                return Ok(Some((visit.alpha, fate(value, low))));
            }
        }
        Ok(None)
    }
}
