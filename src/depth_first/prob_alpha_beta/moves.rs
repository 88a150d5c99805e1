//! The moves of an inner node: the maximum over them, until it reaches beta with confidence.

use arrayvec::ArrayVec;

use super::{NodeArguments, ProbAlphaBeta, as_u16};
use crate::prob_node::{Maximum, Refuted};
use crate::prob_value::ProbValue;
use eval::Evaluator;
use game::{Game, MAX_MOVES, MoveCode, Score};
use search::common::context::Visit;
use search::common::ordering;
use search::common::picker::{Pick, Picker};
use search::{Event, Interrupt, Probe};
use tree::{Bound, Fate, Lead, NodeId};

/// What the moves of a node have yielded so far.
struct SoFar {
    max: Maximum,
    /// The window's lower bound, which rises during the search.
    alpha: Score,
    searched: u8,
    /// How many moves the node has.
    moves: u8,
    /// The child recorded last; `NONE` before the first.
    last: NodeId,
    /// The quiet moves searched in vain.
    quiets: ArrayVec<MoveCode, MAX_MOVES>,
}

impl SoFar {
    fn new(alpha: Score, moves: usize, rule: Refuted) -> Self {
        SoFar {
            max: Maximum::new(rule),
            alpha,
            searched: 0,
            moves: moves.min(255) as u8,
            last: NodeId::NONE,
            quiets: ArrayVec::new(),
        }
    }

    /// The fate of a node that was not cut off.
    fn expanded(&self) -> Fate {
        Fate::Expanded {
            best: self.max.best,
            searched: self.searched,
            skipped: 0,
            moves: self.moves,
            margin: 0,
        }
    }
}

/// A node whose moves are being searched.
pub(super) struct Site<'p, G, S> {
    pub visit: Visit,
    pub position: &'p G,
    pub state: &'p S,
}

impl<E, P: Probe> ProbAlphaBeta<'_, E, P> {
    /// Searches the moves of an inner node, `first` before the others.
    pub(super) fn moves<G: Game>(
        &mut self,
        visit: Visit,
        position: &G,
        state: &E::State,
        first: MoveCode,
        moves: &mut Picker<'_, G>,
    ) -> Result<ProbValue, Interrupt>
    where
        E: Evaluator<G>,
    {
        self.context.begin_moves(&visit, moves);
        if self.memory.is_some() {
            moves.order(first);
        }
        let site = Site {
            visit,
            position,
            state,
        };
        let mut so_far = SoFar::new(visit.alpha, moves.len(), self.refuted);
        let mut cut = None;
        self.context.history.push(position.key());
        while let Some(Pick { m, code, quiet, .. }) =
            ordering::next(self.memory.as_ref(), &self.line, position, visit.ply, moves)
        {
            let child = self
                .context
                .child(visit.node, so_far.last, code, visit.ply + 1);
            self.context.note_root_move(&visit, code, so_far.searched);
            if !child.is_none() {
                so_far.last = child;
            }
            let Ok(found) = self.child(&site, m, child, &so_far) else {
                return Err(self.give_up(visit, &so_far));
            };
            so_far.searched = so_far.searched.saturating_add(1);
            self.add(&visit, &mut so_far, code, child, &found);
            let probability = so_far.max.p_at_least(visit.beta, &self.bins);
            if probability >= self.confidence {
                if quiet {
                    self.reward(&site, code, &so_far);
                }
                cut = Some(Fate::ProbabilisticCutoff {
                    searched: so_far.searched,
                    probability: as_u16(probability),
                    confidence: as_u16(self.confidence),
                    beta_bin: so_far.max.beta_bin(visit.beta, &self.bins).max(0) as u8,
                });
                break;
            }
            so_far.alpha = so_far
                .alpha
                .max(self.reached(&visit, code, &found, &so_far));
            if quiet {
                so_far.quiets.push(code);
            }
        }
        self.context.history.pop();
        let mut found = so_far.max.found(&visit, cut.is_some(), &self.bins);
        if cut.is_some() {
            // What is recorded of a node that was cut off is the CDF on which the cutoff rests.
            found.q = found.least;
        }
        if visit.ply == 0 {
            found.named = Some(so_far.max.best_value());
        }
        let key = self.context.place_in_table(position);
        self.remember(key, &visit, so_far.max.best, &found);
        self.finish(visit, &found, cut, &so_far);
        if let Some(fate) = cut {
            self.audit(&site, fate)?;
        }
        Ok(found)
    }

    /// Makes one move and searches the position it leads to. Where every belief is a point, moves after the first are
    /// searched in a null window first (principal variation search).
    fn child<G: Game>(
        &mut self,
        site: &Site<G, E::State>,
        m: G::Move,
        node: NodeId,
        so_far: &SoFar,
    ) -> Result<ProbValue, Interrupt>
    where
        E: Evaluator<G>,
    {
        let (visit, position) = (&site.visit, site.position);
        self.context.worker.count_node()?;
        let depth = visit.depth - 1;
        let mut next = position.clone();
        if depth > 0 {
            next.play(m);
        } else {
            self.context.make(&mut next, m);
        }
        next.find_checks();
        let state = self.evaluator.after(site.state, position, m);
        self.line.make(visit.ply, position.footprint(m));
        let place = |low: Score, high: Score| NodeArguments {
            node,
            ply: visit.ply + 1,
            depth,
            alpha: high.one_ply_down(),
            beta: low.one_ply_down(),
        };
        let (alpha, beta) = (so_far.alpha, visit.beta);
        let scouts = self.certain && self.memory.is_some() && so_far.searched > 0;
        if scouts && alpha >= Score::LOSS {
            let zero = Score::from_raw(alpha.raw() + 1);
            let found = self.search(place(alpha, zero), &next, &state)?;
            let value = found.point.map_or(Score::MAX, Score::one_ply_up);
            if value <= alpha || value >= beta || zero >= beta {
                return Ok(found);
            }
        }
        self.search(place(alpha, beta), &next, &state)
    }

    /// What the next moves are searched against: what is reached with confidence; at a root that gives several lines, by the
    /// last of them.
    fn reached(
        &mut self,
        visit: &Visit,
        code: MoveCode,
        found: &ProbValue,
        so_far: &SoFar,
    ) -> Score {
        if visit.ply > 0 || !self.root.lines.are_several() {
            return so_far.max.reached(self.confidence, &self.bins);
        }
        let alone = Maximum::of(self.refuted, (code, found), so_far.alpha, &self.bins);
        let bound = alone.reached(self.confidence, &self.bins);
        if !found.refuted && bound > so_far.alpha {
            let score = alone.best_value();
            self.root.lines.add(code, score, bound);
        }
        self.root.lines.alpha()
    }

    /// Rewards a quiet move that cut off, so that it is searched sooner elsewhere.
    fn reward<G: Game>(&mut self, site: &Site<G, E::State>, code: MoveCode, so_far: &SoFar)
    where
        E: Evaluator<G>,
    {
        let Visit { ply, depth, .. } = site.visit;
        if let Some(memory) = &mut self.memory {
            memory.reward(site.position, &self.line, ply, depth, code, &so_far.quiets);
        }
    }

    /// Adds a child to the maximum and reports what it changed.
    fn add(
        &mut self,
        visit: &Visit,
        so_far: &mut SoFar,
        code: MoveCode,
        child: NodeId,
        found: &ProbValue,
    ) {
        let max = &mut so_far.max;
        let bins = &self.bins;
        let before =
            (self.context.will_report() && max.best != MoveCode::NONE).then(|| max.estimate(bins));
        let better = max.add(code, found, so_far.alpha, bins);
        if !visit.node.is_none() {
            self.context.emit(|| Event::BackUp {
                node: visit.node,
                child,
                worth: Some(-found.mean),
                before,
                after: max.estimate(bins),
            });
        }
        // A value that does not rise above alpha is a bound: it says nothing about the best move.
        let raises = |value: Score| value.one_ply_up() > so_far.alpha;
        if visit.ply == 0 && better && found.point.is_none_or(raises) {
            let value = found.point.map_or(Score::DRAW, Score::one_ply_up);
            if value >= self.context.proven_at_root() {
                let fate = self.expanded(visit, so_far);
                let code = self.context.root_move(code, value);
                let (max, bins) = (&so_far.max, self.bins.clone());
                self.new_best(visit, code, |_| {
                    let mut found = max.found(visit, true, &bins);
                    found.named = Some(max.best_value());
                    Lead {
                        window: visit.result(found.score(&bins), Bound::Exact),
                        fate,
                        belief: Some(found.shown(&bins)),
                    }
                });
            }
        }
    }

    /// The belief of a root in the endgame tables, where they prove more about it than its search did.
    fn proven_by_tables(&self, visit: &Visit, found: &ProbValue) -> Option<ProbValue> {
        if visit.ply > 0 {
            return None;
        }
        let score = found.score(&self.bins);
        let held = self.context.root_value(score);
        (held != score).then(|| ProbValue::certain(held, Bound::Exact, &self.bins))
    }

    /// The fate of a node that was not cut off; at the root, the endgame tables may change the best move.
    fn expanded(&self, visit: &Visit, so_far: &SoFar) -> Fate {
        match so_far.expanded() {
            Fate::Expanded {
                best,
                searched,
                skipped,
                moves,
                margin,
            } if visit.ply == 0 => Fate::Expanded {
                best: self.context.root_move(best, so_far.max.point_or_draw()),
                searched,
                skipped,
                moves,
                margin,
            },
            fate => fate,
        }
    }

    /// Leaves an inner node.
    fn finish(&mut self, visit: Visit, found: &ProbValue, cut: Option<Fate>, so_far: &SoFar) {
        let score = found.score(&self.bins);
        let raised = so_far.alpha > visit.alpha;
        let bound = so_far.max.window_bound(found, score, cut.is_some(), raised);
        let fate = cut.unwrap_or_else(|| self.expanded(&visit, so_far));
        let proven = self.proven_by_tables(&visit, found);
        self.pen.write(visit.node, || {
            proven.as_ref().unwrap_or(found).shown(&self.bins)
        });
        self.context.leave_as(visit, score, bound, None, fate);
    }

    /// Ends a node that was stopped among its moves. At the root, what was found so far counts, because the first move
    /// searched was the best of the iteration before.
    #[cold]
    fn give_up(&mut self, visit: Visit, so_far: &SoFar) -> Interrupt {
        self.context.history.pop();
        let raised = so_far.max.best != MoveCode::NONE && so_far.max.best == self.root.best;
        if visit.ply == 0 && raised && !visit.node.is_none() {
            let mut found = so_far.max.found(&visit, true, &self.bins);
            found.named = Some(so_far.max.best_value());
            let score = found.score(&self.bins);
            if score < self.context.proven_at_root() {
                return self.context.interrupt(visit);
            }
            let proven = self.proven_by_tables(&visit, &found);
            self.pen.write(visit.node, || {
                proven.as_ref().unwrap_or(&found).shown(&self.bins)
            });
            let fate = self.expanded(&visit, so_far);
            self.context.write(visit, score, Bound::Lower, None, fate);
            return Interrupt;
        }
        self.context.interrupt(visit)
    }
}
