//! The root of probabilistic alpha-beta: its windows, and the confirmation of a mate found there.

use super::{NodeArguments, ProbAlphaBeta};
use crate::alpha_beta::leaf::LeafSearch;
use crate::deepening::{Deepening, IterationResult, Root};
use crate::focus::FocusSite;
use crate::prob_value::ProbValue;
use belief::{BINS, Running};
use eval::Evaluator;
use game::{Game, MoveCode, Score};
use search::common::context::{Context, Visit};
use search::{Interrupt, Job, Probe};
use tree::{Bound, Lead, NodeId, Tree};

impl<'a, G: Game, E: Evaluator<G>, P: Probe> Deepening<'a, G, E, P> for ProbAlphaBeta<'a, E, P> {
    fn context(&mut self) -> &mut Context<'a, P> {
        &mut self.context
    }

    fn root(&mut self) -> &mut Root {
        &mut self.root
    }

    fn search_focus(&mut self, site: &FocusSite<G>, depth: u16) -> Result<Score, Interrupt> {
        let place = NodeArguments {
            node: site.focus.node,
            ply: site.ply,
            depth: i32::from(depth),
            alpha: Score::MIN,
            beta: Score::MAX,
        };
        let state = self.evaluator.start(&site.position);
        let found = self.search(place, &site.position, &state)?;
        Ok(found.point.unwrap_or(Score::DRAW))
    }

    /// Searches within the quantiles of the belief before, and again where the result falls outside them.
    fn search_root(
        &mut self,
        node: NodeId,
        position: &G,
        depth: u16,
    ) -> Result<IterationResult, Interrupt> {
        let (alpha, beta) = match &self.before {
            Some(before) if self.aspiration && !self.root.lines.are_several() => {
                self.quantiles(before)
            }
            _ => (Score::MIN, Score::MAX),
        };
        let mut place = NodeArguments {
            node,
            ply: 0,
            depth: i32::from(depth),
            alpha,
            beta,
        };
        let state = self.evaluator.start(position);
        let belief = loop {
            let found = self.search(place, position, &state)?;
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
        let found = IterationResult {
            score: self.context.root_value(belief.score(&self.bins)),
            mate: belief.point,
        };
        self.before = Some(belief);
        Ok(found)
    }

    /// Lets alpha-beta confirm the mate.
    fn confirms_mate(&mut self, job: &Job<'a, G, E>, mate: Score) -> Result<bool, Interrupt> {
        let mut judge = LeafSearch::new(job, self.context.worker.index());
        judge.confirms(&mut self.context, &job.situation.position, mate)
    }
}

impl<'a, E, P: Probe> ProbAlphaBeta<'a, E, P> {
    /// What an earlier run's tree knows about the root; the first window is placed around that belief.
    pub(super) fn known_root<G: Game>(&self, job: &Job<G, E>) -> Option<ProbValue>
    where
        E: Evaluator<G>,
    {
        if job.start.depth == 0 {
            return None;
        }
        if self.certain {
            return Some(ProbValue::certain(
                job.start.score,
                Bound::Exact,
                &self.bins,
            ));
        }
        let belief = self.tree.belief(Tree::ROOT)?;
        let mean = belief.mean(self.tree.grid());
        Some(ProbValue::wide(&belief, mean, Bound::Exact, None))
    }

    /// A window around the middle of a belief: it leaves out the bins of `1 - confidence` on either side, and is one
    /// bin wider on each.
    fn quantiles(&self, belief: &ProbValue) -> (Score, Score) {
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

    /// Whether the root has to be searched again below its window, because nothing reached beyond alpha with
    /// confidence. If the value is below alpha with confidence, the belief of this iteration is good enough to order
    /// the moves of the next.
    fn failed_low(&self, found: &ProbValue, alpha: Score) -> bool {
        let above = found.p_above(alpha, &self.bins) >= self.confidence;
        let doubtful = found.p_at_least(alpha, &self.bins) > 1.0 - self.confidence;
        alpha > Score::MIN && !above && (self.always_again || doubtful)
    }

    /// Makes a move of the root the best so far; `lead` is what the root is worth by it.
    pub(super) fn new_best(
        &mut self,
        visit: &Visit,
        code: MoveCode,
        lead: impl FnOnce(&Context<P>) -> Lead,
    ) {
        self.root.change_best(&mut self.context, visit, code, lead);
    }
}
