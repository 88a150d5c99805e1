//! What every depth-first thread carries.

mod record;

use arrayvec::ArrayVec;

use super::auditor::Auditor;
use super::picker::Picker;
use crate::endgame::Endgames;
use crate::{AfterEvent, Choices, Estimate, Event, Job, LeafVisit, Probe, Worker};
use game::{Drawn, Game, History, MAX_MOVES, MoveCode, Repetition, Score};
use tree::{Bound, Fate, NodeId, Recorder, Window};

/// A depth-first thread's counters, recorder and probe.
#[derive(Debug)]
pub struct Context<'a, P> {
    pub worker: Worker<'a>,
    pub recorder: Recorder<'a>,
    pub probe: &'a mut P,
    /// The positions from the game's start to the current node.
    pub history: History,
    /// The positions that are drawn at once, and the salt that separates table entries found with them from others.
    pub drawn: Drawn,
    salt: u64,
    /// The current iteration.
    pub iteration: u8,
    /// What is recorded comes from searching a node again because the user opened it.
    again: bool,
    /// Moves that the user took out, and whether there are any.
    pub choices: &'a Choices,
    pub narrowed: bool,
    /// `None`: nothing is audited.
    pub auditor: Option<Auditor>,
    /// What the search leaves out may hide a shorter mate, so a mate that it finds is a bound.
    pub selective: bool,
    pub endgames: Endgames<'a>,
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
    pub nodes_before: u64,
}

impl Visit {
    /// Whether no score lies between alpha and beta.
    #[inline]
    pub fn is_null_window(&self) -> bool {
        i32::from(self.beta.raw()) - i32::from(self.alpha.raw()) <= 1
    }

    /// The window with the value that the visit has found.
    #[inline]
    pub fn result(&self, value: Score, bound: Bound) -> Window {
        Window {
            alpha: self.alpha,
            beta: self.beta,
            depth: self.depth as i8,
            value,
            bound,
        }
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
    pub fn new<G: Game, E: eval::Evaluator<G>>(
        job: &Job<'a, G, E>,
        thread: usize,
        probe: &'a mut P,
    ) -> Self {
        Self::with_worker(job, Worker::new(job.control, thread), probe)
    }

    pub fn with_worker<G: Game, E: eval::Evaluator<G>>(
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

    /// Passes an event to the probe, and waits where the probe says so. The counters are published first: whoever learns
    /// from the probe that the search stands at the event reads those of the event.
    #[cold]
    #[inline(never)]
    fn report(&mut self, event: Event) {
        self.worker.publish();
        let after = self.probe.event(event);
        self.hold_if(after);
    }

    /// Tells the probe that a leaf's search is about to begin, and waits where the probe says so.
    #[inline]
    pub fn tell_leaf_visit(&mut self, visit: &LeafVisit) {
        if P::ACTIVE {
            let after = self.probe.leaf_visit(visit);
            self.hold_if(after);
        }
    }

    fn hold_if(&mut self, after: AfterEvent) {
        if after == AfterEvent::Hold {
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

    /// A position, other than the root, that an endgame table knows right after a capture or a pawn move.
    #[inline]
    pub fn in_tables<G: Game>(&self, position: &G, ply: u16) -> Option<(Score, Fate)> {
        if ply == 0 || !self.endgames.are_asked() {
            return None;
        }
        let hit = self.endgames.look_up(position, false)?;
        Some((hit.result.score(), Fate::Tablebase(hit)))
    }

    /// A position, other than the root, that is known to be drawn. Unlike a win by the tables, that answers every question,
    /// also one about a mate.
    #[inline]
    pub fn known_draw<G: Game>(&self, position: &G, ply: u16) -> Option<(Score, Fate)> {
        if ply == 0 {
            return None;
        }
        let draw = self.endgames.known_draw(position)?;
        Some((Score::DRAW, Fate::KnownDraw { draw }))
    }

    /// Makes a move on a board that leads to a position of quiescence, which does not use the key, unless a position may
    /// be drawn by repetition there too.
    #[inline]
    pub fn make<G: Game>(&self, next: &mut G, m: G::Move) {
        if self.drawn.is_empty() {
            next.play_keyless(m);
        } else {
            next.play(m);
        }
    }

    /// The key of a position in the transposition table, which separates it from what was found with other positions
    /// drawn by repetition.
    #[inline]
    pub fn place_in_table<G: Game>(&self, position: &G) -> u64 {
        position.key() ^ self.salt
    }

    /// The fate of a draw in quiescence: the position has occurred twice in the game.
    #[inline]
    pub fn drawn_by_game<G: Game>(&self, position: &G, ply: u16) -> Option<Fate> {
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

    /// Notes which move of the recorded root is searched next, after `searched` others.
    #[inline]
    pub fn note_root_move(&self, visit: &Visit, code: MoveCode, searched: u8) {
        if visit.ply == 0 && !visit.node.is_none() {
            let number = searched.saturating_add(1);
            self.worker.control().note_root_move(code, number);
        }
    }

    /// Begins to search a node's moves, without those that the user took out.
    #[inline]
    pub fn begin_moves<G: Game>(&mut self, visit: &Visit, moves: &mut Picker<'_, G>) {
        let node = visit.node;
        if P::ACTIVE && !node.is_none() && self.probe.wants() {
            moves.list();
            let moves = moves.len() as u16;
            self.report(Event::Expand { node, moves });
        }
        if visit.on_choices {
            self.leave_out(visit, moves, true);
        }
        if visit.ply == 0 {
            self.leave_out_by_tables(visit, moves);
        }
    }
}
