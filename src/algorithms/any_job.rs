//! A job of any game: which algorithm searches which position, with all types resolved.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::{Algorithm, apply_choices, move_on, open_leaf, run, search_again};
use eval::{ChessEvaluator, Evaluator};
use game::{ChessPosition, EndgameTables, Game, MoveCode, Score, Situation};
use search::common::context::Context;
use search::common::quiescence::{CaptureRules, Quiescence};
use search::common::table::Tables;
use search::endgame::root_in_tables;
use search::options::evaluation;
use search::{
    AfterEvent, AnyPosition, Choices, Control, Event, Free, Interrupt, Job, OpenedLeaf, Options,
    Recorded, Reuse, Start, Subject, Watched, Watcher,
};
use tree::{NodeId, Tree};

/// The parts of a [`Job`] that do not depend on its game's types (see there), and its algorithm.
#[derive(Clone, Copy, Debug)]
pub struct JobParts<'a> {
    pub algorithm: Algorithm,
    pub tree: &'a Tree,
    pub tables: &'a Tables,
    pub endgames: Option<&'a EndgameTables>,
    pub options: &'a Options,
    pub control: &'a Control,
    pub start: Start,
    pub choices: &'a Choices,
    pub seed: u64,
    pub recorded: Option<&'a dyn Recorded>,
}

/// Builds a job from a subject, in its game's own types if it is chess, and passes it to `task`.
pub fn with_job<T>(subject: &Subject, parts: JobParts, task: impl FnOnce(&dyn AnyJob) -> T) -> T {
    answered(task, |task| match subject.chess() {
        Some(chess) => as_chess(&chess, parts, task),
        None => erased(subject, parts, task),
    })
}

/// Like [`with_job`], but through [`AnyPosition`] whatever the game. Of chess this gives the same search, more slowly and
/// without endgame tables.
pub fn with_erased_job<T>(
    subject: &Subject,
    parts: JobParts,
    task: impl FnOnce(&dyn AnyJob) -> T,
) -> T {
    answered(task, |task| erased(subject, parts, task))
}

/// What is done with a job.
type Task<'t> = &'t mut dyn FnMut(&dyn AnyJob);

/// Returns what `task` answers when `give` has passed a job to it, once.
fn answered<T>(task: impl FnOnce(&dyn AnyJob) -> T, give: impl FnOnce(Task)) -> T {
    let (mut task, mut answer) = (Some(task), None);
    give(&mut |job| answer = task.take().map(|task| task(job)));
    answer.expect("a job is passed on once")
}

// No type parameters from here on: every crate that calls a function with some compiles it anew, and all searches with it.

fn as_chess(chess: &Situation<ChessPosition>, parts: JobParts, task: Task) {
    let evaluator = ChessEvaluator::new(evaluation(parts.options));
    task(&parts.job(chess, &evaluator));
}

fn erased(situation: &Situation<AnyPosition>, parts: JobParts, task: Task) {
    let evaluator = situation.position.evaluator(evaluation(parts.options));
    task(&parts.job(situation, &evaluator));
}

impl<'a> JobParts<'a> {
    fn job<G: Game, E: Evaluator<G>>(
        self,
        situation: &'a Situation<G>,
        evaluator: &'a E,
    ) -> ChosenJob<'a, G, E> {
        let job = Job {
            situation,
            evaluator,
            tree: self.tree,
            tables: self.tables,
            endgames: self.endgames,
            options: self.options,
            control: self.control,
            start: self.start,
            choices: self.choices,
            seed: self.seed,
            recorded: self.recorded,
        };
        ChosenJob {
            algorithm: self.algorithm,
            job,
        }
    }
}

/// A [`Job`] of any game with its algorithm. Every call leads to code compiled for the game.
pub trait AnyJob {
    /// Runs one thread of the search; see [`super::run`].
    fn run(&self, thread: usize, probe: Watched) -> Start;

    /// Runs a single-threaded search that nobody watches.
    fn run_unwatched(&self) -> Start;

    /// See [`super::apply_choices()`].
    fn apply_choices(&self, before: &Choices) -> Start;

    /// See [`super::move_on`].
    fn move_on(&self, moves: &[MoveCode]) -> Option<Reuse>;

    /// See [`super::search_again`].
    fn search_again(&self, node: NodeId);

    /// See [`super::open_leaf`].
    fn open_leaf(&self, leaf: &OpenedLeaf, probe: Watched);

    /// Whether the endgame tables know the root's moves.
    fn is_root_in_tables(&self) -> bool;

    /// The value of the position before any move is searched.
    ///
    /// # Errors
    /// [`Interrupt`] if the search was stopped.
    fn standing(&self) -> Result<Standing, Interrupt>;
}

/// The value of a position before any move is searched, from the view of its side to move.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// `None` in check.
    pub static_value: Option<Score>,
    /// The value by quiescence that leaves out no capture because of its small gain.
    pub quiescence: Score,
}

/// A job and the algorithm that does it.
struct ChosenJob<'a, G: Game, E: Evaluator<G>> {
    algorithm: Algorithm,
    job: Job<'a, G, E>,
}

impl<G: Game, E: Evaluator<G>> AnyJob for ChosenJob<'_, G, E> {
    fn run(&self, thread: usize, mut probe: Watched) -> Start {
        run(self.algorithm, &self.job, thread, &mut probe)
    }

    fn run_unwatched(&self) -> Start {
        unwatched(|probe| self.run(0, probe))
    }

    fn apply_choices(&self, before: &Choices) -> Start {
        apply_choices(self.algorithm, &self.job, before)
    }

    fn move_on(&self, moves: &[MoveCode]) -> Option<Reuse> {
        move_on(self.algorithm, &self.job, moves)
    }

    fn search_again(&self, node: NodeId) {
        unwatched(|mut probe| search_again(self.algorithm, &self.job, node, &mut probe));
    }

    fn open_leaf(&self, leaf: &OpenedLeaf, mut probe: Watched) {
        open_leaf(self.algorithm, &self.job, leaf, &mut probe);
    }

    fn is_root_in_tables(&self) -> bool {
        root_in_tables(&self.job).is_some()
    }

    fn standing(&self) -> Result<Standing, Interrupt> {
        let position = &self.job.situation.position;
        let state = self.job.evaluator.start(position);
        let mut probe = Free;
        let mut context = Context::new(&self.job, 0, &mut probe);
        let quiescence = Quiescence {
            evaluator: self.job.evaluator,
            rules: CaptureRules::DEFAULT,
            corrections: None,
            static_values: None,
        };
        let value = quiescence.search(
            &mut context,
            NodeId::NONE,
            position,
            &state,
            Score::MIN,
            Score::MAX,
            0,
            0,
        )?;
        let static_value = self.job.evaluator.value(&state, position);
        Ok(Standing {
            static_value: (!position.is_check()).then_some(static_value),
            quiescence: value,
        })
    }
}

/// Calls `search` with the probe of a search that nobody watches. It is the same type as that of a watched search, which is
/// as fast and so need not be compiled a second time.
fn unwatched<T>(search: impl FnOnce(Watched) -> T) -> T {
    struct Nobody;
    impl Watcher for Nobody {
        fn event(&mut self, _: u64, _: Event) -> AfterEvent {
            AfterEvent::GoOn
        }
    }
    let never = Arc::new(AtomicU64::new(u64::MAX));
    search(Watched::new(0, never, &mut Nobody))
}
