//! The moves of an inner node: which of them are searched, with which window, and with what result.

use arrayvec::ArrayVec;

use super::driver::Driver;
use super::rules::Late;
use super::site::{Candidate, Site};
use super::trials::{Purpose, SingularResult};
use super::{AlphaBeta, NodeArguments};
use eval::Evaluator;
use game::{Game, MAX_MOVES, MoveCode, Score};
use search::common::context::{Skips, Visit};
use search::common::ordering;
use search::common::picker::{Pick, Picker};
use search::{Interrupt, Probe, Rule};
use tree::{DepthChange, Fate, NodeId};

/// What the moves of a node have yielded so far.
pub(super) struct SoFar {
    pub best: Score,
    pub best_move: MoveCode,
    pub best_is_quiet: bool,
    /// The window's lower bound, which rises during the search.
    pub alpha: Score,
    pub searched: u8,
    /// How many moves the node has.
    pub moves: u8,
    /// The child recorded last; `NONE` before the first.
    pub last: NodeId,
    /// How many moves were skipped.
    pub skipped: u16,
    /// Those of them that are recorded or reported one by one.
    pub skips: Skips,
    /// The quiet moves searched in vain.
    pub quiets: ArrayVec<MoveCode, MAX_MOVES>,
}

impl SoFar {
    #[inline]
    fn new(alpha: Score) -> Self {
        SoFar {
            best: Score::MIN,
            best_move: MoveCode::NONE,
            best_is_quiet: false,
            alpha,
            searched: 0,
            moves: 0,
            last: NodeId::NONE,
            skipped: 0,
            skips: Skips::new(),
            quiets: ArrayVec::new(),
        }
    }

    /// Whether a move that was searched reaches beta.
    #[inline]
    fn reaches(&self, beta: Score) -> bool {
        self.searched > 0 && self.best >= beta
    }

    /// Whether a rule may skip moves: one was searched, and it does more than delay a mate.
    pub fn may_skip(&self) -> bool {
        self.searched > 0 && self.best > Score::MIN && !self.best.is_loss()
    }
}

impl<E, P: Probe> AlphaBeta<'_, E, P> {
    /// Searches the moves of an inner node, `first` before the others are even listed. Returns the value and the fate
    /// that goes with it, fail-soft.
    pub(super) fn moves<G: Game>(
        &mut self,
        site: &Site<G, E::State>,
        first: Option<Pick<G::Move>>,
        moves: &mut Picker<'_, G>,
    ) -> Result<(Score, Fate), Interrupt>
    where
        E: Evaluator<G>,
    {
        let &Site {
            visit, position, ..
        } = site;
        let mut so_far = SoFar::new(visit.alpha);
        let mut after = site.state.clone();
        // Moves that other threads are searching.
        let mut put_off = Vec::new();
        self.context.history.push(position.key());
        if let Some(pick) = first
            && let Some(cut) =
                self.try_pick(site, pick, moves, &mut put_off, &mut so_far, &mut after)?
        {
            self.context.history.pop();
            return Ok(cut);
        }
        if !so_far.reaches(visit.beta) {
            self.list(site, moves);
            so_far.moves = moves.len().min(255) as u8;
            if visit.ply == 0 {
                self.root_moves = so_far.moves;
            }
            self.skip_futile(site, moves, &mut so_far)?;
            if self.memory.is_some() {
                moves.order(site.facts.first);
            }
        }
        while !so_far.reaches(visit.beta)
            && let Some(pick) =
                ordering::next(self.memory.as_ref(), &self.line, position, visit.ply, moves)
        {
            let without = Purpose::Trial { without: pick.code };
            if first.is_some_and(|first| first.code == pick.code) || site.purpose == without {
                continue;
            }
            if let Some(cut) =
                self.try_pick(site, pick, moves, &mut put_off, &mut so_far, &mut after)?
            {
                self.context.history.pop();
                return Ok(cut);
            }
        }
        for candidate in put_off {
            if so_far.reaches(visit.beta) {
                break;
            }
            // The table's move is never put off, so nothing is cut off before the move.
            self.try_move(site, &candidate, &mut so_far, &mut after)?;
        }
        self.context.history.pop();
        Ok(self.finish(site, &so_far))
    }

    /// Searches the next move, unless a rule skips it or another thread is searching it. Returns a value and a fate if the whole node is cut off before
    /// that.
    #[inline]
    fn try_pick<G: Game>(
        &mut self,
        site: &Site<G, E::State>,
        pick: Pick<G::Move>,
        moves: &mut Picker<'_, G>,
        put_off: &mut Vec<Candidate<G::Move>>,
        so_far: &mut SoFar,
        after: &mut E::State,
    ) -> Result<Option<(Score, Fate)>, Interrupt>
    where
        E: Evaluator<G>,
    {
        let gives_check = |checks| site.position.gives_check_by(checks, pick.m);
        let candidate = Candidate {
            pick,
            gives_check: site.checks.as_ref().is_some_and(gives_check),
            number: so_far.searched.saturating_add(put_off.len() as u8),
        };
        if self.skip_candidate(site, &candidate, moves, so_far)? {
            return Ok(None);
        }
        match self.team_at(site) {
            None => self.try_move(site, &candidate, so_far, after),
            Some(team) => self.try_among(team, site, candidate, put_off, so_far, after),
        }
    }

    /// Searches one move. Returns a value and a fate if the whole node is cut off before that. `after` has room for the
    /// evaluation's state after the move.
    pub(super) fn try_move<G: Game>(
        &mut self,
        site: &Site<G, E::State>,
        candidate: &Candidate<G::Move>,
        so_far: &mut SoFar,
        after: &mut E::State,
    ) -> Result<Option<(Score, Fate)>, Interrupt>
    where
        E: Evaluator<G>,
    {
        let &Site {
            visit,
            position,
            state,
            facts,
            purpose,
            ..
        } = site;
        let Pick { code, quiet, .. } = candidate.pick;
        let mut change = DepthChange::None;
        if so_far.searched == 0 && code == facts.first && purpose == Purpose::Value {
            match self.singular(&visit, position, state, facts)? {
                SingularResult::Extend(plies) => change = DepthChange::Singular { plies },
                SingularResult::MultiCut(value, fate) => {
                    if self.context.draws_audit(fate, visit.depth) {
                        self.audit_node(&visit, position, state, facts, fate)?;
                    }
                    return Ok(Some((value, fate)));
                }
                SingularResult::Nothing => {}
            }
        }
        if change == DepthChange::None {
            change = self.depth_change(site, candidate, so_far);
        }
        let child = self
            .context
            .child(visit.node, so_far.last, code, visit.ply + 1);
        self.context.note_root_move(&visit, code, so_far.searched);
        if !child.is_none() {
            so_far.last = child;
        }
        let alpha = so_far.alpha;
        let value = self.child(site, candidate, child, change, so_far, after)?;
        so_far.searched = so_far.searched.saturating_add(1);
        if value > so_far.best {
            self.context.emit_back_up(&visit, child, so_far.best, value);
            so_far.best = value;
            so_far.best_move = code;
            so_far.best_is_quiet = quiet;
            if value > so_far.alpha {
                so_far.alpha = value;
                if visit.ply == 0 && purpose == Purpose::Value && !self.confirming {
                    let fate = self.fate(&visit, so_far);
                    self.new_best(visit, code, value, fate);
                    self.root_so_far = Some((value, fate));
                }
            }
        }
        if self.gives_lines(site) && value > alpha {
            self.root.lines.add(code, value, value);
            so_far.alpha = self.root.lines.alpha().max(visit.alpha);
        }
        if quiet {
            so_far.quiets.push(code);
        }
        Ok(None)
    }

    /// How many plies less or more than usual (one ply less than its parent) the move is searched.
    #[inline]
    fn depth_change<G: Game>(
        &self,
        site: &Site<G, E::State>,
        candidate: &Candidate<G::Move>,
        so_far: &SoFar,
    ) -> DepthChange
    where
        E: Evaluator<G>,
    {
        let visit = &site.visit;
        let Some(rules) = self.rules.as_ref().filter(|_| !site.facts.exact) else {
            return DepthChange::None;
        };
        if self.has_open_moves(site, so_far) {
            return DepthChange::None;
        }
        if candidate.gives_check
            && rules.check_extension.enabled
            && visit.ply < 2 * u16::from(self.context.iteration)
            && site.position.see_ge(candidate.pick.m, 0)
        {
            return DepthChange::Check;
        }
        let number = candidate.number;
        if number == 0 || visit.depth < rules.late_move_reduction.min_depth {
            return DepthChange::None;
        }
        let plies = rules.late_move_reduction.plies(&Late {
            depth: visit.depth,
            number,
            open_window: !visit.is_null_window(),
            improving: visit.improving,
            quiet: candidate.pick.quiet,
            history: candidate.pick.history,
            gives_check: candidate.gives_check,
        });
        match plies {
            0 => DepthChange::None,
            plies => DepthChange::Reduced {
                plies: plies as u8,
                number: number + 1,
                again: false,
            },
        }
    }

    /// Makes one move and searches the position it leads to. The first move has the whole window; the others have a
    /// null window first (principal variation search), and less depth where they are reduced.
    fn child<G: Game>(
        &mut self,
        site: &Site<G, E::State>,
        candidate: &Candidate<G::Move>,
        node: NodeId,
        change: DepthChange,
        so_far: &SoFar,
        state: &mut E::State,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        let (visit, position, m) = (&site.visit, site.position, candidate.pick.m);
        let alpha = so_far.alpha;
        self.context.worker.count_node()?;
        self.context.treat(node, visit.ply + 1, change);
        let more = match change {
            DepthChange::Check => 1,
            DepthChange::Singular { plies } => i32::from(plies),
            DepthChange::Reduced { .. } | DepthChange::None => 0,
        };
        let place = NodeArguments {
            node,
            ply: visit.ply + 1,
            depth: visit.depth - 1 + more,
            passed: false,
        };
        let mut next = position.clone();
        next.play(m);
        if site.checks.is_some() && !candidate.gives_check {
            next.rule_checks_out();
        } else {
            next.find_checks();
        }
        if let Some(table) = &self.table {
            table.fetch(place.depth, || self.context.place_in_table(&next));
        }
        self.evaluator.advance(site.state, position, m, state);
        self.line.make(visit.ply, position.footprint(m));
        self.count_change(change);
        if !self.cutoffs || self.has_open_moves(site, so_far) {
            let value = self.search(place, &next, state, Score::MIN, Score::MAX)?;
            return Ok(value.one_ply_up());
        }
        let window = |low: Score, high: Score| (high.one_ply_down(), low.one_ply_down());
        let zero = Score::from_raw(alpha.raw() + 1);
        let nega_scout = self.driver == Driver::NegaScout;
        // A toy tree is searched by plain alpha-beta, so that its leaves are visited as in the textbook.
        let scouts = self.memory.is_some() || nega_scout;
        let mut low_end = alpha;
        if so_far.searched > 0 && scouts && alpha >= Score::LOSS {
            let (low, high) = window(alpha, zero);
            if let DepthChange::Reduced { plies, number, .. } = change {
                let reduced = NodeArguments {
                    depth: place.depth - i32::from(plies),
                    ..place
                };
                let value = self.search(reduced, &next, state, low, high)?.one_ply_up();
                if value <= alpha {
                    return Ok(value);
                }
                self.context.treat(
                    node,
                    place.ply,
                    DepthChange::Reduced {
                        plies,
                        number,
                        again: true,
                    },
                );
            }
            let value = self.search(place, &next, state, low, high)?.one_ply_up();
            if value <= alpha || value >= visit.beta || zero >= visit.beta {
                return Ok(value);
            }
            if nega_scout {
                // A leaf's value does not depend on the window.
                if next.ending(true).is_some() {
                    return Ok(value);
                }
                low_end = value;
            }
        }
        let (low, high) = window(low_end, visit.beta);
        Ok(self.search(place, &next, state, low, high)?.one_ply_up())
    }

    /// Whether the next move here is searched with an open window: at a root that is searched uniformly, or that still
    /// lacks a line.
    #[inline]
    fn has_open_moves<G: Game, S>(&self, site: &Site<G, S>, so_far: &SoFar) -> bool {
        if site.visit.ply > 0 || site.purpose != Purpose::Value || self.confirming {
            return false;
        }
        self.open_root || self.root.lines.are_several() && so_far.alpha < Score::LOSS
    }

    /// Whether more than the best move here gets an exact value.
    #[inline]
    fn gives_lines<G: Game, S>(&self, site: &Site<G, S>) -> bool {
        let for_its_value = site.purpose == Purpose::Value && !self.confirming;
        site.visit.ply == 0 && for_its_value && self.root.lines.are_several()
    }

    fn count_change(&mut self, change: DepthChange) {
        let rule = match change {
            DepthChange::None => return,
            DepthChange::Reduced { .. } => Rule::LateMoveReduction,
            DepthChange::Check => Rule::CheckExtension,
            // It is counted together with the singular test.
            DepthChange::Singular { .. } => return,
        };
        self.context.worker.count_rule(rule);
    }

    /// Finishes a node: updates the memory, the corrections, the table and the record of skipped moves.
    fn finish<G: Game>(&mut self, site: &Site<G, E::State>, so_far: &SoFar) -> (Score, Fate)
    where
        E: Evaluator<G>,
    {
        let &Site {
            visit,
            position,
            facts,
            purpose,
            ..
        } = site;
        // Only a trial can leave a node without any move, because it leaves one out.
        let best = so_far.best.max(Score::LOSS);
        if best >= visit.beta
            && so_far.best_is_quiet
            && let Some(memory) = &mut self.memory
        {
            let (move_, tried) = (so_far.best_move, &so_far.quiets);
            let tried = tried.strip_suffix(&[move_]).unwrap_or(tried);
            memory.reward(position, &self.line, visit.ply, visit.depth, move_, tried);
        }
        let fate = self.fate(&visit, so_far);
        if purpose == Purpose::Value {
            self.learn(site, best, so_far);
            self.context
                .record_skips(&visit, best, &so_far.skips, so_far.last);
            let key = self.context.place_in_table(position);
            self.remember(&visit, key, best, so_far.best_move, facts.raw_value);
        }
        (best, fate)
    }

    /// Updates the correction history where the search says more than the static value and no capture explains the
    /// difference.
    fn learn<G: Game>(&mut self, site: &Site<G, E::State>, best: Score, so_far: &SoFar)
    where
        E: Evaluator<G>,
    {
        let visit = &site.visit;
        let (Some(before), Some(now)) = (site.facts.raw_value, site.facts.static_value) else {
            return;
        };
        let noisy = so_far.best_move != MoveCode::NONE && !so_far.best_is_quiet;
        let says_nothing = best >= visit.beta && best <= now || best <= visit.alpha && best >= now;
        let busy = self.context.is_auditing();
        if !noisy && !says_nothing && !best.is_decided() && !visit.on_choices && !busy {
            self.corrections
                .learn(site.position, before, best, visit.depth);
        }
    }

    /// The fate of a node whose moves are done.
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
            let margin = self
                .rules
                .as_ref()
                .map_or(0, |r| r.futility.margin.at(visit.depth));
            let best = match visit.ply {
                0 => self.context.root_move(so_far.best_move, so_far.best),
                _ => so_far.best_move,
            };
            Fate::Expanded {
                best,
                searched: so_far.searched,
                skipped: so_far.skipped.min(255) as u8,
                moves: so_far.moves,
                margin: margin as i16,
            }
        }
    }
}
