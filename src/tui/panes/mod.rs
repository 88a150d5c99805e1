//! The panes that several tabs show: each folder has a pane's state, its commands and its view.

pub mod board;
pub mod debugger;
pub mod drawing;
pub mod inspector;
pub mod log;
pub mod tree;
