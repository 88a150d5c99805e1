//! The passes of MTD(f), SSS\* and Dual\* over the root, and what they keep at the nodes for one another.

use super::driver::{Bounds, First};
use super::{AlphaBeta, NodeArguments, short_mates};
use eval::Evaluator;
use game::{Game, MoveCode, Score};
use search::common::context::Visit;
use search::common::picker::{Keys, Picker};
use search::{Event, Interrupt, Probe};
use tree::{Bound, Fate, NodeId, Tree, Window};

impl<E, P: Probe> AlphaBeta<'_, E, P> {
    /// Searches the root in passes.
    pub(super) fn in_passes<G: Game>(
        &mut self,
        first: First,
        node: NodeId,
        position: &G,
        state: &E::State,
        depth: u16,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        let place = NodeArguments {
            node,
            ply: 0,
            depth: i32::from(depth),
            passed: false,
        };
        let expected = self.root.score;
        let mut bounds = Bounds::new(self.first_question(first));
        let mut number = 0u16;
        while let Some((alpha, beta)) = bounds.question() {
            number = number.saturating_add(1);
            self.root_so_far = None;
            if !node.is_none() {
                self.context.emit(|| Event::Pass {
                    number,
                    alpha,
                    beta,
                });
            }
            let value = self.search(place, position, state, alpha, beta)?;
            let exact = self.rules.is_some() && short_mates::horizon(alpha, beta).is_some();
            bounds.learn((alpha, beta), value, exact);
            // If the search is stopped in the next pass, the last value is worth more than a bound far below it.
            self.root.score = expected.max(bounds.low);
            self.end_pass(node, depth, number, &bounds);
            self.root.first_move = self.root.best;
        }
        Ok(bounds.value())
    }

    /// The first value asked about. In chess a window of short mates is searched no deeper than they are, so that the
    /// outermost questions leave them out.
    fn first_question(&self, first: First) -> Score {
        let short = short_mates::EXACT_PLIES as u16;
        match (first, self.rules.is_some()) {
            (First::Guess(guess), _) => guess.unwrap_or(self.root.score),
            (First::Highest, false) => Score::MAX,
            (First::Highest, true) => Score::win_in(short),
            (First::Lowest, false) => Score::MIN,
            (First::Lowest, true) => Score::loss_in(short + 1),
        }
    }

    /// Reports what is known after a pass, and writes it to the root.
    fn end_pass(&mut self, node: NodeId, depth: u16, number: u16, bounds: &Bounds) {
        if node.is_none() {
            return;
        }
        let &Bounds { low, high, .. } = bounds;
        self.context.emit(|| Event::PassDone { number, low, high });
        let value = bounds.value();
        let bound = match () {
            _ if low >= high => Bound::Exact,
            _ if value == low => Bound::Lower,
            _ => Bound::Upper,
        };
        self.have_a_move();
        let (best, moves) = (self.root.best, self.root_moves);
        let window = Window {
            alpha: Score::MIN,
            beta: Score::MAX,
            depth: depth as i8,
            value,
            bound,
        };
        self.context.settle_root(window, best, moves);
        let known = |bound: Score| (bound > Score::MIN && bound < Score::MAX).then_some(bound);
        let other = if value == low { high } else { low };
        let tree = self.context.recorder.tree();
        tree.node(node)
            .set_other_bound(self.context.iteration, known(other));
    }

    /// A pass that lowers the upper bound finds no move. Until another one does, the move with the highest upper bound is
    /// better than none.
    fn have_a_move(&mut self) {
        let fate = self.context.recorder.tree().node(Tree::ROOT).fate();
        if let (MoveCode::NONE, Some(to)) = (self.root.best, fate.best()) {
            let from = std::mem::replace(&mut self.root.best, to);
            self.context.emit(|| Event::Best { from, to });
        }
    }

    /// The bounds that a node to be visited has in this iteration, where both are kept.
    #[inline]
    pub(super) fn bounds_before(&self, visit: &Visit) -> Sides {
        if !self.driver.makes_passes() || visit.node.is_none() {
            return Sides::default();
        }
        let tree = self.context.recorder.tree();
        match tree.node(visit.node).static_and_iteration().1 {
            same if same == self.context.iteration => bounds_of(tree, visit.node),
            _ => Sides::default(),
        }
    }

    /// Keeps what was known of the other side than the one that a visit has found.
    #[inline]
    pub(super) fn keep_bound(&self, visit: &Visit, before: Sides, value: Score) {
        if !self.driver.makes_passes() || visit.node.is_none() {
            return;
        }
        let other = match visit.bound_of(value) {
            Bound::Lower => before.high,
            Bound::Upper => before.low,
            Bound::Exact | Bound::None => None,
        };
        let tree = self.context.recorder.tree();
        tree.node(visit.node)
            .set_other_bound(self.context.iteration, other);
    }

    /// Searches a node of a toy tree whose leaves are in the table: a leaf is looked at once.
    pub(super) fn search_with_leaves<G: Game>(
        &mut self,
        place: NodeArguments,
        position: &G,
        state: &E::State,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        let mut keys = Keys::new();
        if place.ply == 0 || !Picker::all(position, &mut keys).is_empty() {
            return self.search_node(place, position, state, alpha, beta);
        }
        let key = self.context.place_in_table(position);
        let known = self.table.and_then(|table| table.leaf(key));
        if let Some(value) = known {
            self.pass_known_leaf(place, value, alpha, beta);
            return Ok(value);
        }
        let value = self.search_node(place, position, state, alpha, beta)?;
        if let Some(table) = &self.table {
            table.put_leaf(key, value);
        }
        Ok(value)
    }

    /// Reports a visit to a leaf whose value is in the table. The leaf keeps the fate that it has.
    fn pass_known_leaf(&mut self, place: NodeArguments, value: Score, alpha: Score, beta: Score) {
        let NodeArguments {
            node, ply, depth, ..
        } = place;
        let visit = self.context.enter(node, ply, alpha, beta, depth);
        let fate = Fate::TableHit {
            value,
            depth: 0,
            bound: Bound::Exact,
        };
        self.context.worker.count_fate(fate);
        if node.is_none() {
            return;
        }
        let bound = visit.bound_of(value);
        let reached = self.context.recorder.tree().node(node);
        reached.set_visits(reached.visits() + 1);
        self.context.emit(|| Event::TableHit { node, fate });
        self.context.emit(|| Event::Leave {
            node,
            score: value,
            bound,
        });
    }
}

/// What a node is known to be worth at least and at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sides {
    pub low: Option<Score>,
    pub high: Option<Score>,
}

/// A node's bounds in the latest iteration there. Its window has the one found last; the other is kept beside it.
pub(super) fn bounds_of(tree: &Tree, node: NodeId) -> Sides {
    let node = tree.node(node);
    let window = node.window();
    let other = node.other_bound(node.static_and_iteration().1);
    let (low, high) = match window.bound {
        Bound::Lower => (Some(window.value), other),
        Bound::Upper => (other, Some(window.value)),
        Bound::Exact => (Some(window.value), Some(window.value)),
        Bound::None => (None, None),
    };
    Sides { low, high }
}
