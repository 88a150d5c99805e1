//! Quiescence search: captures and promotions (every move when in check) until the position is quiet.

use super::context::{Context, Skips, Visit};
use super::corrections::Corrections;
use super::picker::{Keys, Pick, Picker};
use super::static_cache::StaticCache;
use crate::{Event, Interrupt, Probe};
use eval::Evaluator;
use game::{Ending, Game, MoveCode, Score};
use tree::{DepthChange, Fate, NodeId};

/// What delta pruning adds to a capture's gain, in centipawns, by the plies since quiescence began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeltaMargins([i16; DeltaMargins::PLIES]);

impl DeltaMargins {
    /// So many plies have a margin of their own; it stays the same after them.
    pub const PLIES: usize = 16;

    /// The same at all plies.
    pub const fn constant(centipawns: i16) -> DeltaMargins {
        DeltaMargins([centipawns; DeltaMargins::PLIES])
    }

    /// The margins that a function of the plies since quiescence began gives, cut to 0 to [`Score::LIMIT`].
    pub fn of(value: impl Fn(usize) -> f64) -> DeltaMargins {
        let limit = f64::from(Score::LIMIT);
        DeltaMargins(std::array::from_fn(|plies| {
            value(plies).round().clamp(0.0, limit) as i16
        }))
    }

    /// The margin at a depth, which is 0 where quiescence begins and falls by 1 with each ply.
    #[inline]
    pub fn at(&self, depth: i32) -> i32 {
        i32::from(self.0[depth.unsigned_abs().min(DeltaMargins::PLIES as u32 - 1) as usize])
    }
}

/// Which captures are not worth searching.
#[derive(Clone, Copy, Debug)]
pub struct CaptureRules {
    /// Skips a capture if static value + the capture's gain + this margin is not above alpha; `None`: never.
    pub delta_pruning: Option<DeltaMargins>,
    /// Skips captures that lose material by static exchange.
    pub losing_captures: bool,
    /// Also searches quiet moves that give check, at the horizon.
    pub checks: bool,
    /// Searches nothing: the value at the horizon is the static value.
    pub blind: bool,
}

impl CaptureRules {
    /// The rules of a quiescence search inside other algorithms.
    pub const DEFAULT: CaptureRules = CaptureRules {
        delta_pruning: Some(DeltaMargins::constant(180)),
        losing_captures: true,
        checks: false,
        blind: false,
    };

    /// The fate of a noisy move that is skipped at this depth of quiescence. `static_value` is `None` in check, where every
    /// evasion is searched.
    #[inline]
    pub fn skip<G: Game>(
        &self,
        position: &G,
        m: G::Move,
        static_value: Option<Score>,
        alpha: Score,
        depth: i32,
    ) -> Option<Fate> {
        let static_value = static_value?;
        if let Some(delta) = &self.delta_pruning
            && !alpha.is_decided()
        {
            let margin = position.capture_gain(m) + delta.at(depth);
            if i32::from(static_value.raw()) + margin <= i32::from(alpha.raw()) {
                return Some(Fate::DeltaPruning {
                    static_value,
                    margin: margin as i16,
                    alpha,
                });
            }
        }
        (self.losing_captures && !position.see_ge(m, 0)).then_some(Fate::LosingCaptures)
    }
}

/// A quiescence search: an evaluation and its rules.
#[derive(Clone, Copy, Debug)]
pub struct Quiescence<'a, E> {
    pub evaluator: &'a E,
    pub rules: CaptureRules,
    /// The corrections of the static values, if there are any.
    pub corrections: Option<&'a Corrections>,
    /// Static values that were computed before, if they are kept.
    pub static_values: Option<&'a StaticCache>,
}

/// The result of quiescence at a node that it neither entered nor left.
#[derive(Clone, Copy, Debug)]
pub struct Quiet {
    pub value: Score,
    /// `None` in check.
    pub static_value: Option<Score>,
    pub fate: Fate,
}

/// Check evasions can be quiet, so a line does not end by itself.
const MAX_PLIES: i32 = 64;

/// What the moves of a node have yielded so far.
struct SoFar {
    alpha: Score,
    best: Score,
    best_move: MoveCode,
    searched: u8,
    skipped: u8,
    skips: Skips,
    /// The child recorded last; `NONE` before the first.
    last: NodeId,
}

/// A node of quiescence.
struct Site<'p, G, S> {
    visit: Visit,
    position: &'p G,
    state: &'p S,
    static_value: Option<Score>,
}

impl<E> Quiescence<'_, E> {
    /// Searches a position by noisy moves only and returns its value for the side to move, fail-soft within the window.
    ///
    /// The caller has counted the node. `node` is where to record, `NONE` for nowhere. `depth` is 0 at the horizon and
    /// decreases from there.
    ///
    /// # Errors
    /// [`Interrupt`] when the search was asked to stop.
    #[allow(clippy::too_many_arguments)]
    pub fn search<G: Game, P: Probe>(
        &self,
        context: &mut Context<P>,
        node: NodeId,
        position: &G,
        state: &E::State,
        alpha: Score,
        beta: Score,
        ply: u16,
        depth: i32,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        let visit = context.enter(node, ply, alpha, beta, depth);
        match self.look(context, visit, position, state) {
            Ok(quiet) => Ok(context.leave(visit, quiet.value, quiet.static_value, quiet.fate)),
            Err(Interrupt) => Err(context.interrupt(visit)),
        }
    }

    /// Like [`Quiescence::search`], at a node that the caller enters and leaves.
    ///
    /// # Errors
    /// [`Interrupt`] when the search was asked to stop.
    pub fn look<G: Game, P: Probe>(
        &self,
        context: &mut Context<P>,
        visit: Visit,
        position: &G,
        state: &E::State,
    ) -> Result<Quiet, Interrupt>
    where
        E: Evaluator<G>,
    {
        if let Some((value, fate)) = self.end(context, &visit, position) {
            return Ok(Quiet {
                value,
                static_value: None,
                fate,
            });
        }
        let at_the_end = visit.depth < -MAX_PLIES || self.rules.blind;
        let static_value = (!position.is_check() || at_the_end)
            .then(|| self.static_value(context, &visit, position, state));
        if let Some(value) = static_value
            && (value >= visit.beta || at_the_end)
        {
            let fate = if value >= visit.beta && !self.rules.blind {
                Fate::StandPat {
                    static_value: value,
                    beta: visit.beta,
                }
            } else {
                Fate::Horizon {
                    static_value: value,
                }
            };
            return Ok(Quiet {
                value,
                static_value,
                fate,
            });
        }
        let site = Site {
            visit,
            position,
            state,
            static_value,
        };
        self.moves(context, &site)
    }

    /// The value where the game is over, the position occurred twice before, or the fifty moves are up; in the last
    /// case a mate counts only if it is already on the board.
    fn end<G: Game, P: Probe>(
        &self,
        context: &Context<P>,
        visit: &Visit,
        position: &G,
    ) -> Option<(Score, Fate)> {
        if let Some(fate) = context.drawn_by_game(position, visit.ply) {
            return Some((Score::DRAW, fate));
        }
        let Some(ending) = position.ending(true) else {
            return context.known_draw(position, visit.ply);
        };
        let ending = match ending {
            Ending::FiftyMoves if position.is_check() => {
                position.ending(!position.legal_moves().is_empty())?
            }
            ending => ending,
        };
        Some((position.ending_score(ending), Fate::Ended(ending)))
    }

    fn static_value<G: Game, P: Probe>(
        &self,
        context: &mut Context<P>,
        visit: &Visit,
        position: &G,
        state: &E::State,
    ) -> Score
    where
        E: Evaluator<G>,
    {
        let evaluate = || self.evaluator.value(state, position);
        let value = match self.static_values {
            Some(known) => known.get(position.key(), evaluate),
            None => evaluate(),
        };
        let value = match self.corrections {
            Some(corrections) => corrections.apply(position, value),
            None => value,
        };
        let node = visit.node;
        if !node.is_none() {
            let scale = position.scale();
            context.emit(|| Event::Evaluate {
                node,
                value,
                mean: scale.expected(value),
                sd: None,
            });
        }
        value
    }

    fn moves<G: Game, P: Probe>(
        &self,
        context: &mut Context<P>,
        site: &Site<G, E::State>,
    ) -> Result<Quiet, Interrupt>
    where
        E: Evaluator<G>,
    {
        let &Site {
            visit,
            position,
            static_value,
            ..
        } = site;
        let mut keys = Keys::new();
        let mut moves = Picker::noisy(position, &mut keys);
        if visit.on_choices {
            context.leave_out(&visit, &mut moves, static_value.is_none());
        }
        if moves.is_empty() && static_value.is_none() {
            return Ok(MATE);
        }
        moves.order_noisy();
        let mut total = moves.len();
        let best = static_value.unwrap_or(Score::LOSS);
        let mut so_far = SoFar {
            alpha: visit.alpha.max(best),
            best,
            best_move: MoveCode::NONE,
            searched: 0,
            skipped: 0,
            skips: Skips::new(),
            last: NodeId::NONE,
        };
        let depth = visit.depth;
        while let Some(pick) = moves.next_noisy() {
            let alpha = so_far.alpha;
            if let Some(fate) = self
                .rules
                .skip(position, pick.m, static_value, alpha, depth)
            {
                self.skip(context, site, &mut so_far, &pick, fate)?;
                if let Fate::DeltaPruning { .. } = fate {
                    // The remaining moves capture no more than this one.
                    while let Some(pick) = moves.next_noisy() {
                        let fate = self
                            .rules
                            .skip(position, pick.m, static_value, alpha, depth);
                        if let Some(fate) = fate {
                            self.skip(context, site, &mut so_far, &pick, fate)?;
                        }
                    }
                }
                continue;
            }
            self.try_move(context, site, &mut so_far, &pick)?;
            if so_far.best >= visit.beta {
                break;
            }
        }
        let at_horizon = visit.depth >= 0 && static_value.is_some();
        if self.rules.checks && at_horizon && so_far.best < visit.beta {
            total += self.try_checks(context, site, &mut so_far)?;
        }
        context.record_skips(&visit, so_far.best, &so_far.skips, so_far.last);
        Ok(Quiet {
            value: so_far.best,
            static_value,
            fate: self.fate(&visit, &so_far, static_value, total),
        })
    }

    /// Searches quiet checks that lose nothing by exchange. Returns how many there are.
    fn try_checks<G: Game, P: Probe>(
        &self,
        context: &mut Context<P>,
        site: &Site<G, E::State>,
        so_far: &mut SoFar,
    ) -> Result<usize, Interrupt>
    where
        E: Evaluator<G>,
    {
        let &Site {
            visit, position, ..
        } = site;
        let mut keys = Keys::new();
        let mut moves = Picker::safe_checks(position, &mut keys);
        if visit.on_choices {
            context.leave_out(&visit, &mut moves, false);
        }
        let count = moves.len();
        while so_far.best < visit.beta
            && let Some(pick) = moves.next_noisy()
        {
            self.try_move(context, site, so_far, &pick)?;
        }
        Ok(count)
    }

    /// Makes one move and searches the position it leads to.
    fn try_move<G: Game, P: Probe>(
        &self,
        context: &mut Context<P>,
        site: &Site<G, E::State>,
        so_far: &mut SoFar,
        &Pick { m, code, .. }: &Pick<G::Move>,
    ) -> Result<(), Interrupt>
    where
        E: Evaluator<G>,
    {
        let visit = &site.visit;
        context.worker.count_node()?;
        let child = context.child(visit.node, so_far.last, code, visit.ply + 1);
        if !child.is_none() {
            so_far.last = child;
            context.treat(child, visit.ply + 1, DepthChange::None);
        }
        let value = self.child(context, site, so_far.alpha, m, child)?;
        so_far.searched = so_far.searched.saturating_add(1);
        if value > so_far.best {
            context.emit_back_up(visit, child, so_far.best, value);
            so_far.best = value;
            so_far.best_move = code;
            so_far.alpha = so_far.alpha.max(value);
        }
        Ok(())
    }

    fn child<G: Game, P: Probe>(
        &self,
        context: &mut Context<P>,
        site: &Site<G, E::State>,
        alpha: Score,
        m: G::Move,
        child: NodeId,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        let mut next = site.position.clone();
        if self.static_values.is_some() {
            next.play(m);
        } else {
            context.make(&mut next, m);
        }
        next.find_checks();
        let mut state = site.state.clone();
        self.evaluator
            .advance(site.state, site.position, m, &mut state);
        let (low, high) = (site.visit.beta.one_ply_down(), alpha.one_ply_down());
        let (ply, depth) = (site.visit.ply + 1, site.visit.depth - 1);
        let value = self.search(context, child, &next, &state, low, high, ply, depth)?;
        Ok(value.one_ply_up())
    }

    /// Skips a move; occasionally it is audited, that is, searched outside the score.
    fn skip<G: Game, P: Probe>(
        &self,
        context: &mut Context<P>,
        site: &Site<G, E::State>,
        so_far: &mut SoFar,
        &Pick { m, code, .. }: &Pick<G::Move>,
        fate: Fate,
    ) -> Result<(), Interrupt>
    where
        E: Evaluator<G>,
    {
        so_far.skipped = so_far.skipped.saturating_add(1);
        context.skip(&site.visit, &mut so_far.skips, code, fate);
        // Fail-soft: the move might have been worth that much.
        if let Fate::DeltaPruning {
            static_value,
            margin,
            ..
        } = fate
        {
            let most = Score::new(i32::from(static_value.raw()) + i32::from(margin));
            so_far.best = so_far.best.max(most);
        }
        if context.draws_audit(fate, 0) {
            let aside = context.begin_audit();
            let _ = context.worker.count_node();
            let value = self.child(context, site, so_far.alpha, m, NodeId::NONE);
            let nodes = context.end_audit(aside);
            let alpha = so_far.alpha;
            context.audited_move(&site.visit, code, fate, value?, alpha, nodes);
        }
        Ok(())
    }

    fn fate(
        &self,
        visit: &Visit,
        so_far: &SoFar,
        static_value: Option<Score>,
        total: usize,
    ) -> Fate {
        match static_value {
            _ if so_far.best >= visit.beta => Fate::BetaCutoff {
                by: so_far.best_move,
                value: so_far.best,
                beta: visit.beta,
                searched: so_far.searched,
            },
            Some(value) if so_far.best_move == MoveCode::NONE => Fate::Horizon {
                static_value: value,
            },
            _ => Fate::Expanded {
                best: so_far.best_move,
                searched: so_far.searched,
                skipped: so_far.skipped,
                moves: total.min(255) as u8,
                margin: self
                    .rules
                    .delta_pruning
                    .map_or(0, |delta| delta.at(visit.depth) as i16),
            },
        }
    }
}

/// The result in check without a legal move.
const MATE: Quiet = Quiet {
    value: Score::LOSS,
    static_value: None,
    fate: Fate::Ended(Ending::Checkmate),
};
