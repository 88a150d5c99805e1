//! The searches of other programs, as they tell them in an open search trace ([`open_trace`]).
//!
//! Such a search is run like one of plyscope's own: the job's thread reads record after record, grows the tree, and reports one
//! event for each event of the stream. So whatever stops, watches, repeats or shows a search does it to these too, and going
//! back is reading again. What is known of a position whose game plyscope does not know is in [`TracedPosition`].

pub mod audit;
mod best_first;
mod codes;
mod depth_first;
mod explain;
mod line;
mod pen;
mod position;
mod reasons;
mod recording;
mod source;
pub mod teller;
mod values;

pub use codes::uci_name;
pub use line::named;
pub use position::{NoEvaluator, TracedGame, TracedPosition};
pub use recording::{Came, Coming, Contents, Recording};
pub use source::{InFile, InMemory, Source, Spooled};
pub use values::{Sides, Values};

use std::collections::BTreeSet;

use eval::Evaluator;
use game::{Game, MoveCode};
use search::algorithm::{AlgorithmInfo, Goals, Implementation, Ranking};
use search::explanation::{Explanation, Reading};
use search::{Job, Probe, Start};
use tree::{Family, NodeId, Tree};

/// A depth-first search of another program.
pub enum DepthFirst {}

/// A best-first search of another program.
pub enum BestFirst {}

impl Implementation for DepthFirst {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "trace-depth-first",
        summary: "a depth-first search of another program, read from its trace",
        source: "the open search trace",
        family: Family::DepthFirst,
        beliefs: false,
        ranking: Ranking::Value,
        options: &[],
        figures: &[],
        goals: Goals::NONE,
    };

    fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
        job: &Job<'a, G, E>,
        thread: usize,
        probe: &'a mut P,
    ) -> Start {
        match job.recorded.filter(|_| thread == 0) {
            Some(recorded) => depth_first::run(job, recorded, probe),
            None => Start::default(),
        }
    }

    fn apply_choices<G: Game, E: Evaluator<G>>(_job: &Job<G, E>, _changed: &BTreeSet<NodeId>) {}

    fn explain(_reading: &Reading, _node: NodeId) -> Explanation {
        Explanation::default()
    }
}

impl Implementation for BestFirst {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "trace-best-first",
        summary: "a best-first search of another program, read from its trace",
        family: Family::BestFirst,
        ranking: Ranking::Visits,
        ..DepthFirst::INFO
    };

    fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
        job: &Job<'a, G, E>,
        thread: usize,
        probe: &'a mut P,
    ) -> Start {
        match job.recorded.filter(|_| thread == 0) {
            Some(recorded) => best_first::run(job, recorded, probe),
            None => Start::default(),
        }
    }

    fn best_move(tree: &Tree, node: NodeId) -> Option<MoveCode> {
        // The program may say which one it is.
        tree.node(node)
            .fate()
            .best()
            .or_else(|| most_visited(tree, node))
    }

    fn apply_choices<G: Game, E: Evaluator<G>>(_job: &Job<G, E>, _changed: &BTreeSet<NodeId>) {}

    fn explain(reading: &Reading, node: NodeId) -> Explanation {
        explain::explain(reading, node)
    }

    fn moments(tree: &Tree, node: NodeId) -> Option<(f32, f32)> {
        let node = tree.node(node);
        let sd = node.second();
        (node.visits() > 0 && sd > 0.0).then(|| (node.expected(), sd))
    }
}

/// The move that was visited most; of several the one that is worth most.
fn most_visited(tree: &Tree, id: NodeId) -> Option<MoveCode> {
    let children = tree.children(id).map(|child| (child, tree.node(child)));
    let visited = children.filter(|(_, node)| node.visits() > 0);
    let worth = |child: NodeId| match tree.is_same_side(child) {
        true => tree.node(child).expected(),
        false => -tree.node(child).expected(),
    };
    let best = visited.max_by(|(a, one), (b, other)| {
        let by_visits = one.visits().cmp(&other.visits());
        by_visits.then_with(|| worth(*a).total_cmp(&worth(*b)))
    });
    best.map(|(_, node)| node.move_code())
}

#[cfg(test)]
mod tests;
