//! One node: whether it is decided before its moves, and which move to search first.

use super::rules::{NodeInputs, Razoring};
use super::short_mates;
use super::trials::Purpose;
use super::{AlphaBeta, NodeArguments};
use crate::deepening::MAX_PLY;
use eval::Evaluator;
use game::{Game, MoveCode, Score};
use search::common::context::Visit;
use search::common::picker::{Keys, Picker};
use search::common::quiescence::Quiescence;
use search::common::table::Entry;
use search::{Event, Interrupt, Probe, Rule};
use tree::Fate;

/// What is known about a node before its moves are searched.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    /// From the view of the side to move, corrected; `None` in check and at the inner nodes of a toy tree.
    pub static_value: Option<Score>,
    /// The static value before correction.
    pub raw_value: Option<Score>,
    /// The move to search first, from the table or an earlier visit; `NONE` if there is none.
    pub first: MoveCode,
    pub entry: Option<Entry>,
    /// A short mate is at stake, so no rule applies.
    pub exact: bool,
    /// The node was reached by a null move.
    pub passed: bool,
}

impl Facts {
    /// What the rules see; `None` where no rule applies.
    #[inline]
    pub fn seen(&self, visit: &Visit) -> Option<NodeInputs> {
        let static_value = self.static_value.filter(|_| !self.exact)?;
        Some(NodeInputs {
            alpha: visit.alpha,
            beta: visit.beta,
            depth: visit.depth,
            static_value,
            improving: visit.improving,
        })
    }
}

/// The result of searching a node.
pub(super) struct Outcome {
    pub value: Score,
    pub static_value: Option<Score>,
    pub fate: Fate,
}

impl<E, P: Probe> AlphaBeta<'_, E, P> {
    /// Searches a position within the window. Returns its value for the side to move, fail-soft. The caller has counted
    /// the node.
    pub(super) fn search<G: Game>(
        &mut self,
        place: NodeArguments,
        position: &G,
        state: &E::State,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        match &self.table {
            Some(table) if table.keeps_leaves() => {
                self.search_with_leaves(place, position, state, alpha, beta)
            }
            _ => self.search_node(place, position, state, alpha, beta),
        }
    }

    /// The same, whether or not a leaf is in the table.
    #[inline]
    pub(super) fn search_node<G: Game>(
        &mut self,
        place: NodeArguments,
        position: &G,
        state: &E::State,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        let NodeArguments {
            node, ply, depth, ..
        } = place;
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiesce(place, position, state, alpha, beta);
        }
        let mut visit = self.context.enter(node, ply, alpha, beta, depth);
        let before = self.bounds_before(&visit);
        match self.look(&mut visit, place.passed, position, state) {
            Ok(Outcome {
                value,
                static_value,
                fate,
            }) => {
                let value = self.context.leave(visit, value, static_value, fate);
                self.keep_bound(&visit, before, value);
                Ok(value)
            }
            Err(Interrupt) => Err(self.give_up(visit)),
        }
    }

    fn look<G: Game>(
        &mut self,
        visit: &mut Visit,
        passed: bool,
        position: &G,
        state: &E::State,
    ) -> Result<Outcome, Interrupt>
    where
        E: Evaluator<G>,
    {
        let without_value = |value, fate| {
            Ok(Outcome {
                value,
                static_value: None,
                fate,
            })
        };
        if visit.ply > 0
            && let Some((score, fate)) = self.context.draw_on_the_way(position, visit.ply)
        {
            return without_value(score, fate);
        }
        let horizon =
            short_mates::horizon(visit.alpha, visit.beta).filter(|_| self.rules.is_some());
        if let Some(plies) = horizon {
            // A longer line cannot change what this window decides.
            visit.depth = visit.depth.min(plies.max(1));
        }
        if horizon.is_none()
            && let Some((score, fate)) = self.context.in_tables(position, visit.ply)
        {
            return without_value(score, fate);
        }
        if let Some((score, fate)) = self.context.known_draw(position, visit.ply) {
            return without_value(score, fate);
        }
        let known = self.known(visit, position);
        // Only a position with moves has a table value; whether there are moves is determined only when they are
        // needed.
        let ended = position.ending(true).is_some();
        if !ended
            && let clock = position.reversible_plies()
            && let Some((value, fate)) = known.cutoff(visit, horizon.is_some(), clock)
        {
            return without_value(value, fate);
        }
        let entry = known.first();
        let facts = self.facts(visit, passed, position, state, entry, horizon.is_some());
        if !ended && let Some((value, fate)) = self.cut(visit, position, state, &facts)? {
            return Ok(Outcome {
                value,
                static_value: facts.static_value,
                fate,
            });
        }
        let mut keys = Keys::new();
        let mut moves = Picker::unlisted(position, &mut keys);
        let site = self.site(Purpose::Value, *visit, position, state, &facts);
        // With a legal move at hand the game goes on, and that move may make the others needless.
        let first = self.first_alone(&site, &moves).filter(|_| !ended);
        if first.is_none() {
            self.list(&site, &mut moves);
            if let Some(ending) = position.ending(!moves.is_empty()) {
                return without_value(position.ending_score(ending), Fate::Ended(ending));
            }
            if moves.is_empty() {
                return Ok(self.uncertain_end(position, state));
            }
        }
        self.context.begin_moves(visit, &mut moves);
        let (value, fate) = self.moves(&site, first, &mut moves)?;
        Ok(Outcome {
            value,
            static_value: facts.static_value,
            fate,
        })
    }

    /// A toy leaf with a spread has a value but proves nothing.
    #[cold]
    fn uncertain_end<G: Game>(&mut self, position: &G, state: &E::State) -> Outcome
    where
        E: Evaluator<G>,
    {
        let value = self.evaluator.value(state, position);
        Outcome {
            value,
            static_value: Some(value),
            fate: Fate::Horizon {
                static_value: value,
            },
        }
    }

    /// Takes the position's static value, where it has one, and finds the move to search first.
    fn facts<G: Game>(
        &mut self,
        visit: &mut Visit,
        passed: bool,
        position: &G,
        state: &E::State,
        entry: Option<Entry>,
        exact: bool,
    ) -> Facts
    where
        E: Evaluator<G>,
    {
        let raw_value = match &self.rules {
            Some(_) if !position.is_check() => {
                let evaluate = || self.evaluator.value(state, position);
                let known = entry.and_then(|e| e.static_value);
                Some(known.unwrap_or_else(|| self.static_values.get(position.key(), evaluate)))
            }
            _ => None,
        };
        let static_value = raw_value.map(|value| self.corrections.apply(position, value));
        self.line.set_static(visit.ply, static_value);
        if let Some(rules) = &self.rules {
            visit.improving = !rules.improving || self.line.is_improving(visit.ply);
            if rules
                .internal_reduction
                .applies(visit.depth, entry.is_some_and(|e| e.best != MoveCode::NONE))
                && !exact
                && visit.ply > 0
                && !self.is_opened(visit)
            {
                visit.depth -= 1;
                self.context.worker.count_rule(Rule::InternalReduction);
            }
        }
        if let (false, Some(value)) = (visit.node.is_none(), static_value) {
            let node = visit.node;
            let scale = position.scale();
            self.context.emit(|| Event::Evaluate {
                node,
                value,
                mean: scale.expected(value),
                sd: None,
            });
        }
        let known = entry.map(|e| e.best);
        Facts {
            static_value,
            raw_value,
            first: self
                .context
                .first_to_search(visit, self.root.first_move, known),
            entry,
            exact,
            passed,
        }
    }

    /// Asks the rules that cut a node off before its moves, in null windows.
    fn cut<G: Game>(
        &mut self,
        visit: &Visit,
        position: &G,
        state: &E::State,
        facts: &Facts,
    ) -> Result<Option<(Score, Fate)>, Interrupt>
    where
        E: Evaluator<G>,
    {
        if visit.ply == 0 || !visit.is_null_window() || visit.on_choices || self.is_opened(visit) {
            return Ok(None);
        }
        let Some(seen) = facts.seen(visit) else {
            return Ok(None);
        };
        let cut = match self.razor(visit, position, state, &seen)? {
            Some(cut) => Some(cut),
            None => match self.cut_by_numbers(visit, &seen) {
                Some(cut) => Some(cut),
                None => match self.pass(visit, position, state, facts, &seen)? {
                    Some(cut) => Some(cut),
                    None => self.prob_cut(visit, position, state, facts, &seen)?,
                },
            },
        };
        if let Some((_, fate)) = cut
            && self.context.draws_audit(fate, visit.depth)
        {
            self.audit_node(visit, position, state, facts, fate)?;
        }
        Ok(cut)
    }

    /// Whether the user wants to see what lies below this node: then it is searched, to the depth it had.
    fn is_opened(&self, visit: &Visit) -> bool {
        !self.root.again.is_none() && visit.node == self.root.again
    }

    /// Asks the rules that cut by numbers alone, but not at the ply after the root: a static value does not see that a
    /// quiet move there threatens mate.
    fn cut_by_numbers(&self, visit: &Visit, seen: &NodeInputs) -> Option<(Score, Fate)> {
        let rules = self.rules.as_ref().filter(|_| visit.ply > 1)?;
        rules.cut(seen)
    }

    /// Razoring: runs quiescence where the static value is far below alpha.
    fn razor<G: Game>(
        &mut self,
        visit: &Visit,
        position: &G,
        state: &E::State,
        seen: &NodeInputs,
    ) -> Result<Option<(Score, Fate)>, Interrupt>
    where
        E: Evaluator<G>,
    {
        let margin = self.rules.as_ref().and_then(|r| r.razoring.suspects(seen));
        let Some(margin) = margin else {
            return Ok(None);
        };
        let bound = visit.alpha;
        self.begin_trial(visit, Rule::Razoring, bound, 0);
        let quiescence = Quiescence {
            evaluator: self.evaluator,
            rules: self.capture_rules,
            corrections: Some(&self.corrections),
            static_values: self.memory.as_ref().map(|_| &self.static_values),
        };
        let quiet = Visit { depth: 0, ..*visit };
        let found = quiescence.look(&mut self.context, quiet, position, state)?;
        self.end_trial(visit, Rule::Razoring, bound, found.value);
        let cut = Razoring::cut(seen, margin, found.value);
        Ok(cut.map(|fate| (found.value, fate)))
    }

    /// Ends a node in which the search was stopped. At the root, what was found so far counts, because the first move
    /// searched was the best of the iteration before. The value never falls below a proven win.
    #[cold]
    fn give_up(&mut self, visit: Visit) -> Interrupt {
        if visit.ply == 0
            && !visit.node.is_none()
            && let Some((best, fate)) = self.root_so_far.take()
            && best >= self.context.proven_at_root()
        {
            let bound = tree::Bound::Lower;
            self.context.write(visit, best, bound, None, fate);
            return Interrupt;
        }
        self.context.interrupt(visit)
    }
}
