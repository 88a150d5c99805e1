//! The end of a descent: a leaf is visited, and later expanded.

use std::hint::spin_loop;

use super::{Batch, Mcts, Relevant, uncertainty};
use crate::expand::Expansion;
use crate::search_thread::PositionStatus;
use eval::Evaluator;
use game::{Game, Score};
use search::{Event, Probe};
use tree::{Fate, Node, NodeId};

/// Plies after which the fifty-move rule makes the game a draw.
const FIFTY_MOVES: u32 = 100;

impl<G: Game, E: Evaluator<G>, P: Probe, const SOLO: bool> Mcts<'_, G, E, P, SOLO> {
    /// Whether this visit expands the leaf.
    pub(super) fn is_due(&self, node: &Node, ply: usize) -> bool {
        let visits = node.visits() + u32::from(SOLO);
        visits >= self.settings.expand_at && ply < self.thread.deepest
    }

    /// Waits for another thread that is working on this leaf, which takes about a microsecond.
    #[cold]
    pub(super) fn wait_for(&mut self, node: &Node) -> Batch {
        for _ in 0..100 {
            if node.fate() != Fate::Interrupted {
                break;
            }
            spin_loop();
        }
        // The batch ends here; the next descent will find the leaf done, or another leaf.
        self.thread.poll();
        Batch::default()
    }

    /// Claims a leaf for this thread alone.
    #[inline]
    pub(super) fn claim(&self, node: &Node, from: Fate) -> bool {
        SOLO || node.claim(from, Fate::Interrupted)
    }

    /// The first visit to a leaf: the position is counted, inspected and evaluated.
    pub(super) fn first_visit(
        &mut self,
        id: NodeId,
        node: &Node,
        ply: usize,
        window: Relevant,
    ) -> Batch {
        if !self.claim(node, Fate::Unvisited) {
            return Batch::default();
        }
        if ply > 0 {
            self.thread.count_node();
        }
        self.thread.line.catch_up(self.thread.tree, ply);
        self.thread.worker().selective_depth = self.thread.worker().selective_depth.max(ply as u16);
        let mut batch = match self.thread.look(ply) {
            PositionStatus::Over(fate, score) => {
                self.thread.end(id, fate, score);
                self.thread.note_two_fold(id, fate, ply);
                Batch {
                    proven: node.proof().is_certain(),
                    ..Batch::of(node.expected().into(), self.weight_at(node), 1)
                }
            }
            PositionStatus::Open { single_reply } => {
                self.open_leaf(id, node, ply, window, single_reply)
            }
            PositionStatus::Leaf => self.toy_leaf(id, node, ply),
        };
        batch.nodes += u32::from(ply > 0);
        batch
    }

    /// A toy leaf with a spread: nothing will ever be below it.
    fn toy_leaf(&mut self, id: NodeId, node: &Node, ply: usize) -> Batch {
        let (value, batch) = self.value(id, node, ply);
        if let Some(static_value) = value {
            self.thread.set_fate(node, Fate::Horizon { static_value });
        }
        batch
    }

    /// Evaluates an open position, and expands it at once if its first visit is due for that.
    #[inline]
    fn open_leaf(
        &mut self,
        id: NodeId,
        node: &Node,
        ply: usize,
        window: Relevant,
        single_reply: bool,
    ) -> Batch {
        let (value, mut batch) = self.value(id, node, ply);
        if value.is_none() {
            return batch;
        }
        self.thread.set_fate(node, Fate::Frontier);
        if ply >= self.thread.deepest || self.thread.stopping {
            return batch;
        }
        if single_reply {
            // The single reply is followed at once, so that its value becomes the node's own.
            let nodes = batch.nodes;
            batch = self.grow(id, node, ply, window);
            batch.nodes += nodes;
        } else if self.settings.expand_at == 1 {
            let (_, nodes) = self.expand(id, node, ply);
            batch.nodes += nodes;
            batch.proven = self.thread.propagate(id);
        }
        batch
    }

    /// Evaluates a leaf. Returns `None`, and leaves the leaf as it was, if the search was interrupted in the middle.
    #[inline]
    pub(super) fn value(&mut self, id: NodeId, node: &Node, ply: usize) -> (Option<Score>, Batch) {
        // The bound has to reach the parent where it does not already follow from a look-ahead or the remaining pieces.
        let proven = self.thread.bound_at_first(id, ply);
        let (found, nodes) = self.evaluate(id, ply);
        let Some((value, expected)) = found else {
            node.set_fate(Fate::Unvisited);
            let batch = Batch {
                nodes,
                ..Batch::default()
            };
            return (None, batch);
        };
        node.set_expected(expected);
        let sd = self.error_of_leaf(ply, value, expected);
        if self.settings.keeps_spreads {
            node.set_second(sd.unwrap_or(0.0));
        }
        self.thread.report(|| Event::Evaluate {
            node: id,
            value,
            mean: expected,
            sd,
        });
        let weight = match sd {
            Some(sd) if self.settings.uncertainty_weighting => uncertainty::weight(sd),
            _ => 1.0,
        };
        let batch = Batch {
            nodes,
            proven,
            ..Batch::of(expected.into(), weight, 1)
        };
        (Some(value), batch)
    }

    /// The value of an open leaf, as a score and as an expected score, and the nodes counted for it.
    #[inline]
    fn evaluate(&mut self, id: NodeId, ply: usize) -> (Option<(Score, f32)>, u32) {
        let scale = self.thread.scale;
        if self.player.is_some() {
            let (played, nodes) = self.play_out(id, ply, 0);
            let expected = played.map(|p| p.expected() as f32);
            // What a formula makes of an evaluation has no use here.
            return (expected.map(|e| (scale.score(e), e)), nodes);
        }
        if let Some(expected) = self.thread.expected(ply)
            && !self.counts_moves_left
        {
            let value = scale.score(expected);
            return (
                Some((value, self.thread.by_formula(ply, value, expected))),
                0,
            );
        }
        let (value, nodes) = self.thread.evaluate(ply);
        let found = value.map(|v| {
            let expected = scale.expected(v);
            match self.discounted(ply, expected) {
                Some(e) => (scale.score(e), e),
                None => (v, self.thread.by_formula(ply, v, expected)),
            }
        });
        (found, nodes)
    }

    /// The value of an open leaf against a lone king: the plies that the fifty-move rule allows, as a share of the sum
    /// of these and of those that the mate needs. It is used only where the root is already such an ending, so that all
    /// leaves are measured alike.
    fn discounted(&self, ply: usize, expected: f32) -> Option<f32> {
        if !self.counts_moves_left {
            return None;
        }
        let position = self.thread.line.position(ply);
        let left = self.thread.job.evaluator.moves_left(position)?;
        let allowed = FIFTY_MOVES
            .saturating_sub(position.reversible_plies())
            .max(1) as f32;
        let needed = 2.0 * left.moves * self.settings.moves_left;
        let win = if left.certain { 1.0 } else { expected.abs() };
        let worth = win * allowed / (allowed + needed);
        Some(if left.wins { worth } else { -worth })
    }

    /// Gives a leaf its children. Returns how many nodes that counted.
    pub(super) fn expand(&mut self, id: NodeId, node: &Node, ply: usize) -> (Expansion, u32) {
        if !self.claim(node, Fate::Frontier) {
            return (Expansion::Stopped, 0);
        }
        self.thread.line.catch_up(self.thread.tree, ply);
        let (expansion, nodes) = self.thread.expand(id, ply, &self.settings.prior);
        if expansion == Expansion::Stopped {
            node.set_fate(Fate::Frontier);
        }
        // None of its children was entered yet.
        self.thread.line.enter(ply + 1, NodeId::NONE);
        (expansion, nodes)
    }

    /// Expands a leaf and continues to its first child.
    pub(super) fn grow(&mut self, id: NodeId, node: &Node, ply: usize, window: Relevant) -> Batch {
        let (expansion, nodes) = self.expand(id, node, ply);
        let mut batch = match expansion {
            Expansion::Stopped => Batch::default(),
            Expansion::Over => Batch {
                proven: true,
                ..Batch::of(node.expected().into(), self.weight_at(node), 1)
            },
            Expansion::Done => {
                let proven = self.thread.propagate(id);
                let mut batch = if node.proof().is_exact() {
                    let value = self.thread.scale.expected(node.proof().lower);
                    Batch::of(value.into(), self.weight_at(node), 1)
                } else if self.thread.stopping {
                    Batch::default()
                } else {
                    self.inner(id, node, ply, 1, window)
                };
                batch.proven |= proven;
                batch
            }
        };
        batch.nodes += nodes;
        batch
    }
}
