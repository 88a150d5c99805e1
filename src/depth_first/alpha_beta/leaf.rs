//! Alpha-beta without a tree of its own, as the value of another search's leaf.

use std::mem::swap;

use super::{AlphaBeta, NodeArguments};
use eval::Evaluator;
use game::{Game, Score};
use search::common::context::Context;
use search::common::leaf::Leaf;
use search::{Free, Interrupt, Job, Probe, Worker};
use tree::NodeId;

/// A search of a few plies from a leaf, with all of alpha-beta's rules. Its nodes count; it records and reports nothing.
///
/// Its table is the job's, and its killers and histories are kept from leaf to leaf, so that leaves near one another
/// profit from one another. [`LeafSearch::forget`] makes what it answers depend on the table alone.
pub struct LeafSearch<'a, E> {
    search: AlphaBeta<'a, E, Free>,
}

impl<E> std::fmt::Debug for LeafSearch<'_, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LeafSearch").finish_non_exhaustive()
    }
}

impl<'a, E> LeafSearch<'a, E> {
    pub fn new<G: Game>(job: &Job<'a, G, E>, thread: usize) -> Self
    where
        E: Evaluator<G>,
    {
        let options = super::default_options();
        // Nothing is allocated for a type without size.
        let nobody = Box::leak(Box::new(Free));
        let stand_in = Worker::stand_in(job.control, thread);
        let context = Context::with_worker(job, stand_in, nobody);
        LeafSearch {
            search: AlphaBeta::new(job, &options, context),
        }
    }

    /// Forgets all but the table: what follows is answered as if nothing had been searched before.
    pub fn forget(&mut self) {
        if let Some(memory) = &mut self.search.memory {
            memory.forget();
        }
        self.search.corrections.forget();
    }

    /// Whether a mate that another search found at its root is as short as it can be: nobody mates sooner, or holds out
    /// longer. Mates of more than [`super::short_mates::EXACT_PLIES`] are not confirmed.
    ///
    /// # Errors
    /// [`Interrupt`] before it is known.
    pub fn confirms<G: Game, P: Probe>(
        &mut self,
        context: &mut Context<'a, P>,
        position: &G,
        score: Score,
    ) -> Result<bool, Interrupt>
    where
        E: Evaluator<G>,
    {
        swap(&mut self.search.context.worker, &mut context.worker);
        let found = self.search.confirms(position, score);
        swap(&mut self.search.context.worker, &mut context.worker);
        found
    }

    /// Returns the value of a leaf away from the root from the view of its side to move, fail-soft.
    ///
    /// # Errors
    /// [`Interrupt`] in the middle of it.
    pub fn value<G: Game, P: Probe>(
        &mut self,
        context: &mut Context<'a, P>,
        leaf: &Leaf<G, E::State>,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        let search = &mut self.search;
        swap(&mut search.context.worker, &mut context.worker);
        let found = search.leaf_value(leaf, NodeId::NONE);
        swap(&mut search.context.worker, &mut context.worker);
        found
    }

    /// The same search with what it has learnt, to be recorded and reported in this context.
    pub fn recorded<P: Probe>(self, context: Context<'a, P>) -> RecordedLeafSearch<'a, E, P> {
        let search = self.search;
        RecordedLeafSearch {
            search: AlphaBeta {
                context,
                root: search.root,
                evaluator: search.evaluator,
                driver: search.driver,
                table: search.table,
                rules: search.rules,
                capture_rules: search.capture_rules,
                static_values: search.static_values,
                corrections: search.corrections,
                memory: search.memory,
                team: search.team,
                line: search.line,
                no_null_before: search.no_null_before,
                aside: search.aside,
                root_so_far: search.root_so_far,
                root_moves: search.root_moves,
                confirming: search.confirming,
                cutoffs: search.cutoffs,
                open_root: search.open_root,
                aspiration: search.aspiration,
            },
        }
    }
}

/// A leaf's search that is recorded and reported like any alpha-beta.
pub struct RecordedLeafSearch<'a, E, P> {
    search: AlphaBeta<'a, E, P>,
}

impl<'a, E, P: Probe> RecordedLeafSearch<'a, E, P> {
    pub fn context(&mut self) -> &mut Context<'a, P> {
        &mut self.search.context
    }

    /// See [`LeafSearch::value`]; the leaf is recorded as `node`.
    pub fn value<G: Game>(
        &mut self,
        leaf: &Leaf<G, E::State>,
        node: NodeId,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        self.search.leaf_value(leaf, node)
    }
}

impl<E, P: Probe> AlphaBeta<'_, E, P> {
    fn leaf_value<G: Game>(
        &mut self,
        leaf: &Leaf<G, E::State>,
        node: NodeId,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        self.context.history.clone_from(leaf.history);
        let ply = leaf.ply as u16;
        self.line.forget_before(ply);
        for (back, made) in (1..=ply).zip(leaf.before) {
            self.line.make(ply - back, made);
        }
        let place = NodeArguments {
            node,
            ply,
            // A check is searched a ply deeper, as alpha-beta itself would do where the check is given.
            depth: i32::from(leaf.depth) + i32::from(leaf.position.is_check()),
            passed: false,
        };
        let (alpha, beta) = leaf.window;
        self.search(place, leaf.position, leaf.state, alpha, beta)
    }
}
