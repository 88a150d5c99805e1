//! What the person sees: the workbench in the terminal.
//!
//! [`app`] holds the state and [`commands`] the one table of commands. Each tab is a folder of [`tabs`], and each pane
//! that several tabs show a folder of [`panes`]: its state, its commands and its view together. [`views`] puts the
//! screen together from them, [`theme`] has the colours by role, and [`run`] brings it all to a terminal.

pub mod app;
pub mod commands;
pub mod component;
pub mod config;
pub mod document;
mod fault;
pub mod glyphs;
mod input;
pub mod keys;
mod list;
pub mod overlays;
pub mod panes;
mod pen;
mod run;
pub mod source;
pub mod tabs;
mod terminal;
mod text;
pub mod theme;
pub mod views;
mod watch;
mod widgets;

pub use run::{Launch, RunError, run};
