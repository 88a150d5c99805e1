//! Quiescence search: captures and promotions (every move when in check) until the position is quiet.

use super::context::Context;
use super::ordering::Picker;
use crate::eval::Evaluator;
use crate::game::{Ending, Game, MoveCode, Score};
use crate::search::{Event, Interrupt, Probe};
use crate::tree::{Fate, NodeId};

/// The rules of a quiescence search.
#[derive(Clone, Copy, Debug)]
pub struct Quiescence<'a, E> {
    pub evaluator: &'a E,
    /// Skip a capture if static value + what it takes + this is not above alpha.
    pub delta_margin: i32,
    /// Skip captures that lose material by static exchange.
    pub see: bool,
}

/// Check evasions can be quiet, so a line has no end by itself.
const MAX_PLIES: i32 = 64;

impl<E> Quiescence<'_, E> {
    /// The value of a position when only noisy moves count, side to move, fail-soft within the window.
    ///
    /// The caller has counted the node. `node` is where to record, `NONE` for nowhere. `depth` is 0 at the
    /// horizon and falls from there.
    ///
    /// # Errors
    /// [`Interrupt`] when the search was asked to stop.
    #[allow(clippy::too_many_arguments)]
    pub fn search<G: Game, P: Probe>(
        &self,
        context: &mut Context<P>,
        node: NodeId,
        position: &G,
        state: E::State,
        mut alpha: Score,
        beta: Score,
        ply: u16,
        depth: i32,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        let visit = context.enter(node, ply, alpha, beta, depth);
        if let Some(ending @ (Ending::InsufficientMaterial | Ending::Leaf)) = position.ending(true)
        {
            let score = position.ending_score(ending);
            return Ok(context.leave(visit, score, None, Fate::Ended(ending)));
        }
        let in_check = position.is_check();
        let mut static_value = None;
        let mut best = Score::LOSS;
        if !in_check || depth < -MAX_PLIES {
            let value = self.evaluator.value(state, position);
            static_value = Some(value);
            best = value;
            if !node.is_none() {
                context.emit(|| Event::Evaluate { node, value });
            }
            if value >= beta {
                let fate = Fate::StandPat {
                    static_value: value,
                    beta,
                };
                return Ok(context.leave(visit, value, static_value, fate));
            }
            alpha = alpha.max(value);
        }
        if depth < -MAX_PLIES {
            return Ok(context.leave(
                visit,
                best,
                static_value,
                Fate::Horizon { static_value: best },
            ));
        }
        let mut moves = Picker::noisy(position, position.noisy_moves());
        if moves.is_empty() {
            let (value, fate) = match static_value {
                Some(value) => (
                    value,
                    Fate::Horizon {
                        static_value: value,
                    },
                ),
                // In check, and no move at all.
                None => (Score::LOSS, Fate::Ended(Ending::Checkmate)),
            };
            return Ok(context.leave(visit, value, static_value, fate));
        }
        let total = moves.len();
        let mut searched = 0u8;
        let mut best_move = MoveCode::NONE;
        let mut last = NodeId::NONE;
        while let Some(m) = moves.next() {
            let code = position.encode(m);
            if let Some(fate) = self.skip(position, m, static_value, alpha) {
                let child = context.child(node, last, code, ply + 1);
                last = if child.is_none() { last } else { child };
                context.skip(child, fate);
                // Fail-soft: the move might have been worth that much.
                if let Fate::DeltaPruning {
                    static_value,
                    margin,
                    ..
                } = fate
                {
                    best = best.max(Score::new(
                        i32::from(static_value.raw()) + i32::from(margin),
                    ));
                }
                continue;
            }
            if context.worker.count_node().is_err() {
                return Err(context.interrupt(visit));
            }
            let child = context.child(node, last, code, ply + 1);
            last = if child.is_none() { last } else { child };
            let mut next = position.clone();
            next.play_keyless(m);
            let next_state = self.evaluator.after(state, position, m);
            let value = match self.search(
                context,
                child,
                &next,
                next_state,
                beta.one_ply_down(),
                alpha.one_ply_down(),
                ply + 1,
                depth - 1,
            ) {
                Ok(value) => value.one_ply_up(),
                Err(_) => return Err(context.interrupt(visit)),
            };
            searched = searched.saturating_add(1);
            if value > best {
                best = value;
                best_move = code;
                if value >= beta {
                    let fate = Fate::BetaCutoff {
                        by: code,
                        value,
                        beta,
                        searched,
                    };
                    return Ok(context.leave(visit, value, static_value, fate));
                }
                alpha = alpha.max(value);
            }
        }
        let fate = match static_value {
            Some(value) if best_move == MoveCode::NONE => Fate::Horizon {
                static_value: value,
            },
            _ => Fate::Expanded {
                best: best_move,
                searched,
                moves: total.min(255) as u8,
            },
        };
        Ok(context.leave(visit, best, static_value, fate))
    }

    /// Why a noisy move is not worth a look, if so. Out of check only: evasions are all searched.
    #[inline]
    fn skip<G: Game>(
        &self,
        position: &G,
        m: G::Move,
        static_value: Option<Score>,
        alpha: Score,
    ) -> Option<Fate> {
        let static_value = static_value?;
        let margin = position.capture_gain(m) + self.delta_margin;
        if i32::from(static_value.raw()) + margin <= i32::from(alpha.raw()) && !alpha.is_decided() {
            return Some(Fate::DeltaPruning {
                static_value,
                margin: margin as i16,
                alpha,
            });
        }
        (self.see && !position.see_ge(m, 0)).then_some(Fate::LosingExchange)
    }
}
