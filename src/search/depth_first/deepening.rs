//! Which iterations a run of a depth-first search makes.

use std::ops::RangeInclusive;

use crate::eval::Evaluator;
use crate::game::{Game, MoveCode, Score};
use crate::search::{Job, StopReason, Worker};
use crate::tree::{NodeId, Tree};

/// Deepest iteration.
pub(super) const MAX_DEPTH: u16 = 100;

/// The depths of one thread's iterations: on from where an earlier run left off. A finite toy tree is searched whole, in
/// one iteration. Of several threads each second one is an iteration ahead.
pub(super) fn depths<G: Game, E: Evaluator<G>>(
    job: &Job<G, E>,
    thread: usize,
) -> RangeInclusive<u16> {
    if let Some(height) = job.situation.position.height() {
        return height..=height;
    }
    let done = job.start.depth;
    let first = done.saturating_add(1 + (thread % 2) as u16);
    // A search makes one iteration at least, whatever its limit.
    let least = if done == 0 { first } else { 0 };
    let wished = job.control.limits().depth.unwrap_or(MAX_DEPTH);
    first..=wished.min(MAX_DEPTH).max(least)
}

/// Deeper than this a search goes on in quiescence alone.
pub(super) const MAX_PLY: u16 = 200;

/// Where a thread records: only the first one does.
pub(super) fn root_of(thread: usize) -> NodeId {
    if thread == 0 {
        Tree::ROOT
    } else {
        NodeId::NONE
    }
}

/// After the focus, if the run has one: whether the search was stopped in it, or just as its nodes were used up.
pub(super) fn ends_with_focus<G: Game, E: Evaluator<G>>(job: &Job<G, E>) -> bool {
    job.start.focus.is_some() && job.control.stopped().is_some()
}

/// No iteration is left to the main thread.
pub(super) fn stop_at_the_end<G: Game, E: Evaluator<G>>(job: &Job<G, E>) {
    let whole = job.situation.position.height().is_some();
    job.control.stop(if whole {
        StopReason::Solved
    } else {
        StopReason::Depth
    });
}

/// The main thread finished an iteration. Answers whether the time for further ones is up.
pub(super) fn finish_iteration(worker: &Worker, depth: u16, best: MoveCode, score: Score) -> bool {
    worker.publish();
    worker.control().finish_iteration(depth, best, score)
}
