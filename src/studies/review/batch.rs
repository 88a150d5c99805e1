//! Reviews many games: every position of every game by every column, several searches at a time.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::queue::Search;
use super::results::Results;
use super::work::{Plan, Programs};
use super::{Found, JOB, Review};
use crate::compare::{ColumnSpec, PATIENCE};
use external::Trouble;
use session::jobs::{Items, Next, Pool, Worker};
use session::{Budget, Subject};

/// The columns, and what each may spend on a position.
#[derive(Clone, Debug)]
pub struct Batch {
    pub columns: Vec<ColumnSpec>,
    pub budget: Budget,
    /// The number of searches at a time, each of plyscope's own on one thread. An external engine has a process for
    /// each.
    pub at_a_time: usize,
}

/// A game to review.
#[derive(Debug)]
pub struct ToReview {
    /// Given back with its results.
    pub number: usize,
    /// In the order of the game, with their history. With fewer than two there is no move and nothing is searched.
    pub positions: Vec<Subject>,
    /// What an earlier run has found, by ply and column.
    pub known: Vec<(usize, usize, Found)>,
}

/// What a run reports on its way.
#[derive(Debug)]
pub enum Step<'a> {
    /// A game has begun; so many searches are to come.
    Game(usize, usize),
    /// One column is done with one position.
    Search {
        game: usize,
        ply: usize,
        column: usize,
        found: &'a Found,
    },
    /// All columns are done with a game, or have failed in it.
    Reviewed(usize, Box<Review>),
}

/// Reviews the games and calls `each` for everything that is done. A game begins when the searches of the one before it
/// have all begun, so that all threads are always busy and few games are in memory. Ends early when `halted` returns true
/// or `each` breaks; games that are not finished then are not reported.
///
/// A column that fails is given up in this game, and after two such games in a row in all others.
pub fn run(
    games: impl Iterator<Item = ToReview> + Send,
    batch: &Batch,
    halted: impl Fn() -> bool + Sync,
    each: impl FnMut(Step) -> ControlFlow<()> + Send,
) {
    let pool = Pool::new(JOB, batch.at_a_time, (0, 0));
    let queue = Queue {
        open: Mutex::new(Open {
            games,
            batch,
            begun: BTreeMap::new(),
            failures: vec![(0, None); batch.columns.len()],
        }),
    };
    let each = Mutex::new(each);
    let report = |step: Step<'_>| {
        let mut each = each.lock().unwrap_or_else(PoisonError::into_inner);
        let broken = each(step).is_break();
        drop(each);
        if broken {
            pool.stop();
        }
    };
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Searches stop with the pool, and nobody else has the time to look whether it is to stop.
        let watch = || {
            while !done.load(Relaxed) && !pool.is_stopped() {
                if halted() {
                    pool.stop();
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        };
        scope.spawn(watch);
        let _end = SetAtEnd(&done);
        pool.work(
            &queue,
            || Programs::of(batch.columns.len()),
            |programs, task, worker| queue.work(task, programs, worker, &report),
        );
    });
}

/// Sets a flag when it is dropped, also by a panic.
struct SetAtEnd<'a>(&'a AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

#[derive(Clone, Copy, Debug)]
enum Task {
    /// Reports that this game has begun, and that it is finished if there is nothing to search.
    Begin(usize),
    Search(usize, Search),
}

/// Hands out the searches of one game after another.
struct Queue<'a, I> {
    open: Mutex<Open<'a, I>>,
}

struct Open<'a, I> {
    games: I,
    batch: &'a Batch,
    /// The games that are not finished, by number.
    begun: BTreeMap<usize, BegunGame>,
    /// By column: in how many games in a row it failed, and its latest failure.
    failures: Vec<(usize, Option<Trouble>)>,
}

struct BegunGame {
    plan: Arc<Plan>,
    results: Results,
    left: VecDeque<Search>,
    /// The number of tasks that have begun and are not done.
    under_way: usize,
}

impl BegunGame {
    fn is_finished(&self) -> bool {
        self.left.is_empty() && self.under_way == 0
    }
}

impl<I: Iterator<Item = ToReview>> Open<'_, I> {
    /// Begins the next game, if there is one.
    fn begin(&mut self) -> Option<usize> {
        let ToReview {
            number,
            positions,
            known,
        } = self.games.next()?;
        let plan = Plan {
            positions,
            columns: self.batch.columns.clone(),
            budget: self.batch.budget,
        };
        let (mut results, _) = plan.enter_what_is_over();
        let (plies, columns) = (plan.positions.len(), plan.columns.len());
        for (ply, column, found) in known {
            if ply < plies && column < columns {
                results.enter(Search { ply, column }, found);
            }
        }
        for (column, (times, trouble)) in self.failures.iter().enumerate() {
            if let Some(trouble) = trouble.as_ref().filter(|_| *times >= PATIENCE) {
                results.give_up(column, trouble.clone());
            }
        }
        let all = (0..plies).flat_map(|ply| (0..columns).map(move |column| Search { ply, column }));
        let is_open = |s: &Search| {
            plies > 1
                && results.get(s.column, s.ply).is_none()
                && results.trouble(s.column).is_none()
        };
        let left = all.filter(is_open).collect();
        let game = BegunGame {
            plan: Arc::new(plan),
            results,
            left,
            under_way: 1,
        };
        self.begun.insert(number, game);
        Some(number)
    }

    /// Takes what a search has found. Returns false if it does not count any more.
    fn enter(&mut self, number: usize, search: Search, found: Result<Found, Trouble>) -> bool {
        let Some(game) = self.begun.get_mut(&number) else {
            return false;
        };
        let (times, latest) = &mut self.failures[search.column];
        match found {
            Ok(found) => {
                let counts = game.results.enter(search, found);
                if counts {
                    *times = 0;
                }
                counts
            }
            Err(trouble) => {
                if game.results.trouble(search.column).is_none() {
                    *times += 1;
                    *latest = Some(trouble.clone());
                }
                game.results.give_up(search.column, trouble);
                game.left.retain(|s| s.column != search.column);
                false
            }
        }
    }

    /// Counts a task of a game as done. Returns the game's review if that was the last one.
    fn done(&mut self, number: usize) -> Option<Review> {
        let game = self.begun.get_mut(&number)?;
        game.under_way -= 1;
        if !game.is_finished() {
            return None;
        }
        let game = self.begun.remove(&number)?;
        Some(Review::ended(game.plan, game.results))
    }
}

impl<'a, I: Iterator<Item = ToReview>> Queue<'a, I> {
    fn work(&self, task: Task, programs: &Programs, worker: &Worker, report: &impl Fn(Step)) {
        let number = match task {
            Task::Begin(number) => {
                let left = self.lock().begun.get(&number).map(|game| game.left.len());
                report(Step::Game(number, left.unwrap_or(0)));
                number
            }
            Task::Search(number, search) => {
                if !self.search(number, search, (programs, worker), report) {
                    return;
                }
                number
            }
        };
        let review = self.lock().done(number);
        if let Some(review) = review {
            report(Step::Reviewed(number, Box::new(review)));
        }
    }

    /// Returns false if the search was stopped.
    fn search(
        &self,
        number: usize,
        search: Search,
        (programs, worker): (&Programs, &Worker),
        report: &impl Fn(Step),
    ) -> bool {
        let plan = self
            .lock()
            .begun
            .get(&number)
            .map(|game| Arc::clone(&game.plan));
        let Some(plan) = plan else {
            return false;
        };
        let Search { ply, column } = search;
        match plan.search(search, programs, worker) {
            Ok(Some(found)) => {
                if self.lock().enter(number, search, Ok(found.clone())) {
                    report(Step::Search {
                        game: number,
                        ply,
                        column,
                        found: &found,
                    });
                }
                true
            }
            // A program that broke off because it was told to is in no trouble.
            Err(trouble) if !worker.pool.is_stopped() => {
                self.lock().enter(number, search, Err(trouble));
                true
            }
            Ok(None) | Err(_) => false,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Open<'a, I>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<I: Iterator<Item = ToReview> + Send> Items for Queue<'_, I> {
    type Item = Task;

    fn next(&self) -> Next<Task> {
        let mut open = self.lock();
        for (&number, game) in &mut open.begun {
            if let Some(search) = game.left.pop_front() {
                game.under_way += 1;
                return Next::Item(Task::Search(number, search));
            }
        }
        match open.begin() {
            Some(number) => Next::Item(Task::Begin(number)),
            None => Next::Nothing,
        }
    }
}
