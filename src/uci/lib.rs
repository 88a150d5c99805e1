//! The UCI server: runs any of the algorithms as an engine for chess programs, on standard input and output.
//!
//! `command` parses what the other program sends, `options` keeps its settings (`kind` announces them), `clock` turns clock times into limits,
//! `server` answers, `search` is a running search, `report` says what to tell about it, `mates` shows mates with their whole lines,
//! `glance` values moves that were not searched, `info` and `statistics` write that down, `wdl` reads shares of won, drawn and lost from beliefs, and `asides` answers what is no search.

mod asides;
mod clock;
mod command;
mod glance;
mod info;
mod kind;
mod mates;
mod options;
mod reader;
mod report;
mod search;
mod server;
mod statistics;
mod wdl;

pub use server::{End, serve};
