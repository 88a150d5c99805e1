//! MCTS: PUCT with certainty propagation.
//!
//! Sources: Winands, Björnsson and Saito, *Monte-Carlo Tree Search Solver*, 2008; Videodr0me, *Porting certainty
//! propagation to new codebase* (lc0, GitHub issue, 2018), with distances as integers; PUCT as in AlphaZero.
//!
//! A descent goes through inner nodes (`inner`), chosen by `select`, to a leaf (`leaf`), and its result is backed up on
//! the way out (`back_up`).

mod back_up;
mod completion;
mod explain;
mod gumbel;
mod implicit_minimax;
mod inner;
mod lead;
mod leaf;
mod playouts;
mod proof_number_descents;
mod scoring;
mod select;
mod settings;
mod softmax;
mod stopping;
mod uncertainty;
mod variance_scaled;

pub use playouts::rules as playout_rules;
pub use settings::OPTIONS;

use std::collections::BTreeSet;

use super::by_formula;
use super::choices;
use super::proofs;
use super::reuse;
use super::search_thread::SearchThread;
use completion::Completion;
use eval::Evaluator;
use eval::playout::Player;
use game::{Game, MoveCode, Score};
use gumbel::GumbelRoot;
use lead::{Lead, Leads};
use search::algorithm::{AlgorithmInfo, Goals, Implementation, Ranking};
use search::explanation::{Explanation, Reading};
use search::{Event, Job, Options, Probe, Reuse, Start, StopReason};
use settings::Settings;
use tree::{Family, Fate, Node, NodeId, Tree};

/// The number of descents without anything new after which other descents are tried: many lead to leaves that are not
/// due for expansion yet.
const FRUITLESS: u32 = 256;

/// The number of descents to a focus without anything new after which it ends: descents to leaves that are not due for
/// expansion yet are normal.
const FOCUS_PATIENCE: u32 = 1_000;

/// The values of leaves against a lone king differ by roughly this fraction of what others differ by; exploration is
/// scaled with them.
const NARROW: f32 = 0.2;

/// The result of a batch of descents through one node, from the view of its side to move.
#[derive(Clone, Copy, Debug, Default)]
struct Batch {
    /// The sum of the values, each times its weight.
    sum: f64,
    /// The sum of the weights: the number of finished descents, but with uncertainty weighting.
    weight: f64,
    /// Finished descents: fewer than requested when the search is stopping or another thread is in the way.
    done: u32,
    /// Nodes counted.
    nodes: u32,
    /// Whether the node's bounds changed.
    proven: bool,
}

impl Batch {
    /// Descents that all brought the same value, each with the same weight.
    #[inline]
    fn of(value: f64, weight: f64, done: u32) -> Batch {
        let weight = weight * f64::from(done);
        Batch {
            sum: value * weight,
            weight,
            done,
            ..Batch::default()
        }
    }

    /// Adds what brought no node and proved nothing.
    #[inline]
    fn add(&mut self, other: Batch) {
        self.sum += other.sum;
        self.weight += other.weight;
        self.done += other.done;
    }
}

/// The window in which a proof matters: a result outside it cannot change the root's bounds. From the view of the
/// node's side to move.
#[derive(Clone, Copy, Debug)]
struct Relevant {
    alpha: Score,
    beta: Score,
}

const OPEN: Relevant = Relevant {
    alpha: Score::MIN,
    beta: Score::MAX,
};

/// The row of mcts in the table of algorithms.
pub enum Entry {}

impl Implementation for Entry {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "mcts",
        summary: "PUCT with certainty propagation: proven wins, draws and losses with exact distance",
        source: "MCTS-Solver, Winands et al. 2008; Videodr0me, Porting certainty propagation to new codebase (lc0, 2018)",
        family: Family::BestFirst,
        beliefs: false,
        ranking: Ranking::Visits,
        options: OPTIONS,
        figures: &[],
        goals: Goals {
            length: 3,
            steps: Some(7.0e6),
            two_threads: 1.35,
            ..Goals::NONE
        },
    };

    fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
        job: &Job<'a, G, E>,
        thread: usize,
        probe: &'a mut P,
    ) -> Start {
        // A single thread needs no locked instructions.
        match job.control.threads() {
            1 => Mcts::<G, E, P, true>::new(job, thread, probe).run(),
            _ => Mcts::<G, E, P, false>::new(job, thread, probe).run(),
        }
    }

    /// Fates name it as of the last time that it was looked for, which is not every visit.
    fn best_move(tree: &Tree, node: NodeId) -> Option<MoveCode> {
        let own = tree.node(node);
        let is_visited = matches!(own.fate(), Fate::Expanded { searched: 1.., .. });
        if node == Tree::ROOT || !is_visited {
            return proofs::best_move(tree, node);
        }
        let visited = || select::favourite(tree.children_block(own), own).0;
        proofs::proven_best(tree, own).or_else(|| Some(visited()))
    }

    fn apply_choices<G: Game, E: Evaluator<G>>(job: &Job<G, E>, changed: &BTreeSet<NodeId>) {
        let tree = job.tree;
        let nodes = choices::apply(tree, job.choices, changed, |child, out| {
            choices::carry(tree, child, out);
        });
        for node in nodes.into_iter().map(|id| tree.node(id)) {
            choices::reopen(tree, node, choices::by_visits);
            choices::renew_mean(tree, node);
        }
    }

    fn move_on<G: Game, E: Evaluator<G>>(job: &Job<G, E>, moves: &[MoveCode]) -> Option<Reuse> {
        let tree = job.tree;
        reuse::move_on(job, moves, |two_folds| {
            for &id in two_folds {
                choices::take_back(tree, id);
            }
            let root = tree.node(Tree::ROOT);
            choices::renew_sums(tree, root);
            let certainty = by_formula::is_asked_by(job.options) || job.options.switch("certainty");
            reuse::renew_root(job, certainty, choices::by_visits);
            choices::renew_mean(tree, root);
        })
    }

    fn explain(reading: &Reading, node: NodeId) -> Explanation {
        explain::explain(reading, node)
    }
}

pub fn default_options() -> Options {
    Entry::INFO.default_options()
}

/// One thread of MCTS. `SOLO`: it is the only one.
struct Mcts<'a, G: Game, E: Evaluator<G>, P: Probe, const SOLO: bool> {
    thread: SearchThread<'a, G, E, P>,
    /// Whether moves are out or the run has a focus, which the steps have to check for.
    guided: bool,
    settings: Settings,
    /// The player of playouts, where they evaluate the leaves.
    player: Option<Player>,
    /// Which children are so far ahead that a visit needs no look at the others.
    leads: Leads<Lead>,
    /// The same where a formula chooses, with the bound at which a child could be left alone.
    formula_leads: Leads<(Score, by_formula::Lead)>,
    /// How the root's visits are handed out, where it is not PUCT.
    gumbel: Option<GumbelRoot>,
    /// The root is an ending against a lone king, and its leaves' values say how far away the mate is.
    counts_moves_left: bool,
    /// The number of finished descents at which the search next checks whether its move is certain.
    next_look: u64,
}

impl<'a, G: Game, E: Evaluator<G>, P: Probe, const SOLO: bool> Mcts<'a, G, E, P, SOLO> {
    fn new(job: &'a Job<'a, G, E>, thread: usize, probe: &'a mut P) -> Self {
        let mut settings = Settings::new(job.options);
        if job.situation.position.height().is_some() {
            // A toy tree has no mates.
            settings.proof_number_share = 0.0;
        }
        // A lead in visits says nothing where they count differently.
        let is_mcts = !by_formula::is_asked_by(job.options);
        let watches = thread == 0
            && !settings.uncertainty_weighting
            && job.control.may_end_early(&settings.smart_stopping);
        let mut thread = SearchThread::new(job, thread, probe);
        thread.solver = settings.solver;
        let counts_moves_left = settings.moves_left > 0.0
            && job.evaluator.moves_left(&job.situation.position).is_some();
        if counts_moves_left {
            settings.exploration *= NARROW;
            settings.fpu *= NARROW;
            settings.prior.counts_moves_left = true;
        }
        let formula_leads = match settings.select {
            Some(_) => Leads::new(),
            None => Leads::none(),
        };
        Mcts {
            thread,
            formula_leads,
            guided: !job.choices.is_empty() || job.start.focus.is_some(),
            settings,
            player: playout_rules(job.options)
                .filter(|_| is_mcts)
                .map(Player::new),
            leads: Leads::new(),
            gumbel: is_mcts
                .then(|| GumbelRoot::new(job.options, job.control.limits(), job.seed))
                .flatten(),
            counts_moves_left,
            next_look: if watches { 0 } else { u64::MAX },
        }
    }
}

impl<G: Game, E: Evaluator<G>, P: Probe, const SOLO: bool> Mcts<'_, G, E, P, SOLO> {
    fn run(&mut self) -> Start {
        let root = self.thread.root();
        let mut idle = 0;
        let mut completion = Completion::default();
        self.thread.begin();
        self.open_root(root);
        while self.thread.goes_on(idle, FOCUS_PATIENCE) {
            let (done, nodes) = self.step(root, idle);
            self.thread.note_best();
            self.look_for_decision();
            if done == 0 {
                // Another thread holds the leaf and may have lost its core; that does not mean that nothing is left to
                // search.
                std::thread::yield_now();
                self.thread.poll();
                continue;
            }
            idle = if nodes > 0 { 0 } else { idle + 1 };
            if idle % 64 == 63 {
                self.thread.poll();
            }
            if self.has_come_to_an_end(root, idle, &mut completion) {
                self.thread.job.control.stop(StopReason::Exhausted);
                break;
            }
        }
        self.thread.finish()
    }

    /// Makes descents by visits, and occasionally one by proof numbers. Returns how many were made, and the nodes they
    /// counted.
    fn step(&mut self, root: &Node, idle: u32) -> (u32, u32) {
        if self.only_hunts(root) {
            let nodes = self.descend_by_proof_numbers(root);
            return (1, nodes);
        }
        let budget = self.budget(root);
        let batch = self.descend(Tree::ROOT, root, 0, budget, OPEN);
        self.thread.worker().playouts += u64::from(batch.done);
        let mut nodes = batch.nodes;
        // Where visits have found nothing new for a long time, proof numbers may.
        let due = self.proof_numbers_are_due(root)
            || idle > FRUITLESS && self.may_descend_by_proof_numbers(root);
        if due && !self.thread.stopping {
            nodes += self.descend_by_proof_numbers(root);
        }
        (batch.done, nodes)
    }

    /// The number of descents that a node receives at a time.
    #[inline]
    fn budget(&self, node: &Node) -> u32 {
        if SOLO {
            1
        } else {
            (node.visits() / 64).clamp(1, self.settings.batch)
        }
    }

    /// Makes `budget` descents through a node. With several threads, the node has their visits while they are under
    /// way.
    fn descend(
        &mut self,
        id: NodeId,
        node: &Node,
        ply: usize,
        budget: u32,
        window: Relevant,
    ) -> Batch {
        if !SOLO {
            node.add_visits(budget);
        }
        self.thread.report(|| Event::Enter {
            node: id,
            alpha: window.alpha,
            beta: window.beta,
            depth: 0,
        });
        self.thread.worker().steps += 1;
        let batch = match node.fate() {
            _ if node.is_expanded() => self.inner(id, node, ply, budget, window),
            Fate::Unvisited => self.first_visit(id, node, ply, window),
            Fate::Frontier if self.is_due(node, ply) => self.grow(id, node, ply, window),
            Fate::Interrupted => self.wait_for(node),
            Fate::Frontier if self.player.is_some() => self.visit_again(id, node, ply, budget),
            // Nothing is below the node, so its value counts again.
            _ => Batch::of(node.expected().into(), self.weight_at(node), budget),
        };
        let batch = self.back_up(id, node, ply, batch);
        if !SOLO && batch.done < budget {
            self.take_back(node, budget - batch.done);
        }
        batch
    }
}
