//! One search in the background.

mod decision;
mod expected_line;
mod follow;
mod goal;
mod leaf;
mod orders;
mod re_search;
mod reading;
mod rewind;
mod run;
mod saving;
mod stepping;

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::breakpoint::Breakpoint;
use super::config::Config;
use super::debug::checkpoint::Checkpoints;
use super::debug::{News, Order};
use super::job_inputs::new_tree;
use super::line::best_move;
use super::progress::{self, Point};
use super::segment::{Baseline, Segment};
use super::status::{State, Status};
use crate::Subject;
use game::MoveCode;
use run::{Launch, Run, StartTree};
use saving::Saving;
use search::common::table::Tables;
use search::{AuditTable, Choices, Control, Iteration, Limits};
use stepping::{Change, Origin, StartCopy};
use tree::{Family, Tree};

pub use follow::Next;
pub(super) use leaf::LeafOrigin;
pub use leaf::NoLeafSearch;
pub use run::Fault;
pub(super) use saving::Hold;

/// A search running in the background; dropping it stops the search and waits for its threads.
#[derive(Debug)]
pub struct Session {
    subject: Arc<Subject>,
    config: Arc<Config>,
    run: Run,
    /// The point at which stepping back ends.
    origin: Origin,
    /// The copies from which the search can be run again.
    checkpoints: Arc<Mutex<Checkpoints>>,
    /// A run that is about to replace this one.
    change: Option<Change>,
    /// The steps back to be made as soon as the search has stopped.
    back: Option<u64>,
    /// The nodes after which it pauses.
    pause_after: Option<u64>,
    /// The last event that has been seen.
    furthest: u64,
    news: Vec<News>,
    /// How the root's value changed before the present run.
    earlier: Vec<Point>,
    /// The breakpoints with their numbers.
    breakpoints: Vec<(usize, Breakpoint)>,
    /// Whether it was told to run past its breakpoints.
    past_breakpoints: bool,
    /// Whether the reason for an early end has been reported.
    decision_told: bool,
    /// The leaf of another search, if this session shows how that was searched.
    leaf: Option<Arc<LeafOrigin>>,
    /// The re-searches under way.
    again: Mutex<Vec<JoinHandle<()>>>,
    /// What to do when a saved search has been run again to where it was saved.
    then: Option<Order>,
    saving: Option<Saving>,
}

impl Session {
    /// Starts a search. At first the tree is empty except for its root; it can be read while it grows.
    pub fn start(subject: Subject, config: Config) -> Self {
        Self::launch(subject, config, false, None, None)
    }

    /// Returns a session whose threads wait at their first node until [`Session::resume`].
    pub fn start_paused(subject: Subject, config: Config) -> Self {
        Self::launch(subject, config, true, None, None)
    }

    /// Returns a session without some of the root's moves, as if the user had excluded them at the beginning. All of
    /// them are searched if none would be left.
    pub fn start_without(subject: Subject, config: Config, moves: &[MoveCode]) -> Self {
        if moves.is_empty() {
            return Self::start(subject, config);
        }
        Self::start_paused(subject, config).without(moves)
    }

    /// Starts a waiting session without some of the root's moves.
    fn without(self, moves: &[MoveCode]) -> Self {
        let mut session = self;
        // Nothing else is under way, so this cannot be refused for that reason.
        let _ = session.set_excluded(Tree::ROOT, moves);
        while session.change.is_some() {
            session.tend();
            std::thread::sleep(Duration::from_micros(20));
        }
        session.resume();
        session
    }

    /// Begins with what another search left, a tree and its origin, or else with an empty tree. `leaf`: instead of a
    /// search of its own, shows that of another one's leaf.
    fn launch(
        subject: Subject,
        config: Config,
        paused: bool,
        left: Option<(Arc<Tree>, Origin)>,
        leaf: Option<LeafOrigin>,
    ) -> Self {
        let (tree, origin) = left.unwrap_or_else(|| {
            let segment = Segment::whole(&config);
            let copy = StartCopy::Empty;
            let tree = Arc::new(new_tree(&subject, &config));
            (tree, Origin { segment, copy })
        });
        let kept = config.tables.clone().inspect(|tables| tables.age());
        let tables = kept.unwrap_or_else(|| Arc::new(Tables::new(config.table_bytes())));
        let launch = Launch {
            segment: origin.segment.clone(),
            tree: StartTree::Here(tree),
            tables,
            order: Order::Free,
            paused,
            pause_at: None,
            keep: origin.copy.kept(),
            leaf: leaf.map(Arc::new),
        };
        let leaf = launch.leaf.clone();
        let checkpoints = Arc::new(Mutex::new(Checkpoints::new(config.memory)));
        let (subject, config) = (Arc::new(subject), Arc::new(config));
        let run = Run::launch(&subject, &config, &checkpoints, launch);
        let mut session = Session::of_run(subject, config, run, origin, checkpoints);
        session.leaf = leaf;
        session
    }

    /// Returns a session of a run with which nothing has been done yet.
    fn of_run(
        subject: Arc<Subject>,
        config: Arc<Config>,
        run: Run,
        origin: Origin,
        checkpoints: Arc<Mutex<Checkpoints>>,
    ) -> Self {
        Session {
            subject,
            config,
            run,
            origin,
            checkpoints,
            change: None,
            back: None,
            pause_after: None,
            furthest: 0,
            news: Vec::new(),
            earlier: Vec::new(),
            breakpoints: Vec::new(),
            past_breakpoints: false,
            decision_told: false,
            leaf: None,
            again: Mutex::default(),
            then: None,
            saving: None,
        }
    }

    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the live tree, which may be read at any time. Another one replaces it when the search is rewound
    /// ([`News::TreeReplaced`]).
    pub fn tree(&self) -> &Arc<Tree> {
        self.run.tree()
    }

    pub fn control(&self) -> &Arc<Control> {
        &self.run.control
    }

    /// Returns the iterations that the present run has completed (depth-first), except the first `known`.
    pub fn iterations_after(&self, known: usize) -> Vec<Iteration> {
        self.run.control.iterations_after(known)
    }

    /// Returns the move of the root that a depth-first search is at, and its number from 1 on; `None` before the first.
    pub fn root_move(&self) -> Option<(MoveCode, u16)> {
        self.run.control.root_move()
    }

    /// Returns the move that would be played: the best one that is shown. If the search was stopped in an iteration, this
    /// includes a move that has taken the lead in it. `None` before anything is known.
    pub fn best_to_play(&self) -> Option<MoveCode> {
        let algorithm = self.config.algorithm;
        // With several threads, another one may have searched longer than the main thread.
        let is_shown =
            self.tree().family() == Family::BestFirst || self.tree().last_step().is_some();
        if is_shown && let Some(best) = algorithm.best_move(self.tree(), Tree::ROOT) {
            return Some(best);
        }
        let best = self.run.next_start().best;
        let known = (best != MoveCode::NONE).then_some(best);
        known.or_else(|| best_move(Some(algorithm), self.tree(), Tree::ROOT))
    }

    /// Returns why one of the search's threads failed or could not start. Such a search has ended.
    pub fn fault(&self) -> Option<Fault> {
        self.run.fault()
    }

    /// Returns how the root's value and best move changed with the nodes spent, up to the present point of the search.
    pub fn progress(&self) -> Vec<Point> {
        let mut points = self.earlier.clone();
        points.append(&mut progress::read(&self.run.points));
        points
    }

    /// Replaces the present run by another one, keeping the progress made before it.
    fn replace_run(&mut self, run: Run) -> Run {
        let begin = run.segment.base.events;
        let mut earlier = self.progress();
        earlier.retain(|p| p.event <= begin);
        self.earlier = earlier;
        std::mem::replace(&mut self.run, run)
    }

    /// Returns the moves that the user excluded.
    pub fn choices(&self) -> &Choices {
        &self.run.segment.choices
    }

    /// Pauses the search at the next opportunity, between two nodes; a search that is being stepped through stops at
    /// its next event.
    pub fn pause(&mut self) {
        if self.is_stepping() {
            self.cancel();
        } else {
            self.then = None;
            self.run.control.pause();
        }
    }

    /// Lets a paused or stopped search run on, until a breakpoint stops it.
    pub fn resume(&mut self) {
        self.past_breakpoints = false;
        self.run_on();
    }

    /// Lets a paused or stopped search run on, past all breakpoints.
    pub fn resume_past_breakpoints(&mut self) {
        self.pass_breakpoints();
        self.run_on();
    }

    /// Lets breakpoints stop only what runs to them, until the search is resumed.
    pub fn pass_breakpoints(&mut self) {
        self.past_breakpoints = true;
    }

    fn run_on(&mut self) {
        if self.is_shown() {
            return self.catch_up(Some(Order::Free));
        }
        self.finish_again();
        self.plan_pause();
        if self.must_narrow() {
            return self.narrow(Order::Watch);
        }
        self.run.free(self.free_order());
    }

    /// Returns the order by which it runs on.
    fn free_order(&self) -> Order {
        match self.breakpoints.is_empty() || self.past_breakpoints {
            true => Order::Free,
            false => Order::Watch,
        }
    }

    /// Whether it has several threads, which no breakpoint could stop, although breakpoints are to stop it.
    fn must_narrow(&self) -> bool {
        self.free_order() == Order::Watch
            && self.run.segment.threads > 1
            && self.change.is_none()
            && self.run.control.stopped().is_none()
    }

    /// Asks the search to end, without waiting.
    pub fn stop(&self) {
        self.run.stop();
    }

    /// Whether no thread is working on the tree: the search is paused and all threads wait, or it has ended.
    pub fn is_still(&self) -> bool {
        self.run.control.is_still()
    }

    /// Waits until the search has ended; asks it to end once `halted` returns true.
    pub fn wait(&mut self, halted: impl Fn() -> bool) {
        let running = || !matches!(self.status().state, State::Finished(_));
        patiently(running, halted, || self.stop());
        self.join();
    }

    /// Waits for the search to end.
    pub fn join(&mut self) {
        self.run.join();
    }

    pub fn status(&self) -> Status {
        let control = &self.run.control;
        let state = match control.ended() {
            _ if self.change.is_some() => State::Running,
            _ if self.run.stands() => State::Paused,
            Some(reason) => State::Finished(reason),
            None if control.is_paused() => State::Paused,
            None => State::Running,
        };
        let base = &self.run.segment.base;
        let tree = self.run.tree();
        Status {
            state,
            totals: base.totals.plus(&control.totals()),
            elapsed: base.elapsed + control.elapsed(),
            cpu: base.cpu + control.cpu(),
            tree_nodes: tree.len(),
            tree_bytes: tree.bytes(),
            tree_full: tree.is_full(),
            threads: self.run.segment.threads,
            audit: control.audits().map(AuditTable::rows),
        }
    }

    /// Returns the limits of a run that begins after `base`: the session's own, less what has already been spent.
    fn limits_after(&self, base: &Baseline) -> Limits {
        let limits = &self.config.limits;
        Limits {
            nodes: limits.nodes.map(|n| n.saturating_sub(base.totals.nodes)),
            time: limits.time.map(|t| t.saturating_sub(base.elapsed)),
            cpu: limits.cpu.map(|t| t.saturating_sub(base.cpu)),
            depth: limits.depth,
            soft: limits.soft.map(|t| t.saturating_sub(base.elapsed)),
            playouts: limits
                .playouts
                .map(|n| n.saturating_sub(base.totals.playouts)),
            early: limits.early,
        }
    }

    /// Waits for re-searches, which take about 0.2 s, because they and the search write to the same tree.
    fn finish_again(&self) {
        let again = std::mem::take(&mut *self.again.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in again {
            let _ = thread.join();
        }
    }
}

/// Polls until nothing is running any more, frequently at first, so that a short search is not held up.
pub fn patiently(running: impl Fn() -> bool, halted: impl Fn() -> bool, mut halt: impl FnMut()) {
    let since = Instant::now();
    while running() {
        if halted() {
            halt();
        }
        let nap = since.elapsed() / 16;
        std::thread::sleep(nap.clamp(Duration::from_micros(100), Duration::from_millis(20)));
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.change = None;
        self.run.hold.wait();
        self.stop();
        self.join();
        self.finish_again();
    }
}
