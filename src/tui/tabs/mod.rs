//! The tabs: each folder has a tab's state, its commands and its view.

pub mod compare;
pub mod game;
pub mod lab;
pub mod learn;
