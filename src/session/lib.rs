//! Sessions: a search in the background with its tree, its threads and its controls, how it is stepped through and
//! rewound, and how its tree is read.

mod ahead;
pub mod answer;
mod before;
pub mod breakpoint;
mod budget;
mod children;
mod config;
pub mod debug;
pub mod forced;
pub mod job_inputs;
pub mod jobs;
mod legality;
pub mod line;
mod mate_line;
mod mate_proof;
mod node_belief;
mod node_evaluation;
pub mod progress;
mod proof;
mod rank;
pub mod reader;
pub mod record;
pub mod saved;
pub mod seek;
mod segment;
mod session;
mod snapshot;
mod status;
mod summary;
mod tell;
#[doc(hidden)]
pub mod testing;
mod threads;
mod trace;
mod wanted;

pub use before::Before;
pub use budget::{Budget, BudgetError};
pub use children::{BareRow, Row, RowId, Standing};
pub use config::{Config, default_memory, machine_memory};
pub use legality::Key;
pub use mate_proof::Effort;
pub use node_belief::{NodeBelief, Source};
pub use node_evaluation::NodeEvaluation;
pub use progress::Point;
pub use proof::{Claim, ProofSize};
pub use reader::{GrownBy, MoveName, Reader, unrecorded_view};
pub use session::{Fault, Next, NoLeafSearch, Session, patiently};
pub use snapshot::{Policy, Shares, Snapshot, Unfinished};
pub use status::{State, Status};
pub use summary::{MoveSummary, NodeValue, Summary};
pub use tell::{TellError, audit, beside, tell};
pub use threads::{NoThread, drop_aside};
pub use trace::{LeafTraceError, Sink, TraceRequest, Traced, trace, trace_leaf};
pub use wanted::Wanted;

pub use search::{AnyPosition, Subject};
