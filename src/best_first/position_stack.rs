//! The line of play from the root to the current node, replayed only as far as it changed.

use eval::Evaluator;
use game::{Footprint, Game, History, Repetition, Situation};
use tree::{NodeId, Tree};

/// One position of the line, with the evaluator's state.
#[derive(Clone, Debug)]
struct Place<G, S> {
    position: G,
    state: S,
}

/// One thread's line of play. Descents choose nodes without a board; when a leaf needs the board, it is replayed from
/// the last position that both lines share.
#[derive(Debug)]
pub(super) struct PositionStack<'a, G: Game, E: Evaluator<G>> {
    evaluator: &'a E,
    /// The nodes of the current descent, with the root at ply 0; beyond its end, those of earlier descents.
    ids: Vec<NodeId>,
    places: Vec<Place<G, E::State>>,
    /// Places up to this index (exclusive) belong to `ids`.
    valid: usize,
    history: History,
    /// The number of positions in the history before the root.
    played: usize,
}

impl<'a, G: Game, E: Evaluator<G>> PositionStack<'a, G, E> {
    pub fn new(evaluator: &'a E, situation: &Situation<G>) -> Self {
        let position = situation.position.clone();
        let state = evaluator.start(&position);
        PositionStack {
            evaluator,
            ids: vec![Tree::ROOT],
            places: vec![Place { position, state }],
            valid: 1,
            history: situation.history.clone(),
            played: situation.history.len(),
        }
    }

    /// Records that the descent enters `id` at `ply` (1 or more).
    #[inline]
    pub fn enter(&mut self, ply: usize, id: NodeId) {
        if ply >= self.ids.len() {
            self.ids.push(id);
        } else if self.ids[ply] != id {
            self.ids[ply] = id;
            self.valid = self.valid.min(ply);
        }
    }

    /// The node at `ply` of the latest descent that reached it; `NONE` if there was none.
    #[inline]
    pub fn at(&self, ply: usize) -> NodeId {
        self.ids.get(ply).copied().unwrap_or(NodeId::NONE)
    }

    /// Replays the moves down to `ply`.
    pub fn catch_up(&mut self, tree: &Tree, ply: usize) {
        let from = self.valid - 1;
        self.history.truncate(self.played + from.min(ply));
        while self.history.len() < self.played + from.min(ply) {
            let at = self.history.len() - self.played;
            self.history.push(self.places[at].position.key());
        }
        for at in from..ply {
            let id = self.ids[at + 1];
            if at + 1 == self.places.len() {
                self.places.push(self.places[at].clone());
            }
            let (before, after) = self.places.split_at_mut(at + 1);
            let (before, after) = (&before[at], &mut after[0]);
            self.history.push(before.position.key());
            let code = tree.node(id).move_code();
            let m = before
                .position
                .decode_known(code)
                .expect("the tree holds legal moves");
            // In its place, because the evaluator's state is large.
            self.evaluator
                .advance(&before.state, &before.position, m, &mut after.state);
            after.position.clone_from(&before.position);
            after.position.play(m);
            self.valid = at + 2;
        }
    }

    /// The position at a ply to which the line was caught up.
    #[inline]
    pub fn position(&self, ply: usize) -> &G {
        &self.places[ply].position
    }

    /// The evaluator's state at a ply to which the line was caught up.
    #[inline]
    pub fn state(&self, ply: usize) -> &E::State {
        &self.places[ply].state
    }

    /// The moves that led to the position at `ply`, which the line was caught up to, the last one first.
    pub fn moves_before(&self, tree: &Tree, ply: usize) -> [Footprint; 2] {
        let made = |ply: usize| {
            let before = &self.places[ply.checked_sub(1)?].position;
            let m = before.decode_known(tree.node(self.ids[ply]).move_code())?;
            Some(before.footprint(m))
        };
        [ply, ply.saturating_sub(1)].map(|ply| made(ply).unwrap_or(Footprint::NONE))
    }

    /// How often the position at `ply`, to which the line was just caught up, occurred before.
    pub fn repetitions(&self, ply: usize) -> Repetition {
        let position = self.position(ply);
        self.history
            .repetitions(position.key(), position.reversible_plies())
    }

    /// Prepares a look at the children of the position at `ply`, to which the line was caught up: it becomes part of
    /// their past. This holds until the line is caught up again.
    pub fn before_children(&mut self, ply: usize) {
        self.history.push(self.places[ply].position.key());
    }

    /// The positions before the one to which the line was caught up, or before its children.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// How often a child's position occurred before; see [`PositionStack::before_children`].
    pub fn child_repetitions(&self, child: &G) -> Repetition {
        self.history
            .repetitions(child.key(), child.reversible_plies())
    }
}
