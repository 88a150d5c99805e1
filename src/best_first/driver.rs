//! The loop of a best-first search that knows every child's value as soon as it has children: go from the root to a leaf,
//! expand it, back up. An algorithm is a [`Strategy`].
//!
//! Such a search runs on one thread: where its next step follows from all the steps before, a second thread would have to
//! guess it.

use std::collections::BTreeSet;
use std::marker::PhantomData;

use super::choices;
use super::evaluated::Evaluated;
use super::expand::Expansion;
use super::leaf_belief::LeafBelief;
use super::prior::Prior;
use super::proofs;
use super::reuse::{self, open_again};
use super::search_thread::{SearchThread, expanded};
pub use super::strategy::Strategy;
use eval::Evaluator;
use game::{Game, MoveCode};
use search::algorithm::{AlgorithmInfo, Implementation};
use search::explanation::{Explanation, NamedNumbers, Reading};
use search::{
    Control, Estimate, Event, Free, Job, Limits, OptionSpec, Probe, Range, Reuse, Start, StopReason,
};
use tree::{Bound, Fate, Node, NodeId, Tree};

/// The row of a [`Strategy`] in the table of algorithms.
pub struct Row<S>(PhantomData<S>);

impl<S: Strategy> Implementation for Row<S> {
    const INFO: AlgorithmInfo = S::INFO;
    const COLUMNS: &'static [&'static str] = S::COLUMNS;

    fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
        job: &Job<'a, G, E>,
        thread: usize,
        probe: &'a mut P,
    ) -> Start {
        Driver::new(job, thread, probe, S::new(job)).run()
    }

    fn best_move(tree: &Tree, node: NodeId) -> Option<MoveCode> {
        proofs::best_move(tree, node)
    }

    fn apply_choices<G: Game, E: Evaluator<G>>(job: &Job<G, E>, changed: &BTreeSet<NodeId>) {
        let nodes = choices::apply(job.tree, job.choices, changed, |_, _| {});
        Driver::<G, E, Free, S>::renew(job, &nodes, S::new(job));
        S::renewed(job.tree, &nodes);
    }

    fn move_on<G: Game, E: Evaluator<G>>(job: &Job<G, E>, moves: &[MoveCode]) -> Option<Reuse> {
        // Where the file has the values, what was kept may be about others than those below the new root.
        if !job.situation.position.static_values().is_empty() {
            return None;
        }
        let tree = job.tree;
        reuse::move_on(job, moves, |two_folds| {
            for &id in two_folds {
                // It has no value any more, and comes first ([`is_new`]).
                let node = tree.node(id);
                open_again(node);
                node.set_urgency(1.0);
            }
            let strategy = S::new(job);
            reuse::renew_root(job, true, |c| strategy.favour(c));
            let changed = two_folds.iter().map(|&id| tree.node(id).parent());
            let changed = changed.chain([Tree::ROOT]).collect();
            let nodes = choices::upwards(tree, &changed);
            Driver::<G, E, Free, S>::back_up_all(job, &nodes, strategy);
            S::renewed(tree, &nodes);
        })
    }

    fn explain(reading: &Reading, node: NodeId) -> Explanation {
        S::explain(reading, node)
    }

    fn figure(reading: &Reading, node: NodeId, name: &str) -> Option<f64> {
        S::figure(reading, node, name)
    }

    fn kept(reading: &Reading, node: NodeId) -> Option<NamedNumbers> {
        S::kept(reading, node)
    }

    fn interval(tree: &Tree, node: NodeId) -> Option<(f32, f32)> {
        S::interval(tree, node)
    }

    fn moments(tree: &Tree, node: NodeId) -> Option<(f32, f32)> {
        S::moments(tree, node)
    }
}

/// A child that was let in again and has no value yet: whatever the strategy, it comes first.
pub(super) fn is_new(tree: &Tree, node: &Node) -> Option<NodeId> {
    let new = |c: &Node| is_open(c) && c.visits() == 0;
    let place = tree.children_block(node).iter().position(new)?;
    Some(NodeId(node.first_child().0 + place as u32))
}

/// Whether a child may be searched, and can grow.
pub(super) fn is_open(child: &Node) -> bool {
    !child.is_excluded() && child.urgency() > 0.0
}

/// The children that may be searched and can grow.
pub(super) fn open_children(tree: &Tree, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    tree.children(id).filter(|&c| is_open(tree.node(c)))
}

/// The option for what happens when a search has found what it looks for: see [`stops`].
pub(super) const fn end(summary: &'static str) -> OptionSpec {
    OptionSpec {
        key: "end",
        default: "auto",
        range: Range::Choice(&["auto", "stop", "next"]),
        summary,
    }
}

/// Whether a search that has found what it looks for ends, by the option `key`: `stop`, `next`, or `auto`, which stops in a
/// toy tree.
pub(super) fn stops<G: Game, E: Evaluator<G>>(job: &Job<G, E>, key: &str) -> bool {
    match job.options.word(key) {
        "auto" => job.situation.position.height().is_some(),
        word => word == "stop",
    }
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
    /// Orders the children where they are not evaluated.
    prior: Option<Prior>,
    /// Plies of the search that values a leaf.
    leaf_depth: u8,
    /// The nodes of the current descent, root first.
    path: Vec<NodeId>,
    /// Scratch of an expansion.
    found: Vec<Evaluated>,
}

impl<'a, G: Game, E: Evaluator<G>, P: Probe, S: Strategy> Driver<'a, G, E, P, S> {
    pub fn new(job: &'a Job<'a, G, E>, thread: usize, probe: &'a mut P, strategy: S) -> Self {
        let mut thread = SearchThread::new(job, thread, probe);
        thread.forget_after = S::FORGETS_AFTER;
        Driver {
            thread,
            prior: strategy.prior(),
            strategy,
            leaf_depth: match job.options.has("leaf-depth") {
                true => job.options.integer("leaf-depth") as u8,
                false => 0,
            },
            path: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Brings the tree in line with moves that were taken out or let in again: recomputes the nodes, each after those
    /// below it.
    pub fn renew(job: &Job<G, E>, nodes: &[NodeId], strategy: S)
    where
        P: Default,
    {
        for &id in nodes {
            choices::reopen(job.tree, job.tree.node(id), |c| strategy.favour(c));
        }
        Self::back_up_all(job, nodes, strategy);
    }

    /// Backs up nodes between two runs, each after those below it.
    fn back_up_all(job: &Job<G, E>, nodes: &[NodeId], strategy: S)
    where
        P: Default,
    {
        let control = Control::new(Limits::default(), 1);
        let job = Job {
            control: &control,
            ..*job
        };
        let mut probe = P::default();
        Driver::new(&job, 0, &mut probe, strategy).back_up_again(nodes);
    }

    pub fn run(&mut self) -> Start {
        if self.thread.worker().index() > 0 {
            return self.thread.finish();
        }
        self.thread.begin();
        while self.thread.goes_on(0, 0) {
            self.thread.forget_in_time();
            if let Err(reason) = self.plan() {
                self.thread.job.control.stop(reason);
                break;
            }
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

    fn back_up_again(&mut self, nodes: &[NodeId]) {
        for &id in nodes {
            let ply = self.thread.tree.ply(id).into();
            self.back_up(id, ply, NodeId::NONE);
        }
    }

    /// Asks what the next descent is for. Where its way is forced, that is reason enough.
    fn plan(&mut self) -> Result<(), StopReason> {
        let tree = self.thread.tree;
        if !tree.node(Tree::ROOT).is_expanded() {
            return Ok(());
        }
        let aim = self.strategy.plan(tree);
        if !self.thread.forced.is_empty() {
            return Ok(());
        }
        if let Some(aim) = aim? {
            self.thread.report(|| Event::Aim(aim));
        }
        Ok(())
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
                depth: 0,
            });
            if !node.is_expanded() {
                break self.grow(id, node, ply);
            }
            let next = match self.thread.forced.get(ply + 1) {
                Some(&forced) => Some(forced),
                None => self.strategy.choose(tree, id),
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
        let grown = if self.prior.is_some() {
            self.look_and_expand(id, node, ply)
        } else if node.fate() == Fate::Unvisited {
            match self
                .thread
                .evaluate_alone(id, ply, self.strategy.asks_beliefs())
            {
                Some(belief) => {
                    self.strategy.settle(self.thread.tree, id, &belief);
                    Step::Done
                }
                None => Step::Stopped,
            }
        } else {
            self.thread.line.catch_up(self.thread.tree, ply);
            let (depth, found) = (self.leaf_depth, &mut self.found);
            let asked = (
                self.strategy.asks_beliefs(),
                self.strategy.best_first_value_first(),
            );
            let expanded = self.thread.expand_evaluated(id, ply, depth, asked, found);
            match expanded {
                Expansion::Done => {
                    self.settle_children(id);
                    self.note_priors(id, ply);
                }
                Expansion::Over => {}
                Expansion::Stopped => {
                    return (Step::Stopped, self.thread.worker().nodes() - counted);
                }
            }
            Step::Done
        };
        (grown, self.thread.worker().nodes() - counted)
    }

    fn settle_children(&self, id: NodeId) {
        let tree = self.thread.tree;
        let first = tree.node(id).first_child();
        for (i, child) in self.found.iter().enumerate() {
            let place = NodeId(first.0 + i as u32);
            self.strategy.settle(tree, place, &child.belief);
        }
    }

    fn note_priors(&mut self, id: NodeId, ply: usize) {
        let Some(prior) = self.strategy.first_priors() else {
            return;
        };
        let tree = self.thread.tree;
        for (code, share) in self.thread.priors(ply, prior) {
            if let Some(child) = tree.child_by_move(id, code) {
                self.strategy.note_prior(tree, child, share);
            }
        }
    }

    /// Looks at a node and, if that did not settle it, gives it its children, which are not evaluated.
    fn look_and_expand(&mut self, id: NodeId, node: &Node, ply: usize) -> Step {
        if node.fate() == Fate::Unvisited {
            let Some(belief) = self
                .thread
                .evaluate_alone(id, ply, self.strategy.asks_beliefs())
            else {
                return Step::Stopped;
            };
            self.strategy.settle(self.thread.tree, id, &belief);
            if !self.thread.is_growable(id, ply) || self.thread.stopping {
                return Step::Done;
            }
        }
        self.thread.line.catch_up(self.thread.tree, ply);
        let mates_only = ply > 0 && self.strategy.asks_for_mate_at_once(self.thread.tree, id);
        if mates_only && !self.thread.mates_at_once(id, ply) {
            let belief = LeafBelief::exact(self.thread.scale, node.expected());
            self.strategy.settle(self.thread.tree, id, &belief);
            return Step::Done;
        }
        let Some(prior) = self.prior.as_ref().filter(|_| !self.thread.stopping) else {
            return Step::Stopped;
        };
        match self.thread.expand(id, ply, prior).0 {
            Expansion::Done => self.settle_unseen_children(id, ply),
            Expansion::Over => Step::Done,
            Expansion::Stopped => Step::Stopped,
        }
    }

    /// What is known of new children that were not evaluated: where the game is over, and on request how many moves they
    /// have.
    fn settle_unseen_children(&mut self, id: NodeId, ply: usize) -> Step {
        let tree = self.thread.tree;
        for child in tree.children(id) {
            let node = tree.node(child);
            // The expansion leaves another algorithm's sum there.
            node.set_word(0);
            let belief = LeafBelief::exact(tree.scale(), node.expected());
            self.strategy.settle(tree, child, &belief);
            let open = node.fate() == Fate::Unvisited && !node.is_excluded();
            if open && self.strategy.counts_moves() {
                let position = self.thread.line.position(ply);
                if let Some(m) = position.decode(node.move_code()) {
                    let moves = position.replies_to(m);
                    self.thread.count_node();
                    self.strategy.note_moves(tree, child, moves);
                }
            }
        }
        Step::Done
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
                score: proofs::score(node, scale),
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
            if node.proof().is_exact() {
                self.settle_exact(id);
            }
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
        let growable = !proof.is_exact() && children.iter().any(is_open);
        node.set_urgency(f32::from(u8::from(growable)));
        let before = node.expected();
        let after = self.thread.clamp(self.strategy.back_up(tree, id), proof);
        node.set_expected(after);
        if proof.is_exact() {
            self.settle_exact(id);
        }
        if let before @ Fate::Expanded { .. } = node.fate() {
            let (favour, worth) = (|c: &Node| self.strategy.favour(c), |c: &Node| -c.expected());
            let best = proofs::choose(children, node.is_narrowed(), favour, worth);
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
        let worker = self.thread.worker();
        worker.back_ups += 1;
        worker.undefined += self.strategy.take_undefined();
        self.thread.report(|| Event::BackUp {
            node: id,
            child,
            worth: (!child.is_none()).then(|| -tree.node(child).expected()),
            before: Some(Estimate::point(before)),
            after: Estimate::point(after),
        });
    }

    /// Nothing is left to believe about a node whose value is proven.
    fn settle_exact(&self, id: NodeId) {
        let tree = self.thread.tree;
        let belief = LeafBelief::exact(tree.scale(), tree.node(id).expected());
        self.strategy.settle(tree, id, &belief);
    }
}
