//! The UCI server: runs any of the algorithms as an engine for chess programs, on standard input and output.
//!
//! `command` parses what the other program sends, `options` keeps its settings, `clock` turns clock times into limits,
//! `server` answers, `search` is a running search and `info` formats its reports.

mod clock;
mod command;
mod info;
mod options;
mod reader;
mod search;
mod server;

pub use server::{End, serve};
