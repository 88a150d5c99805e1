//! The root of alpha-beta: its windows, and the confirmation of a mate found there.

use super::driver::Driver;
use super::{AlphaBeta, NodeArguments, short_mates};
use crate::deepening::{Deepening, IterationResult, Root};
use crate::focus::FocusSite;
use eval::Evaluator;
use game::{Game, MoveCode, Score};
use search::common::context::{Context, Visit};
use search::{Interrupt, Job, Probe};
use tree::{Fate, Lead, NodeId};

impl<'a, G: Game, E: Evaluator<G>, P: Probe> Deepening<'a, G, E, P> for AlphaBeta<'a, E, P> {
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
            passed: false,
        };
        let state = self.evaluator.start(&site.position);
        self.search(place, &site.position, &state, Score::MIN, Score::MAX)
    }

    fn search_root(
        &mut self,
        node: NodeId,
        position: &G,
        depth: u16,
    ) -> Result<IterationResult, Interrupt> {
        let state = self.evaluator.start(position);
        let value = match self.driver {
            Driver::Passes(first) if !self.root.lines.are_several() => {
                self.in_passes(first, node, position, &state, depth)
            }
            // Passes would give bounds only.
            _ => self.within_aspiration(node, position, &state, depth),
        };
        if let Some(rules) = &self.rules {
            self.context.worker.undefined += rules.take_undefined();
        }
        let score = value?.max(self.context.proven_at_root());
        Ok(IterationResult {
            score,
            mate: Some(score),
        })
    }

    fn confirms_mate(&mut self, job: &Job<'a, G, E>, mate: Score) -> Result<bool, Interrupt> {
        // Minimax leaves nothing out.
        Ok(self.rules.is_none() || self.confirms(&job.situation.position, mate)?)
    }
}

impl<'a, E, P: Probe> AlphaBeta<'a, E, P> {
    /// Searches the root in a window around the value of the iteration before. Where the value falls outside, it
    /// searches again with the failed bound moved further out.
    fn within_aspiration<G: Game>(
        &mut self,
        node: NodeId,
        position: &G,
        state: &E::State,
        depth: u16,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        /// The values of earlier iterations vary too much.
        const FIRST_DEPTH: u16 = 5;
        /// A bound that would lie further out than this, in centipawns, is dropped.
        const WIDEST: i32 = 400;
        let place = NodeArguments {
            node,
            ply: 0,
            depth: i32::from(depth),
            passed: false,
        };
        let expected = self.root.score;
        let begin = self
            .aspiration
            .filter(|_| depth >= FIRST_DEPTH && !expected.is_decided())
            // The last line would have to lie in the window, too.
            .filter(|_| !self.root.lines.are_several());
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

    /// Whether a mate found at the root is as short as it can be: no move mates sooner, and none holds out longer. The
    /// search that answers this leaves nothing out and is not recorded.
    ///
    /// # Errors
    /// [`Interrupt`] if the search was stopped before the answer was known.
    pub(super) fn confirms<G: Game>(
        &mut self,
        position: &G,
        score: Score,
    ) -> Result<bool, Interrupt>
    where
        E: Evaluator<G>,
    {
        if score.mate_plies().is_some_and(|plies| plies.abs() <= 2) {
            // No mate is shorter than one with the next move.
            return Ok(true);
        }
        let Some((alpha, beta)) = short_mates::question(score) else {
            return Ok(false);
        };
        let place = NodeArguments {
            node: NodeId::NONE,
            ply: 0,
            depth: short_mates::EXACT_PLIES.into(),
            passed: false,
        };
        let state = self.evaluator.start(position);
        self.confirming = true;
        let found = self.search(place, position, &state, alpha, beta);
        self.confirming = false;
        Ok(short_mates::is_answer(score, found?))
    }

    /// Changes the best move at the root.
    pub(super) fn new_best(&mut self, visit: Visit, code: MoveCode, value: Score, fate: Fate) {
        if value < self.context.proven_at_root() {
            return;
        }
        if !self.driver.makes_passes() {
            self.root.score = value;
        }
        let code = self.context.root_move(code, value);
        let lead = |_: &Context<P>| Lead {
            window: visit.result(value, visit.bound_of(value)),
            fate,
            belief: None,
        };
        self.root.change_best(&mut self.context, &visit, code, lead);
    }
}
