//! One node: whether it is decided before its moves, and with which of them to begin.

use super::{Place, ProbAlphaBeta};
use crate::eval::Evaluator;
use crate::game::{Game, Moves};
use crate::search::depth_first::context::Visit;
use crate::search::depth_first::deepening::MAX_PLY;
use crate::search::depth_first::ordering::Picker;
use crate::search::depth_first::prob_node::{Found, bin_score};
use crate::search::depth_first::prob_table::BeliefEntry;
use crate::search::{Interrupt, Probe};
use crate::tree::Fate;

impl<E, P: Probe> ProbAlphaBeta<'_, E, P> {
    /// The belief of a position within the window, side to move. The caller has counted the node.
    pub(super) fn search<G: Game>(
        &mut self,
        place: Place,
        position: &G,
        state: E::State,
    ) -> Result<Found, Interrupt>
    where
        E: Evaluator<G>,
    {
        if place.depth <= 0 || place.ply >= MAX_PLY {
            return self.leaf(place, position, state);
        }
        let (grid, scale) = (self.tree.grid(), self.tree.scale());
        let visit = self.context.enter(
            place.node,
            place.ply,
            bin_score(place.alpha, grid, scale),
            bin_score(place.beta, grid, scale),
            place.depth,
        );
        if place.ply > 0
            && let Some((score, fate)) = self.context.draw_on_the_way(position, place.ply)
        {
            return Ok(self.certain(visit, score, fate));
        }
        let entry = self.known(&visit, position);
        if let Some(entry) = &entry
            && self.decides(entry, &place)
        {
            return Ok(self.table_hit(&place, visit, entry));
        }
        let moves = position.legal_moves();
        if let Some(ending) = position.ending(!moves.is_empty()) {
            let score = position.ending_score(ending);
            return Ok(self.certain(visit, score, Fate::Ended(ending)));
        }
        if moves.is_empty() {
            return Ok(self.uncertain_end(visit, position, state));
        }
        let mut moves = self.in_order(&visit, position, moves, entry.as_ref());
        self.moves(place, visit, position, state, &mut moves)
    }

    /// The moves as they will be searched: the best first, as far as anything is known.
    #[inline]
    fn in_order<G: Game>(
        &self,
        visit: &Visit,
        position: &G,
        moves: Moves<G::Move>,
        entry: Option<&BeliefEntry>,
    ) -> Picker<G::Move> {
        if visit.ply == 0 && !self.root_order.is_empty() {
            return Picker::new(self.by_root_order(position, moves));
        }
        let mut moves = Picker::new(moves);
        if self.memory.is_some() {
            let known = entry.map(|e| e.best);
            let first = self.context.first_to_search(visit, self.first_move, known);
            moves.order(position, first);
        }
        moves
    }
}
