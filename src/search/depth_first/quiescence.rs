//! Quiescence search: captures and promotions (every move when in check) until the position is quiet.

use super::context::{Context, Skips};
use super::ordering::Picker;
use crate::eval::Evaluator;
use crate::game::{Ending, Game, MoveCode, Score};
use crate::search::{Event, Interrupt, Probe};
use crate::tree::{Fate, NodeId};

/// Which captures are not worth a look.
#[derive(Clone, Copy, Debug)]
pub struct CaptureRules {
    /// Skip a capture if static value + what it takes + this is not above alpha (centipawns).
    pub delta_margin: i32,
    /// Skip captures that lose material by static exchange.
    pub see: bool,
}

impl CaptureRules {
    /// The rules of a quiescence search inside other algorithms.
    pub const DEFAULT: CaptureRules = CaptureRules {
        delta_margin: 180,
        see: true,
    };

    /// Why a noisy move is not searched, if so; `static_value` is `None` in check, where every evasion is.
    #[inline]
    #[must_use]
    pub fn skip<G: Game>(
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

/// A quiescence search: an evaluation and the rules.
#[derive(Clone, Copy, Debug)]
pub struct Quiescence<'a, E> {
    pub evaluator: &'a E,
    pub rules: CaptureRules,
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
                context.emit(|| Event::Evaluate {
                    node,
                    value,
                    sd: None,
                });
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
        let mut moves = Picker::new(position.noisy_moves());
        if visit.on_choices {
            context.leave_out(&visit, position, &mut moves, in_check);
        }
        moves.order_noisy(position);
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
        let mut skips = Skips::new();
        while let Some(m) = moves.next(|_| 0) {
            let code = position.encode(m);
            if let Some(fate) = self.rules.skip(position, m, static_value, alpha) {
                context.skip(&visit, &mut skips, code, fate);
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
                    // The others take no more than this one.
                    moves.drop_rest(|m| {
                        if let Some(fate) = self.rules.skip(position, m, Some(static_value), alpha)
                        {
                            context.skip(&visit, &mut skips, position.encode(m), fate);
                        }
                        true
                    });
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
                context.emit_back_up(&visit, child, best, value);
                best = value;
                best_move = code;
                if value >= beta {
                    context.record_skips(&visit, best, &skips, last);
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
                skipped: skips.len().min(255) as u8,
                moves: total.min(255) as u8,
                margin: self.rules.delta_margin as i16,
            },
        };
        context.record_skips(&visit, best, &skips, last);
        Ok(context.leave(visit, best, static_value, fate))
    }
}
