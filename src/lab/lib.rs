//! The Lab's experiment on futility: how scores change with depth, margins fitted to that, and how often they fail.
//!
//! [`Experiment`] runs in the background; [`Findings`] contain what it has found so far. First every position is
//! searched to every depth without the rules that prune by a margin ([`DepthSeries`]); the changes of score
//! ([`Changes`]) give each family its scale ([`Fit`]). Then each family gets the scale at which it saves as many nodes
//! as the first one does, and the audit counts its failures by depth ([`Trial`]). The family whose odds of failing
//! change least from depth to depth ([`Evenness`]) fails most evenly.

mod audit;
pub mod calibration;
mod change;
mod control;
pub mod cuts;
pub mod depth_series;
pub mod differential;
mod experiment;
mod figures;
mod fit;
pub mod focus;
pub mod kept;
pub mod losses;
pub mod maximum;
pub mod pairs;
mod plan;
pub mod playouts;
pub mod plies;
pub mod refutation;
pub mod report;
mod sample;
pub mod searched;
pub mod spread;
pub mod statistics;
pub mod sweep;
mod trial;
pub mod truth;
pub mod walks;

pub use audit::{Evenness, failure_interval};
pub use change::{Changes, DepthChange, Origin, QUANTILES, Spread};
pub use depth_series::DepthSeries;
pub use experiment::{Entered, Experiment, Findings, Plan, Stage};
pub use fit::{Fit, Fits, fits};
pub use plan::PlanError;
pub use sample::{Position, Sampler};
pub use trial::{Tested, Trial};

use algorithms::Algorithm;

/// The algorithm whose pruning rules are measured here.
pub const ALGORITHM: Algorithm = Algorithm::AlphaBeta;
