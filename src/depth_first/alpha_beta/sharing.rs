//! How threads divide the moves of a node: a move that another thread is searching comes after the others, when the table
//! probably knows its value. This is the simplified form of ABDADA (Weill, The ABDADA distributed minimax-search
//! algorithm, 1996) that T. Kerrigan describes in Simplified ABDADA; it needs no messages and never waits.

use super::AlphaBeta;
use super::moves::SoFar;
use super::site::{Candidate, Site};
use eval::Evaluator;
use game::{Game, Score};
use search::common::team::{Place, Team};
use search::{Interrupt, Probe};
use tree::Fate;

/// With fewer plies left, a move costs less than asking about it.
const LEAST_DEPTH: i32 = 3;

impl<'a, E, P: Probe> AlphaBeta<'a, E, P> {
    /// The other threads, where this node's moves are divided among all. Audits keep to themselves.
    #[inline]
    pub(super) fn team_at<G: Game>(&self, site: &Site<G, E::State>) -> Option<&'a Team>
    where
        E: Evaluator<G>,
    {
        self.team
            .filter(|_| site.visit.depth >= LEAST_DEPTH && !self.context.is_auditing())
    }

    /// Searches a move while the others know of it, or puts it off while one of them searches it. The first move is
    /// never put off: its value decides whether the others have to be searched at all.
    pub(super) fn try_among<G: Game>(
        &mut self,
        team: &Team,
        site: &Site<G, E::State>,
        candidate: Candidate<G::Move>,
        put_off: &mut Vec<Candidate<G::Move>>,
        so_far: &mut SoFar,
        after: &mut E::State,
    ) -> Result<Option<(Score, Fate)>, Interrupt>
    where
        E: Evaluator<G>,
    {
        let place = Place::new(site.position.key(), candidate.pick.code);
        if so_far.searched > 0 && team.under_way.contains(place) {
            put_off.push(candidate);
            return Ok(None);
        }
        team.under_way.begin(place);
        let tried = self.try_move(site, &candidate, so_far, after);
        team.under_way.end(place);
        tried
    }
}
