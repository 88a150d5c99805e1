//! The debugger without a screen, for other programs: JSON-RPC, and the Debug Adapter Protocol of editors.
//!
//! `framing` reads and writes messages, `place` opens positions, `search` drives one search, `describe` says what there is to
//! see, and `rpc` and `dap` are the two languages in which that is asked for.

pub mod dap;
mod describe;
mod framing;
mod place;
pub mod rpc;
mod search;
