//! The loop of a best-first search that knows every child's value as soon as it has children: go from the root to a leaf,
//! expand it, back up. An algorithm is a [`Strategy`].
//!
//! Such a search runs on one thread: where its next step follows from all the steps before, a second thread would have to
//! guess it.

use super::evaluated::Evaluated;
use super::expand::Expansion;
use super::proofs;
use super::search_thread::{SearchThread, expanded};
use crate::eval::Evaluator;
use crate::game::Game;
use crate::search::{Estimate, Event, Job, Probe, Start, StopReason};
use crate::tree::{Bound, Fate, Node, NodeId, Tree};

/// What distinguishes one such search from another.
///
/// A node that can still grow has an urgency above 0: a leaf by itself, an inner node where one of its children has.
pub(super) trait Strategy {
    /// The child of an expanded node to which a descent goes on. `None` ends the search: it has what it looked for, or
    /// nothing here can grow.
    fn choose(&self, tree: &Tree, node: &Node) -> Option<NodeId>;

    /// What an expanded node is worth to its side to move, by its children.
    fn value(&self, tree: &Tree, node: &Node) -> f32;
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Done,
    /// The strategy has nothing more to do.
    Over,
    /// Interrupted, or out of memory.
    Stopped,
}

pub(super) struct Driver<'a, G: Game, E: Evaluator<G>, P: Probe, S> {
    thread: SearchThread<'a, G, E, P>,
    strategy: S,
    /// Plies of the search that values a leaf.
    leaf_depth: u8,
    /// The nodes of the current descent, root first.
    path: Vec<NodeId>,
    /// Scratch of an expansion.
    found: Vec<Evaluated>,
}

impl<'a, G: Game, E: Evaluator<G>, P: Probe, S: Strategy> Driver<'a, G, E, P, S> {
    pub fn new(job: &'a Job<'a, G, E>, thread: usize, probe: &'a mut P, strategy: S) -> Self {
        Driver {
            thread: SearchThread::new(job, thread, probe),
            strategy,
            leaf_depth: job.options.integer("leaf-depth") as u8,
            path: Vec::new(),
            found: Vec::new(),
        }
    }

    pub fn run(&mut self) -> Start {
        if self.thread.worker().index() > 0 {
            return self.thread.finish();
        }
        self.thread.begin();
        while self.thread.goes_on(0, 0) {
            self.thread.forget_in_time();
            match self.step() {
                Step::Done => self.thread.worker().playouts += 1,
                Step::Over if self.thread.forced.is_empty() => {
                    self.thread.job.control.stop(StopReason::Exhausted);
                    break;
                }
                // The node of the focus can't grow any more.
                Step::Over => self.thread.forced.clear(),
                Step::Stopped => {}
            }
            self.thread.note_best();
        }
        self.thread.finish()
    }

    /// Backs up nodes between two runs, each after those below it.
    pub fn back_up_again(&mut self, nodes: &[NodeId]) {
        for &id in nodes {
            let ply = self.thread.tree.ply(id).into();
            self.back_up(id, ply, NodeId::NONE);
        }
    }

    /// Goes from the root to a leaf, expands it and backs up.
    fn step(&mut self) -> Step {
        self.path.clear();
        let tree = self.thread.tree;
        let mut id = Tree::ROOT;
        let end = loop {
            let ply = self.path.len();
            self.path.push(id);
            let node = tree.node(id);
            self.thread.worker().steps += 1;
            self.thread.report(|| Event::Enter {
                node: id,
                alpha: node.proof().lower,
                beta: node.proof().upper,
                depth: node.leaf_depth() as i8,
            });
            if !node.is_expanded() {
                break self.grow(id, node, ply);
            }
            let next = match self.thread.forced.get(ply + 1) {
                Some(&forced) => Some(forced),
                None => self.strategy.choose(tree, node),
            };
            let Some(next) = next else {
                break (Step::Over, 0);
            };
            id = next;
            self.thread.line.enter(ply + 1, id);
        };
        self.ascend(end);
        end.0
    }

    /// Evaluates or expands the node at the end of a descent. Returns the nodes counted, too.
    fn grow(&mut self, id: NodeId, node: &Node, ply: usize) -> (Step, u64) {
        if !self.thread.is_growable(id, ply) {
            return (Step::Over, 0);
        }
        let counted = self.thread.worker().nodes();
        let grown = if node.fate() == Fate::Unvisited {
            let alone = self.thread.evaluate_alone(id, ply);
            alone.map_or(Step::Stopped, |_| Step::Done)
        } else {
            self.thread.line.catch_up(self.thread.tree, ply);
            let depth = self.leaf_depth;
            match self
                .thread
                .expand_evaluated(id, ply, depth, &mut self.found)
            {
                Expansion::Done | Expansion::Over => Step::Done,
                Expansion::Stopped => Step::Stopped,
            }
        };
        (grown, self.thread.worker().nodes() - counted)
    }

    /// Backs up what a step found, from its last node to the root.
    fn ascend(&mut self, (step, nodes): (Step, u64)) {
        let mut child = NodeId::NONE;
        while let Some(id) = self.path.pop() {
            let ply = self.path.len();
            let node = self.thread.tree.node(id);
            node.add_nodes(nodes);
            if step == Step::Done {
                node.add_visits(1);
                self.back_up(id, ply, child);
            }
            let scale = self.thread.scale;
            self.thread.report(|| Event::Leave {
                node: id,
                score: scale.score(node.expected()),
                bound: Bound::None,
            });
            child = id;
        }
    }

    /// A node's bounds, value and best move from its children's, and whether anything below it can grow.
    fn back_up(&mut self, id: NodeId, ply: usize, child: NodeId) {
        let tree = self.thread.tree;
        let node = tree.node(id);
        if !node.is_expanded() {
            let growable = self.thread.is_growable(id, ply);
            node.set_urgency(f32::from(u8::from(growable)));
            return;
        }
        self.thread.propagate(id);
        let children = tree.children_block(node);
        for (i, c) in children
            .iter()
            .enumerate()
            .filter(|(_, c)| !c.is_expanded())
        {
            let growable = self
                .thread
                .is_growable(NodeId(node.first_child().0 + i as u32), ply + 1);
            c.set_urgency(f32::from(u8::from(growable)));
        }
        // A move's share of the visits.
        let visited = |c: &&Node| !c.is_excluded();
        let visits: u32 = children.iter().filter(visited).map(Node::visits).sum();
        for c in children {
            c.set_policy(c.visits() as f32 / visits.max(1) as f32);
        }
        let proof = node.proof();
        let grows = |c: &Node| !c.is_excluded() && c.urgency() > 0.0;
        let growable = !proof.is_exact() && children.iter().any(grows);
        node.set_urgency(f32::from(u8::from(growable)));
        let before = node.expected();
        let after = self.thread.clamp(self.strategy.value(tree, node), proof);
        node.set_expected(after);
        if let before @ Fate::Expanded { .. } = node.fate() {
            let worth = |c: &Node| -c.expected();
            let best = proofs::choose(children, node.is_narrowed(), worth, worth);
            let best = self.thread.to_play(id, proofs::move_of(best));
            let searched = |c: &&Node| c.visits() > 0 && !c.is_excluded();
            let fate = expanded(
                best,
                children.iter().filter(searched).count(),
                children.len(),
            );
            if fate != before {
                node.set_fate(fate);
            }
        }
        self.thread.worker().back_ups += 1;
        self.thread.report(|| Event::BackUp {
            node: id,
            child,
            worth: (!child.is_none()).then(|| -tree.node(child).expected()),
            before: Some(Estimate::point(before)),
            after: Estimate::point(after),
        });
    }
}
