//! What the experiments write as JSON, as types: their schemas are derived from these. The experiments write the objects
//! themselves, and the tests check that they keep to the schemas.
#![expect(dead_code, reason = "the types only describe")]

mod calibration;
mod cuts;
mod depths;
mod differential;
mod focus;
mod futility;
mod losses;
mod maximum;
mod pairs;
mod playouts;
mod plies;
mod refutation;
mod spread;
mod sweep;
mod truth;
mod walks;

pub use calibration::{Calibration, LeafFit};
pub use cuts::Cuts;
pub use depths::Depths;
pub use differential::Differential;
pub use focus::Focus;
pub use futility::Futility;
pub use losses::Losses;
pub use maximum::Maximum;
pub use pairs::ProbCut;
pub use playouts::Playouts;
pub use plies::Plies;
pub use refutation::Refutation;
pub use spread::{Population, Searches};
pub use sweep::Sweep;
pub use truth::Truth;
pub use walks::Walks;

use std::collections::BTreeMap;

use crate::schema::OptionValue;
use belief::score::LEVELS;

type Options = BTreeMap<String, OptionValue>;
type OfLevels<T> = [T; LEVELS.len()];
/// An interval of which an infinite end is null.
type OpenInterval = Option<[Option<f64>; 2]>;
