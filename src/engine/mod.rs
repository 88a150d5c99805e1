//! Sessions: a search in the background with its tree, its threads and its switches, how it is stepped through and
//! rewound, and how its tree is read.

mod again;
mod ahead;
pub mod breakpoint;
mod budget;
mod checkpoint;
mod children;
pub mod compare;
mod config;
pub mod debug;
pub mod decided;
pub mod external;
pub mod jobs;
pub mod lab;
pub mod lesson;
mod line;
mod mate_line;
mod progress;
mod proof;
mod reader;
mod reuse;
pub mod review;
mod run;
mod session;
mod shown;
pub mod suite;
mod summary;
mod trace;

pub use budget::{Budget, BudgetError};
pub use children::{BareRow, Row, RowId};
pub use config::{Config, default_memory, machine_memory};
pub use progress::Point;
pub use proof::{Claim, ProofSize};
pub use reader::{MoveName, Reader, Searcher, other_side, seen_by_mover, unrecorded_view};
pub use reuse::Next;
pub use run::{Fault, NoThread, drop_aside};
pub use session::{Session, State, Status};
pub use shown::{Shown, Source};
pub use summary::{MoveSummary, Summary, Verdict};
pub use trace::{Sink, Traced, Wish, trace};
