//! Searches against the truth: in tic-tac-toe and small Connect Four every belief, bound, proof, cut and prune of a search can be
//! judged by an exact solver, which shares nothing with the searches but the rules.
//!
//! Each algorithm searches each of the positions afresh, on one thread, and then every node of its tree is judged. A *result* is
//! 1, 0 or −1: a win, a draw or a loss with best play for the side to move at a node. What is counted:
//!
//! - **Proofs.** The bounds that a node has proven are false if the exact score lies outside of them. [`Proofs`] tells those that
//!   exclude the result from those that have the result and a wrong distance.
//! - **Decisions to leave out moves.** At a node a fate (a cutoff, futility, …) has left out moves that the tree never searched,
//!   beside others that were searched. The decision is *false* if the best of the moves left out has a better result than the best
//!   move searched: the node's result is lost by it. The control leaves out as many of the same moves at random.
//! - **Claims.** A fate that compares with a bound claims that its node is worth at least beta (a cutoff, reverse futility, …), or
//!   that the node or the move is worth at most alpha (razoring, futility, …). The claim is *false* if the result is on the other
//!   side of the bound, as an expected score. Bounds are static values of horizons as a rule, so a search that errs nowhere can
//!   make false claims: beta 0.1 in a drawn position. The control is the same claim about a node of the same tree and ply at
//!   random. A claim is *proven* if the node's own proof implies it.
//! - **Beliefs**, by ply below the root: see [`Beliefs`].
//! - **Nodes to proof**: the nodes of the searches that prove their root's result, which end a search.
//!
//! A move counts as searched if the tree holds a search of it, also of an earlier iteration. Where the memory for a tree was used
//! up, its decisions to leave out moves are not judged, because searched moves may lack a node.

mod board;
mod found;
mod judge;
mod tally;

pub use board::{Board, Case, Positions, Which};
pub use found::{Found, Truths};
pub use judge::{Judge, score_of};
pub use tally::{AtPly, Beliefs, FalseProof, LeftOut, Proofs, Said, Tally};

use game::{Game, Situation};
use games::in_a_row::InARow;
use games::in_a_row::solver::Solver;
use search::Limits;
use session::jobs::{BackgroundJob, Worker};
use session::{Config, Session, Subject};
use studies::compare::ColumnSpec;

use super::kept::Kept;
use super::plan::PlanError;
use tally::place;
use tree::Tree;

/// What to judge.
#[derive(Clone, Debug)]
pub struct Plan {
    pub positions: Positions,
    pub columns: Vec<ColumnSpec>,
    /// Nodes of each search.
    pub nodes: u64,
    /// Blocks of positions worked on at a time, each on one thread.
    pub at_a_time: usize,
}

/// The positions are searched in at most so many blocks, and what is found is kept block by block.
const BLOCKS: usize = 1_000;

/// Places in the table of each worker's solver.
const PLACES: usize = 1 << 20;

impl Plan {
    /// Returns the number of blocks. Block b has the positions b, b + blocks, b + 2 blocks, …, so that each of them is a sample of
    /// all.
    pub fn blocks(&self) -> usize {
        self.positions.cases.len().min(BLOCKS)
    }

    /// Returns the configurations of the searches.
    fn configs(&self) -> Result<Vec<Config>, PlanError> {
        if self.positions.cases.is_empty() {
            return Err(PlanError::NoPosition);
        }
        if self.columns.is_empty() {
            return Err(PlanError::NoColumn);
        }
        let config = |column: &ColumnSpec| match column {
            ColumnSpec::Own(config) => Ok(Config {
                limits: Limits {
                    nodes: Some(self.nodes),
                    ..Limits::default()
                },
                // Room for all nodes of such a search, with their beliefs and unvisited siblings.
                memory: (8 << 20) + self.nodes.saturating_mul(2 << 10),
                table: 1 << 18,
                threads: 1,
                ..config.clone()
            }),
            ColumnSpec::External(_) => Err(PlanError::External),
        };
        self.columns.iter().map(config).collect()
    }
}

/// Starts the experiment.
///
/// # Errors
/// See [`PlanError`].
pub fn start(plan: Plan, kept: Kept<Found>) -> Result<BackgroundJob<Truths>, PlanError> {
    let configs = plan.configs()?;
    let blocks = plan.blocks();
    let empty = Truths {
        columns: plan.columns.iter().map(ToString::to_string).collect(),
        of: plan.positions.of as u64,
        blocks: vec![None; blocks],
    };
    let (at_a_time, cases) = (plan.at_a_time, plan.positions.cases);
    let find = move |solver: &mut Solver, block: usize, worker: &Worker| {
        let mut found = Found::new(configs.len());
        for case in cases.iter().skip(block).step_by(blocks) {
            if worker.pool.is_stopped() {
                return None;
            }
            look(case, &configs, solver, &mut found);
        }
        Some(found)
    };
    let enter = |truths: &mut Truths, block: usize, found| truths.blocks[block] = Some(found);
    let begin = || Solver::new(PLACES);
    Ok(kept.start(at_a_time, (blocks, 1), empty, begin, find, enter)?)
}

/// Searches a position by all columns, and judges what they found.
fn look(case: &Case, configs: &[Config], solver: &mut Solver, found: &mut Found) {
    let position = case.position;
    let mut result_after = |m| {
        let mut after = position;
        after.play(m);
        -solver.solve(&after).sign()
    };
    let moves = position.legal_moves().into_iter();
    let results: Vec<_> = moves
        .map(|m| (position.encode(m), result_after(m)))
        .collect();
    let Some(truth) = results.iter().map(|(_, result)| *result).max() else {
        return;
    };
    let kept = results.iter().filter(|(_, result)| *result == truth);
    found.positions += 1;
    found.results[place(truth)] += 1;
    found.by_chance += kept.count() as f64 / results.len() as f64;
    for (config, tally) in configs.iter().zip(&mut found.columns) {
        let subject = Subject::of(Situation::new(position));
        let mut session = Session::start(subject, config.clone());
        session.join();
        let reader = session.reader();
        tally.searches += 1;
        if reader.tree.view(Tree::ROOT).proof.is_certain() {
            let nodes = session.status().totals.nodes;
            *tally.to_proof.entry(nodes).or_default() += 1;
        }
        let best = session.best_to_play();
        let after_best = results.iter().find(|(code, _)| Some(*code) == best);
        tally.keeps += u64::from(after_best.is_some_and(|(_, result)| *result == truth));
        judge_tree(&Judge::new(reader, position), case, solver, tally);
    }
}

/// Judges all nodes of a tree, and names the first proof that is false.
fn judge_tree(judge: &Judge, case: &Case, solver: &mut Solver, tally: &mut Tally) {
    let Some(wrong) = judge.judge(solver, tally) else {
        return;
    };
    let first = FalseProof {
        number: case.number,
        position: case.position.notated().unwrap_or_default(),
        line: line(case.position, &wrong.moves),
        lower: wrong.proof.lower,
        upper: wrong.proof.upper,
        truth: wrong.truth,
        is_of_result: wrong.is_of_result,
    };
    tally.meet(first);
}

/// Returns the names of moves.
fn line(mut position: InARow, moves: &[game::MoveCode]) -> Vec<String> {
    let mut names = Vec::with_capacity(moves.len());
    for code in moves {
        let Some(m) = position.decode_known(*code) else {
            break;
        };
        names.push(position.label(m));
        position.play(m);
    }
    names
}

#[cfg(test)]
mod tests;
