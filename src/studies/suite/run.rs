//! Works through a suite: every position by every column, several at a time.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use super::{Answers, ColumnRunner, Outcome, Task};
use crate::compare::{ColumnSpec, Face};
use search::StopReason;
use session::jobs::{Numbers, Pool};
use session::{Budget, Subject};

/// One position of a suite.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Its number in the suite, from 1.
    pub number: usize,
    pub title: String,
    pub fen: String,
    pub subject: Subject,
    pub task: Task,
}

/// The columns, and what each may spend on a position.
#[derive(Clone, Debug)]
pub struct Plan {
    pub columns: Vec<ColumnSpec>,
    pub budget: Budget,
    /// The number of searches at a time.
    pub at_a_time: usize,
}

/// What a run reports on its way.
#[derive(Debug)]
pub enum Step {
    /// One column is done with one position.
    Search,
    /// All columns are done with one position.
    Position(Answers),
}

/// Works through all problems in their order and calls `each` for everything that is done, position by position in the
/// order in which they are finished. Ends early when `halted` returns true (a position that not all columns have
/// finished is then left out), or when `each` breaks.
pub fn run(
    problems: &[Problem],
    plan: &Plan,
    halted: impl Fn() -> bool + Sync,
    each: impl FnMut(Step) -> ControlFlow<()> + Send,
) {
    let width = plan.columns.len();
    let searches = problems.len() * width;
    let pool = Pool::new("suite", plan.at_a_time, (0, searches));
    let open = Mutex::new(Open {
        problems,
        outcomes: vec![vec![None; width]; problems.len()],
        each,
    });
    pool.work(
        &Numbers::below(searches),
        || ColumnRunner::new(&plan.columns, plan.budget),
        |runner, number, _| {
            let (problem, column) = (number / width, number % width);
            let halted = || pool.is_stopped() || halted();
            let outcome = problems[problem].search(runner, column, &halted);
            // An interrupted search is no answer.
            let broken_off = match outcome.trouble {
                Some(_) => halted(),
                None => matches!(outcome.stopped_by, None | Some(StopReason::User)),
            };
            let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
            if broken_off || open.enter(problem, column, outcome).is_break() {
                pool.stop();
            }
        },
    );
}

/// The answers to positions that not all columns have finished.
struct Open<'a, F> {
    problems: &'a [Problem],
    /// By problem, then by column.
    outcomes: Vec<Vec<Option<Outcome>>>,
    each: F,
}

impl<F: FnMut(Step) -> ControlFlow<()>> Open<'_, F> {
    fn enter(&mut self, problem: usize, column: usize, outcome: Outcome) -> ControlFlow<()> {
        let row = &mut self.outcomes[problem];
        row[column] = Some(outcome);
        (self.each)(Step::Search)?;
        if row.iter().all(Option::is_some) {
            let columns = std::mem::take(row).into_iter().flatten().collect();
            (self.each)(Step::Position(self.problems[problem].answers(columns)))?;
        }
        ControlFlow::Continue(())
    }
}

impl Problem {
    fn search(
        &self,
        runner: &mut ColumnRunner,
        column: usize,
        halted: &impl Fn() -> bool,
    ) -> Outcome {
        let look = |face: Face| Outcome::of(&self.task, face);
        let found = runner.search(&self.subject, column, halted, look);
        found.unwrap_or_else(Outcome::failed)
    }

    fn answers(&self, columns: Vec<Outcome>) -> Answers {
        Answers {
            number: self.number,
            title: self.title.clone(),
            fen: self.fen.clone(),
            task: self.task.kind(),
            possible: self.task.possible(),
            columns,
        }
    }
}
