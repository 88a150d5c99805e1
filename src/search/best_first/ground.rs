//! What every best-first search does the same way: looking at a new position, expanding it with a look-ahead of one
//! ply, counting, reporting and propagating proofs.

use arrayvec::ArrayVec;

use super::line::Line;
use super::prior::Prior;
use super::proofs::{self, Change};
use crate::eval::Evaluator;
use crate::game::{Ending, Game, MAX_MOVES, MoveCode, Moves, Repetition, Scale, Score};
use crate::search::depth_first::context::Context;
use crate::search::depth_first::quiescence::{CaptureRules, Quiescence};
use crate::search::{Event, Interrupt, Job, OptionSpec, Options, Probe, Range, StopReason, Worker};
use crate::tree::{Fate, Node, NodeId, Proof, Tree};

/// One thread of a best-first search: the job, its counters, its probe and its board.
#[derive(Debug)]
pub(super) struct Ground<'a, G: Game, E: Evaluator<G>, P: Probe> {
    pub job: &'a Job<'a, G, E>,
    pub tree: &'a Tree,
    pub scale: Scale,
    /// Counters, probe, and what a quiescence search at a leaf needs.
    pub context: Context<'a, P>,
    pub leaf: LeafValue,
    pub line: Line<'a, G, E>,
    /// The search has to end: unwind without starting anything new.
    pub stopping: bool,
    /// Nodes at this ply are not expanded.
    pub deepest: usize,
    pub moves: Moves<G::Move>,
}

/// What a position is when it is first looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Seen {
    /// The game is over, or the position stood before.
    Over(Fate, Score),
    /// To be evaluated; `single_reply` where there is just one legal move, as far as that is known.
    Open { single_reply: bool },
    /// Known to have no moves and no exact value (a toy leaf with a spread).
    Leaf,
}

/// How an open leaf is valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeafValue {
    Static,
    Quiescence,
}

impl LeafValue {
    pub fn new(options: &Options) -> Self {
        match options.word("leaf") {
            "static" => LeafValue::Static,
            _ => LeafValue::Quiescence,
        }
    }

    /// The value of an open position that was counted already, side to move; beyond the window only a bound.
    ///
    /// # Errors
    /// [`Interrupt`] in the middle of a quiescence search.
    pub fn of<G: Game, E: Evaluator<G>, P: Probe>(
        self,
        evaluator: &E,
        context: &mut Context<P>,
        position: &G,
        state: E::State,
        ply: usize,
        (alpha, beta): (Score, Score),
    ) -> Result<Score, Interrupt> {
        if self == LeafValue::Static {
            return Ok(evaluator.value(state, position));
        }
        let rules = CaptureRules::DEFAULT;
        Quiescence { evaluator, rules }.search(
            context,
            NodeId::NONE,
            position,
            state,
            alpha,
            beta,
            ply as u16,
            0,
        )
    }
}

const NOT_REPEATED: Repetition = Repetition {
    times: 0,
    plies_back: 0,
};

/// What a position at `ply` is: over, by the rules or by a repetition, or open; only what is cheap to know.
pub(super) fn look<G: Game>(position: &G, repeated: Repetition, ply: usize) -> Seen {
    // Twice counts only where the first time was in the tree, where either side could have gone elsewhere.
    let in_tree = usize::from(repeated.plies_back) <= ply;
    if repeated.times >= 2 || repeated.times == 1 && in_tree {
        let fate = Fate::Repetition {
            times: repeated.times,
            plies_back: repeated.plies_back,
        };
        return Seen::Over(fate, Score::DRAW);
    }
    // Without a check there is nearly always a move: the list is made only when the node is expanded.
    let wants_moves = position.is_check() || position.height().is_some() || ply == 0;
    let (has_moves, single_reply) = if wants_moves {
        let moves = position.legal_moves();
        (!moves.is_empty(), moves.len() == 1)
    } else {
        (true, false)
    };
    match position.ending(has_moves) {
        Some(ending) => Seen::Over(Fate::Ended(ending), position.ending_score(ending)),
        None if !has_moves => Seen::Leaf,
        None => Seen::Open { single_reply },
    }
}

/// The fate of a node whose children stand in the tree.
#[inline]
pub(super) fn expanded(best: MoveCode, searched: usize, moves: usize) -> Fate {
    Fate::Expanded {
        best,
        searched: searched.min(255) as u8,
        skipped: 0,
        moves: moves.min(255) as u8,
        margin: 0,
    }
}

/// An option all best-first algorithms share: how a leaf is valued.
pub(super) const fn leaf_option(default: &'static str) -> OptionSpec {
    OptionSpec {
        key: "leaf",
        default,
        range: Range::Choice(&["static", "quiescence"]),
        summary: "what a leaf is worth: its static value, or a quiescence search from it (its nodes count)",
    }
}

/// How an expansion ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expansion {
    Done,
    /// There are no moves: the fate says what the node is instead.
    Over,
    /// Interrupted, or no memory: the node is as before, and the search is stopping.
    Stopped,
}

/// One legal move on its way into the tree.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Highest gain first, then the order of generation: (bias - gain) << 9 | index.
    key: u32,
    /// Found by the look-ahead: the ending and its score for the side then to move.
    ending: Option<(Ending, Score)>,
}

/// What is known of a position whose side to move is not mated.
pub(super) const NOT_MATED: Proof = Proof {
    lower: Score::loss_in(2),
    upper: Score::win_in(1),
};

const GAIN_BIAS: i32 = 1 << 21;

impl<'a, G: Game, E: Evaluator<G>, P: Probe> Ground<'a, G, E, P> {
    pub fn new(job: &'a Job<'a, G, E>, thread: usize, probe: &'a mut P) -> Self {
        let limits = job.control.limits();
        Ground {
            job,
            tree: job.tree,
            scale: job.tree.scale(),
            context: Context::new(job, thread, probe),
            leaf: LeafValue::new(job.options),
            line: Line::new(job.evaluator, job.situation),
            stopping: false,
            deepest: limits.depth.map_or(usize::MAX, usize::from),
            moves: Moves::new(),
        }
    }

    /// This thread's counters.
    #[inline]
    pub fn worker(&mut self) -> &mut Worker<'a> {
        &mut self.context.worker
    }

    #[inline]
    pub fn report(&mut self, event: impl FnOnce() -> Event) {
        if P::ACTIVE {
            self.context.probe.event(event());
        }
    }

    /// Counts one node; when that reaches a limit the search ends after what is under way.
    #[inline]
    pub fn count_node(&mut self) {
        if self.context.worker.count_node().is_err() {
            self.stopping = true;
        }
    }

    /// Publishes the counters, waits while paused, and notes whether the search has to end.
    pub fn poll(&mut self) {
        if self.context.worker.poll().is_err() {
            self.stopping = true;
        }
    }

    #[inline]
    pub fn set_fate(&mut self, node: &Node, fate: Fate) {
        node.set_fate(fate);
        self.context.worker.count_fate(fate);
    }

    /// Looks at the position at `ply`, which the line was caught up to.
    pub fn look(&self, ply: usize) -> Seen {
        let repeated = if ply > 0 {
            self.line.repetitions(ply)
        } else {
            NOT_REPEATED
        };
        look(self.line.position(ply), repeated, ply)
    }

    /// The value of an open leaf at `ply`, side to move, and the nodes that quiescence counted for it. `None` when
    /// the search was interrupted in the middle.
    pub fn evaluate(&mut self, id: NodeId, ply: usize) -> (Option<Score>, u32) {
        let counted = self.context.worker.nodes();
        let value = self.leaf.of(
            self.job.evaluator,
            &mut self.context,
            self.line.position(ply),
            self.line.state(ply),
            ply,
            (Score::MIN, Score::MAX),
        );
        let nodes = (self.context.worker.nodes() - counted) as u32;
        match value {
            Ok(value) => {
                self.report(|| Event::Evaluate { node: id, value });
                (Some(value), nodes)
            }
            Err(Interrupt) => {
                self.stopping = true;
                (None, nodes)
            }
        }
    }

    /// Enters what [`Ground::look`] found into a node whose game is over.
    ///
    /// A first repetition within the tree is a draw only as long as both sides want it: a value without proof. The
    /// third occurrence and the fifty moves are proven, but only for this path.
    pub fn end(&mut self, id: NodeId, fate: Fate, score: Score) {
        let node = self.tree.node(id);
        let proven = !matches!(fate, Fate::Repetition { times: 0..=1, .. });
        let conditional = matches!(
            fate,
            Fate::Repetition { .. } | Fate::Ended(Ending::FiftyMoves)
        );
        if conditional {
            node.set_path_dependent();
        }
        node.set_expected(self.scale.expected(score));
        self.set_fate(node, fate);
        self.report(|| Event::End {
            node: id,
            fate,
            score,
        });
        if proven && node.tighten(Proof::exact(score)) {
            self.report(|| Event::Prove {
                node: id,
                proof: Proof::exact(score),
            });
        }
    }

    /// Makes the children of the node at `ply`, best prior first, and finds those where the game ends at once.
    ///
    /// Played moves count as nodes; how many is the second answer.
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
        let Some(entries) = self.look_ahead(ply, prior) else {
            return Expansion::Stopped;
        };
        let position = self.line.position(ply);
        let codes = entries
            .iter()
            .map(|e| position.encode(self.moves[(e.key & 511) as usize]));
        let Some(first) = self.tree.allocate_children(id, codes) else {
            self.job.control.stop(StopReason::Memory);
            self.stopping = true;
            return Expansion::Stopped;
        };
        let node = self.tree.node(id);
        self.tree.attach(id, first, entries.len() as u16);
        self.report(|| Event::Expand {
            node: id,
            moves: entries.len() as u16,
        });
        self.fill_children(node, first, &entries, prior);
        let fate = expanded(MoveCode::NONE, 0, entries.len());
        self.set_fate(node, fate);
        Expansion::Done
    }

    fn end_without_moves(&mut self, id: NodeId, ply: usize) {
        let position = self.line.position(ply);
        match position.ending(false) {
            Some(ending) => {
                let score = position.ending_score(ending);
                self.end(id, Fate::Ended(ending), score);
            }
            None => {
                let static_value = self
                    .job
                    .evaluator
                    .value(self.line.state(ply), self.line.position(ply));
                let node = self.tree.node(id);
                self.set_fate(node, Fate::Horizon { static_value });
            }
        }
    }

    /// The moves ordered by gain, those that may end the game tried on the board. `None` when interrupted.
    fn look_ahead(&mut self, ply: usize, prior: &Prior) -> Option<ArrayVec<Entry, MAX_MOVES>> {
        let position = self.line.position(ply);
        let state = self.line.state(ply);
        let mut entries = ArrayVec::new();
        for (i, &m) in self.moves.iter().enumerate() {
            let mut gain = self.job.evaluator.gain(state, position, m);
            let mut ending = None;
            let check = position.gives_check(m);
            if check {
                gain += prior.check_gain;
            }
            if check || position.may_end(m) {
                if self.context.worker.count_node().is_err() {
                    self.stopping = true;
                    return None;
                }
                let mut after = position.clone();
                after.play_keyless(m);
                ending = after
                    .ending(!after.legal_moves().is_empty())
                    // Found again, with the repetitions, when the child is looked at.
                    .filter(|e| *e != Ending::FiftyMoves)
                    .map(|e| (e, after.ending_score(e)));
            }
            let gain = gain.clamp(-GAIN_BIAS + 1, GAIN_BIAS - 1);
            entries.push(Entry {
                key: ((GAIN_BIAS - gain) as u32) << 9 | i as u32,
                ending,
            });
        }
        entries.sort_unstable_by_key(|e| e.key);
        Some(entries)
    }

    fn fill_children(&mut self, node: &Node, first: NodeId, entries: &[Entry], prior: &Prior) {
        let best = entries[0].key >> 9;
        let share = |e: &Entry| prior.share((e.key >> 9) - best);
        let even = prior.even / entries.len() as f32;
        let scale = (1.0 - prior.even) / entries.iter().map(share).sum::<f32>();
        let children = self.tree.children_block(node);
        for (i, (entry, child)) in entries.iter().zip(children).enumerate() {
            child.set_policy(even + scale * share(entry));
            if let Some((ending, score)) = entry.ending {
                child.set_visits(1);
                child.set_nodes(1);
                child.set_total(f64::from(self.scale.expected(score)));
                self.end(NodeId(first.0 + i as u32), Fate::Ended(ending), score);
            } else {
                // The look-ahead would have seen a mate: whoever is to move there isn't mated.
                child.tighten(NOT_MATED);
            }
        }
    }

    /// Recomputes a node's bounds from its children and reports what changed; true if they did.
    pub fn propagate(&mut self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        let (proof, fate) = match proofs::propagate(self.tree, node) {
            Change::None => return false,
            Change::Tighter(proof) => (proof, None),
            Change::Exact(proof, fate) => (proof, Some(fate)),
        };
        if let Some(fate) = fate {
            self.set_fate(node, fate);
        }
        self.report(|| Event::Prove { node: id, proof });
        true
    }

    /// An expected score held within the proven bounds.
    #[inline]
    pub fn clamp(&self, value: f32, proof: Proof) -> f32 {
        if proof.lower.is_loss() && proof.upper.is_win() {
            return value;
        }
        let (lower, upper) = (
            self.scale.expected(proof.lower),
            self.scale.expected(proof.upper),
        );
        value.clamp(lower, upper.max(lower))
    }
}
