//! DISTRESS: distribution-estimating search. Every node has a belief, a distribution over the expected score; a
//! back-up takes a node's belief and the policy over its moves from its children's beliefs, and the search goes where
//! the root's belief hangs most.
//!
//! Source: *An overview of DISTRESS: distribution-estimating search* (2026), here called the DISTRESS essay; what it leaves
//! open is said where it is decided.

mod allocate;
mod ascent;
mod budget;
mod computation;
mod deepen;
mod expansion;
mod explain;
mod first_evaluation;
mod grow;
mod leaf_belief;
mod leaf_formulas;
mod moments;
mod move_formula;
mod numbers;
mod opened;
mod options;
mod question;
mod renew;
mod rest;
mod sides;
mod tails;
mod terms;

use std::collections::BTreeSet;
use std::hint::spin_loop;

use super::choices;
use super::proofs;
use super::reuse;
use super::search_thread::SearchThread;
use allocate::FAINT;
pub use allocate::{Allocation, By, Urgency};
use belief::{BINS, Cdf};
use budget::Budgets;
use computation::{Guide, Price};
use eval::Evaluator;
pub use explain::backed_up;
use game::{Game, MAX_MOVES, MoveCode, Score};
use grow::Leaf;
use leaf_belief::LeafBelief;
use leaf_formulas::LeafFormulas;
use moments::Weights;
pub use numbers::{detail, numbers};
pub use options::OPTIONS;
use options::{ByMost, FirstLook, shape};
use question::{OPEN, Window, Windows};
use renew::RENEW;
use rest::Rest;
use search::algorithm::{AlgorithmInfo, Goals, Implementation, Ranking};
use search::explanation::{self, Explanation, Fitted, Reading};
use search::{
    Control, Event, Free, Job, Limits, OpenedLeaf, Options, Probe, Reuse, Start, StopReason,
};
pub use sides::Sides;
pub use terms::{Choice, Reason, State, Term, choice};
use tree::{Family, Fate, Node, NodeId, NodeView, Tree};

/// With several threads: descents to a focus that found nothing before it ends.
const FOCUS_PATIENCE: u32 = 10;
/// What a thread that finds nothing waits before it looks again: the only leaf left may be in the hands of a thread that has
/// lost its core.
const WAIT_FOR_OTHERS: std::time::Duration = std::time::Duration::from_millis(1);

/// The row of distress in the table of algorithms.
pub enum Entry {}

impl Implementation for Entry {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "distress",
        summary: "distribution-estimating search: backs up whole distributions, searches where it is critical",
        source: "An overview of DISTRESS: distribution-estimating search (2026)",
        family: Family::BestFirst,
        beliefs: true,
        ranking: Ranking::Value,
        options: OPTIONS,
        figures: explain::FIGURES,
        goals: Goals {
            nodes: Some(1.2e6),
            back_ups: Some(300e3),
            two_threads: 1.7,
            ..Goals::NONE
        },
    };

    fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
        job: &Job<'a, G, E>,
        thread: usize,
        probe: &'a mut P,
    ) -> Start {
        Distress::new(job, thread, probe).run()
    }

    fn best_move(tree: &Tree, node: NodeId) -> Option<MoveCode> {
        proofs::best_move(tree, node)
    }

    fn apply_choices<G: Game, E: Evaluator<G>>(job: &Job<G, E>, changed: &BTreeSet<NodeId>) {
        let tree = job.tree;
        let nodes = choices::apply(tree, job.choices, changed, |child, out| {
            // A move that was out when its parent was expanded has no belief yet.
            let node = tree.node(child);
            if !out && node.belief() == 0 {
                is_new(tree, node);
            }
        });
        for &id in &nodes {
            choices::reopen(tree, tree.node(id), Node::favour);
        }
        back_up_again(job, &nodes);
    }

    fn move_on<G: Game, E: Evaluator<G>>(job: &Job<G, E>, moves: &[MoveCode]) -> Option<Reuse> {
        let tree = job.tree;
        reuse::move_on(job, moves, |two_folds| {
            for &id in two_folds {
                let node = tree.node(id);
                reuse::open_again(node);
                node.set_belief(0);
                is_new(tree, node);
            }
            reuse::renew_root(job, true, Node::favour);
            let changed = two_folds.iter().map(|&id| tree.node(id).parent());
            let changed = changed.chain([Tree::ROOT]).collect();
            back_up_again(job, &choices::upwards(tree, &changed));
        })
    }

    fn opens_leaves(options: &Options) -> bool {
        options.word("leaf") == "search"
    }

    fn open_leaf<'a, G: Game, E: Evaluator<G>, P: Probe>(
        job: &Job<'a, G, E>,
        leaf: &OpenedLeaf<'a>,
        probe: &'a mut P,
    ) {
        opened::open(job, leaf, probe);
    }

    fn explain(reading: &Reading, node: NodeId) -> Explanation {
        explain::explain(reading, node)
    }

    fn figure(reading: &Reading, node: NodeId, name: &str) -> Option<f64> {
        explain::figure(reading, node, name)
    }

    fn kept(reading: &Reading, node: NodeId) -> Option<explanation::NamedNumbers> {
        explain::kept(reading, node)
    }

    fn urgency(options: &Options, view: &NodeView) -> Option<explanation::Term> {
        explain::urgency(options, view)
    }

    fn fitted(reading: &Reading) -> Option<Fitted> {
        explain::fitted(reading)
    }
}

pub fn default_options() -> Options {
    Entry::INFO.default_options()
}

/// A child that has no belief yet: its parent does without it, and it is as urgent as can be.
fn is_new(tree: &Tree, node: &Node) {
    node.set_policy(1.0);
    node.set_urgency(1.0);
    tree.node(node.parent()).set_narrowed(true);
}

/// Backs up nodes between two runs, each after those below it.
fn back_up_again<G: Game, E: Evaluator<G>>(job: &Job<G, E>, nodes: &[NodeId]) {
    let control = Control::new(Limits::default(), 1);
    let job = Job {
        control: &control,
        ..*job
    };
    let mut probe = Free;
    let mut search = Distress::new(&job, 0, &mut probe);
    for &id in nodes {
        search.back_up(id, job.tree.node(id), NodeId::NONE);
    }
}

/// The leaf that a descent has come to.
#[derive(Clone, Copy)]
struct OpenLeaf<'t> {
    id: NodeId,
    node: &'t Node,
    fate: Fate,
    ply: usize,
    /// What its search is asked, from the view of its side to move.
    window: Window,
}

struct Distress<'a, G: Game, E: Evaluator<G>, P: Probe> {
    thread: SearchThread<'a, G, E, P>,
    leaf_belief: LeafBelief,
    /// Whether beliefs of bounds are made anew as tails grow.
    renews: bool,
    /// Half the width of the windows of leaves that are not searched, as an integer score.
    window: i32,
    windows: Windows,
    /// Which move is played.
    by_most: ByMost,
    /// Whether a leaf's urgency takes account of what its next visit costs.
    priced: bool,
    /// Whether an expansion may let moves wait.
    first_look: FirstLook,
    allocation: Allocation,
    /// Of descents that spend budgets.
    budgets: Option<Budgets>,
    /// Of descents that go where a computation is worth most.
    guide: Option<Guide>,
    price: Price,
    sides: Sides,
    weights: Weights,
    /// The nodes of the current descent, root first.
    path: Vec<NodeId>,
    /// Scratch of a back-up.
    beliefs: Vec<Cdf>,
    policy: [f32; MAX_MOVES],
    /// Scratch of an expansion.
    leaves: Vec<Leaf>,
    order: Vec<u16>,
    depths: Depths,
    leaf_formulas: LeafFormulas,
    /// The moves of the node being expanded that are out.
    out: &'a [MoveCode],
}

/// Plies of the searches that value leaves.
#[derive(Clone, Copy, Debug)]
struct Depths {
    /// Of a new leaf, at least.
    first: u8,
    /// A critical leaf is expanded from here on.
    expand: u8,
    /// Any leaf is expanded from here on.
    deepest: u8,
}

/// How a descent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// A leaf was expanded, or found to be over.
    Grown { nodes: u64, proven: bool },
    /// Nothing here can be searched further.
    Dead,
    /// Another thread has the leaf.
    Busy,
    /// Interrupted in the middle.
    Stopped { nodes: u64 },
}

impl<'a, G: Game, E: Evaluator<G>, P: Probe> Distress<'a, G, E, P> {
    fn new(job: &'a Job<'a, G, E>, thread: usize, probe: &'a mut P) -> Self {
        let options = job.options;
        let thread = SearchThread::new(job, thread, probe);
        let searched = thread.leaf.is_search();
        let allocation = Allocation::new(options);
        Distress {
            leaf_belief: LeafBelief::new(options, job.tree.grid(), searched),
            renews: options.switch(RENEW.key),
            window: grow::window(job.tree.scale(), &shape(options)),
            windows: if searched {
                Windows::new(options)
            } else {
                Windows::Open
            },
            by_most: ByMost::new(options),
            priced: searched && options.switch("price"),
            first_look: if searched {
                FirstLook::new(options)
            } else {
                FirstLook::All
            },
            thread,
            budgets: budget::of(options),
            guide: Guide::new(options, &allocation),
            allocation,
            price: Price::new(options, searched),
            sides: Sides::new(options, job.tree.grid()),
            weights: Weights::new(job.tree.grid()),
            path: Vec::new(),
            beliefs: Vec::with_capacity(MAX_MOVES),
            policy: [0.0; MAX_MOVES],
            leaves: Vec::with_capacity(MAX_MOVES),
            order: Vec::with_capacity(MAX_MOVES),
            depths: Depths {
                first: options.integer("leaf-depth") as u8,
                expand: options.integer("leaf-expand") as u8,
                deepest: options.integer("leaf-deepest") as u8,
            },
            leaf_formulas: LeafFormulas::new(options),
            out: &[],
        }
    }

    fn run(&mut self) -> Start {
        let mut idle = 0;
        self.thread.begin();
        let patience = if self.thread.job.control.threads() > 1 {
            FOCUS_PATIENCE
        } else {
            0
        };
        while self.thread.goes_on(idle, patience) {
            if self.thread.forget_in_time() {
                self.leaf_belief.forget();
            }
            let end = self.descend();
            let ended_at_root = self.path.len() == 1;
            self.ascend(end);
            match end {
                End::Grown { .. } => {
                    self.thread.worker().playouts += 1;
                    idle = 0;
                }
                End::Dead => {
                    idle += 1;
                    if ended_at_root && self.thread.forced.is_empty() {
                        match self.look_for_rest() {
                            Rest::Open => {}
                            Rest::Busy => {
                                std::thread::sleep(WAIT_FOR_OTHERS);
                                self.thread.poll();
                            }
                            Rest::Nothing => {
                                self.thread.job.control.stop(StopReason::Exhausted);
                                break;
                            }
                        }
                    }
                }
                End::Busy => {
                    (0..100).for_each(|_| spin_loop());
                    self.thread.poll();
                }
                End::Stopped { .. } => {}
            }
            self.thread.note_best();
            if idle % 64 == 63 {
                self.thread.poll();
            }
        }
        self.thread.finish()
    }

    /// Goes from the root to the leaf that matters most, and deepens or expands it.
    fn descend(&mut self) -> End {
        self.path.clear();
        self.plan();
        self.guide();
        if self.thread.stopping {
            return End::Stopped { nodes: 0 };
        }
        let mut id = Tree::ROOT;
        // What proofs leave open, and what the leaf's search is to be asked.
        let (mut alpha, mut beta) = (Score::MIN, Score::MAX);
        let mut window = OPEN;
        let mut criticality = 1.0;
        loop {
            let ply = self.path.len();
            self.path.push(id);
            let node = self.thread.tree.node(id);
            self.thread.worker().steps += 1;
            self.thread.report(|| Event::Enter {
                node: id,
                alpha: window.0.max(alpha),
                beta: window.1.min(beta),
                depth: node.leaf_depth() as i8,
            });
            match node.fate() {
                Fate::Expanded { .. } => {
                    let place = if ply + 1 < self.thread.forced.len() {
                        (alpha, beta) = (Score::MIN, Score::MAX);
                        (self.thread.forced[ply + 1].0 - node.first_child().0) as usize
                    } else {
                        let relevance = proofs::relevance(node, alpha);
                        let Some(place) = self.choose(ply, node, relevance) else {
                            node.set_urgency(0.0);
                            return End::Dead;
                        };
                        (alpha, beta) = (beta.one_ply_down(), relevance);
                        place
                    };
                    let children = self.thread.tree.children_block(node);
                    window = self.windows.hand_down(children, place, window);
                    criticality *= children[place].policy();
                    id = NodeId(node.first_child().0 + place as u32);
                    self.thread.line.enter(ply + 1, id);
                }
                fate if ply < self.thread.deepest
                    && (fate.is_frontier() || ply > 0 && is_waiting(node)) =>
                {
                    self.thread.line.catch_up(self.thread.tree, ply);
                    let leaf = OpenLeaf {
                        id,
                        node,
                        fate,
                        ply,
                        window,
                    };
                    if fate == Fate::Unvisited {
                        return self.first_search(leaf);
                    }
                    return match self.next_depth(node, ply, criticality) {
                        Some(depth) => self.deepen(leaf, depth),
                        None => self.expand(leaf),
                    };
                }
                Fate::Unvisited => return self.first_look(id, node, ply),
                Fate::Interrupted => return End::Busy,
                _ => {
                    node.set_urgency(0.0);
                    return End::Dead;
                }
            }
        }
    }

    /// The urgency of a leaf with this spread, whose last visit took so many nodes.
    fn leaf_urgency(&self, sd: f32, depth: u8, nodes: u64) -> f32 {
        self.urgency_at(sd, self.price.of(depth, nodes))
    }

    /// The urgency of a leaf with this spread, whose next visit costs so many nodes.
    fn urgency_at(&self, sd: f32, price: f32) -> f32 {
        let is_critical = self.allocation.is_critical();
        let own = match is_critical {
            true => self.leaf_formulas.urgency(sd, price),
            false => None,
        };
        let urgency = own.unwrap_or(if self.priced && is_critical {
            sd / price.sqrt()
        } else {
            sd
        });
        urgency.max(FAINT)
    }
}

/// A child its parent's belief does without: taken out, or not evaluated yet since it was let in.
fn is_left_out(child: &Node) -> bool {
    child.is_excluded() || child.belief() == 0
}

/// A child whose belief comes from its share of the policy: it was not looked at when its parent was expanded.
fn is_waiting(child: &Node) -> bool {
    child.fate() == Fate::Unvisited && child.belief() != 0
}

/// The number of children that were looked at.
fn looked_at(children: &[Node]) -> usize {
    let looked_at = |c: &&Node| !is_left_out(c) && !is_waiting(c);
    children.iter().filter(looked_at).count()
}

/// The bin of an exact score.
fn bin(tree: &Tree, score: Score) -> usize {
    if score.is_win() {
        BINS - 1
    } else if score.is_loss() {
        0
    } else {
        tree.grid().bin_of(tree.scale().expected(score))
    }
}

/// The belief of a certain result.
fn atom(tree: &Tree, score: Score) -> Cdf {
    Cdf::atom(bin(tree, score))
}
