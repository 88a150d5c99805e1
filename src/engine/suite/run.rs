//! Working through a suite: every position by every column, several at a time.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::{Answers, Outcome, Task, Worker};
use crate::engine::compare::{Budget, ColumnSpec, Face};
use crate::game::Subject;
use crate::search::StopReason;

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

/// Who works on it, and what each may spend on a position.
#[derive(Clone, Debug)]
pub struct Plan {
    pub columns: Vec<ColumnSpec>,
    pub budget: Budget,
    /// Searches at a time.
    pub at_a_time: usize,
}

/// What a run tells on its way.
#[derive(Debug)]
pub enum Step {
    /// One column is done with one position.
    Search,
    /// All columns are done with one position.
    Position(Answers),
}

/// Works through all problems, in their order, and tells `each` of what is done, position by position in the order in
/// which they are finished. Ends early when `halted` (a position that not all columns have finished is left out then),
/// or when `each` says so.
pub fn run(
    problems: &[Problem],
    plan: &Plan,
    halted: impl Fn() -> bool + Sync,
    mut each: impl FnMut(Step) -> ControlFlow<()>,
) {
    let broken = AtomicBool::new(false);
    let halted = || broken.load(Relaxed) || halted();
    let next = AtomicUsize::new(0);
    let (sender, receiver) = unbounded();
    std::thread::scope(|scope| {
        let mut any = false;
        for _ in 0..plan.at_a_time.max(1) {
            let sender = sender.clone();
            let (next, halted) = (&next, &halted);
            let work = move || Work::new(plan).work(problems, next, halted, &sender);
            any |= std::thread::Builder::new()
                .spawn_scoped(scope, work)
                .is_ok();
        }
        if !any {
            Work::new(plan).work(problems, &next, &halted, &sender);
        }
        drop(sender);
        if collect(problems, plan, &receiver, &mut each).is_break() {
            broken.store(true, Relaxed);
        }
    });
}

/// One column's answer to one problem (index).
type Done = (usize, usize, Outcome);

fn collect(
    problems: &[Problem],
    plan: &Plan,
    done: &Receiver<Done>,
    each: &mut impl FnMut(Step) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let width = plan.columns.len();
    let mut open: Vec<Vec<Option<Outcome>>> = vec![vec![None; width]; problems.len()];
    for (problem, column, outcome) in done {
        open[problem][column] = Some(outcome);
        each(Step::Search)?;
        if open[problem].iter().all(Option::is_some) {
            let columns = std::mem::take(&mut open[problem]);
            let columns = columns.into_iter().flatten().collect();
            each(Step::Position(problems[problem].answers(columns)))?;
        }
    }
    ControlFlow::Continue(())
}

impl Problem {
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

/// One search at a time.
struct Work<'a> {
    plan: &'a Plan,
    worker: Worker,
}

impl<'a> Work<'a> {
    fn new(plan: &'a Plan) -> Self {
        Work {
            plan,
            worker: Worker::new(&plan.columns, plan.budget),
        }
    }

    fn work(
        mut self,
        problems: &[Problem],
        next: &AtomicUsize,
        halted: &impl Fn() -> bool,
        sender: &Sender<Done>,
    ) {
        let width = self.plan.columns.len();
        while !halted() {
            let job = next.fetch_add(1, Relaxed);
            let (problem, column) = (job / width, job % width);
            let Some(wanted) = problems.get(problem) else {
                return;
            };
            let outcome = self.search(wanted, column, halted);
            // What was broken off is no answer.
            let broken_off = match outcome.trouble {
                Some(_) => halted(),
                None => matches!(outcome.stopped_by, None | Some(StopReason::User)),
            };
            if broken_off {
                return;
            }
            // Nobody listens any more: the run was broken off.
            if sender.send((problem, column, outcome)).is_err() {
                return;
            }
        }
    }

    fn search(&mut self, problem: &Problem, column: usize, halted: &impl Fn() -> bool) -> Outcome {
        let look = |face: Face| Outcome::of(&problem.task, face);
        let found = self.worker.search(&problem.subject, column, halted, look);
        found.unwrap_or_else(Outcome::failed)
    }
}
