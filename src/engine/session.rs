//! One search in the background.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::eval::{Evaluator, HandCrafted, ToyEvaluator};
use crate::game::{Game, Scale, Subject};
use crate::search::depth_first::alpha_beta;
use crate::search::depth_first::table::Tables;
use crate::search::{
    self, Algorithm, Choices, Control, Free, Job, Limits, Options, Start, StopReason, Totals,
};
use crate::tree::{Fate, NodeId, Tree};

/// How a search shall run.
#[derive(Clone, Debug)]
pub struct Config {
    pub algorithm: Algorithm,
    pub options: Options,
    pub limits: Limits,
    pub threads: usize,
    /// Bytes for the tree (nodes and beliefs).
    pub memory: u64,
    /// Bytes for the transposition table (depth-first).
    pub table: u64,
    pub seed: u64,
    /// Record nodes down to this ply (`u16::MAX`: all).
    pub record_plies: u16,
}

impl Config {
    /// The defaults for an algorithm: one thread, a quarter of the machine's memory up to 4 GiB for the tree.
    #[must_use]
    pub fn new(algorithm: Algorithm) -> Self {
        Config {
            algorithm,
            options: algorithm.default_options(),
            limits: Limits::default(),
            threads: 1,
            memory: default_memory(),
            table: 32 << 20,
            seed: 1,
            record_plies: u16::MAX,
        }
    }
}

/// A quarter of the machine's memory, at most 4 GiB.
#[must_use]
pub fn default_memory() -> u64 {
    const MOST: u64 = 4 << 30;
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    match system.total_memory() {
        0 => MOST / 4,
        total => (total / 4).min(MOST),
    }
}

/// The deepest recursion needs some 1.5 MiB: quiescence below the deepest ply.
pub(super) const STACK: usize = 16 << 20;

/// Enough for what a person can look at.
const SEARCH_AGAIN: Limits = Limits {
    nodes: Some(200_000),
    time: Some(Duration::from_millis(200)),
    depth: None,
};

/// What a session is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Running,
    Paused,
    /// Ended by itself or by [`Session::stop`].
    Finished(StopReason),
}

/// Figures of a session at one moment.
#[derive(Clone, Debug)]
pub struct Status {
    pub state: State,
    pub totals: Totals,
    /// Running time, pauses not counted.
    pub elapsed: Duration,
    pub tree_nodes: u32,
    /// Bytes of the tree.
    pub tree_bytes: u64,
    /// The tree's budget is used up: a best-first search has ended, a depth-first one goes on unrecorded.
    pub tree_full: bool,
    pub threads: usize,
}

impl Status {
    /// Nodes per second over the whole running time.
    #[must_use]
    pub fn nodes_per_second(&self) -> f64 {
        self.totals.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// A search running in the background; dropping it stops the search and waits for its threads.
#[derive(Debug)]
pub struct Session {
    subject: Subject,
    config: Config,
    tree: Arc<Tree>,
    control: Arc<Control>,
    threads: Vec<JoinHandle<()>>,
    tables: Arc<Tables>,
    /// Re-searches under way.
    again: Mutex<Vec<JoinHandle<()>>>,
}

impl Session {
    /// Starts a search. The tree is empty but for its root at first and grows while one looks.
    #[must_use]
    pub fn start(subject: Subject, config: Config) -> Self {
        Self::launch(subject, config, false)
    }

    /// A session whose threads wait at their first node until [`Session::resume`].
    #[must_use]
    pub fn start_paused(subject: Subject, config: Config) -> Self {
        Self::launch(subject, config, true)
    }

    fn launch(subject: Subject, config: Config, paused: bool) -> Self {
        let tree = Arc::new(empty_tree(&subject, &config));
        let control = Arc::new(Control::new(config.limits, config.threads));
        if paused {
            control.pause();
        }
        let tables = Arc::new(Tables::new(config.table));
        let threads = (0..control.threads())
            .map(|index| {
                let (subject, config) = (subject.clone(), config.clone());
                let (tree, control, tables) = (tree.clone(), control.clone(), tables.clone());
                std::thread::Builder::new()
                    .name(format!("search-{index}"))
                    .stack_size(STACK)
                    .spawn(move || work(&subject, &config, &tree, &tables, &control, index))
                    .expect("a thread can be started")
            })
            .collect();
        Session {
            subject,
            config,
            tree,
            control,
            threads,
            tables,
            again: Mutex::default(),
        }
    }

    #[must_use]
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The live tree: read it at any time.
    #[must_use]
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    pub fn pause(&self) {
        self.control.pause();
    }

    pub fn resume(&self) {
        self.control.resume();
    }

    /// Asks the search to end; does not wait.
    pub fn stop(&self) {
        self.control.stop(StopReason::User);
    }

    /// Whether no thread works on the tree: paused and all waiting, or ended.
    #[must_use]
    pub fn is_still(&self) -> bool {
        self.control.is_still()
    }

    /// Waits for the search's end.
    pub fn join(&mut self) {
        for thread in self.threads.drain(..) {
            // A panic of a search thread was reported by the panic hook; the session just ends.
            let _ = thread.join();
        }
    }

    /// Whether the moves below a node were searched without being recorded: below a hit in the table, or when the
    /// tree's budget was used up. [`Session::search_again`] can then show them.
    #[must_use]
    pub fn can_search_again(&self, node: NodeId) -> bool {
        let view = self.tree.view(node);
        let searched = view.window.is_some_and(|w| w.depth > 0)
            && matches!(
                view.fate,
                Fate::TableHit { .. } | Fate::Expanded { .. } | Fate::BetaCutoff { .. }
            );
        self.config.algorithm == Algorithm::AlphaBeta && searched && view.children == 0
    }

    /// Searches a node again, in the background, with its recorded window and depth, and records what lies below,
    /// marked as a re-search ([`crate::tree::NodeView::again`]). The search itself stands still meanwhile: at most
    /// some 0.2 s. Does nothing where [`Session::can_search_again`] says no.
    pub fn search_again(&self, node: NodeId) {
        if !self.can_search_again(node) {
            return;
        }
        let Some(subject) = self.situation(node) else {
            return;
        };
        let (config, tree) = (self.config.clone(), self.tree.clone());
        let (control, tables) = (self.control.clone(), self.tables.clone());
        let thread = std::thread::Builder::new()
            .name(String::from("search-again"))
            .stack_size(STACK)
            .spawn(move || {
                let resume = !control.is_paused();
                control.pause();
                while !control.is_still() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                let own = Control::new(SEARCH_AGAIN, 1);
                with_job(&subject, &config, &tree, &tables, &own, AgainAt(node));
                if resume {
                    control.resume();
                }
            });
        // Without a thread there is no re-search, and nothing else is lost.
        if let Ok(thread) = thread {
            let mut again = self.again.lock().unwrap_or_else(PoisonError::into_inner);
            again.retain(|t| !t.is_finished());
            again.push(thread);
        }
    }

    #[must_use]
    pub fn status(&self) -> Status {
        let state = match self.control.stopped() {
            Some(reason) => State::Finished(reason),
            None if self.control.is_paused() => State::Paused,
            None => State::Running,
        };
        Status {
            state,
            totals: self.control.totals(),
            elapsed: self.control.elapsed(),
            tree_nodes: self.tree.len(),
            tree_bytes: self.tree.bytes(),
            tree_full: self.tree.len() >= self.tree.capacity() - 256,
            threads: self.config.threads,
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.stop();
        self.join();
        let again = std::mem::take(&mut *self.again.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in again {
            let _ = thread.join();
        }
    }
}

/// The tree that a search with this configuration grows.
pub(super) fn empty_tree(subject: &Subject, config: &Config) -> Tree {
    let scale = match subject {
        Subject::Chess(_) => Scale::Logistic,
        Subject::Toy(s) => s.position.scale(),
    };
    let spec = config
        .algorithm
        .tree_spec(scale, config.memory, config.record_plies);
    Tree::new(spec)
}

/// What a thread does with its job.
pub(super) trait Task {
    fn run<G: Game, E: Evaluator<G>>(self, job: &Job<G, E>);
}

/// Its share of the search.
struct Search {
    thread: usize,
}

impl Task for Search {
    fn run<G: Game, E: Evaluator<G>>(self, job: &Job<G, E>) {
        search::run(job, self.thread, &mut Free);
    }
}

/// A re-search of one node.
struct AgainAt(NodeId);

impl Task for AgainAt {
    fn run<G: Game, E: Evaluator<G>>(self, job: &Job<G, E>) {
        alpha_beta::search_again(job, self.0, &mut Free);
    }
}

pub(super) fn with_job(
    subject: &Subject,
    config: &Config,
    tree: &Tree,
    tables: &Tables,
    control: &Control,
    task: impl Task,
) {
    macro_rules! run {
        ($situation:expr, $evaluator:expr) => {
            task.run(&Job {
                algorithm: config.algorithm,
                situation: $situation,
                evaluator: &$evaluator,
                tree,
                tables,
                options: &config.options,
                control,
                start: Start::default(),
                choices: &Choices::default(),
                seed: config.seed,
            })
        };
    }
    match subject {
        Subject::Chess(situation) => run!(situation, HandCrafted::default()),
        Subject::Toy(situation) => run!(situation, ToyEvaluator::default()),
    }
}

fn work(
    subject: &Subject,
    config: &Config,
    tree: &Tree,
    tables: &Tables,
    control: &Control,
    thread: usize,
) {
    with_job(subject, config, tree, tables, control, Search { thread });
    // The main thread's end is the search's end.
    if thread == 0 {
        control.stop(StopReason::Depth);
        control.freeze_clock();
    }
}
