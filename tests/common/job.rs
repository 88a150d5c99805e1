//! The searches of the tests. They go through those that the program compiles, so that no test compiles one again.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use algorithms::{Algorithm, AnyJob, JobParts, with_job};
use eval::network::Learned;
use eval::{ChessEvaluator, Evaluated, Evaluation, Evaluator, HandCrafted, ToyEvaluator};
use game::{ChessPosition, Game, MoveCode, ToyPosition};
use search::{
    AfterEvent, Choices, Event, Job, LeafVisit, Probe, Reuse, Start, Subject, Watched, Watcher,
};
use tree::NodeId;

/// An evaluator that a search makes from its options.
pub trait Named<G: Game>: Evaluator<G> {
    /// Returns what the option `eval` calls it, if its game has the option.
    fn evaluation(&self) -> Option<Evaluation>;
}

impl Named<ChessPosition> for HandCrafted {
    fn evaluation(&self) -> Option<Evaluation> {
        Some(Evaluation::HandCrafted)
    }
}

impl Named<ChessPosition> for ChessEvaluator {
    fn evaluation(&self) -> Option<Evaluation> {
        Some(match self {
            ChessEvaluator::HandCrafted(_) => Evaluation::HandCrafted,
            ChessEvaluator::Network(_) => Evaluation::Network,
            ChessEvaluator::Both(_) => Evaluation::Both,
        })
    }
}

impl Named<ChessPosition> for Learned {
    fn evaluation(&self) -> Option<Evaluation> {
        Some(Evaluation::Network)
    }
}

impl Named<ToyPosition> for ToyEvaluator {
    fn evaluation(&self) -> Option<Evaluation> {
        None
    }
}

/// Passes on the job that the program makes of the same parts.
fn with<G: Evaluated, E: Named<G>, T>(
    algorithm: Algorithm,
    job: &Job<G, E>,
    task: impl FnOnce(&dyn AnyJob) -> T,
) -> T {
    let mut options = job.options.clone();
    if let Some(which) = job.evaluator.evaluation() {
        options.set("eval", which.name()).expect("an option of all");
    }
    let parts = JobParts {
        recorded: None,
        algorithm,
        tree: job.tree,
        tables: job.tables,
        endgames: job.endgames,
        options: &options,
        control: job.control,
        start: job.start,
        choices: job.choices,
        seed: job.seed,
    };
    with_job(&Subject::of(job.situation.clone()), parts, task)
}

/// Runs one thread of a search with a probe; see [`algorithms::run`].
pub fn run<G: Evaluated, E: Named<G>, P: Probe>(
    algorithm: Algorithm,
    job: &Job<G, E>,
    thread: usize,
    probe: &mut P,
) -> Start {
    let wanted = AtomicU64::new(if P::ACTIVE { 0 } else { u64::MAX });
    let mut watching = Watching(probe);
    let probe = Watched::new(0, Arc::new(wanted), &mut watching);
    with(algorithm, job, |job| job.run(thread, probe))
}

/// See [`algorithms::apply_choices()`].
pub fn apply_choices<G: Evaluated, E: Named<G>>(
    algorithm: Algorithm,
    job: &Job<G, E>,
    before: &Choices,
) -> Start {
    with(algorithm, job, |job| job.apply_choices(before))
}

/// See [`algorithms::move_on`].
pub fn move_on<G: Evaluated, E: Named<G>>(
    algorithm: Algorithm,
    job: &Job<G, E>,
    moves: &[MoveCode],
) -> Option<Reuse> {
    with(algorithm, job, |job| job.move_on(moves))
}

/// See [`algorithms::search_again`].
pub fn search_again<G: Evaluated, E: Named<G>>(
    algorithm: Algorithm,
    job: &Job<G, E>,
    node: NodeId,
) {
    with(algorithm, job, |job| job.search_again(node));
}

/// A probe as a watcher.
struct Watching<'p, P>(&'p mut P);

impl<P: Probe> Watcher for Watching<'_, P> {
    fn event(&mut self, _: u64, event: Event) -> AfterEvent {
        self.0.event(event)
    }

    fn holds(&self) -> bool {
        self.0.holds()
    }

    fn leaf_visit(&mut self, visit: &LeafVisit) -> AfterEvent {
        self.0.leaf_visit(visit)
    }

    fn wants_clean_point(&self) -> bool {
        self.0.wants_clean_point()
    }

    fn clean_point(&mut self, _: u64, start: Start) {
        self.0.clean_point(start);
    }
}
