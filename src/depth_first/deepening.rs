//! The part of a run that every depth-first search shares: the focus first, then one iteration after the other.

use std::ops::RangeInclusive;

use super::MAX_DEPTH;
use super::focus::FocusSite;
use super::lines::{LINES, Lines};
use eval::Evaluator;
use game::{Game, MoveCode, Score};
use search::common::context::{Context, Visit};
use search::endgame::best_of_drawn;
use search::{Event, Focus, Interrupt, Job, Probe, Start, StopReason};
use tree::{Lead, NodeId, Tree};

/// The depths of one thread's iterations, continuing where an earlier run ended. A finite toy tree is searched
/// completely, in one iteration. With several threads, every second one is an iteration ahead.
fn depths<G: Game, E: Evaluator<G>>(job: &Job<G, E>, thread: usize) -> RangeInclusive<u16> {
    if let Some(height) = job.situation.position.height() {
        return height..=height;
    }
    let done = job.start.depth;
    let first = done.saturating_add(1 + (thread % 2) as u16);
    // A search finishes at least one iteration, whatever its limit.
    let least = if done == 0 { first } else { 0 };
    let wished = job.control.limits().depth.unwrap_or(MAX_DEPTH);
    first..=wished.min(MAX_DEPTH).max(least)
}

/// Beyond this ply, only quiescence continues.
pub(super) const MAX_PLY: u16 = 200;

/// What a search knows about its root, and what its nodes ask about it.
#[derive(Clone, Debug)]
pub(super) struct Root {
    /// The move that would be played.
    pub best: MoveCode,
    pub score: Score,
    /// The move to search first at the root: the best one of the iteration before, or at first that of the earlier run
    /// on whose tree this run continues, or one of those that hold a known draw.
    pub first_move: MoveCode,
    /// The node of a re-search or a focus, whose table entry is not used.
    pub again: NodeId,
    /// The moves that get an exact value.
    pub lines: Lines,
    /// A mate that turned out not to be as short as it can be.
    doubted: Score,
}

impl Root {
    pub fn new<G: Game, E: Evaluator<G>>(job: &Job<G, E>) -> Root {
        Root {
            best: job.first_best(),
            score: job.start.score,
            first_move: match job.first_best() {
                MoveCode::NONE => best_of_drawn(job),
                known => known,
            },
            again: NodeId::NONE,
            lines: match job.options.has(LINES.key) {
                true => Lines::new(job.options),
                false => Lines::one(),
            },
            doubted: Score::DRAW,
        }
    }

    /// Changes the best move at the root. `lead` is what the root is worth by it; it is only asked for where that is kept.
    pub fn change_best<P: Probe>(
        &mut self,
        context: &mut Context<P>,
        visit: &Visit,
        code: MoveCode,
        lead: impl FnOnce(&Context<P>) -> Lead,
    ) {
        if self.best != code {
            let from = std::mem::replace(&mut self.best, code);
            if !visit.node.is_none() {
                // Among several lines, the values of moves that the iteration has not come to may be higher.
                if !self.lines.are_several() {
                    let lead = lead(context);
                    context.take_lead(&lead);
                }
                context.emit(|| Event::Best { from, to: code });
            }
        }
    }
}

/// What an iteration found at the root.
pub(super) struct IterationResult {
    pub score: Score,
    /// The value, if it is a mate.
    pub mate: Option<Score>,
}

/// A depth-first search as its iterations use it.
pub(super) trait Deepening<'a, G: Game, E: Evaluator<G>, P: Probe + 'a> {
    fn context(&mut self) -> &mut Context<'a, P>;

    fn root(&mut self) -> &mut Root;

    /// Searches the node of a focus to a depth, with an open window. Returns its value, or a draw where the value is
    /// not a point.
    fn search_focus(&mut self, site: &FocusSite<G>, depth: u16) -> Result<Score, Interrupt>;

    /// Searches the root to a depth, again with a wider window where the value falls outside the first one.
    fn search_root(
        &mut self,
        node: NodeId,
        position: &G,
        depth: u16,
    ) -> Result<IterationResult, Interrupt>;

    /// Whether a mate found at the root within an iteration's depth is as short as it can be, by a search that leaves
    /// nothing out.
    ///
    /// # Errors
    /// [`Interrupt`] if the search was stopped before the answer was known.
    fn confirms_mate(&mut self, job: &Job<'a, G, E>, mate: Score) -> Result<bool, Interrupt>;
}

/// Runs one thread: the focus, then the iterations. Thread 0 records the tree and reports; the others deepen on the
/// shared table. Returns the point from which the next run would start.
pub(super) fn run<'a, G, E, P, S>(search: &mut S, job: &Job<'a, G, E>, thread: usize) -> Start
where
    G: Game,
    E: Evaluator<G>,
    P: Probe + 'a,
    S: Deepening<'a, G, E, P>,
{
    search.context().enter_root(job);
    let focus = deepen_focus(search, job);
    // The search was stopped during its focus, or just when the focus's nodes were used up.
    let ended = job.start.focus.is_some() && job.control.stopped().is_some();
    let depth = if ended {
        job.start.depth
    } else {
        deepen(search, job, thread)
    };
    let Root { best, score, .. } = *search.root();
    Start {
        depth,
        best,
        score,
        midway: false,
        focus,
    }
}

/// Deepens the node of the run's focus with an open window. Returns what is left of the focus if the search was
/// stopped.
fn deepen_focus<'a, G, E, P, S>(search: &mut S, job: &Job<'a, G, E>) -> Option<Focus>
where
    G: Game,
    E: Evaluator<G>,
    P: Probe + 'a,
    S: Deepening<'a, G, E, P>,
{
    let site = FocusSite::begin(search.context(), job)?;
    search.root().again = site.focus.node;
    for depth in site.depths.clone() {
        let counted = search.context().worker.nodes();
        let found = search.search_focus(&site, depth);
        let more = |value| !FocusSite::<G>::is_decided(depth, value);
        if !found.is_ok_and(more) || search.context().worker.nodes() == counted {
            break;
        }
    }
    search.root().again = NodeId::NONE;
    site.end(search.context())
}

/// Runs iterations until a limit, a proof or the end of a finite tree. Returns the depth of the last finished one.
fn deepen<'a, G, E, P, S>(search: &mut S, job: &Job<'a, G, E>, thread: usize) -> u16
where
    G: Game,
    E: Evaluator<G>,
    P: Probe + 'a,
    S: Deepening<'a, G, E, P>,
{
    let position = &job.situation.position;
    // Only the first thread records.
    let node = if thread == 0 {
        Tree::ROOT
    } else {
        NodeId::NONE
    };
    let mut done = job.start.depth;
    for depth in depths(job, thread) {
        let Ok(found) = iteration(search, node, position, depth) else {
            return done;
        };
        // The next iteration searches this move first. If it came later, it would be lost when that iteration is
        // stopped before it.
        let root = search.root();
        root.first_move = root.best;
        done = depth;
        if thread > 0 {
            continue;
        }
        let Root { best, score, .. } = *root;
        let scores = root.lines.scores();
        // A mate settles its own line only.
        let open = scores.iter().any(|(_, score)| !score.is_decided());
        let context = search.context();
        let score = context.root_value(score);
        let lines = context.root_lines((best, score), &scores);
        context.worker.publish();
        let time_is_up = context
            .worker
            .control()
            .finish_iteration(depth, best, score, lines);
        let Ok(solved) = (match open {
            true => Ok(false),
            false => is_solved(search, job, &found, depth),
        }) else {
            return done;
        };
        if solved {
            job.control.stop(StopReason::Solved);
            return done;
        }
        if time_is_up {
            job.control.stop(StopReason::Time);
            return done;
        }
    }
    if thread == 0 {
        let whole = position.height().is_some();
        job.control.stop(if whole {
            StopReason::Solved
        } else {
            StopReason::Depth
        });
    }
    done
}

fn iteration<'a, G, E, P, S>(
    search: &mut S,
    node: NodeId,
    position: &G,
    depth: u16,
) -> Result<IterationResult, Interrupt>
where
    G: Game,
    E: Evaluator<G>,
    P: Probe + 'a,
    S: Deepening<'a, G, E, P>,
{
    let context = search.context();
    context.iteration = depth.min(255) as u8;
    if !node.is_none() {
        context.emit(|| Event::Iteration { depth });
    }
    search.root().lines.begin();
    let found = search.search_root(node, position, depth)?;
    let root = search.root();
    root.score = found.score;
    let best = root.best;
    if !node.is_none() {
        let context = search.context();
        context.finish_iteration();
        let score = context.root_value(found.score);
        context.emit(|| Event::IterationDone { depth, best, score });
    }
    Ok(found)
}

/// Whether deeper iterations cannot change anything: the mate is exact, or there is no move at all.
fn is_solved<'a, G, E, P, S>(
    search: &mut S,
    job: &Job<'a, G, E>,
    found: &IterationResult,
    depth: u16,
) -> Result<bool, Interrupt>
where
    G: Game,
    E: Evaluator<G>,
    P: Probe + 'a,
    S: Deepening<'a, G, E, P>,
{
    let Root { best, doubted, .. } = *search.root();
    if best == MoveCode::NONE {
        return Ok(true);
    }
    let Some(mate) = found
        .mate
        .filter(|mate| FocusSite::<G>::is_decided(depth, *mate))
    else {
        return Ok(false);
    };
    if job.situation.position.height().is_some() {
        return Ok(true);
    }
    let exact = doubted != mate && search.confirms_mate(job, mate)?;
    if exact {
        search.context().prove_root(mate, best);
        search.context().finish_iteration();
    } else {
        search.root().doubted = mate;
    }
    Ok(exact)
}
