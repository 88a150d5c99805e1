//! The expansion of one leaf: every child is played, counted and evaluated.

use arrayvec::ArrayVec;

use super::{Distress, End, atom};
use crate::belief::Cdf;
use crate::eval::{Evaluator, LeafShape, Width};
use crate::game::{Game, MAX_MOVES, MoveCode, Scale, Score};
use crate::search::best_first::search_thread::{self, NOT_MATED, PositionStatus, expanded};
use crate::search::{Event, Interrupt, Probe, StopReason, choices};
use crate::tree::{Fate, Node, NodeId};

/// How many widths of a leaf from its parent's value a child's value is worth knowing exactly. Beyond that a move is
/// plainly better or worse, and a bound from quiescence costs a fraction: in sharp positions a fifth of the nodes.
const WINDOW: f32 = 4.0;

/// How far behind the best of its siblings a move's value need not be known exactly where leaves are searched:
/// centipawns. Half as much or twice as much costs strength (quiet game positions, 100,000 nodes).
const BEHIND: i32 = 100;

/// The value, the side to move after a move, from which on the move is plainly worse than one with the value `best`.
pub(super) fn plainly_worse(best: Score) -> Score {
    if best.is_decided() {
        best
    } else {
        Score::new(i32::from(best.raw()) + BEHIND)
    }
}

/// One child before it stands in the tree. Belief and moments are in the parent's view.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    code: MoveCode,
    belief: Cdf,
    mean: f32,
    sd: f32,
    favour: f32,
    seen: PositionStatus,
    /// The child's value, its side to move.
    value: Score,
    /// The window it was searched in, its side to move.
    window: (Score, Score),
    nodes: u64,
}

impl<G: Game, E: Evaluator<G>, P: Probe> Distress<'_, G, E, P> {
    /// Takes the leaf at `ply` for this thread and expands it.
    pub(super) fn expand(&mut self, id: NodeId, node: &Node, ply: usize) -> End {
        if !node.claim(Fate::Frontier, Fate::Interrupted) {
            return End::Busy;
        }
        let urgency = node.urgency();
        if self.thread.job.control.threads() > 1 {
            node.set_urgency(0.0);
            self.lower_urgency();
        }
        self.thread.line.catch_up(self.thread.tree, ply);
        self.thread.moves = self.thread.line.position(ply).legal_moves();
        if self.thread.moves.is_empty() {
            return self.end_without_moves(id, node, ply);
        }
        let counted = self.thread.worker().nodes();
        self.out = self.thread.taken_out(id, ply);
        let evaluated = self.evaluate_children(node, ply);
        let nodes = self.thread.worker().nodes() - counted;
        if evaluated.is_err() || !self.attach(id, node, ply) {
            self.thread.stopping = true;
            node.set_urgency(urgency);
            node.set_fate(Fate::Frontier);
            return End::Stopped { nodes };
        }
        End::Grown {
            nodes,
            proven: true,
        }
    }

    /// Stalemate, which is found only here, or the end of what a toy tree knows.
    fn end_without_moves(&mut self, id: NodeId, node: &Node, ply: usize) -> End {
        node.set_urgency(0.0);
        let position = self.thread.line.position(ply);
        if let Some(ending) = position.ending(false) {
            let score = position.ending_score(ending);
            self.thread.end(id, Fate::Ended(ending), score);
            let tree = self.thread.tree;
            let belief = atom(tree, -score);
            tree.belief_slot(node.belief()).write(&belief);
            node.set_favour(self.weights.of(&belief).favour);
        } else {
            let static_value = self.thread.scale.score(node.expected());
            self.thread.set_fate(node, Fate::Horizon { static_value });
        }
        End::Grown {
            nodes: 0,
            proven: true,
        }
    }

    /// Plays, counts and evaluates every move; what is found waits in `self.leaves`.
    fn evaluate_children(&mut self, node: &Node, ply: usize) -> Result<(), Interrupt> {
        let depth = self.depth_of_children(node);
        let searched = self.thread.leaf.is_search();
        let mut window = self.first_window(node);
        if searched {
            self.thread.most_promising_first(ply);
        }
        let thread = &mut self.thread;
        let evaluator = thread.job.evaluator;
        thread.line.before_children(ply);
        let position = thread.line.position(ply);
        let state = thread.line.state(ply);
        let reached = (ply + 1) as u16;
        thread.context.worker.selective_depth = thread.context.worker.selective_depth.max(reached);
        self.leaves.clear();
        thread.leaf.begin();
        for &m in &thread.moves {
            if !self.out.is_empty() && self.out.binary_search(&position.encode(m)).is_ok() {
                continue;
            }
            let counted = thread.context.worker.nodes();
            thread.context.worker.count_node()?;
            let mut child = position.clone();
            child.play(m);
            let after = evaluator.after(state, position, m);
            let thrown = (ply == 0)
                .then(|| thread.thrown(position.encode(m)))
                .flatten();
            let seen = match thrown {
                Some(fate @ Fate::Tablebase(hit)) => PositionStatus::Over(fate, hit.result.score()),
                _ => search_thread::look(
                    &child,
                    thread.line.child_repetitions(&child),
                    ply + 1,
                    thread.solver,
                    &thread.context.endgames,
                ),
            };
            let within = window;
            let (value, belief) = match seen {
                PositionStatus::Over(_, score) => (score, atom(thread.tree, -score)),
                _ => {
                    let value = thread.leaf.of(
                        evaluator,
                        &mut thread.context,
                        thread.line.history(),
                        &child,
                        after,
                        (ply + 1, depth),
                        window,
                    )?;
                    if searched {
                        window.1 = window.1.min(plainly_worse(value));
                    }
                    let belief = evaluator.belief(after, &child, value, &self.shape);
                    (value, belief.negated())
                }
            };
            let moments = self.weights.of(&belief);
            self.leaves.push(Leaf {
                code: position.encode(m),
                belief,
                mean: moments.mean,
                sd: moments.sd,
                favour: moments.favour,
                seen,
                value,
                window: within,
                nodes: thread.context.worker.nodes() - counted,
            });
        }
        Ok(())
    }

    /// Plies of the searches that value a node's children: what its own search saw of them, and no less than is asked for.
    fn depth_of_children(&self, node: &Node) -> u8 {
        if self.thread.leaf.is_search() {
            node.leaf_depth().saturating_sub(1).max(self.depths.0)
        } else {
            0
        }
    }

    /// The window, a child's side to move, in which the children's values are worth knowing exactly before any is known.
    fn first_window(&self, node: &Node) -> (Score, Score) {
        if self.thread.leaf.is_search() {
            return (Score::MIN, Score::MAX);
        }
        let value = i32::from(self.thread.scale.score(node.expected()).raw());
        let within = self.window;
        (Score::new(-value - within), Score::new(-value + within))
    }

    /// Puts the evaluated children into the tree, the most favoured first. False when the memory is used up.
    fn attach(&mut self, id: NodeId, node: &Node, ply: usize) -> bool {
        let tree = self.thread.tree;
        let leaves = &self.leaves;
        self.order.clear();
        self.order.extend(0..leaves.len() as u16);
        self.order.sort_by(|&a, &b| {
            let favour = |i: u16| leaves[usize::from(i)].favour;
            favour(b).total_cmp(&favour(a))
        });
        let evaluated = self.order.iter().map(|&i| leaves[usize::from(i)].code);
        // Moves that are out stand last, without a belief.
        let codes: ArrayVec<MoveCode, MAX_MOVES> =
            evaluated.chain(self.out.iter().copied()).collect();
        let moves = codes.len();
        let slots = tree.allocate_beliefs(leaves.len() as u32);
        let first = tree.allocate_children(id, codes.into_iter());
        let (Some(first), Some(slots)) = (first, slots) else {
            self.thread.job.control.stop(StopReason::Memory);
            return false;
        };
        let grows = ply + 1 < self.thread.deepest;
        let depth = self.depth_of_children(node);
        for place in 0..self.order.len() {
            let leaf = &self.leaves[usize::from(self.order[place])];
            let child = tree.node(NodeId(first.0 + place as u32));
            tree.belief_slot(slots + place as u32)
                .initialise(&leaf.belief);
            child.set_belief(slots + place as u32);
            child.set_expected(-leaf.mean);
            child.set_favour(leaf.favour);
            child.set_leaf_depth(depth);
            child.set_visits(1);
            child.set_nodes(leaf.nodes);
            let open = matches!(leaf.seen, PositionStatus::Open { .. });
            child.set_urgency(if open && grows { leaf.sd } else { 0.0 });
        }
        let evaluated = self.order.len();
        for place in evaluated..moves {
            choices::toggle(tree, NodeId(first.0 + place as u32));
        }
        tree.attach(id, first, moves as u16);
        self.thread.report(|| Event::Expand {
            node: id,
            moves: moves as u16,
        });
        for place in 0..evaluated {
            self.settle(NodeId(first.0 + place as u32), self.order[place]);
        }
        self.thread
            .set_fate(node, expanded(MoveCode::NONE, evaluated, moves));
        true
    }

    /// A new child's fate and bounds, with the events that explain them.
    fn settle(&mut self, id: NodeId, leaf: u16) {
        let Leaf {
            seen,
            value,
            window,
            sd,
            ..
        } = self.leaves[usize::from(leaf)];
        let child = self.thread.tree.node(id);
        let lost = matches!(seen, PositionStatus::Over(Fate::Ended(ending), _) if ending.is_lost());
        if !lost {
            child.tighten(NOT_MATED);
        }
        self.tell_first(id, child, seen, value, sd);
        if !matches!(seen, PositionStatus::Over(..)) {
            self.thread.note_mate(id, value, window);
        }
    }
}

/// The half width of a child's quiescence window about its parent's value, as an integer score.
pub(super) fn window(scale: Scale, shape: &LeafShape) -> i32 {
    let width = match shape.width {
        Width::Fixed(width) => width,
        // The fitted formula gives some .5 to 1.
        Width::Fitted => 1.0,
    };
    match scale {
        // A logit of 1 is half of what makes e = tanh(1).
        Scale::Logistic => (WINDOW * width * Scale::CENTIPAWNS / 2.0) as i32,
        // Toy trees have no quiescence.
        Scale::Linear { .. } => i32::from(Score::LIMIT),
    }
}
