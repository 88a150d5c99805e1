//! The results of the Lab's experiments: for each a [`Report`](super::sheet::Report).

pub mod calibration;
pub mod depths;
pub mod differential;
pub mod futility;
pub mod pairs;
pub mod plies;
pub mod plies_picture;
pub mod refutation;
pub mod schema;
pub mod spread;
