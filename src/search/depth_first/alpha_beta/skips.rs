//! Moves that a rule skips, and their audits: futility skips them all at once, the other rules one by one as their turn
//! comes.

use arrayvec::ArrayVec;

use super::AlphaBeta;
use super::moves::{Candidate, Site, SoFar};
use super::rules::{MoveInputs, NodeInputs, Skip};
use super::trials::Purpose;
use crate::eval::Evaluator;
use crate::game::{Game, Listed, MAX_MOVES, MoveCode, Score};
use crate::search::common::context::Context;
use crate::search::common::picker::{Pick, Picker};
use crate::search::{Interrupt, Probe};
use crate::tree::Fate;

impl<E, P: Probe> AlphaBeta<'_, E, P> {
    /// Removes the moves that futility skips before the others are ordered. In a null window alpha does not change, so
    /// the verdict on one quiet move is the verdict on all that give no check.
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
        let (Some(rules), Some(seen), Some(checks)) = (&self.rules, &site.seen, &site.checks)
        else {
            return Ok(());
        };
        let Some(fate) = rules.futility.skip(seen) else {
            return Ok(());
        };
        let ceiling = rules.futility.ceiling(seen);
        let (position, first) = (site.position, site.facts.first);
        let mut audits = Audits::new(self.context.auditor.is_some());
        let context = &mut self.context;
        let before = so_far.skips.len();
        moves.drop_quiets(checks, first, |listed| {
            so_far.skips.push((listed.code(), fate));
            audits.draw(context, position, listed, fate, site.visit.depth);
        });
        let new = &so_far.skips[before..];
        if !new.is_empty() {
            context.skipped(&site.visit, new);
            // Fail-soft; and the node no longer claims a mate.
            so_far.best = so_far.best.max(ceiling);
        }
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
            number: so_far.searched,
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
        let before = so_far.skips.len();
        let position = site.position;
        let first = position.note(m);
        so_far.skips.push((first.code(), fate));
        audits.draw(context, position, first, fate, depth);
        if let (true, Some(checks)) = (rest, &site.checks) {
            let kept = match site.purpose {
                Purpose::Trial { without } => without,
                Purpose::Value => MoveCode::NONE,
            };
            moves.drop_quiets(checks, kept, |listed| {
                so_far.skips.push((listed.code(), fate));
                audits.draw(context, position, listed, fate, depth);
            });
        }
        context.skipped(&site.visit, &so_far.skips[before..]);
        let alpha = so_far.alpha;
        self.audit_moves(site, &audits, fate, alpha)?;
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
