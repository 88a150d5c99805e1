//! The threads of one search over one tree.

use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;

use super::leaf::LeafOrigin;
use super::orders::Waiting;
use super::saving::Hold;
use crate::Subject;
use crate::config::Config;
use crate::debug::checkpoint::Checkpoints;
use crate::debug::checkpoint_recorder::CheckpointRecorder;
use crate::debug::gate::{Gate, Order};
use crate::debug::stepper::Stepper;
use crate::job_inputs::JobInputs;
use crate::progress::{PointRecorder, Points};
use crate::saved::Place;
use crate::segment::{Baseline, Segment};
use crate::threads::{NoThread, spawn};
use search::common::table::Tables;
use search::{Control, Start, StopReason, Watched};
use tree::{Family, Tree};

/// The tree on which a run begins.
#[derive(Debug)]
pub(super) enum StartTree {
    /// This tree itself.
    Here(Arc<Tree>),
    /// A copy of this tree, made on the search thread.
    CopyOf(Arc<Tree>),
}

/// A copy of a segment's initial state, for running it again; made on the search thread before anything happens.
pub(super) type KeptStart = Arc<OnceLock<(Arc<Tree>, Arc<Tables>)>>;

/// The initial state of a run and its orders.
#[derive(Debug)]
pub(super) struct Launch {
    pub segment: Segment,
    pub tree: StartTree,
    pub tables: Arc<Tables>,
    pub order: Order,
    /// Whether its threads wait to be resumed before anything has happened.
    pub paused: bool,
    /// The node count at which it pauses.
    pub pause_at: Option<u64>,
    /// Where to keep a copy of its initial state.
    pub keep: Option<KeptStart>,
    /// The leaf of another search whose search is run instead.
    pub leaf: Option<Arc<LeafOrigin>>,
}

/// The state that the threads of a run share with the session.
#[derive(Debug)]
pub(super) struct RunState {
    subject: Arc<Subject>,
    config: Arc<Config>,
    pub segment: Segment,
    /// Empty while the tree is still being copied from a checkpoint.
    tree: OnceLock<Arc<Tree>>,
    pub tables: Arc<Tables>,
    pub control: Arc<Control>,
    pub gate: Arc<Gate>,
    pub points: Points,
    checkpoints: Arc<Mutex<Checkpoints>>,
    leaf: Option<Arc<LeafOrigin>>,
    /// Where the next segment would begin, once the main thread has ended.
    next: Mutex<Option<Start>>,
    /// The place of a saved search that is shown: nothing runs, and to go on it has to be run again to there.
    pub(super) shown: Option<Place>,
    /// Held while its state is being saved.
    pub hold: Hold,
    /// What it was asked meanwhile.
    pub(super) waiting: Mutex<Waiting>,
}

/// A segment under way.
#[derive(Debug)]
pub(super) struct Run {
    state: Arc<RunState>,
    threads: Vec<JoinHandle<()>>,
    /// Why a thread could not start.
    refused: Option<NoThread>,
}

impl Deref for Run {
    type Target = RunState;

    fn deref(&self) -> &RunState {
        &self.state
    }
}

/// Why a search did not reach its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// One of its threads panicked because of a bug, which is reported on standard error or in a file.
    #[error("a search thread broke off by a mistake of plyscope")]
    Panic,
    /// The system could not start one of its threads.
    #[error(transparent)]
    NoThread(NoThread),
}

impl Run {
    pub fn launch(
        subject: &Arc<Subject>,
        config: &Arc<Config>,
        checkpoints: &Arc<Mutex<Checkpoints>>,
        launch: Launch,
    ) -> Self {
        let (mut run, copy_of, keep) = Run::prepared(subject, config, checkpoints, launch, None);
        run.start(copy_of, keep);
        run
    }

    /// Shows a search as it was at a place in its course. No thread runs.
    pub fn shown_at(
        subject: &Arc<Subject>,
        config: &Arc<Config>,
        checkpoints: &Arc<Mutex<Checkpoints>>,
        launch: Launch,
        place: Place,
    ) -> Self {
        let (run, ..) = Run::prepared(subject, config, checkpoints, launch, Some(place));
        run.control.leave_out(run.control.threads());
        run.gate.state().begun = true;
        run
    }

    /// Shows a search that has ended.
    pub fn ended(
        subject: &Arc<Subject>,
        config: &Arc<Config>,
        checkpoints: &Arc<Mutex<Checkpoints>>,
        launch: Launch,
        reason: StopReason,
    ) -> Self {
        let (run, ..) = Run::prepared(subject, config, checkpoints, launch, None);
        run.control.leave_out(run.control.threads());
        run.control.stop(reason);
        run.control.end();
        {
            let mut state = run.gate.state();
            state.begun = true;
            state.ended = true;
        }
        run
    }

    /// Returns a run without threads, the tree of which it has to make a copy first, and where to keep a copy.
    fn prepared(
        subject: &Arc<Subject>,
        config: &Arc<Config>,
        checkpoints: &Arc<Mutex<Checkpoints>>,
        launch: Launch,
        shown: Option<Place>,
    ) -> (Self, Option<Arc<Tree>>, Option<KeptStart>) {
        let Launch { segment, keep, .. } = launch;
        let control = Control::new(segment.limits, segment.threads)
            .sharing(config.cores.clone())
            .ringing(config.bell.clone())
            .pausing(config.recorded.clone());
        if launch.paused {
            control.pause();
        }
        control.pause_at(launch.pause_at);
        let (tree, copy_of) = match launch.tree {
            StartTree::Here(here) => (OnceLock::from(here), None),
            StartTree::CopyOf(source) => {
                debug_assert_eq!(
                    segment.threads, 1,
                    "only the main thread waits for the copy"
                );
                (OnceLock::new(), Some(source))
            }
        };
        let run = Run {
            state: Arc::new(RunState {
                subject: Arc::clone(subject),
                config: Arc::clone(config),
                tree,
                tables: launch.tables,
                control: Arc::new(control),
                gate: Arc::new(Gate::new(launch.order, segment.base.events)),
                points: Points::default(),
                checkpoints: Arc::clone(checkpoints),
                leaf: launch.leaf,
                next: Mutex::default(),
                shown,
                hold: Hold::default(),
                waiting: Mutex::default(),
                segment,
            }),
            threads: Vec::new(),
            refused: None,
        };
        (run, copy_of, keep)
    }

    fn start(&mut self, copy_of: Option<Arc<Tree>>, keep: Option<KeptStart>) {
        let mut first = Some((copy_of.clone(), keep));
        for index in 0..self.control.threads() {
            let state = Arc::clone(&self.state);
            let first = first.take();
            let work = move || match first {
                Some((copy_of, keep)) => state.main(copy_of, keep),
                None => state.helper(index),
            };
            match spawn(format!("search-{index}"), work) {
                Ok(handle) => self.threads.push(handle),
                Err(error) => {
                    self.give_up(copy_of, index, error);
                    break;
                }
            }
        }
    }

    /// Ends a run that could not start all its threads: those from `first` on count as ended.
    fn give_up(&mut self, copy_of: Option<Arc<Tree>>, first: usize, error: NoThread) {
        self.refused = Some(error);
        self.control.stop(StopReason::Fault);
        self.control.leave_out(self.control.threads() - first);
        if first == 0 {
            self.control.end();
            if let Some(source) = copy_of {
                self.state.tree.get_or_init(|| source);
            }
        }
    }

    /// Whether every thread has ended.
    pub fn has_ended(&self) -> bool {
        self.threads.iter().all(JoinHandle::is_finished)
    }

    /// Waits for the threads to end.
    pub fn join(&mut self) {
        for thread in self.threads.drain(..) {
            // The panic has already been recorded ([`Broken`]).
            let _ = thread.join();
        }
    }

    pub fn fault(&self) -> Option<Fault> {
        let refused = self.refused.clone().map(Fault::NoThread);
        refused.or_else(|| self.control.is_broken().then_some(Fault::Panic))
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        // Threads that end write to the tree.
        self.hold.wait();
        self.control.stop(StopReason::User);
        self.join();
    }
}

impl RunState {
    pub fn has_tree(&self) -> bool {
        self.tree.get().is_some()
    }

    /// Returns the tree; after [`StartTree::CopyOf`] only once the run has arrived anywhere.
    pub fn tree(&self) -> &Arc<Tree> {
        self.tree.get().expect("a run at hand has its tree")
    }

    /// Returns the parts of a job on its tree.
    pub fn job_inputs(&self) -> JobInputs<'_> {
        JobInputs {
            subject: &self.subject,
            config: &self.config,
            tree: self.tree(),
            tables: &self.tables,
            control: &self.control,
        }
    }

    /// Returns where the search would continue; valid after the main thread has ended.
    pub fn next_start(&self) -> Start {
        self.next
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .unwrap_or(self.segment.start)
    }

    /// Returns the figures from the beginning of the search, including earlier segments.
    pub fn so_far(&self) -> Baseline {
        let events = self.gate.state().now;
        self.segment.base.after(&self.control, events)
    }

    /// The work of the main thread.
    fn main(&self, copy_of: Option<Arc<Tree>>, keep: Option<KeptStart>) {
        // Dropped last, so that the reason for a failure is known before the search counts as ended.
        let _end = End(self.control.clone());
        let _broken = Broken(self.control.clone());
        if !self.prepare(copy_of, keep.as_ref()) || !self.may_begin() {
            return;
        }
        self.gate.state().begun = true;
        // Only the session decides how long the copy is kept.
        let kept = keep.as_ref().and_then(|keep| keep.get());
        let origin_bytes = kept.map_or(0, |(tree, _)| tree.bytes());
        drop(keep);
        let asks = self.config.algorithm.asks_tables(&self.config.options);
        let checkpoints = CheckpointRecorder::new(
            self.checkpoints.clone(),
            self.tree().clone(),
            asks.then(|| self.tables.clone()),
            self.control.clone(),
            self.segment.base.clone(),
            origin_bytes,
            // Another program's search is read again from its beginning.
            self.tree().family() == Family::BestFirst && !self.config.algorithm.is_told(),
        );
        let points = PointRecorder {
            algorithm: self.config.algorithm,
            points: self.points.clone(),
            control: self.control.clone(),
            base: self.segment.base.clone(),
        };
        let next = self.search(0, Some(checkpoints), Some(points));
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = Some(next);
    }

    /// The work of an additional thread.
    fn helper(&self, index: usize) {
        let _broken = Broken(self.control.clone());
        if self.has_tree() && self.may_begin() {
            self.search(index, None, None);
        }
    }

    /// Waits while the run is paused. Returns false if it was stopped in the meantime.
    fn may_begin(&self) -> bool {
        if self.control.is_paused() {
            self.control.wait_while_paused();
            return self.control.stopped().is_none();
        }
        true
    }

    fn search(
        &self,
        thread: usize,
        checkpoints: Option<CheckpointRecorder>,
        points: Option<PointRecorder>,
    ) -> Start {
        let (gate, tree) = (self.gate.clone(), self.tree().clone());
        let events = self.segment.base.events;
        let mut stepper = Stepper::new(gate, tree, checkpoints, points, events);
        #[cfg(test)]
        tests::break_if_asked(&self.config, thread);
        let threshold = stepper.threshold();
        let watched = Watched::new(events, threshold, &mut stepper);
        if let Some(leaf) = &self.leaf {
            leaf.search(&self.subject, self.tree(), &self.control, watched);
            return Start::default();
        }
        let Segment { start, choices, .. } = &self.segment;
        self.job_inputs()
            .with_job(*start, choices, |job| job.run(thread, watched))
    }

    /// Makes the required copies. Returns false if the search was stopped meanwhile.
    fn prepare(&self, copy_of: Option<Arc<Tree>>, keep: Option<&KeptStart>) -> bool {
        let goes_on = || self.control.stopped().is_none();
        if let Some(source) = copy_of {
            let Some(tree) = source.copy_while(goes_on) else {
                return false;
            };
            self.tree.get_or_init(|| Arc::new(tree));
        }
        if let (Some(keep), Some(tree)) = (keep, self.tree.get()) {
            let Some(copy) = tree.copy_while(goes_on) else {
                return false;
            };
            keep.get_or_init(|| (Arc::new(copy), Arc::new(self.tables.copy())));
        }
        true
    }
}

/// Ends the search when the main thread ends, even by a panic: the other threads and everything waiting for it are
/// notified.
struct End(Arc<Control>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.stop(StopReason::Depth);
        self.0.end();
    }
}

/// Ends the search if a thread panics, and records that.
struct Broken(Arc<Control>);

impl Drop for Broken {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.break_off();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::super::{Session, State};
    use super::*;
    use algorithms::ALGORITHMS;
    use game::{ChessPosition, Situation};
    use search::Limits;

    /// A seed that makes the last thread of a search panic.
    const BREAKS: u64 = 0xbad_5eed;

    pub fn break_if_asked(config: &Config, thread: usize) {
        let is_asked = config.seed == BREAKS && thread + 1 == config.threads;
        assert!(!is_asked, "as a test asked");
    }

    fn start(config: Config) -> Session {
        Session::start(
            Subject::from(Situation::new(ChessPosition::default())),
            config,
        )
    }

    fn end(session: &Session) -> StopReason {
        let begin = Instant::now();
        loop {
            if let State::Finished(reason) = session.status().state {
                return reason;
            }
            assert!(begin.elapsed() < Duration::from_secs(60), "it never ends");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_thread_that_breaks_off_ends_its_search_alone() {
        for row in &ALGORITHMS {
            for threads in [1, 2] {
                let config = Config {
                    threads,
                    memory: 8 << 20,
                    limits: Limits {
                        nodes: Some(2_000),
                        ..Limits::default()
                    },
                    ..Config::new(row.algorithm)
                };
                // Without a limit it can't end before its last thread has begun.
                let broken = start(Config {
                    seed: BREAKS,
                    limits: Limits::default(),
                    ..config.clone()
                });
                let sound = start(config);
                assert_eq!(end(&broken), StopReason::Fault, "{}", row.name);
                assert!(matches!(broken.fault(), Some(Fault::Panic)));
                // What the search had found can still be read.
                assert!(
                    !broken.summary().moves.is_empty() || threads == 1,
                    "{}",
                    row.name
                );
                assert_eq!(end(&sound), StopReason::Nodes, "{}", row.name);
                assert!(sound.fault().is_none());
            }
        }
    }
}
