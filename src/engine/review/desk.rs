//! What the workers of a review and those who watch it share: results, the queue of jobs, the switches.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use super::Found;
use super::order::{around, coarse_to_fine};
use crate::engine::compare::{Budget, ColumnSpec};
use crate::engine::external::{External, Trouble};
use crate::game::Subject;
use crate::search::{Control, StopReason};

/// One column's search of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Job {
    pub ply: usize,
    pub column: usize,
}

/// Results are read without a lock; the queue's lock is held for microseconds.
#[derive(Debug)]
pub(super) struct Desk {
    pub positions: Vec<Subject>,
    pub columns: Vec<ColumnSpec>,
    pub budget: Budget,
    /// By ply, then by column.
    results: Vec<OnceLock<Arc<Found>>>,
    troubles: Vec<OnceLock<Trouble>>,
    /// The programs of external columns between two of their positions.
    programs: Vec<Mutex<Option<External>>>,
    queue: Mutex<Queue>,
    moved: Condvar,
    generation: AtomicU64,
    done: AtomicUsize,
    /// Results there will be: less than all where a column is in trouble.
    wanted: AtomicUsize,
}

#[derive(Debug)]
struct Queue {
    order: Vec<usize>,
    /// Nothing is left of the plies before this place in the order.
    begun: usize,
    /// Plies that go first.
    front: Vec<usize>,
    /// By ply, then by column: begun, done or given up.
    taken: Vec<bool>,
    /// By column: it has one program, and that is at work.
    busy: Vec<bool>,
    /// The searches under way, by worker.
    running: Vec<Option<Arc<Control>>>,
    paused: bool,
    stopped: bool,
}

impl Queue {
    /// The first job that can be begun now: `Err(true)` if others will be later.
    fn next(&mut self) -> Result<Job, bool> {
        let columns = self.busy.len();
        let open = |taken: &[bool], ply: usize| taken[ply * columns..][..columns].contains(&false);
        while let Some(&ply) = self.order.get(self.begun) {
            if open(&self.taken, ply) {
                break;
            }
            self.begun += 1;
        }
        let plies = self.front.iter().chain(&self.order[self.begun..]);
        let jobs = plies.flat_map(|&ply| (0..columns).map(move |column| Job { ply, column }));
        let mut left = false;
        for job in jobs.filter(|job| !self.taken[job.ply * columns + job.column]) {
            left = true;
            if !self.busy[job.column] {
                return Ok(job);
            }
        }
        Err(left)
    }
}

impl Desk {
    pub fn new(
        positions: Vec<Subject>,
        columns: Vec<ColumnSpec>,
        budget: Budget,
        workers: usize,
    ) -> Desk {
        let jobs = positions.len() * columns.len();
        let desk = Desk {
            results: (0..jobs).map(|_| OnceLock::new()).collect(),
            troubles: columns.iter().map(|_| OnceLock::new()).collect(),
            programs: columns.iter().map(|_| Mutex::default()).collect(),
            queue: Mutex::new(Queue {
                order: coarse_to_fine(positions.len()),
                begun: 0,
                front: Vec::new(),
                taken: vec![false; jobs],
                busy: vec![false; columns.len()],
                running: vec![None; workers],
                paused: false,
                stopped: false,
            }),
            moved: Condvar::new(),
            generation: AtomicU64::new(0),
            done: AtomicUsize::new(0),
            wanted: AtomicUsize::new(jobs),
            positions,
            columns,
            budget,
        };
        desk.enter_what_is_over();
        desk
    }

    /// Positions in which the game is over need no search.
    fn enter_what_is_over(&self) {
        for (ply, subject) in self.positions.iter().enumerate() {
            let last = ply + 1 == self.positions.len();
            let Some(found) = Found::over(subject, last).map(Arc::new) else {
                continue;
            };
            let mut queue = self.lock();
            for column in 0..self.columns.len() {
                let job = Job { ply, column };
                queue.taken[self.index(job)] = true;
                self.enter(job, Arc::clone(&found));
            }
        }
    }

    fn index(&self, job: Job) -> usize {
        job.ply * self.columns.len() + job.column
    }

    fn enter(&self, job: Job, found: Arc<Found>) {
        if self.results[self.index(job)].set(found).is_ok() {
            self.done.fetch_add(1, Ordering::Relaxed);
            self.generation.fetch_add(1, Ordering::Release);
        }
    }

    pub fn result(&self, column: usize, ply: usize) -> Option<&Arc<Found>> {
        if column >= self.columns.len() {
            return None;
        }
        self.results.get(self.index(Job { ply, column }))?.get()
    }

    pub fn trouble(&self, column: usize) -> Option<&Trouble> {
        self.troubles.get(column)?.get()
    }

    /// Results there are, and results there will be.
    pub fn progress(&self) -> (usize, usize) {
        let done = self.done.load(Ordering::Relaxed);
        (done, self.wanted.load(Ordering::Relaxed))
    }

    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// The next job for a worker, waiting while paused and while all that is left is for programs that are at work.
    /// `None`: there is nothing left to do.
    pub fn take(&self) -> Option<Job> {
        let mut queue = self.lock();
        loop {
            if queue.stopped {
                return None;
            }
            match queue.next() {
                Ok(job) if !queue.paused => {
                    let index = self.index(job);
                    queue.taken[index] = true;
                    queue.busy[job.column] =
                        matches!(self.columns[job.column], ColumnSpec::External(_));
                    return Some(job);
                }
                Err(false) => return None,
                _ => {}
            }
            queue = self
                .moved
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A job has its result; none if it was broken off by [`Desk::stop`].
    pub fn finish(&self, job: Job, found: Option<Found>) {
        let mut queue = self.lock();
        queue.busy[job.column] = false;
        // What comes after the column was given up is not counted on any more.
        if let Some(found) = found.filter(|_| self.trouble(job.column).is_none()) {
            self.enter(job, Arc::new(found));
        }
        drop(queue);
        self.moved.notify_all();
    }

    /// Nothing more comes from a column.
    pub fn give_up(&self, column: usize, trouble: Trouble) {
        let mut queue = self.lock();
        queue.busy[column] = false;
        if self.troubles[column].set(trouble).is_ok() {
            let mut missing = 0;
            for ply in 0..self.positions.len() {
                let job = Job { ply, column };
                queue.taken[self.index(job)] = true;
                missing += usize::from(self.result(column, ply).is_none());
            }
            self.wanted.fetch_sub(missing, Ordering::Relaxed);
            self.generation.fetch_add(1, Ordering::Release);
        }
        drop(queue);
        self.moved.notify_all();
    }

    /// A worker's search has begun (`None`: ended): from now on it is paused and stopped with the review.
    pub fn set_running(&self, worker: usize, control: Option<Arc<Control>>) {
        let mut queue = self.lock();
        if let Some(control) = &control {
            if queue.stopped {
                control.stop(StopReason::User);
            } else if queue.paused {
                control.pause();
            }
        }
        queue.running[worker] = control;
    }

    /// These plies go first from now on.
    pub fn prefer(&self, ply: usize) {
        self.lock().front = around(ply, self.positions.len());
    }

    pub fn set_paused(&self, paused: bool) {
        let mut queue = self.lock();
        if queue.paused == paused || queue.stopped {
            return;
        }
        queue.paused = paused;
        for control in queue.running.iter().flatten() {
            if paused {
                control.pause();
            } else {
                control.resume();
            }
        }
        drop(queue);
        self.moved.notify_all();
        self.generation.fetch_add(1, Ordering::Release);
    }

    pub fn stop(&self) {
        let mut queue = self.lock();
        queue.stopped = true;
        for control in queue.running.iter().flatten() {
            control.stop(StopReason::User);
        }
        drop(queue);
        self.moved.notify_all();
        self.generation.fetch_add(1, Ordering::Release);
    }

    /// The program of an external column, while it is between two positions.
    pub fn program(&self, column: usize) -> MutexGuard<'_, Option<External>> {
        self.programs[column]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_paused(&self) -> bool {
        self.lock().paused
    }

    pub fn is_stopped(&self) -> bool {
        self.lock().stopped
    }

    /// Whether a search shall not go on at the moment.
    pub fn is_halted(&self) -> bool {
        let queue = self.lock();
        queue.paused || queue.stopped
    }

    /// Waits for the end of a pause.
    pub fn wait_while_paused(&self) {
        let mut queue = self.lock();
        while queue.paused && !queue.stopped {
            queue = self
                .moved
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Config;
    use crate::engine::external::EngineSpec;
    use crate::game::{ChessPosition, Situation};
    use crate::search::Algorithm;

    /// Five plies, a column of our own and one of another program.
    fn desk() -> Desk {
        let start = Subject::Chess(Situation::new(ChessPosition::default()));
        let program = EngineSpec::parse("program").expect("a command");
        let columns = vec![
            ColumnSpec::Own(Config::new(Algorithm::Mcts)),
            ColumnSpec::External(program),
        ];
        Desk::new(vec![start; 5], columns, Budget::Nodes(1), 2)
    }

    fn take(desk: &Desk) -> (usize, usize) {
        let job = desk.take().expect("a job");
        (job.ply, job.column)
    }

    #[test]
    fn every_column_of_a_ply_comes_before_the_next_but_a_program_does_one_at_a_time() {
        let desk = desk();
        let jobs: Vec<_> = (0..4).map(|_| take(&desk)).collect();
        assert_eq!(jobs, [(0, 0), (0, 1), (4, 0), (2, 0)]);
        desk.finish(Job { ply: 0, column: 1 }, None);
        assert_eq!(take(&desk), (4, 1));
        assert_eq!(take(&desk), (1, 0));
    }

    #[test]
    fn what_somebody_looks_at_comes_first() {
        let desk = desk();
        assert_eq!(take(&desk), (0, 0));
        desk.prefer(3);
        desk.finish(Job { ply: 0, column: 1 }, None);
        let jobs: Vec<_> = (0..4).map(|_| take(&desk)).collect();
        assert_eq!(jobs, [(3, 0), (3, 1), (2, 0), (4, 0)]);
        desk.prefer(9);
        assert_eq!(take(&desk), (1, 0));
    }

    #[test]
    fn a_column_in_trouble_brings_no_more_and_the_others_go_on() {
        let desk = desk();
        assert_eq!([take(&desk), take(&desk)], [(0, 0), (0, 1)]);
        let trouble = Trouble {
            message: "it died".into(),
            last_lines: Vec::new(),
        };
        let before = desk.generation();
        desk.give_up(1, trouble.clone());
        assert_eq!(desk.progress(), (0, 5));
        assert_ne!(desk.generation(), before);
        let plies: Vec<_> = (0..4).map(|_| take(&desk)).collect();
        assert_eq!(plies, [(4, 0), (2, 0), (1, 0), (3, 0)]);
        assert_eq!(desk.take(), None);
        assert_eq!(desk.trouble(1), Some(&trouble));
    }
}
