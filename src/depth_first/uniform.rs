//! Uniform search: every move of the root is searched by alpha-beta to one depth before any is searched deeper, each with
//! an open window.
//!
//! It looks for nothing in particular at the root: no move is given less because another one is better. That makes it
//! the control for searches that choose where to look. Below the root it is [`super::alpha_beta`].

use std::collections::BTreeSet;

use super::alpha_beta::{self, BELOW_ROOT};
use super::choices;
use eval::Evaluator;
use game::{Game, Scale, Score};
use search::algorithm::{AlgorithmInfo, Goals, Implementation, Ranking};
use search::explanation::{Explanation, Reading};
use search::{Job, Options, Probe, Start};
use tree::{Family, Fate, NodeId, NodeView};

/// Below the root.
use alpha_beta::Entry as Below;

/// The row of uniform in the table of algorithms.
pub enum Entry {}

impl Implementation for Entry {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "uniform",
        summary: "a round robin: alpha-beta with an open window for every root move, depth by depth (a control)",
        source: "the simplest allocation of a search's effort, against which others are measured; alpha-beta: Knuth & Moore 1975",
        family: Family::DepthFirst,
        beliefs: false,
        ranking: Ranking::Value,
        options: BELOW_ROOT,
        figures: &[],
        goals: Goals::NONE,
    };

    fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
        job: &Job<'a, G, E>,
        thread: usize,
        probe: &'a mut P,
    ) -> Start {
        alpha_beta::run(job, thread, probe, alpha_beta::RootWindows::Open)
    }

    fn apply_choices<G: Game, E: Evaluator<G>>(job: &Job<G, E>, changed: &BTreeSet<NodeId>) {
        choices::apply(job.tree, job.choices, changed);
    }

    fn explain(reading: &Reading, node: NodeId) -> Explanation {
        Below::explain(reading, node)
    }

    fn correction(reading: &Reading, node: NodeId, static_value: Score) -> Option<(Score, i32)> {
        Below::correction(reading, node, static_value)
    }

    fn tells_improving(options: &Options, scale: Scale) -> bool {
        Below::tells_improving(options, scale)
    }

    const SEARCHES_AGAIN: bool = true;

    fn search_again<'a, G: Game, E: Evaluator<G>, P: Probe>(
        job: &Job<'a, G, E>,
        node: NodeId,
        probe: &'a mut P,
    ) {
        Below::search_again(job, node, probe);
    }

    fn implied_skip<G: Game>(
        parent: &NodeView,
        position: &G,
        m: G::Move,
        options: &Options,
    ) -> Option<Fate> {
        Below::implied_skip(parent, position, m, options)
    }
}
