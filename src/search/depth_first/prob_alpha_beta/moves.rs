//! The moves of an inner node: the maximum over them, until it reaches beta with confidence.

use arrayvec::ArrayVec;

use super::{Place, ProbAlphaBeta, as_u16};
use crate::belief::{Grid, Running};
use crate::eval::Evaluator;
use crate::game::{Game, MAX_MOVES, MoveCode};
use crate::search::depth_first::context::Visit;
use crate::search::depth_first::ordering::{self, Picker};
use crate::search::depth_first::prob_node::{Found, Maximum, negated_bin};
use crate::search::{Estimate, Event, Interrupt, Probe};
use crate::tree::{Bound, Fate, NodeId};

/// What a node's moves have brought so far.
struct SoFar {
    max: Maximum,
    searched: u8,
    /// How many moves there are.
    moves: u8,
    /// The child recorded last; `NONE` before the first.
    last: NodeId,
}

impl SoFar {
    fn new(moves: usize) -> Self {
        SoFar {
            max: Maximum::default(),
            searched: 0,
            moves: moves.min(255) as u8,
            last: NodeId::NONE,
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

impl<E, P: Probe> ProbAlphaBeta<'_, E, P> {
    /// Searches the moves of an inner node.
    pub(super) fn moves<G: Game>(
        &mut self,
        mut place: Place,
        visit: Visit,
        position: &G,
        state: E::State,
        moves: &mut Picker<G::Move>,
    ) -> Result<Found, Interrupt>
    where
        E: Evaluator<G>,
    {
        self.context.begin_moves(&visit, position, moves);
        let mut so_far = SoFar::new(moves.len());
        let entry_alpha = place.alpha;
        let mut cut = None;
        let mut quiets: ArrayVec<MoveCode, MAX_MOVES> = ArrayVec::new();
        let key = position.key();
        self.context.history.push(key);
        while let Some(m) =
            ordering::next(self.memory.as_ref(), &self.line, position, place.ply, moves)
        {
            let code = position.encode(m);
            let child = self
                .context
                .child(visit.node, so_far.last, code, place.ply + 1);
            if !child.is_none() {
                so_far.last = child;
            }
            let Ok(found) = self.child(below(&place, child), position, state, m) else {
                return Err(self.give_up(visit, &so_far));
            };
            so_far.searched = so_far.searched.saturating_add(1);
            self.add(&visit, &mut so_far.max, code, child, &found);
            let probability = so_far.max.p_at_least(place.beta);
            let quiet = !position.is_noisy(m);
            if probability >= self.confidence {
                if let (true, Some(memory)) = (quiet, &mut self.memory) {
                    let (ply, depth) = (place.ply, place.depth);
                    memory.reward(position, &self.line, ply, depth, code, &quiets);
                }
                cut = Some(Fate::ProbabilisticCutoff {
                    searched: so_far.searched,
                    probability: as_u16(probability),
                    confidence: as_u16(self.confidence),
                    beta_bin: place.beta.max(0) as u8,
                });
                break;
            }
            let reached = so_far.max.running.highest_bin(self.confidence) as i32;
            place.alpha = place.alpha.max(reached);
            if quiet {
                quiets.push(code);
            }
        }
        self.context.history.pop();
        let (grid, scale) = (self.tree.grid(), self.tree.scale());
        let found = so_far.max.found(cut.is_some(), grid, scale);
        self.remember(key, &visit, so_far.max.best, &found);
        let raised = place.alpha > entry_alpha;
        self.finish(visit, &found, cut, raised, &so_far);
        Ok(found)
    }

    /// Makes one move and searches what arises.
    fn child<G: Game>(
        &mut self,
        place: Place,
        position: &G,
        state: E::State,
        m: G::Move,
    ) -> Result<Found, Interrupt>
    where
        E: Evaluator<G>,
    {
        self.context.worker.count_node()?;
        let mut next = position.clone();
        if place.depth > 0 {
            next.play(m);
        } else {
            next.play_keyless(m);
        }
        let next_state = self.evaluator.after(state, position, m);
        self.search(place, &next, next_state)
    }

    /// Takes a child into the maximum and reports what it changed.
    fn add(
        &mut self,
        visit: &Visit,
        max: &mut Maximum,
        code: MoveCode,
        child: NodeId,
        found: &Found,
    ) {
        let grid = self.tree.grid();
        let before = (self.context.will_report() && max.best != MoveCode::NONE)
            .then(|| estimate(&max.running, grid));
        let (worth, better) = max.add(code, found);
        if !visit.node.is_none() {
            self.context.emit(|| Event::BackUp {
                node: visit.node,
                child,
                worth: Some(-found.mean),
                before,
                after: estimate(&max.running, grid),
            });
        }
        if visit.ply == 0 {
            self.note_root_move(visit, code, worth, better);
        }
    }

    /// Leaves an inner node.
    fn finish(
        &mut self,
        visit: Visit,
        found: &Found,
        cut: Option<Fate>,
        raised: bool,
        so_far: &SoFar,
    ) {
        let score = found.score(self.tree.scale());
        let bound = found.window_bound(score, cut.is_some(), raised);
        let fate = cut.unwrap_or_else(|| so_far.expanded());
        self.pen.write(visit.node, &found.q);
        self.context.leave_as(visit, score, bound, None, fate);
    }

    /// Stopped among the moves. At the root what was found so far counts: the first move searched was the best of
    /// the pass before.
    #[cold]
    fn give_up(&mut self, visit: Visit, so_far: &SoFar) -> Interrupt {
        self.context.history.pop();
        if visit.ply == 0 && so_far.searched > 0 && !visit.node.is_none() {
            // Moves are missing: no loss is claimed.
            let found = so_far.max.found(true, self.tree.grid(), self.tree.scale());
            let score = found.score(self.tree.scale());
            self.pen.write(visit.node, &found.q);
            let fate = so_far.expanded();
            self.context.write(visit, score, Bound::Lower, None, fate);
            return Interrupt;
        }
        self.context.interrupt(visit)
    }
}

/// The child's place: one ply on, with the window as the other side sees it.
#[inline]
fn below(place: &Place, child: NodeId) -> Place {
    Place {
        node: child,
        ply: place.ply + 1,
        depth: place.depth - 1,
        alpha: negated_bin(place.beta),
        beta: negated_bin(place.alpha),
    }
}

/// What the maximum so far is expected to be.
fn estimate(running: &Running, grid: &Grid) -> Estimate {
    let density = running.density();
    Estimate {
        mean: density.mean(grid),
        sd: Some(density.sd(grid)),
    }
}
