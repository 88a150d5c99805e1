//! What the person sees: the workbench in the terminal.
//!
//! [`app`] holds the state, [`commands`] the one table of commands, [`views`] one file a view, [`explorer`] the
//! tree's rows, [`theme`] the colours by role, and [`run`] brings it to a terminal.

pub mod app;
mod chooser;
pub mod commands;
pub mod compare;
pub mod config;
pub mod debugger;
pub mod document;
pub mod drawing;
pub mod explorer;
mod expression;
mod fault;
pub mod game;
pub mod glyphs;
mod help;
mod input;
pub mod keys;
pub mod lab;
pub mod learn;
mod list;
mod options;
mod pen;
mod prompt;
mod run;
pub mod source;
mod terminal;
mod text;
pub mod theme;
pub mod views;
mod watch;
mod widgets;

pub use run::{Launch, RunError, run};
