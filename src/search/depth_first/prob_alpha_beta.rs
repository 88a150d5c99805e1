//! Probabilistic alpha-beta: alpha-beta on distributions, which cuts when P(max >= beta) reaches a confidence level.
//!
//! Source: seed 3, Equation 1: P(max > x) = P(F_1 > x) + P(F_1 < x) P(max_rest > x), that is Q = prod q_i. With
//! beliefs of no width Q is a step at the running maximum, and this is alpha-beta on bins.

use arrayvec::ArrayVec;

use super::context::{Context, Visit};
use super::deepening;
use super::focus::Site;
use super::options::capture_rules;
use super::ordering::{Memory, Picker};
use super::prob_leaf::Leaves;
use super::prob_node::{Found, Maximum, OPEN_ALPHA, OPEN_BETA, bin_score, negated_bin};
pub use super::prob_options::OPTIONS;
use super::prob_pen::BeliefPen;
use super::prob_table::{BeliefEntry, BeliefTable};
use super::quiescence::Quiescence;
use crate::belief::{Cdf, Grid, Running};
use crate::eval::Evaluator;
use crate::game::{Ending, Game, MAX_MOVES, MoveCode, Moves, Score};
use crate::search::{Estimate, Event, Focus, Interrupt, Job, Probe, Start, StopReason};
use crate::tree::{Bound, Fate, NodeId, Tree};

const MAX_PLY: u16 = 200;

/// Runs one thread. Thread 0 records the tree and reports; the others deepen on the shared table. Answers where a next
/// run would begin.
pub fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
    job: &Job<'a, G, E>,
    thread: usize,
    probe: &'a mut P,
) -> Start {
    let position = &job.situation.position;
    // A finite toy tree is searched whole and in the file's order.
    let heuristics = position.height().is_none();
    let options = job.options;
    let mut search = ProbAlphaBeta {
        context: Context::new(job, thread, probe),
        tree: job.tree,
        evaluator: job.evaluator,
        table: options.switch("table").then_some(&job.tables.beliefs),
        quiescence: Quiescence {
            evaluator: job.evaluator,
            rules: capture_rules(options),
        },
        leaves: Leaves::new(job.tree.grid(), job.tree.scale(), options),
        memory: heuristics
            .then(|| Memory::new(options.switch("killers"), options.switch("history"))),
        confidence: options.number("confidence") as f32,
        aspiration: heuristics && options.switch("aspiration"),
        always_again: options.word("fail-low") == "always",
        pen: BeliefPen::new(job.tree),
        again: NodeId::NONE,
        root_order: Vec::new(),
        first_move: job.first_best(),
        root_best: job.first_best(),
    };
    let focus = search.focus(job);
    if deepening::ends_with_focus(job) {
        let best = search.root_best;
        return Start {
            focus,
            best,
            ..job.start
        };
    }
    search.deepen(job, thread)
}

struct ProbAlphaBeta<'a, E, P> {
    context: Context<'a, P>,
    tree: &'a Tree,
    evaluator: &'a E,
    table: Option<&'a BeliefTable>,
    quiescence: Quiescence<'a, E>,
    leaves: Leaves,
    /// `None`: moves are searched in the game's own order.
    memory: Option<Memory>,
    confidence: f32,
    aspiration: bool,
    /// Whether every fail low at the root is searched again, or only a doubtful one.
    always_again: bool,
    pen: BeliefPen<'a>,
    /// The node of a focus: what the table knows of it is not asked.
    again: NodeId,
    /// The root's moves with their worth, as far as the latest pass has them.
    root_order: Vec<(MoveCode, f32)>,
    /// Where the run began on an earlier one's tree: the move to search first at the root, in its first iteration.
    first_move: MoveCode,
    root_best: MoveCode,
}

/// A place in the search: where it is recorded, how deep it is, what is still to do, and the window in bins.
#[derive(Clone, Copy)]
struct Place {
    node: NodeId,
    ply: u16,
    depth: i32,
    /// The highest bin that is reached elsewhere with confidence; [`OPEN_ALPHA`] if none.
    alpha: i32,
    /// The other side has a better choice elsewhere if this bin is reached; [`OPEN_BETA`] if none.
    beta: i32,
}

impl<E, P: Probe> ProbAlphaBeta<'_, E, P> {
    /// Deepens the node of the run's focus with an open window. Answers what is left of it when the search was stopped.
    fn focus<G: Game>(&mut self, job: &Job<G, E>) -> Option<Focus>
    where
        E: Evaluator<G>,
    {
        let site = self.context.begin_focus(job)?;
        self.again = site.focus.node;
        let state = self.evaluator.start(&site.position);
        for depth in site.depths.clone() {
            let place = Place {
                node: site.focus.node,
                ply: site.ply,
                depth: i32::from(depth),
                alpha: OPEN_ALPHA,
                beta: OPEN_BETA,
            };
            let counted = self.context.worker.nodes();
            let found = self.search(place, &site.position, state);
            let more = |found: Found| {
                let point = found.point.unwrap_or(Score::DRAW);
                !Site::<G>::is_decided(depth, point)
            };
            if !found.is_ok_and(more) || self.context.worker.nodes() == counted {
                break;
            }
        }
        self.again = NodeId::NONE;
        self.context.end_focus(&site)
    }

    /// Iterations until a limit, a proof or the end of a finite tree; answers where a next run would begin.
    fn deepen<G: Game>(&mut self, job: &Job<G, E>, thread: usize) -> Start
    where
        E: Evaluator<G>,
    {
        let mut start = Start {
            focus: None,
            ..job.start
        };
        let mut before = self.known_root(job);
        for depth in deepening::depths(job, thread) {
            let position = &job.situation.position;
            let root = deepening::root_of(thread);
            let Ok(found) = self.iteration(root, position, depth, before.as_ref()) else {
                start.best = self.root_best;
                return start;
            };
            start.depth = depth;
            start.best = self.root_best;
            start.score = found.score(self.tree.scale());
            self.first_move = MoveCode::NONE;
            // A mate no longer than the depth is proven.
            let mate = found.point.and_then(Score::mate_plies);
            before = Some(found);
            if thread > 0 {
                continue;
            }
            job.control.set_depth(depth);
            if mate.is_some_and(|p| p.unsigned_abs() <= depth) || self.root_best == MoveCode::NONE {
                job.control.stop(StopReason::Solved);
                return start;
            }
        }
        if thread == 0 {
            deepening::stop_at_the_end(job);
        }
        start
    }

    /// What an earlier run's tree knows of the root: the first window lies around that belief.
    fn known_root<G: Game>(&self, job: &Job<G, E>) -> Option<Found>
    where
        E: Evaluator<G>,
    {
        if job.start.depth == 0 {
            return None;
        }
        let belief = self.tree.belief(Tree::ROOT)?;
        let mean = belief.mean(self.tree.grid());
        Some(Found::new(&belief, mean, None, Bound::Exact))
    }

    /// One iteration: the root within the quantiles of the belief before, and again if it falls out of them.
    fn iteration<G: Game>(
        &mut self,
        root: NodeId,
        position: &G,
        depth: u16,
        before: Option<&Found>,
    ) -> Result<Found, Interrupt>
    where
        E: Evaluator<G>,
    {
        self.context.iteration = depth.min(255) as u8;
        if !root.is_none() {
            self.context.emit(|| Event::Iteration { depth });
        }
        let (alpha, beta) = match before {
            Some(before) if self.aspiration => self.quantiles(before),
            _ => (OPEN_ALPHA, OPEN_BETA),
        };
        let mut place = Place {
            node: root,
            ply: 0,
            depth: i32::from(depth),
            alpha,
            beta,
        };
        let state = self.evaluator.start(position);
        let found = loop {
            let found = self.search(place, position, state)?;
            if place.beta < OPEN_BETA && found.p_at_least(place.beta) >= self.confidence {
                place.beta = OPEN_BETA;
            } else if self.failed_low(&found, place.alpha) {
                place.alpha = OPEN_ALPHA;
            } else {
                break found;
            }
        };
        if !root.is_none() {
            let best = self.root_best;
            let score = found.score(self.tree.scale());
            self.context
                .emit(|| Event::IterationDone { depth, best, score });
        }
        Ok(found)
    }

    /// The bins around the middle of a belief that leave out `1 - confidence` on either side, and one more.
    fn quantiles(&self, belief: &Found) -> (i32, i32) {
        let running = Running { q: belief.q };
        let low = running.highest_bin(self.confidence.max(0.5)) as i32 - 1;
        let high = running.highest_bin((1.0 - self.confidence).min(0.5)) as i32 + 1;
        (low.max(OPEN_ALPHA), high.min(OPEN_BETA))
    }

    /// Whether the root has to be searched again below its window: nothing reached beyond alpha with confidence.
    /// If it lies below alpha with confidence, the belief of this pass may do, for the order of the next.
    fn failed_low(&self, found: &Found, alpha: i32) -> bool {
        let above = found.p_at_least(alpha + 1) >= self.confidence;
        let doubtful = found.p_at_least(alpha) > 1.0 - self.confidence;
        alpha > OPEN_ALPHA && !above && (self.always_again || doubtful)
    }

    /// The belief of a position within the window, side to move. The caller has counted the node.
    fn search<G: Game>(
        &mut self,
        place: Place,
        position: &G,
        state: E::State,
    ) -> Result<Found, Interrupt>
    where
        E: Evaluator<G>,
    {
        if place.depth <= 0 || place.ply >= MAX_PLY {
            return self.leaf(place, position, state);
        }
        let (grid, scale) = (self.tree.grid(), self.tree.scale());
        let visit = self.context.enter(
            place.node,
            place.ply,
            bin_score(place.alpha, grid, scale),
            bin_score(place.beta, grid, scale),
            place.depth,
        );
        if place.ply > 0
            && let Some((score, fate)) = self.context.draw_on_the_way(position, place.ply)
        {
            return Ok(self.certain(visit, score, fate));
        }
        // One ply from the horizon a search costs less than the wait for the table's memory.
        let table = self.table.filter(|_| place.depth > 1 && !visit.on_choices);
        let table = table.filter(|_| self.again.is_none() || place.node != self.again);
        let entry = table.and_then(|table| table.get(position.key()));
        if let Some(entry) = &entry
            && self.table_knows(entry, &place)
        {
            return Ok(self.table_hit(&place, visit, entry));
        }
        let moves = position.legal_moves();
        if let Some(ending) = position.ending(!moves.is_empty()) {
            let score = position.ending_score(ending);
            return Ok(self.certain(visit, score, Fate::Ended(ending)));
        }
        if moves.is_empty() {
            return Ok(self.uncertain_end(visit, position, state));
        }
        let table_move = if place.ply == 0 && self.first_move != MoveCode::NONE {
            self.first_move
        } else if visit.on_choices {
            self.context.recorded_best(place.node)
        } else {
            entry.map_or(MoveCode::NONE, |e| e.best)
        };
        let mut picker = if place.ply == 0 && !self.root_order.is_empty() {
            Picker::new(self.by_root_order(position, moves))
        } else {
            let mut picker = Picker::new(moves);
            if self.memory.is_some() {
                picker.order(position, table_move);
            }
            picker
        };
        self.moves(place, visit, position, state, &mut picker)
    }

    /// The horizon: quiescence gives the value around which the belief is laid.
    fn leaf<G: Game>(
        &mut self,
        place: Place,
        position: &G,
        state: E::State,
    ) -> Result<Found, Interrupt>
    where
        E: Evaluator<G>,
    {
        let (alpha, beta) =
            self.leaves
                .quiet_window(self.evaluator, state, position, place.alpha, place.beta);
        let value = self.quiescence.search(
            &mut self.context,
            place.node,
            position,
            state,
            alpha,
            beta,
            place.ply,
            0,
        )?;
        let ending = match position.ending(true) {
            Some(ending @ (Ending::InsufficientMaterial | Ending::Leaf)) => Some(ending),
            _ => None,
        };
        let found = if ending.is_some() || value == Score::LOSS {
            let belief = self.leaves.atom(value);
            let mean = belief.mean(self.tree.grid());
            Found::new(&belief, mean, Some(value), Bound::Exact)
        } else {
            let (belief, mean) = self.leaves.belief(self.evaluator, state, position, value);
            let bound = match value {
                v if v >= beta || v.is_win() => Bound::Lower,
                v if v <= alpha || v.is_loss() => Bound::Upper,
                _ => Bound::Exact,
            };
            Found::new(&belief, mean, value.is_decided().then_some(value), bound)
        };
        let found = found.against(place.beta, self.confidence);
        self.pen.write(place.node, &found.q);
        Ok(found)
    }

    /// A node whose value is exact: an end of the game or a repetition.
    fn certain(&mut self, visit: Visit, score: Score, fate: Fate) -> Found {
        let belief = self.leaves.atom(score);
        let found = Found::new(
            &belief,
            belief.mean(self.tree.grid()),
            Some(score),
            Bound::Exact,
        );
        self.pen.write(visit.node, &found.q);
        self.context
            .leave_as(visit, score, Bound::Exact, None, fate);
        found
    }

    /// A toy tree's leaf with a spread, above the deepest ones.
    fn uncertain_end<G: Game>(&mut self, visit: Visit, position: &G, state: E::State) -> Found
    where
        E: Evaluator<G>,
    {
        let value = self.evaluator.value(state, position);
        let (belief, mean) = self.leaves.belief(self.evaluator, state, position, value);
        let found = Found::new(&belief, mean, None, Bound::Exact);
        self.pen.write(visit.node, &found.q);
        if !visit.node.is_none() {
            let node = visit.node;
            let sd = belief.sd(self.tree.grid());
            self.context.emit(|| Event::Evaluate {
                node,
                value,
                sd: Some(sd),
            });
        }
        let fate = Fate::Horizon {
            static_value: value,
        };
        self.context
            .leave_as(visit, value, Bound::Exact, Some(value), fate);
        found
    }

    /// Whether what the table has decides this visit at the confidence level.
    fn table_knows(&self, entry: &BeliefEntry, place: &Place) -> bool {
        place.ply > 0
            && i32::from(entry.depth) >= place.depth
            && entry.confidence >= as_u16(self.confidence)
            && entry.decides(place.alpha, place.beta, self.confidence)
    }

    fn table_hit(&mut self, place: &Place, visit: Visit, entry: &BeliefEntry) -> Found {
        let found = Found::new(
            &entry.belief,
            entry.belief.mean(self.tree.grid()),
            entry.point,
            entry.bound,
        );
        let value = found.score(self.tree.scale());
        let fate = Fate::TableHit {
            value,
            depth: entry.depth.max(0) as u8,
            bound: entry.bound,
        };
        self.pen.write(visit.node, &found.q);
        self.context.leave_as(visit, value, entry.bound, None, fate);
        found.against(place.beta, self.confidence)
    }

    /// The root's moves as the latest pass has them, the best first; what it did not reach stays behind.
    fn by_root_order<G: Game>(&self, position: &G, mut moves: Moves<G::Move>) -> Moves<G::Move> {
        let worth = |m: G::Move| {
            let code = position.encode(m);
            self.root_order
                .iter()
                .find(|known| known.0 == code)
                .map_or(f32::NEG_INFINITY, |known| known.1)
        };
        moves.sort_by(|a, b| worth(*b).total_cmp(&worth(*a)));
        moves
    }

    /// Searches the moves of an inner node.
    fn moves<G: Game>(
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
        if !visit.node.is_none() {
            let node = visit.node;
            let moves = moves.len() as u16;
            self.context.emit(|| Event::Expand { node, moves });
        }
        if visit.on_choices {
            self.context.leave_out(&visit, position, moves, true);
        }
        let total = moves.len().min(255) as u8;
        let entry_alpha = place.alpha;
        let mut max = Maximum::default();
        let mut searched = 0u8;
        let mut last = NodeId::NONE;
        let mut cut = None;
        let mut quiets: ArrayVec<MoveCode, MAX_MOVES> = ArrayVec::new();
        let key = position.key();
        self.context.history.push(key);
        let side = position.turn();
        while let Some(m) = moves.next(|m| {
            let memory = self.memory.as_ref();
            memory.map_or(0, |memory| {
                memory.quiet_score(side, place.ply, position.encode(m))
            })
        }) {
            let code = position.encode(m);
            let child = self.context.child(visit.node, last, code, place.ply + 1);
            last = if child.is_none() { last } else { child };
            let below = Place {
                node: child,
                ply: place.ply + 1,
                depth: place.depth - 1,
                alpha: negated_bin(place.beta),
                beta: negated_bin(place.alpha),
            };
            let Ok(found) = self.child(below, position, state, m) else {
                return Err(self.give_up(visit, &max, searched, total));
            };
            searched = searched.saturating_add(1);
            self.add(&visit, &mut max, code, child, &found);
            let probability = max.p_at_least(place.beta);
            let quiet = !position.is_noisy(m);
            if probability >= self.confidence {
                if let (true, Some(memory)) = (quiet, &mut self.memory) {
                    memory.reward(side, place.ply, place.depth, code, &quiets);
                }
                cut = Some(Fate::ProbabilisticCutoff {
                    searched,
                    probability: as_u16(probability),
                    confidence: as_u16(self.confidence),
                    beta_bin: place.beta.max(0) as u8,
                });
                break;
            }
            place.alpha = place
                .alpha
                .max(max.running.highest_bin(self.confidence) as i32);
            if quiet {
                quiets.push(code);
            }
        }
        self.context.history.pop();
        let found = max.found(cut.is_some(), self.tree.grid(), self.tree.scale());
        self.remember(key, &visit, max.best, &found);
        let raised = place.alpha > entry_alpha;
        let fate = cut.unwrap_or_else(|| expanded(&max, searched, total));
        self.finish(visit, &found, cut.is_some(), raised, fate);
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
        if visit.ply > 0 {
            return;
        }
        match self.root_order.iter_mut().find(|known| known.0 == code) {
            Some(known) => known.1 = worth,
            None => self.root_order.push((code, worth)),
        }
        if better && self.root_best != code {
            let from = std::mem::replace(&mut self.root_best, code);
            if !visit.node.is_none() {
                self.context.emit(|| Event::Best { from, to: code });
            }
        }
    }

    /// Leaves an inner node.
    fn finish(&mut self, visit: Visit, found: &Found, cut: bool, raised: bool, fate: Fate) {
        let score = found.score(self.tree.scale());
        let bound = found.window_bound(score, cut, raised);
        self.pen.write(visit.node, &found.q);
        self.context.leave_as(visit, score, bound, None, fate);
    }

    fn remember(&self, key: u64, visit: &Visit, best: MoveCode, found: &Found) {
        let table = self.table.filter(|_| visit.depth > 1 && !visit.on_choices);
        if let Some(table) = table {
            let entry = BeliefEntry {
                belief: Cdf::from_f32(&found.q),
                best,
                point: found.point,
                depth: visit.depth as i8,
                bound: found.bound,
                confidence: as_u16(self.confidence),
            };
            table.put(key, &entry);
        }
    }

    /// Stopped among the moves. At the root what was found so far counts: the first move searched was the best of
    /// the pass before.
    #[cold]
    fn give_up(&mut self, visit: Visit, max: &Maximum, searched: u8, moves: u8) -> Interrupt {
        self.context.history.pop();
        if visit.ply == 0 && searched > 0 && !visit.node.is_none() {
            // Moves are missing: no loss is claimed.
            let found = max.found(true, self.tree.grid(), self.tree.scale());
            let score = found.score(self.tree.scale());
            self.pen.write(visit.node, &found.q);
            let fate = expanded(max, searched, moves);
            self.context.write(visit, score, Bound::Lower, None, fate);
            return Interrupt;
        }
        self.context.interrupt(visit)
    }
}

fn expanded(max: &Maximum, searched: u8, moves: u8) -> Fate {
    Fate::Expanded {
        best: max.best,
        searched,
        skipped: 0,
        moves,
        margin: 0,
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

/// A probability in 1/65535.
fn as_u16(probability: f32) -> u16 {
    (probability * f32::from(u16::MAX)).round() as u16
}
