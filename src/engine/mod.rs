//! Sessions: a search in the background with its tree, its threads and its switches.

mod session;

pub use session::{Config, Session, State, Status};
