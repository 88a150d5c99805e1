//! A node before its moves are searched: what the rules say of all of them, and which have to be listed.

use super::AlphaBeta;
use super::node::Facts;
use super::rules::NodeInputs;
use super::trials::Purpose;
use eval::Evaluator;
use game::{Checks, Game, Score};
use search::Probe;
use search::common::context::Visit;
use search::common::picker::{Pick, Picker};
use tree::Fate;

/// A move that is about to be searched.
pub(super) struct Candidate<M> {
    pub pick: Pick<M>,
    pub gives_check: bool,
    /// How many moves come before it in the order, those that rules skip not counted.
    pub number: u8,
}

/// A node whose moves are being searched.
#[derive(Clone, Copy)]
pub(super) struct Site<'p, G: Game, S> {
    pub visit: Visit,
    pub position: &'p G,
    pub state: &'p S,
    pub facts: &'p Facts,
    pub purpose: Purpose,
    /// What the rules see; `None` where no rule applies.
    pub seen: Option<NodeInputs>,
    /// The fate of all quiet moves that give no check, and the most that they are worth, where futility skips them.
    pub futile: Option<(Fate, Score)>,
    pub checks: Option<Checks>,
}

impl<E, P: Probe> AlphaBeta<'_, E, P> {
    /// What there is to know about a node for its moves.
    #[inline]
    pub(super) fn site<'p, G: Game>(
        &self,
        purpose: Purpose,
        visit: Visit,
        position: &'p G,
        state: &'p E::State,
        facts: &'p Facts,
    ) -> Site<'p, G, E::State>
    where
        E: Evaluator<G>,
    {
        let seen = facts.seen(&visit);
        // In a null window alpha does not change, so the verdict on one quiet move is the verdict on all that give no
        // check. Every move of the root is searched.
        let asked = visit.is_null_window() && visit.ply > 0;
        let rules = self.rules.as_ref();
        let futility = rules.map(|r| &r.futility).filter(|_| asked);
        Site {
            visit,
            position,
            state,
            facts,
            purpose,
            futile: futility
                .and_then(|f| Some((f.skip(seen.as_ref()?)?, f.ceiling(seen.as_ref()?)))),
            seen,
            checks: rules.map(|_| position.checks()),
        }
    }

    /// The table's move, if it can be searched before the others are listed.
    #[inline]
    pub(super) fn first_alone<G: Game>(
        &self,
        site: &Site<G, E::State>,
        moves: &Picker<'_, G>,
    ) -> Option<Pick<G::Move>>
    where
        E: Evaluator<G>,
    {
        let visit = &site.visit;
        let may_be = visit.ply > 0 && !visit.on_choices && self.memory.is_some();
        moves.find(site.facts.first).filter(|_| may_be)
    }

    /// Lists the moves, unless they already are; those that futility skips are only counted where nobody wants to see
    /// them.
    #[inline]
    pub(super) fn list<G: Game>(&self, site: &Site<G, E::State>, moves: &mut Picker<'_, G>)
    where
        E: Evaluator<G>,
    {
        match (&site.futile, &site.checks) {
            (Some(_), Some(checks))
                if !moves.is_listed()
                    && self.context.auditor.is_none()
                    && !site.visit.on_choices
                    && !self.context.is_watched(&site.visit) =>
            {
                moves.list_most(checks, site.facts.first);
            }
            _ => moves.list(),
        }
    }
}
