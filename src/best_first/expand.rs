//! Expansion by prior: a node gets its children without evaluating them, and a look-ahead of one ply finds those that
//! end the game at once.
//!
//! Source: Videodr0me, *Porting certainty propagation to new codebase* (lc0, GitHub issue, 2018) (one-ply look-ahead).

use super::prior::Prior;
use super::search_thread::{NOT_MATED, SearchThread, expanded};
use eval::{Evaluator, MovesLeft};
use game::{Ending, Game, MoveCode, Score};
use search::{Event, Interrupt, Probe, StopReason, choices};
use tree::{Fate, Node, NodeId, Proof, Tree};

/// How an expansion ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expansion {
    Done,
    /// The node has no moves; its fate says what it is instead.
    Over,
    /// Interrupted, or out of memory: the node is as before, and the search is stopping.
    Stopped,
}

/// The legal moves before they are written to the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Entries {
    /// Ordered by highest gain, then in the order of generation: (bias - gain) << 9 | index of the move.
    keys: Vec<u32>,
    /// What the look-ahead found: the index of the move, its ending, and the score of the side to move after it.
    endings: Vec<(u32, Ending, Score)>,
}

const GAIN_BIAS: i32 = 1 << 21;
const INDEX: u32 = 511;

/// A key that orders by highest gain, then in the order of generation.
#[inline]
fn key_of(gain: i32, index: usize) -> u32 {
    let gain = gain.clamp(-GAIN_BIAS + 1, GAIN_BIAS - 1);
    ((GAIN_BIAS - gain) as u32) << 9 | index as u32
}

/// What a move contributes to the prior if this many moves are left after it, in the evaluation's unit.
fn towards_mate(left: MovesLeft) -> i32 {
    const A_MOVE: f32 = 150.0;
    /// More moves than any mate with few pieces takes: the ending is drawn.
    const MOST: f32 = 60.0;
    let gain = (left.moves.min(MOST) * A_MOVE) as i32;
    // The position after the move belongs to the other side.
    if left.wins { gain } else { -gain }
}

impl<G: Game, E: Evaluator<G>, P: Probe> SearchThread<'_, G, E, P> {
    /// Creates the children of the node at `ply`, best prior first, and finds those where the game ends at once.
    ///
    /// Moves that are made count as nodes; their number is the second result.
    pub fn expand(&mut self, id: NodeId, ply: usize, prior: &Prior) -> (Expansion, u32) {
        let counted = self.context.worker.nodes();
        let expansion = self.expand_uncounted(id, ply, prior);
        (expansion, (self.context.worker.nodes() - counted) as u32)
    }

    fn expand_uncounted(&mut self, id: NodeId, ply: usize, prior: &Prior) -> Expansion {
        self.moves = self.line.position(ply).legal_moves();
        if self.moves.is_empty() {
            self.end_without_moves(id, ply);
            return Expansion::Over;
        }
        let out = self.taken_out(id, ply);
        if self.look_ahead(ply, prior, out).is_err() {
            self.stopping = true;
            return Expansion::Stopped;
        }
        let position = self.line.position(ply);
        let moves = self.moves.len();
        let keys = self.entries.keys.iter();
        let codes = keys.map(|key| position.encode(self.moves[(key & INDEX) as usize]));
        let Some(first) = self.tree.allocate_children(id, codes) else {
            self.job.control.stop(StopReason::Memory);
            self.stopping = true;
            return Expansion::Stopped;
        };
        let node = self.tree.node(id);
        self.fill(self.tree.block(first, moves as u16), prior);
        self.leave_out(first, moves, out);
        if id == Tree::ROOT {
            self.throw_away(first, moves);
        }
        self.tree.attach(id, first, moves as u16);
        self.report(|| Event::Expand {
            node: id,
            moves: moves as u16,
        });
        self.settle_endings(node, first);
        self.set_fate(node, expanded(MoveCode::NONE, 0, moves));
        Expansion::Done
    }

    /// Ends a node without moves: by stalemate, which is found only here, or where the toy tree ends.
    pub(super) fn end_without_moves(&mut self, id: NodeId, ply: usize) {
        let position = self.line.position(ply);
        if let Some(ending) = position.ending(false) {
            let score = position.ending_score(ending);
            self.end(id, Fate::Ended(ending), score);
        } else {
            let state = self.line.state(ply);
            let static_value = self.job.evaluator.value(state, position);
            let fate = Fate::Horizon { static_value };
            self.set_fate(self.tree.node(id), fate);
        }
    }

    /// The legal moves at `ply` with their priors, without a look at what they lead to.
    pub fn priors(&self, ply: usize, prior: &Prior) -> Vec<(MoveCode, f32)> {
        let (position, state) = (self.line.position(ply), self.line.state(ply));
        let moves = position.legal_moves();
        let checks = position.checks();
        let gain = |m: G::Move| {
            let check = position.gives_check_by(&checks, m);
            self.job.evaluator.gain(state, position, m) + prior.gain_of_check(check)
        };
        let gains: Vec<i32> = match self.job.evaluator.policy(state, position, &moves) {
            Some(policy) => policy.to_vec(),
            None => moves.iter().map(|&m| gain(m)).collect(),
        };
        let best = gains.iter().copied().max().unwrap_or(0);
        let shares = gains.iter().map(|gain| prior.share((best - gain) as u32));
        let shares: Vec<f32> = shares.collect();
        let even = prior.even / moves.len() as f32;
        let scale = (1.0 - prior.even) / shares.iter().sum::<f32>();
        let codes = moves.iter().map(|&m| position.encode(m));
        codes
            .zip(shares.iter().map(|share| even + scale * share))
            .collect()
    }

    /// Orders the moves by gain, and tries those on the board that may end the game, unless they are `out`.
    fn look_ahead(&mut self, ply: usize, prior: &Prior, out: &[MoveCode]) -> Result<(), Interrupt> {
        let position = self.line.position(ply);
        let state = self.line.state(ply);
        let Entries { keys, endings } = &mut self.entries;
        let checks = position.checks();
        keys.clear();
        endings.clear();
        // A policy knows nothing of how many moves are left.
        let policy = if prior.counts_moves_left {
            None
        } else {
            self.job.evaluator.policy(state, position, &self.moves)
        };
        for (i, &m) in self.moves.iter().enumerate() {
            let check = position.gives_check_by(&checks, m);
            let mut gain = match &policy {
                Some(policy) => policy[i],
                None => {
                    let gain = self.job.evaluator.gain(state, position, m);
                    gain + prior.gain_of_check(check)
                }
            };
            let may_end = self.solver.look_ahead && (check || position.may_end(m));
            let tried = may_end || prior.counts_moves_left;
            if tried && (out.is_empty() || out.binary_search(&position.encode(m)).is_err()) {
                self.context.worker.count_node()?;
                let mut after = position.clone();
                after.play_keyless(m);
                if prior.counts_moves_left {
                    let left = self.job.evaluator.moves_left(&after);
                    gain += left.map_or(0, towards_mate);
                }
                if !self.solver.look_ahead {
                    keys.push(key_of(gain, i));
                    continue;
                }
                match after.ending(after.has_moves()) {
                    // This end, or the repetitions, are found again when the child is visited.
                    None | Some(Ending::FiftyMoves) => {}
                    Some(ending) => endings.push((i as u32, ending, after.ending_score(ending))),
                }
            }
            keys.push(key_of(gain, i));
        }
        keys.sort_unstable();
        Ok(())
    }

    /// Sets priors and first bounds before any other thread can see the children.
    fn fill(&self, children: &[Node], prior: &Prior) {
        let keys = &self.entries.keys;
        let best = keys.first().map_or(0, |key| key >> 9);
        let share = |key: &u32| prior.share((key >> 9) - best);
        let even = prior.even / keys.len() as f32;
        let scale = (1.0 - prior.even) / keys.iter().map(share).sum::<f32>();
        for (key, child) in keys.iter().zip(children) {
            child.set_policy(even + scale * share(key));
            // The look-ahead would have found a mate, so whoever is to move there is not mated.
            child.set_proof(if self.solver.look_ahead {
                NOT_MATED
            } else {
                Proof::OPEN
            });
        }
    }

    /// Marks the children that are out: nothing is known about them, not even that they do not mate.
    fn leave_out(&self, first: NodeId, moves: usize, out: &[MoveCode]) {
        if out.is_empty() {
            return;
        }
        for child in (first.0..first.0 + moves as u32).map(NodeId) {
            let node = self.tree.node(child);
            if out.binary_search(&node.move_code()).is_ok() {
                node.set_proof(Proof::OPEN);
                choices::toggle(self.tree, child);
            }
        }
    }

    /// Ends the children where the game is over.
    fn settle_endings(&mut self, node: &Node, first: NodeId) {
        for found in 0..self.entries.endings.len() {
            let (index, ending, score) = self.entries.endings[found];
            let Some(place) = self.entries.keys.iter().position(|k| k & INDEX == index) else {
                continue;
            };
            let child = &self.tree.children_block(node)[place];
            child.set_visits(1);
            child.set_nodes(1);
            child.set_total(f64::from(self.scale.expected(score)));
            // A mate is the one result that the first bounds exclude.
            child.set_proof(Proof::OPEN);
            self.end(NodeId(first.0 + place as u32), Fate::Ended(ending), score);
        }
    }
}
