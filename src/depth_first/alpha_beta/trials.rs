//! Searches that rules ask for before a node's moves: one after passing, one of the captures against a raised beta, and
//! one of the moves other than the table's.

use super::node::Facts;
use super::rules::{NodeInputs, SingularExtension};
use super::{AlphaBeta, NodeArguments};
use eval::Evaluator;
use game::{Footprint, Game, MoveCode, Score};
use search::common::context::Visit;
use search::common::picker::{Keys, Pick, Picker};
use search::{Event, Interrupt, Probe, Rule};
use tree::{DepthChange, Fate, NodeId};

/// What the moves are searched for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The node's value.
    Value,
    /// The question of a rule or an audit: nothing about this node is remembered. The move `without` is left out.
    Trial { without: MoveCode },
}

/// A search of a node's own moves that a rule asks for: whether they reach the bound within a given depth.
#[derive(Clone, Copy)]
pub(super) struct Trial {
    pub rule: Rule,
    pub bound: Score,
    pub depth: i32,
    /// A move to leave out; `NONE` for none.
    pub without: MoveCode,
}

/// What the singular test says about the table's move.
pub(super) enum SingularResult {
    /// Search the table's move this many plies deeper.
    Extend(u8),
    /// Other moves reach beta too.
    MultiCut(Score, Fate),
    Nothing,
}

/// One below a score: the null window below `bound` runs from this to `bound`.
fn below(bound: Score) -> Score {
    Score::from_raw(bound.raw() - 1)
}

impl<E, P: Probe> AlphaBeta<'_, E, P> {
    pub(super) fn begin_trial(&mut self, visit: &Visit, rule: Rule, bound: Score, depth: i32) {
        self.context.worker.count_rule(rule);
        let node = visit.node;
        if !node.is_none() {
            self.context.emit(|| Event::Try {
                node,
                rule,
                bound,
                depth: depth.max(0) as i8,
            });
        }
    }

    pub(super) fn end_trial(&mut self, visit: &Visit, rule: Rule, bound: Score, value: Score) {
        let node = visit.node;
        if !node.is_none() {
            self.context.emit(|| Event::Tried {
                node,
                rule,
                bound,
                value,
            });
        }
    }

    /// The value of a trial: of a node's own moves, in the null window below its bound, fail-soft.
    pub(super) fn search_moves<G: Game>(
        &mut self,
        trial: Trial,
        visit: &Visit,
        position: &G,
        state: &E::State,
        facts: &Facts,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        let Trial {
            rule,
            bound,
            depth,
            without,
        } = trial;
        self.begin_trial(visit, rule, bound, depth);
        let tried = Visit {
            alpha: below(bound),
            beta: bound,
            depth,
            ..*visit
        };
        let mut keys = Keys::new();
        let mut moves = Picker::unlisted(position, &mut keys);
        let site = self.site(Purpose::Trial { without }, tried, position, state, facts);
        let (value, _) = self.moves(&site, None, &mut moves)?;
        self.end_trial(visit, rule, bound, value);
        Ok(value)
    }

    /// Null move: passes, and tests whether beta is still reached.
    pub(super) fn pass<G: Game>(
        &mut self,
        visit: &Visit,
        position: &G,
        state: &E::State,
        facts: &Facts,
        seen: &NodeInputs,
    ) -> Result<Option<(Score, Fate)>, Interrupt>
    where
        E: Evaluator<G>,
    {
        if facts.passed || visit.ply < self.no_null_before || !position.has_pieces() {
            return Ok(None);
        }
        let asked = self.rules.as_ref().and_then(|rules| {
            let verified = rules.null_move.needs_verification(visit.depth);
            Some((rules.null_move.reduction(seen)?, verified))
        });
        let Some((reduction, verified)) = asked else {
            return Ok(None);
        };
        let Some(next) = position.null_move() else {
            return Ok(None);
        };
        let depth = visit.depth - 1 - reduction;
        let beta = visit.beta;
        self.begin_trial(visit, Rule::NullMove, beta, depth);
        self.context.worker.count_node()?;
        let child = self
            .context
            .child(visit.node, NodeId::NONE, MoveCode::PASS, visit.ply + 1);
        self.context.treat(child, visit.ply + 1, DepthChange::None);
        self.line.make(visit.ply, Footprint::NONE);
        self.context.history.push(position.key());
        let place = NodeArguments {
            node: child,
            ply: visit.ply + 1,
            depth,
            passed: true,
        };
        let (low, high) = (beta.one_ply_down(), below(beta).one_ply_down());
        let value = self.search(place, &next, state, low, high)?.one_ply_up();
        self.context.history.pop();
        self.end_trial(visit, Rule::NullMove, beta, value);
        if value < beta {
            return Ok(None);
        }
        if verified && !self.verify(visit, position, state, facts, depth + 1)? {
            return Ok(None);
        }
        // A pass is not a legal move, so a mate after it proves nothing.
        let value = if value.is_decided() { beta } else { value };
        let fate = Fate::NullMove {
            value,
            beta,
            reduction: reduction as u8,
            verified,
        };
        Ok(Some((value, fate)))
    }

    /// Verifies a null-move cutoff: whether a search without null moves near the root of its subtree reaches beta too.
    fn verify<G: Game>(
        &mut self,
        visit: &Visit,
        position: &G,
        state: &E::State,
        facts: &Facts,
        depth: i32,
    ) -> Result<bool, Interrupt>
    where
        E: Evaluator<G>,
    {
        let depth = depth.max(1);
        let beta = visit.beta;
        let before = self.no_null_before;
        self.no_null_before = visit.ply + 1 + (3 * depth / 4) as u16;
        let facts = Facts {
            entry: None,
            ..*facts
        };
        let trial = Trial {
            rule: Rule::NullMove,
            bound: beta,
            depth,
            without: MoveCode::NONE,
        };
        let value = self.search_moves(trial, visit, position, state, &facts);
        self.no_null_before = before;
        Ok(value? >= beta)
    }

    /// ProbCut as in today's chess engines: searches the captures against a raised beta, first by quiescence, then to a
    /// reduced depth. For ProbCut by percentile see [`AlphaBeta::percentile_cut`].
    pub(super) fn prob_cut<G: Game>(
        &mut self,
        visit: &Visit,
        position: &G,
        state: &E::State,
        facts: &Facts,
        seen: &NodeInputs,
    ) -> Result<Option<(Score, Fate)>, Interrupt>
    where
        E: Evaluator<G>,
    {
        let rule = self.rules.as_ref().map(|r| r.prob_cut);
        if let Some(percentile) = rule.filter(|r| r.enabled).and_then(|r| r.percentile) {
            return self.percentile_cut(percentile, visit, position, state, facts, seen);
        }
        let Some((rule, raised)) = rule.and_then(|r| Some((r, r.raised(seen)?))) else {
            return Ok(None);
        };
        let depth = (visit.depth - rule.reduction).max(0);
        let known_lower = facts
            .entry
            .is_some_and(|e| i32::from(e.depth) >= depth && e.value < raised);
        if known_lower {
            return Ok(None);
        }
        let need = i32::from(raised.raw()) - i32::from(seen.static_value.raw());
        let mut keys = Keys::new();
        let mut moves = Picker::noisy(position, &mut keys);
        moves.drop_rest(|pick| !position.see_ge(pick.m, need));
        if moves.is_empty() {
            return Ok(None);
        }
        self.begin_trial(visit, Rule::ProbCut, raised, depth);
        moves.order_noisy();
        self.context.history.push(position.key());
        let mut best = Score::MIN;
        let mut cut = None;
        while let Some(Pick { m, code, .. }) = moves.next_noisy() {
            let value = self.raised_child(visit, position, state, m, raised, depth)?;
            best = best.max(value);
            if value >= raised {
                let margin = if value.is_decided() { 0 } else { rule.margin };
                let fate = Fate::ProbCut {
                    by: code,
                    value,
                    raised,
                    depth: depth as u8,
                };
                cut = Some((Score::from_raw(value.raw() - margin as i16), fate));
                break;
            }
        }
        self.context.history.pop();
        self.end_trial(visit, Rule::ProbCut, raised, best);
        Ok(cut)
    }

    fn raised_child<G: Game>(
        &mut self,
        visit: &Visit,
        position: &G,
        state: &E::State,
        m: G::Move,
        raised: Score,
        depth: i32,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        self.context.worker.count_node()?;
        let ply = visit.ply + 1;
        let code = position.encode(m);
        let child = self.context.child(visit.node, NodeId::NONE, code, ply);
        self.context.treat(child, ply, DepthChange::None);
        let mut next = position.clone();
        next.play(m);
        let state = self.evaluator.after(state, position, m);
        self.line.make(visit.ply, position.footprint(m));
        let (low, high) = (raised.one_ply_down(), below(raised).one_ply_down());
        let mut place = NodeArguments {
            node: child,
            ply,
            depth: 0,
            passed: false,
        };
        let value = self.search(place, &next, &state, low, high)?.one_ply_up();
        if value < raised || depth == 0 {
            return Ok(value);
        }
        place.depth = depth;
        Ok(self.search(place, &next, &state, low, high)?.one_ply_up())
    }

    /// The singular test: whether any move other than the table's comes near its value.
    pub(super) fn singular<G: Game>(
        &mut self,
        visit: &Visit,
        position: &G,
        state: &E::State,
        facts: &Facts,
    ) -> Result<SingularResult, Interrupt>
    where
        E: Evaluator<G>,
    {
        let rule = self.rules.as_ref().map(|r| r.singular_extension);
        let asked = visit.ply > 0 && !visit.on_choices && !facts.exact;
        let bound = rule
            .filter(|_| asked && visit.ply < 2 * u16::from(self.context.iteration))
            .and_then(|r| r.bound(visit.depth, facts.entry.as_ref()?));
        let Some(bound) = bound else {
            return Ok(SingularResult::Nothing);
        };
        let depth = SingularExtension::depth(visit.depth);
        let trial = Trial {
            rule: Rule::SingularExtension,
            bound,
            depth,
            without: facts.first,
        };
        let value = self.search_moves(trial, visit, position, state, facts)?;
        if value < bound {
            return Ok(SingularResult::Extend(1));
        }
        let multi_cut = self.rules.as_ref().map(|r| r.multi_cut);
        let fate = multi_cut
            .filter(|_| visit.is_null_window())
            .and_then(|rule| rule.cut(visit.beta, bound, value, depth));
        if let Some(fate) = fate {
            return Ok(SingularResult::MultiCut(value, fate));
        }
        Ok(SingularResult::Nothing)
    }
}
