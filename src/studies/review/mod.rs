//! The review of a game: several columns evaluate all its positions in the background, coarse to fine.

mod annotate;
mod batch;
mod disagreement;
mod found;
mod marks;
mod order;
mod phase;
mod queue;
mod results;
mod retry;
mod saved;
mod work;

use std::sync::Arc;

use super::compare::ColumnSpec;
use external::Trouble;
use game::{Game, MoveCode, Scale, Side};
use queue::ReviewQueue;
use results::Results;
use session::Budget;
use session::Subject;
use session::jobs::{BackgroundJob, Job, Pool};
use session::{MoveName, reader};
use work::{Plan, Programs};

pub use annotate::Wanted;
pub use batch::{Batch, Step, ToReview, run as review_all};
pub use disagreement::{Disagreement, disagreement, rank};
pub use found::{Found, SHARES};
pub use marks::{Loss, Mark, MarkKind, Measure, Tally, loss, mark, tally};
pub use order::coarse_to_fine;
pub use phase::{ACCURACY, PHASES, Part, Phase, Summary, accuracy, phases};
pub use retry::{Guessed, Trial};
pub use saved::{Header, Record, Saved};
pub use work::sized;

/// The name of a review's threads.
const JOB: &str = "review";

/// A review under way. Reading from it is always quick and never waits for a search; dropping it ends the searches in
/// the background.
///
/// Ply 0 is the position before the first move; the *move of ply p* is the move played there, which led to ply p + 1.
#[derive(Debug)]
pub struct Review {
    plan: Arc<Plan>,
    queue: Arc<ReviewQueue>,
    job: BackgroundJob<Results>,
    /// The move of each ply except the last; `None` for a null move.
    played: Vec<Option<MoveName>>,
}

impl Review {
    /// Starts to search the positions of a game, in its order and with their history. `budget` applies to each position
    /// and column (an unlimited one would never leave the first). `cores` searches run at a time, each of plyscope's
    /// own on one thread. Does not wait for anything.
    pub fn start(
        positions: Vec<Subject>,
        columns: Vec<ColumnSpec>,
        budget: Budget,
        cores: usize,
    ) -> Review {
        let plan = Arc::new(Plan {
            positions,
            columns,
            budget,
        });
        let queue = Arc::new(plan.queue());
        let (known, over) = plan.enter_what_is_over();
        over.iter().for_each(|&ply| queue.skip_ply(ply));
        let done = over.len() * plan.columns.len();
        let job = run(&plan, &queue, known, (cores, (done, plan.searches())));
        Review::of(plan, queue, job)
    }

    /// Returns a review that has ended with these results.
    fn ended(plan: Arc<Plan>, results: Results) -> Review {
        let queue = Arc::new(plan.queue());
        let done = results.count();
        let all = done + results.never();
        let steps = (
            done,
            if all == plan.searches() {
                done
            } else {
                plan.searches()
            },
        );
        let job = BackgroundJob::ended(Pool::new(JOB, 1, steps), results);
        Review::of(plan, queue, job)
    }

    fn of(plan: Arc<Plan>, queue: Arc<ReviewQueue>, job: BackgroundJob<Results>) -> Review {
        let pairs = plan.positions.windows(2);
        let played = pairs.map(|pair| played(&pair[0], &pair[1])).collect();
        Review {
            plan,
            queue,
            job,
            played,
        }
    }

    /// Returns how the game's scores are to be read.
    pub fn scale(&self) -> Scale {
        let first = self.plan.positions.first();
        first.map_or(Scale::Logistic, |first| first.position.scale())
    }

    /// Returns what the game calls its sides: that in White's place first.
    pub fn side_names(&self) -> [&'static str; 2] {
        let first = self.plan.positions.first().map(|first| &first.position);
        match first {
            Some(first) => [Side::White, Side::Black].map(|side| first.side_name(side)),
            None => ["White", "Black"],
        }
    }

    /// Returns the number of positions of the game, which is one more than the number of moves.
    pub fn len(&self) -> usize {
        self.plan.positions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.plan.positions.is_empty()
    }

    pub fn columns(&self) -> &[ColumnSpec] {
        &self.plan.columns
    }

    pub fn budget(&self) -> Budget {
        self.plan.budget
    }

    /// Returns the position of a ply, with the game before it.
    pub fn position(&self, ply: usize) -> Option<&Subject> {
        self.plan.positions.get(ply)
    }

    /// Returns the move played at a ply, or `None` at the last ply and for a null move.
    pub fn played(&self, ply: usize) -> Option<&MoveName> {
        self.played.get(ply)?.as_ref()
    }

    /// Returns what a column found at a ply, once there is a result.
    pub fn result(&self, column: usize, ply: usize) -> Option<Arc<Found>> {
        self.job.read(|known| known.get(column, ply).cloned())
    }

    /// Returns why nothing (more) comes from a column.
    pub fn trouble(&self, column: usize) -> Option<Trouble> {
        self.job.read(|known| known.trouble(column).cloned())
    }

    /// Returns the number of results so far and the number to expect; a column that failed gives no more.
    pub fn progress(&self) -> (usize, usize) {
        let (_, done, all) = self.job.progress();
        (done, all)
    }

    /// Whether every column that has not failed has a result for every position.
    pub fn is_complete(&self) -> bool {
        let (done, all) = self.progress();
        done == all
    }

    /// Whether it is running: not complete, not paused, not stopped.
    pub fn is_running(&self) -> bool {
        !self.is_complete() && !self.job.is_halted()
    }

    pub fn is_paused(&self) -> bool {
        self.job.is_paused()
    }

    /// Returns a number that changes when there is something new to show.
    pub fn generation(&self) -> u64 {
        self.job.generation()
    }

    /// Puts the ply that the user is looking at and its neighbours first; the others then continue in their order.
    pub fn prefer(&self, ply: usize) {
        self.queue.prefer(ply);
    }

    /// Pauses the searches.
    pub fn pause(&self) {
        self.job.set_paused(true);
    }

    pub fn resume(&self) {
        self.job.set_paused(false);
    }

    /// Ends the review for good, without waiting; what was found is kept.
    pub fn stop(&self) {
        self.job.stop();
    }

    /// Returns the moves that lost something according to a column, by the ply at which they were played.
    pub fn marks(&self, column: usize) -> Vec<Option<Mark>> {
        self.judged(column, mark)
    }

    /// Returns what each move lost according to a column, by the ply at which it was played.
    pub fn losses(&self, column: usize) -> Vec<Option<Loss>> {
        self.judged(column, loss)
    }

    /// Applies `judge` to the results before and after each move.
    fn judged<T>(
        &self,
        column: usize,
        judge: impl Fn(&Found, &Found, &MoveName) -> Option<T>,
    ) -> Vec<Option<T>> {
        let moves = self.played.iter().enumerate();
        self.job.read(|known| {
            let result = |ply| known.get(column, ply);
            let judged =
                moves.map(|(ply, played)| judge(result(ply)?, result(ply + 1)?, played.as_ref()?));
            judged.collect()
        })
    }

    /// Returns the losses of White's and of Black's moves according to a column.
    pub fn tally(&self, column: usize) -> [Tally; 2] {
        let losses = self.losses(column).into_iter().enumerate();
        // Only moves whose positions were both searched count.
        let searched = |ply: usize| {
            self.played(ply)?;
            self.result(column, ply)?;
            self.result(column, ply + 1)
        };
        tally(losses.filter_map(|(ply, loss)| {
            searched(ply)?;
            Some((self.side(ply)?, loss))
        }))
    }

    /// Returns the accuracy and the marks of both sides' moves by phase, according to a column.
    pub fn summary(&self, column: usize) -> Summary {
        let phases = phases(&self.plan.positions);
        let losses = self.losses(column);
        let judged = losses
            .iter()
            .enumerate()
            .filter_map(|(ply, loss)| Some((self.side(ply)?, *phases.get(ply)?, loss.as_ref()?)));
        Summary::of(judged)
    }

    /// Returns the side to move at a ply.
    pub fn side(&self, ply: usize) -> Option<Side> {
        Some(found::to_move(self.position(ply)?))
    }

    /// Returns how far the columns are apart at a ply, or `None` while fewer than two have a value there.
    pub fn disagreement(&self, ply: usize) -> Option<Disagreement> {
        let columns = 0..self.columns().len();
        self.job.read(|known| {
            let found = columns.map(|column| known.get(column, ply).map(Arc::as_ref));
            disagreement(ply, &found.collect::<Vec<Option<&Found>>>())
        })
    }

    /// Returns the `most` positions in which the columns disagree most: see [`rank`].
    pub fn disagreements(&self, most: usize) -> Vec<Disagreement> {
        let plies = 0..self.len();
        rank(
            plies.filter_map(|ply| self.disagreement(ply)).collect(),
            most,
        )
    }
}

impl Drop for Review {
    fn drop(&mut self) {
        self.job.abandon();
    }
}

/// Starts the searches on `cores` threads. `steps` are the number of results so far and the number to expect.
fn run(
    plan: &Arc<Plan>,
    queue: &Arc<ReviewQueue>,
    record: Results,
    (cores, steps): (usize, (usize, usize)),
) -> BackgroundJob<Results> {
    let (searched, items) = (Arc::clone(plan), Arc::clone(queue));
    let programs = Programs::of(plan.columns.len());
    let job = Job {
        name: JOB,
        workers: cores,
        items: Arc::clone(queue),
        steps,
        record,
    };
    let started = job.start(
        || (),
        move |(), at, worker, shared| match searched.search(at, &programs, worker) {
            Ok(Some(found)) => {
                if shared.update(|known| known.enter(at, found)) {
                    worker.pool.advance(1);
                }
            }
            Ok(None) => {}
            Err(trouble) => {
                items.skip_column(at.column);
                let missing = shared.update(|known| known.give_up(at.column, trouble));
                worker.pool.leave_out(missing);
            }
        },
    );
    started.unwrap_or_else(|error| {
        let (mut known, over) = plan.enter_what_is_over();
        let done = over.len() * plan.columns.len();
        for column in 0..plan.columns.len() {
            let message = format!("no thread could be started ({error})");
            let last_lines = Vec::new();
            known.give_up(
                column,
                Trouble {
                    message,
                    last_lines,
                },
            );
        }
        BackgroundJob::ended(Pool::new(JOB, cores, (done, done)), known)
    })
}

impl Plan {
    /// Returns the number of searches, with those of positions that need none.
    fn searches(&self) -> usize {
        self.positions.len() * self.columns.len()
    }

    fn queue(&self) -> ReviewQueue {
        let external = |c: &ColumnSpec| matches!(c, ColumnSpec::External(_));
        let one_at_a_time = self.columns.iter().map(external).collect();
        ReviewQueue::new(self.positions.len(), one_at_a_time)
    }

    /// Returns the results of positions in which the game is over, which need no search, and the plies of these
    /// positions.
    fn enter_what_is_over(&self) -> (Results, Vec<usize>) {
        let plies = self.positions.len();
        let mut known = Results::new(plies, self.columns.len());
        let mut over = Vec::new();
        for (ply, subject) in self.positions.iter().enumerate() {
            if let Some(found) = Found::over(subject, ply + 1 == plies) {
                over.push(ply);
                known.enter_for_all(ply, &Arc::new(found));
            }
        }
        (known, over)
    }
}

/// Returns the move that leads from one position to the next, if there is one.
fn played(before: &Subject, after: &Subject) -> Option<MoveName> {
    let position = &before.position;
    if !position.is_same_kind(&after.position) {
        return None;
    }
    let leads_there = |&m: &MoveCode| {
        let next = position.after(m);
        next.is_some_and(|next| next.key() == after.position.key())
    };
    let m = position.legal_moves().into_iter().find(leads_there)?;
    Some(reader::name(position, m))
}
