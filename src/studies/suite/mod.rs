//! Test suites: positions with a task, solved by several searches, and the statistics of the results.

mod column_runner;
mod outcome;
mod record;
mod run;
pub mod statistics;
mod tally;
mod task;

pub use column_runner::ColumnRunner;
pub use outcome::{Answers, Chosen, Outcome, SolvedAt};
pub use record::{Header, Record};
pub use run::{Plan, Problem, Step, run};
pub use tally::{Pair, Tally, pairs, tally};
pub use task::{Aim, AimKind, Task};
