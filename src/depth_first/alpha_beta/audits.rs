//! Audits: what a rule pruned is searched after all, with a memory and a table of its own, so that the search itself
//! goes on as if nothing had happened.

use super::node::Facts;
use super::trials::Purpose;
use super::{AlphaBeta, NodeArguments};
use eval::Evaluator;
use game::{Game, MoveCode, Score};
use search::common::context::Visit;
use search::common::picker::{Keys, Picker};
use search::{Interrupt, Probe};
use tree::{Fate, NodeId};

impl<E, P: Probe> AlphaBeta<'_, E, P> {
    /// Searches a node that a rule cut off: all its moves, to the depth the node had.
    pub(super) fn audit_node<G: Game>(
        &mut self,
        visit: &Visit,
        position: &G,
        state: &E::State,
        facts: &Facts,
        fate: Fate,
    ) -> Result<(), Interrupt>
    where
        E: Evaluator<G>,
    {
        let mut keys = Keys::new();
        let mut moves = Picker::all(position, &mut keys);
        if moves.is_empty() {
            return Ok(());
        }
        let unseen = Visit {
            node: NodeId::NONE,
            ..*visit
        };
        let (value, nodes) = self.aside(|search| {
            let trial = Purpose::Trial {
                without: MoveCode::NONE,
            };
            let site = search.site(trial, unseen, position, state, facts);
            search
                .moves(&site, None, &mut moves)
                .map(|(value, _)| value)
        })?;
        self.context.audited_node(visit, fate, value, nodes);
        Ok(())
    }

    /// Searches a move that a rule skipped, to the depth of the other moves, in the null window at `alpha`.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn audit_move<G: Game>(
        &mut self,
        visit: &Visit,
        position: &G,
        state: &E::State,
        m: G::Move,
        fate: Fate,
        alpha: Score,
    ) -> Result<(), Interrupt>
    where
        E: Evaluator<G>,
    {
        let mut next = position.clone();
        next.play(m);
        let next_state = self.evaluator.after(state, position, m);
        let place = NodeArguments {
            node: NodeId::NONE,
            ply: visit.ply + 1,
            depth: visit.depth - 1,
            passed: false,
        };
        self.line.make(visit.ply, position.footprint(m));
        let low = alpha.one_ply_down();
        let high = Score::from_raw(alpha.raw() + 1).one_ply_down();
        let (value, nodes) = self.aside(|search| {
            let _ = search.context.worker.count_node();
            search.search(place, &next, &next_state, high, low)
        })?;
        let (code, value) = (position.encode(m), value.one_ply_up());
        self.context
            .audited_move(visit, code, fate, value, alpha, nodes);
        Ok(())
    }

    /// Runs a search that does not influence the score. Returns the value and the number of nodes it took.
    fn aside(
        &mut self,
        search: impl FnOnce(&mut Self) -> Result<Score, Interrupt>,
    ) -> Result<(Score, u64), Interrupt> {
        self.swap();
        let aside = self.context.begin_audit();
        let value = search(self);
        let nodes = self.context.end_audit(aside);
        self.swap();
        Ok((value?, nodes))
    }

    /// Exchanges the memory and the table of the search for those of the audits, and back.
    fn swap(&mut self) {
        if let (Some((memory, table)), Some(mine)) = (&mut self.aside, &mut self.memory) {
            std::mem::swap(memory, mine);
            if let Some(other) = &mut self.table {
                std::mem::swap(table, other);
            }
        }
    }
}
