//! What the leaf of a growing tree is worth: its static value, a quiescence search from it, or a short alpha-beta.
//!
//! The short alpha-beta is the depth-first family's own ([`LeafSearch`]); this is the one place where others ask for it.

use super::context::Context;
use super::quiescence::{CaptureRules, Quiescence};
use crate::eval::Evaluator;
use crate::game::{Game, History, Score};
use crate::search::depth_first::alpha_beta::leaf::LeafSearch;
use crate::search::{Interrupt, Job, OptionSpec, Probe, Range};
use crate::tree::NodeId;

/// How an open leaf is valued.
#[derive(Debug)]
pub(in crate::search) enum LeafValue<'a, E> {
    Static,
    Quiescence,
    Search(Box<LeafSearch<'a, E>>),
}

impl<'a, E> LeafValue<'a, E> {
    pub fn new<G: Game>(job: &'a Job<'a, G, E>, thread: usize) -> Self
    where
        E: Evaluator<G>,
    {
        // A toy tree is small enough to be searched itself.
        let is_toy = job.situation.position.height().is_some();
        match job.options.word("leaf") {
            "static" => LeafValue::Static,
            "search" if !is_toy => LeafValue::Search(Box::new(LeafSearch::new(job, thread))),
            _ => LeafValue::Quiescence,
        }
    }

    pub fn is_search(&self) -> bool {
        matches!(self, LeafValue::Search(_))
    }

    /// Before a group of leaves that are valued together.
    pub fn begin(&mut self) {
        if let LeafValue::Search(search) = self {
            search.forget();
        }
    }

    /// The value of an open position that was counted already, side to move; beyond the window only a bound.
    ///
    /// # Errors
    /// [`Interrupt`] in the middle of a quiescence search.
    #[expect(
        clippy::too_many_arguments,
        reason = "a position with its surroundings"
    )]
    pub fn of<G: Game, P: Probe>(
        &mut self,
        evaluator: &E,
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
        match self {
            LeafValue::Static => return Ok(evaluator.value(state, position)),
            LeafValue::Search(search) if ply > 0 => {
                let window = (alpha, beta);
                return search.value(context, history, position, state, (ply, depth), window);
            }
            _ => {}
        }
        let rules = CaptureRules::DEFAULT;
        let quiescence = Quiescence {
            evaluator,
            rules,
            corrections: None,
        };
        quiescence.search(
            context,
            NodeId::NONE,
            position,
            state,
            alpha,
            beta,
            ply as u16,
            0,
        )
    }
}

/// How a leaf is valued.
pub(in crate::search) const LEAF: OptionSpec = OptionSpec {
    key: "leaf",
    default: "search",
    range: Range::Choice(&["static", "quiescence", "search"]),
    summary: "what a leaf is worth: its static value, a quiescence search or a short alpha-beta from it (their nodes count)",
};

/// How deep a leaf is searched.
pub(in crate::search) const LEAF_DEPTH: OptionSpec = OptionSpec {
    key: "leaf-depth",
    default: "0",
    range: Range::Integer { min: 0, max: 12 },
    summary: "plies before quiescence of the first alpha-beta at a leaf (leaf search)",
};

/// How deep a leaf is searched before it is expanded.
pub(in crate::search) const LEAF_DEEPEST: OptionSpec = OptionSpec {
    key: "leaf-deepest",
    default: "8",
    range: Range::Integer { min: 1, max: 12 },
    summary: "a leaf is searched deeper, a ply a visit, up to this depth before it is expanded (leaf search)",
};

/// The same where the mean of random samples is a value too.
pub(in crate::search) const LEAF_OR_PLAYOUTS: OptionSpec = OptionSpec {
    key: "leaf",
    default: "static",
    range: Range::Choice(&["static", "quiescence", "playouts"]),
    summary: "what a leaf is worth: its static value, a quiescence search from it, or a random playout at each visit (their nodes count)",
};
