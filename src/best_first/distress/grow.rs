//! The expansion of one leaf: its children are played, counted and evaluated, or wait for that.

use arrayvec::ArrayVec;

use super::computation::Price;
use super::expansion::Expansion;
use super::moments::Weights;
use super::question::{
    Found, OPEN, Unrecorded, Window, ask, centipawns, tell_answer, tell_question,
};
use super::{Distress, End, OpenLeaf, atom, looked_at};
use crate::search_thread::{NOT_MATED, PositionStatus, expanded};
use belief::Cdf;
use eval::{Evaluator, LeafShape, Width};
use game::{Game, MAX_MOVES, MoveCode, PerMove, Scale, Score};
use search::common::leaf::Leaf as LeafQuestion;
use search::{Event, Interrupt, Probe, StopReason, choices};
use tree::{Fate, Node, NodeId, Proof, Tree};

/// How many widths of a leaf from its parent's value a child's value is worth knowing exactly. Beyond that a move is
/// plainly better or worse, and a bound from quiescence costs a fraction: in sharp positions a fifth of the nodes.
const WINDOW: f32 = 4.0;

/// One child before it stands in the tree. Belief and moments are in the parent's view.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    code: MoveCode,
    belief: Cdf,
    mean: f32,
    sd: f32,
    favour: f32,
    seen: PositionStatus,
    look: Look,
}

/// What is known of a new child.
#[derive(Clone, Copy, Debug)]
enum Look {
    /// It was evaluated, at the price of so many nodes.
    Done { found: Found, nodes: u64 },
    /// It waits for a first search of so many plies.
    Waits { depth: u8 },
}

impl Leaf {
    /// One that waits for a first search of `depth` plies.
    fn waiting(code: MoveCode, depth: u8, belief: Cdf, weights: &Weights) -> Leaf {
        let moments = weights.of(&belief);
        Leaf {
            code,
            belief,
            mean: moments.mean,
            sd: moments.sd,
            favour: moments.favour,
            // A game that is over after the move would have been found.
            seen: PositionStatus::Open {
                single_reply: false,
            },
            look: Look::Waits { depth },
        }
    }
}

impl<G: Game, E: Evaluator<G>, P: Probe> Distress<'_, G, E, P> {
    /// Takes the leaf for this thread and expands it.
    pub(super) fn expand(&mut self, leaf: OpenLeaf) -> End {
        let OpenLeaf { id, node, ply, .. } = leaf;
        let Some(urgency) = self.claim(&leaf) else {
            return End::Busy;
        };
        self.thread.moves = self.thread.line.position(ply).legal_moves();
        if self.thread.moves.is_empty() {
            return self.end_without_moves(id, node, ply);
        }
        let counted = self.thread.worker().nodes();
        self.out = self.thread.taken_out(id, ply);
        let evaluated = self.evaluate_children(&leaf);
        let nodes = self.thread.worker().nodes() - counted;
        if evaluated.is_err() || !self.attach(id, node, ply) {
            self.thread.stopping = true;
            if ply == 0 {
                self.best_so_far();
            }
            self.give_back(&leaf, urgency);
            return End::Stopped { nodes };
        }
        End::Grown {
            nodes,
            proven: true,
        }
    }

    /// The best of the root's moves that were evaluated, in case the search ends before all of them are; if none was, the
    /// one that was to be the first.
    pub(super) fn best_so_far(&mut self) {
        let looked_at = |leaf: &&Leaf| matches!(leaf.look, Look::Done { .. });
        let leaves = self.leaves.iter().filter(looked_at);
        let best = leaves.max_by(|a, b| a.favour.total_cmp(&b.favour));
        let position = self.thread.line.position(0);
        let mut codes = self.thread.moves.iter().map(|&m| position.encode(m));
        let first = codes.find(|code| self.out.binary_search(code).is_err());
        if let Some(code) = best.map(|leaf| leaf.code).or(first) {
            self.thread.best = code;
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

    /// Plays, counts and evaluates every move that does not wait; what is found is put into `self.leaves`.
    fn evaluate_children(&mut self, leaf: &OpenLeaf) -> Result<(), Interrupt> {
        let OpenLeaf {
            id,
            node,
            ply,
            window,
            ..
        } = *leaf;
        let searched = self.thread.leaf.is_search();
        let unsearched = self.window_about(node);
        // A single reply takes nothing from the depth.
        let ply_less = u8::from(self.thread.moves.len() > 1);
        let wanted = node.leaf_depth().saturating_sub(ply_less);
        let wanted = wanted.max(self.depths.first);
        let proof = node.proof();
        let decisive = proof.lower.is_win() || proof.upper.is_loss();
        let guess = centipawns(node.favour());
        let mut expansion = Expansion::new(window, wanted, decisive, guess);
        let shares = if searched { self.in_order(ply) } else { None };
        let thread = &mut self.thread;
        let evaluator = thread.job.evaluator;
        let last = thread.line.moves_before(thread.tree, ply)[0];
        thread.line.before_children(ply);
        let position = thread.line.position(ply);
        let state = thread.line.state(ply);
        let reached = (ply + 1) as u16;
        thread.context.worker.selective_depth = thread.context.worker.selective_depth.max(reached);
        let checks = position.checks();
        self.leaves.clear();
        for (place, &m) in thread.moves.iter().enumerate() {
            let code = position.encode(m);
            if !self.out.is_empty() && self.out.binary_search(&code).is_ok() {
                continue;
            }
            let waits = || {
                let share = shares.as_ref()?[place];
                let waiting = expansion.waiting(share, ply == 0)?;
                // One that may end the game is tried all the same.
                if position.gives_check_by(&checks, m) || position.may_end(m) {
                    return None;
                }
                let belief = self.leaf_belief.foreseen(&waiting, share)?;
                Some(Leaf::waiting(code, waiting.depth, belief, &self.weights))
            };
            if let Some(leaf) = waits() {
                expansion.pass();
                self.leaves.push(leaf);
                continue;
            }
            let counted = thread.context.worker.nodes();
            thread.context.worker.count_node()?;
            let mut child = position.clone();
            child.play(m);
            let after = evaluator.after(state, position, m);
            let seen = thread.look_at_child(&child, code, ply);
            let mut question = LeafQuestion {
                position: &child,
                state: &after,
                history: thread.line.history(),
                before: [position.footprint(m), last],
                ply: ply + 1,
                depth: 0,
                window: unsearched,
            };
            let found = match seen {
                PositionStatus::Over(_, score) => Found::new(score, OPEN, 0),
                _ if searched => {
                    let guess;
                    (question.depth, question.window, guess) = expansion.question();
                    let key = thread.context.place_in_table(&child);
                    let entry = thread.job.tables.main().get(key);
                    match entry.and_then(|entry| expansion.known(&entry)) {
                        Some(found) => found,
                        None => {
                            let mut searcher = Unrecorded {
                                search: &mut thread.leaf,
                                evaluator,
                                context: &mut thread.context,
                            };
                            let child = (id, code);
                            ask(&mut searcher, &question, guess, child)?
                        }
                    }
                }
                _ => {
                    let value = thread.leaf.of(evaluator, &mut thread.context, &question)?;
                    Found::new(value, OPEN, 0)
                }
            };
            expansion.note(-found.value);
            let belief = match seen {
                PositionStatus::Over(_, score) => atom(thread.tree, -score),
                _ => self
                    .leaf_belief
                    .of(thread.tree, evaluator, (&after, &child), &found),
            };
            let moments = self.weights.of(&belief);
            self.leaves.push(Leaf {
                code,
                belief,
                mean: moments.mean,
                sd: moments.sd,
                favour: moments.favour,
                seen,
                look: Look::Done {
                    found,
                    nodes: thread.context.worker.nodes() - counted,
                },
            });
        }
        Ok(())
    }

    /// Brings the moves of the node at `ply` into the order in which they are looked at; their shares of the policy, where some
    /// may wait.
    fn in_order(&mut self, ply: usize) -> Option<PerMove<f32>> {
        let nodes = self.thread.tree.node(Tree::ROOT).nodes();
        let shares = if self.first_look.some_wait(nodes) {
            self.thread.likeliest_first(ply)
        } else {
            None
        };
        if shares.is_none() {
            self.thread.most_promising_first(ply);
        }
        shares
    }

    /// The window, from a child's view, in which the values of children that are not searched are worth knowing exactly.
    fn window_about(&self, node: &Node) -> Window {
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
        for place in 0..self.order.len() {
            let leaf = &self.leaves[usize::from(self.order[place])];
            let child = tree.node(NodeId(first.0 + place as u32));
            tree.belief_slot(slots + place as u32)
                .initialise(&leaf.belief);
            child.set_belief(slots + place as u32);
            child.set_expected(-leaf.mean);
            child.set_favour(leaf.favour);
            let urgency = match leaf.look {
                Look::Done { found, nodes } => {
                    child.set_leaf_depth(found.depth);
                    child.set_visits(1);
                    child.set_nodes(nodes);
                    self.leaf_urgency(leaf.sd, found.depth, nodes)
                }
                Look::Waits { depth } => {
                    child.set_leaf_depth(depth);
                    self.urgency_at(leaf.sd, Price::FIRST_LOOK)
                }
            };
            let open = matches!(leaf.seen, PositionStatus::Open { .. });
            child.set_urgency(if open && grows { urgency } else { 0.0 });
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
        // A search of the node that has proven it lost knew what another thread's searches of its moves may not find again.
        let upper = node.proof().upper;
        let implied = upper.is_loss().then(|| Proof {
            lower: upper.one_ply_down(),
            ..Proof::OPEN
        });
        for place in 0..evaluated {
            let child = NodeId(first.0 + place as u32);
            self.settle(child, ply + 1, self.order[place], implied);
        }
        let looked_at = looked_at(tree.children_block(node));
        self.thread
            .set_fate(node, expanded(MoveCode::NONE, looked_at, moves));
        true
    }

    /// A new child's fate and bounds, with the events that explain them.
    fn settle(&mut self, id: NodeId, ply: usize, leaf: u16, implied: Option<Proof>) {
        let Leaf { seen, look, sd, .. } = self.leaves[usize::from(leaf)];
        let child = self.thread.tree.node(id);
        let is_open = !matches!(seen, PositionStatus::Over(..));
        let implied = implied.filter(|_| is_open);
        let Look::Done { found, .. } = look else {
            child.tighten(NOT_MATED);
            if implied.is_some_and(|proof| child.tighten(proof)) {
                self.thread.report_proof(id);
            }
            return;
        };
        if self.thread.leaf.is_search() && is_open {
            let context = &mut self.thread.context;
            tell_question(context, id, found.window, found.depth);
            tell_answer(context, id, &found, child.nodes());
        }
        let lost = matches!(seen, PositionStatus::Over(Fate::Ended(ending), _) if ending.is_lost());
        if !lost {
            child.tighten(NOT_MATED);
        }
        // Before the fate, with which the leaf is free for other threads.
        let is_new = is_open && self.thread.keep_mate(id, found.value, found.window);
        let is_new = implied.is_some_and(|proof| child.tighten(proof)) || is_new;
        self.tell_first(id, child, ply, seen, &found, sd);
        if is_new {
            self.thread.report_proof(id);
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
        Scale::Logistic => (WINDOW * width * Scale::CENTIPAWNS_A_LOGIT) as i32,
        // Toy trees have no quiescence.
        Scale::Linear(_) => i32::from(Score::LIMIT),
    }
}
