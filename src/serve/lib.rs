//! The debugger without a screen: JSON-RPC for other programs, the Debug Adapter Protocol of editors, and words and sentences for people
//! who do not look at a screen.
//!
//! `framing` reads and writes messages, `place` opens positions, `search` drives one search, `describe` says what there is to
//! see, and `rpc`, `dap` and `plain` are the languages in which that is asked for.

pub mod dap;
mod describe;
mod framing;
mod place;
pub mod plain;
pub mod rpc;
mod search;

pub use place::Place;
pub use search::Search;
