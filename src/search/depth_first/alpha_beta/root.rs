//! From the run to the root: the iterations, and the focus before them.

use super::{AlphaBeta, Place, exact};
use crate::eval::Evaluator;
use crate::game::{Game, MoveCode, Score};
use crate::search::common::context::Visit;
use crate::search::depth_first::deepening;
use crate::search::depth_first::focus::Site;
use crate::search::{Event, Focus, Interrupt, Job, Probe, StopReason};
use crate::tree::NodeId;

impl<'a, E, P: Probe> AlphaBeta<'a, E, P> {
    /// Iterations until a limit, a proof or the end of a finite tree; answers the depth of the last one finished.
    pub(super) fn deepen<G: Game>(&mut self, job: &Job<'a, G, E>, thread: usize) -> u16
    where
        E: Evaluator<G>,
    {
        let mut done = job.start.depth;
        for depth in deepening::depths(job, thread) {
            let position = &job.situation.position;
            let root = deepening::root_of(thread);
            if self.iteration(root, position, depth).is_err() {
                return done;
            }
            // A mate that the next iteration came upon later would be lost if it were stopped before.
            self.first_move = self.root_best;
            done = depth;
            if thread > 0 {
                continue;
            }
            let worker = &self.context.worker;
            let score = self.context.root_value(self.root_score);
            let time_is_up = deepening::finish_iteration(worker, depth, self.root_best, score);
            let Ok(solved) = self.is_solved(position, depth) else {
                return done;
            };
            if solved {
                job.control.stop(StopReason::Solved);
                return done;
            }
            if time_is_up {
                job.control.stop(StopReason::Time);
                return done;
            }
        }
        if thread == 0 {
            deepening::stop_at_the_end(job);
        }
        done
    }

    /// Deepens the node of the run's focus with an open window. Answers what is left of it when the search was stopped.
    pub(super) fn focus<G: Game>(&mut self, job: &Job<'a, G, E>) -> Option<Focus>
    where
        E: Evaluator<G>,
    {
        let site = self.context.begin_focus(job)?;
        self.again = site.focus.node;
        let state = self.evaluator.start(&site.position);
        for depth in site.depths.clone() {
            let place = Place {
                node: site.focus.node,
                ply: site.ply,
                depth: i32::from(depth),
                passed: false,
            };
            let counted = self.context.worker.nodes();
            let found = self.search(place, &site.position, state, Score::MIN, Score::MAX);
            let more = |value| !Site::<G>::is_decided(depth, value);
            if !found.is_ok_and(more) || self.context.worker.nodes() == counted {
                break;
            }
        }
        self.again = NodeId::NONE;
        self.context.end_focus(&site)
    }

    fn iteration<G: Game>(
        &mut self,
        root: NodeId,
        position: &G,
        depth: u16,
    ) -> Result<(), Interrupt>
    where
        E: Evaluator<G>,
    {
        self.context.iteration = depth.min(255) as u8;
        if !root.is_none() {
            self.context.emit(|| Event::Iteration { depth });
        }
        let state = self.evaluator.start(position);
        let score = self.within_aspiration(root, position, state, depth)?;
        self.root_score = score.max(self.context.proven_at_root());
        if !root.is_none() {
            let best = self.root_best;
            let score = self.context.root_value(score);
            self.context
                .emit(|| Event::IterationDone { depth, best, score });
        }
        Ok(())
    }

    /// Searches the root between bounds around the value of the iteration before; where the value falls outside, again with
    /// the bound that failed further out.
    fn within_aspiration<G: Game>(
        &mut self,
        node: NodeId,
        position: &G,
        state: E::State,
        depth: u16,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        /// Earlier iterations swing too much.
        const FIRST_DEPTH: u16 = 5;
        /// Beyond this a bound is dropped.
        const WIDEST: i32 = 400;
        let place = Place {
            node,
            ply: 0,
            depth: i32::from(depth),
            passed: false,
        };
        let expected = self.root_score;
        let begin = self
            .aspiration
            .filter(|_| depth >= FIRST_DEPTH && !expected.is_decided());
        let (mut alpha, mut beta) = (Score::MIN, Score::MAX);
        let mut window = begin.unwrap_or(0);
        let around = |by: i32| Score::new(i32::from(expected.raw()) + by);
        if begin.is_some() {
            (alpha, beta) = (around(-window), around(window));
        }
        loop {
            self.root_so_far = None;
            let value = self.search(place, position, state, alpha, beta)?;
            window *= 2;
            if value <= alpha && alpha > Score::MIN {
                alpha = if window > WIDEST || value.is_decided() {
                    Score::MIN
                } else {
                    around(-window).min(Score::new(i32::from(value.raw()) - 1))
                };
            } else if value >= beta && beta < Score::MAX {
                beta = if window > WIDEST || value.is_decided() {
                    Score::MAX
                } else {
                    around(window).max(Score::new(i32::from(value.raw()) + 1))
                };
            } else {
                return Ok(value);
            }
        }
    }

    /// Whether deeper iterations can't bring anything: a mate that is exact, or no move at all.
    fn is_solved<G: Game>(&mut self, position: &G, depth: u16) -> Result<bool, Interrupt>
    where
        E: Evaluator<G>,
    {
        let (best, score) = (self.root_best, self.root_score);
        if best == MoveCode::NONE {
            return Ok(true);
        }
        let Some(plies) = score.mate_plies().map(i16::unsigned_abs) else {
            return Ok(false);
        };
        if plies > depth {
            return Ok(false);
        }
        // Minimax left nothing out.
        let exact = self.rules.is_none() || self.confirms(position, score)?;
        if exact && position.height().is_none() {
            self.context.prove_root(score, best);
        }
        Ok(exact)
    }

    /// Whether a mate that was found at the root is as short as it can be: no move mates sooner, or holds out longer. Asks with
    /// nothing left out, unrecorded.
    ///
    /// # Errors
    /// [`Interrupt`] before it is known.
    pub(super) fn confirms<G: Game>(
        &mut self,
        position: &G,
        score: Score,
    ) -> Result<bool, Interrupt>
    where
        E: Evaluator<G>,
    {
        if score.mate_plies().is_some_and(|plies| plies.abs() <= 2) {
            // Nothing is shorter than a mate with the next move.
            return Ok(true);
        }
        let Some((alpha, beta)) = exact::question(score).filter(|_| self.doubted != score) else {
            return Ok(false);
        };
        let place = Place {
            node: NodeId::NONE,
            ply: 0,
            depth: exact::EXACT_PLIES.into(),
            passed: false,
        };
        let state = self.evaluator.start(position);
        self.confirming = true;
        let found = self.search(place, position, state, alpha, beta);
        self.confirming = false;
        let holds = exact::is_answer(score, found?);
        if !holds {
            self.doubted = score;
        }
        Ok(holds)
    }

    /// The root changes its mind.
    pub(super) fn new_best(&mut self, visit: Visit, code: MoveCode, value: Score) {
        if value < self.context.proven_at_root() {
            return;
        }
        self.root_score = value;
        let code = self.context.root_move(code, value);
        if self.root_best != code {
            let from = std::mem::replace(&mut self.root_best, code);
            if !visit.node.is_none() {
                self.context.emit(|| Event::Best { from, to: code });
            }
        }
    }
}
