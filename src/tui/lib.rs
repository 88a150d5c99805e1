//! The user interface: the workbench in the terminal.
//!
//! [`app`] holds the state and [`commands`] the table of all commands. Each tab is a folder of [`tabs`], and each pane
//! that several tabs show is a folder of [`panes`]; a folder holds the state, the commands and the view. [`views`]
//! composes the screen from them, [`screen`] has what it is drawn with, and [`run()`] runs it all in a terminal.

pub mod app;
pub mod commands;
pub mod component;
pub mod config;
pub mod document;
pub mod exporting;
mod fault;
mod kept;
pub mod overlays;
pub mod panes;
mod recent;
mod run;
pub mod saving;
pub mod source;
pub mod tabs;
pub mod views;
mod watch;

pub use run::{Launch, RunError, run};
