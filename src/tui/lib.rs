//! The user interface: the workbench in the terminal.
//!
//! [`app`] holds the state and [`commands`] the table of all commands. Each tab is a folder of [`tabs`], and each pane
//! that several tabs show is a folder of [`panes`]; a folder holds the state, the commands and the view. [`views`]
//! composes the screen from them, [`theme`] has the colours by role, and [`run()`] runs it all in a terminal.

pub mod app;
pub mod commands;
pub mod component;
pub mod config;
pub mod exporting;
mod fault;
pub mod glyphs;
mod input;
mod kept;
pub mod keys;
mod list;
pub mod overlays;
pub mod panes;
mod pen;
pub mod picture;
mod recent;
mod run;
pub mod saving;
pub mod source;
pub mod tabs;
mod terminal;
mod text;
pub mod theme;
pub mod views;
mod watch;
mod widgets;

pub use run::{Launch, RunError, run};
