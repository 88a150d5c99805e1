//! The UCI server: any of the algorithms as an engine for chess programs, on standard input and output.
//!
//! `command` reads what the other program says, `options` keeps what it sets, `clock` turns its clock into limits,
//! `server` answers, `search` is one search under way and `info` what is told of it.

mod clock;
mod command;
mod info;
mod options;
mod reader;
mod search;
mod server;

pub use server::{End, serve};
