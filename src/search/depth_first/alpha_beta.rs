//! Alpha-beta: negamax with principal variation search, iterative deepening, transposition table, quiescence,
//! killers and history, and per-move futility pruning, every decision a fate.

mod rules;

pub use rules::{OPTIONS, implied_skip};

use arrayvec::ArrayVec;

use super::context::{Context, Skips, Visit};
use super::deepening;
use super::focus::Site;
use super::futility::Futility;
use super::options::capture_rules;
use super::ordering::{Memory, Picker};
use super::quiescence::Quiescence;
use super::table::{Entry, Table};
use crate::eval::Evaluator;
use crate::game::{Game, MAX_MOVES, MoveCode, Score};
use crate::search::{Event, Focus, Interrupt, Job, Probe, Start, StopReason};
use crate::tree::{Bound, Fate, NodeId};

const MAX_PLY: u16 = 200;

/// Runs one thread. Thread 0 records the tree and reports; the others deepen on the shared table. Answers where a next
/// run would begin.
pub fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
    job: &Job<'a, G, E>,
    thread: usize,
    probe: &'a mut P,
) -> Start {
    let mut search = AlphaBeta::new(job, thread, probe);
    let focus = search.focus(job);
    let depth = if deepening::ends_with_focus(job) {
        job.start.depth
    } else {
        search.deepen(job, thread)
    };
    Start {
        depth,
        best: search.root_best,
        score: search.root_score,
        midway: false,
        focus,
    }
}

/// Searches one node again with its recorded window and depth, and records what lies below: for a node whose
/// subtree the tree does not have (from the table, or visited when the budget was used up). `job.situation` is the
/// position *at the node*, `job.control` has limits of its own. What is recorded is marked as a re-search.
pub fn search_again<'a, G: Game, E: Evaluator<G>, P: Probe>(
    job: &Job<'a, G, E>,
    node: NodeId,
    probe: &'a mut P,
) {
    let Some(window) = job.tree.view(node).window else {
        return;
    };
    let mut search = AlphaBeta::new(job, 0, probe);
    search.again = node;
    search
        .context
        .record_again(job.tree.node(node).static_and_iteration().1);
    let place = Place {
        node,
        ply: job.tree.ply(node),
        depth: i32::from(window.depth),
    };
    let position = &job.situation.position;
    let state = job.evaluator.start(position);
    // Interrupted or not: what was recorded stands.
    let _ = search.search(place, position, state, window.alpha, window.beta);
}

struct AlphaBeta<'a, E, P> {
    /// The node of a re-search or a focus: what the table knows of it is not asked.
    again: NodeId,
    context: Context<'a, P>,
    evaluator: &'a E,
    table: Option<&'a Table>,
    futility: Futility,
    quiescence: Quiescence<'a, E>,
    /// `None`: moves are searched in the game's own order.
    memory: Option<Memory>,
    /// Where the run began on an earlier one's tree: the move to search first at the root, in its first iteration.
    first_move: MoveCode,
    root_best: MoveCode,
    root_score: Score,
}

/// A place in the search: where it is recorded, how deep it is, and what is still to do.
#[derive(Clone, Copy)]
struct Place {
    node: NodeId,
    ply: u16,
    depth: i32,
}

impl<'a, E, P: Probe> AlphaBeta<'a, E, P> {
    fn new<G: Game>(job: &Job<'a, G, E>, thread: usize, probe: &'a mut P) -> Self
    where
        E: Evaluator<G>,
    {
        // A finite toy tree is searched whole and in the file's order: its inner nodes have no value to prune by.
        let heuristics = job.situation.position.height().is_none();
        let options = job.options;
        let futility = if heuristics {
            Futility::from_options(options)
        } else {
            Futility::off()
        };
        AlphaBeta {
            again: NodeId::NONE,
            context: Context::new(job, thread, probe),
            evaluator: job.evaluator,
            table: (heuristics && options.switch("table")).then_some(&job.tables.main),
            futility,
            quiescence: Quiescence {
                evaluator: job.evaluator,
                rules: capture_rules(options),
            },
            memory: heuristics
                .then(|| Memory::new(options.switch("killers"), options.switch("history"))),
            first_move: job.first_best(),
            root_best: job.first_best(),
            root_score: job.start.score,
        }
    }

    /// Iterations until a limit, a proof or the end of a finite tree; answers the depth of the last one finished.
    fn deepen<G: Game>(&mut self, job: &Job<'a, G, E>, thread: usize) -> u16
    where
        E: Evaluator<G>,
    {
        let mut done = job.start.depth;
        for depth in deepening::depths(job, thread) {
            let position = &job.situation.position;
            let root = deepening::root_of(thread);
            if self.iteration(root, position, depth).is_err() {
                return done;
            }
            self.first_move = MoveCode::NONE;
            done = depth;
            if thread > 0 {
                continue;
            }
            job.control.set_depth(depth);
            // A mate no longer than the depth is exact; so is a whole toy tree.
            let mate = self.root_score.mate_plies();
            if mate.is_some_and(|p| p.unsigned_abs() <= depth) || self.root_best == MoveCode::NONE {
                job.control.stop(StopReason::Solved);
                return done;
            }
        }
        if thread == 0 {
            deepening::stop_at_the_end(job);
        }
        done
    }

    /// Deepens the node of the run's focus with an open window. Answers what is left of it when the search was stopped.
    fn focus<G: Game>(&mut self, job: &Job<'a, G, E>) -> Option<Focus>
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
            };
            let counted = self.context.worker.nodes();
            let found = self.search(place, &site.position, state, Score::MIN, Score::MAX);
            let more = |value| !Site::<G>::is_decided(depth, value);
            if !found.is_ok_and(more) || self.context.worker.nodes() == counted {
                break;
            }
        }
        self.again = NodeId::NONE;
        self.context.end_focus(&site)
    }

    fn iteration<G: Game>(
        &mut self,
        root: NodeId,
        position: &G,
        depth: u16,
    ) -> Result<(), Interrupt>
    where
        E: Evaluator<G>,
    {
        self.context.iteration = depth.min(255) as u8;
        if !root.is_none() {
            self.context.emit(|| Event::Iteration { depth });
        }
        let place = Place {
            node: root,
            ply: 0,
            depth: i32::from(depth),
        };
        let state = self.evaluator.start(position);
        let score = self.search(place, position, state, Score::MIN, Score::MAX)?;
        self.root_score = score;
        if !root.is_none() {
            let best = self.root_best;
            self.context
                .emit(|| Event::IterationDone { depth, best, score });
        }
        Ok(())
    }

    /// The value of a position within the window, side to move, fail-soft. The caller has counted the node.
    fn search<G: Game>(
        &mut self,
        place: Place,
        position: &G,
        state: E::State,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        if place.depth <= 0 || place.ply >= MAX_PLY {
            let Place { node, ply, .. } = place;
            return self.quiescence.search(
                &mut self.context,
                node,
                position,
                state,
                alpha,
                beta,
                ply,
                0,
            );
        }
        let visit = self
            .context
            .enter(place.node, place.ply, alpha, beta, place.depth);
        if place.ply > 0
            && let Some((score, fate)) = self.context.draw_on_the_way(position, place.ply)
        {
            return Ok(self.context.leave(visit, score, None, fate));
        }
        // One ply from the horizon a search costs less than the wait for the table's memory.
        let table = self.table.filter(|_| place.depth > 1 && !visit.on_choices);
        let table = table.filter(|_| self.again.is_none() || place.node != self.again);
        let entry = table.and_then(|table| table.get(position.key()));
        if let Some(fate) = entry.and_then(|entry| table_cutoff(entry, &visit)) {
            let Fate::TableHit { value, .. } = fate else {
                unreachable!("a table cutoff")
            };
            return Ok(self
                .context
                .leave(visit, value, entry.and_then(|e| e.static_value), fate));
        }
        let mut moves = Picker::new(position.legal_moves());
        if let Some(ending) = position.ending(!moves.is_empty()) {
            let score = position.ending_score(ending);
            return Ok(self.context.leave(visit, score, None, Fate::Ended(ending)));
        }
        // Inner nodes of a toy tree have no value of their own.
        let valued = self.memory.is_some() || moves.is_empty();
        let static_value = valued
            .then(|| self.static_value(position, state, entry.as_ref()))
            .flatten();
        if moves.is_empty() {
            // A toy leaf with a spread: a value, but no proof.
            let value = static_value.unwrap_or(Score::DRAW);
            let fate = Fate::Horizon {
                static_value: value,
            };
            return Ok(self.context.leave(visit, value, static_value, fate));
        }
        let node = place.node;
        if let (false, Some(value)) = (node.is_none(), static_value) {
            self.context.emit(|| Event::Evaluate {
                node,
                value,
                sd: None,
            });
        }
        let table_move = if place.ply == 0 && self.first_move != MoveCode::NONE {
            self.first_move
        } else if visit.on_choices {
            self.context.recorded_best(place.node)
        } else {
            entry.map_or(MoveCode::NONE, |e| e.best)
        };
        self.moves(visit, position, state, static_value, table_move, &mut moves)
    }

    /// Searches the moves of an inner node.
    #[allow(clippy::too_many_arguments)]
    fn moves<G: Game>(
        &mut self,
        visit: Visit,
        position: &G,
        state: E::State,
        static_value: Option<Score>,
        table_move: MoveCode,
        moves: &mut Picker<G::Move>,
    ) -> Result<Score, Interrupt>
    where
        E: Evaluator<G>,
    {
        let Visit {
            node,
            ply,
            depth,
            beta,
            ..
        } = visit;
        if !node.is_none() {
            let moves = moves.len() as u16;
            self.context.emit(|| Event::Expand { node, moves });
        }
        if visit.on_choices {
            self.context.leave_out(&visit, position, moves, true);
        }
        let total = moves.len().min(255) as u8;
        let mut alpha = visit.alpha;
        let mut best = Score::MIN;
        let mut best_move = MoveCode::NONE;
        let mut best_is_quiet = false;
        let mut searched = 0u8;
        let mut last = NodeId::NONE;
        let mut quiets: ArrayVec<MoveCode, MAX_MOVES> = ArrayVec::new();
        let mut skips = Skips::new();
        let mut skipped = 0;
        let key = position.key();
        self.context.history.push(key);
        if visit.is_null_window() {
            let fate = self.futility.skip(static_value, alpha, depth);
            skipped = self.skip_quiet_moves(&visit, position, table_move, fate, moves, &mut skips);
            if skipped > 0 {
                // Fail-soft, and no mate is claimed while moves were skipped.
                best = self.futility.ceiling(static_value, depth);
            }
        }
        if self.memory.is_some() {
            moves.order(position, table_move);
        }
        let side = position.turn();
        while let Some(m) = moves.next(|m| {
            let memory = self.memory.as_ref();
            memory.map_or(0, |memory| {
                memory.quiet_score(side, ply, position.encode(m))
            })
        }) {
            let code = position.encode(m);
            let quiet = !position.is_noisy(m);
            if quiet
                && searched > 0
                && !visit.is_null_window()
                && let Some(fate) = self.futility.skip(static_value, alpha, depth)
                && !position.gives_check(m)
            {
                self.context.skip(&visit, &mut skips, code, fate);
                skipped += 1;
                best = best.max(self.futility.ceiling(static_value, depth));
                continue;
            }
            let child = self.context.child(node, last, code, ply + 1);
            last = if child.is_none() { last } else { child };
            let value = match self.child(visit, child, position, state, m, alpha, searched == 0) {
                Ok(value) => value,
                Err(_) => return Err(self.give_up(visit, best_move, best, searched, total)),
            };
            searched = searched.saturating_add(1);
            if value > best {
                self.context.emit_back_up(&visit, child, best, value);
                best = value;
                best_move = code;
                best_is_quiet = quiet;
                self.new_best(visit, code, value);
                if value >= beta {
                    break;
                }
                alpha = alpha.max(value);
            }
            if quiet {
                quiets.push(code);
            }
        }
        self.context.history.pop();
        let cut = best >= beta;
        if let (true, true, Some(memory)) = (cut, best_is_quiet, &mut self.memory) {
            memory.reward(side, ply, depth, best_move, &quiets);
        }
        let fate = if cut {
            Fate::BetaCutoff {
                by: best_move,
                value: best,
                beta,
                searched,
            }
        } else {
            Fate::Expanded {
                best: best_move,
                searched,
                skipped: skipped.min(255) as u8,
                moves: total,
                margin: self.futility.margin(depth) as i16,
            }
        };
        self.context.record_skips(&visit, best, &skips, last);
        self.remember(visit, key, best, best_move, static_value);
        Ok(self.context.leave(visit, best, static_value, fate))
    }

    /// In a null window alpha stays, so the verdict on one quiet move is the verdict on all that give no check: they
    /// are taken out before the others are put in order.
    fn skip_quiet_moves<G: Game>(
        &mut self,
        visit: &Visit,
        position: &G,
        table_move: MoveCode,
        fate: Option<Fate>,
        moves: &mut Picker<G::Move>,
        skips: &mut Skips,
    ) -> u32 {
        let Some(fate) = fate else {
            return 0;
        };
        let checks = position.checks();
        let mut skipped = 0;
        moves.drop_rest(|m| {
            let code = position.encode(m);
            let futile =
                !position.is_noisy(m) && code != table_move && !position.gives_check_by(&checks, m);
            if futile {
                self.context.skip(visit, skips, code, fate);
                skipped += 1;
            }
            futile
        });
        skipped
    }

    /// Makes one move and searches what arises: with the full window for the first move, later ones with a window
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

    /// The root changes its mind.
    fn new_best(&mut self, visit: Visit, code: MoveCode, value: Score) {
        if visit.ply > 0 {
            return;
        }
        self.root_score = value;
        if self.root_best != code {
            let from = std::mem::replace(&mut self.root_best, code);
            if !visit.node.is_none() {
                self.context.emit(|| Event::Best { from, to: code });
            }
        }
    }

    fn static_value<G: Game>(
        &mut self,
        position: &G,
        state: E::State,
        entry: Option<&Entry>,
    ) -> Option<Score>
    where
        E: Evaluator<G>,
    {
        if position.is_check() {
            return None;
        }
        entry
            .and_then(|e| e.static_value)
            .or_else(|| Some(self.evaluator.value(state, position)))
    }

    fn remember(
        &self,
        visit: Visit,
        key: u64,
        value: Score,
        best: MoveCode,
        static_value: Option<Score>,
    ) {
        let table = self.table.filter(|_| visit.depth > 1 && !visit.on_choices);
        if let Some(table) = table {
            let bound = if value >= visit.beta {
                Bound::Lower
            } else if value <= visit.alpha {
                Bound::Upper
            } else {
                Bound::Exact
            };
            table.put(
                key,
                Entry {
                    best,
                    value,
                    depth: visit.depth as i8,
                    bound,
                    static_value,
                },
            );
        }
    }

    /// Stopped among the moves. At the root what was found so far counts: the first move searched was the best
    /// of the iteration before.
    #[cold]
    fn give_up(
        &mut self,
        visit: Visit,
        best_move: MoveCode,
        best: Score,
        searched: u8,
        moves: u8,
    ) -> Interrupt {
        self.context.history.pop();
        if visit.ply == 0 && !visit.node.is_none() && searched > 0 && best_move != MoveCode::NONE {
            let fate = Fate::Expanded {
                best: best_move,
                searched,
                skipped: 0,
                moves,
                margin: 0,
            };
            self.context.write(visit, best, Bound::Lower, None, fate);
            return Interrupt;
        }
        self.context.interrupt(visit)
    }
}

/// Whether a table entry ends the visit: never at the root nor inside an open window, where the line is wanted.
fn table_cutoff(entry: Entry, visit: &Visit) -> Option<Fate> {
    let open = i32::from(visit.beta.raw()) - i32::from(visit.alpha.raw()) > 1;
    if visit.ply == 0 || open || i32::from(entry.depth) < visit.depth {
        return None;
    }
    let usable = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value >= visit.beta,
        Bound::Upper => entry.value <= visit.alpha,
        Bound::None => false,
    };
    usable.then_some(Fate::TableHit {
        value: entry.value,
        depth: entry.depth.max(0) as u8,
        bound: entry.bound,
    })
}
