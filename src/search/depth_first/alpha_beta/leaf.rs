//! Alpha-beta without a tree of its own, as the value of another search's leaf.

use std::mem::swap;

use super::{AlphaBeta, NodeArguments};
use crate::eval::Evaluator;
use crate::game::{Game, History, Score};
use crate::search::common::context::Context;
use crate::search::{Algorithm, Free, Interrupt, Job, Probe, Worker};
use crate::tree::NodeId;

/// A search of a few plies from a leaf, with all of alpha-beta's rules. Its nodes count; it records and reports nothing.
///
/// Its table is the job's, so leaves near one another profit from one another. Killers and history are forgotten before
/// each group of leaves ([`LeafSearch::forget`]): what it answers depends on the table alone.
pub(in crate::search) struct LeafSearch<'a, E> {
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
        let mut options = Algorithm::AlphaBeta.default_options();
        // What these know comes from more than the table, and is too much to forget for every leaf.
        for key in ["continuation-history", "correction-history"] {
            options.set(key, "off").expect("an option of alpha-beta");
        }
        // Nothing is allocated for a type without size.
        let nobody = Box::leak(Box::new(Free));
        let stand_in = Worker::stand_in(job.control, thread);
        let context = Context::with_worker(job, stand_in, nobody);
        LeafSearch {
            search: AlphaBeta::new(job, &options, context),
        }
    }

    /// What follows is answered as if nothing had been searched before, but for the table.
    pub fn forget(&mut self) {
        if let Some(memory) = &mut self.search.memory {
            memory.forget_moves();
        }
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

    /// The value of an open position that was counted already, side to move, fail-soft. `history`: the positions
    /// before it. `ply`: at least 1. `depth`: plies before quiescence.
    ///
    /// # Errors
    /// [`Interrupt`] in the middle of it.
    pub fn value<G: Game, P: Probe>(
        &mut self,
        context: &mut Context<'a, P>,
        history: &History,
        position: &G,
        state: E::State,
        (ply, depth): (usize, u8),
        (alpha, beta): (Score, Score),
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        let search = &mut self.search;
        swap(&mut search.context.worker, &mut context.worker);
        search.context.history.clone_from(history);
        search.line.forget_before(ply as u16);
        let place = NodeArguments {
            node: NodeId::NONE,
            ply: ply as u16,
            depth: i32::from(depth),
            passed: false,
        };
        let found = search.search(place, position, state, alpha, beta);
        swap(&mut search.context.worker, &mut context.worker);
        found
    }
}
