//! An expansion that evaluates every child at once: how a search without priors grows its tree.

use arrayvec::ArrayVec;

use super::expand::Expansion;
use super::leaf_belief::LeafBelief;
use super::search_thread::{NOT_MATED, PositionStatus, SearchThread, expanded};
use eval::{Evaluator, Valued};
use game::{Game, MAX_MOVES, MoveCode, Score};
use search::common::leaf::Leaf;
use search::{Event, Interrupt, Probe, StopReason, choices};
use tree::{Fate, NodeId, Tree};

/// A child before it is in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evaluated {
    code: MoveCode,
    seen: PositionStatus,
    /// From the view of the side to move after the move.
    value: Score,
    /// The same as an expected score.
    expected: f32,
    /// What is believed about it; exact where nobody asks for a belief.
    pub belief: LeafBelief,
    /// What looking at it took.
    nodes: u64,
}

/// The window of a leaf's search: its value whatever that is.
const OPEN: (Score, Score) = (Score::MIN, Score::MAX);

impl<'a, G: Game, E: Evaluator<G>, P: Probe> SearchThread<'a, G, E, P> {
    /// Evaluates a node by itself: the root, and a move that was let in again. Returns what is believed about it, or
    /// `None`, with the node as it was, if the search was interrupted in the middle.
    pub fn evaluate_alone(&mut self, id: NodeId, ply: usize, beliefs: bool) -> Option<LeafBelief> {
        if ply > 0 {
            self.count_node();
        }
        let worker = &mut self.context.worker;
        worker.selective_depth = worker.selective_depth.max(ply as u16);
        self.line.catch_up(self.tree, ply);
        let seen = self.look(ply);
        let value = match seen {
            PositionStatus::Over(_, score) => score,
            _ => self.evaluate(ply).0?,
        };
        let at = (self.line.state(ply), self.line.position(ply));
        let (expected, belief) = self.believed(at, seen, value, (0, ply), beliefs);
        self.note_undefined();
        self.tree.node(id).set_expected(expected);
        self.settle(id, ply, seen, value, &belief);
        Some(belief)
    }

    /// The expected score of a new node, and the belief about it.
    fn believed(
        &self,
        (state, position): (&E::State, &G),
        seen: PositionStatus,
        value: Score,
        (depth, ply): (u8, usize),
        beliefs: bool,
    ) -> (f32, LeafBelief) {
        let evaluator = self.job.evaluator;
        let over = matches!(seen, PositionStatus::Over(..));
        let better = match position.height() {
            // The values of a toy tree's file, without rounding.
            Some(_) if !over => evaluator.expected(state, position),
            _ => None,
        };
        let expected = better.unwrap_or_else(|| self.scale.expected(value));
        let belief_of = |expected| {
            let valued = Valued { value, depth };
            LeafBelief::of(evaluator, (state, position), &valued, expected)
        };
        let expected = match over {
            true => expected,
            false => self.valued_by_formula((state, position), value, expected, ply),
        };
        let belief = if beliefs && !over {
            belief_of(expected)
        } else {
            LeafBelief::exact(self.scale, expected)
        };
        (expected, belief)
    }

    /// Gives the node at `ply`, to which the line was caught up, all its children: each is played, counted and evaluated,
    /// by a search of `depth` plies where leaves are searched. They stand in the order in which the game lists the moves, or
    /// with `best_first` in that of their values, best first.
    pub fn expand_evaluated(
        &mut self,
        id: NodeId,
        ply: usize,
        depth: u8,
        (beliefs, best_first): (bool, bool),
        found: &mut Vec<Evaluated>,
    ) -> Expansion {
        self.moves = self.line.position(ply).legal_moves();
        if self.moves.is_empty() {
            self.end_without_moves(id, ply);
            return Expansion::Over;
        }
        let out = self.taken_out(id, ply);
        let evaluated = self.evaluate_children(ply, depth, beliefs, out, found);
        self.note_undefined();
        if best_first {
            found.sort_by(|a, b| a.expected.total_cmp(&b.expected));
        }
        if evaluated.is_err() || !self.attach_evaluated(id, ply, out, found) {
            self.stopping = true;
            if ply == 0 {
                self.best_so_far(out, found);
            }
            return Expansion::Stopped;
        }
        Expansion::Done
    }

    /// The best of the root's moves that were evaluated before the search was stopped; the first one if none was.
    #[cold]
    fn best_so_far(&mut self, out: &[MoveCode], found: &[Evaluated]) {
        let position = self.line.position(0);
        let mut codes = self.moves.iter().map(|&m| position.encode(m));
        let first = codes.find(|code| out.binary_search(code).is_err());
        let best = found.iter().min_by_key(|child| child.value);
        if let Some(code) = best.map(|child| child.code).or(first) {
            self.best = code;
        }
    }

    fn evaluate_children(
        &mut self,
        ply: usize,
        depth: u8,
        beliefs: bool,
        out: &[MoveCode],
        found: &mut Vec<Evaluated>,
    ) -> Result<(), Interrupt> {
        found.clear();
        let evaluator = self.job.evaluator;
        let last = self.line.moves_before(self.tree, ply)[0];
        self.line.before_children(ply);
        let (position, state) = (self.line.position(ply), self.line.state(ply));
        let worker = &mut self.context.worker;
        worker.selective_depth = worker.selective_depth.max((ply + 1) as u16);
        for &m in &self.moves {
            let code = position.encode(m);
            if out.binary_search(&code).is_ok() {
                continue;
            }
            let counted = self.context.worker.nodes();
            self.context.worker.count_node()?;
            let mut child = position.clone();
            child.play(m);
            let seen = self.look_at_child(&child, code, ply);
            let after = evaluator.after(state, position, m);
            let value = match seen {
                PositionStatus::Over(_, score) => score,
                _ => {
                    let leaf = Leaf {
                        position: &child,
                        state: &after,
                        history: self.line.history(),
                        before: [position.footprint(m), last],
                        ply: ply + 1,
                        depth,
                        window: OPEN,
                    };
                    self.leaf.of(evaluator, &mut self.context, &leaf)?
                }
            };
            let (expected, belief) =
                self.believed((&after, &child), seen, value, (depth, ply + 1), beliefs);
            found.push(Evaluated {
                code,
                seen,
                value,
                expected,
                belief,
                nodes: self.context.worker.nodes() - counted,
            });
        }
        Ok(())
    }

    /// Puts the evaluated children into the tree. False when the memory is used up.
    fn attach_evaluated(
        &mut self,
        id: NodeId,
        ply: usize,
        out: &[MoveCode],
        found: &[Evaluated],
    ) -> bool {
        let tree = self.tree;
        // Moves that are out stand last.
        let evaluated = found.iter().map(|child| child.code);
        let codes: ArrayVec<MoveCode, MAX_MOVES> = evaluated.chain(out.iter().copied()).collect();
        let moves = codes.len();
        let Some(first) = tree.allocate_children(id, codes.into_iter()) else {
            self.job.control.stop(StopReason::Memory);
            return false;
        };
        let place = |i: usize| NodeId(first.0 + i as u32);
        for (i, child) in found.iter().enumerate() {
            let node = tree.node(place(i));
            node.set_expected(child.expected);
            node.set_visits(1);
            node.set_nodes(child.nodes);
        }
        for i in found.len()..moves {
            choices::toggle(tree, place(i));
        }
        tree.attach(id, first, moves as u16);
        self.report(|| Event::Expand {
            node: id,
            moves: moves as u16,
        });
        for (i, child) in found.iter().enumerate() {
            self.settle(place(i), ply + 1, child.seen, child.value, &child.belief);
        }
        let fate = expanded(MoveCode::NONE, found.len(), moves);
        self.set_fate(tree.node(id), fate);
        true
    }

    /// A new node's fate and bounds, with the events that tell of them.
    fn settle(
        &mut self,
        id: NodeId,
        ply: usize,
        seen: PositionStatus,
        value: Score,
        belief: &LeafBelief,
    ) {
        let node = self.tree.node(id);
        let fate = match seen {
            PositionStatus::Over(fate, score) => {
                let lost = matches!(fate, Fate::Ended(ending) if ending.is_lost());
                if !lost {
                    node.tighten(NOT_MATED);
                }
                self.end(id, fate, score);
                self.note_two_fold(id, fate, ply);
                return;
            }
            PositionStatus::Leaf => Fate::Horizon {
                static_value: value,
            },
            PositionStatus::Open { .. } => Fate::Frontier,
        };
        node.tighten(NOT_MATED);
        self.set_fate(node, fate);
        self.report(|| Event::Evaluate {
            node: id,
            value,
            mean: node.expected(),
            sd: belief.sd(),
        });
        if self.leaf.is_search() && ply > 0 {
            self.note_mate(id, value, OPEN);
        }
    }

    /// Whether a search may still grow something at a node that has no children.
    pub fn is_growable(&self, id: NodeId, ply: usize) -> bool {
        let node = self.tree.node(id);
        let open = node.fate().is_frontier() || node.fate() == Fate::Unvisited;
        open && ply < self.deepest
            && !node.proof().is_exact()
            && (!node.is_excluded() || id == Tree::ROOT)
    }
}
