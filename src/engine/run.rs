//! The threads of one search over one tree.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::checkpoint::Checkpoints;
use super::config::Config;
use super::debug::gate::{Gate, Order};
use super::debug::keeper::Keeper;
use super::debug::stepper::Stepper;
use super::progress::{Points, Recorder};
use crate::eval::{Evaluator, HandCrafted, ToyEvaluator};
use crate::game::{Game, Scale, Subject};
use crate::search::common::table::Tables;
use crate::search::{self, Choices, Control, Job, Limits, Probe, Start, StopReason, Totals};
use crate::tree::Tree;

/// The deepest recursion needs some 1.5 MiB: quiescence below the deepest ply.
pub(super) const STACK: usize = 16 << 20;

/// What a search did before the run at hand began.
#[derive(Clone, Debug, Default)]
pub(super) struct Base {
    /// Events of the main thread.
    pub events: u64,
    pub totals: Totals,
    pub elapsed: Duration,
    /// CPU time of all threads.
    pub cpu: Duration,
}

impl Base {
    /// The same with what a run added, up to its event number `events`.
    pub fn after(&self, control: &Control, events: u64) -> Base {
        Base {
            events,
            totals: self.totals.plus(&control.totals()),
            elapsed: self.elapsed + control.elapsed(),
            cpu: self.cpu + control.cpu(),
        }
    }
}

/// One uninterrupted stretch of a search: from where, how far, with how many threads.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    pub start: Start,
    pub base: Base,
    pub limits: Limits,
    pub threads: usize,
    pub choices: Arc<Choices>,
}

/// A leg under way.
#[derive(Debug)]
pub(super) struct Run {
    pub leg: Leg,
    /// Not there while it is still copied from a checkpoint.
    tree: Arc<OnceLock<Arc<Tree>>>,
    pub tables: Arc<Tables>,
    pub control: Arc<Control>,
    pub gate: Arc<Gate>,
    pub points: Points,
    /// Where the next leg would begin, once the main thread has ended.
    next: Arc<Mutex<Option<Start>>>,
    threads: Vec<JoinHandle<()>>,
    /// Why a thread could not begin.
    refused: Option<NoThread>,
}

/// Why a search did not go to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// One of its threads broke off by a mistake of the program, which is reported on standard error or in a file.
    #[error("a search thread broke off by a mistake of plyscope")]
    Panic,
    /// The system refused one of its threads.
    #[error(transparent)]
    NoThread(NoThread),
}

/// The system refused a thread; what it said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no thread can be started: {0}")]
pub struct NoThread(String);

impl From<std::io::Error> for NoThread {
    fn from(error: std::io::Error) -> NoThread {
        NoThread(error.to_string())
    }
}

/// The tree a run begins on.
#[derive(Debug)]
pub(super) enum Ground {
    /// This one.
    Here(Arc<Tree>),
    /// A copy of this one, made on the search thread.
    CopyOf(Arc<Tree>),
}

/// A copy of what a leg begins on, to run it again; made on the search thread before anything happens.
pub(super) type Kept = Arc<OnceLock<(Arc<Tree>, Arc<Tables>)>>;

/// How a run begins.
#[derive(Debug)]
pub(super) struct Begin {
    pub ground: Ground,
    pub tables: Arc<Tables>,
    pub order: Order,
    /// Its threads wait until they are told to resume, before anything has happened.
    pub paused: bool,
    /// It pauses when so many nodes have been counted.
    pub pause_at: Option<u64>,
    /// Where to keep a copy of what it begins on.
    pub keep: Option<Kept>,
}

/// An empty tree for a search of this subject.
pub(super) fn new_tree(subject: &Subject, config: &Config) -> Tree {
    let scale = match subject {
        Subject::Chess(_) => Scale::Logistic,
        Subject::Toy(s) => s.position.scale(),
    };
    Tree::new(
        config
            .algorithm
            .tree_spec(scale, config.memory, config.record_plies),
    )
}

impl Run {
    pub fn launch(
        subject: &Subject,
        config: &Config,
        leg: Leg,
        begin: Begin,
        checkpoints: &Arc<Mutex<Checkpoints>>,
    ) -> Self {
        let control = Control::new(leg.limits, leg.threads)
            .sharing(config.cores.clone())
            .ringing(config.bell.clone());
        let control = Arc::new(control);
        if begin.paused {
            control.pause();
        }
        control.pause_at(begin.pause_at);
        let tree = Arc::new(OnceLock::new());
        let copy_of = match begin.ground {
            Ground::Here(here) => {
                tree.get_or_init(|| here);
                None
            }
            Ground::CopyOf(source) => {
                debug_assert_eq!(leg.threads, 1, "only the main thread waits for the copy");
                Some(source)
            }
        };
        let mut run = Run {
            tree,
            tables: begin.tables,
            control,
            gate: Arc::new(Gate::new(begin.order, leg.base.events)),
            points: Arc::default(),
            next: Arc::default(),
            threads: Vec::new(),
            refused: None,
            leg,
        };
        let mut main = Some(MainThread {
            copy_of: copy_of.clone(),
            keep: begin.keep,
            next: run.next.clone(),
            points: run.points.clone(),
            checkpoints: checkpoints.clone(),
        });
        for index in 0..run.control.threads() {
            let thread = Thread {
                index,
                subject: subject.clone(),
                config: config.clone(),
                leg: run.leg.clone(),
                tree: run.tree.clone(),
                tables: run.tables.clone(),
                control: run.control.clone(),
                gate: run.gate.clone(),
                main: main.take(),
            };
            match spawn(format!("search-{index}"), move || thread.work()) {
                Ok(handle) => run.threads.push(handle),
                Err(error) => {
                    run.give_up(copy_of, index, error);
                    break;
                }
            }
        }
        run
    }

    /// Ends what can't be begun with all its threads: those from `first` on count as ended.
    fn give_up(&mut self, copy_of: Option<Arc<Tree>>, first: usize, error: NoThread) {
        self.refused = Some(error);
        self.control.stop(StopReason::Fault);
        self.control.leave_out(self.control.threads() - first);
        if first == 0 {
            self.control.end();
            if let Some(source) = copy_of {
                self.tree.get_or_init(|| source);
            }
        }
    }

    pub fn has_tree(&self) -> bool {
        self.tree.get().is_some()
    }

    /// The tree; after [`Ground::CopyOf`] only once the run has arrived anywhere.
    pub fn tree(&self) -> &Arc<Tree> {
        self.tree.get().expect("a run at hand has its tree")
    }

    /// Whether every thread has ended.
    pub fn has_ended(&self) -> bool {
        self.threads.iter().all(JoinHandle::is_finished)
    }

    /// Waits for the threads' end.
    pub fn join(&mut self) {
        for thread in self.threads.drain(..) {
            // A panic is known already ([`Broken`]).
            let _ = thread.join();
        }
    }

    pub fn fault(&self) -> Option<Fault> {
        let refused = self.refused.clone().map(Fault::NoThread);
        refused.or_else(|| self.control.is_broken().then_some(Fault::Panic))
    }

    /// Where a search would go on; after the main thread's end.
    pub fn next_start(&self) -> Start {
        self.next
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .unwrap_or(self.leg.start)
    }

    /// Figures from the beginning of the search, earlier legs included.
    pub fn so_far(&self) -> Base {
        let events = self.gate.desk().now;
        self.leg.base.after(&self.control, events)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.control.stop(StopReason::User);
        self.join();
    }
}

/// What a panic under a lock leaves behind is used as it is: checkpoints are only ever whole.
pub(super) fn lock(checkpoints: &Mutex<Checkpoints>) -> MutexGuard<'_, Checkpoints> {
    checkpoints.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What one thread of a run needs.
struct Thread {
    index: usize,
    subject: Subject,
    config: Config,
    leg: Leg,
    tree: Arc<OnceLock<Arc<Tree>>>,
    tables: Arc<Tables>,
    control: Arc<Control>,
    gate: Arc<Gate>,
    main: Option<MainThread>,
}

/// The main thread's end, also by a panic, is the search's end: the others are told, and whoever waits for it.
struct End(Arc<Control>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.stop(StopReason::Depth);
        self.0.end();
    }
}

/// A thread that breaks off ends the search, and leaves word of it.
struct Broken(Arc<Control>);

impl Drop for Broken {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.break_off();
        }
    }
}

/// What the main thread needs besides.
struct MainThread {
    copy_of: Option<Arc<Tree>>,
    keep: Option<Kept>,
    next: Arc<Mutex<Option<Start>>>,
    points: Points,
    checkpoints: Arc<Mutex<Checkpoints>>,
}

impl Thread {
    fn work(mut self) {
        let mut main = self.main.take();
        // Dropped last: why a search broke off is known before it has ended.
        let _end = main.is_some().then(|| End(self.control.clone()));
        let _broken = Broken(self.control.clone());
        if let Some(main) = &mut main
            && !self.prepare(main)
        {
            return;
        }
        let Some(tree) = self.tree.get() else { return };
        if self.control.is_paused() {
            self.control.wait_while_paused();
            if self.control.stopped().is_some() {
                return;
            }
        }
        let keeper = main.as_mut().map(|main| {
            self.gate.desk().begun = true;
            // The session alone decides how long the copy is kept.
            let kept = main.keep.take();
            let kept = kept.as_ref().and_then(|keep| keep.get());
            let origin_bytes = kept.map_or(0, |(tree, _)| tree.bytes());
            let Config {
                algorithm, options, ..
            } = &self.config;
            let asks = algorithm.asks_tables(options);
            Keeper::new(
                main.checkpoints.clone(),
                tree.clone(),
                asks.then(|| self.tables.clone()),
                self.control.clone(),
                self.leg.base.clone(),
                origin_bytes,
            )
        });
        let events = self.leg.base.events;
        let recorder = main.as_ref().map(|main| Recorder {
            points: main.points.clone(),
            control: self.control.clone(),
            base: self.leg.base.clone(),
        });
        let (gate, tree) = (self.gate.clone(), tree.clone());
        let mut stepper = Stepper::new(gate, tree.clone(), keeper, recorder, events);
        let bench = Bench {
            subject: &self.subject,
            config: &self.config,
            tree: &tree,
            tables: &self.tables,
            control: &self.control,
        };
        let task = Search {
            thread: self.index,
            probe: &mut stepper,
        };
        #[cfg(test)]
        tests::break_if_asked(&self.config, self.index);
        let next = bench.with_job(self.leg.start, &self.leg.choices, task);
        if let Some(main) = main {
            *main.next.lock().unwrap_or_else(PoisonError::into_inner) = Some(next);
        }
    }

    /// Copies what is to be copied; false if the search was stopped meanwhile.
    fn prepare(&self, main: &mut MainThread) -> bool {
        let goes_on = || self.control.stopped().is_none();
        if let Some(source) = &main.copy_of {
            let Some(tree) = source.copy_while(goes_on) else {
                return false;
            };
            self.tree.get_or_init(|| Arc::new(tree));
        }
        if let (Some(keep), Some(tree)) = (&main.keep, self.tree.get()) {
            let Some(copy) = tree.copy_while(goes_on) else {
                return false;
            };
            keep.get_or_init(|| (Arc::new(copy), Arc::new(self.tables.copy())));
        }
        true
    }
}

/// Starts a thread with the stack a search needs.
pub(super) fn spawn(
    name: String,
    work: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, NoThread> {
    let builder = std::thread::Builder::new().name(name).stack_size(STACK);
    Ok(builder.spawn(work)?)
}

/// Drops what is large, or still has to end, where nobody waits for it; here, if no thread can be had.
pub fn drop_aside<T: Send + 'static>(large: T) {
    // A thread that can't be started drops what it was given.
    let _ = std::thread::Builder::new().spawn(move || drop(large));
}

/// What a thread does with its job.
pub(super) trait Task {
    type Output;

    fn run<G: Game, E: Evaluator<G>>(self, job: &Job<G, E>) -> Self::Output;
}

/// Its share of the search.
pub(super) struct Search<'a, P> {
    pub thread: usize,
    pub probe: &'a mut P,
}

impl<P: Probe> Task for Search<'_, P> {
    type Output = Start;

    fn run<G: Game, E: Evaluator<G>>(self, job: &Job<G, E>) -> Start {
        search::run(job, self.thread, self.probe)
    }
}

/// What a job is made of, but for the game's own types.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bench<'a> {
    pub subject: &'a Subject,
    pub config: &'a Config,
    pub tree: &'a Tree,
    pub tables: &'a Tables,
    pub control: &'a Control,
}

impl Bench<'_> {
    pub fn with_job<T: Task>(self, start: Start, choices: &Choices, task: T) -> T::Output {
        macro_rules! run {
            ($situation:expr, $evaluator:expr) => {
                task.run(&Job {
                    algorithm: self.config.algorithm,
                    situation: $situation,
                    evaluator: &$evaluator,
                    tree: self.tree,
                    tables: self.tables,
                    endgames: self.config.endgames.as_deref(),
                    options: &self.config.options,
                    control: self.control,
                    start,
                    choices,
                    seed: self.config.seed,
                })
            };
        }
        match self.subject {
            Subject::Chess(situation) => run!(situation, HandCrafted::default()),
            Subject::Toy(situation) => run!(situation, ToyEvaluator::default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::super::{Fault, Session, State};
    use super::*;
    use crate::game::{ChessPosition, Situation};
    use crate::search::ALGORITHMS;

    /// The seed of a search whose last thread breaks off.
    const BREAKS: u64 = 0xbad_5eed;

    pub fn break_if_asked(config: &Config, thread: usize) {
        let is_asked = config.seed == BREAKS && thread + 1 == config.threads;
        assert!(!is_asked, "as a test asked");
    }

    fn start(config: Config) -> Session {
        Session::start(
            Subject::Chess(Situation::new(ChessPosition::default())),
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
                let broken = start(Config {
                    seed: BREAKS,
                    ..config.clone()
                });
                let sound = start(config);
                assert_eq!(end(&broken), StopReason::Fault, "{}", row.name);
                assert!(matches!(broken.fault(), Some(Fault::Panic)));
                // Whatever it had can be looked at.
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
