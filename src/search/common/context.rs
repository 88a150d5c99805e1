//! What every depth-first thread carries, and how it writes a visited node into the tree.

use arrayvec::ArrayVec;

use super::auditing::Auditor;
use super::picker::Picker;
use crate::game::{Drawn, Ending, Game, History, MAX_MOVES, MoveCode, Repetition, Score};
use crate::search::endgame::Endgames;
use crate::search::event::AfterEvent;
use crate::search::{Choices, Estimate, Event, Interrupt, Job, Probe, Worker};
use crate::tree::{Bound, Fate, NodeId, Proof, Recorder, Tree, Window};

/// A depth-first thread's counters, recorder and probe.
#[derive(Debug)]
pub struct Context<'a, P> {
    pub worker: Worker<'a>,
    pub recorder: Recorder<'a>,
    pub probe: &'a mut P,
    /// The positions from the game's start to the current node.
    pub history: History,
    /// The positions that are drawn at once, and the salt that separates table entries found with them from others.
    pub(in crate::search) drawn: Drawn,
    salt: u64,
    /// The current iteration.
    pub iteration: u8,
    /// What is recorded comes from searching a node again because the user opened it.
    again: bool,
    /// Moves that the user took out, and whether there are any.
    pub(in crate::search) choices: &'a Choices,
    pub(in crate::search) narrowed: bool,
    /// `None`: nothing is audited.
    pub(in crate::search) auditor: Option<Auditor>,
    /// What the search leaves out may hide a shorter mate, so a mate that it finds is a bound.
    pub(in crate::search) selective: bool,
    pub(in crate::search) endgames: Endgames<'a>,
}

/// A visit to a node, from entering to leaving it.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    pub node: NodeId,
    pub ply: u16,
    pub alpha: Score,
    pub beta: Score,
    /// Plies remaining; 0 or less in quiescence.
    pub depth: i32,
    /// The value rests on moves that the user took out, so the table knows nothing about it.
    pub on_choices: bool,
    /// The static value is higher than the one two plies before.
    pub improving: bool,
    /// The thread's node count when it entered the node.
    pub(in crate::search) nodes_before: u64,
}

impl Visit {
    /// Whether no score lies between alpha and beta.
    #[inline]
    pub fn is_null_window(&self) -> bool {
        i32::from(self.beta.raw()) - i32::from(self.alpha.raw()) <= 1
    }

    /// The bound that a fail-soft value is to the window.
    #[inline]
    pub fn bound_of(&self, value: Score) -> Bound {
        if value >= self.beta {
            Bound::Lower
        } else if value <= self.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }
}

/// The moves skipped at one node, in the order of the decisions.
pub type Skips = ArrayVec<(MoveCode, Fate), MAX_MOVES>;

impl<'a, P: Probe> Context<'a, P> {
    pub fn new<G: Game, E: crate::eval::Evaluator<G>>(
        job: &Job<'a, G, E>,
        thread: usize,
        probe: &'a mut P,
    ) -> Self {
        Self::with_worker(job, Worker::new(job.control, thread), probe)
    }

    pub fn with_worker<G: Game, E: crate::eval::Evaluator<G>>(
        job: &Job<'a, G, E>,
        worker: Worker<'a>,
        probe: &'a mut P,
    ) -> Self {
        let endgames = Endgames::new(job);
        let drawn = Drawn::of(job.situation);
        Context {
            salt: drawn.salt(),
            drawn,
            worker,
            recorder: Recorder::new(job.tree),
            probe,
            history: job.situation.history.clone(),
            iteration: 0,
            again: false,
            choices: job.choices,
            narrowed: !job.choices.is_empty(),
            auditor: None,
            // In chess a mate value is a bound: quiescence and the rules leave moves out, and repetitions on the way
            // count as draws.
            selective: job.situation.position.height().is_none(),
            endgames,
        }
    }

    /// Starts a re-search of an iteration's node, which may use the room reserved for re-searches.
    pub fn record_again(&mut self, iteration: u8) {
        self.iteration = iteration;
        self.again = true;
        self.recorder = Recorder::for_search_again(self.recorder.tree());
    }

    /// Marks what is recorded from now on as searched again in that iteration; `None` ends the marking.
    pub fn mark_again(&mut self, iteration: Option<u8>) {
        self.again = iteration.is_some();
        self.iteration = iteration.unwrap_or(0);
    }

    #[inline]
    pub fn emit(&mut self, event: impl FnOnce() -> Event) {
        if P::ACTIVE && self.probe.wants() {
            self.report(event());
        }
    }

    /// Passes an event to the probe, and waits where the probe says so.
    #[cold]
    #[inline(never)]
    fn report(&mut self, event: Event) {
        if self.probe.event(event) == AfterEvent::Hold {
            let probe = &self.probe;
            self.worker.hold(|| probe.holds());
        }
    }

    /// Reports that a child is the best so far: its parent was worth `before`, and is now worth at least `after`.
    #[inline]
    pub fn emit_back_up(&mut self, visit: &Visit, child: NodeId, before: Score, after: Score) {
        if visit.node.is_none() {
            return;
        }
        let scale = self.recorder.tree().scale();
        let estimate = |score| Estimate::point(scale.expected(score));
        self.emit(|| Event::BackUp {
            node: visit.node,
            child,
            worth: Some(scale.expected(after)),
            before: (before > Score::LOSS).then(|| estimate(before)),
            after: estimate(after),
        });
    }

    /// Whether anybody will see the next event.
    #[inline]
    pub fn will_report(&self) -> bool {
        P::ACTIVE && self.probe.will_want()
    }

    /// The recorded child for a move that is about to be searched or skipped.
    #[inline]
    pub fn child(&mut self, parent: NodeId, after: NodeId, m: MoveCode, ply: u16) -> NodeId {
        let child = self.recorder.child(parent, after, m, ply);
        if child.is_none() {
            self.worker.unrecorded = self.recorder.unrecorded;
        }
        child
    }

    /// Enters a node with a window.
    #[inline]
    pub fn enter(
        &mut self,
        node: NodeId,
        ply: u16,
        alpha: Score,
        beta: Score,
        depth: i32,
    ) -> Visit {
        self.worker.selective_depth = self.worker.selective_depth.max(ply);
        if !node.is_none() {
            self.emit(|| Event::Enter {
                node,
                alpha,
                beta,
                depth: depth as i8,
            });
        }
        Visit {
            node,
            ply,
            alpha,
            beta,
            depth,
            on_choices: self.rests_on_choices(node, ply),
            improving: false,
            nodes_before: self.worker.nodes(),
        }
    }

    /// Leaves a node: counts its fate, writes its result into the tree, and returns the value.
    #[inline]
    pub fn leave(
        &mut self,
        visit: Visit,
        value: Score,
        static_value: Option<Score>,
        fate: Fate,
    ) -> Score {
        self.leave_as(visit, value, visit.bound_of(value), static_value, fate)
    }

    /// Like [`Context::leave`], for a value whose bound does not follow from its place in the window.
    #[inline]
    pub fn leave_as(
        &mut self,
        visit: Visit,
        value: Score,
        bound: Bound,
        static_value: Option<Score>,
        fate: Fate,
    ) -> Score {
        self.worker.count_fate(fate);
        if visit.node.is_none() {
            return value;
        }
        self.record(visit, value, bound, static_value, fate);
        let node = visit.node;
        match fate {
            Fate::BetaCutoff { .. } | Fate::ProbabilisticCutoff { .. } | Fate::StandPat { .. } => {
                self.emit(|| Event::Cut { node, fate });
            }
            _ if fate.is_cut_before_moves() => self.emit(|| Event::Cut { node, fate }),
            Fate::TableHit { .. } => self.emit(|| Event::TableHit { node, fate }),
            Fate::Ended(_) | Fate::Repetition { .. } | Fate::Tablebase(_) => {
                self.emit(|| Event::End {
                    node,
                    fate,
                    score: value,
                });
            }
            _ => {}
        }
        self.prove(visit, value, bound, fate);
        self.emit(|| Event::Leave {
            node,
            score: value,
            bound,
        });
        value
    }

    /// Writes the result of a visit, without leaving the node.
    pub fn write(
        &mut self,
        visit: Visit,
        value: Score,
        bound: Bound,
        static_value: Option<Score>,
        fate: Fate,
    ) {
        self.record(visit, value, bound, static_value, fate);
        self.prove(visit, value, bound, fate);
    }

    #[inline]
    fn record(
        &mut self,
        visit: Visit,
        value: Score,
        bound: Bound,
        static_value: Option<Score>,
        fate: Fate,
    ) {
        let node = self.recorder.tree().node(visit.node);
        node.set_visits(node.visits() + 1);
        // The node itself was counted by its parent before it was entered.
        node.set_nodes(node.nodes() + self.worker.nodes() - visit.nodes_before + 1);
        node.set_static_and_iteration(static_value, self.iteration, self.again);
        if visit.improving {
            node.set_improving();
        }
        // A proven win stays with its move and its value, whatever a later iteration found.
        if visit.node == Tree::ROOT && value < self.proven_at_root() {
            return;
        }
        node.set_window(Window {
            alpha: visit.alpha,
            beta: visit.beta,
            depth: visit.depth as i8,
            value,
            bound,
        });
        node.set_fate(fate);
    }

    /// Records what a mate or an end of the game proves.
    #[inline]
    fn prove(&mut self, visit: Visit, value: Score, bound: Bound, fate: Fate) {
        if value.is_decided() || matches!(fate, Fate::Ended(_) | Fate::Tablebase(_)) {
            let at_least = Proof {
                lower: value,
                ..Proof::OPEN
            };
            let at_most = Proof {
                upper: value,
                ..Proof::OPEN
            };
            let proof = match bound {
                _ if matches!(fate, Fate::Ended(_)) => Proof::exact(value),
                _ if let Fate::Tablebase(hit) = fate => Proof::of_table(hit),
                // The moves left out may include a shorter win, but never a refutation of this one; likewise for a
                // loss.
                _ if self.selective && value.is_win() && bound != Bound::Upper => at_least,
                _ if self.selective && value.is_loss() && bound != Bound::Lower => at_most,
                _ if self.selective => return,
                Bound::Lower => at_least,
                Bound::Upper => at_most,
                _ => Proof::exact(value),
            };
            let node = self.recorder.tree().node(visit.node);
            if matches!(fate, Fate::Ended(Ending::FiftyMoves)) {
                node.set_path_dependent();
            }
            if node.tighten(proof) {
                self.emit(|| Event::Prove {
                    node: visit.node,
                    proof,
                });
            }
        }
    }

    /// What the root is proven to be worth at least, if that is a mate; otherwise the lowest score.
    pub fn proven_at_root(&self) -> Score {
        let proof = self.recorder.tree().node(Tree::ROOT).proof();
        let mates = proof.is_win() && !proof.lower.is_without_length();
        if mates && self.worker.index() == 0 {
            proof.lower
        } else {
            Score::MIN
        }
    }

    /// Proves that the root's value is a mate of exactly this length, by `best`: no move is worth more, and this one is
    /// worth as much.
    pub fn prove_root(&mut self, value: Score, best: MoveCode) {
        let tree = self.recorder.tree();
        let child = tree.child_by_move(Tree::ROOT, best);
        let of_child = Proof::exact(value.one_ply_down());
        let proven = [(Some(Tree::ROOT), Proof::exact(value)), (child, of_child)];
        for (node, proof) in proven {
            if let Some(node) = node
                && tree.node(node).tighten(proof)
            {
                self.emit(|| Event::Prove { node, proof });
            }
        }
    }

    /// A position, other than the root, that an endgame table knows right after a capture or a pawn move.
    #[inline]
    pub fn in_tables<G: Game>(&self, position: &G, ply: u16) -> Option<(Score, Fate)> {
        if ply == 0 || !self.endgames.are_asked() {
            return None;
        }
        let hit = self.endgames.look_up(position, false)?;
        Some((hit.result.score(), Fate::Tablebase(hit)))
    }

    /// Makes a move on a board. Quiescence does not use the key, unless a position may be drawn by repetition there
    /// too.
    #[inline]
    pub(in crate::search) fn make<G: Game>(&self, next: &mut G, m: G::Move, in_quiescence: bool) {
        if in_quiescence && self.drawn.is_empty() {
            next.play_keyless(m);
        } else {
            next.play(m);
        }
    }

    /// The key of a position in the transposition table, which separates it from what was found with other positions
    /// drawn by repetition.
    #[inline]
    pub(in crate::search) fn place_in_table<G: Game>(&self, position: &G) -> u64 {
        position.key() ^ self.salt
    }

    /// The fate of a draw in quiescence: the position has occurred twice in the game.
    #[inline]
    pub(in crate::search) fn drawn_by_game<G: Game>(&self, position: &G, ply: u16) -> Option<Fate> {
        if self.drawn.is_empty() || ply == 0 {
            return None;
        }
        let Repetition { times, plies_back } = self.drawn.repetition(position.key(), ply)?;
        Some(Fate::Repetition { times, plies_back })
    }

    /// Draws that depend on the way to the position: a repetition within the search counts at once, a repetition of one
    /// of the game's earlier positions when it would be the third occurrence.
    pub fn draw_on_the_way<G: Game>(&self, position: &G, ply: u16) -> Option<(Score, Fate)> {
        let repetition = self
            .history
            .repetitions(position.key(), position.reversible_plies());
        let in_search = repetition.plies_back > 0 && repetition.plies_back <= ply;
        (in_search || repetition.times >= 2).then_some((
            Score::DRAW,
            Fate::Repetition {
                times: repetition.times,
                plies_back: repetition.plies_back,
            },
        ))
    }

    /// Handles a stop in the middle of a node by keeping what is known about it.
    #[cold]
    pub fn interrupt(&mut self, visit: Visit) -> Interrupt {
        if !visit.node.is_none() {
            let node = self.recorder.tree().node(visit.node);
            node.set_nodes(node.nodes() + self.worker.nodes() - visit.nodes_before + 1);
            if node.visits() == 0 {
                node.set_fate(Fate::Interrupted);
            }
        }
        Interrupt
    }

    /// The move to search first: at the root `at_root`, elsewhere the table's move, and where the table is not used,
    /// the best move of an earlier visit. `NONE` if there is none.
    #[inline]
    pub fn first_to_search(
        &self,
        visit: &Visit,
        at_root: MoveCode,
        known: Option<MoveCode>,
    ) -> MoveCode {
        if visit.ply == 0 && at_root != MoveCode::NONE {
            at_root
        } else if visit.on_choices {
            self.recorded_best(visit.node)
        } else {
            known.unwrap_or(MoveCode::NONE)
        }
    }

    /// Begins to search a node's moves, without those that the user took out.
    #[inline]
    pub fn begin_moves<M: Copy>(&mut self, visit: &Visit, moves: &mut Picker<'_, M>) {
        let node = visit.node;
        if !node.is_none() {
            let moves = moves.len() as u16;
            self.emit(|| Event::Expand { node, moves });
        }
        if visit.on_choices {
            self.leave_out(visit, moves, true);
        }
        if visit.ply == 0 {
            self.leave_out_by_tables(visit, moves);
        }
    }

    /// Skips a move: counts it, reports it, and keeps it until the node is left.
    #[inline]
    pub fn skip(&mut self, visit: &Visit, skips: &mut Skips, m: MoveCode, fate: Fate) {
        let before = skips.len();
        skips.push((m, fate));
        self.skipped(visit, &skips[before..]);
    }

    /// Counts and reports skipped moves that share one fate.
    #[inline]
    pub fn skipped(&mut self, visit: &Visit, new: &[(MoveCode, Fate)]) {
        let Some(&(_, fate)) = new.first() else {
            return;
        };
        self.worker.count_fates(fate, new.len());
        if P::ACTIVE && !visit.node.is_none() && !self.probe.passes_over(new.len() as u64) {
            for &(m, fate) in new {
                let parent = visit.node;
                self.emit(|| Event::Prune { parent, m, fate });
            }
        }
    }

    /// Creates children for the skipped moves, after the child `last`, unless the node's own numbers imply them: in a
    /// null window that failed low, most were skipped by the same numbers (see [`Fate::Expanded`]).
    pub fn record_skips(&mut self, visit: &Visit, value: Score, skips: &Skips, last: NodeId) {
        if visit.node.is_none() {
            return;
        }
        let failed_low = visit.is_null_window() && value < visit.beta;
        let mut last = last;
        for &(m, fate) in skips {
            if failed_low && fate.info().implied {
                continue;
            }
            let child = self.child(visit.node, last, m, visit.ply + 1);
            if child.is_none() {
                return;
            }
            self.recorder.tree().node(child).set_fate(fate);
            last = child;
        }
    }
}
