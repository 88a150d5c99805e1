//! The Debug Adapter Protocol, with which editors drive debuggers: the search is the program, its line of play the stack, a
//! node's figures the variables, and a `.tree` file the source.
//!
//! `protocol` reads requests and writes answers and events, `server` takes them in turn, `control` runs the search,
//! `launch` opens the position, `breaks` keeps the breakpoints, `stack` says where the search is, `variables` what there
//! is to see, and `evaluate` answers what is typed.

mod breaks;
mod control;
mod evaluate;
mod launch;
mod protocol;
mod server;
mod stack;
mod variables;

pub use launch::ARGUMENTS;
pub use server::serve;
