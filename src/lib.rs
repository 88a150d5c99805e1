//! plyscope: a debugger for game-tree search.
//!
//! The floors, each importing only from those before it (a test keeps it so):
//! `belief`, `game`, `eval`, `tree`, `search`, `engine`, `report` and `uci`, `tui`, `cli`.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

// The program's heap: see `main.rs`.
#[cfg(unix)]
use dlmalloc as _;

pub mod belief;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod game;
pub mod report;
pub mod search;
pub mod tree;
pub mod tui;
pub mod uci;
