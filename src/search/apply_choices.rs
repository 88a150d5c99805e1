//! Brings a tree in line with what the user forces on a search, before the search goes on.

use super::{Choices, Job, Start, best_first, depth_first};
use crate::eval::Evaluator;
use crate::game::Game;
use crate::tree::{Family, NodeId, Tree};

/// Brings a tree in line with the choices of a run. Call it between the last run, which had the choices `before`, and
/// the run that `job` describes, whenever their choices differ; also before the first run.
///
/// Marks the nodes and moves concerned. What rested on moves that are now out, or ignored moves that are back in, is
/// recomputed up to the root: proofs, and in a best-first tree expected scores, beliefs and visits too. A move about
/// which nothing was known gets the fate [`Fate::Excluded`](crate::tree::Fate::Excluded); one that was searched keeps its numbers and its fate.
///
/// Returns where the run starts, given in `job.start` where the last one ended. A depth-first search starts again with
/// its first iteration: what was let back in is then found at the depth it needs, and the tables make up for the
/// repetition.
pub fn apply_choices<G: Game, E: Evaluator<G>>(job: &Job<G, E>, before: &Choices) -> Start {
    let tree = job.tree;
    let changed = job.choices.differences(before);
    for id in before.nodes() {
        mark(tree, id, false);
    }
    for id in job.choices.nodes() {
        mark(tree, id, true);
    }
    match tree.family() {
        Family::DepthFirst => depth_first::choices::apply(tree, job.choices, &changed),
        Family::BestFirst => best_first::choices::apply(job, &changed),
    }
    if changed.is_empty() {
        return job.start;
    }
    Start {
        depth: 0,
        best: job.first_best(),
        ..job.start
    }
}

/// Marks a node and its ancestors as resting on choices, or removes the marks.
fn mark(tree: &Tree, id: NodeId, narrowed: bool) {
    tree.node(id).set_narrowed(narrowed);
    for ancestor in tree.path(id).into_iter().rev().skip(1) {
        tree.node(ancestor).set_above_narrowed(narrowed);
    }
}
