//! From the run to the root: the iterations with their windows, and the focus before them.

use super::{Place, ProbAlphaBeta};
use crate::belief::{BINS, Running};
use crate::eval::Evaluator;
use crate::game::{Game, MoveCode, Score};
use crate::search::common::context::Visit;
use crate::search::depth_first::alpha_beta::leaf::LeafSearch;
use crate::search::depth_first::deepening;
use crate::search::depth_first::focus::Site;
use crate::search::depth_first::prob_found::Found;
use crate::search::{Event, Focus, Interrupt, Job, Probe, Start, StopReason};
use crate::tree::{Bound, NodeId, Tree};

impl<'a, E, P: Probe> ProbAlphaBeta<'a, E, P> {
    /// Deepens the node of the run's focus with an open window. Answers what is left of it when the search was stopped.
    pub(super) fn focus<G: Game>(&mut self, job: &Job<G, E>) -> Option<Focus>
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
                alpha: Score::MIN,
                beta: Score::MAX,
            };
            let counted = self.context.worker.nodes();
            let found = self.search(place, &site.position, state);
            let more = |found: Found| {
                let point = found.point.unwrap_or(Score::DRAW);
                !Site::<G>::is_decided(depth, point)
            };
            if !found.is_ok_and(more) || self.context.worker.nodes() == counted {
                break;
            }
        }
        self.again = NodeId::NONE;
        self.context.end_focus(&site)
    }

    /// Iterations until a limit, a proof or the end of a finite tree; answers where a next run would begin.
    pub(super) fn deepen<G: Game>(&mut self, job: &Job<'a, G, E>, thread: usize) -> Start
    where
        E: Evaluator<G>,
    {
        let mut start = Start {
            focus: None,
            ..job.start
        };
        let mut before = self.known_root(job);
        for depth in deepening::depths(job, thread) {
            let position = &job.situation.position;
            let root = deepening::root_of(thread);
            let Ok(found) = self.iteration(root, position, depth, before.as_ref()) else {
                start.best = self.root_best;
                return start;
            };
            start.depth = depth;
            start.best = self.root_best;
            start.score = self.context.root_value(found.score(&self.bins));
            // What the next iteration came upon later would be lost if it were stopped before.
            self.first_move = self.root_best;
            let mate = found.point.filter(|value| value.is_decided());
            before = Some(found);
            if thread > 0 {
                continue;
            }
            let worker = &self.context.worker;
            let time_is_up = deepening::finish_iteration(worker, depth, start.best, start.score);
            let solved = match mate {
                _ if self.root_best == MoveCode::NONE => Ok(true),
                Some(mate) => self.is_solved(job, mate, depth),
                None => Ok(false),
            };
            match solved {
                Ok(true) => job.control.stop(StopReason::Solved),
                Ok(false) => {}
                Err(Interrupt) => return start,
            }
            if solved.is_ok_and(|solved| solved) {
                return start;
            }
            if time_is_up {
                job.control.stop(StopReason::Time);
                return start;
            }
        }
        if thread == 0 {
            deepening::stop_at_the_end(job);
        }
        start
    }

    /// Whether a mate found at the root within the iteration's depth is as short as it can be: alpha-beta is asked, with nothing left
    /// out.
    fn is_solved<G: Game>(
        &mut self,
        job: &Job<'a, G, E>,
        mate: Score,
        depth: u16,
    ) -> Result<bool, Interrupt>
    where
        E: Evaluator<G>,
    {
        let short = mate.mate_plies().is_some_and(|p| p.unsigned_abs() <= depth);
        if !short || self.doubted == mate || job.situation.position.height().is_some() {
            return Ok(short && job.situation.position.height().is_some());
        }
        let thread = self.context.worker.index();
        let mut judge = LeafSearch::new(job, thread);
        let position = &job.situation.position;
        let holds = judge.confirms(&mut self.context, position, mate)?;
        if holds {
            self.context.prove_root(mate, self.root_best);
        } else {
            self.doubted = mate;
        }
        Ok(holds)
    }

    /// What an earlier run's tree knows of the root: the first window lies around that belief.
    fn known_root<G: Game>(&self, job: &Job<G, E>) -> Option<Found>
    where
        E: Evaluator<G>,
    {
        if job.start.depth == 0 {
            return None;
        }
        if self.certain {
            return Some(Found::certain(job.start.score, Bound::Exact, &self.bins));
        }
        let belief = self.tree.belief(Tree::ROOT)?;
        let mean = belief.mean(self.tree.grid());
        Some(Found::wide(&belief, mean, Bound::Exact, None))
    }

    /// One iteration: the root within the quantiles of the belief before, and again if it falls out of them.
    fn iteration<G: Game>(
        &mut self,
        root: NodeId,
        position: &G,
        depth: u16,
        before: Option<&Found>,
    ) -> Result<Found, Interrupt>
    where
        E: Evaluator<G>,
    {
        self.context.iteration = depth.min(255) as u8;
        if !root.is_none() {
            self.context.emit(|| Event::Iteration { depth });
        }
        let (alpha, beta) = match before {
            Some(before) if self.aspiration => self.quantiles(before),
            _ => (Score::MIN, Score::MAX),
        };
        let mut place = Place {
            node: root,
            ply: 0,
            depth: i32::from(depth),
            alpha,
            beta,
        };
        let state = self.evaluator.start(position);
        let found = loop {
            let found = self.search(place, position, state)?;
            if place.beta < Score::MAX
                && found.p_at_least(place.beta, &self.bins) >= self.confidence
            {
                place.beta = Score::MAX;
            } else if self.failed_low(&found, place.alpha) {
                place.alpha = Score::MIN;
            } else {
                break found;
            }
        };
        if !root.is_none() {
            let best = self.root_best;
            let score = self.context.root_value(found.score(&self.bins));
            self.context
                .emit(|| Event::IterationDone { depth, best, score });
        }
        Ok(found)
    }

    /// A window around the middle of a belief: the bins that leave out `1 - confidence` on either side, and one more.
    fn quantiles(&self, belief: &Found) -> (Score, Score) {
        let running = Running { q: belief.q };
        let low = running.highest_bin(self.confidence.max(0.5)) as i32 - 1;
        let high = running.highest_bin((1.0 - self.confidence).min(0.5)) as i32 + 1;
        let last = BINS as i32 - 1;
        let low = if low > 0 {
            self.bins.alpha(low)
        } else {
            Score::MIN
        };
        let high = if high < last {
            self.bins.beta(high)
        } else {
            Score::MAX
        };
        (low, high)
    }

    /// Whether the root has to be searched again below its window: nothing reached beyond alpha with confidence.
    /// If it lies below alpha with confidence, the belief of this pass may do, for the order of the next.
    fn failed_low(&self, found: &Found, alpha: Score) -> bool {
        let above = found.p_above(alpha, &self.bins) >= self.confidence;
        let doubtful = found.p_at_least(alpha, &self.bins) > 1.0 - self.confidence;
        alpha > Score::MIN && !above && (self.always_again || doubtful)
    }

    /// One of the root's moves is the best so far.
    pub(super) fn new_best(&mut self, visit: &Visit, code: MoveCode) {
        if self.root_best != code {
            let from = std::mem::replace(&mut self.root_best, code);
            if !visit.node.is_none() {
                self.context.emit(|| Event::Best { from, to: code });
            }
        }
    }
}
