//! The user interface: the workbench in the terminal.
//!
//! Each tab is a folder of [`tabs`], each pane that several tabs show a folder of [`panes`], and what opens above them a
//! folder of [`overlays`]; a folder holds the state, the commands and the view. What they share is the [`context`]. The
//! [`app`] owns all that: it leads keys and clicks to the parts, and does what these ask of each other. [`commands`] is the
//! table of all commands. [`views`]
//! composes the screen from them, [`screen`] has what it is drawn with, and [`run()`] runs it all in a terminal.

pub mod app;
pub mod commands;
pub mod component;
pub mod config;
pub mod context;
pub mod exporting;
mod fault;
mod kept;
pub mod overlays;
pub mod panes;
pub mod reach;
mod recent;
mod run;
pub mod saving;
pub mod source;
pub mod tabs;
pub mod views;
mod watch;

pub use run::{Launch, RunError, run};
pub use tabs::lab::differential::folder as state_folder;
