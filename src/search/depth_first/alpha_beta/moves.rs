//! The moves of an inner node: which are searched, with which window, and what came of them.

use arrayvec::ArrayVec;

use super::node::Before;
use super::{AlphaBeta, Place};
use crate::eval::Evaluator;
use crate::game::{Game, MAX_MOVES, MoveCode, Score};
use crate::search::depth_first::context::{Skips, Visit};
use crate::search::depth_first::ordering::Picker;
use crate::search::{Event, Interrupt, Probe};
use crate::tree::{Bound, Fate, NodeId};

/// What a node's moves have brought so far.
struct SoFar {
    best: Score,
    best_move: MoveCode,
    best_is_quiet: bool,
    searched: u8,
    skipped: u32,
    /// How many moves there are.
    moves: u8,
    /// The child recorded last; `NONE` before the first.
    last: NodeId,
}

impl SoFar {
    #[inline]
    fn new(moves: usize) -> Self {
        SoFar {
            best: Score::MIN,
            best_move: MoveCode::NONE,
            best_is_quiet: false,
            searched: 0,
            skipped: 0,
            moves: moves.min(255) as u8,
            last: NodeId::NONE,
        }
    }

    /// A move was skipped: fail-soft, and no mate is claimed any more.
    #[inline]
    fn skip(&mut self, ceiling: Score) {
        self.skipped += 1;
        self.best = self.best.max(ceiling);
    }
}

impl<E, P: Probe> AlphaBeta<'_, E, P> {
    /// Searches the moves of an inner node.
    pub(super) fn moves<G: Game>(
        &mut self,
        visit: Visit,
        position: &G,
        state: E::State,
        before: Before,
        moves: &mut Picker<G::Move>,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        self.expand(&visit, position, moves);
        let mut so_far = SoFar::new(moves.len());
        let mut alpha = visit.alpha;
        let mut quiets: ArrayVec<MoveCode, MAX_MOVES> = ArrayVec::new();
        let mut skips = Skips::new();
        let key = position.key();
        self.context.history.push(key);
        if visit.is_null_window() {
            self.skip_quiet_moves(&visit, position, before, moves, &mut skips, &mut so_far);
        }
        if self.memory.is_some() {
            moves.order(position, before.first);
        }
        while let Some(m) = self.next_move(&visit, position, moves) {
            let code = position.encode(m);
            let quiet = !position.is_noisy(m);
            if quiet
                && so_far.searched > 0
                && !visit.is_null_window()
                && let Some(fate) = self.futility.skip(before.static_value, alpha, visit.depth)
                && !position.gives_check(m)
            {
                self.context.skip(&visit, &mut skips, code, fate);
                so_far.skip(self.futility.ceiling(before.static_value, visit.depth));
                continue;
            }
            let child = self
                .context
                .child(visit.node, so_far.last, code, visit.ply + 1);
            if !child.is_none() {
                so_far.last = child;
            }
            let first = so_far.searched == 0;
            let Ok(value) = self.child(visit, child, position, state, m, alpha, first) else {
                return Err(self.give_up(visit, &so_far));
            };
            so_far.searched = so_far.searched.saturating_add(1);
            if value > so_far.best {
                self.context.emit_back_up(&visit, child, so_far.best, value);
                so_far.best = value;
                so_far.best_move = code;
                so_far.best_is_quiet = quiet;
                self.new_best(visit, code, value);
                if value >= visit.beta {
                    break;
                }
                alpha = alpha.max(value);
            }
            if quiet {
                quiets.push(code);
            }
        }
        self.context.history.pop();
        if so_far.best >= visit.beta
            && so_far.best_is_quiet
            && let Some(memory) = &mut self.memory
        {
            let (side, best) = (position.turn(), so_far.best_move);
            memory.reward(side, visit.ply, visit.depth, best, &quiets);
        }
        let SoFar { best, last, .. } = so_far;
        self.context.record_skips(&visit, best, &skips, last);
        self.remember(&visit, key, best, so_far.best_move, before.static_value);
        let fate = self.fate(&visit, &so_far);
        Ok(self.context.leave(visit, best, before.static_value, fate))
    }

    /// Reports that a node's moves are searched now, and takes out those that a person did.
    #[inline]
    fn expand<G: Game>(&mut self, visit: &Visit, position: &G, moves: &mut Picker<G::Move>) {
        let node = visit.node;
        if !node.is_none() {
            let moves = moves.len() as u16;
            self.context.emit(|| Event::Expand { node, moves });
        }
        if visit.on_choices {
            self.context.leave_out(visit, position, moves, true);
        }
    }

    /// In a null window alpha stays, so the verdict on one quiet move is the verdict on all that give no check: they
    /// are taken out before the others are put in order.
    #[inline]
    fn skip_quiet_moves<G: Game>(
        &mut self,
        visit: &Visit,
        position: &G,
        before: Before,
        moves: &mut Picker<G::Move>,
        skips: &mut Skips,
        so_far: &mut SoFar,
    ) {
        let Before {
            static_value,
            first,
        } = before;
        let Some(fate) = self.futility.skip(static_value, visit.alpha, visit.depth) else {
            return;
        };
        let ceiling = self.futility.ceiling(static_value, visit.depth);
        let checks = position.checks();
        moves.drop_rest(|m| {
            let code = position.encode(m);
            let futile =
                !position.is_noisy(m) && code != first && !position.gives_check_by(&checks, m);
            if futile {
                self.context.skip(visit, skips, code, fate);
                so_far.skip(ceiling);
            }
            futile
        });
    }

    /// The next move in the order: by killers and history among the quiet ones, or as the game has them.
    #[inline]
    fn next_move<G: Game>(
        &self,
        visit: &Visit,
        position: &G,
        moves: &mut Picker<G::Move>,
    ) -> Option<G::Move> {
        let memory = self.memory.as_ref();
        let side = position.turn();
        moves.next(|m| {
            memory.map_or(0, |memory| {
                memory.quiet_score(side, visit.ply, position.encode(m))
            })
        })
    }

    /// of nothing first (principal variation search).
    #[allow(clippy::too_many_arguments)]
    fn child<G: Game>(
        &mut self,
        visit: Visit,
        node: NodeId,
        position: &G,
        state: E::State,
        m: G::Move,
        alpha: Score,
        first: bool,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        self.context.worker.count_node()?;
        let mut next = position.clone();
        let place = Place {
            node,
            ply: visit.ply + 1,
            depth: visit.depth - 1,
        };
        if place.depth > 0 {
            next.play(m);
        } else {
            next.play_keyless(m);
        }
        let next_state = self.evaluator.after(state, position, m);
        let window = |low: Score, high: Score| (high.one_ply_down(), low.one_ply_down());
        let zero = Score::from_raw(alpha.raw() + 1);
        // A toy tree is searched by plain alpha-beta, so that its leaves come as in the textbook.
        if !first && self.memory.is_some() && zero < visit.beta && alpha >= Score::LOSS {
            let (low, high) = window(alpha, zero);
            let value = self
                .search(place, &next, next_state, low, high)?
                .one_ply_up();
            if value <= alpha || value >= visit.beta {
                return Ok(value);
            }
        }
        let (low, high) = window(alpha, visit.beta);
        Ok(self
            .search(place, &next, next_state, low, high)?
            .one_ply_up())
    }

    /// How a node came out whose moves are done.
    #[inline]
    fn fate(&self, visit: &Visit, so_far: &SoFar) -> Fate {
        if so_far.best >= visit.beta {
            Fate::BetaCutoff {
                by: so_far.best_move,
                value: so_far.best,
                beta: visit.beta,
                searched: so_far.searched,
            }
        } else {
            Fate::Expanded {
                best: so_far.best_move,
                searched: so_far.searched,
                skipped: so_far.skipped.min(255) as u8,
                moves: so_far.moves,
                margin: self.futility.margin(visit.depth) as i16,
            }
        }
    }

    /// Stopped among the moves. At the root what was found so far counts: the first move searched was the best
    /// of the iteration before.
    #[cold]
    fn give_up(&mut self, visit: Visit, so_far: &SoFar) -> Interrupt {
        self.context.history.pop();
        let &SoFar {
            best, best_move, ..
        } = so_far;
        let found = so_far.searched > 0 && best_move != MoveCode::NONE;
        if visit.ply == 0 && !visit.node.is_none() && found {
            let fate = Fate::Expanded {
                best: best_move,
                searched: so_far.searched,
                skipped: 0,
                moves: so_far.moves,
                margin: 0,
            };
            self.context.write(visit, best, Bound::Lower, None, fate);
            return Interrupt;
        }
        self.context.interrupt(visit)
    }
}
