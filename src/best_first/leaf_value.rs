//! What the leaf of a growing tree is worth: its static value, a quiescence search from it, or a short alpha-beta.
//!
//! The short alpha-beta is the depth-first family's own ([`LeafSearch`]). Only this file asks for it, so that the families
//! know nothing of each other.

use depth_first::alpha_beta::leaf::LeafSearch;
pub use depth_first::alpha_beta::leaf::RecordedLeafSearch;
use eval::Evaluator;
use game::{Game, Score};
use search::common::context::Context;
use search::common::leaf::Leaf;
use search::common::quiescence::{CaptureRules, Quiescence};
use search::{Interrupt, Job, OptionSpec, Probe, Range};
use tree::NodeId;

/// How an open leaf is valued.
#[derive(Debug)]
pub enum LeafValue<'a, E> {
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

    /// The short alpha-beta with what it has learnt, to be recorded in this context; `None` where a leaf is valued
    /// otherwise.
    pub fn recorded<P: Probe>(
        self,
        context: Context<'a, P>,
    ) -> Option<RecordedLeafSearch<'a, E, P>> {
        match self {
            LeafValue::Search(search) => Some(search.recorded(context)),
            LeafValue::Static | LeafValue::Quiescence => None,
        }
    }

    /// Forgets what the searches of earlier leaves have learnt about the order of moves: what follows depends on the
    /// transposition table alone, as at the beginning of a run.
    pub fn forget(&mut self) {
        if let LeafValue::Search(search) = self {
            search.forget();
        }
    }

    /// Returns the value of a leaf from the view of its side to move, fail-soft.
    ///
    /// # Errors
    /// [`Interrupt`] in the middle of a search.
    pub fn of<G: Game, P: Probe>(
        &mut self,
        evaluator: &E,
        context: &mut Context<'a, P>,
        leaf: &Leaf<G, E::State>,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        let Leaf {
            position,
            state,
            ply,
            window: (alpha, beta),
            ..
        } = *leaf;
        match self {
            LeafValue::Static => return Ok(evaluator.value(state, position)),
            LeafValue::Search(search) if ply > 0 => return search.value(context, leaf),
            _ => {}
        }
        let rules = CaptureRules::DEFAULT;
        let quiescence = Quiescence {
            evaluator,
            rules,
            corrections: None,
            static_values: None,
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
pub const LEAF: OptionSpec = OptionSpec {
    key: "leaf",
    default: "search",
    range: Range::Choice(&["static", "quiescence", "search"]),
    summary: "what a leaf is worth: its static value, a quiescence search or a short alpha-beta from it (their nodes count)",
};

/// How deep a leaf is searched.
pub const LEAF_DEPTH: OptionSpec = OptionSpec {
    key: "leaf-depth",
    default: "0",
    range: Range::Integer { min: 0, max: 12 },
    summary: "plies before quiescence of the first alpha-beta at a leaf (leaf search)",
};

/// How deep a leaf is searched at least before it is expanded.
pub const LEAF_EXPAND: OptionSpec = OptionSpec {
    key: "leaf-expand",
    default: "3",
    range: Range::Integer { min: 0, max: 12 },
    summary: "a leaf is searched deeper, a ply a visit, to this depth before it is expanded; half a ply deeper for each halving of its criticality below a tenth (leaf search)",
};

/// How deep a leaf is searched at most before it is expanded.
pub const LEAF_DEEPEST: OptionSpec = OptionSpec {
    key: "leaf-deepest",
    default: "8",
    range: Range::Integer { min: 1, max: 12 },
    summary: "at this depth a leaf is expanded however little it matters (leaf search)",
};

/// The same where the mean of random samples is a value too.
pub const LEAF_OR_PLAYOUTS: OptionSpec = OptionSpec {
    key: "leaf",
    default: "static",
    range: Range::Choice(&["static", "quiescence", "playouts"]),
    summary: "what a leaf is worth: its static value, a quiescence search from it, or a random playout at each visit (their nodes count)",
};
