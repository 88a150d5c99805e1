//! What every best-first search does in the same way: inspecting a new position, expanding it with a look-ahead of one
//! ply, counting, reporting and propagating proofs.

use super::by_formula::Evaluate;
use super::depth::Reach;
use super::expand::Entries;
use super::position_stack::PositionStack;
use super::proofs::{self, Change};
use super::solver::Solver;
use crate::leaf_belief::LeafBelief;
use crate::leaf_value::LeafValue;
use eval::priors::shares;
use eval::{Evaluator, Valued};
use game::{Ending, Game, MoveCode, Moves, PerMove, Repetition, Scale, Score};
use search::common::context::Context;
use search::common::leaf::Leaf;
use search::endgame::Endgames;
use search::{Event, Interrupt, Job, Probe, Worker};
use tree::{Fate, Node, NodeId, Proof, Tree};

/// One thread of a best-first search: the job, its counters, its probe and its board.
#[derive(Debug)]
pub(super) struct SearchThread<'a, G: Game, E: Evaluator<G>, P: Probe> {
    pub job: &'a Job<'a, G, E>,
    pub tree: &'a Tree,
    pub scale: Scale,
    /// Counters, probe, and what a quiescence search at a leaf needs.
    pub context: Context<'a, P>,
    pub leaf: LeafValue<'a, E>,
    pub solver: Solver,
    /// Values leaves in place of the evaluation.
    evaluate: Option<Evaluate>,
    pub line: PositionStack<'a, G, E>,
    /// The search has to end: unwind without starting anything new.
    pub stopping: bool,
    /// Between two descents the thread knows more than the tree, so a run that started here would not be the same.
    pub midway: bool,
    /// Descents since the leaves' searches forgot; see [`SearchThread::forget_in_time`].
    descents: u32,
    /// The number of descents after which they forget.
    pub forget_after: u32,
    /// Nodes at this ply are not expanded.
    pub deepest: usize,
    /// Whether the principal variation has reached that ply, and since when.
    pub reach: Reach,
    pub moves: Moves<G::Move>,
    /// Scratch memory for an expansion.
    pub entries: Entries,
    /// The move that would be played.
    pub best: MoveCode,
    /// The visits of the root at which the search ends, whatever its nodes.
    pub most_visits: u64,
    /// The path that every descent has to take, from the root to the node of the focus. Empty without a focus.
    pub forced: Vec<NodeId>,
    /// The count of this thread's nodes at which the focus ends.
    pub forced_until: u64,
}

/// What the first look at a position finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PositionStatus {
    /// The game is over, or the position occurred before.
    Over(Fate, Score),
    /// To be evaluated; `single_reply` where there is exactly one legal move, as far as that is known.
    Open { single_reply: bool },
    /// Known to have no moves and no exact value (a toy leaf with a spread).
    Leaf,
}

/// Descents after which the leaves' searches forget; see [`SearchThread::forget_in_time`].
pub(super) const FORGET_AFTER: u32 = 1_024;

const NOT_REPEATED: Repetition = Repetition {
    times: 0,
    plies_back: 0,
};

/// The status of a position at `ply`: over, by the rules or by a repetition, or open. It finds only what is cheap to
/// compute.
pub(super) fn look<G: Game>(
    position: &G,
    repeated: Repetition,
    ply: usize,
    solver: Solver,
    endgames: &Endgames,
) -> PositionStatus {
    // A second occurrence counts only where the first one was in the tree, where either side could have deviated.
    let in_tree = solver.two_fold && usize::from(repeated.plies_back) <= ply;
    let counts = in_tree || solver.two_fold_draws;
    if repeated.times >= 2 || repeated.times == 1 && counts {
        let fate = Fate::Repetition {
            times: repeated.times,
            plies_back: repeated.plies_back,
        };
        return PositionStatus::Over(fate, Score::DRAW);
    }
    // Elsewhere the move list is created only when the node is expanded.
    let wants_moves = position.may_be_over() || ply == 0;
    let (has_moves, single_reply) = if wants_moves {
        let moves = position.legal_moves();
        (!moves.is_empty(), moves.len() == 1)
    } else {
        (true, false)
    };
    match position.ending(has_moves) {
        Some(ending) => PositionStatus::Over(Fate::Ended(ending), position.ending_score(ending)),
        None if !has_moves => PositionStatus::Leaf,
        None => known(position, ply, endgames).unwrap_or(PositionStatus::Open {
            single_reply: single_reply && solver.single_reply,
        }),
    }
}

/// What an endgame table says about a position away from the root, or the known draw that it is.
#[inline]
fn known<G: Game>(position: &G, ply: usize, endgames: &Endgames) -> Option<PositionStatus> {
    if ply == 0 {
        return None;
    }
    if endgames.are_asked()
        && let Some(hit) = endgames.look_up(position, true)
    {
        let score = hit.result.score();
        return Some(PositionStatus::Over(Fate::Tablebase(hit), score));
    }
    let draw = endgames.known_draw(position)?;
    Some(PositionStatus::Over(Fate::KnownDraw { draw }, Score::DRAW))
}

/// The fate of a node whose children are in the tree.
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

/// The bounds of a position whose side to move is not mated.
pub(super) const NOT_MATED: Proof = Proof {
    lower: Score::loss_in(2),
    upper: Score::win_in(1),
};

/// The bounds of a position whose side to move is not mated, before any move is searched.
pub(super) fn first_bounds<G: Game>(position: &G) -> Proof {
    let mut proof = NOT_MATED;
    if !position.can_win(position.turn()) {
        proof.upper = Score::DRAW;
    }
    if !position.can_win(position.turn().other()) {
        proof.lower = Score::DRAW;
    }
    proof
}

impl<'a, G: Game, E: Evaluator<G>, P: Probe> SearchThread<'a, G, E, P> {
    pub fn new(job: &'a Job<'a, G, E>, thread: usize, probe: &'a mut P) -> Self {
        let limits = job.control.limits();
        SearchThread {
            job,
            tree: job.tree,
            scale: job.tree.scale(),
            context: Context::new(job, thread, probe),
            leaf: LeafValue::new(job, thread),
            solver: Solver::ALL,
            evaluate: Evaluate::new(job.options),
            line: PositionStack::new(job.evaluator, job.situation),
            stopping: false,
            midway: false,
            descents: 0,
            forget_after: FORGET_AFTER,
            deepest: limits.depth.map_or(usize::MAX, usize::from),
            reach: Reach::default(),
            moves: Moves::new(),
            entries: Entries::default(),
            best: job.first_best(),
            most_visits: u64::MAX,
            forced: Vec::new(),
            forced_until: 0,
        }
    }

    /// Called before a descent: from time to time the leaves' searches forget what they have learnt about the order of
    /// moves, which is part of no tree. Only then may a run be taken up again elsewhere, which is what makes rewinding
    /// exact. Returns whether they forgot.
    pub fn forget_in_time(&mut self) -> bool {
        self.midway = false;
        if !self.leaf.is_search() {
            return false;
        }
        let forgets = self.descents == self.forget_after;
        if forgets {
            self.descents = 0;
            self.leaf.forget();
        }
        self.descents += 1;
        self.midway = self.descents < self.forget_after;
        forgets
    }

    /// Whether the leaves' searches forget before the next descent.
    pub fn is_about_to_forget(&self) -> bool {
        self.descents == self.forget_after
    }

    /// Looks at a child of the position at `ply`, to which the line was caught up with its children prepared
    /// ([`PositionStack::before_children`]). At the root the endgame tables may have thrown its move away.
    pub fn look_at_child(&self, child: &G, m: MoveCode, ply: usize) -> PositionStatus {
        let thrown = if ply == 0 { self.thrown(m) } else { None };
        match thrown {
            Some(fate @ Fate::Tablebase(hit)) => PositionStatus::Over(fate, hit.result.score()),
            _ => look(
                child,
                self.line.child_repetitions(child),
                ply + 1,
                self.solver,
                &self.context.endgames,
            ),
        }
    }

    /// This thread's counters.
    #[inline]
    pub fn worker(&mut self) -> &mut Worker<'a> {
        &mut self.context.worker
    }

    #[inline]
    pub fn report(&mut self, event: impl FnOnce() -> Event) {
        self.context.emit(event);
    }

    /// Whether anybody will see the next [`SearchThread::report`].
    #[inline]
    pub fn will_report(&self) -> bool {
        self.context.will_report()
    }

    /// Counts one node; if that reaches a limit, the search ends after the current work.
    #[inline]
    pub fn count_node(&mut self) {
        if self.context.worker.count_node().is_err() {
            self.stopping = true;
        }
    }

    /// Publishes the counters, waits while paused, and records whether the search has to end.
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

    /// Inspects the position at `ply`, to which the line was caught up.
    pub fn look(&self, ply: usize) -> PositionStatus {
        let repeated = if ply > 0 {
            self.line.repetitions(ply)
        } else {
            NOT_REPEATED
        };
        let position = self.line.position(ply);
        let endgames = &self.context.endgames;
        look(position, repeated, ply, self.solver, endgames)
    }

    /// Sets the bounds that are certain for a position whose side to move is not mated: nobody wins without the pieces
    /// for it. Returns whether that is news.
    pub fn bound_at_first(&mut self, id: NodeId, ply: usize) -> bool {
        let proof = first_bounds(self.line.position(ply));
        let news = self.tree.node(id).tighten(proof);
        // The look-ahead reports the other bounds for every child.
        if news && proof != NOT_MATED {
            self.report(|| Event::Prove { node: id, proof });
        }
        news
    }

    /// Whether the side to move at `ply` mates with its next move; if not, a bound records that. The moves tried count
    /// as nodes. It also returns true where the search has to end before the answer is known.
    pub fn mates_at_once(&mut self, id: NodeId, ply: usize) -> bool {
        let position = self.line.position(ply);
        let checks = position.checks();
        for m in position.legal_moves() {
            if !position.may_win(&checks, m) {
                continue;
            }
            if self.stopping || self.context.worker.count_node().is_err() {
                self.stopping = true;
                return true;
            }
            let mut after = position.clone();
            after.play_keyless(m);
            let ending = after.ending(!after.legal_moves().is_empty());
            if ending.is_some_and(Ending::is_lost) {
                return true;
            }
        }
        let proof = Proof {
            lower: Score::LOSS,
            upper: Score::win_in(3),
        };
        if self.tree.node(id).tighten(proof) {
            let proof = self.tree.node(id).proof();
            self.report(|| Event::Prove { node: id, proof });
        }
        false
    }

    /// Sorts the moves at `ply`, in `self.moves`, before they are searched one by one: the table's move first, then
    /// those that gain most.
    pub fn most_promising_first(&mut self, ply: usize) {
        let (position, state) = (self.line.position(ply), self.line.state(ply));
        let known = self.job.tables.best_move(position.key());
        let evaluator = self.job.evaluator;
        self.moves.sort_by_key(|&m| {
            let is_known = known == Some(position.encode(m));
            (!is_known, -evaluator.gain(state, position, m))
        });
    }

    /// Like [`SearchThread::most_promising_first`], by the evaluation's policy; answers the moves' shares of it, in their new
    /// order. `None`, and the order is as it was, where the evaluation has no policy.
    pub fn likeliest_first(&mut self, ply: usize) -> Option<PerMove<f32>> {
        let (position, state) = (self.line.position(ply), self.line.state(ply));
        let promise = self.job.evaluator.policy(state, position, &self.moves)?;
        let shares = shares(&promise);
        let known = self.job.tables.best_move(position.key());
        let mut order: PerMove<(bool, i32, usize)> = PerMove::new();
        for (place, (&m, &by)) in self.moves.iter().zip(&promise).enumerate() {
            order.push((known != Some(position.encode(m)), -by, place));
        }
        order.sort_unstable();
        let sorted = order.iter().map(|&(.., place)| self.moves[place]).collect();
        self.moves = sorted;
        Some(
            order
                .iter()
                .map(|&(.., place)| shares[place] as f32)
                .collect(),
        )
    }

    /// Records what a leaf's search found about mates, with `value` in the window it had, and reports it.
    pub fn note_mate(&mut self, id: NodeId, value: Score, window: (Score, Score)) {
        if self.keep_mate(id, value, window) {
            self.report_proof(id);
        }
    }

    /// Records what a leaf's search found about mates, with `value` in the window it had: it may have missed a shorter
    /// mate, but never a refutation. Returns whether that is new.
    pub fn keep_mate(&self, id: NodeId, value: Score, (alpha, beta): (Score, Score)) -> bool {
        if !value.is_decided() {
            return false;
        }
        let proof = match value.is_win() {
            true if value > alpha => Proof {
                lower: value,
                ..Proof::OPEN
            },
            false if value < beta => Proof {
                upper: value,
                ..Proof::OPEN
            },
            _ => return false,
        };
        self.tree.node(id).tighten(proof)
    }

    /// Reports a node's proof.
    pub fn report_proof(&mut self, id: NodeId) {
        let proof = self.tree.node(id).proof();
        self.report(|| Event::Prove { node: id, proof });
    }

    /// The value of an open leaf at `ply`, from the view of the side to move, and the nodes that quiescence counted for
    /// it. `None` if the search was interrupted in the middle.
    pub fn evaluate(&mut self, ply: usize) -> (Option<Score>, u32) {
        let counted = self.context.worker.nodes();
        let leaf = Leaf {
            position: self.line.position(ply),
            state: self.line.state(ply),
            history: self.line.history(),
            before: self.line.moves_before(self.tree, ply),
            ply,
            depth: 0,
            window: (Score::MIN, Score::MAX),
        };
        let value = self.leaf.of(self.job.evaluator, &mut self.context, &leaf);
        let nodes = (self.context.worker.nodes() - counted) as u32;
        match value {
            Ok(value) => (Some(value), nodes),
            Err(Interrupt) => {
                self.stopping = true;
                (None, nodes)
            }
        }
    }

    /// The expected score at `ply`, where leaves are not searched and the evaluation knows it better than by its value.
    #[inline]
    pub fn expected(&self, ply: usize) -> Option<f32> {
        if !matches!(self.leaf, LeafValue::Static) {
            return None;
        }
        let (state, position) = (self.line.state(ply), self.line.position(ply));
        self.job.evaluator.expected(state, position)
    }

    /// What the formula for leaves makes of the value of the one at `ply`, where there is one.
    #[inline]
    pub fn by_formula(&mut self, ply: usize, value: Score, expected: f32) -> f32 {
        match &self.evaluate {
            None => expected,
            Some(_) => {
                let at = (self.line.state(ply), self.line.position(ply));
                let expected = self.valued_by_formula(at, value, expected, ply);
                self.note_undefined();
                expected
            }
        }
    }

    /// What the formula for leaves makes of a leaf's value, where there is one.
    pub fn valued_by_formula(
        &self,
        (state, position): (&E::State, &G),
        value: Score,
        expected: f32,
        ply: usize,
    ) -> f32 {
        let Some(evaluate) = &self.evaluate else {
            return expected;
        };
        evaluate.of(expected, ply, || {
            let valued = Valued { value, depth: 0 };
            LeafBelief::of(self.job.evaluator, (state, position), &valued, expected)
        })
    }

    /// Counts how often the formula for leaves had no finite value.
    pub fn note_undefined(&mut self) {
        if let Some(evaluate) = &self.evaluate {
            self.context.worker.undefined += evaluate.take_undefined();
        }
    }

    /// Records a draw by a repetition within the tree, which holds as long as the first occurrence is in the tree.
    pub fn note_two_fold(&self, id: NodeId, fate: Fate, ply: usize) {
        if let Fate::Repetition {
            times: 1,
            plies_back,
        } = fate
            && self.job.options.reuses_tree()
            && usize::from(plies_back) <= ply
        {
            let following = self.line.at(ply + 1 - usize::from(plies_back));
            self.tree.note_two_fold(following, id);
        }
    }

    /// Writes the result of [`SearchThread::look`] to a node whose game is over.
    ///
    /// A first repetition within the tree is a draw only as long as both sides want it: a value without proof. The
    /// third occurrence and the fifty moves are proven, but only for this path.
    pub fn end(&mut self, id: NodeId, fate: Fate, score: Score) {
        let node = self.tree.node(id);
        let proof = match fate {
            Fate::Repetition { times: 0..=1, .. } => Proof::OPEN,
            Fate::Tablebase(hit) => Proof::of_table(hit),
            _ => Proof::exact(score),
        };
        let conditional = match fate {
            Fate::Tablebase(hit) => hit.depends_on_clock(),
            _ => matches!(
                fate,
                Fate::Repetition { .. } | Fate::Ended(Ending::FiftyMoves)
            ),
        };
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
        if proof != Proof::OPEN && node.tighten(proof) {
            self.report(|| Event::Prove { node: id, proof });
        }
    }

    /// Recomputes a node's bounds from its children and reports changes; returns whether there were any.
    pub fn propagate(&mut self, id: NodeId) -> bool {
        if !self.solver.propagation {
            return false;
        }
        let node = self.tree.node(id);
        let (proof, fate) = match proofs::propagate(self.tree, node) {
            Change::None => return false,
            Change::Tighter(proof) => (proof, None),
            Change::Exact(proof, _) if id == Tree::ROOT && self.solver.open_root => (proof, None),
            Change::Exact(proof, fate) => (proof, Some(fate)),
        };
        if let Some(fate) = fate {
            self.set_fate(node, fate);
        } else {
            self.name_proven(node);
        }
        self.report(|| Event::Prove { node: id, proof });
        true
    }

    /// Makes the fate of a node whose result, but not its distance, is proven name the move that proves it: there may
    /// be no further visit before somebody reads the fate.
    fn name_proven(&self, node: &Node) {
        let before = node.fate();
        if let Fate::Expanded { searched, .. } = before
            && let Some(best) = proofs::proven_best(self.tree, node)
        {
            let moves = usize::from(node.child_count());
            node.claim(before, expanded(best, usize::from(searched), moves));
        }
    }

    /// An expected score, limited to the proven bounds.
    #[inline]
    pub fn clamp(&self, value: f32, proof: Proof) -> f32 {
        clamp(self.scale, value, proof)
    }
}

/// An expected score, limited to proven bounds.
#[inline]
pub(super) fn clamp(scale: Scale, value: f32, proof: Proof) -> f32 {
    if proof.lower.is_loss() && proof.upper.is_win() {
        // A mean of assumed normal distributions may lie beyond.
        return value.clamp(-1.0, 1.0);
    }
    let (lower, upper) = (scale.expected(proof.lower), scale.expected(proof.upper));
    value.clamp(lower, upper.max(lower))
}
