//! Moves that a rule skips, and their audits: futility skips them all at once, the other rules one by one as their turn
//! comes.

use arrayvec::ArrayVec;

use super::AlphaBeta;
use super::moves::SoFar;
use super::rules::{MoveInputs, NodeInputs, Skip};
use super::site::{Candidate, Site};
use super::trials::Purpose;
use eval::Evaluator;
use game::{Checks, Game, Listed, MAX_MOVES, MoveCode, Score};
use search::common::context::Context;
use search::common::picker::{Pick, Picker};
use search::{Interrupt, Probe};
use tree::Fate;

impl<E, P: Probe> AlphaBeta<'_, E, P> {
    /// Removes the moves that futility skips before the others are ordered, where they were not already left out.
    #[inline]
    pub(super) fn skip_futile<G: Game>(
        &mut self,
        site: &Site<G, E::State>,
        moves: &mut Picker<'_, G>,
        so_far: &mut SoFar,
    ) -> Result<(), Interrupt>
    where
        E: Evaluator<G>,
    {
        let (Some((fate, ceiling)), Some(checks)) = (site.futile, &site.checks) else {
            return Ok(());
        };
        let before = so_far.skipped;
        if moves.left_out() > 0 {
            so_far.skipped += moves.left_out() as u16;
            self.context
                .skipped(&site.visit, fate, moves.left_out(), &[]);
        } else {
            self.drop_quiets(site, moves, checks, site.facts.first, fate, so_far)?;
        }
        // Fail-soft; and the node no longer claims a mate.
        if so_far.skipped > before && so_far.best <= ceiling {
            so_far.best = ceiling;
            so_far.best_move = MoveCode::NONE;
        }
        Ok(())
    }

    /// Skips the quiet moves not yet searched that give no check, except `kept`.
    fn drop_quiets<G: Game>(
        &mut self,
        site: &Site<G, E::State>,
        moves: &mut Picker<'_, G>,
        checks: &Checks,
        kept: MoveCode,
        fate: Fate,
        so_far: &mut SoFar,
    ) -> Result<(), Interrupt>
    where
        E: Evaluator<G>,
    {
        let context = &mut self.context;
        if !context.keeps_apart(&site.visit, fate) && context.auditor.is_none() {
            let count = moves.drop_quiets(checks, kept, |_| ());
            so_far.skipped += count as u16;
            context.skipped(&site.visit, fate, count, &[]);
            return Ok(());
        }
        let mut audits = Audits::new(context.auditor.is_some());
        let before = so_far.skips.len();
        let count = moves.drop_quiets(checks, kept, |listed| {
            so_far.skips.push((listed.code(), fate));
            audits.draw(context, site.position, listed, fate, site.visit.depth);
        });
        so_far.skipped += count as u16;
        context.skipped(&site.visit, fate, count, &so_far.skips[before..]);
        self.audit_moves(site, &audits, fate, so_far.alpha)
    }

    /// Whether a rule skips the move, and perhaps all quiet ones after it.
    pub(super) fn skip_candidate<G: Game>(
        &mut self,
        site: &Site<G, E::State>,
        candidate: &Candidate<G::Move>,
        moves: &mut Picker<'_, G>,
        so_far: &mut SoFar,
    ) -> Result<bool, Interrupt>
    where
        E: Evaluator<G>,
    {
        let (Some(rules), Some(seen)) = (&self.rules, &site.seen) else {
            return Ok(false);
        };
        // Every move of the root is searched.
        if site.visit.ply == 0 || !so_far.may_skip() || candidate.gives_check {
            return Ok(false);
        }
        let Pick {
            m, quiet, history, ..
        } = candidate.pick;
        let seen = NodeInputs {
            alpha: so_far.alpha,
            ..*seen
        };
        let depth = site.visit.depth;
        let seen_move = MoveInputs {
            quiet,
            number: candidate.number,
            history,
            null_window: site.visit.is_null_window(),
        };
        let reaches = |threshold| site.position.see_ge(m, threshold);
        let Some(Skip {
            fate,
            ceiling,
            rest,
        }) = rules.skip(&seen, &seen_move, reaches)
        else {
            return Ok(false);
        };
        if let Some(ceiling) = ceiling {
            so_far.best = so_far.best.max(ceiling);
        }
        let mut audits = Audits::new(self.context.auditor.is_some());
        let context = &mut self.context;
        let listed = site.position.note(m);
        context.skip(&site.visit, &mut so_far.skips, listed.code(), fate);
        so_far.skipped += 1;
        audits.draw(context, site.position, listed, fate, depth);
        self.audit_moves(site, &audits, fate, so_far.alpha)?;
        if let (true, Some(checks)) = (rest, &site.checks) {
            let kept = match site.purpose {
                Purpose::Trial { without } => without,
                Purpose::Value => MoveCode::NONE,
            };
            self.drop_quiets(site, moves, checks, kept, fate, so_far)?;
        }
        Ok(true)
    }

    fn audit_moves<G: Game>(
        &mut self,
        site: &Site<G, E::State>,
        audits: &Audits<G::Move>,
        fate: Fate,
        alpha: Score,
    ) -> Result<(), Interrupt>
    where
        E: Evaluator<G>,
    {
        for &m in &audits.drawn {
            self.audit_move(&site.visit, site.position, site.state, m, fate, alpha)?;
        }
        Ok(())
    }
}

/// The moves skipped by one decision that are to be searched for an audit.
struct Audits<M> {
    /// Whether audits are on.
    active: bool,
    drawn: ArrayVec<M, MAX_MOVES>,
}

impl<M> Audits<M> {
    #[inline]
    fn new(active: bool) -> Self {
        Audits {
            active,
            drawn: ArrayVec::new(),
        }
    }

    /// Decides at random whether to audit a move that was just skipped.
    #[inline(always)]
    fn draw<G: Game<Move = M>, P: Probe>(
        &mut self,
        context: &mut Context<P>,
        position: &G,
        listed: Listed,
        fate: Fate,
        depth: i32,
    ) {
        if self.active && context.draws_audit(fate, depth) {
            self.drawn.push(position.listed(listed));
        }
    }
}
