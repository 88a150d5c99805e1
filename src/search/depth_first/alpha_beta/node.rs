//! One node: whether it is decided before its moves, and with which of them to begin.

use super::known::cutoff;
use super::{AlphaBeta, Place};
use crate::eval::Evaluator;
use crate::game::{Game, MoveCode, Score};
use crate::search::depth_first::context::Visit;
use crate::search::depth_first::deepening::MAX_PLY;
use crate::search::depth_first::ordering::Picker;
use crate::search::depth_first::table::Entry;
use crate::search::{Event, Interrupt, Probe};
use crate::tree::Fate;

/// What is known of a node before its moves are searched.
#[derive(Clone, Copy)]
pub(super) struct Before {
    /// Side to move; `None` in check, and at the inner nodes of a toy tree.
    pub static_value: Option<Score>,
    /// The move to search first, from the table or an earlier visit; `NONE` if there is none.
    pub first: MoveCode,
}

impl<E, P: Probe> AlphaBeta<'_, E, P> {
    /// The value of a position within the window, side to move, fail-soft. The caller has counted the node.
    pub(super) fn search<G: Game>(
        &mut self,
        place: Place,
        position: &G,
        state: E::State,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        let Place { node, ply, depth } = place;
        if depth <= 0 || ply >= MAX_PLY {
            let context = &mut self.context;
            return self
                .quiescence
                .search(context, node, position, state, alpha, beta, ply, 0);
        }
        let visit = self.context.enter(node, ply, alpha, beta, depth);
        if ply > 0
            && let Some((score, fate)) = self.context.draw_on_the_way(position, ply)
        {
            return Ok(self.context.leave(visit, score, None, fate));
        }
        let entry = self.known(&visit, position);
        if let Some(entry) = &entry
            && let Some(fate) = cutoff(entry, &visit)
        {
            let (value, static_value) = (entry.value, entry.static_value);
            return Ok(self.context.leave(visit, value, static_value, fate));
        }
        let mut moves = Picker::new(position.legal_moves());
        if let Some(ending) = position.ending(!moves.is_empty()) {
            let score = position.ending_score(ending);
            return Ok(self.context.leave(visit, score, None, Fate::Ended(ending)));
        }
        if moves.is_empty() {
            return Ok(self.uncertain_end(visit, position, state));
        }
        let static_value = self.static_value(position, state, entry.as_ref());
        if let (false, Some(value)) = (node.is_none(), static_value) {
            self.context.emit(|| Event::Evaluate {
                node,
                value,
                sd: None,
            });
        }
        let first =
            self.context
                .first_to_search(&visit, self.first_move, entry.as_ref().map(|e| e.best));
        let before = Before {
            static_value,
            first,
        };
        self.moves(visit, position, state, before, &mut moves)
    }

    /// A toy leaf with a spread: a value, but no proof.
    #[cold]
    fn uncertain_end<G: Game>(&mut self, visit: Visit, position: &G, state: E::State) -> Score
    where
        E: Evaluator<G>,
    {
        let value = self.evaluator.value(state, position);
        let fate = Fate::Horizon {
            static_value: value,
        };
        self.context.leave(visit, value, Some(value), fate)
    }

    /// The position's own value, where it has one: none in check, none at a toy tree's inner nodes.
    fn static_value<G: Game>(
        &mut self,
        position: &G,
        state: E::State,
        entry: Option<&Entry>,
    ) -> Option<Score>
    where
        E: Evaluator<G>,
    {
        if self.memory.is_none() || position.is_check() {
            return None;
        }
        entry
            .and_then(|e| e.static_value)
            .or_else(|| Some(self.evaluator.value(state, position)))
    }
}
