//! One node: whether it is decided before its moves, and which move to search first.

use super::{NodeArguments, ProbAlphaBeta};
use crate::alpha_beta::short_mates;
use crate::deepening::MAX_PLY;
use crate::prob_value::ProbValue;
use eval::Evaluator;
use game::Game;
use search::common::picker::{Keys, Picker};
use search::{Interrupt, Probe};
use tree::Fate;

impl<E, P: Probe> ProbAlphaBeta<'_, E, P> {
    /// Searches a position within the window. Returns its belief from the view of the side to move. The caller has
    /// counted the node.
    pub(super) fn search<G: Game>(
        &mut self,
        place: NodeArguments,
        position: &G,
        state: &E::State,
    ) -> Result<ProbValue, Interrupt>
    where
        E: Evaluator<G>,
    {
        if place.depth <= 0 || place.ply >= MAX_PLY {
            return self.leaf(place, position, state);
        }
        let NodeArguments {
            node, ply, depth, ..
        } = place;
        let mut visit = self
            .context
            .enter(node, ply, place.alpha, place.beta, depth);
        if ply > 0
            && let Some((score, fate)) = self.context.draw_on_the_way(position, ply)
        {
            return Ok(self.certain(visit, score, fate));
        }
        let horizon =
            short_mates::horizon(visit.alpha, visit.beta).filter(|_| self.memory.is_some());
        if let Some(plies) = horizon {
            // A longer line cannot change what this window decides.
            visit.depth = visit.depth.min(plies.max(1));
        }
        if horizon.is_none()
            && let Some((score, fate)) = self.context.in_tables(position, ply)
        {
            return Ok(self.certain(visit, score, fate));
        }
        if let Some((score, fate)) = self.context.known_draw(position, ply) {
            return Ok(self.certain(visit, score, fate));
        }
        let entry = self.known(&visit, position);
        let clock = position.reversible_plies();
        // Whether there are moves is determined only when they are needed.
        let over = position.ending(true).is_some();
        if let Some(entry) = entry.as_ref().filter(|_| !over)
            && let Some(found) = self.decided(entry, &visit, horizon.is_some(), clock)
        {
            return Ok(self.table_hit(visit, found, entry.depth));
        }
        let mut keys = Keys::new();
        let mut moves = Picker::all(position, &mut keys);
        if let Some(ending) = position.ending(!moves.is_empty()) {
            let score = position.ending_score(ending);
            return Ok(self.certain(visit, score, Fate::Ended(ending)));
        }
        if moves.is_empty() {
            return Ok(self.uncertain_end(visit, position, state));
        }
        let known = entry.map(|e| e.best);
        let first = self
            .context
            .first_to_search(&visit, self.root.first_move, known);
        self.moves(visit, position, state, first, &mut moves)
    }
}
